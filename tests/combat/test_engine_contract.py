"""What every rulebook on the engine must keep to: the same questions for all of them."""

import copy
import math
import random
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from combat.actions import Action, ActionInfo, AddShip, NextRound, SetMarks
from combat.dice import Dice, RecordedDice, ReplayedDice, RolledDice, TypedDice
from combat.events import Acted
from combat.forecast import every_outcome
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game, PlayedAction
from combat.participants import UMPIRE, Seat, Ship, ShipStatus
from combat.previews import Forbidden
from combat.questions import questions
from combat.rulebook import Outcome
from combat.rulebooks.bismarck_advanced.fire.events import Fired
from combat.ships import ShipList
from combat.shot_file import ShotForm
from combat.tables import TableSet
from tabletop.errors import BadField, UnknownName
from tabletop.schema import Takes
from tests.combat.free_battles import (
    SIDES,
    SISTERS,
    Actions,
    add,
    battle,
    free_rulesets,
    rulebook_of,
    with_new_ship,
)
from tests.refusals import refused
from web.strings import words

Rulebook = FreeRulebook[Any]
State = FreeState[Any]

RULESETS = free_rulesets()
KINDS = [(name, info) for name, ruleset in RULESETS.items() for info in rulebook_of(ruleset).infos]
STEPS = 300
MOST_WAYS = 1200
SAMPLE = 600
every_rulebook = pytest.mark.parametrize("name", RULESETS)
every_kind = pytest.mark.parametrize(
    ("name", "info"), KINDS, ids=[f"{name}: {info.kind}" for name, info in KINDS]
)


def opened(name: str) -> tuple[Rulebook, State]:
    rulebook = rulebook_of(RULESETS[name])
    return rulebook, battle(rulebook)


def allowed(name: str, info: ActionInfo) -> tuple[Rulebook, State, Action]:
    rulebook, state = opened(name)
    action = Actions(rulebook, state, random.Random(name + info.kind)).allowed(info)
    assert action is not None, "the rules allow it to some ship"
    return rulebook, state, action


def with_few_dice(name: str, info: ActionInfo) -> tuple[Rulebook, State, Action]:
    """An action of this kind that takes as few dice as any of a dozen."""
    rulebook, state = opened(name)
    found = []
    for seed in range(12):
        action = Actions(rulebook, state, random.Random(f"{name}{info.kind}{seed}")).allowed(info)
        assert action is not None
        found.append((len(rolled(rulebook, state, action)[1]), seed, action))
    return rulebook, state, min(found)[-1]


def rolled(rulebook: Rulebook, state: State, action: Action) -> tuple[Outcome[State], str]:
    """An action played with rolled dice, and the dice as they would be typed in."""
    dice = RecordedDice(RolledDice(random.Random(3)))
    outcome = rulebook.play(state, action, dice)
    return outcome, " ".join(roll.value for roll in dice.rolls)


# What is offered


@every_rulebook
def test_every_kind_of_action_is_offered_to_an_umpire(name: str) -> None:
    rulebook, state = opened(name)
    offered = rulebook.actions(state, UMPIRE)
    assert {offer.kind for offer in offered} == {info.kind for info in rulebook.infos}
    assert all(offer.title and offer.info.rule for offer in offered)


@every_rulebook
def test_a_side_is_offered_what_its_ships_can_do(name: str) -> None:
    rulebook, state = opened(name)
    for side in SIDES:
        own = {ship.type for ship in state.ships if ship.side == side}
        offered = {offer.kind for offer in rulebook.actions(state, Seat(side))}
        can = {offer.kind for ship_type in (*own, "") for offer in rulebook.offers(ship_type)}
        assert offered == can


@every_kind
def test_an_action_is_checked_forecast_and_played(name: str, info: ActionInfo) -> None:
    rulebook, state, action = allowed(name, info)
    preview = rulebook.check(state, action)
    assert preview.factor is not None
    assert preview.total == sum(modifier.value for modifier in preview.ledger)
    forecast = rulebook.forecast(state, [action])
    assert sum(forecast.hits.values()) == pytest.approx(1, abs=1e-12)
    assert all(-1e-12 <= each <= 1 + 1e-12 for each in forecast.outcomes.values())
    outcome, _ = rolled(rulebook, state, action)
    first = outcome.events[0]
    assert isinstance(first, Acted | Fired)
    kind = first.action if isinstance(first, Acted) else first.battery
    assert (kind, first.ship) == (info.kind, getattr(action, "by", None))
    assert first.target == getattr(action, "at", None)
    names = {ship.id for ship in state.ships} | {None}
    assert {who for event in outcome.events for who in (event.ship, event.target)} <= names


