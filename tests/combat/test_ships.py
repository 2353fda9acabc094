import pytest

from combat.library import BUILT_IN
from combat.rulebooks import NAMES, get_ruleset
from combat.ships import ShipClass, read_ships
from tabletop.errors import DreyerError, UnknownName


def test_all_ships_of_the_charts_are_known() -> None:
    ships = list(get_ruleset("bismarck-advanced").ships)
    generic = {"Destroyer", "Contre-torpilleur"}
    assert len([ship for ship in ships if ship.name not in generic]) == 45
    assert {ship.nation for ship in ships} == {"German", "British", "American", "French"}
    assert {ship.ship_class for ship in ships} == set(ShipClass)


@pytest.mark.parametrize(
    ("name", "ship_class", "movement_factor"),
    [("Bismarck", "BB", 10), ("Hood", "BC", 10), ("Rodney", "BB", 7), ("Prinz Eugen", "CA", 11),
     ("Admiral Scheer", "PB", 9), ("Gloire", "CL", 12), ("Destroyer", "DD", 12)],
)  # fmt: skip
def test_class_and_speed(name: str, ship_class: str, movement_factor: int) -> None:
    ship = BUILT_IN.known_ships("bismarck-advanced").named(name, "test")
    assert (ship.ship_class, ship.movement_factor) == (ship_class, movement_factor)


@pytest.mark.parametrize(
    ("spelt", "name"),
    [("Hipper", "Admiral Hipper"), ("scheer", "Admiral Scheer"), ("Koln", "Köln"),
     ("Koeln", "Köln"), ("NURNBERG", "Nürnberg"), ("Nuernberg", "Nürnberg"),
     ("Eugen", "Prinz Eugen"), ("Zeppelin", "Graf Zeppelin"), ("PoW", "Prince of Wales"),
     ("kgv", "King George V"), ("king george 5", None), ("Algerie", "Algérie"),
     ("La Galissonniere", "La Galissonnière"), ("Galissonniere", "La Galissonnière"),
     ("DD", "Destroyer"), ("CT", "Contre-torpilleur"), ("contre torpilleur", "Contre-torpilleur")],
)  # fmt: skip
def test_short_names_and_plain_spellings(spelt: str, name: str | None) -> None:
    ship = BUILT_IN.known_ships("bismarck-advanced").find(spelt)
    assert (ship.name if ship else None) == name


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_ruleset_may_use_every_ship(ruleset: str) -> None:
    assert BUILT_IN.known_ships(ruleset).find("Hood")
    assert BUILT_IN.known_ships(ruleset).find("Iron Duke")


def test_an_unknown_ship_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'Tirpitz'"):
        BUILT_IN.known_ships("bismarck-advanced").named("Tirpits", "test")


def test_a_name_belongs_to_one_ship() -> None:
    ship = b'[[ship]]\nname = "%s"\nclass = "BB"\nnation = "British"\n'
    with pytest.raises(DreyerError, match="of one ship only"):
        read_ships({"a.toml": ship % b"Hood", "b.toml": ship % b"HOOD"})


def test_a_ship_of_the_first_list_hides_her_namesake() -> None:
    ship = '[[ship]]\nname = "Hood"\nclass = "{}"\nnation = "British"\n'
    first = read_ships({"a.toml": ship.format("BC").encode()})
    second = read_ships({"b.toml": ship.format("BB").encode()})
    assert [ship.ship_class for ship in first | second] == [ShipClass.BATTLE_CRUISER]
