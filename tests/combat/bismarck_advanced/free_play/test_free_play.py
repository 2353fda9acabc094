"""Free play: fights of several rounds, played, taken back and read from a file."""

import random
import re
from dataclasses import replace

import pytest

from combat.actions import AddShip, NextRound, SetMarks
from combat.dice import OutOfDice, RolledDice, TypedDice
from combat.events import Event, Sunk
from combat.fight_file import play_fight
from combat.free_play import FreeState
from combat.game import Game
from combat.participants import UMPIRE, Ship, ShipStatus
from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.events import (
    AmmunitionSpent,
    Fired,
    HitScored,
    HullHit,
    NoEffect,
    NoEffectReason,
    SuperstructureHit,
    TurretDestroyed,
    TurretOut,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import document, fire_events, story
from combat.rulebooks.bismarck_advanced.fire.gunnery import resolve_fire
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire, PreviousFire
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks, GunsFired, ShipState
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.ships import ShipType
from combat.shot_file import ShotForm
from tabletop.arcs import Quadrant
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tests.combat.bismarck_advanced.shot_files import RULEBOOK
from web.strings import words

Fight = Game[FreeState[FightMarks]]
HOOD = Ship("hood", "Hood", "british", "Hood")
BISMARCK = Ship("bismarck", "Bismarck", "german", "Bismarck")
NO_DICE = TypedDice("")


def begun(*ships: Ship, marks: dict[str, ShipState] | None = None) -> Fight:
    game: Fight = Game(RULEBOOK, FreeState())
    for number, ship in enumerate(ships or (HOOD, BISMARCK)):
        action = AddShip(ship=ship, marks=(marks or {}).get(ship.id))
        game = game.play(-10 + number, action, NO_DICE)
    return game


def fire(by: str = "hood", at: str = "bismarck", **changes: object) -> Fire:
    plain: dict[str, object] = {
        "kind": "main",
        "range_yards": 6_000.0,
        "quadrant": Quadrant.PORT,
        "aspect": Quadrant.PORT,
    }
    return Fire(by=by, at=at, **{**plain, **changes})  # type: ignore[arg-type]


def ledger(game: Fight, action: Fire) -> dict[int | str, int]:
    return {line.number: line.value for line in RULEBOOK.check(game.state, action).ledger}


def seeded(game: Fight, n: int, action: Fire, seed: int) -> Fight:
    return game.play(n, action, RolledDice(random.Random(seed)))


def last(game: Fight) -> tuple[Event, ...]:
    return game.played[-1].events


def hits_of(game: Fight) -> int:
    (fired,) = (event for event in last(game) if isinstance(event, Fired))
    return fired.hits


def hull(game: Fight, ship: str) -> int:
    return game.state.marks[ship].vessel.hull_lost


def with_hits(game: Fight, n: int, action: Fire, *, hits: bool = True) -> Fight:
    """The first fall of the dice that hits, or that does not."""
    for seed in range(500):
        played = seeded(game, n, action, seed)
        if (hits_of(played) > 0) is hits:
            return played
    raise AssertionError("no such roll")


def test_both_sides_hit_each_other_and_the_next_round_knows_it() -> None:
    game = begun()
    answer = fire("bismarck", "hood")
    before = ledger(game, fire()), ledger(game, answer)
    assert all(lines["targeting"] > 0 for lines in before)
    game = with_hits(game, 1, fire())
    # Who fires does so unhurt by this round, and knows nothing of it yet.
    assert ledger(game, answer) == before[1]
    game = with_hits(game, 2, answer)
    assert ledger(game, fire()) == before[0]
    game = game.play(3, NextRound(), NO_DICE)
    card = RULEBOOK.tables["modifiers"]
    for action in (fire(), answer):
        lines = ledger(game, action)
        assert lines["targeting"] == 0
        assert lines[9] == card.integer("9 fired and hit", "value")
        assert lines[5] == card.integer("5 hit", "value")
    # Other guns, and another target, were not fired.
    assert ledger(game, fire(kind="secondary"))["targeting"] > 0
    game = with_hits(game, 4, fire(range_yards=22_000.0), hits=False)
    game = game.play(5, NextRound(), NO_DICE)
    assert ledger(game, fire())[9] == card.integer("9 fired", "value")
    assert ledger(game, fire())[5] == card.integer("5 not hit", "value")
    assert ledger(game, answer)[9] == card.integer("9 did not fire", "value")
    game = game.play(6, NextRound(), NO_DICE)
    assert ledger(game, fire())["targeting"] > 0, "a round without fire: she must find the range"


def test_what_is_said_counts_before_what_the_battle_knows() -> None:
    game = with_hits(begun(), 1, fire()).play(2, NextRound(), NO_DICE)
    said = fire(first_fire_at_target=True, hit_last_segment=True)
    lines = ledger(game, said)
    assert lines["targeting"] > 0
    assert lines[5] == RULEBOOK.tables["modifiers"].integer("5 hit", "value")
    for previous, first, hit in (
        (PreviousFire.NONE, True, False),
        (PreviousFire.FIRED, False, False),
        (PreviousFire.HIT, False, True),
    ):
        flags = fire(first_fire_at_target=first, hit_target_last_segment=hit)
        assert ledger(begun(), fire(previous_fire=previous)) == ledger(begun(), flags)
    with pytest.raises(BadField, match="previous_fire"):
        RULEBOOK.check(game.state, replace(said, previous_fire=PreviousFire.HIT))
    with pytest.raises(BadField, match="hit_target_last_segment"):
        RULEBOOK.check(begun().state, fire(hit_target_last_segment=True))
    # In a battle in which they fired, one flag is enough.
    RULEBOOK.check(game.state, fire(hit_target_last_segment=True))


def test_damage_counts_at_once_for_who_looks_and_next_round_for_who_fires() -> None:
    game = begun()
    hurt = ShipState(hull_lost=9.75, turrets_lost={"A": 2.75, "B": 2.75, "X": 2.75, "Y": 2.75})
    game = game.play(1, SetMarks(ship="hood", marks=hurt), NO_DICE)
    before = RULEBOOK.check(game.state, fire())
    game = with_hits(game, 2, fire("bismarck", "hood", range_yards=3_000.0))
    while RULEBOOK.status(game.state, "hood") is not ShipStatus.SUNK:
        game = with_hits(game, len(game.played) + 2, fire("bismarck", "hood", range_yards=3_000.0))
    sunk = [event for event in last(game) if isinstance(event, Sunk)]
    assert [event.target for event in sunk] == ["hood"]
    view = {each.ship.id: each for each in RULEBOOK.view(game.state, UMPIRE).ships}
    assert view["hood"].status is ShipStatus.SUNK
    assert view["hood"].sheet.status == "sunk"
    # She sank, and fires all the same in the round in which she did (62.2).
    assert RULEBOOK.check(game.state, fire()) == before
    game = with_hits(game, 100, fire())
    # Nobody fires at her any more.
    assert RULEBOOK.check(game.state, fire("bismarck", "hood")).rule == "64.8"
    game = game.play(101, NextRound(), NO_DICE)
    assert RULEBOOK.check(game.state, fire()).rule == "64.8"
    with pytest.raises(Forbidden) as refused:
        game.play(102, fire(), TypedDice("11"))
    assert refused.value.reason == Message("advanced.forbidden.sunk", ship=ShipRef("hood"))
    assert words(refused.value, game.state.names) == "Hood is sunk (64.8)"


def test_ammunition_is_spent_at_once_and_only_once() -> None:
    game = begun(marks={"hood": ShipState(ammunition={"main": 40})})
    left = [40]
    for n in range(1, 9):
        if not left[-1]:
            break
        game = seeded(game, n, fire(range_yards=16_000.0), n)
        (spent,) = (event for event in last(game) if isinstance(event, AmmunitionSpent))
        assert (spent.ship, spent.battery) == ("hood", Battery.MAIN)
        assert spent.left == left[-1] - spent.spent
        left.append(spent.left)
        for marks in (game.state.marks, game.state.firing):
            assert marks["hood"].vessel.main_ammunition == spent.left
        if n % 2:
            game = game.play(n + 50, NextRound(), NO_DICE)
    assert left[-1] == 0
    assert RULEBOOK.check(game.state, fire()).rule == "65.5"
    state = RULEBOOK.state_document(HOOD, game.state.marks["hood"])
    assert state["ammunition"] == {"main": 0}
    assert game.state.marks["hood"].vessel.secondary_ammunition == 375


def test_sisters_are_two_ships() -> None:
    first = Ship("D 1", "Destroyer", "british", "Destroyer")
    second = Ship("D 2", "Destroyer", "british", "Destroyer")
    game = begun(first, second, BISMARCK)
    at_first = fire("bismarck", "D 1", kind="secondary", range_yards=3_000.0)
    game = with_hits(game, 1, at_first)
    while RULEBOOK.status(game.state, "D 1") is not ShipStatus.SUNK:
        game = with_hits(game, len(game.played) + 2, at_first)
    assert hull(game, "D 2") == 0
    assert RULEBOOK.status(game.state, "D 2") is ShipStatus.IN_ACTION
    game = game.play(50, NextRound(), NO_DICE)
    assert RULEBOOK.check(game.state, fire("D 1", "bismarck")).rule == "64.8"
    at_second = replace(at_first, at="D 2")
    assert ledger(game, at_second)["targeting"] > 0, "it was her sister that was fired at"
    game = seeded(game, 51, fire("D 2", "bismarck", range_yards=3_000.0), 3)
    assert game.state.marks["D 2"].fired == (
        GunsFired(Battery.MAIN, "bismarck", hits_of(game) > 0),
    )
    with pytest.raises(Forbidden, match=r"combat\.refused\.on_herself"):
        game.play(53, fire("D 2", "D 2"), TypedDice("11"))


def test_a_step_back_keeps_the_dice_for_the_same_fire() -> None:
    game = seeded(begun(), 1, fire(), 4)
    played = game.played[-1]
    back = game.undo()
    assert back.state == begun().state
    # Another fire reads none of them.
    with pytest.raises(OutOfDice):
        back.play(2, fire("bismarck", "hood"), NO_DICE)
    again = back.play(2, fire(), NO_DICE)
    assert again.played[-1].rolls == played.rolls
    assert again.state == game.state
    assert again.played[-1].events == played.events
    # Back over a whole round and on: everything is as it was.
    longer = seeded(game.play(2, NextRound(), NO_DICE), 3, fire("bismarck", "hood"), 9)
    once_more = longer.undo(to=1)
    assert once_more.state == begun().state
    once_more = once_more.play(4, fire(), NO_DICE).play(5, NextRound(), NO_DICE)
    once_more = once_more.play(6, fire("bismarck", "hood"), NO_DICE)
    assert once_more.state == longer.state


def test_a_turret_put_out_waits_from_the_next_round_on() -> None:
    """64.31 and the main gun table: out for one combat phase, or for two."""
    for seed in range(3_000):
        game = seeded(begun(), 1, fire(range_yards=9_000.0), seed)
        out = [event for event in last(game) if isinstance(event, TurretOut) and event.phases]
        gone = {event.turret for event in last(game) if isinstance(event, TurretDestroyed)}
        if len(out) == 1 and out[0].turret not in gone:
            break
    else:
        raise AssertionError("no turret was put out")
    (event,) = out
    answer = fire("bismarck", "hood")

    def bears(now: Fight) -> bool:
        mounts = RULEBOOK.check(now.state, answer).mounts
        return next(mount.bears for mount in mounts if mount.name == event.turret)

    assert bears(game), "she fires this round as she was"
    assert event.phases is not None
    for n in range(event.phases):
        game = game.play(10 + n, NextRound(), NO_DICE)
        assert not bears(game)
    game = game.play(20, NextRound(), NO_DICE)
    assert bears(game)


def test_marks_entered_by_hand_keep_what_the_round_was() -> None:
    game = with_hits(begun(), 1, fire()).play(2, NextRound(), NO_DICE)
    marks = ShipState(hull_lost=1.25, turrets_out=("X",))
    game = game.play(3, SetMarks(ship="hood", marks=marks), NO_DICE)
    assert hull(game, "hood") == 5
    assert ledger(game, fire())["targeting"] == 0
    assert RULEBOOK.written(HOOD, game.state.marks["hood"]) == marks
    assert RULEBOOK.check(game.state, fire()).guns_bearing == 6


@pytest.mark.parametrize(
    ("marks", "complaint"),
    [
        (ShipState(hull_lost=10.5), r"\[state\]: hull_lost: expected .* from 0 to 10"),
        (ShipState(hull_lost=0.3), "boxes in quarters"),
        (ShipState(turrets_lost={"Q": 1.0}), "unknown key 'Q'"),
        (ShipState(turrets_out=("Q",)), "unknown turret 'Q'"),
        (ShipState(ammunition={"main": 721}), "from 0 to 720"),
        (ShipState(movement_factors_lost=11), "from 0 to 10"),
    ],
)
def test_marks_that_she_cannot_have_are_refused(marks: ShipState, complaint: str) -> None:
    with pytest.raises(DreyerError) as refused:
        begun().play(1, SetMarks(ship="hood", marks=marks), NO_DICE)
    assert re.search(complaint, words(refused.value))


def test_answers_that_do_not_fit_the_ships_are_refused() -> None:
    state = begun().state
    for action, complaint in (
        (fire(firer_speed=11), "speed: expected a whole number from 0 to 10, got 11"),
        (fire(jammed={"A": 3}), "A: expected a whole number from 0 to 2, got 3"),
    ):
        with pytest.raises(BadField) as refused:
            RULEBOOK.check(state, action)
        assert complaint in words(refused.value)
    with pytest.raises(UnknownName) as unknown:
        RULEBOOK.check(state, fire(jammed={"Q": 1}))
    assert (unknown.value.kind, unknown.value.name) == ("key", "Q")


def test_speeds_are_just_below_full_speed_unless_said() -> None:
    state = begun().state
    assert RULEBOOK.check(state, fire()) == RULEBOOK.check(
        state, fire(firer_speed=9, target_speed=9)
    )
    slow = begun(marks={"hood": ShipState(movement_factors_lost=4)})
    shot = RULEBOOK.shot(RULEBOOK.attempt(slow.state, fire()))
    assert (shot.firer_speed, shot.target_speed) == (5, 9)


def test_the_events_tell_what_the_report_of_a_guided_battle_tells() -> None:
    """One function resolves a fire, and one function tells of it."""
    for seed in range(40):
        action = fire(range_yards=2_500.0, radar_lost_with_superstructure=bool(seed % 2))
        game = seeded(begun(), 1, action, seed)
        events = last(game)
        shot = RULEBOOK.shot(RULEBOOK.attempt(begun().state, action))
        options = Options(radar_lost_with_superstructure=action.radar_lost_with_superstructure)
        report = resolve_fire(
            shot, RolledDice(random.Random(seed)), CombatTables.of(RULEBOOK.tables), options=options
        )
        told = tuple(fire_events(report, shot.firer.name, shot.target.name))
        assert RULEBOOK.document(events) == document(told)
        assert RULEBOOK.story(events) == tuple(story(told))
        assert game.state.marks["bismarck"].vessel == report.target_after
        scored = [event for event in events if isinstance(event, HitScored)]
        assert [event.number for event in scored] == list(range(1, report.hits + 1))
        marked = sum(event.quarters for event in events if isinstance(event, HullHit))
        after = report.target_after
        assert after.hull_lost == min(marked, after.hull_quarters)
        upper = (event.quarters for event in events if isinstance(event, SuperstructureHit))
        assert after.superstructure_lost == sum(upper)


def test_events_and_actions_are_written_and_read() -> None:
    game = with_hits(begun(), 1, fire(range_yards=3_000.0, jammed={"A": 1}))
    for played in game.played:
        action = RULEBOOK.action_schema().adapter
        assert action.validate_json(action.dump_json(played.action)) == played.action
        for event in played.events:
            adapter = RULEBOOK.event_schema().adapter
            assert adapter.validate_json(adapter.dump_json(event)) == event
    (fired,) = (event for event in last(game) if isinstance(event, Fired))
    assert (fired.ship, fired.target, fired.band) == ("hood", "bismarck", RangeBand.POINT_BLANK)
    assert fired.turrets == ("A", "B", "X", "Y")
    assert fired.guns == 7


def test_a_hit_that_does_nothing_says_why() -> None:
    for seed in range(200):
        events = last(seeded(begun(), 1, fire(range_yards=24_500.0), seed))
        reasons = [event.why for event in events if isinstance(event, NoEffect)]
        if NoEffectReason.ARMOUR_HELD in reasons:
            return
    raise AssertionError("every shell went through")


FIGHT = """
ruleset = "bismarck-advanced"
[[ship]]
name = "Hood"
side = "british"
speed = 9
[[ship]]
name = "Ajax's flotilla 1"
type = "Destroyer"
side = "british"
[[ship]]
name = "Bismarck"
side = "german"
[[action]]
action = "main"
by = "Hood"
at = "Bismarck"
dice = "66"
answers = { range_yards = 20000, quadrant = "port", aspect = "port" }
[[action]]
action = "main"
by = "Bismarck"
at = "Hood"
seed = 7
answers = { range_yards = 20000, quadrant = "port", aspect = "port", target = { speed = 4 } }
[[action]]
action = "next-round"
[[action]]
action = "main"
by = "Hood"
at = "Bismarck"
seed = 8
answers = { range_yards = 20000, quadrant = "port", aspect = "port" }
"""


def played(text: str) -> Fight:
    return play_fight(RULEBOOK, parse_toml(text.encode(), "fight.toml"), "fight.toml")


def test_a_fight_file_plays_rounds_that_know_each_other() -> None:
    game = played(FIGHT)
    assert game.state.round_number == 2
    first, second, _, third = (each.events for each in game.played)
    modifiers = [
        {line.number: line for line in event.modifiers}
        for events in (first, second, third)
        for event in events
        if isinstance(event, Fired)
    ]
    assert [lines["targeting"].value > 0 for lines in modifiers] == [True, True, False]
    assert modifiers[1][15].label == Message("advanced.modifier.target_speed", speed=4)
    assert modifiers[2][9].label == Message("advanced.modifier.fired")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("speed = 9", "speed = 11", "fight.toml, action 1, [firer]: speed: expected"),
        ("range_yards = 20000, ", "", "range_yards: expected a number of yards from 0 to"),
        ('type = "Destroyer"', 'type = "Destroyer"\nstate = { hull_lost = 2 }',
         "fight.toml, ship 2 \"Ajax's flotilla 1\", [state]: hull_lost: expected"),
    ],
)  # fmt: skip
def test_a_fight_file_says_where_it_is_wrong(old: str, new: str, complaint: str) -> None:
    with pytest.raises(DreyerError) as wrong:
        played(FIGHT.replace(old, new, 1))
    assert complaint in words(wrong.value)