@every_kind
def test_what_is_refused_is_refused_by_check_forecast_and_play(name: str, info: ActionInfo) -> None:
    rulebook, state = opened(name)
    actions = Actions(rulebook, state, random.Random(5))
    for _ in range(20):
        action = actions.any_of(info)
        preview = rulebook.check(state, action)
        if not preview.forbidden:
            continue
        for attempted in (
            lambda action=action: rulebook.forecast(state, [action]),
            lambda action=action: rolled(rulebook, state, action),
        ):
            with pytest.raises(Forbidden) as refusal:
                attempted()
            assert (refusal.value.reason, refusal.value.rule) == (preview.forbidden, preview.rule)
            assert refusal.value.rule


@every_rulebook
def test_nobody_acts_on_herself_and_strangers_do_not_act(name: str) -> None:
    rulebook, state = opened(name)
    actions = Actions(rulebook, state, random.Random(1))
    for info in rulebook.infos:
        if not info.by_ship:
            continue
        action: Any = actions.usual(info)
        with pytest.raises(UnknownName):
            rulebook.check(state, replace(action, by="Flying Dutchman"))
        if info.at_ship:
            with pytest.raises(Forbidden):
                rulebook.play(state, replace(action, by=action.at), TypedDice(""))


@every_rulebook
def test_actions_that_are_forecast_together_have_one_target(name: str) -> None:
    rulebook, state = opened(name)
    with refused(BadField, match="one target, got no action"):
        rulebook.forecast(state, [])
    at = next((info for info in rulebook.infos if info.at_ship), None)
    if at is not None:
        first: Any = Actions(rulebook, state, random.Random(1)).usual(at)
        others = [ship.id for ship in state.ships if ship.id not in (first.at, _actor(first))]
        with refused(BadField, match="one target"):
            rulebook.forecast(state, [first, replace(first, at=others[0])])


def _actor(action: Action) -> str | None:
    by: str | None = getattr(action, "by", None)
    return by


# What is played


@every_kind
def test_play_is_pure(name: str, info: ActionInfo) -> None:
    rulebook, state, action = allowed(name, info)
    before = repr(state)
    outcome, dice = rolled(rulebook, state, action)
    assert rulebook.play(state, action, ReplayedDice(outcome.rolls)) == outcome
    typed = rulebook.play(state, action, TypedDice(dice))
    assert (typed.state, typed.events) == (outcome.state, outcome.events)
    assert [roll.value for roll in typed.rolls] == [roll.value for roll in outcome.rolls]
    assert not any(roll.by_server for roll in typed.rolls)
    assert repr(state) == before
    with pytest.raises(TypeError):
        state.marks["Alpha"] = None  # type: ignore[index]


@every_kind
def test_a_forecast_is_what_every_fall_of_the_dice_comes_to(name: str, info: ActionInfo) -> None:
    rulebook, state, action = with_few_dice(name, info)
    ways = 0

    def play(dice: Dice) -> tuple[int, bool, int]:
        counted = RecordedDice(dice)
        outcome = rulebook.play(state, action, counted)
        # What is no attack may say nothing of hits.
        hits = rulebook.document(outcome.events).get("hits", 0)
        assert isinstance(hits, int)
        at = getattr(action, "at", None)
        sunk = at is not None and rulebook.status(outcome.state, at) is ShipStatus.SUNK
        return hits, sunk, len(counted.rolls)

    def play_on(dice: Dice) -> tuple[int, bool, int]:
        nonlocal ways
        ways += 1
        if ways > MOST_WAYS:
            raise _TooManyError
        return play(dice)

    try:
        fallen = [(each.result, float(each.probability)) for each in every_outcome(play_on)]
        sampled = 0
    except _TooManyError:
        # Nobody can try them all; a good many rolls must come near.
        sampled, rng = SAMPLE, random.Random(9)
        fallen = [(play(RolledDice(rng)), 1 / sampled) for _ in range(sampled)]
    if not any(rolls for (_, _, rolls), _ in fallen):
        return  # Nothing is left to chance, and nothing is foretold.
    forecast = rulebook.forecast(state, [action])
    shares: dict[object, float] = defaultdict(float)
    for (hits, sunk, _), share in fallen:
        shares[hits] += share
        shares["sunk"] += share * sunk
    foretold: dict[object, float] = {"sunk": forecast.outcomes.get("sunk", 0.0)}
    foretold |= dict(forecast.hits.items())
    for each in {*shares, *foretold}:
        expected = foretold.get(each, 0.0)
        near = 1e-12
        if sampled:
            # Five standard deviations, and one roll more or less.
            near = 5 * math.sqrt(max(0.0, expected * (1 - expected)) / sampled) + 1 / sampled
        assert shares[each] == pytest.approx(expected, abs=near), each


