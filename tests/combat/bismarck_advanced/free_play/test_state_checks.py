"""Which marks a ship can have, and what is said of those that she cannot have."""

from dataclasses import replace
from typing import Any

import pytest

from combat.dice import TypedDice
from combat.rulebooks.bismarck_advanced.editions import FIRST
from combat.rulebooks.bismarck_advanced.fleet.vessel import RudderFault, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.free_play.rulebook import AdvancedRulebook
from combat.rulebooks.bismarck_advanced.free_play.ship_state import (
    ShipState,
    state_of,
    vessel_with,
)
from combat.rulebooks.bismarck_advanced.free_play.state_checks import (
    check_starting_state,
    check_state,
)
from combat.shot_file import ShotForm, resolve_shot
from tabletop.errors import BadField
from tests.combat.bismarck_advanced.shot_files import RULEBOOK

WARSHIPS = load_warships()
FAULT = RudderFault.NO_PORT
IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    ("Hood", {"hull_lost": 10.25}, "hull_lost"),
    ("Hood", {"hull_lost": 0.3}, "hull_lost"),
    ("Hood", {"superstructure_lost": 9.0}, "superstructure_lost"),
    ("Hood", {"turrets_lost": {"A": 3.25}}, "A"),
    ("Hood", {"movement_factors_lost": 11}, "movement_factors_lost"),
    ("Hood", {"ammunition": {"main": 721}}, "main"),
    ("Hood", {"jammed_guns": {"A": 3}}, "A"),
    ("Hood", {"turrets_spent": {"A": 181}}, "A"),
    ("Hood", {"secondaries_lost": ("P1", "P1")}, "secondaries_lost"),
    ("Hood", {"rudder_faults": (FAULT, FAULT)}, "rudder_faults"),
    ("Hood", {"hull_solid": 1}, "hull_solid"),
    ("Hood", {"hull_lost": 1.25, "hull_solid": 3}, "hull_solid"),
    ("Hood", {"turrets_lost": {"B": 1.0}, "turrets_solid": {"A": 1}}, "A"),
    ("Hood", {"secondaries_lost": ("P1",), "secondaries_solid": ("S1",)}, "secondaries_solid"),
    ("Hood", {"rudder_solid": (FAULT,)}, "rudder_solid"),
    ("Prince of Wales", {"torpedoes_fired": True}, "torpedoes_fired"),
    ("Renown", {"radar_lost": True}, "radar_lost"),
    ("Destroyer", {"director_destroyed": True}, "director_destroyed"),
    ("Destroyer", {"plot_destroyed": True}, "plot_destroyed"),
    ("Destroyer", {"command_modifier": 2}, "command_modifier"),
    ("Destroyer", {"rudder_faults": (FAULT,)}, "rudder_faults"),
    ("Destroyer", {"superstructure_lost": 0.25}, "superstructure_lost"),
]
POSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("Hood", {"hull_lost": 1.25, "hull_solid": 2}),
    ("Hood", {"turrets_lost": {"A": 3.0}, "turrets_solid": {"A": 3}, "jammed_guns": {"A": 2}}),
    ("Hood", {"secondaries_lost": ("P1", "S1"), "secondaries_solid": ("S1",)}),
    ("Hood", {"rudder_faults": (FAULT, RudderFault.NO_TURNS), "rudder_solid": (FAULT,)}),
    ("Hood", {"torpedoes_fired": True, "radar_lost": True, "turrets_spent": {"A": 180}}),
    ("Prince of Wales", {"torpedoes_fired": False}),
    ("Destroyer", {"hull_lost": 0.75, "torpedoes_fired": True}),
]


@pytest.mark.parametrize(("type_", "marks", "field"), IMPOSSIBLE)
def test_impossible_marks_name_their_field(type_: str, marks: dict[str, Any], field: str) -> None:
    with pytest.raises(BadField) as refused:
        check_state(ShipState(**marks), WARSHIPS.named(type_, "test"))
    assert refused.value.field == field
    assert refused.value.place.path[0].name == "state"


@pytest.mark.parametrize(("type_", "marks"), POSSIBLE)
def test_possible_marks_come_back_as_they_were_written(type_: str, marks: dict[str, Any]) -> None:
    warship, state = WARSHIPS.named(type_, "test"), ShipState(**marks)
    check_state(state, warship)
    back = state_of(vessel_with(state, Vessel.fresh(warship)))
    assert back == replace(state, torpedoes_fired=state.torpedoes_fired or None)


@pytest.mark.parametrize(
    ("marks", "field"), [({"hull_lost": 10.0}, "hull_lost"), ({"sunk": True}, "sunk")]
)
def test_a_wreck_has_possible_marks_and_begins_no_battle(marks: dict[str, Any], field: str) -> None:
    warship, state = WARSHIPS.named("Hood", "test"), ShipState(**marks)
    check_state(state, warship)
    with pytest.raises(BadField) as refused:
        check_starting_state(state, warship)
    assert refused.value.field == field


def shot_file(firer: str, state: dict[str, Any]) -> dict[str, Any]:
    return {
        "firer": {"name": firer, "speed": 4, "state": state},
        "target": {"name": "Bismarck", "speed": 4},
        "fire": {"range_yards": 9_000, "quadrant": "starboard", "aspect": "port"},
        "conditions": {"visibility": 2},
    }


def test_a_shot_file_says_which_marks_are_impossible_by_the_present_edition() -> None:
    document = shot_file("Prince of Wales", {"torpedoes_fired": True})
    with pytest.raises(BadField) as refused:
        ShotForm(RULEBOOK).read(document, "shot.toml")
    assert str(refused.value.place) == "shot.toml, [firer], [state]"
    assert refused.value.field == "torpedoes_fired"
    # What version 0.1.0 has answered it answers still.
    first = AdvancedRulebook(RULEBOOK.tables, WARSHIPS, RULEBOOK.rules, FIRST)
    shot = ShotForm(first).read(document, "shot.toml")
    assert resolve_shot(first, shot, TypedDice("66 " * 40)).events
