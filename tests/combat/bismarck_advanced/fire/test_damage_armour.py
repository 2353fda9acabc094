"""Rule 63 shell by shell: where she is struck and against what armour, by the printed files."""

import csv
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from combat.dice import Choice, Pair
from combat.rulebooks import bismarck_advanced
from combat.rulebooks.bismarck_advanced.combat_tables import Location
from combat.rulebooks.bismarck_advanced.fire.damage import Shell, resolve_hit
from combat.rulebooks.bismarck_advanced.fleet.vessel import TurretState
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from tabletop.arcs import Quadrant
from tabletop.messages import Message
from tests.combat.bismarck_advanced.hits import (
    BLANK,
    BOW,
    EXTREME,
    HELD,
    MEDIUM_HIGH,
    MEDIUM_LOW,
    PORT,
    QUARTERS,
    SHORT,
    STARBOARD,
    STERN,
    E,
    F,
    Z,
    boxes_of,
    hit,
)
from tests.combat.bismarck_advanced.sheets import CARD, fresh

FOLDER = Path(bismarck_advanced.__file__).parent
LONG_LOW, LONG_HIGH = RangeBand.LONG_LOW, RangeBand.LONG_HIGH


# --- 63: where, and against what armour ----------------------------------------------------


@pytest.mark.parametrize(
    ("aspect", "dice", "location"),
    [
        (PORT, "12", Location.HULL),
        (STARBOARD, "12", Location.HULL),
        (BOW, "12 1 1", Location.BOW_TURRET),
        (STERN, "12 1 1", Location.BOW_TURRET),
    ],
)
def test_the_section_is_chosen_by_aspect(aspect: Quadrant, dice: str, location: Location) -> None:
    """63.2: row 12 is the hull from broadside and a bow turret from ahead or astern."""
    assert hit("Bismarck", dice, Z, aspect=aspect)[1].location is location


@pytest.mark.parametrize(
    ("aspect", "dice", "inches"),
    [(PORT, "12", 12), (STARBOARD, "12", 12), (BOW, "13", 14), (STERN, "13", 14)],
)
def test_the_belt_by_aspect(aspect: Quadrant, dice: str, inches: int) -> None:
    """Hood's belt is 12 inches from broadside and 14 end-on; E goes through 12 at medium low."""
    after, report = hit("Hood", dice, E, MEDIUM_LOW, aspect)
    assert (report.armour, report.armour_inches) == (ArmourCode.BELT, inches)
    assert report.penetration_inches == 12
    assert report.penetrated is (inches == 12)
    assert after.hull_lost == (4 if inches == 12 else 0)


@pytest.mark.parametrize(("aspect", "inches"), [(PORT, 4), (BOW, 6), (STERN, 6), (STARBOARD, 4)])
def test_the_rudder_by_aspect(aspect: Quadrant, inches: int) -> None:
    report = hit("Hood", "65", Z, MEDIUM_LOW, aspect)[1]
    assert (report.armour, report.armour_inches) == (ArmourCode.RUDDER, inches)


@pytest.mark.parametrize(
    ("band", "inches"),
    [(EXTREME, 4), (LONG_HIGH, 8), (LONG_LOW, 14), (MEDIUM_HIGH, 14), (MEDIUM_LOW, 14),
     (SHORT, 14), (BLANK, 14)],
)  # fmt: skip
def test_the_deck_by_range(band: RangeBand, inches: int) -> None:
    """Row 56 is deck at every range; Hood's is 4, 8 and 14 inches."""
    after, report = hit("Hood", "56", E, band)
    assert (report.armour, report.armour_inches) == (ArmourCode.DECK, inches)
    penetrates = band in (EXTREME, SHORT, BLANK)
    assert report.penetrated is penetrates
    assert report.effect == (boxes_of("hull", "1") if penetrates else HELD)
    assert after.hull_lost == 4 * penetrates


@pytest.mark.parametrize(
    ("band", "code", "inches"),
    [(EXTREME, "CA", 4), (LONG_HIGH, "CA", 8), (LONG_LOW, "CA", 14), (MEDIUM_HIGH, "CA", 14),
     (SHORT, "MG", 16)],
)  # fmt: skip
def test_the_crown_by_range(band: RangeBand, code: str, inches: int) -> None:
    """Row 32 meets the crown from medium range on, and the turret's face nearer."""
    report = hit("Hood", "32 1 1" if band is not EXTREME else "32 1", E, band)[1]
    assert (report.armour, report.armour_inches) == (code, inches)
    assert report.penetrated is (band is EXTREME)


@pytest.mark.parametrize(
    ("dice", "code", "inches"),
    [("21", "CT", 14), ("41", "DI", 2), ("53", "PL", 14), ("24 1", "SA", 4), ("13 1", "MG", 14)],
)
def test_the_other_kinds_of_armour(dice: str, code: str, inches: int) -> None:
    report = hit("Bismarck", dice, Z, MEDIUM_LOW)[1]
    assert (report.armour, report.armour_inches, report.penetrated) == (code, inches, False)
    assert report.penetration_inches is None


