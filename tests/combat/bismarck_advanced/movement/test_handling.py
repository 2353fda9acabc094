"""The numbers of movement: complete, sourced, and refused when they are not."""

import re
from importlib.resources import files

import pytest

from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced import movement
from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, read_movement_rules
from combat.ships import ShipClass
from tabletop.errors import DreyerError
from web.strings import words

SHIPPED = (files(movement) / "movement.toml").read_text("utf-8")


def test_the_shipped_numbers_read_back() -> None:
    assert read_movement_rules(SHIPPED.encode(), "movement.toml") == MOVEMENT
    assert set(MOVEMENT.handling) == set(ShipClass)


def test_the_factor_is_within_the_bounds_of_the_worked_example() -> None:
    assert 222 <= MOVEMENT.factor_yards <= 400
    assert MOVEMENT.sources["gauge"].provenance is Provenance.RECONSTRUCTED


@pytest.mark.parametrize(
    ("pattern", "replacement", "complaint"),
    [
        (r"\[gauge\]\nfactor_yards = 300", "[gauge]", "[gauge]: factor_yards: expected"),
        (r"factor_yards = 300", "factor_yards = 0", "a number of yards above 0"),
        (r"factor_yards = 300", "faktor_yards = 300", "nearest known key is 'factor_yards'"),
        (r'reference = "55.112"\n', "", "[columns]: reference: expected"),
        (r'provenance = "printed"\n', "", "provenance: expected"),
        (r'name = "BC"', 'name = "BB"', "class 2 'BB': name: expected one [[class]]"),
        (r'\[\[arc\]\]\nname = "inner"(.|\n)*?\n\n', "", "got no inner"),
        (r'"\+‡" = "intermediate"', '"++" = "outer"', "unknown key '++'"),
        (r"most_yards = 2000", "most_yards = 900", "[interval]: most_yards"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(
    pattern: str, replacement: str, complaint: str
) -> None:
    faulty, count = re.subn(pattern, replacement, SHIPPED, count=1)
    assert count == 1
    with pytest.raises(DreyerError) as caught:
        read_movement_rules(faulty.encode(), "movement.toml")
    assert words(caught.value).startswith("movement.toml")
    assert complaint in words(caught.value)
