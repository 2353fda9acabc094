"""All ships of the specification charts: what must hold for each, and what the book pins."""

from fractions import Fraction
from itertools import pairwise

import pytest

from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode, HullSide, Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, GunType, RangeBand
from combat.ships import ShipClass
from tabletop.arcs import Quadrant
from tabletop.errors import UnknownName

MAIN, SECONDARY = Battery.MAIN, Battery.SECONDARY
SHIPS = tuple(load_warships())
every_ship = pytest.mark.parametrize("ship", SHIPS, ids=lambda ship: ship.name)


def named(name: str) -> Warship:
    return load_warships().named(name, "test")


@every_ship
def test_armour_follows_the_pattern_of_the_charts(ship: Warship) -> None:
    for broadside, end_on in (ship.armour.belt, ship.armour.rudder):
        assert (broadside is None) == (end_on is None)
        assert broadside is None or end_on == broadside + 2
    for extreme, long_high, closer in (ship.armour.deck, ship.armour.crown):
        assert (extreme is None) == (long_high is None) == (closer is None)
        assert extreme is None or (long_high, closer) == (extreme + 4, extreme + 10)


@every_ship
def test_fire_gets_better_as_the_range_closes(ship: Warship) -> None:
    rates = ship.rate_of_fire
    targeting = [value for band in RangeBand if (value := rates.targeting(band)) is not None]
    assert targeting == sorted(targeting)
    for battery in Battery:
        multipliers = [rates.multiplier(battery, band) for band in RangeBand]
        reaches = [value for value in multipliers if value is not None]
        assert reaches == sorted(reaches, reverse=True)
        # Whatever reaches far reaches near, and all that fires is aimed.
        assert multipliers[: len(reaches)] == reaches
        assert all(rates.targeting(band) is not None for band in list(RangeBand)[: len(reaches)])
        assert bool(reaches) == bool(ship.guns(battery))
        assert (ship.guns(battery) > 0) == (ship.ammunition[battery] is not None)
        assert (ship.gun_types[battery] is None) == (ship.calibres_inches[battery] is None)


@every_ship
def test_calibre_and_letter_agree_with_the_key(ship: Warship) -> None:
    british = ship.nation == "British"
    key = {16: "F" if british else "G", 15: "E" if british else "F", 14: "F", 13: "E", 11: "D",
           8: "C" if ship.nation == "American" else "B", 6: "A", 5.9: "A"}  # fmt: skip
    for battery in Battery:
        calibre, letter = ship.calibres_inches[battery], ship.gun_types[battery]
        if calibre is not None:
            assert letter == (key[calibre] if calibre > 5.5 else GunType.Z)


@every_ship
def test_turrets_stand_and_bear_as_they_should(ship: Warship) -> None:
    stations = [turret.station for turret in ship.turrets]
    assert stations == sorted(stations)
    for turret in ship.turrets:
        assert 2 <= turret.guns <= 4  # 60.2
        assert turret.arc.quadrants & {Quadrant.PORT, Quadrant.STARBOARD}
        assert not turret.arc.quadrants >= {Quadrant.BOW, Quadrant.STERN}
    for secondary in ship.secondaries:
        port, starboard = (
            secondary.arc.bears_into(side) for side in (Quadrant.PORT, Quadrant.STARBOARD)
        )
        assert port == (secondary.side is not HullSide.STARBOARD)
        assert starboard == (secondary.side is not HullSide.PORT)
        assert not secondary.arc.bears_into(Quadrant.BOW)  # 60.6
    for side in (HullSide.PORT, HullSide.STARBOARD):
        boxes = [turret for turret in ship.secondaries if turret.side in (side, HullSide.BOTH)]
        assert len(boxes) == 0 if ship.is_destroyer else 1 <= len(boxes) <= 5  # 60.3, 70.2


@every_ship
def test_the_two_broadsides_are_alike(ship: Warship) -> None:
    for battery in Battery:
        port = ship.guns_bearing(battery, Quadrant.PORT)
        assert port == ship.guns_bearing(battery, Quadrant.STARBOARD)


@every_ship
def test_every_value_has_a_source(ship: Warship) -> None:
    expected = {"class", "nation", "movement_factor", "radar", "torpedoes", "hull_boxes",
                "superstructure_boxes", "layout", "armour.belt", "armour.deck", "armour.main_gun",
                "armour.crown", "armour.secondary", "armour.conning_tower", "armour.plot",
                "armour.director", "armour.rudder", "rate_of_fire.targeting", "rate_of_fire.main",
                "rate_of_fire.secondary"}  # fmt: skip
    for battery in Battery:
        if ship.guns(battery):
            expected |= {f"{battery}.{key}" for key in ("gun", "calibre", "ammunition", "turrets")}
    expected |= {"main.boxes"} if ship.turrets else set()
    expected |= {"secondary.turrets"} if ship.secondaries else set()
    expected |= {"jam_table"} if ship.jam_table else set()
    assert set(ship.sources) == expected
    assert Provenance.OWNER not in {source.provenance for source in ship.sources.values()}
    assert all(source.reference for source in ship.sources.values())


