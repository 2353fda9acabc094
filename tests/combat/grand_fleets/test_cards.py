"""Data cards: what ours say, what an owner may write, and that nothing is lost on the way back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.cards import FieldKind
from combat.provenance import Provenance
from combat.rulebooks import get_ruleset, grand_fleets
from combat.rulebooks.grand_fleets.card import Card, Guns, Rating, Torpedoes, Tube, TubeBox
from combat.rulebooks.grand_fleets.card_file import (
    CARD_KEYS,
    card_from,
    card_values,
    load_cards,
    read_card,
    read_cards,
    write_cards,
)
from combat.scene_file import read_scene
from combat.ships import ModelBase, ShipClass
from tabletop.errors import BadField, DreyerError
from tabletop.scale import Scale
from tabletop.survey import survey
from tabletop.table import Base
from tests.combat.shot_runner import ShotRunner
from tests.refusals import refused
from web.strings import words

CARDS = load_cards()
MINE = """
[[ship]]
name = "My Ship"
class = "CA"
nation = "British"
size = "medium"
armour = [3, "1-"]
speed = [6, 5, 4, 3, 2]
hull = [4, 4, 4]

[[ship.guns]]
name = '8"'
calibre = 8
turrets = true
forward = -2
aft = "-"
range = [4, 9, 18.5]
penetration = "2+"
dice = [9, 6, 4]