@pytest.mark.parametrize("card", list(RULEBOOK.ship_types), ids=lambda card: card.name)
def test_what_a_ship_has_spent_is_read_as_it_is_written(card: ShipType) -> None:
    """Secondary ammunition is up to 1,200 (the charts of Prince of Wales and King George V)."""
    ship, form = Ship("x", "x", "x", card.name), ShotForm(RULEBOOK)
    marks = RULEBOOK.fresh(ship)
    vessel = marks.vessel
    for battery in Battery:
        if vessel.ammunition(battery):
            vessel = vessel.spending(battery, 1, {})
    spent = replace(marks, vessel=vessel)
    written = RULEBOOK.state_document(ship, spent)
    read = form.read_marks(written, "state")
    assert isinstance(read, ShipState)
    assert RULEBOOK.corrected(ship, spent, read) == spent


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        ({"ammunition": {"secondary": -1}},
         "[ammunition]: secondary: expected a whole number of at least 0, got -1"),
        ({"turrets_lost": {"A": True}},
         "[turrets_lost]: A: expected a number of at least 0, got true"),
    ],
)  # fmt: skip
def test_a_number_by_name_that_cannot_be_is_named(state: dict[str, object], complaint: str) -> None:
    form = ShotForm(RULEBOOK)
    with pytest.raises(BadField) as wrong:
        form.read_marks(state, "firer.state")
    assert complaint in words(wrong.value)


