"""Where a battery reaches is where its rulebook lets it fire."""

from itertools import product
from typing import Any

import pytest

from combat.actions import AddShip
from combat.dice import TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.rulebooks import NAMES, get_ruleset
from tabletop.arcs import Quadrant

FIRERS = {
    "bismarck-advanced": ("Hood", "Bismarck", "Prinz Eugen"),
    "grand-fleets": ("Sample battleship", "Sample battlecruiser", "Sample cruiser"),
}


def battle_of(name: str, firer: str) -> tuple[FreeRulebook[Any], FreeState[Any]]:
    ruleset = get_ruleset(name)
    assert ruleset.rulebook is not None
    rulebook = ruleset.rulebook(ruleset.tables)
    state: FreeState[Any] = FreeState()
    for ship, card in (("firer", firer), ("target", FIRERS[name][0])):
        joined: AddShip[Any] = AddShip(ship=Ship(ship, ship, ship, card))
        state = rulebook.play(state, joined, TypedDice("")).state
    return rulebook, state


@pytest.mark.parametrize(
    ("name", "firer"), [(name, firer) for name, firers in FIRERS.items() for firer in firers]
)
def test_a_fire_is_allowed_within_reach_and_forbidden_outside(name: str, firer: str) -> None:
    rulebook, state = battle_of(name, firer)
    reaches = rulebook.reaches(state.ship("firer"), state.marks["firer"])
    assert reaches
    outcomes = set()
    for reach, quadrant, range_yards in product(reaches, Quadrant, range(500, 30_000, 1_000)):
        info = rulebook.info_by_kind[reach.battery]
        values: dict[str, Any] = {
            "by": "firer",
            "at": "target",
            "range_yards": range_yards,
            "quadrant": quadrant,
            "aspect": Quadrant.PORT,
        }
        action = info.type(kind=reach.battery, **values)
        bands = (b for b in reach.bands if b.inner_yards < range_yards <= b.outer_yards)
        reached = reach.arc.bears_into(quadrant) and any(bands)
        allowed = not rulebook.check(state, action).forbidden
        assert allowed == reached, (reach.battery, quadrant, range_yards)
        outcomes.add(allowed)
    assert outcomes == {True, False}


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(FIRERS)))
def test_a_rulebook_without_a_measured_table_has_no_reaches(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.rulebook is not None
    rulebook = ruleset.rulebook(ruleset.tables)
    card = next(iter(ruleset.ships)).name
    ship = Ship("firer", "firer", "side", card)
    assert not ruleset.needs_table
    assert rulebook.reaches(ship, rulebook.fresh(ship)) == ()


def test_turrets_that_cannot_fire_bear_nowhere() -> None:
    rulebook, state = battle_of("bismarck-advanced", "Hood")
    hood = state.ship("firer")
    written = rulebook.state_type(turrets_out=("A", "B"))
    before, after = (
        rulebook.reaches(hood, marks)[0]
        for marks in (state.marks["firer"], rulebook.marks_from(hood, written))
    )
    assert before.battery == after.battery == "main"
    assert before.arc.bears_into(Quadrant.BOW)
    assert not after.arc.bears_into(Quadrant.BOW)
    assert after.arc.bears_into(Quadrant.STERN)


def test_a_sunk_ship_reaches_nowhere() -> None:
    rulebook, state = battle_of("bismarck-advanced", "Hood")
    hood = state.ship("firer")
    sunk = rulebook.marks_from(hood, rulebook.state_type(hull_lost=10.0))
    assert rulebook.reaches(hood, sunk) == ()
