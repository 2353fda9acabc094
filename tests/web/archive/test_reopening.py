"""A battle that is opened again, or undone in part, is the battle that its record gives."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from combat.dice import ReplayedDice
from combat.events import Event
from combat.game import UndoneRolls
from combat.guided_actions import RollDice
from combat.guided_play import StepKind, replay
from combat.participants import SPECTATOR, Seat
from combat.rulebook import Place
from combat.story_entries import Entry
from tests.web.battles import BRITISH, GERMAN, TARGETS, UMPIRE, Fought, advanced_state
from web.actions.battle import AskUndo, UndoOwn
from web.games.guided_game import GuidedGame
from web.journal.store import Store
from web.session import Session
from web.views.battle import steps_of


@pytest.fixture
def fought(tmp_path: Path) -> Fought:
    """Two rounds and a half: dice rolled together, typed one by one, and some still open."""
    fight = Fought(tmp_path / "battle.db", seed=1941).segments(3)
    fight.move()
    fight.fire(roll=False)
    type_dice(fight)
    fight.move()
    fight.fire(roll=False)
    type_dice(fight, most=2)
    return fight


def type_dice(fight: Fought, most: int = 99) -> None:
    """As players do, one roll at a time."""
    for _ in range(most):
        fight.fire_as_designated()
        wanted = fight.battle.rulebook.dice_wanted(fight.battle.state)
        if wanted is None:
            return
        value = "".join(str(fight.chance.randint(1, 6)) for _ in range(1 + (wanted.kind == "pair")))
        fight.do("dice", values=[value], **{"from": wanted.number})


def test_opened_again_it_is_the_same(fought: Fought, tmp_path: Path) -> None:
    live = fought.session.moment
    fought.session.close()
    again = Session(Store(tmp_path / "battle.db"))
    opened = again.moment
    assert live.battle is not None
    assert opened.battle is not None
    assert opened.state == live.state
    assert opened.battle.state == live.battle.state
    assert places(opened.battle) == places(live.battle)
    assert steps_of(opened.battle) == steps_of(live.battle)
    assert live.battle.step.kind is StepKind.RESOLVE
    assert happened(opened.battle) == happened(live.battle)
    assert stories(opened.battle) == stories(live.battle)
    again.close()


@pytest.mark.parametrize("stored", [None, [{"kind": "fired", "ship": "Hood"}]])
def test_whatever_events_an_older_build_has_stored_the_story_is_the_same(
    fought: Fought, tmp_path: Path, stored: list[dict[str, str]] | None
) -> None:
    live = fought.battle
    fought.session.close()
    with closing(sqlite3.connect(tmp_path / "battle.db")) as base:
        base.execute("UPDATE journal SET checksum = NULL")
        for n, data in base.execute("SELECT n, data FROM journal WHERE kind = 'battle'").fetchall():
            entry = {key: value for key, value in json.loads(data).items() if key != "events"}
            entry |= {} if stored is None else {"events": stored}
            base.execute("UPDATE journal SET data = ? WHERE n = ?", (json.dumps(entry), n))
        base.commit()
    again = Session(Store(tmp_path / "battle.db"))
    assert again.moment.battle is not None
    assert stories(again.moment.battle) == stories(live)
    assert again.moment.battle.history == live.history
    again.close()


def test_rolls_that_are_left_of_several_keep_what_they_led_to(
    fought: Fought, tmp_path: Path
) -> None:
    fought.do("end", reason="enough")
    whole = fought.battle
    fought.session.close()
    again = Session(Store(tmp_path / "battle.db"))
    cut = len(whole.record.events) - 2
    again.act(UMPIRE, AskUndo(whole.record.events[cut - 1].n))
    assert again.moment.battle is not None
    assert happened(again.moment.battle) == happened(whole)[:cut]
    again.close()


def happened(battle: GuidedGame) -> list[tuple[Event, ...]]:
    return [played.events for played in battle.game.played]


def stories(battle: GuidedGame) -> list[tuple[Entry, ...]]:
    seats = (Seat("british"), Seat("german"), SPECTATOR, Seat(None, umpire=True))
    return [battle.story(seat) for seat in seats]


def places(battle: GuidedGame) -> list[tuple[int, Place]]:
    return [(played.n, played.place) for played in battle.game.played]


def replayed(battle: GuidedGame) -> Any:
    """The state that the record gives, played from the beginning."""
    actions = [(each.action, each.rolls) for each in battle.record.events]
    return replay(battle.rulebook, battle.record.setup, actions)


def test_states_and_steps_are_those_of_playing_event_by_event(
    fought: Fought, tmp_path: Path
) -> None:
    fought.session.close()
    again = Session(Store(tmp_path / "battle.db"))
    battle = again.moment.battle
    assert battle is not None
    state = battle.game.start
    steps = {step.recorded.n: step.key for step in steps_of(battle)}
    for count, recorded in enumerate(battle.record.events):
        step = battle.rulebook.step(state)
        key = step.round_number, step.segment
        assert battle.game.state_after(count) == state
        assert battle.game.played[count].place == Place(*key)
        is_step = recorded.action.kind not in ("plot", "designate", "mark")
        assert steps.get(recorded.n) == (key if is_step else None)
        dice = ReplayedDice(recorded.rolls)
        state = battle.rulebook.play(state, recorded.action, dice).state
    assert state == battle.state
    assert len({place for _, place in places(battle)}) == 5
    again.close()


@pytest.mark.parametrize("back", [1, 2, 5, 20, 45, 1000])
def test_undone_it_is_what_is_left_played_from_the_beginning(fought: Fought, back: int) -> None:
    before = fought.battle
    events = before.record.events
    cut = max(0, len(events) - back)
    dice = [
        UndoneRolls(RollDice(), played.rolls, played.place)
        for played in before.game.played[cut:]
        if played.rolls
    ]
    fought.session.act(UMPIRE, AskUndo(events[cut - 1].n if cut else before.record.begun))
    after = fought.battle
    assert after.record.events == events[:cut]
    assert after.state == replayed(after)
    assert [replace(back, action=RollDice()) for back in after.record.taken_back] == dice
    # And it goes on from there as any other does.
    if after.step.kind is StepKind.PLOT and not advanced_state(after).plots:
        fought.move()
        assert fought.battle.state == replayed(fought.battle)


def test_a_fire_taken_back_and_given_again_reads_the_same_dice(fought: Fought) -> None:
    wanted = fought.battle.state
    # The last commitment is that of the rates of fire, the one before it that of the fire.
    commit = [each for each in fought.battle.record.events if each.action.kind == "commit"][-2]
    before = max(each.n for each in fought.battle.record.events if each.n < commit.n)
    fought.session.act(UMPIRE, AskUndo(before))
    assert fought.battle.step.kind is StepKind.DESIGNATE
    assert set(advanced_state(fought.battle).fires) <= {firer for firer, _ in TARGETS}
    fought.do("commit")
    fought.fire_as_designated()
    assert fought.battle.state == wanted


def test_a_draft_taken_back_from_between_others_leaves_those(tmp_path: Path) -> None:
    fight = Fought(tmp_path / "battle.db").segments(2)
    fight.do("plot", BRITISH, ship="Hood", notation="4", speed=8)
    fight.do("plot", GERMAN, ship="Bismarck", notation="4", speed=8)
    fight.session.act(BRITISH, UndoOwn())
    battle = fight.battle
    assert set(advanced_state(battle).plots) == {"Bismarck"}
    assert battle.state == replayed(battle)
    fight.session.close()
    again = Session(Store(tmp_path / "battle.db"))
    assert again.moment.battle is not None
    assert again.moment.battle.state == battle.state
    assert places(again.moment.battle) == places(battle)
    again.close()
