"""At which range captains of each temperament want to fight."""

import numpy as np
import pytest

from combat.captain.exchange import best_exchange
from combat.captain.temperament import temperaments

ALIKE = (8.0, 4.0, 1.0, 0.0)
"""What each side takes of the other at four ranges, the shortest first."""


def exchange(name: str, given: tuple[float, ...], taken: tuple[float, ...]) -> int | None:
    return best_exchange(np.array(given), np.array(taken), temperaments()[name])


@pytest.mark.parametrize(("name", "at"), [("bold", 0), ("steady", 1), ("cautious", 2)])
def test_equals_fight_the_nearer_the_bolder_they_are(name: str, at: int) -> None:
    assert exchange(name, ALIKE, ALIKE) == at


@pytest.mark.parametrize("name", list(temperaments()))
def test_a_great_lead_counts_for_more_than_the_pace(name: str) -> None:
    given, taken = (8.0, 6.0, 1.0, 0.0), (24.0, 0.5, 3.0, 0.0)
    assert exchange(name, given, taken) == 1


def test_who_can_fire_without_an_answer_does_so_unless_she_is_bold() -> None:
    given, taken = (8.0, 4.0, 0.5, 0.2), (8.0, 4.0, 0.5, 0.0)
    assert exchange("cautious", given, taken) == 3
    assert exchange("steady", given, taken) == 3
    assert exchange("bold", given, taken) == 0


def test_the_cautious_avoid_an_exchange_that_they_lose_everywhere() -> None:
    given, taken = (2.0, 1.0, 0.4, 0.0), (6.0, 3.0, 1.2, 0.0)
    assert exchange("cautious", given, taken) is None
    assert exchange("steady", given, taken) == 1
    assert exchange("bold", given, taken) == 0


def test_who_cannot_hurt_anybody_fights_nowhere() -> None:
    assert exchange("bold", (0.0, 0.0), (1.0, 0.5)) is None
