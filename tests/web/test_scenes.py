"""Where a table comes from: the demo is known by its origin, not by its title."""

from dataclasses import replace
from pathlib import Path

from web.data_folder import THE_SERVER
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session


def is_demo(session: Session) -> bool:
    return session.moment.state.demo


def test_only_the_demo_itself_is_the_demo(tmp_path: Path) -> None:
    session = Session(Store(tmp_path / "table.db"))
    session.act(THE_SERVER, opening(demo_scene()))
    assert is_demo(session)
    session.close()
    session = Session(Store(tmp_path / "table.db"))
    assert is_demo(session)
    own = replace(demo_scene(), table=demo_scene().table)
    assert own.title == demo_scene().title
    session.act(THE_SERVER, opening(own))
    assert not is_demo(session)
    session.close()
