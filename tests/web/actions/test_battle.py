"""A battle through the session: secrets, steps back by consent, dice that stay rolled."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from combat.dice import Roll, RolledDice, SingleRollDice, TypedDice
from combat.guided_actions import Draft, RollDice
from combat.guided_play import StepKind
from combat.participants import UMPIRE, acting
from combat.participants import Seat as Viewer
from combat.rulebooks.bismarck_advanced.guided_battle import AdvancedBattle
from tabletop.errors import DreyerError
from tabletop.table import Pose
from tests.plain import plain
from tests.web.battles import advanced_state, asked
from tests.web.test_consent import REFUSED_SECONDS, Clock
from web.actions.battle import AnswerUndo, AskUndo, BeginBattle, Play, RollKept, UndoOwn
from web.actions.table import PlaceShips, ShipPose
from web.auth.seats import Caller, Forbidden, Role, Seat
from web.faults import Fault
from web.games.guided_game import GuidedGame, follow
from web.journal.battle_record import how_rolled
from web.journal.events import JournalKind
from web.journal.store import Store
from web.scenes import demo_scene, opening
from web.session import Session
from web.views.battle import CallerView
from web.views.table import view_for

HOST = Caller("host", host=True)
ANN = Caller("ann", seat=Seat("s1", "Ann", Role.PLAYER, "british"))
BOB = Caller("bob", seat=Seat("s2", "Bob", Role.PLAYER, "german"))
UMA = Caller("uma", seat=Seat("s3", "Uma", Role.UMPIRE, None))
WIM = Caller("wim", seat=Seat("s4", "Wim", Role.ONLOOKER, None))
MARKED = "combat.story.umpire_rolled"
SHIPS = {"Hood": ANN, "Prince of Wales": ANN, "Prinz Eugen": BOB, "Bismarck": BOB}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite"


def take_seat(session: Session, name: str, side: str) -> None:
    session.with_seats(lambda seats: seats.join(None, seats.code, name, Role.PLAYER, side, "1234"))


@pytest.fixture
def session(path: Path) -> Session:
    session = Session(Store(path))
    session.act(HOST, opening(demo_scene()))
    for name, side in (("Ann", "british"), ("Bob", "german")):
        take_seat(session, name, side)
    # At the range of the demo no roll could hit, so that none would be asked for.
    near = (("Bismarck", 12_000.0), ("Prinz Eugen", 14_000.0))
    poses = session.moment.poses
    ships = [
        ShipPose(name, replace(poses[name], x_yards=poses["Hood"].x_yards - 9_000, y_yards=y))
        for name, y in near
    ]
    session.act(HOST, PlaceShips(tuple(ships)))
    session.act(HOST, BeginBattle())
    return session


def seen(session: Session, caller: Caller) -> CallerView:
    """The battle as a caller sees it."""
    found = view_for(session, caller).battle
    assert found is not None
    return found


def answer(session: Session, caller: Caller, *, agree: bool) -> None:
    """Answer the request to go back that is open, or put away the last that was refused."""
    record = battle(session).record
    request = record.request or (record.refused.request if record.refused else None)
    number = 0 if request is None else request.n
    session.act(caller, AnswerUndo(request=number, agree=agree))


def battle(session: Session) -> GuidedGame:
    found = session.moment.battle
    assert found is not None
    return found


def step(session: Session) -> StepKind:
    return battle(session).step.kind


def play(session: Session, caller: Caller, kind: str, **data: Any) -> None:
    session.act(caller, asked(battle(session), kind, data))


def plot_all(session: Session, notation: str = "5") -> None:
    for ship, caller in SHIPS.items():
        play(session, caller, "plot", ship=ship, speed=9, notation=notation)
    play(session, ANN, "commit")
    play(session, BOB, "commit")


def designate_all(session: Session) -> None:
    play(session, ANN, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    play(session, BOB, "designate", ship="Bismarck", orders=[{"target": "Hood"}])
    play(session, ANN, "commit")
    play(session, BOB, "commit")


def fire_as_designated(session: Session) -> None:
    """Both sides commit their rates of fire without reducing any (67.41)."""
    play(session, ANN, "commit")
    play(session, BOB, "commit")


def to_resolve(session: Session) -> None:
    plot_all(session)
    play(session, ANN, "move")
    designate_all(session)
    fire_as_designated(session)


def rolls(session: Session, side: str = "british", seed: int = 1) -> list[str]:
    """Dice for all that a side has to roll now."""
    now = battle(session)
    dice = RolledDice(random.Random(seed))
    action = RollDice(sides=(side,))
    return [roll.value for roll in now.rulebook.play(now.state, action, dice).rolls]


def type_all(session: Session) -> list[str]:
    """Each side types its own dice."""
    typed = []
    for caller, side in ((ANN, "british"), (BOB, "german")):
        values = rolls(session, side)
        play(session, caller, "dice", values=values)
        typed += values
    return typed


def test_a_segment_goes_through_its_steps(session: Session) -> None:
    assert step(session) is StepKind.PLOT
    plot_all(session)
    assert step(session) is StepKind.MOVE
    play(session, BOB, "move")
    assert step(session) is StepKind.DESIGNATE
    designate_all(session)
    assert step(session) is StepKind.REDUCE
    fire_as_designated(session)
    assert step(session) is StepKind.RESOLVE
    type_all(session)
    # Damage is marked by itself: the next segment begins with the last die.
    assert (step(session), battle(session).step.segment) == (StepKind.PLOT, 2)


def test_ships_without_a_camera_stand_where_their_plots_put_them(session: Session) -> None:
    before = session.moment.poses["Hood"]
    plot_all(session)
    play(session, ANN, "move")
    after = session.moment.poses["Hood"]
    ahead, right = before.offset_to(after.x_yards, after.y_yards)
    assert ahead == pytest.approx(1500)
    assert right == pytest.approx(0, abs=1e-6)


def test_a_model_that_was_moved_by_hand_counts_as_it_stands(session: Session) -> None:
    plot_all(session)
    session.act(BOB, PlaceShips((ShipPose("Hood", Pose(20_000, 8_000, 290)),)))
    with pytest.raises(DreyerError, match="Hood"):
        play(session, ANN, "move")
    play(session, UMA, "move", accept=["Hood"])
    ships = seen(session, ANN).ships
    assert next(ship for ship in ships if ship.id == "Hood").pose.x_yards == 20_000


def test_nobody_sees_what_the_other_side_writes(session: Session) -> None:
    play(session, ANN, "plot", ship="Hood", speed=7, notation="1RRl")
    for caller in (BOB, HOST, WIM):
        assert "1RRl" not in json.dumps(plain(view_for(session, caller)))
    assert "1RRl" in json.dumps(plain(view_for(session, ANN)))
    assert "1RRl" in json.dumps(plain(view_for(session, UMA)))


def test_onlookers_and_the_host_without_a_seat_do_not_play(session: Session) -> None:
    for caller in (HOST, WIM):
        with pytest.raises(Forbidden):
            play(session, caller, "plot", ship="Hood", speed=9, notation="5")
    with pytest.raises(DreyerError):
        play(session, BOB, "plot", ship="Hood", speed=9, notation="5")


def test_a_refused_event_leaves_no_trace(session: Session) -> None:
    before, entries = session.moment, len(session.log(most=999))
    for kind, data in (
        ("plot", {"ship": "Hood", "speed": 99, "notation": "5"}),
        ("plot", {"ship": "Hood", "speed": 9, "notation": "zz"}),
        ("plot", {"ship": "Nobody", "speed": 9, "notation": "5"}),
        ("dice", {"values": ["34"]}),
        ("teleport", {}),
        ("mark", {}),
        ("correct", {"ship": "Hood", "values": {"sunk": True}, "reason": "no"}),
    ):
        with pytest.raises(DreyerError) as fault:
            play(session, ANN, kind, **data)
        assert "\n" not in str(fault.value)
    assert session.moment is before
    assert len(session.log(most=999)) == entries


def test_a_second_battle_waits_for_the_end_of_the_first(session: Session) -> None:
    with pytest.raises(DreyerError, match=r"battle\.begin\.under_way"):
        session.act(HOST, BeginBattle())
    play(session, UMA, "end")
    session.act(HOST, BeginBattle())
    assert step(session) is StepKind.PLOT


def test_an_own_step_is_taken_back_at_once(session: Session) -> None:
    play(session, ANN, "plot", ship="Hood", speed=7, notation="4")
    assert seen(session, ANN).undo.own
    assert not seen(session, BOB).undo.own
    session.act(ANN, UndoOwn())
    assert battle(session).record.events == ()
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.none_unseen"):
        session.act(ANN, UndoOwn())


def test_an_own_step_taken_back_moves_no_model(session: Session) -> None:
    session.act(HOST, PlaceShips((ShipPose("Hood", Pose(24000.0, 8000.0, 290.0)),)))
    before = session.moment.poses
    play(session, ANN, "plot", ship="Hood", speed=9, notation="5")
    session.act(ANN, UndoOwn())
    assert session.log()[-1].event.kind is JournalKind.UNDONE
    assert session.moment.poses == before


def test_the_other_sides_steps_stay_where_they_are(session: Session) -> None:
    play(session, ANN, "plot", ship="Hood", speed=7, notation="4")
    play(session, BOB, "plot", ship="Bismarck", speed=7, notation="4")
    session.act(ANN, UndoOwn())
    (left,) = [each.action for each in battle(session).record.events]
    assert isinstance(left, Draft)
    assert left.ship == "Bismarck"


def test_a_rate_of_fire_is_taken_back_and_not_the_fire_that_lies_open(session: Session) -> None:
    """The last commitment of the designation opened all fire: that is no step of one side."""
    plot_all(session)
    play(session, ANN, "move")
    designate_all(session)
    assert not seen(session, ANN).undo.own
    assert not seen(session, BOB).undo.own
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.none_unseen"):
        session.act(BOB, UndoOwn())
    rates = [{"target": "Hood", "guns": {"A": 1}}]
    play(session, BOB, "reduce", ship="Bismarck", rates=rates)
    assert seen(session, BOB).undo.own
    assert not seen(session, ANN).undo.own
    session.act(BOB, UndoOwn())
    assert advanced_state(battle(session)).reduced == {}
    assert step(session) is StepKind.REDUCE


def test_a_commitment_of_rates_is_taken_back_while_the_other_side_has_made_none(
    session: Session,
) -> None:
    plot_all(session)
    play(session, ANN, "move")
    designate_all(session)
    play(session, ANN, "reduce", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
    play(session, ANN, "commit")
    session.act(ANN, UndoOwn())
    assert battle(session).step.waiting_for == ("british", "german")
    assert set(advanced_state(battle(session)).reduced) == {"Hood"}
    play(session, ANN, "commit")
    play(session, BOB, "commit")
    assert not seen(session, ANN).undo.own


@pytest.mark.parametrize("changed", [False, True])
def test_going_back_behind_the_rates_needs_consent_and_keeps_the_dice(
    session: Session, *, changed: bool
) -> None:
    """A fire at another rate is another shot, whose dice are fresh."""
    to_resolve(session)
    designated = [each.n for each in battle(session).record.events][-3]
    play(session, ANN, "dice", values=["66"])
    session.act(ANN, AskUndo(designated, "fewer guns after all"))
    assert step(session) is StepKind.RESOLVE
    answer(session, BOB, agree=True)
    assert step(session) is StepKind.REDUCE
    if changed:
        play(session, ANN, "reduce", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
    fire_as_designated(session)
    fallen = [roll for each in battle(session).record.events for roll in each.rolls]
    assert [(roll.value, roll.again) for roll in fallen] == ([] if changed else [("66", True)])
    resolution = advanced_state(battle(session)).resolution
    assert resolution is not None
    assert resolution.shots[0].guns_held_back == int(changed)


def test_rates_outlive_a_restart_in_the_middle(session: Session, path: Path) -> None:
    plot_all(session)
    play(session, ANN, "move")
    designate_all(session)
    play(session, ANN, "reduce", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
    play(session, ANN, "commit")
    state, record = battle(session).state, battle(session).record
    session.close()
    again = Session(Store(path))
    assert (battle(again).state, battle(again).record) == (state, record)
    play(again, BOB, "commit")
    resolution = advanced_state(battle(again)).resolution
    assert resolution is not None
    assert [dict(order.rates) for order in resolution.orders] == [{"A": 1}, {}]
    again.close()


def test_what_both_have_seen_needs_consent(session: Session) -> None:
    plot_all(session)
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.none_unseen"):
        session.act(ANN, UndoOwn())
    session.act(ANN, AskUndo(battle(session).record.begun, "typed the wrong ship"))
    assert step(session) is StepKind.MOVE
    request = seen(session, BOB).undo.request
    assert request is not None
    assert (request.who, request.words) == ("Ann", "typed the wrong ship")
    # What is written in secret is no step: two commitments are.
    assert request.steps == 2
    assert (len(request.undone), request.drafts, request.back_to) == (2, 4, "")
    assert "Bob" in request.undone[0]
    with pytest.raises(Forbidden, match=r"battle\.undo_fault\.not_yours"):
        answer(session, ANN, agree=True)
    answer(session, BOB, agree=True)
    assert step(session) is StepKind.PLOT
    assert battle(session).record.events == ()


def test_a_request_may_be_refused_and_ends_when_play_goes_on(session: Session) -> None:
    clock = Clock()
    session._monotonic = clock
    plot_all(session)
    session.act(ANN, AskUndo(battle(session).record.begun))
    answer(session, BOB, agree=False)
    assert battle(session).record.request is None
    # She who asked is told who refused, and nobody else is.
    refused = seen(session, ANN).undo.refused
    assert refused is not None
    assert (refused.who, len(refused.undone)) == ("Bob", 2)
    assert seen(session, BOB).undo.refused is None
    # It goes once she has read it; the other side cannot clear it for her.
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.not_asked"):
        answer(session, BOB, agree=False)
    answer(session, ANN, agree=False)
    assert seen(session, ANN).undo.refused is None
    clock.seconds += REFUSED_SECONDS
    session.act(ANN, AskUndo(battle(session).record.begun))
    answer(session, BOB, agree=False)
    clock.seconds += REFUSED_SECONDS
    session.act(ANN, AskUndo(battle(session).record.begun))
    assert seen(session, ANN).undo.refused is None
    play(session, BOB, "move")
    assert battle(session).record.request is None
    with pytest.raises(DreyerError, match=r"battle\.undo_fault\.not_asked"):
        answer(session, BOB, agree=True)
    assert step(session) is StepKind.DESIGNATE


def test_models_that_went_back_are_moved_again_as_plotted(session: Session) -> None:
    plot_all(session)
    opened = battle(session).record.events[-1].n
    play(session, ANN, "move")
    moved = [ship.pose for ship in seen(session, ANN).ships]
    session.act(UMA, AskUndo(opened))
    assert step(session) is StepKind.MOVE
    play(session, ANN, "move")
    assert step(session) is StepKind.DESIGNATE
    assert [ship.pose for ship in seen(session, ANN).ships] == moved


def test_an_answer_is_for_the_request_that_was_read(session: Session) -> None:
    """An agreement to one request never undoes what another asks for, nor clears its refusal."""
    clock = Clock()
    session._monotonic = clock
    plot_all(session)
    begun, last = battle(session).record.begun, battle(session).record.events[-2].n
    session.act(ANN, AskUndo(last))
    first = battle(session).record.request
    session.act(ANN, AskUndo(begun))
    second = battle(session).record.request
    assert first is not None
    assert second is not None
    assert first.n != second.n
    for agree in (True, False):
        with pytest.raises(Fault, match=r"battle\.undo_fault\.other_request") as other:
            session.act(BOB, AnswerUndo(request=first.n, agree=agree))
        assert other.value.status == 409
    assert battle(session).record.request == second
    session.act(BOB, AnswerUndo(request=second.n, agree=False))
    with pytest.raises(Fault, match=r"battle\.undo_fault\.not_asked"):
        session.act(ANN, AnswerUndo(request=first.n, agree=False))
    assert battle(session).record.refused is not None
    session.act(ANN, AnswerUndo(request=second.n, agree=False))
    assert battle(session).record.refused is None


def test_a_withdrawn_request_is_told_to_nobody(session: Session) -> None:
    plot_all(session)
    session.act(ANN, AskUndo(battle(session).record.begun))
    answer(session, ANN, agree=False)
    assert seen(session, ANN).undo.refused is None
    assert seen(session, ANN).undo.request is None


def test_a_side_without_opponents_goes_back_at_once(session: Session) -> None:
    plot_all(session)
    (bob,) = [seat.id for seat in session.seats if seat.name == "Bob"]
    session.with_seats(lambda seats: seats.release(bob))
    session.act(ANN, AskUndo(battle(session).record.begun))
    assert step(session) is StepKind.PLOT


class TestWhoseDice:
    def test_each_side_rolls_its_own_in_any_order(self, session: Session) -> None:
        to_resolve(session)
        with pytest.raises(DreyerError):
            play(session, BOB, "dice", values=["66"], roll=roll_of(session, "british"))
        play(session, BOB, "dice", values=["66"])
        play(session, ANN, "dice", values=["65"])
        fallen = [(roll.side, roll.value) for roll in fallen_rolls(session)]
        assert fallen == [("german", "66"), ("british", "65")]

    def test_the_rest_ends_where_the_other_sides_begin(self, session: Session) -> None:
        to_resolve(session)
        session.act(BOB, Play(RollDice(), RolledDice(random.Random(3))))
        assert {roll.side for roll in fallen_rolls(session)} == {"german"}
        wanted = battle(session).rulebook.all_wanted(battle(session).state)
        assert {each.side for each in wanted} == {"british"}
        with pytest.raises(Forbidden, match=r"battle\.dice\.not_yours"):
            session.act(BOB, Play(RollDice(), RolledDice(random.Random(3))))
        session.act(UMA, Play(RollDice(), RolledDice(random.Random(3))))
        assert battle(session).step.segment == 2

    def test_dice_are_refused_for_a_roll_that_is_gone(self, session: Session) -> None:
        to_resolve(session)
        first = roll_of(session, "british")
        play(session, ANN, "dice", values=["66"], roll=first)
        with pytest.raises(Fault, match=r"battle\.dice\.roll_gone") as refused:
            play(session, ANN, "dice", values=["11"], roll=first)
        assert refused.value.status == 409
        assert [roll.value for roll in fallen_rolls(session)] == ["66"]

    def test_a_roll_is_known_by_the_same_token_whatever_others_roll(self, session: Session) -> None:
        to_resolve(session)
        before = roll_of(session, "british")
        play(session, BOB, "dice", values=["66"])
        assert roll_of(session, "british") == before
        play(session, ANN, "dice", values=["66"], roll=before)

    def test_a_kept_roll_cannot_be_typed_over(self, session: Session) -> None:
        to_resolve(session)
        play(session, ANN, "dice", values=["66"])
        play(session, BOB, "dice", values=["66"])
        *_, before, first, _second, _marked = (each.n for each in battle(session).record.events)
        session.act(UMA, AskUndo(first))
        with pytest.raises(Fault, match=r"battle\.dice\.stay"):
            play(session, BOB, "dice", values=["11"])
        session.act(BOB, RollKept())
        assert [roll.value for roll in fallen_rolls(session)] == ["66", "66"]
        assert before < first

    def test_dice_typed_wrongly_are_typed_anew_where_the_others_agree(
        self, session: Session
    ) -> None:
        to_resolve(session)
        play(session, ANN, "dice", values=["66"])
        play(session, BOB, "dice", values=["66"])
        mistyped = seen(session, ANN).undo.mistyped
        assert mistyped is not None
        assert mistyped.words == "66"
        session.act(ANN, AskUndo(mistyped.after, retype=True))
        request = seen(session, BOB).undo.request
        assert request is not None
        assert request.retype
        # What Bob has rolled since stands: nothing of it follows from Ann's roll.
        assert request.steps == 1
        answer(session, BOB, agree=True)
        assert [roll.value for roll in fallen_rolls(session)] == ["66"]
        assert [roll.side for roll in fallen_rolls(session)] == ["german"]
        play(session, ANN, "dice", values=["11"])
        assert [roll.value for roll in fallen_rolls(session)] == ["66", "11"]

    def test_what_follows_from_dice_typed_wrongly_is_kept_for_its_shot(
        self, session: Session
    ) -> None:
        to_resolve(session)
        play(session, BOB, "dice", values=["11"])
        for _ in range(2):
            found = next(each for each in seen(session, BOB).all_wanted if each.side == "german")
            play(session, BOB, "dice", values=["44" if found.kind == "pair" else "4"])
        first, second, third = (roll.value for roll in fallen_rolls(session))
        before = battle(session).record.events[-4].n
        session.act(UMA, AskUndo(before, retype=True))
        assert fallen_rolls(session) == []
        play(session, BOB, "dice", values=["12"])
        assert [roll.value for roll in fallen_rolls(session)] == ["12", second, third]
        assert first == "11"

    def test_the_last_roll_of_a_segment_can_be_typed_anew(self, session: Session) -> None:
        to_resolve(session)
        play(session, ANN, "dice", values=["66"])
        session.act(BOB, Play(RollDice(), RolledDice(random.Random(3))))
        play(session, BOB, "plot", ship="Bismarck", notation="4")
        mistyped = seen(session, ANN).undo.mistyped
        assert mistyped is not None
        # The app rolled all of Bob's.
        assert seen(session, BOB).undo.mistyped is None
        session.act(ANN, AskUndo(mistyped.after, retype=True))
        request = seen(session, BOB).undo.request
        assert request is not None
        assert (request.steps, request.drafts) == (1, 1)
        answer(session, BOB, agree=True)
        assert step(session) is StepKind.RESOLVE
        assert {each.side for each in seen(session, ANN).all_wanted} == {"british"}

    def test_a_step_names_a_few_of_many_dice(self, session: Session) -> None:
        to_resolve(session)
        play(session, BOB, "dice", values=rolls(session, "german"))
        last = seen(session, ANN).undo.last
        assert last is not None
        many = [roll.value for roll in fallen_rolls(session)]
        assert len(many) > 6
        assert f"{' '.join(many[:6])} …" in last.words
        assert many[6] not in last.words.partition("…")[2]

    def test_dice_of_the_app_are_never_typed_anew(self, session: Session) -> None:
        to_resolve(session)
        before = battle(session).record.events[-1].n
        session.act(ANN, Play(RollDice(), SingleRollDice(RolledDice(random.Random(3)))))
        with pytest.raises(DreyerError, match=r"battle\.undo_fault\.nothing_typed"):
            session.act(ANN, AskUndo(before, retype=True))


def roll_of(session: Session, side: str) -> str:
    """What phones know the next roll of a side by."""
    view = seen(session, ANN)
    return next(each.roll for each in view.all_wanted if each.side == side)


def fallen_rolls(session: Session) -> list[Roll]:
    return [roll for each in battle(session).record.events for roll in each.rolls]


def test_an_umpire_goes_back_without_asking(session: Session) -> None:
    plot_all(session)
    session.act(UMA, AskUndo(battle(session).record.begun))
    assert step(session) is StepKind.PLOT


def test_undoing_a_move_puts_the_models_back(session: Session) -> None:
    before = session.moment.poses["Hood"]
    plot_all(session)
    last = battle(session).record.events[-1].n
    play(session, ANN, "move")
    assert session.moment.poses["Hood"] != before
    session.act(UMA, AskUndo(last))
    assert session.moment.poses["Hood"].x_yards == pytest.approx(before.x_yards)
    assert step(session) is StepKind.MOVE


def test_dice_stay_rolled_whatever_is_undone(session: Session) -> None:
    to_resolve(session)
    values = type_all(session)
    damaged = battle(session).state
    moved = next(e.n for e in battle(session).record.events if e.action.kind == "move")
    session.act(UMA, AskUndo(moved))
    assert seen(session, ANN).dice_kept == len("".join(values))
    designate_all(session)
    fire_as_designated(session)
    assert battle(session).step.segment == 2
    kept = [e for e in battle(session).record.events if isinstance(e.action, RollDice)]
    assert [roll.value for each in kept for roll in each.rolls] == values
    assert all(roll.again and not roll.by_server for each in kept for roll in each.rolls)
    assert battle(session).rulebook.sheet(battle(session).state, "Hood", UMPIRE) == (
        battle(session).rulebook.sheet(damaged, "Hood", UMPIRE)
    )


@pytest.mark.parametrize("one", [True, False])
def test_the_app_rolls_only_what_no_kept_die_is_for(session: Session, *, one: bool) -> None:
    to_resolve(session)
    play(session, ANN, "dice", values=["66"])
    play(session, BOB, "dice", values=["65"])
    moved = next(e.n for e in battle(session).record.events if e.action.kind == "move")
    session.act(UMA, AskUndo(moved))
    play(session, ANN, "designate", ship="Hood", orders=[{"target": "Prinz Eugen"}])
    play(session, BOB, "designate", ship="Bismarck", orders=[{"target": "Hood"}])
    play(session, ANN, "commit")
    play(session, BOB, "commit")
    fire_as_designated(session)
    wanted = battle(session).rulebook.dice_wanted(battle(session).state)
    assert wanted is not None
    assert wanted.number == 2
    dice = RolledDice(random.Random(1))
    session.act(ANN, Play(RollDice(), SingleRollDice(dice) if one else dice))
    while battle(session).rulebook.dice_wanted(battle(session).state) is not None:
        session.act(UMA, Play(RollDice(), SingleRollDice(dice)))
    fallen = [roll for each in battle(session).record.events for roll in each.rolls]
    assert [roll.value for roll in fallen if roll.again] == ["65"]
    assert fallen[0].again
    assert all(roll.by_server for roll in fallen if not roll.again)
    assert [roll.value for back in battle(session).record.taken_back for roll in back.rolls] == [
        "66"
    ]


def test_dice_half_entered_are_kept_too(session: Session) -> None:
    to_resolve(session)
    values = rolls(session)
    play(session, ANN, "dice", values=values[:1])
    moved = next(e.n for e in battle(session).record.events if e.action.kind == "move")
    session.act(UMA, AskUndo(moved))
    designate_all(session)
    fire_as_designated(session)
    wanted = battle(session).rulebook.dice_wanted(battle(session).state)
    assert wanted is not None
    assert wanted.number == 2
    assert battle(session).record.taken_back == ()


def test_a_battle_goes_on_after_a_restart(session: Session, path: Path) -> None:
    to_resolve(session)
    values = rolls(session)
    play(session, ANN, "dice", values=values[:1])
    session.act(ANN, AskUndo(battle(session).record.begun, "all wrong"))
    state, record = battle(session).state, battle(session).record
    session.close()
    again = Session(Store(path))
    assert battle(again).state == state
    assert battle(again).record == record


def test_a_repeated_key_plays_once(session: Session) -> None:
    to_resolve(session)
    action = Play(RollDice(), TypedDice(rolls(session)[0]))
    session.act(ANN, action, key="one")
    events = len(battle(session).record.events)
    session.act(ANN, action, key="one")
    assert len(battle(session).record.events) == events


def test_the_log_names_no_secret(session: Session) -> None:
    plot_all(session)
    play(session, ANN, "move")
    designate_all(session)
    play(session, ANN, "reduce", ship="Hood", rates=[{"target": "Bismarck", "guns": {"A": 1}}])
    fire_as_designated(session)
    lines = [line.text for line in view_for(session, BOB).log]
    assert "wrote a plot" not in lines
    assert "designated fire" not in lines
    assert "chose a rate of fire" not in lines
    assert lines.count("committed") == 6


def test_a_view_is_made_once_for_a_state_and_a_viewer(session: Session) -> None:
    before = battle(session)
    assert before.view(acting("british")) is before.view(acting("british"))
    assert before.view(acting("british")) is not before.view(acting("german"))
    play(session, ANN, "plot", ship="Hood", speed=7, notation="1RRl")
    assert battle(session).plotted_view(acting("british")).plots.keys() == {"Hood"}
    assert before.plotted_view(acting("british")).plots == {}


def test_an_action_is_played_once_when_it_is_taken(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot_all(session)
    played: list[str] = []
    rule = AdvancedBattle.play

    def counted(self: AdvancedBattle, state: Any, action: Any, dice: Any) -> Any:
        played.append(action.kind)
        return rule(self, state, action, dice)

    monkeypatch.setattr(AdvancedBattle, "play", counted)
    play(session, ANN, "move")
    assert played == ["move"]


def test_dice_that_an_umpire_enters_for_a_side_are_marked_everywhere(session: Session) -> None:
    to_resolve(session)
    values = rolls(session)
    play(session, UMA, "dice", values=values[:1])
    while (wanted := seen(session, ANN).wanted) is not None:
        owner = ANN if wanted.side == "british" else BOB
        session.act(owner, Play(RollDice(), SingleRollDice(RolledDice(random.Random(2)))))
    by_umpire, *others = [roll for each in battle(session).record.events for roll in each.rolls]
    assert by_umpire.by_umpire
    assert not any(roll.by_umpire for roll in others)
    # The umpire's own roll by the app is the app's; a copy of the journal says the same.
    again = follow(session.moment.state.ruleset, session.moment.state.battle, None)
    assert again is not None
    assert [r.by_umpire for p in again.game.played for r in p.rolls][:2] == [True, False]
    steps = [each for each in battle(session).record.events if each.rolls]
    assert [how_rolled(each.rolls) for each in steps[:2]] == ["umpire", "rolled"]
    for seat in (Viewer("british"), Viewer("german"), Viewer()):
        fires = [entry for entry in battle(session).story(seat) if entry.kind == "fire"]
        marked = [
            [plain(line.text) for line in entry.children if line.text.code == MARKED]
            for entry in fires
        ]
        assert [values[0] in line for line in marked[0]] == [True]
        assert not any(marked[1:])