def test_sources_say_what_they_rest_on() -> None:
    bismarck, tirpitz = named("Bismarck"), named("Tirpitz")
    assert bismarck.source_of("hull_boxes").provenance is Provenance.DERIVED
    assert bismarck.source_of("main.gun").provenance is Provenance.PRINTED
    assert tirpitz.source_of("main.gun").provenance is Provenance.DERIVED
    assert tirpitz.source_of("armour.belt") == bismarck.source_of("armour.belt")
    assert tirpitz.source_of("armour.belt").reference == "Specification Chart: Bismarck, Tirpitz"
    assert named("Hood").source_of("hull_boxes").provenance is Provenance.RECONSTRUCTED
    with pytest.raises(UnknownName) as unknown:
        bismarck.source_of("hull_box")
    assert unknown.value.nearest == "hull_boxes"


@pytest.mark.parametrize(
    ("names", "boxes"),
    [
        ("Bismarck, Tirpitz, North Carolina", 15),
        ("Prince of Wales, King George V", 12),
        ("Hood, Scharnhorst, Gneisenau", 10),
        ("Rodney, Nelson, Graf Zeppelin", 9),
        ("Repulse, Renown, Augusta, Victorious, Ark Royal, Eagle", 7),
        ("Revenge, Ramillies, Dunkerque, Strasbourg, Exeter, London", 6),
        ("Prinz Eugen, Hipper, Scheer", 6),
        ("Norfolk, Dorsetshire, Suffolk, Algérie, Tourville, Köln, Nürnberg", 4),
        ("Arethusa, Aurora, Galatea, Manchester, Edinburgh, Birmingham, Sheffield, Kenya", 4),
        ("Hermione, Cairo, Gloire, La Galissonnière", 4),
        ("Destroyer, Contre-torpilleur", 1),
    ],
)
def test_hull_boxes(names: str, boxes: int) -> None:
    for name in names.split(", "):
        ship = named(name)
        assert ship.hull_boxes == boxes
        expected = 0 if ship.is_destroyer else max(2, boxes // 3)
        assert ship.superstructure_boxes == expected
        assert {turret.boxes for turret in ship.turrets} <= ({0} if ship.is_destroyer else {3})


@pytest.mark.parametrize(
    ("name", "turrets"),
    [
        ("Bismarck", {"A": 2, "B": 2, "X": 2, "Y": 2}),  # 62.43
        ("Tirpitz", {"A": 2, "B": 2, "X": 2, "Y": 2}),  # 71.3
        ("Prince of Wales", {"A": 4, "B": 2, "X": 4}),  # 67.41, 71.3
        ("Prinz Eugen", {"A": 2, "B": 2, "X": 2, "Y": 2}),  # worked example: eight
        ("Scharnhorst", {"A": 3, "B": 3, "X": 3}),
        ("Admiral Scheer", {"A": 3, "X": 3}),
        ("Köln", {"A": 3, "X": 3, "Y": 3}),
        ("Hermione", {"A": 2, "B": 2, "Q": 2, "X": 2, "Y": 2}),
        ("Victorious", {}),
    ],
)
def test_main_turrets(name: str, turrets: dict[str, int]) -> None:
    assert {turret.name: turret.guns for turret in named(name).turrets} == turrets


@pytest.mark.parametrize(
    ("name", "bow", "broadside", "stern"),
    [("Hood", 4, 8, 4), ("Prince of Wales", 6, 10, 4), ("Rodney", 6, 9, 0), ("Köln", 3, 9, 6),
     ("Dunkerque", 8, 8, 0), ("Graf Zeppelin", 8, 8, 8), ("Destroyer", 4, 8, 4)],
)  # fmt: skip
def test_guns_bearing(name: str, bow: int, broadside: int, stern: int) -> None:
    ship = named(name)
    bearing = {quadrant: ship.guns_bearing(MAIN, quadrant) for quadrant in Quadrant}
    assert bearing == {
        Quadrant.BOW: bow,
        Quadrant.PORT: broadside,
        Quadrant.STARBOARD: broadside,
        Quadrant.STERN: stern,
    }


def test_bow_and_stern_turrets() -> None:
    rodney = named("Rodney")
    assert [turret.name for turret in rodney.bow_turrets] == ["A", "B"]
    assert rodney.stern_turrets == ()
    assert [turret.name for turret in named("Hood").stern_turrets] == ["X", "Y"]


@pytest.mark.parametrize(
    ("names", "battery", "each"),
    [
        ("Norfolk, Dorsetshire, Suffolk, London, Algérie, Tourville", MAIN, 75),
        ("Hood, Repulse, Renown", MAIN, 90),
        ("Scharnhorst, Gneisenau, Admiral Scheer", MAIN, Fraction(105, 2)),
        ("Arethusa, Manchester, Kenya, Gloire", MAIN, Fraction(375, 8)),
        ("Köln, Nürnberg, Graf Zeppelin", SECONDARY, 25),
        ("Norfolk, Arethusa, Manchester, Kenya, Dunkerque, Gloire, Eagle", SECONDARY, 30),
        ("Bismarck, Scharnhorst, Repulse, North Carolina", SECONDARY, Fraction(45, 2)),
    ],
)
def test_ammunition_confirms_the_number_of_guns(
    names: str, battery: Battery, each: Fraction
) -> None:
    for name in names.split(", "):
        ship = named(name)
        # The charts round to whole factors, up or down.
        assert abs((ship.ammunition[battery] or 0) - ship.guns(battery) * each) < 1


def test_which_secondaries_can_be_hit_from_both_sides() -> None:
    both = {
        ship.name: count
        for ship in SHIPS
        if (count := sum(turret.side is HullSide.BOTH for turret in ship.secondaries))
    }
    assert both == {"Köln": 1, "Hood": 1, "Repulse": 2, "Dunkerque": 1, "Strasbourg": 1, "Eagle": 1}


def test_ships_without_secondary_guns_have_an_empty_box_a_side() -> None:
    for name in ("Hermione", "Cairo", "Tourville"):
        boxes = [(turret.name, turret.guns) for turret in named(name).secondaries]
        assert boxes == [("P1", 0), ("S1", 0)]


def test_who_has_a_jam_table() -> None:
    assert {ship.name: ship.jam_table for ship in SHIPS if ship.jam_table} == {
        "Tirpitz": "jams_tirpitz",
        "Prince of Wales": "jams_king_george_v",
        "King George V": "jams_king_george_v",
    }


def test_armour_by_range_and_aspect() -> None:
    armour = named("Bismarck").armour
    by_range = [armour.inches(ArmourCode.DECK, band, False) for band in RangeBand]
    assert by_range == [18, 18, 18, 18, 18, 12, 8]
    assert armour.inches(ArmourCode.CROWN, RangeBand.LONG_HIGH, True) == 12
    belt = [armour.inches(ArmourCode.BELT, RangeBand.SHORT, end_on) for end_on in (False, True)]
    rudder = [armour.inches(ArmourCode.RUDDER, RangeBand.SHORT, end_on) for end_on in (False, True)]
    assert (belt, rudder) == ([16, 18], [6, 8])
    assert armour.inches(ArmourCode.NONE, RangeBand.SHORT, False) is None
    assert named("Hood").armour.inches(ArmourCode.CONNING_TOWER, RangeBand.SHORT, False) == 10


def test_multipliers_are_exact() -> None:
    rates = named("Bismarck").rate_of_fire
    assert rates.multiplier(MAIN, RangeBand.EXTREME) == Fraction(3, 10)
    assert rates.multiplier(SECONDARY, RangeBand.MEDIUM_LOW) == Fraction(36, 5)
    assert rates.multiplier(SECONDARY, RangeBand.EXTREME) is None
    assert rates.targeting(RangeBand.EXTREME) == 16


def test_range_groups() -> None:
    groups = [band.group for band in RangeBand]
    assert groups == ["short", "short", "medium", "medium", "long", "long", "extreme"]
    assert all(near != far for near, far in pairwise(RangeBand))


def test_doubtful_readings_give_both() -> None:
    doubts = {(ship.name, doubt.field) for ship in SHIPS for doubt in ship.doubts}
    assert doubts >= {
        ("Hood", "armour.conning_tower"),
        ("Hood", "armour.rudder"),
        ("Scharnhorst", "armour.crown"),
        ("Gneisenau", "armour.crown"),
        ("Cairo", "movement_factor"),
        ("Eagle", "armour.director"),
        ("Graf Zeppelin", "armour.rudder"),
        ("Exeter", "main.ammunition"),
        ("Gloire", "name"),
    }
    assert ("La Galissonnière", "name") not in doubts
    for ship in SHIPS:
        assert all(doubt.chosen != doubt.other for doubt in ship.doubts)


def test_sides() -> None:
    assert {ship.nation for ship in SHIPS if not ship.is_allied} == {"German"}
    assert {ship.ship_class for ship in SHIPS if ship.is_destroyer} == {ShipClass.DESTROYER}
