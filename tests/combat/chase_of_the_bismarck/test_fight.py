"""The book's fight of Prinz Eugen and Norfolk, die by die, the marks carried on."""

import random
from dataclasses import dataclass, field

import pytest

from combat.dice import RolledDice, TypedDice
from combat.report import Facts, Report
from combat.rulesets.chase_of_the_bismarck import load
from combat.rulesets.chase_of_the_bismarck.fire import ChaseFire
from combat.rulesets.chase_of_the_bismarck.sheet import record_sheet
from tabletop.arcs import Quadrant

TABLES = load().tables
FIRE = ChaseFire()
PRINZ_EUGEN, NORFOLK = "Prinz Eugen", "Norfolk"
Marks = dict[str, object]


@dataclass
class Fight:
    """Two ships and their marks, now and when the round began; all fire is simultaneous."""

    now: dict[str, Marks] = field(default_factory=lambda: {PRINZ_EUGEN: {}, NORFOLK: {}})
    at_start: dict[str, Marks] = field(default_factory=dict)
    positions: dict[str, str] = field(default_factory=dict)
    zones_between: int = 0

    def begin_round(self, zones_between: int, prinz_eugen: str, norfolk: str) -> None:
        self.at_start = {name: dict(marks) for name, marks in self.now.items()}
        self.zones_between = zones_between
        self.positions = {PRINZ_EUGEN: prinz_eugen, NORFOLK: norfolk}

    def attack(self, firer: str, dice: str, torpedoes: int = 0) -> Report:
        target = NORFOLK if firer == PRINZ_EUGEN else PRINZ_EUGEN
        facts = Facts(
            firer, firer, target, target, 0.0, Quadrant.BOW, Quadrant.BOW,
            battery="torpedoes" if torpedoes else "guns",
            conditions=(
                ("firer.position", self.positions[firer]),
                ("target.position", self.positions[target]),
                ("fire.zones_between", str(self.zones_between)),
                ("fire.torpedoes", str(torpedoes or 1)),
                ("conditions.visibility", "9"),
            ),
        )  # fmt: skip
        file = FIRE.shot(facts, {"firer": self.at_start[firer], "target": self.now[target]})
        rolls = TypedDice(dice)
        report = FIRE.resolve(file, rolls, TABLES)
        rolls.finish()
        self.now[target] = dict(report.after["target"])
        # The firer fired as she was: of her marks only what firing itself has changed is new.
        before = self.at_start[firer]
        self.now[firer] |= {
            key: value
            for key, value in report.after.get("firer", {}).items()
            if value != before.get(key, 0)
        }
        return report

    def hurt(self, ship: str) -> Marks:
        found = {key: value for key, value in self.now[ship].items() if value}
        return {key: value for key, value in found.items() if key != "acquired"}


def test_the_three_rounds_of_the_book() -> None:
    fight = Fight()

    fight.begin_round(3, "closing", "breaking-off")
    reports = [fight.attack(PRINZ_EUGEN, "9 5 2"), fight.attack(NORFOLK, "5 0")]
    assert all(report.document["target_acquired"] for report in reports)
    assert fight.hurt(NORFOLK) == {"stern_lost": 1}
    assert fight.hurt(PRINZ_EUGEN) == {"hull_lost": 1}
    assert fight.now[NORFOLK]["acquired"] == {PRINZ_EUGEN: 1}

    fight.begin_round(1, "closing", "opening")
    # Who was hit last round is an acquired target, without anybody's saying so.
    salvo = fight.attack(PRINZ_EUGEN, "7 7 8 3 5").document
    assert salvo["results"] == ["9: miss", "9: miss", "10: miss", "5: hull 1", "7: stern 1"]
    # The stern hit of this round does not yet count: three factors make five dice.
    assert fight.attack(NORFOLK, "7 7 8 6 2 0").document["dice_count"] == 5
    critical = fight.attack(PRINZ_EUGEN, "4 0 0 0 5 9", torpedoes=3)
    assert critical.story[-1].text == "Norfolk now moves 2 movement zones at most"
    rudder = fight.attack(NORFOLK, "7 1 6 3", torpedoes=3)
    assert rudder.story[-1].text == "Prinz Eugen now moves 0 movement zones at most"
    assert fight.hurt(NORFOLK) == {
        "hull_lost": 3, "stern_lost": 2, "evasion_lost": 10, "torpedoes_used": 3,
    }  # fmt: skip
    assert fight.hurt(PRINZ_EUGEN) == {
        "hull_lost": 2, "evasion_lost": 5, "torpedoes_used": 3, "rudder_damaged": True,
    }  # fmt: skip

    fight.begin_round(1, "closing", "opening")
    assert fight.attack(PRINZ_EUGEN, "9 3 8 8 7").document["target_sunk"] is True
    assert fight.attack(NORFOLK, "5 7 3").document["dice_count"] == 3
    fight.attack(NORFOLK, "2 4", torpedoes=1)
    assert fight.hurt(PRINZ_EUGEN) == {
        "hull_lost": 3, "bow_lost": 1, "stern_lost": 1, "evasion_lost": 5, "torpedoes_used": 3,
        "rudder_damaged": True,
    }  # fmt: skip
    assert fight.hurt(NORFOLK)["torpedoes_used"] == 4
    assert record_sheet(NORFOLK, NORFOLK, "British", fight.now[NORFOLK], TABLES).status == "sunk"


@pytest.mark.parametrize("ship", [ship.name for ship in load().ships])
def test_the_marks_of_any_ship_can_be_carried_on_until_she_sinks(ship: str) -> None:
    """Bombs, submarines and Bismarck's guns in turn: every report's marks make the next file."""
    marks: Marks = {}
    dice, hull = RolledDice(random.Random(ship)), 0
    for number in range(300):
        battery, firer = (("guns", "Bismarck"), ("air", ""), ("submarine", ""))[number % 3]
        facts = Facts(
            firer, firer, "She", ship, 0.0, Quadrant.BOW, Quadrant.BOW, battery=battery,
            conditions=(("conditions.visibility", "4"),),
        )  # fmt: skip
        report = FIRE.resolve(FIRE.shot(facts, {"target": marks}), dice, TABLES)
        marks = dict(report.after["target"])
        drawn = record_sheet("She", ship, "", marks, TABLES)
        lost = drawn.parts[0].lost
        assert hull <= lost <= drawn.parts[0].total
        hull = lost
        if report.document["target_sunk"]:
            break
    assert (drawn.status, drawn.trouble) == ("sunk", 1.0)
