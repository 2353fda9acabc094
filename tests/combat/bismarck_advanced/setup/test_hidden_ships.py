"""Hidden ships by 55.28, 61.6 and 67.1."""

import pytest

from combat.rulebooks import get_ruleset
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import (
    Glimpse,
    Identity,
    RevealCause,
    Revelation,
    glimpse,
    numbered,
    revealed_by_fire,
    revealed_by_move,
)
from tabletop.arcs import Arcs
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.rules import TableRules
from tabletop.sight import SightRule

RULES = get_ruleset("bismarck-advanced").table_rules
PHASE = CombatPhase(2)


def closing(before: float, after: float) -> Revelation | None:
    return revealed_by_move(PHASE, {"Hood": before}, {"Hood": after}, RULES)


def test_all_start_hidden() -> None:
    assert all(identity.is_hidden for identity in numbered({"Hood": 2, "Norfolk": 1}))


def test_a_player_may_number_the_ships_but_not_twice_alike() -> None:
    assert numbered({"Hood": 3, "Norfolk": 1})[0] == Identity("Hood", 3)
    with pytest.raises(DreyerError, match=r"advanced\.hidden\.one_number"):
        numbered({"Hood": 3, "Norfolk": 3})


def test_the_other_side_knows_a_number_until_she_is_turned_up() -> None:
    hood = Identity("Hood", 3)
    assert glimpse(hood) == Glimpse("Ship 3", None)
    revealed = hood.revealed(revealed_by_fire(PHASE, fired_guns=True))
    assert not revealed.is_hidden
    assert glimpse(revealed) == Glimpse("Hood", "Hood")


def test_guns_reveal_and_silence_does_not() -> None:
    revelation = revealed_by_fire(PHASE, fired_guns=True)
    assert revelation == Revelation(
        PHASE, RevealCause.FIRED, Message("advanced.hidden.fires"), "67.12"
    )
    assert revealed_by_fire(PHASE, fired_guns=False) is None
    hood = Identity("Hood", 3)
    assert hood.revealed(None) is hood


@pytest.mark.parametrize(
    ("before", "after"),
    [(24_001, 24_000), (16_001, 16_000), (28_000, 24_000), (4_001, 4_000), (27_000, 11_000)],
)
def test_the_next_closer_segment_reveals(before: float, after: float) -> None:
    revelation = closing(before, after)
    assert revelation is not None
    assert (revelation.cause, revelation.rule) == (RevealCause.CLOSED, "67.12")


@pytest.mark.parametrize(
    ("before", "after"),
    [(24_000, 20_001), (20_000, 24_000), (4_000, 100), (28_001, 28_000), (30_000, 25_000)],
)
def test_moving_within_a_segment_or_away_does_not(before: float, after: float) -> None:
    assert closing(before, after) is None


def test_any_enemy_will_do_and_the_reason_names_none() -> None:
    before = {"Hood": 27_000.0, "Norfolk": 16_500.0, "sunk since": 9_000.0}
    revelation = revealed_by_move(PHASE, before, {"Hood": 27_500.0, "Norfolk": 15_000.0}, RULES)
    assert revelation is not None
    assert revelation.why == Message(
        "advanced.hidden.closes",
        before=Message("advanced.band.long_low"),
        after=Message("advanced.band.medium_high"),
    )
    assert revealed_by_move(PHASE, {"sunk": 9_000.0}, {"new": 3_000.0}, RULES) is None


def test_whichever_comes_first_counts() -> None:
    first = revealed_by_fire(PHASE, fired_guns=True)
    hood = Identity("Hood", 3).revealed(first).revealed(closing(24_001, 24_000))
    assert hood.revelation == first


def test_rules_without_segments_cannot_tell() -> None:
    with pytest.raises(DreyerError, match=r"advanced\.hidden\.no_segments"):
        revealed_by_move(PHASE, {"Hood": 1.0}, {"Hood": 1.0}, TableRules(Arcs(), SightRule()))