class _TooManyError(Exception):
    """There are more ways for the dice to fall than a test can try."""


@every_kind
def test_actions_and_events_survive_json(name: str, info: ActionInfo) -> None:
    rulebook, state, action = allowed(name, info)
    actions, events = rulebook.action_schema().adapter, rulebook.event_schema().adapter
    assert actions.validate_json(actions.dump_json(action)) == action
    outcome, _ = rolled(rulebook, state, action)
    for event in outcome.events:
        again = events.validate_json(events.dump_json(event))
        assert (type(again), again) == (type(event), event)


@every_rulebook
def test_what_every_battle_can_do_survives_json(name: str) -> None:
    rulebook, state = opened(name)
    marks = Actions(rulebook, state, random.Random(2)).marks(SISTERS[0])
    ship = replace(state.ships[0], id="x", name="Xebec")
    actions, events = rulebook.action_schema().adapter, rulebook.event_schema().adapter
    for action in (
        AddShip(ship=ship),
        AddShip(ship=ship, marks=marks),
        SetMarks(ship="Alpha", marks=marks),
        NextRound(),
    ):
        again = actions.validate_json(actions.dump_json(action))
        assert again == action
        outcome = rulebook.play(state, again, TypedDice(""))
        assert outcome == rulebook.play(state, action, TypedDice(""))
        (event,) = outcome.events
        assert events.validate_json(events.dump_json(event)) == event
        assert rulebook.report_lines(outcome.events)


@every_kind
def test_documents_and_stories_come_from_events_alone(name: str, info: ActionInfo) -> None:
    rulebook, state, action = allowed(name, info)
    events = rolled(rulebook, state, action)[0].events
    bare = copy.copy(rulebook)
    bare.tables, bare.ship_types = TableSet(name, ()), ShipList(())
    assert bare.document(events) == rulebook.document(events)
    story = bare.story(events)
    assert story == rulebook.story(events)
    assert all(line.text for line in story)
    by = getattr(action, "by", None)
    assert by is None or state.names[by] in words(story[0].text, state.names)


# Ships and sides


@every_rulebook
def test_two_ships_of_one_type_have_two_sheets(name: str) -> None:
    rulebook, state = opened(name)
    first, second = SISTERS
    untouched = rulebook.sheet(state, second)
    actions = Actions(rulebook, state, random.Random(4))
    for _ in range(20):
        written = actions.marks(first)
        after = rulebook.play(state, SetMarks(ship=first, marks=written), TypedDice("")).state
        assert after.marks[first] == rulebook.marks_from(state.ship(first), written)
        assert after.marks[second] == after.firing[second] == state.marks[second]
        assert rulebook.sheet(after, second) == untouched
        assert (rulebook.sheet(after, first).ship, untouched.ship) == SISTERS
    tried = forbidden = 0
    for info in (info for info in rulebook.infos if info.at_ship):
        action: Any = actions.allowed(info)
        for victim, sister in (SISTERS, SISTERS[::-1]):
            if _actor(action) in SISTERS:
                continue
            try:
                struck = rolled(rulebook, state, replace(action, at=victim))[0].state
            except Forbidden:
                # What is allowed at some ship may not be at these.
                forbidden += 1
                continue
            assert struck.marks[sister] == state.marks[sister]
            tried += 1
    assert tried or not forbidden


@every_rulebook
def test_a_name_is_taken_once(name: str) -> None:
    rulebook, state = opened(name)
    with refused(BadField, match="a name that no other ship has"):
        add(rulebook, state, state.ships[0])
    with pytest.raises(UnknownName):
        add(rulebook, state, Ship("n", "n", "red", "Flying Dutchman"))


@every_rulebook
def test_a_ship_of_a_fourth_navy_on_a_third_side_needs_no_code(name: str) -> None:
    known = rulebook_of(RULESETS[name])
    rulebook = with_new_ship(known, "Surcouf", "French")
    state = battle(rulebook)
    ship = next(ship for ship in state.ships if ship.type == "Surcouf")
    assert rulebook.ship_type(ship).nation == "French"
    assert {side.key for side in state.sides} == set(SIDES)
    assert sorted(side.order_of_fire for side in state.sides) == [0, 1, 2]
    state = add(rulebook, state, Ship("s", "Le Triomphant", "free french", ship.type))
    actions = Actions(rulebook, state, random.Random(8))
    for info in rulebook.infos:
        action: Any = actions.allowed(info)
        assert action is not None
        changed = {"by": "s"} if info.by_ship and _can(rulebook, ship.type, info) else {}
        if info.at_ship and not changed:
            changed = {"at": "s"}
        elif getattr(action, "at", None) == "s":
            changed["at"] = SISTERS[0]
        action = replace(action, **changed)
        if not rulebook.check(state, action).forbidden:
            events = rolled(rulebook, state, action)[0].events
            assert rulebook.story(events)
    view = rulebook.view(state, Seat("free french"))
    assert view.ships[-1].sheet.ship == "Le Triomphant"
    assert len(view.sides) == len(SIDES) + 1


