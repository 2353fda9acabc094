"""Ship files: one file adds a ship, and every slip of the pen is one clear line."""

from importlib.resources import files

import pytest

from combat.provenance import Provenance
from combat.rulebook_info import ship_files
from combat.rulebooks.bismarck_advanced.fleet.warship_files import completed, read_warships
from combat.rulebooks.bismarck_advanced.guns import Battery
from tabletop.errors import DreyerError
from web.strings import words

BUNDLED = ship_files(files("combat.rulebooks.bismarck_advanced"))
WHOLE = """
[[ship]]
name = "Vanguard"
class = "BB"
nation = "British"
source = "owner: my own design"
movement_factor = 10
radar = true
torpedoes = 0
hull_boxes = 12
superstructure_boxes = 4
layout = { beam = 0.13, superstructure = [0.3, 0.7], funnels = [0.45, 0.55] }

[ship.armour]
belt = [14, 16]
deck = [6, 10, 16]
main_gun = 14
crown = [6, 10, 16]
secondary = "-"
conning_tower = 4
plot = 12
director = 2
rudder = [4, 6]

[ship.rate_of_fire]
targeting = [6, 6, 6, 9, 12, 15, 17]
main = [7, 3.5, 1.7, 0.9, 0.6, 0.4, 0.2]
secondary = [20, 20, 15, 5.5, 2.4, "-", "-"]

[ship.main]
gun = "E"
calibre = 15
ammunition = 720
boxes = 3
turrets = [
    { name = "A", guns = 2, station = 0.2, arc = ["bow", "port", "starboard"] },
    { name = "Y", guns = 2, station = 0.8, arc = ["stern", "port", "starboard"] },
]

[ship.secondary]
gun = "Z"
calibre = 5.25
ammunition = 1200
turrets = [{ side = "each", guns = 4, station = 0.5 }]
"""


def test_one_file_adds_a_ship() -> None:
    ships = read_warships({**BUNDLED, "mine.toml": WHOLE.encode()})
    vanguard = ships.named("vanguard", "test")
    assert len(list(ships)) == 48
    assert {source.provenance for source in vanguard.sources.values()} == {Provenance.OWNER}
    assert [turret.name for turret in vanguard.secondaries] == ["P1", "S1"]


def test_a_sister_takes_what_she_does_not_state() -> None:
    mine = """
    [[ship]]
    name = "Friedrich der Große"
    like = "Bismarck"
    source = "owner: the H class"
    movement_factor = 11
    [ship.main]
    calibre = 16
    """
    ships = read_warships({**BUNDLED, "aaa.toml": mine.encode()})
    ship, bismarck = ships.named("Friedrich der Grosse", "test"), ships.named("Bismarck", "test")
    assert ship.short_names == ()
    assert (ship.movement_factor, ship.calibres_inches[Battery.MAIN]) == (11, 16)
    assert (ship.turrets, ship.armour) == (bismarck.turrets, bismarck.armour)
    assert ship.source_of("movement_factor").provenance is Provenance.OWNER
    assert ship.source_of("main.calibre").reference == "the H class"
    assert ship.source_of("main.gun") == bismarck.source_of("main.gun")
    assert ship.doubts == bismarck.doubts