@pytest.mark.parametrize(
    ("gun", "band", "penetrated"),
    [(F, SHORT, True), (E, SHORT, False), (F, BLANK, True), (E, BLANK, True)],
)
def test_equal_penetrates(gun: GunType, band: RangeBand, penetrated: bool) -> None:
    """63.5: Bismarck's belt is 16 inches; F has 16 at short range, E 14."""
    after, report = hit("Bismarck", "12", gun, band)
    assert (report.armour_inches, report.penetrated) == (16, penetrated)
    assert after.hull_lost == 4 * penetrated


def test_no_armour_no_question() -> None:
    """63.6: a superstructure has none, nor have Prince of Wales's secondaries."""
    after, report = hit("Bismarck", "14", Z, EXTREME)
    assert (report.armour, report.armour_inches, report.penetrated) == (None, None, True)
    assert after.superstructure_lost == 1
    after, report = hit("Prince of Wales", "24 1", Z, EXTREME)
    assert (report.armour, report.armour_inches, report.penetrated) == ("SA", None, True)
    assert after.secondaries_lost == {"P1"}


@cache
def csv_cells(name: str) -> Mapping[tuple[str, str], str]:
    with (FOLDER / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {(cell["row"], cell["column"]): cell["value"] for cell in csv.DictReader(file)}


@cache
def chart(ship: str) -> Mapping[str, list[int | str] | int | str]:
    for path in (FOLDER / "ships").glob("*.toml"):
        for entry in tomllib.loads(path.read_text("utf-8"))["ship"]:
            if entry["name"] == ship:
                armour: Mapping[str, list[int | str] | int | str] = entry["armour"]
                return armour
    raise AssertionError(ship)


class OneAndAgain:
    """The location is given; every other die is a one, every choice the first."""

    def __init__(self, location: Pair) -> None:
        self.location = location

    def pair(self, purpose: Message) -> Pair:
        return self.location

    def die(self, purpose: Message) -> int:
        return 1

    def ten_sided(self, purpose: Message) -> int:
        raise AssertionError(f"the Advanced Game has no ten-sided dice, yet rolls for {purpose}")

    def choice(self, count: int, purpose: Message) -> Choice:
        return Choice(0, ())


@pytest.mark.parametrize("ship", ["Hood", "Bismarck", "Repulse", "Prinz Eugen", "Norfolk"])
@pytest.mark.parametrize("aspect", [STARBOARD, BOW])
def test_every_row_range_and_gun_beside_the_printed_files(ship: str, aspect: Quadrant) -> None:
    """A second reading of 63.4 to 64.35, straight from the CSV and TOML files."""
    end_on = aspect is BOW
    table = csv_cells("damage_end_on" if end_on else "damage_broadside")
    keys = {
        "BA": "belt", "DA": "deck", "MG": "main_gun", "CA": "crown", "SA": "secondary",
        "CT": "conning_tower", "PL": "plot", "DI": "director", "RU": "rudder",
    }  # fmt: skip
    groups = ("short", "short", "medium", "medium", "long", "long", "extreme")
    before = fresh(ship)
    for index in range(1, 37):
        pair = Pair.of_index(index)
        for gun in GunType:
            for band, group in zip(RangeBand, groups, strict=True):
                code, inches = table[str(pair), group], "-"
                if code != "-":
                    value = chart(ship)[keys[code]]
                    if isinstance(value, list):
                        plunging = {"extreme": 0, "long_high": 1}.get(band, 2)
                        value = value[plunging if code in ("DA", "CA") else end_on]
                    inches = str(value)
                power = csv_cells("penetration")[gun, band]
                through = inches == "-" or (power != "-" and int(power) >= int(inches))
                after, report = resolve_hit(
                    Shell(gun, band, aspect), before, OneAndAgain(pair), CARD
                )
                assert report.penetrated is through, (ship, pair, gun, band)
                location, size = table[str(pair), "location"], QUARTERS[gun]
                also = size * (through and table[str(pair), "mark"] == "**")
                if location in ("bow_turret", "stern_turret"):
                    struck = before.warship.bow_turrets[0]
                    if location == "stern_turret":
                        struck = before.warship.stern_turrets[0]
                    expected = TurretState(12, destroyed=True) if through else TurretState(size)
                    assert after.turrets[after.turret_number(struck.name)] == expected
                    assert after.hull_lost == also
                elif location == "hull":
                    assert after.hull_lost == size * through
                elif location == "superstructure":
                    assert after.superstructure_lost == size
                elif location == "secondary":
                    assert len(after.secondaries_lost) == through
                elif location == "speed":
                    assert after.movement_factors_lost == through
                elif location == "special_a":
                    assert after.hull_lost == size * through
                else:
                    # A one does nothing in any other special table.
                    assert after == before
