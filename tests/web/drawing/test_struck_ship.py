"""Where hits are drawn on the ship that is fired at: none covers the number of another."""

import math
from itertools import combinations

import pytest

from tests.web.drawing.test_ship_plan import SIDE, sheet_of
from web.drawing.struck_ship import draw_struck

NUMBER = 30.0
"""The middles of two hits that are nearer cover each other's number."""


@pytest.mark.parametrize("ship", ["Hood", "Bismarck", "Prinz Eugen", "Destroyer"])
@pytest.mark.parametrize("parts", [("X",) * 3, ("A", "A", "hull", "hull", "superstructure") * 2])
def test_every_number_of_a_hit_can_be_read(ship: str, parts: tuple[str, ...]) -> None:
    struck = draw_struck(sheet_of(ship), SIDE, parts, misses=2)
    assert len(struck.hits) == len(parts)
    assert min(math.dist(*pair) for pair in combinations(struck.hits, 2)) > NUMBER
    for x, y in struck.hits:
        assert -1 <= x <= struck.drawing.width + 1
        assert -1 <= y <= struck.drawing.height + 1


def test_a_first_hit_lies_on_its_part() -> None:
    struck = draw_struck(sheet_of("Hood"), SIDE, ("A", "X"), misses=0)
    (ahead, _), (astern, _) = struck.hits
    assert ahead < struck.drawing.width / 2 < astern
