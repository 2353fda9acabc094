"""A ship and every mark on her sheet (64), without any dice."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, TurretState, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import UnknownName

SHIPS = load_warships()


def fresh(name: str = "Bismarck") -> Vessel:
    return Vessel.fresh(SHIPS.named(name, "test"))


def test_a_fresh_ship_has_everything() -> None:
    ship = fresh()
    assert (ship.name, ship.hull_quarters, ship.is_sunk) == ("Bismarck", 60, False)
    assert ship.turrets == (TurretState(),) * 4
    assert (ship.ammunition(Battery.MAIN), ship.ammunition(Battery.SECONDARY)) == (600, 270)
    assert (ship.movement_factor, ship.has_radar, ship.hull_third) == (10, True, 0)
    assert Vessel.fresh(ship.warship, "Number 3").name == "Number 3"


def test_a_ship_without_guns_has_no_ammunition_for_them() -> None:
    carrier = fresh("Ark Royal")
    assert (carrier.main_ammunition, carrier.turrets) == (0, ())
    assert fresh("Tourville").secondary_ammunition == 0


@pytest.mark.parametrize(
    ("ship", "thirds"),
    [("Bismarck", (5, 5, 5)), ("Hood", (4, 3, 3)), ("Repulse", (3, 2, 2)),
     ("Prince of Wales", (4, 4, 4)), ("Norfolk", (2, 1, 1)), ("Destroyer", (1, 0, 0))],
)  # fmt: skip
def test_hull_thirds(ship: str, thirds: tuple[int, int, int]) -> None:
    """64.6: the left-most box with a quarter left; a remainder goes to the first third."""
    boxes = [number for number, count in enumerate(thirds) for _ in range(count)]
    assert len(boxes) == fresh(ship).warship.hull_boxes
    for quarters in range(4 * len(boxes)):
        assert replace(fresh(ship), hull_lost=quarters).hull_third == boxes[quarters // 4]


def test_sunk_with_the_last_quarter() -> None:
    """64.8."""
    assert not replace(fresh(), hull_lost=59).is_sunk
    assert replace(fresh(), hull_lost=60).is_sunk
    assert replace(fresh(), sunk_outright=True).is_sunk


@pytest.mark.parametrize("ship", ["Bismarck", "Hood", "Ark Royal", "Destroyer"])
@given(hits=st.lists(st.tuples(st.booleans(), st.integers(0, 12)), max_size=30))
def test_no_quarter_is_lost_or_skipped(ship: str, hits: list[tuple[bool, int]]) -> None:
    """64.34, 64.5: what the superstructure cannot hold, the hull takes, and no more than it has."""
    vessel = fresh(ship)
    room = vessel.warship.superstructure_boxes * QUARTERS
    above = sum(quarters for high, quarters in hits if high)
    below = sum(quarters for high, quarters in hits if not high)
    for high, quarters in hits:
        mark = vessel.superstructure_marked if high else vessel.hull_marked
        vessel = mark(quarters)
    assert vessel.superstructure_lost == min(above, room)
    assert vessel.hull_lost == min(below + max(0, above - room), vessel.hull_quarters)


def test_a_turret_box_by_box() -> None:
    """64.32: destroyed with the last quarter of its three boxes, not before."""
    ship = fresh().turret_marked(1, 11)
    assert ship.turrets[1] == TurretState(11)
    assert ship.turrets[1].can_fire
    ship = ship.turret_marked(1, 3)
    assert ship.turrets[1] == TurretState(12, destroyed=True)
    assert not ship.turrets[1].can_fire
    assert ship.turrets[0] == TurretState()
    assert fresh().turret_destroyed(2).turrets[2] == TurretState(12, destroyed=True)


@pytest.mark.parametrize("name", ["Destroyer", "Contre-torpilleur"])
def test_guns_without_boxes_are_not_destroyed_by_marking_none(name: str) -> None:
    """70.2: a destroyer's only box is her hull's."""
    ship = fresh(name).turret_marked(0, 0)
    assert ship == fresh(name)
    assert ship.turrets[0].can_fire


def test_the_longer_silence_counts() -> None:
    ship = fresh().turret_out(0, 2).turret_out(0, 1)
    assert ship.turrets[0].out_for_phases == 2
    assert not ship.turrets[0].can_fire
    assert not TurretState(out_for_battle=True).can_fire
    assert TurretState(jammed_guns=1).can_fire


def test_speed_lost_to_damage() -> None:
    assert replace(fresh(), movement_factors_lost=3).movement_factor == 7
    assert replace(fresh(), movement_factors_lost=14).movement_factor == 0


@pytest.mark.parametrize(
    ("name", "factors"), [("Destroyer", (12, 9, 6, 3, 0)), ("Contre-torpilleur", (13, 9, 6, 3, 0))]
)
def test_a_destroyer_slows_with_her_box(name: str, factors: tuple[int, ...]) -> None:
    """70.5."""
    ships = [replace(fresh(name), hull_lost=quarters) for quarters in range(5)]
    assert tuple(ship.movement_factor for ship in ships) == factors


def test_radar_is_had_and_lost() -> None:
    assert not replace(fresh(), radar_lost=True).has_radar
    assert not fresh("Dunkerque").has_radar


def test_each_gun_type_has_its_magazine() -> None:
    ship = fresh().with_ammunition(Battery.MAIN, 7).with_ammunition(Battery.SECONDARY, 9)
    assert (ship.main_ammunition, ship.secondary_ammunition) == (7, 9)
    assert (ship.ammunition(Battery.MAIN), ship.ammunition(Battery.SECONDARY)) == (7, 9)


def test_turrets_by_name() -> None:
    ship = fresh()
    assert [ship.turret_number(name) for name in "ABXY"] == [0, 1, 2, 3]
    marked = ship.turret_marked(2, 5)
    assert marked.turrets[2] == TurretState(5)
    with pytest.raises(UnknownName) as unknown:
        ship.turret_number("Q")
    assert (unknown.value.kind, unknown.value.name) == ("turret", "Q")


def test_secondaries_are_lost_by_name() -> None:
    ship = replace(fresh(), secondaries_lost=frozenset({"P2"}))
    lost = [turret.name for turret in ship.warship.secondaries if ship.secondary_lost(turret)]
    assert lost == ["P2"]


def test_marking_gives_a_new_ship() -> None:
    """62.2: everybody else still sees the old sheet."""
    ship = fresh()
    for after in (
        ship.hull_marked(4),
        ship.superstructure_marked(4),
        ship.turret_marked(0, 4),
        ship.turret_destroyed(0),
        ship.turret_out(0, 1),
    ):
        assert after != ship
    assert ship == fresh()