def _can(rulebook: Rulebook, ship_type: str, info: ActionInfo) -> bool:
    return info in [offer.info for offer in rulebook.offers(ship_type)]


# Whole fights


@every_kind
def test_undo_restores_the_battle_and_keeps_the_dice(name: str, info: ActionInfo) -> None:
    rulebook, state, action = allowed(name, info)
    game = Game(rulebook, state).play(1, action, RolledDice(random.Random(6)))
    back = game.undo()
    assert back.state == state
    # No dice but the kept ones are at hand.
    again = back.play(2, action, TypedDice(""))
    assert again.state == game.state
    assert again.played[0].events == game.played[0].events
    assert again.played[0].rolls == game.played[0].rolls
    assert again.taken_back == ()


@every_rulebook
@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_fight_stays_sound(name: str, seed: int) -> None:
    """Hundreds of actions, rounds and undos: flags stay flags, and a replay gives the same."""
    rulebook, state = opened(name)
    rng = random.Random(seed)
    game: Game[State] = Game(rulebook, state)
    standing: list[PlayedAction[State]] = []
    for n in range(1, STEPS + 1):
        game = _one_step(game, n, rng)
        standing = [*standing[: max(0, len(game.played) - 1)], *game.played[-1:]]
        assert tuple(standing) == game.played, "what stands was not touched"
        for ship in game.state.ships:
            _check_marks(rulebook, game.state, ship)
    assert len(game.played) > STEPS / 4
    assert game.state.round_number > 1
    replayed: Game[State] = Game(rulebook, state)
    for each in game.played:
        dice = TypedDice(" ".join(roll.value for roll in each.rolls))
        replayed = replayed.play(each.n, each.action, dice)
        dice.finish()
        assert replayed.state == each.state
        assert replayed.played[-1].events == each.events


def _one_step(game: Game[State], n: int, rng: random.Random) -> Game[State]:
    rulebook = game.rulebook
    assert isinstance(rulebook, FreeRulebook)
    actions = Actions(rulebook, game.state, rng)
    what = rng.random()
    if what < 0.06 and game.played:
        last = [each.n for each in game.played[-6:]]
        return game.undo(rng.choice([None, rng.choice(last)]))
    action = actions.any()
    if what < 0.12:
        action = NextRound()
    elif what < 0.2:
        # Ships are put right by hand now and then, or few of them would float to the end.
        action = SetMarks(ship=rng.choice(game.state.ships).id, marks=rulebook.state_type())
    known = action.kind in rulebook.info_by_kind
    if known and rulebook.check(game.state, action).forbidden:
        with pytest.raises(Forbidden):
            game.play(n, action, RolledDice(rng))
        gone = [ship.id for ship in game.state.ships if not _in_action(rulebook, game.state, ship)]
        # What may be done once in a round or a battle is mostly refused: the fight goes on.
        action = NextRound()
        if gone:
            action = SetMarks(ship=rng.choice(gone), marks=rulebook.state_type())
    return game.play(n, action, RolledDice(rng))


def _in_action(rulebook: Rulebook, state: State, ship: Ship) -> bool:
    return rulebook.status(state, ship.id) is ShipStatus.IN_ACTION


def _check_marks(rulebook: Rulebook, state: State, ship: Ship) -> None:
    marks = state.marks[ship.id]
    document = rulebook.state_document(ship, marks)
    for each in questions(rulebook.state_type):
        value = document.get(each.key)
        if value is None:
            continue
        if each.takes is Takes.FLAG:
            assert type(value) is bool, each.key
        elif each.takes is Takes.NUMBER:
            assert type(value) is int, each.key
            assert each.least <= value <= each.most, each.key
        elif each.takes is Takes.COUNTS:
            assert isinstance(value, dict)
            assert all(type(count) is int for count in value.values()), each.key
    form = ShotForm(rulebook)
    stated = {key: value for key, value in document.items() if value is not None}
    written = form.read_marks(stated, ship.name)
    again = rulebook.fresh(ship) if written is None else rulebook.marks_from(ship, written)
    assert rulebook.state_document(ship, again) == document, "what is written reads the same"
    assert again == marks or type(marks) is not rulebook.state_type
    sheet = rulebook.sheet(state, ship.id)
    assert 0 <= sheet.trouble <= 1
    assert all(0 <= part.lost <= part.total for part in sheet.parts)
    assert (sheet.status == "sunk") == (rulebook.status(state, ship.id) is ShipStatus.SUNK)
