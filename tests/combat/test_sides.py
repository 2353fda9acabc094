"""The sides of a table: those that stand in the file, further ones, and what may be declared."""

import pytest

from combat.participants import Side, SideColour, SideShape
from combat.rulebooks.bismarck_advanced.fleet.nations import Party, party_of
from combat.scenarios import read_scenario
from combat.scene_file import read_scene
from combat.sides import Sides, checked, usual
from tabletop.errors import DreyerError

THREE = """
title = "Three navies"
[scenario]
date = "June 1940"
story = "Two allies against one."
victory = "Sink the other."
audience = "Three players"
[[side]]
name = "Reds"
letter = "R"
allies = ["blues"]
[[side]]
name = "Blues"
[[side]]
key = "german"
[[ship]]
name = "Hood"
side = "reds"
x = 1000
y = 1000
heading = 0
[[ship]]
name = "Dunkerque"
side = "blues"
x = 2000
y = 1000
heading = 0
[[ship]]
name = "Bismarck"
x = 3000
y = 9000
heading = 180
"""


def test_the_usual_sides_differ_in_letter_shape_and_colour() -> None:
    sides = usual().sides
    assert sides.keys == ("british", "german", "neutral")
    for sign in ("letter", "shape", "colour"):
        assert len({getattr(side, sign) for side in sides}) == len(sides)
    assert sides.fighting.keys == ("british", "german")


@pytest.mark.parametrize(
    ("nation", "key"), [("British", "british"), ("German", "german"), ("Italian", "neutral")]
)
def test_a_nation_has_a_side_by_the_file(nation: str, key: str) -> None:
    assert usual().of_nation(nation).key == key


def test_further_sides_have_signs_of_their_own() -> None:
    sides = usual().sides
    for name in ("Italian", "Greek"):
        sides = sides.with_side(sides.proposed(name.casefold(), name))
    assert len({side.colour for side in sides}) == len(sides)
    assert len({side.shape for side in sides}) == len(sides)
    assert sides["italian"].letter == "I"
    # The letter of the Germans is taken.
    assert sides["greek"].letter == "R"


def test_allies_are_mutual_and_form_parties() -> None:
    one, two, three = (Side(key) for key in "abc")
    sides = Sides((one, two, three)).with_side(Side("a", allies=("c",)))
    assert sides["c"].allies == ("a",)
    assert sides.pairs_of_allies("abc") == (("a", "c"),)
    assert sides.parties("abc") == (("b",), ("a", "c"))
    assert sides.with_side(Side("a"))["c"].allies == ()
    assert sides.without("c")["a"].allies == ()


@pytest.mark.parametrize(
    "sides",
    [
        (Side("a"),),
        tuple(Side(key) for key in "abcdef"),
        (Side("a"), Side("a")),
        (Side("a", allies=("z",)), Side("b")),
        (Side("a", allies=("a",)), Side("b")),
    ],
)
def test_sides_that_cannot_be_are_refused(sides: tuple[Side, ...]) -> None:
    with pytest.raises(DreyerError):
        checked(Sides(sides), "test")


def test_a_scenario_declares_its_sides() -> None:
    scenario = read_scenario(THREE.encode(), "three.toml")
    assert scenario.sides.keys == ("reds", "blues", "german")
    assert scenario.sides["blues"].allies == ("reds",)
    assert scenario.sides["german"] == usual().sides["german"]
    reds, blues = scenario.sides["reds"], scenario.sides["blues"]
    assert (reds.name, reds.letter) == ("Reds", "R")
    assert (reds.colour, reds.shape) == (SideColour.VIOLET, SideShape.HEXAGON)
    assert (blues.letter, blues.colour) == ("B", SideColour.TEAL)
    assert [ship.side for ship in scenario.ships] == ["reds", "blues", "german"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('side = "blues"', 'side = "greens"'), "blues"),
        (('allies = ["blues"]', 'allies = ["greens"]'), "greens"),
        (('letter = "R"', 'letter = "RR"'), "letter"),
        (('letter = "R"', 'colour = "pink"'), "colour"),
        (('side = "blues"', 'side = "reds"'), "Blues has no ship"),
        (('name = "Blues"', 'name = "Reds"'), "twice"),
    ],
)
def test_a_scenario_with_wrong_sides_is_told_why(change: tuple[str, str], words: str) -> None:
    with pytest.raises(DreyerError, match=words):
        read_scenario(THREE.replace(*change).encode(), "three.toml")


def test_the_scenario_is_a_scene_with_the_same_sides() -> None:
    scene = read_scene(THREE.encode(), "three.toml")
    assert scene.sides == read_scenario(THREE.encode(), "three.toml").sides
    dunkerque = scene.side_of("Dunkerque")
    assert dunkerque is not None
    assert (dunkerque.key, dunkerque.letter) == ("blues", "B")
    assert scene.side_of("Bismarck") is None, "her nation says it"


def test_a_navy_that_the_rules_do_not_know_has_a_party_by_the_file() -> None:
    assert party_of("German") is Party.GERMAN
    assert party_of("Italian") is party_of("French") is Party.ALLIED
