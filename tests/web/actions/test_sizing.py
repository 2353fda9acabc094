"""Another size or scale for a table in play: nothing that was entered is lost."""

import pytest

from tabletop.errors import DreyerError
from tabletop.table import Pose
from tests.web.phones import host_of, seated
from web import create_app
from web.actions.pairs import Decide, Declare, Rule
from web.actions.table import NewShip, OpenTable, SizeTable
from web.auth.seats import Caller, Forbidden, Role, Seat
from web.journal.events import JournalKind
from web.journal.store import Store
from web.session import Session
from web.table.log import log_lines
from web.table.state import replay

HOST = Caller("host", host=True)
ANN = Caller("ann", seat=Seat("s1", "Ann", Role.PLAYER, "british"))


@pytest.fixture
def session() -> Session:
    """Bismarck lies on a quadrant line of Hood's, and near a range limit."""
    session = Session(Store(None))
    ships = (
        NewShip("Hood", pose=Pose(5_000, 5_000, 0, 40, 1)),
        NewShip("Bismarck", pose=Pose(5_000 + 8_700, 5_000 + 8_700, 200, 40, 1)),
    )
    session.act(HOST, OpenTable("Bare", "bismarck-advanced", 500, 72, 48, ships))
    return session


def settle(session: Session) -> set[str]:
    """Decide every close call between the two; what was decided."""
    assert session.moment.survey is not None
    calls = session.moment.survey["Hood", "Bismarck"].close_calls
    for call in calls:
        session.act(ANN, Decide("Hood", "Bismarck", call.what, str(call.readings[0])))
    session.act(ANN, Declare("Hood", "Bismarck"))
    return decided(session)


def decided(session: Session) -> set[str]:
    return set(session.moment.decisions("Hood", "Bismarck"))


def test_another_size_keeps_ships_decisions_and_declarations(session: Session) -> None:
    assert "quadrant" in settle(session)
    before = session.moment
    session.act(HOST, SizeTable(width_inches=60, height_inches=40))
    after = session.moment
    assert (after.state.width_yards, after.state.height_yards) == (30_000, 20_000)
    assert after.poses == before.poses
    assert after.state.decisions == before.state.decisions
    assert after.state.declared == before.state.declared
    assert log_lines(session.log())[-1].text.startswith(
        "changed the table: 60 × 40 in, 500 yd to the inch"
    )


def test_another_scale_leaves_models_where_they_stand_in_inches(session: Session) -> None:
    settle(session)
    session.act(ANN, Rule("Bismarck", "Hood", "tape", range_yards=12_000))
    session.act(ANN, Rule("Hood", "Bismarck", "agreed", aspect="bow"))
    session.act(HOST, SizeTable(yards_per_inch=250))
    state = session.moment.state
    assert session.moment.poses["Hood"] == Pose(2_500, 2_500, 0, 20, 1)
    assert (state.width_yards, state.pieces["Hood"].length_yards) == (18_000, 500)
    # Angles are what they were; ranges are other ones now.
    assert decided(session) <= {"quadrant", "aspect"}
    assert "quadrant" in decided(session)
    assert session.moment.ruling("Hood", "Bismarck") is not None
    assert session.moment.ruling("Bismarck", "Hood") is None
    assert ("Hood", "Bismarck") in state.declared
    assert replay(session.log(most=1000)) == state


def test_the_same_size_is_no_news(session: Session) -> None:
    before = session.log()
    session.act(HOST, SizeTable(width_inches=72, height_inches=48, yards_per_inch=500))
    session.act(HOST, SizeTable())
    assert session.log() == before


@pytest.mark.parametrize(
    "action", [SizeTable(width_inches=5), SizeTable(yards_per_inch=0.5), SizeTable(401, 401)]
)
def test_a_size_that_cannot_be(session: Session, action: SizeTable) -> None:
    with pytest.raises(DreyerError, match=r"errors\.out_of_bounds"):
        session.act(HOST, action)


def test_only_the_host_measures_the_table(session: Session) -> None:
    with pytest.raises(Forbidden):
        session.act(ANN, SizeTable(width_inches=60))


def test_a_battle_goes_on_at_another_size_but_not_at_another_scale() -> None:
    app = create_app()
    host, _ = host_of(app), seated(app)
    begun = host.post("/api/battle/begin", {})
    assert begun.status_code == 200, begun.text
    assert host.post("/api/camera/table", {"width": 80, "height": 50}).status_code == 200
    view = host.view()
    assert view["battle"] is not None
    assert view["table"]["width_yards"] == 40_000
    refused = host.post("/api/camera/heights", {"all_mm": 0, "yards_per_inch": 250})
    assert refused.status_code == 400
    assert "another battle" in refused.get_json()["error"]["message"]


def test_starting_over_keeps_the_size_that_was_measured() -> None:
    host = host_of(create_app())
    assert host.post("/api/camera/table", {"width": 80, "height": 50}).status_code == 200
    assert host.post("/api/host/restart", {}).status_code == 200
    assert host.view()["table"]["width_yards"] == 40_000
    kinds = [line["kind"] for line in host.view()["log"]]
    assert kinds[-2:] == [JournalKind.TABLE_OPENED, JournalKind.TABLE_SIZED]
