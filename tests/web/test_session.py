"""The running table: what is entered, what is seen, and how both become one table."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.closecall import CloseCallKind
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import verbatim
from tabletop.table import Pose
from vision.snapshot import ShipState, TablePose, TrackedShip
from web.actions.context import Action
from web.actions.pairs import Decide, Declare, Reopen, Rule, SetPremeasure, Unrule
from web.actions.sides import AddSide
from web.actions.table import (
    AddShip,
    ChooseSide,
    ClearSmoke,
    FollowCamera,
    LaySmoke,
    LiftShip,
    NewShip,
    OpenTable,
    PlaceShips,
    RemoveShip,
    ShipPose,
    SizeTable,
)
from web.auth.seats import NOBODY, Caller, Forbidden, NotSeated, Role, Seat
from web.journal.events import CaptainSet, Joined, JournalKind, Left, Origin, Premeasure, SetUp
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session
from web.table.moment import CameraHealth, CameraStatus
from web.table.state import replay
from web.views.table import may_measure_pair, view_for

HOST = Caller("host", host=True)
ANN = Caller("ann", seat=Seat("s1", "Ann", Role.PLAYER, "british"))
UMPIRE = Caller("uma", seat=Seat("s2", "Uma", Role.UMPIRE, None))
WATCHER = Caller("wim", seat=Seat("s3", "Wim", Role.ONLOOKER, None))
LIVE = CameraStatus(CameraHealth.LIVE, verbatim("a camera"))


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(clock: Clock) -> Session:
    session = Session(Store(None), clock=clock, monotonic=clock)
    session.act(HOST, opening(demo_scene()))
    return session


def seen(
    name: str, x_mm: float, y_mm: float, heading: float = 0.0, state: ShipState = ShipState.SETTLED
) -> TrackedShip:
    return TrackedShip(4, name, TablePose(x_mm, y_mm, heading, 0.1, 0.2), state, 0.0, 9)


def hood(session: Session) -> tuple[str, str, float]:
    now = session.moment.ships["Hood"]
    assert now.pose is not None
    return now.source, now.state, now.pose.x_yards


def place(name: str, x: float, y: float, heading: float = 0.0, reason: str = "") -> PlaceShips:
    return PlaceShips((ShipPose(name, Pose(x, y, heading)),), reason)


def test_a_scene_becomes_the_same_table(session: Session) -> None:
    scene = session.moment.scene
    assert scene is not None
    assert scene.table == demo_scene().table
    assert scene.ships == demo_scene().ships
    assert (scene.title, scene.ruleset, scene.scale) == (
        demo_scene().title,
        demo_scene().ruleset,
        demo_scene().scale,
    )


def test_the_camera_moves_a_ship_until_a_hand_does(session: Session) -> None:
    assert hood(session) == ("hand", "by_hand", 24600.0)
    session.update_camera(LIVE, [seen("Hood", 1000, 400)])
    assert hood(session)[:2] == ("camera", "settled")
    assert hood(session)[2] == pytest.approx(1000 / 25.4 * 500)
    with pytest.raises(DreyerError, match=r"table\.fault\.seen_elsewhere"):
        session.act(ANN, place("Hood", 20000, 8000))
    session.act(ANN, place("Hood", 20000, 8000, reason="bumped"))
    session.update_camera(LIVE, [seen("Hood", 900, 400)])
    assert hood(session) == ("hand", "by_hand", 20000.0)
    session.act(ANN, FollowCamera("Hood"))
    assert hood(session)[0] == "camera"


def test_a_stale_ship_may_be_moved_without_a_reason(session: Session) -> None:
    session.update_camera(LIVE, [seen("Hood", 1000, 400, state=ShipState.STALE)])
    session.act(ANN, place("Hood", 20000, 8000))
    assert hood(session) == ("hand", "by_hand", 20000.0)


def test_a_photo_needs_no_reason_and_says_where_poses_come_from(session: Session) -> None:
    session.update_camera(LIVE, [seen("Hood", 1000, 400)])
    session.act(ANN, PlaceShips((ShipPose("Hood", Pose(20000, 8000, 0)),), origin=Origin.PHOTO))
    assert hood(session) == ("photo", "by_hand", 20000.0)


def test_a_stale_ship_ages_in_the_view(session: Session, clock: Clock) -> None:
    stale = replace(seen("Hood", 1000, 400, state=ShipState.STALE), age_seconds=5.0)
    session.update_camera(LIVE, [stale])
    clock.seconds += 7
    ship = next(s for s in view_for(session, ANN).ships if s.name == "Hood")
    assert (ship.state, ship.age_seconds) == ("stale", 12.0)


def test_only_news_wakes_the_phones(session: Session) -> None:
    session.update_camera(LIVE, [seen("Hood", 1000, 400)])
    before = session.seq
    session.update_camera(LIVE, [seen("Hood", 1000.1, 400, 0.1)])
    assert session.seq == before
    session.update_camera(LIVE, [seen("Hood", 1001, 400)])
    assert session.seq == before + 1
    session.update_camera(LIVE, [seen("Hood", 1001, 400, state=ShipState.MOVING)])
    session.update_camera(
        replace(LIVE, words=verbatim("glare")), [seen("Hood", 1001, 400, state=ShipState.MOVING)]
    )
    assert session.seq == before + 3


def test_a_slow_drift_is_news_in_the_end(session: Session) -> None:
    session.update_camera(LIVE, [seen("Hood", 1000, 400)])
    for step in range(20):
        session.update_camera(LIVE, [seen("Hood", 1000 + 0.1 * step, 400)])
    assert hood(session)[2] == pytest.approx(1001.9 / 25.4 * 500, abs=0.3 / 25.4 * 500 + 0.01)


def test_waiting_ends_with_the_news(session: Session) -> None:
    before = session.seq
    heard: list[int] = []
    waiter = threading.Thread(target=lambda: heard.append(session.wait(before, 5)))
    waiter.start()
    session.act(HOST, SetPremeasure(Premeasure.DECLARE))
    waiter.join(5)
    assert heard == [before + 1]
    assert session.wait(session.seq, 0.01) == session.seq


def test_the_same_key_acts_once(session: Session) -> None:
    first = session.act(ANN, LaySmoke(0, 0, 100, 100), key="k")
    assert session.act(ANN, LaySmoke(0, 0, 100, 100), key="k") == first
    assert len(session.moment.state.smoke) == 2
    session.act(UMPIRE, LaySmoke(0, 0, 100, 100), key="k")
    assert len(session.moment.state.smoke) == 3


def test_everything_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    session = Session(Store(path))
    session.act(HOST, opening(demo_scene()), key="open")
    session.act(ANN, place("Hood", 20000, 8000, 33), key="move")
    state, seq = session.moment.state, session.seq
    session.close()
    again = Session(Store(path))
    assert again.moment.state == state
    assert again.seq > seq
    again.act(ANN, place("Hood", 1, 1), key="move")
    assert again.moment.state == state
    assert replay(again.log(most=99)) == state


@pytest.mark.parametrize(
    "action",
    [
        place("Hoodie", 1, 1),
        place("Hood", 245_000, 1),
        place("Hood", 1, -2000),
        RemoveShip("Hoodie"),
        FollowCamera(""),
        LiftShip("x" * 500),
        AddShip(NewShip("hood")),
        AddShip(NewShip("")),
        AddShip(NewShip("x" * 41)),
        AddShip(NewShip("Rodney", type="Nelsonn")),
        AddShip(NewShip("Rodney", side="martian")),
        LaySmoke(0, 0, 0, 0),
        LaySmoke(0, 0, 0, 1e9),
        ClearSmoke(99),
        Decide("Hood", "Bismarck", CloseCallKind.RANGE, "long_low"),
        Decide("Hood", "Hood", CloseCallKind.RANGE, "long_low"),
        Reopen("Hood", "Bismarck", CloseCallKind.RANGE),
        Rule("Hood", "Bismarck", "tape"),
        Rule("Hood", "Bismarck", "", range_yards=100),
        Rule("Hood", "Bismarck", "tape", range_yards=float("nan")),
        Rule("Hood", "Bismarck", "tape", quadrant="left"),
        Rule("Hood", "Bismarck", "x" * 500, range_yards=100),
        Unrule("Hood", "Bismarck"),
        Declare("Hood", "Hoodie"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(session: Session, action: Action) -> None:
    before = session.moment
    with pytest.raises(DreyerError) as fault:
        session.act(ANN, action)
    assert "\n" not in str(fault.value)
    assert session.moment is before
    assert len(session.log()) == 1


def test_players_do_not_host_and_onlookers_only_look(session: Session) -> None:
    with pytest.raises(Forbidden, match="host"):
        session.act(ANN, SetPremeasure(Premeasure.DECLARE))
    with pytest.raises(Forbidden, match=r"join\.fault\.onlooker"):
        session.act(WATCHER, place("Hood", 1, 1))
    with pytest.raises(NotSeated):
        session.act(NOBODY, place("Hood", 1, 1))
    with pytest.raises(NotSeated):
        view_for(session, NOBODY)


def test_ships_come_and_go(session: Session) -> None:
    session.act(ANN, AddShip(NewShip("King George V")))
    assert session.moment.ships["King George V"].state == "unseen"
    assert "King George V" not in session.moment.poses
    session.act(ANN, place("King George V", 5000, 5000))
    assert session.moment.survey is not None
    session.act(ANN, LiftShip("King George V"))
    assert "King George V" not in session.moment.poses
    session.act(ANN, RemoveShip("King George V"))
    assert "King George V" not in session.moment.ships


def test_an_empty_table_is_no_fault(session: Session) -> None:
    session.act(HOST, OpenTable("Bare", "bismarck-advanced", 500, 72, 48))
    assert session.moment.scene is None
    assert session.moment.survey is None
    assert view_for(session, HOST).ships == ()


def close_call(session: Session) -> None:
    """Hood exactly on a limit of range from Bismarck."""
    session.act(ANN, place("Bismarck", 10000, 10000, 90))
    session.act(ANN, place("Hood", 30000, 10000, 270))


def test_a_close_call_is_decided_until_a_ship_moves(session: Session) -> None:
    close_call(session)
    assert session.moment.survey is not None
    call = session.moment.survey["Hood", "Bismarck"].close_calls[0]
    reading = str(call.readings[1])
    session.act(ANN, Decide("Hood", "Bismarck", call.what, reading))
    assert session.moment.decisions("Hood", "Bismarck")[call.what].reading == reading
    assert session.moment.decisions("Bismarck", "Hood") == {}
    session.act(ANN, place("Hood", 30010, 10000, 270))
    assert session.moment.decisions("Hood", "Bismarck")
    session.act(ANN, place("Hood", 30100, 10000, 270))
    assert session.moment.decisions("Hood", "Bismarck") == {}


def test_a_decision_is_taken_back(session: Session) -> None:
    close_call(session)
    assert session.moment.survey is not None
    call = session.moment.survey["Hood", "Bismarck"].close_calls[0]
    session.act(ANN, Decide("Hood", "Bismarck", call.what, str(call.readings[0])))
    session.act(UMPIRE, Reopen("Hood", "Bismarck", call.what))
    assert session.moment.decisions("Hood", "Bismarck") == {}


def test_figures_by_hand_hold_until_a_ship_turns(session: Session) -> None:
    session.act(ANN, Rule("Hood", "Bismarck", "tape", range_yards=18_400, blocked=False))
    ruling = session.moment.ruling("Hood", "Bismarck")
    assert ruling is not None
    assert (ruling.range_yards, ruling.blocked, ruling.smoke) == (18_400, False, None)
    assert (ruling.who, ruling.reason) == ("Ann", "tape")
    session.act(ANN, place("Hood", 24600, 8200, 310))
    assert session.moment.ruling("Hood", "Bismarck") is None


@pytest.mark.parametrize(
    ("mode", "caller", "before", "after"),
    [
        (Premeasure.OPEN, ANN, "yes", "yes"),
        (Premeasure.DECLARE, ANN, "declare", "yes"),
        (Premeasure.DECLARE, UMPIRE, "yes", "yes"),
        (Premeasure.UMPIRE, ANN, "no", "yes"),
        (Premeasure.UMPIRE, UMPIRE, "yes", "yes"),
    ],
)
def test_the_house_rule_on_measuring(
    session: Session, mode: Premeasure, caller: Caller, before: str, after: str
) -> None:
    session.act(HOST, SetPremeasure(mode))
    assert may_measure_pair(session.moment, caller, "Hood", "Bismarck") == before
    view = view_for(session, caller)
    assert bool(view.rings) == view.scale_bar == (before == "yes")
    session.act(UMPIRE, Declare("Hood", "Bismarck"))
    assert may_measure_pair(session.moment, caller, "Bismarck", "Hood") == after
    session.act(ANN, place("Hood", 20000, 8000))
    assert may_measure_pair(session.moment, caller, "Hood", "Bismarck") == before


def test_players_cannot_declare_where_the_umpire_measures(session: Session) -> None:
    session.act(HOST, SetPremeasure(Premeasure.UMPIRE))
    with pytest.raises(Forbidden, match="umpire"):
        session.act(ANN, Declare("Hood", "Bismarck"))


def test_removing_a_ship_forgets_what_was_settled_with_her(session: Session) -> None:
    session.act(ANN, Rule("Hood", "Bismarck", "tape", range_yards=18_400))
    session.act(ANN, Declare("Hood", "Bismarck"))
    session.act(ANN, RemoveShip("Bismarck"))
    assert not session.moment.state.rulings
    assert not session.moment.state.declared


def test_only_the_host_is_told_the_code(session: Session) -> None:
    assert view_for(session, ANN).join is None
    assert session.seats.code not in str(view_for(session, ANN))


def test_the_log_says_who_did_what(session: Session) -> None:
    session.act(ANN, place("Hood", 20000, 8000, 5, reason="bumped"))
    session.act(ANN, Rule("Hood", "Bismarck", "tape", range_yards=18_400, smoke=True))
    session.act(ANN, Declare("Hood", "Bismarck"))
    session.append_event(ANN, Joined(role="player", side="british"))
    lines = [(line.who, line.text) for line in view_for(session, ANN).log]
    assert lines[1:] == [
        ("Ann", "moved Hood by hand to 20,000, 8,000, heading 005°: bumped"),
        ("Ann", "entered by hand, Hood to Bismarck: 18,400 yd, smoke on the line (tape)"),
        ("Ann", "declared: Hood fires at Bismarck"),
        ("Ann", "joined the British side"),
    ]


def test_every_kind_of_event_has_its_words(session: Session) -> None:
    close_call(session)
    assert session.moment.survey is not None
    call = session.moment.survey["Hood", "Bismarck"].close_calls[0]
    actions: tuple[Action, ...] = (
        Decide("Hood", "Bismarck", call.what, str(call.readings[0])),
        Reopen("Hood", "Bismarck", call.what),
        Rule("Hood", "Bismarck", "tape", aspect="bow", blocked=True, smoke=False),
        Unrule("Hood", "Bismarck"),
        Declare("Hood", "Bismarck"),
        LaySmoke(0, 0, 100, 100),
        ClearSmoke(2),
        AddShip(NewShip("Ark Royal")),
        RemoveShip("Ark Royal"),
        FollowCamera("Hood"),
        LiftShip("Hood"),
    )
    for action in actions:
        session.act(ANN, action)
    for mode in (Premeasure.DECLARE, Premeasure.UMPIRE, Premeasure.OPEN):
        session.act(HOST, SetPremeasure(mode))
    session.act(HOST, SizeTable(width_inches=60))
    session.act(HOST, AddSide("Italian", allies=("german",)))
    session.act(HOST, ChooseSide("Hood", "italian"))
    for role, side in (("umpire", None), ("onlooker", None), ("player", "german")):
        session.append_event(ANN, Joined(role=role, side=side))
    session.append_event(ANN, Left())
    for captain in ("steady", None):
        session.append_event(ANN, CaptainSet(side="german", captain=captain))
    session.append_event(ANN, SetUp(words="a 4: 26,000 yards"))
    lines = view_for(session, ANN).log
    battle = {
        JournalKind.BATTLE_BEGUN,
        JournalKind.BATTLE,
        JournalKind.UNDO_ASKED,
        JournalKind.UNDO_REFUSED,
        JournalKind.UNDONE,
    }
    battle |= {JournalKind.UNDO_AGREED}
    # The words of these are told where they come from: tests/web/free, tests/compatibility.
    free = {
        JournalKind.FREE_BEGUN,
        JournalKind.FREE_PLAYED,
        JournalKind.FREE_UNDONE,
        JournalKind.FREE_ENDED,
    }
    old = {
        JournalKind.ATTACK_MADE,
        JournalKind.ATTACK_UNDONE,
        JournalKind.ATTACK_ROUND,
        JournalKind.FIGHT_ENDED,
    }
    assert {line.kind for line in lines} == set(JournalKind) - battle - free - old
    assert not [line for line in lines if "{" in line.text or "events." in line.text]


def test_presence_comes_with_requests_and_goes_seconds_after_the_last(
    session: Session, clock: Clock
) -> None:
    assert not session.is_present("s1")
    session.touch(ANN)
    assert session.is_present("s1")
    clock.seconds += 3.7
    assert session.is_present("s1")
    clock.seconds += 0.2
    assert not session.is_present("s1")


def test_whoever_waits_is_told_that_somebody_has_gone(session: Session, clock: Clock) -> None:
    session.touch(ANN)
    seq = session.seq
    assert session.wait(seq, 0) == seq
    session.touch(ANN)
    assert session.wait(seq, 0) == seq
    clock.seconds += 5
    assert session.wait(seq, 0) != seq
    gone = session.seq
    assert session.wait(gone, 0) == gone
    session.touch(ANN)
    assert session.seq != gone


def test_an_unknown_ship_is_answered_with_the_nearest(session: Session) -> None:
    with pytest.raises(UnknownName, match="Bismarck"):
        session.act(ANN, FollowCamera("Bismark"))
