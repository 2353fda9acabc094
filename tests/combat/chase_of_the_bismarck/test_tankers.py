"""Tankers: never in naval combat, gone with one hit, sunk where a warship finds them."""

import pytest

from combat.actions import Action
from combat.dice import TypedDice
from combat.free_play import FreeState
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden
from combat.rulebooks import get_ruleset
from combat.rulebooks.chase_of_the_bismarck.actions import (
    AirAttack,
    Attackers,
    Marks,
    Start,
    TankerCaught,
)
from tests.combat.free_battles import add, rulebook_of

RULEBOOK = rulebook_of(get_ruleset("chase-of-the-bismarck"))
TANKER = "Lothringen"


@pytest.fixture
def state() -> FreeState[Marks]:
    found: FreeState[Marks] = FreeState()
    for name, kind, side in (
        (TANKER, "German Tanker", "german"),
        ("Bismarck", "Bismarck", "german"),
        ("Norfolk", "Norfolk", "british"),
    ):
        found = add(RULEBOOK, found, Ship(name, name, side, kind))
    return found


def _after(state: FreeState[Marks], action: Action, dice: str = "") -> FreeState[Marks]:
    typed = TypedDice(dice)
    after: FreeState[Marks] = RULEBOOK.play(state, action, typed).state
    typed.finish()
    return after


def test_a_tanker_is_not_put_on_the_battle_board(state: FreeState[Marks]) -> None:
    after = _after(state, Start(visibility=4, attackers=Attackers.GERMAN))
    assert [ship for ship, marks in after.marks.items() if marks.zone] == ["Bismarck", "Norfolk"]


@pytest.mark.parametrize(
    ("marker", "status"), [("8", ShipStatus.IN_ACTION), ("6", ShipStatus.SUNK)]
)
def test_one_hit_that_is_no_dud_removes_her(
    state: FreeState[Marks], marker: str, status: ShipStatus
) -> None:
    """A fire control hit does a warship little; no die follows the marker."""
    after = _after(state, AirAttack(at=TANKER, visibility=5), f"5 {marker}")
    assert RULEBOOK.status(after, TANKER) is status


def test_the_odds_say_the_same(state: FreeState[Marks]) -> None:
    """Evasion below 25 takes 1: a hit on 4 to 6, two on 2 and 3, three on 0 and 1; 2 duds in 10."""
    odds = RULEBOOK.forecast(state, [AirAttack(at=TANKER, visibility=5)])
    missed = {0: 0.3, 1: 0.3, 2: 0.2, 3: 0.2}
    assert odds.hits == pytest.approx(missed)
    dud = 0.2
    survives = sum(share * dud**hits for hits, share in missed.items())
    assert odds.outcomes["sunk"] == pytest.approx(1 - survives)


def test_a_warship_that_finds_her_sinks_her_without_a_die(state: FreeState[Marks]) -> None:
    after = _after(state, TankerCaught(by=TANKER))
    assert RULEBOOK.status(after, TANKER) is ShipStatus.SUNK
    with pytest.raises(Forbidden) as again:
        _after(after, TankerCaught(by=TANKER))
    assert again.value.rule == "2.4"
    with pytest.raises(Forbidden) as unseen:
        _after(state, TankerCaught(by=TANKER, spotted=False))
    assert unseen.value.rule == "10, step 6"


def test_she_is_offered_nothing_else() -> None:
    assert [offer.kind for offer in RULEBOOK.offers("German Tanker")] == ["tanker"]
    assert "tanker" not in [offer.kind for offer in RULEBOOK.offers("Bismarck")]


def test_edition_1_has_no_tankers_and_no_chance_phase_beyond_submarines() -> None:
    ruleset = get_ruleset("chase-of-the-bismarck")
    first = ruleset.of_edition(1)
    assert first.ships.find("German Tanker") is None
    assert {table.name for table in ruleset.tables} - {table.name for table in first.tables} == {
        "random_spotting", "convoy_hunting", "convoy_modifiers", "convoys",
        "repair_at_sea", "repair_modifiers", "refuelling", "convoy_markers", "victory_points",
    }  # fmt: skip
    kinds = set(rulebook_of(ruleset).info_by_kind) - set(rulebook_of(first).info_by_kind)
    later = {"convoy attack", "repair", "refuel"}
    assert kinds == {"tanker", "spotting", "convoy hunt", *later}
    second = rulebook_of(ruleset.of_edition(2))
    assert set(rulebook_of(ruleset).info_by_kind) - set(second.info_by_kind) == later