def test_a_turret_put_out_in_this_round_waits_whatever_is_corrected() -> None:
    """A hit of 12 inches on 16 puts turret A out for its phases, from the next one on (64.32)."""
    shot = fire("bismarck", "hood", range_yards=15_000.0)
    game = begun().play(1, shot, TypedDice("45 22 1 5"))
    (out,) = (event for event in game.played[-1].events if isinstance(event, TurretOut))
    assert (out.turret, out.phases) == ("A", 2)
    plain = game.play(2, NextRound(), NO_DICE)
    written = replace(RULEBOOK.written(HOOD, game.state.marks["hood"]), hull_lost=1.0)
    game = game.play(2, SetMarks(ship="hood", marks=written), NO_DICE)
    assert not game.state.firing["hood"].vessel.turrets[0].out_for_phases, "she fires in this one"
    game = game.play(3, NextRound(), NO_DICE)
    for state in (plain.state, game.state):
        assert state.firing["hood"].vessel.turrets[0].out_for_phases == 2
    mended = replace(written, turrets_out=())
    game = game.undo().play(3, SetMarks(ship="hood", marks=mended), NO_DICE)
    game = game.play(4, NextRound(), NO_DICE)
    assert not game.state.firing["hood"].vessel.turrets[0].out_for_phases