def broken(old: str, new: str) -> str:
    assert WHOLE.count(old) == 1
    with pytest.raises(DreyerError) as caught:
        read_warships({"mine.toml": WHOLE.replace(old, new).encode()})
    message = words(caught.value)
    assert "\n" not in message
    assert message.startswith("mine.toml, ship 1 'Vanguard'")
    return message


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("radar = true", "", "radar: expected true or false, got nothing"),
        ("radar = true", "radra = true", "unknown key 'radra'; the nearest known key is 'radar'"),
        ('class = "BB"', 'class = "BX"', "class: expected one of BB"),
        ('source = "owner: my own design"', "", "class: no source; name it under [ship.sources]"),
        ("owner: my own design", "mine: all of it", "source: expected printed, derived"),
        ("owner: my own design", "owner:", "a colon and a reference, got the text 'owner:'"),
        ("belt = [14, 16]", "belt = [14]", "belt: expected a list of 2 values"),
        ("belt = [14, 16]", "belt = [14, 1.5]", "belt 2: expected whole inches from 1 to 40"),
        ("main_gun = 14", "main_gun = true", 'or "-" for no armour, got true'),
        ("12, 15, 17]", "12, 15]", "targeting: expected a list of 7 values"),
        ("0.4, 0.2]", "0.4, -0.2]", "main 7: expected a number above 0 and up to 99"),
        ("2.4, ", '"none", ', "[rate_of_fire]: secondary 5: expected a number"),
        ('gun = "E"', 'gun = "H"', "gun: expected one of G, F, E, D, C, B, A, Z"),
        ('name = "Y"', 'name = "A"', "a name of its own for each turret, got the text 'A'"),
        ("station = 0.8", "station = 8", "turrets 2 'Y': station: expected a number from 0 to 1"),
        ('"stern", "port"', '"aft", "port"', "turrets 2 'Y': arc 1: expected one of bow, "),
        ('side = "each"', 'side = "left"', "side: expected one of each, port, starboard, both"),
        ("guns = 4", "guns = 0", "gun: expected nothing, as she has no such guns"),
        ('20, 20, 15, 5.5, 2.4, "-", "-"', '"-", "-", "-", "-", "-", "-", "-"',
         "rate_of_fire.secondary: expected numbers for her guns"),
        ("funnels = [0.45, 0.55]", "funnels = [4]", "funnels 1: expected a number from 0 to 1"),
        ("hull_boxes = 12", "hull_boxes = 0", "hull_boxes: expected a whole number from 1 to 60"),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_is_one_clear_line(old: str, new: str, complaint: str) -> None:
    assert complaint in broken(old, new)


def test_six_turrets_a_side_are_too_many() -> None:
    one = '{ side = "each", guns = 4, station = 0.5 }'
    assert "at most 5 turrets on the port side (60.3), got 6" in broken(one, ", ".join([one] * 6))


def test_a_rate_of_fire_needs_guns() -> None:
    complaint = broken(WHOLE[WHOLE.index("[ship.secondary]") :], "")
    assert "rate_of_fire.secondary: expected dashes: she has no such guns" in complaint


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[ship.sources]\nhull = "printed: x"', "unknown key 'hull'"),
        ('[ship.sources]\nmain.gnu = "printed: x"', "[main]: unknown key 'gnu'"),
        ('[ship.sources]\nmain.gun = "x"', "[sources], [main]: gun: expected printed"),
        (
            '[[ship.doubt]]\nfield = "hull"\nchosen = "a"\nother = "b"\nreason = "c"',
            "doubt 1: unknown value 'hull'",
        ),
        ('[[ship.doubt]]\nfield = "radar"\nchosen = "yes"', "other: expected a line of text"),
    ],
)
def test_sources_and_doubts_name_real_values(text: str, complaint: str) -> None:
    with pytest.raises(DreyerError) as caught:
        read_warships({"mine.toml": f"{WHOLE}\n{text}".encode()})
    assert complaint in words(caught.value)


@pytest.mark.parametrize(
    ("ships", "complaint"),
    [
        ({"Vanguard": "Vangard"}, "like: unknown ship 'Vangard'; did you mean 'Vanguard'?"),
        ({"Vanguard": "vanguard"}, "like: 'vanguard' is herself defined as like this ship"),
        ({"Lion": "Temeraire", "Temeraire": "Lion"}, "is herself defined as like this ship"),
    ],
)
def test_a_sister_must_exist_and_know_herself(ships: dict[str, str], complaint: str) -> None:
    text = "".join(f'[[ship]]\nname = "{name}"\nlike = "{like}"\n' for name, like in ships.items())
    with pytest.raises(DreyerError) as caught:
        read_warships({"mine.toml": text.encode()})
    assert complaint in words(caught.value)


def test_a_group_may_have_one_source() -> None:
    text = WHOLE.replace("[ship.armour]", '[ship.sources]\narmour = "printed: x"\n[ship.armour]')
    ship = read_warships({"mine.toml": text.encode()}).named("Vanguard", "test")
    assert ship.source_of("armour.belt").reference == "x"
    assert ship.source_of("radar").provenance is Provenance.OWNER


def test_a_table_takes_from_her_sisters_what_it_does_not_state() -> None:
    model = {"radar": True, "torpedoes": 3, "name": "A", "main": {"gun": "E", "boxes": 2}}
    own = {"torpedoes": 0, "main": {"boxes": 3}}
    assert completed(own, model) == {
        "torpedoes": 0,
        "radar": True,
        "main": {"gun": "E", "boxes": 3},
    }
