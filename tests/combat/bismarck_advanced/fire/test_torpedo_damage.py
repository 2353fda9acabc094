"""Torpedo damage by class, converted by 72.2, with the note to the asterisk."""

from dataclasses import replace

import pytest

from combat.dice import TypedDice
from combat.rulebooks.bismarck_advanced.fire.torpedo_damage import HullDamage, resolve_hit
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.table_files import load_tables
from combat.rulebooks.bismarck_data.torpedo_harm import COLUMN_BY_CLASS
from combat.ships import ShipClass
from tabletop.messages import Message

TABLES, SHIPS = load_tables(), load_warships()


def fresh(name: str) -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def struck(ship: str, die: int) -> tuple[Vessel, HullDamage]:
    return resolve_hit(fresh(ship), TypedDice(str(die)), TABLES)


@pytest.mark.parametrize(
    ("ship", "die", "boxes", "factors"),
    [
        ("Norfolk", 1, 1, 1),
        ("Norfolk", 2, 1, 3),
        ("London", 3, 3, 5),
        ("London", 4, 3, 6),
        ("Hood", 1, 1, 0),
        ("Hood", 2, 1, 1),
        ("Hood", 3, 1, 2),
        ("Hood", 4, 1, 6),
        ("Hood", 5, 3, 2),
        ("Hood", 6, 3, 3),
        ("Admiral Scheer", 6, 3, 3),
        ("Ark Royal", 3, 1, 2),
        ("Ark Royal", 4, 3, 4),
        ("Ark Royal", 5, 3, 5),
    ],
)
def test_boxes_and_factors_by_class(ship: str, die: int, boxes: int, factors: int) -> None:
    after, hit = struck(ship, die)
    assert (hit.hull_boxes, hit.movement_factors, hit.sunk) == (boxes, factors, False)
    assert after == replace(fresh(ship), hull_lost=4 * boxes, movement_factors_lost=factors)


@pytest.mark.parametrize(("ship", "die"), [("Norfolk", 5), ("Galatea", 6), ("Ark Royal", 6)])
def test_some_are_sunk_outright(ship: str, die: int) -> None:
    after, hit = struck(ship, die)
    assert hit.sunk
    assert after.is_sunk
    assert after.hull_lost == 0


def said(effects: Message) -> list[Message]:
    """Each of several effects."""
    found = []
    while effects.code == "advanced.effect.more":
        first, rest = effects["first"], effects["rest"]
        assert isinstance(first, Message)
        assert isinstance(rest, Message)
        found.append(first)
        effects = rest
    return [*found, effects]


@pytest.mark.parametrize("ship", ["King George V", "Prince of Wales", "North Carolina"])
@pytest.mark.parametrize(("die", "boxes", "factors"), [(3, 1, 1), (5, 1, 1), (6, 1, 1), (4, 1, 6)])
def test_the_asterisk_softens_some(ship: str, die: int, boxes: int, factors: int) -> None:
    _, hit = struck(ship, die)
    assert (hit.hull_boxes, hit.movement_factors) == (boxes, factors)
    assert (Message("advanced.torpedo.softened") in said(hit.words)) is (die != 4)


@pytest.mark.parametrize("ship", ["Bismarck", "Tirpitz"])
@pytest.mark.parametrize(("die", "hurt"), [(1, True), (2, True), (3, False), (4, True), (6, False)])
def test_the_asterisk_spares_others(ship: str, die: int, hurt: bool) -> None:
    after, hit = struck(ship, die)
    assert (after != fresh(ship)) is hurt
    assert (hit.words.code == "advanced.torpedo.miss") is not hurt


def test_a_destroyer_needs_no_die() -> None:
    after, hit = resolve_hit(fresh("Destroyer"), TypedDice(""), TABLES)
    assert after.is_sunk
    assert (hit.die, hit.sunk, hit.reference) == (None, True, "70.2")


def test_the_last_box_sinks() -> None:
    low = replace(fresh("Hood"), hull_lost=36)
    after, hit = resolve_hit(low, TypedDice("4"), TABLES)
    assert after.is_sunk
    assert said(hit.words) == [
        Message("advanced.torpedo.hull", n=1),
        Message("advanced.effect.speed_lost", n=6),
        Message("advanced.effect.sunk", rule="64.8"),
    ]


def test_every_class_has_a_column() -> None:
    assert set(COLUMN_BY_CLASS) | {ShipClass.DESTROYER} == set(ShipClass)
    assert set(COLUMN_BY_CLASS.values()) == set(TABLES["torpedo_damage"].columns)
