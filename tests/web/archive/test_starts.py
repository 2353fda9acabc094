"""Which battle a server continues with, by how it is started."""

from pathlib import Path

import pytest

from web.actions.battle import BeginBattle
from web.auth.seats import Caller
from web.data_folder import DataFolder, battles_in

HOST = Caller("host", host=True)


@pytest.mark.parametrize("begun", [True, False])
def test_a_battle_of_the_demo_is_there_again_without_it(tmp_path: Path, *, begun: bool) -> None:
    folder = DataFolder(tmp_path)
    demo = battles_in(folder, demo=True, scene=None).session
    if begun:
        demo.act(HOST, BeginBattle())
    demo.close()
    again = battles_in(folder, demo=False, scene=None)
    assert again.open_id == ("demo" if begun else "table")
    assert (again.session.moment.battle is not None) is begun
    again.session.close()


def test_a_table_that_was_used_later_stays(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    demo = battles_in(folder, demo=True, scene=None).session
    demo.act(HOST, BeginBattle())
    demo.close()
    other = battles_in(folder, demo=False, scene=None)
    assert other.session.moment.battle is not None
    title = other.begin(HOST, "Cape Matapan", [])
    other.session.close()
    again = battles_in(folder, demo=False, scene=None)
    assert again.open_id == title
    again.session.close()
