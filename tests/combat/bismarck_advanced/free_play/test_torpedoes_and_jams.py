"""Torpedoes (69) and rolls for jams (71) in free play."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from combat.actions import Action, AddShip, NextRound
from combat.dice import Dice, TypedDice
from combat.event_reports import events_of, provenance_of
from combat.events import Acted, Event, Sunk
from combat.forecast import every_outcome
from combat.free_play import FreeState
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fire.events import (
    Fired,
    GunsJammed,
    TorpedoesRan,
    TorpedoStruck,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS
from combat.rulebooks.bismarck_advanced.free_play.actions import Fire, Jams, Torpedoes
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks, ShipState
from combat.rulebooks.bismarck_advanced.movement.evolution import Evolution
from combat.shot_file import ShotForm, forecast_shots, resolve_shot
from tabletop.arcs import Quadrant
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tests.combat.bismarck_advanced.shot_files import RULEBOOK

State = FreeState[FightMarks]
NO_DICE = TypedDice("")


def ship(name: str, side: str = "british") -> Ship:
    return Ship(name.lower(), name, side, name)


def battle(*names: str, **marks: ShipState) -> State:
    state: State = FreeState()
    for number, name in enumerate(names):
        added: AddShip[Any] = AddShip(
            ship=ship(name, ("german", "british")[number % 2]), marks=marks.get(name)
        )
        state = RULEBOOK.play(state, added, NO_DICE).state
    return state


def torpedoes(by: str, at: str, **changes: Any) -> Torpedoes:
    plain: dict[str, Any] = {"range_yards": 3000.0, "aspect": Quadrant.PORT}
    return Torpedoes(by=by, at=at, **{**plain, **changes})


def fire(by: str, at: str, **changes: Any) -> Fire:
    plain: dict[str, Any] = {
        "kind": "main",
        "range_yards": 6000.0,
        "quadrant": Quadrant.PORT,
        "aspect": Quadrant.PORT,
    }
    return Fire(by=by, at=at, **{**plain, **changes})


def played(state: State, action: Action, dice: str = "") -> tuple[State, tuple[Event, ...]]:
    typed = TypedDice(dice)
    outcome = RULEBOOK.play(state, action, typed)
    typed.finish()
    return outcome.state, outcome.events


def refusal(state: State, action: Action) -> tuple[str, str]:
    preview = RULEBOOK.check(state, action)
    assert preview.forbidden is not None
    with pytest.raises(Forbidden):
        RULEBOOK.play(state, action, TypedDice("11 1 1"))
    return preview.forbidden.code.removeprefix("advanced.forbidden."), preview.rule


# Torpedoes


def test_a_salvo_is_rolled_marked_and_spent() -> None:
    state = battle("Prinz Eugen", "Hood")
    action = torpedoes("prinz eugen", "hood")
    preview = RULEBOOK.check(state, action)
    assert (preview.factor, preview.total) == (6, 0)
    assert preview.mounts == ()
    after, events = played(state, action, "61 5 1")
    (ran,) = events_of(TorpedoesRan, events)
    assert (ran.ship, ran.target, ran.row, ran.column) == ("prinz eugen", "hood", "61", "one 6")
    assert [hit.die for hit in events_of(TorpedoStruck, events)] == [5, 1]
    hood, eugen = after.marks["hood"], after.marks["prinz eugen"]
    assert (hood.vessel.hull_lost, hood.vessel.movement_factors_lost) == (4 * QUARTERS, 2)
    assert hood.hit
    assert eugen.vessel.torpedoes_fired
    assert after.firing["prinz eugen"].vessel.torpedoes_fired
    assert after.firing["hood"] == state.firing["hood"], "damage counts from the next round (19.6)"
    assert provenance_of(events) is Provenance.PRINTED
    parts = {part.key: part for part in RULEBOOK.sheet(after, "prinz eugen").parts}
    assert (parts["torpedoes"].lost, parts["torpedoes"].total) == (6, 6)


@pytest.mark.parametrize(
    ("by", "at", "changes", "marks", "why"),
    [
        ("bismarck", "hood", {}, {}, ("no_torpedoes", "69.1")),
        ("prinz eugen", "hood", {"range_yards": 8000.5}, {}, ("beyond_torpedoes", "69.1")),
        ("prinz eugen", "hood", {"blocked": True}, {}, ("torpedoes_blocked", "69.1")),
        (
            "prinz eugen",
            "hood",
            {},
            {"Prinz Eugen": ShipState(torpedoes_fired=True)},
            ("torpedoes_fired", "19.3"),
        ),
        ("prinz eugen", "hood", {}, {"Hood": ShipState(sunk=True)}, ("sunk", "64.8")),
        ("prinz eugen", "hood", {}, {"Prinz Eugen": ShipState(hull_lost=6.0)}, ("sunk", "64.8")),
    ],
)
def test_who_may_not_launch(
    by: str, at: str, changes: dict[str, Any], marks: dict[str, ShipState], why: tuple[str, str]
) -> None:
    state = battle("Prinz Eugen", "Hood", "Bismarck", **marks)
    assert refusal(state, torpedoes(by, at, **changes)) == why


def test_evasion_is_that_of_the_beginning_of_the_round() -> None:
    state = battle("Prinz Eugen", "Hood", "Norfolk")
    slow = ShipState(movement_factors_lost=8)
    second = torpedoes("norfolk", "hood")
    once, _ = played(state, torpedoes("prinz eugen", "hood"), "51 4")
    assert once.marks["hood"].vessel.movement_factor == 4
    assert RULEBOOK.check(once, second).total == 0
    after = RULEBOOK.play(once, NextRound(), NO_DICE).state
    # A movement factor of 4 is evasion 12: three more on the coloured die.
    assert RULEBOOK.check(after, second).total == 18
    stopped = battle("Prinz Eugen", "Hood", Hood=slow)
    assert RULEBOOK.check(stopped, torpedoes("prinz eugen", "hood")).total == 24


@pytest.mark.parametrize(
    ("aspect", "evolution", "value"),
    [
        (Quadrant.PORT, Evolution.STEADY, 0),
        (Quadrant.BOW, Evolution.STEADY, -9),
        (Quadrant.PORT, Evolution.WEAVING, -9),
        (Quadrant.STERN, Evolution.WEAVING, -9),
        (Quadrant.PORT, Evolution.SALVO_CHASING, 0),
    ],
)
def test_combing_and_weaving_count_once(aspect: Quadrant, evolution: Evolution, value: int) -> None:
    action = torpedoes("prinz eugen", "hood", aspect=aspect, target_evolution=evolution)
    ledger = RULEBOOK.check(battle("Prinz Eugen", "Hood"), action).ledger
    assert [(line.number, line.value) for line in ledger] == [("evasion", 0), ("dodging", value)]


def test_a_torpedo_hit_worries_the_gunners_of_the_next_round() -> None:
    state, _ = played(battle("Prinz Eugen", "Hood"), torpedoes("prinz eugen", "hood"), "51 1")
    state = RULEBOOK.play(state, NextRound(), NO_DICE).state
    preview = RULEBOOK.check(state, fire("hood", "prinz eugen"))
    ledger = {line.number: line.value for line in preview.ledger}
    assert ledger[5] == RULEBOOK.tables["modifiers"].integer("5 hit", "value")


def test_a_cruiser_may_sink_outright() -> None:
    state = battle("Prinz Eugen", "Norfolk")
    after, events = played(state, torpedoes("norfolk", "prinz eugen"), "51 6")
    (sunk,) = events_of(Sunk, events)
    assert (sunk.ship, sunk.target) == ("norfolk", "prinz eugen")
    assert RULEBOOK.status(after, "prinz eugen") is ShipStatus.SUNK
    assert after.marks["prinz eugen"].vessel.hull_lost == 0
    assert RULEBOOK.document(events)["target_sunk"] is True
    answer = torpedoes("prinz eugen", "norfolk")
    assert not RULEBOOK.check(after, answer).forbidden, "she fires as she was (19.6)"
    assert refusal(after, torpedoes("norfolk", "prinz eugen")) == ("sunk", "64.8")


def fallen(state: State, action: Torpedoes) -> dict[tuple[int, float, bool, bool], float]:
    """Hits, hull boxes, whether she sinks and whether she is slower: every fall of the dice."""

    def play(dice: Dice) -> tuple[int, float, bool, bool]:
        outcome = RULEBOOK.play(state, action, dice)
        (ran,) = events_of(TorpedoesRan, outcome.events)
        before, after = state.marks[action.at].vessel, outcome.state.marks[action.at].vessel
        boxes = (after.hull_lost - before.hull_lost) / QUARTERS
        return ran.hits, boxes, after.is_sunk, after.movement_factor < before.movement_factor

    ways: dict[tuple[int, float, bool, bool], float] = defaultdict(float)
    for outcome in every_outcome(play):
        ways[outcome.result] += float(outcome.probability)
    return ways


@pytest.mark.parametrize(
    ("target", "marks"),
    [
        ("Prinz Eugen", ShipState()),
        ("Prinz Eugen", ShipState(hull_lost=4.25)),
        ("Hood", ShipState(hull_lost=5.0)),
        ("Bismarck", ShipState()),
        ("Prince of Wales", ShipState(movement_factors_lost=10)),
        ("Destroyer", ShipState()),
        ("Victorious", ShipState()),
    ],
)
def test_the_odds_are_what_every_fall_of_the_dice_comes_to(target: str, marks: ShipState) -> None:
    state = battle("Norfolk", target, **{target: marks})
    action = torpedoes("norfolk", target.lower())
    forecast, ways = RULEBOOK.forecast(state, [action]), fallen(state, action)
    hits: dict[int, float] = defaultdict(float)
    boxes: dict[tuple[float, float], float] = defaultdict(float)
    for (number, marked, _, _), share in ways.items():
        hits[number] += share
        boxes[marked, 0.0] += share
    assert forecast.hits == pytest.approx(dict(hits), abs=1e-12)
    assert forecast.boxes == pytest.approx(dict(boxes), abs=1e-12)
    sunk = sum(share for (_, _, sinks, _), share in ways.items() if sinks)
    slower = sum(share for (_, _, _, slows), share in ways.items() if slows)
    assert forecast.outcomes == pytest.approx({"speed_lost": slower, "sunk": sunk}, abs=1e-12)
    # That any torpedo fills a destroyer's box follows from 70.2.
    derived = target == "Destroyer"
    assert forecast.provenance is (Provenance.DERIVED if derived else Provenance.PRINTED)


def test_two_salvos_at_one_ship() -> None:
    state = battle("Norfolk", "Prinz Eugen", "Suffolk")
    salvos = [torpedoes(by, "prinz eugen") for by in ("norfolk", "suffolk")]
    first, second = (fallen(state, action) for action in salvos)
    forecast = RULEBOOK.forecast(state, salvos)
    hits: dict[int, float] = defaultdict(float)
    sunk, whole = 0.0, state.marks["prinz eugen"].vessel.warship.hull_boxes
    for (number, boxes, sinks, _), share in first.items():
        for (more, other_boxes, other_sinks, _), part in second.items():
            hits[number + more] += share * part
            sunk += share * part * (sinks or other_sinks or boxes + other_boxes >= whole)
    assert forecast.hits == pytest.approx(dict(hits), abs=1e-12)
    assert forecast.outcomes["sunk"] == pytest.approx(sunk, abs=1e-12)


def test_guns_and_torpedoes_at_one_ship_add_up() -> None:
    state = battle("Norfolk", "Prinz Eugen", "Suffolk")
    guns, salvo = fire("suffolk", "prinz eugen"), torpedoes("norfolk", "prinz eugen")
    apart = [RULEBOOK.forecast(state, [action]) for action in (guns, salvo)]
    both = RULEBOOK.forecast(state, [guns, salvo])
    assert both.expected_hits == pytest.approx(sum(each.expected_hits for each in apart))
    assert both.outcomes == pytest.approx(RULEBOOK.forecast(state, [salvo, guns]).outcomes)
    afloat = [1 - each.outcomes["sunk"] for each in apart]
    # Neither sinks her alone more often than both together, and together they sink her more often.
    assert max(each.outcomes["sunk"] for each in apart) < both.outcomes["sunk"]
    assert 1 - both.outcomes["sunk"] <= afloat[0] * afloat[1] + 1e-12
    assert both.provenance is Provenance.RECONSTRUCTED
    assert "turret_lost" in both.outcomes


# Jams


def jams(**changes: Any) -> Jams:
    return Jams(by="prince of wales", **changes)


def guns_of(state: State, **changes: Any) -> int:
    return RULEBOOK.check(state, fire("prince of wales", "bismarck", **changes)).guns_bearing


def test_a_jam_for_the_battle_stays_and_one_for_a_fire_ends_with_the_round() -> None:
    state = battle("Bismarck", "Prince of Wales")
    assert guns_of(state) == 10
    state, events = played(state, jams(), "12")
    (jam,) = events_of(GunsJammed, events)
    assert (jam.turret, jam.guns, jam.permanent, jam.rule) == ("B", 1, True, "71.4")
    assert guns_of(state) == 9
    state = RULEBOOK.play(state, NextRound(), NO_DICE).state
    state, _ = played(state, jams(), "33")
    assert guns_of(state) == 7
    after = RULEBOOK.play(state, NextRound(), NO_DICE).state
    assert guns_of(after) == 9
    written = RULEBOOK.written(ship("Prince of Wales"), after.marks["prince of wales"])
    assert written.jammed_guns == {"B": 1}
    _, events = played(state, fire("prince of wales", "bismarck", blocked=True, smoke=True), "66")
    assert events_of(Fired, events)[0].guns == 7


def test_what_is_said_of_a_turret_counts_before_the_roll() -> None:
    state, _ = played(battle("Bismarck", "Prince of Wales"), jams(), "24")
    assert guns_of(state) == 8
    assert guns_of(state, jammed={"A": 1}) == 9
    assert guns_of(state, jammed={"A": 0}) == 10
    assert guns_of(state, jammed={"X": 4}) == 4


@pytest.mark.parametrize(
    ("changes", "dice", "rule"),
    [
        ({"quadrant": Quadrant.BOW}, "13", "71.2"),
        ({"turrets": ("B",)}, "11", "71.2"),
        ({"quadrant": Quadrant.BOW, "turrets": ("A", "X")}, "32", "71.2"),
        ({"turrets": ("X",)}, "32", "71.5"),
        ({}, "34", "71.3"),
    ],
)
def test_a_turret_that_does_not_fire_is_ignored(
    changes: dict[str, Any], dice: str, rule: str
) -> None:
    state = battle("Bismarck", "Prince of Wales")
    after, events = played(state, jams(**changes), dice)
    (jam,) = events_of(GunsJammed, events)
    assert (jam.rule, jam.guns > 0) == (rule, rule == "71.5")
    assert after.marks["prince of wales"].vessel == state.marks["prince of wales"].vessel


def test_when_she_does_not_roll() -> None:
    state = battle("Bismarck", "Prince of Wales")
    assert refusal(state, Jams(by="bismarck")) == ("never_jams", "71.1")
    rolled, _ = played(state, jams(), "66")
    assert refusal(rolled, jams()) == ("jams_rolled", "71.2")
    at_bismarck = fire("prince of wales", "bismarck", blocked=True, smoke=True)
    fired, _ = played(state, at_bismarck, "66")
    assert refusal(fired, jams()) == ("jams_too_late", "71.2")
    secondaries, _ = played(state, replace(at_bismarck, kind="secondary"), "66")
    assert not RULEBOOK.check(secondaries, jams()).forbidden, "jams are of the main guns"
    empty = battle("Prince of Wales", **{"Prince of Wales": ShipState(ammunition={"main": 0})})
    assert refusal(empty, jams()) == ("no_turret_fires", "71.2")
    sunk = battle("Prince of Wales", **{"Prince of Wales": ShipState(sunk=True)})
    assert refusal(sunk, jams()) == ("sunk", "64.8")
    with pytest.raises(UnknownName, match="turrets"):
        RULEBOOK.check(state, jams(turrets=("Q",)))


def test_the_odds_of_jams_are_those_of_the_table() -> None:
    state = battle("Bismarck", "Prince of Wales", "Tirpitz")
    forecast = RULEBOOK.forecast(state, [jams()])
    assert forecast.outcomes == pytest.approx({"jammed": 15 / 36, "jammed_for_battle": 3 / 36})
    assert sum(forecast.results.values()) == pytest.approx(1)
    assert [said["turret"] for said in forecast.results if said.code.endswith("lasting")] == [
        "A",
        "B",
        "X",
    ]
    assert forecast.results[Message("advanced.jam.none")] == pytest.approx(21 / 36)
    two_of_a = Message("advanced.jam.this_fire", n=2, turret="A")
    assert forecast.results[two_of_a] == pytest.approx(2 / 36)
    # 25 stands in two rows of the printed table.
    assert forecast.provenance is Provenance.DERIVED
    tirpitz = RULEBOOK.forecast(state, [Jams(by="tirpitz")])
    assert tirpitz.provenance is Provenance.PRINTED
    with pytest.raises(DreyerError, match=r"combat\.forecast\.alone"):
        RULEBOOK.forecast(state, [jams(), Jams(by="tirpitz")])


def test_a_roll_for_jams_tells_what_it_came_to() -> None:
    _, events = played(battle("Prince of Wales"), jams(), "25")
    (acted,) = events_of(Acted, events)
    assert (acted.action, acted.factor, acted.rule) == ("jams", 10, "71.2")
    document = RULEBOOK.document(events)
    told = {key: document[key] for key in ("battery", "dice", "turret", "guns", "permanent")}
    assert told == {"battery": "jams", "dice": "25", "turret": "A", "guns": 2, "permanent": False}
    assert document["provenance"] is Provenance.DERIVED
    title, line = RULEBOOK.story(events)
    assert title.text["ship"] == ShipRef("prince of wales")
    assert line.reference == "71.5"


# Files


def shot(document: dict[str, Any]) -> Any:
    return ShotForm(RULEBOOK).read(document, "shot.toml")


def test_files_of_torpedoes_and_jams_say_no_more_than_they_must() -> None:
    salvo = shot(
        {
            "firer": {"name": "Prinz Eugen"},
            "target": {"name": "Hood"},
            "fire": {"battery": "torpedoes", "range_yards": 8000, "aspect": "stern"},
            "conditions": {"target_evolution": "weaving"},
        }
    )
    events = resolve_shot(RULEBOOK, salvo, TypedDice("66")).events
    document = RULEBOOK.document(events)
    assert (document["column"], document["modifier_total"], document["row"]) == ("two 6", -9, "53")
    assert forecast_shots(RULEBOOK, [salvo]).hits == {0: 1.0}
    roll = shot({"firer": {"name": "Tirpitz"}, "fire": {"battery": "jams", "turrets": ["A"]}})
    assert RULEBOOK.document(resolve_shot(RULEBOOK, roll, TypedDice("21")).events)["guns"] == 2
    with pytest.raises(DreyerError, match="range_yards"):
        shot(
            {
                "firer": {"name": "Hood"},
                "target": {"name": "Bismarck"},
                "fire": {"battery": "torpedoes"},
            }
        )