[ship.torpedoes]
name = '21"'
range = [2, 5, 10]
damage = 0
tubes = ["P2", "S", "PS", "F", "A2"]
"""


def card(name: str) -> Card:
    found = CARDS.find(name)
    assert found is not None
    return found


def test_iron_duke_is_as_the_book_prints_her() -> None:
    ship = card("Iron Duke")
    assert (ship.size, ship.year, ship.ship_class) == ("large", 1914, ShipClass.BATTLESHIP)
    assert [str(rating) for rating in ship.armour] == ["4+", "2"]
    assert [str(rating) for rating in ship.speed] == ["4+", "3", "2", "2-", "1"]
    main, secondary = ship.guns
    assert main.dice == (21, 15, 10, 7, 5, 4, 3)
    assert (main.turrets, main.forward, main.aft, main.range) == (True, -3, -3, (5, 11, 22))
    assert (str(main.penetration), str(secondary.penetration)) == ("4", "1+")
    assert (secondary.turrets, secondary.forward, secondary.range) == (False, -5, (3, 6, 12))
    assert secondary.dice[1:] == (4, 3, 2)


def test_what_the_scan_has_lost_is_marked() -> None:
    duke, pensacola = card("Iron Duke"), card("Pensacola")
    assert duke.gaps == ("torpedoes", "anti_air")
    for key in ("hull", "victory_points"):
        assert duke.provenance(key) is Provenance.RECONSTRUCTED
    assert duke.provenance("dice", duke.guns[0]) is Provenance.PRINTED
    assert duke.provenance("dice", duke.guns[1]) is Provenance.RECONSTRUCTED
    assert duke.provenance("armour") is Provenance.PRINTED
    assert sum(pensacola.hull) == 11
    assert pensacola.size == "small"
    assert "armour" in pensacola.gaps
    assert pensacola.armour == ()


def test_invented_ships_say_so() -> None:
    for ship in CARDS:
        invented = ship.name.startswith("Sample ")
        assert ship.sample == invented, ship.name
        assert (ship.source.provenance is Provenance.RECONSTRUCTED) == invented
        assert not invented or "invented" in ship.source.reference


@pytest.mark.parametrize("ship_class", ["BB", "BC", "CA", "CL", "DD"])
def test_both_invented_navies_have_equal_points_for_each_class(ship_class: str) -> None:
    north, south = (
        [ship for ship in CARDS if (ship.nation, ship.ship_class) == (navy, ship_class)]
        for navy in ("Sample North", "Sample South")
    )
    assert len(north) == len(south) == 1
    assert north[0].victory_points == south[0].victory_points
    assert north[0].size == south[0].size


def test_a_card_gives_the_base_of_her_model() -> None:
    base = "base_length_inches = 3\nbase_width_inches = 1.25\nbridge_offset_inches = -0.5\nhull ="
    ship = read_card(MINE.replace("hull =", base))
    assert ship.base == ModelBase(3.0, 1.25, -0.5)
    assert ship.provenance("base_width_inches") is Provenance.OWNER
    assert read_card(write_cards([ship])) == ship
    assert read_card(MINE).base == ModelBase()
    scale = Scale(500)
    usual = get_ruleset("grand-fleets").base_of(read_card(MINE), scale)
    assert usual == Base(1000.0, 400.0, 0.0)
    assert get_ruleset("grand-fleets").base_of(ship, scale) == Base(1500.0, 625.0, -250.0)


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ("base_width_inches = 0", "from 0.1 to 10"),
        ("base_length_inches = 21", "from 0.1 to 20"),
        ("base_length_inches = 2\nbridge_offset_inches = 1.2", "inches from -1 to 1, got 1.2"),
    ],
)
def test_a_base_that_cannot_be_is_refused(written: str, match: str) -> None:
    with refused(BadField, match=match):
        read_card(MINE.replace("hull =", f"{written}\nhull ="))


def test_a_scene_measures_from_the_bridge_of_the_card() -> None:
    dreadnought = 'name = "{name}"\ntype = "Sample South dreadnought"\nx = {x}\ny = 0\nheading = 90'
    ships = "\n".join(
        f"[[ship]]\n{dreadnought.format(name=name, x=x)}" for name, x in (("A", 0), ("B", 5000))
    )
    scene = read_scene(f'ruleset = "grand-fleets"\n{ships}'.encode(), "s.toml")
    assert scene.table["A"].base == Base(900.0, 350.0, 75.0)
    own = ships.replace("heading = 90", "heading = 90\nbridge_offset_inches = 0.4", 1)
    scene = read_scene(f'ruleset = "grand-fleets"\n{own}'.encode(), "s.toml")
    assert scene.table["A"].base == Base(900.0, 350.0, 200.0)
    found = survey(scene.table, scene.ruleset.table_rules)
    assert found["A", "B"].range_yards == pytest.approx(5000 - 200 + 75)


def test_every_size_has_a_sample() -> None:
    assert {ship.size for ship in CARDS} == {
        "very small", "small", "medium", "large", "very large",
    }  # fmt: skip


@pytest.mark.parametrize("ship", list(CARDS), ids=lambda ship: ship.name)
def test_our_cards_come_back_as_they_went(ship: Card) -> None:
    assert read_cards(write_cards([ship]).encode(), "again", owner=False) == (ship,)


def test_an_owners_card() -> None:
    ship = read_card(MINE)
    assert ship.provenance("hull") is Provenance.OWNER
    (guns,) = ship.guns
    assert (guns.forward, guns.aft, guns.range[2]) == (-2, None, 18.5)
    assert guns.penetration == Rating(2, "+")
    assert ship.torpedoes is not None
    assert ship.torpedoes.carried == {
        Tube.PORT: 2, Tube.STARBOARD: 1, Tube.EITHER: 1, Tube.FORWARD: 1, Tube.AFT: 2,
    }  # fmt: skip
    assert read_card(write_cards([ship])) == ship
    assert "source" not in write_cards([ship])


@pytest.mark.parametrize("ship", list(CARDS), ids=lambda ship: ship.name)
def test_a_form_has_every_value_and_gives_it_back(ship: Card) -> None:
    values = json.loads(json.dumps(card_values(ship)))
    assert card_from(values) == ship
    with refused(DreyerError, match="unknown key 'huull'"):
        card_from({**values, "huull": [1, 1, 1]})


def test_a_card_that_ships_needs_a_source() -> None:
    with refused(DreyerError, match="source: expected a line of text"):
        read_cards(MINE.encode(), "x.toml", owner=False)


@pytest.mark.parametrize(
    ("old", "new", "pattern"),
    [
        ('name = "My Ship"\n', "", r"name: expected a line of text .* the key is missing"),
        ('"medium"', '"midium"', "did you mean 'medium'"),
        ('"CA"', '"CX"', "class: expected one of BB"),
        ("hull = [4, 4, 4]", "hull = [4, 4]", "hull: expected a list of 3 whole numbers"),
        ("hull = [4, 4, 4]", "hull = [4, 4, 100]", "hull: expected a list of 3 whole numbers"),
        ("hull = [4, 4, 4]", "hull = [0, 0, 0]", "hull: expected at least one box"),
        ("hull = [4, 4, 4]", "hulls = [4, 4, 4]", "the nearest known key is 'hull'"),
        ('[3, "1-"]', '["3*", 1]', "armour: expected a list of 2 whole numbers"),
        ('[3, "1-"]', "[3]", "armour: expected a list of 2"),
        ("[6, 5, 4, 3, 2]", "[6, 5, 6]", "speed: expected numbers none of which is above"),
        ("[9, 6, 4]", "[9, 6, 7]", "dice: expected numbers none of which is above"),
        ("[9, 6, 4]", "[9, 6, 0]", "dice: expected a list of 1 to 20 whole numbers from 1"),
        ("[9, 6, 4]", "[]", "dice: expected a list of 1 to 20"),
        ("[4, 9, 18.5]", "[4, 3, 18]", "range: expected numbers none of which is below"),
        ("[4, 9, 18.5]", "[0, 3, 18]", "range: expected a list of 3 numbers"),
        ("[4, 9, 18.5]", '[4, "9", 18]', "range: expected a list of 3 numbers"),
        ("forward = -2", "forward = 2", "forward: expected a whole number from -20 to 0"),
        ("forward = -2", "forward = true", "forward: expected a whole number"),
        ('"2+"', '"two"', "penetration: expected a whole number"),
        ("calibre = 8", "calibre = 80", "calibre: expected a number from 1 to 20"),
        ('"P2"', '"P3"', "tubes: expected a list of 1 to 40 of F, A, P, S and PS"),
        ('"P2"', "2", "tubes: expected"),
        ("damage = 0", "damage = 12", "damage: expected a whole number from -5 to 9"),
        ("[[ship.guns]]", "[ship.guns]", "guns: expected tables"),
        ('nation = "British"', 'nation = "British"\ngaps = ["rigging"]', "gaps: expected a list"),
        ('nation = "British"', 'nation = "British"\nsource = "hearsay: x"', "source: expected"),
    ],
)
def test_wrong_cards_in_one_line(old: str, new: str, pattern: str) -> None:
    assert old in MINE
    with refused(DreyerError, match=pattern) as error:
        read_card(MINE.replace(old, new, 1), "My card")
    assert "\n" not in words(error.value)
    assert words(error.value).startswith("My card")


def test_one_card_at_a_time() -> None:
    with refused(DreyerError, match=r"expected one card, written .*, got 0"):
        read_card("")
    with refused(DreyerError, match="got 2"):
        read_card(MINE + MINE)
    guns = MINE[MINE.index("[[ship.guns]]") : MINE.index("[ship.torpedoes]")]
    with refused(DreyerError, match="at most 6 batteries"):
        read_card(MINE + guns * 6)


def test_a_form_can_be_made_from_the_keys() -> None:
    assert set(CARD_KEYS) == {"ship", "guns", "torpedoes", "anti_air"}
    for keys in CARD_KEYS.values():
        assert len({key.name for key in keys}) == len(keys)
        for key in keys:
            assert key.label, key.name
            if key.kind in (
                FieldKind.NUMBER,
                FieldKind.NUMBERS,
                FieldKind.RATINGS,
                FieldKind.RATING,
                FieldKind.END,
            ):
                assert key.least < key.most, key.name
            if key.kind in (FieldKind.CHOICE, FieldKind.TEXTS):
                assert key.choices, key.name


def test_an_owners_card_stands_over_ours() -> None:
    mine = read_card(MINE.replace("My Ship", "Iron Duke"))
    ruleset = grand_fleets.load([mine])
    assert ruleset.ships.find("iron duke") is mine
    titles = [words(offer.title) for offer in ShotRunner(ruleset).offers("Iron Duke")]
    assert titles[:2] == ['8"', 'Torpedoes, 21"']
    sheet = ShotRunner(ruleset).sheet("Flagship", "Iron Duke", "blue", {})
    assert sheet.parts[0].total == 12


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=9)
RATINGS = st.builds(Rating, st.integers(0, 20), st.sampled_from(["", "+", "-"]))
BANDS = st.lists(st.integers(1, 60), min_size=3, max_size=3).map(lambda each: tuple(sorted(each)))
DICE = st.lists(st.integers(1, 99), min_size=1, max_size=20).map(
    lambda each: tuple(sorted(each, reverse=True))
)
ENDS = st.one_of(st.none(), st.integers(-20, 0))
GUNS = st.builds(
    Guns, NAMES, calibre=st.integers(1, 20).map(float), turrets=st.booleans(), forward=ENDS,
    aft=ENDS, range=BANDS, extreme=st.booleans(), penetration=RATINGS, dice=DICE,
)  # fmt: skip
TUBES = st.builds(TubeBox, st.sampled_from(Tube), st.integers(1, 2))
TORPEDOES = st.builds(
    Torpedoes, NAMES, range=BANDS, damage=st.integers(-5, 9),
    tubes=st.lists(TUBES, min_size=1, max_size=9).map(tuple),
)  # fmt: skip


@given(NAMES, st.lists(GUNS, max_size=6), st.one_of(st.none(), TORPEDOES))
def test_any_card_comes_back(name: str, guns: list[Guns], torpedoes: Torpedoes | None) -> None:
    ship = Card(
        name=name, ship_class=ShipClass.CARRIER, nation=name, size="small", hull=(3, 0, 1),
        guns=tuple(guns), torpedoes=torpedoes,
    )  # fmt: skip
    assert read_card(write_cards([ship])) == ship
