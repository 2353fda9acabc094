"""Scene files: what they may say, and one clear line for everything else."""

import pytest

from combat.scene_file import Scene, read_scene
from tabletop.errors import BadField, DreyerError
from tests.refusals import refused, said

TWO_SHIPS = """
[[ship]]
name = "Hood"
x = 1000
y = 2000
heading = 45
[[ship]]
name = "Target"
x = 5000
y = 2000
heading = 0
"""


def read(text: str) -> Scene:
    return read_scene(text.encode(), "s.toml")


def test_defaults() -> None:
    scene = read(TWO_SHIPS)
    assert scene.ruleset.name == "bismarck-advanced"
    assert scene.scale.yards_per_inch == 500
    hood = scene.table["Hood"]
    assert (hood.base.length_yards, hood.base.width_yards) == (1000, 400)
    assert hood.pose.position_sigma_yards == 0
    assert scene.title == ""


def test_the_name_itself_may_be_a_known_ship() -> None:
    scene = read(TWO_SHIPS)
    assert scene.ships["Hood"].nation == "British"
    assert "Target" not in scene.ships


@pytest.mark.parametrize(
    ("written", "name"),
    [("Hipper", "Admiral Hipper"), ("Scheer", "Admiral Scheer"), ("Koln", "Köln"),
     ("KÖLN", "Köln"), ("nurnberg", "Nürnberg"), ("kgv", "King George V")],
)  # fmt: skip
def test_short_and_plain_spellings_of_a_type(written: str, name: str) -> None:
    scene = read(TWO_SHIPS.replace('name = "Target"', f'name = "Target"\ntype = "{written}"'))
    assert scene.ships["Target"].name == name


def test_lengths_follow_the_scale() -> None:
    scene = read(
        "yards_per_inch = 2000\n"
        + TWO_SHIPS.replace("heading = 45", "heading = 45\nposition_sigma_mm = 25.4")
    )
    assert scene.table["Hood"].base.length_yards == 4000
    assert scene.table["Hood"].pose.position_sigma_yards == pytest.approx(2000)


def test_sizes_come_from_the_file_then_the_card_then_the_class() -> None:
    scene = read(
        'ruleset = "grand-fleets"\n'
        + TWO_SHIPS.replace('name = "Target"', 'name = "Target"\nsize = "very small"')
        + '[[ship]]\nname = "Pensacola"\nx = 1\ny = 1\nheading = 0\n'
        + '[[ship]]\nname = "Nobody"\nx = 2\ny = 2\nheading = 0\n'
    )
    sizes = {model.name: model.size for model in scene.table.models}
    assert sizes == {
        "Hood": "large", "Target": "very small", "Pensacola": "small", "Nobody": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("x = 1000\n", "", "x: expected a number from -1,000,000 to 1,000,000, got nothing"),
        ("heading = 45", "heding = 45", "ship 1 'Hood': unknown key 'heding'; the nearest known "
         "key is 'heading'"),
        ("x = 1000", 'x = "far"', "ship 1 'Hood': x: expected a number"),
        ("x = 1000", "x = nan", "got nan"),
        ("x = 1000", "x = inf", "got inf"),
        ("x = 1000", "x = 1000001", "from -1,000,000 to 1,000,000, got 1000001"),
        ("x = 1000", "x = true", "got true"),
        ("heading = 45", "heading = 1e9", "from -360 to 360, got 1000000000.0"),
        ("heading = 45", "heading = 45\nbase_length_inches = -1", "from 0.05 to 100, got -1"),
        ("heading = 45", "heading = 45\nbase_width_inches = 0", "from 0.05 to 100, got 0"),
        ("heading = 45", "heading = 45\nposition_sigma_mm = -1", "from 0 to 1,000, got -1"),
        ("heading = 45", "heading = 45\nheading_sigma_deg = 500", "from 0 to 180, got 500"),
        ("heading = 45", "heading = 45\nbridge_offset_inches = 9", "from -2 to 2, got 9"),
        ("heading = 45", 'heading = 45\ntype = "Hod"', "ship 1 'Hood': type: unknown ship 'Hod'; "
         "did you mean 'Hood'?"),
        ('"Target"', '"Hood"', "ship 2 'Hood': name: 'Hood' is also the name in ship 1 'Hood'"),
        ('"Target"', '""', "name: expected a line of text"),
        ('"Target"', '"' + "x" * 99 + '"', "name: expected a line of text"),
        ("\n[[ship]]", "\nyards_per_inch = 0\n[[ship]]", "yards_per_inch: expected a number"),
        ("\n[[ship]]", "\nyards_per_inch = -5\n[[ship]]", "yards from 1 to 100,000"),
        ("\n[[ship]]", '\nruleset = "grandfleets"\n[[ship]]', "unknown ruleset 'grandfleets'; "
         "did you mean 'grand-fleets'?"),
        ("\n[[ship]]", "\nruleset = 3\n[[ship]]", "ruleset: expected a line of text"),
        ("\n[[ship]]", "\nrulset = 3\n[[ship]]", "nearest known key is 'ruleset'"),
    ],
)  # fmt: skip
def test_every_fault_is_one_clear_line(old: str, new: str, message: str) -> None:
    with pytest.raises(DreyerError) as caught:
        read(TWO_SHIPS.replace(old, new, 1))
    text = said(caught.value)
    assert message in text
    assert text.startswith("s.toml")
    assert "\n" not in text


@pytest.mark.parametrize("text", ["", "ship = []", "[[smoke]]\nx1=0\ny1=0\nx2=1\ny2=1"])
def test_an_empty_table(text: str) -> None:
    with refused(DreyerError, match="the table is empty"):
        read(text)


def test_a_size_that_does_not_exist() -> None:
    text = 'ruleset = "grand-fleets"\n' + TWO_SHIPS.replace("x = 1000", 'x = 1000\nsize = "huge"')
    with refused(DreyerError, match="size: expected one of very small, small"):
        read(text)


def test_smoke_needs_two_ends() -> None:
    front = "[[smoke]]\nx1 = 0\ny1 = 0\nx2 = 4000\ny2 = 0\n"
    assert len(read(TWO_SHIPS + front).table.smoke) == 1
    with refused(DreyerError, match="smoke 1: x2, y2: expected an end apart"):
        read(TWO_SHIPS + front.replace("4000", "0"))
    with refused(DreyerError, match="smoke 1: y2: expected a number"):
        read(TWO_SHIPS + front.replace("y2 = 0\n", ""))


@pytest.mark.parametrize(
    ("key", "value"),
    [("state", "{ hull_lost = 3 }"), ("number", "4"), ("column", "3"), ("commander", '"fair"')],
)
def test_what_begins_a_battle_needs_a_scenario(key: str, value: str) -> None:
    with pytest.raises(BadField) as found:
        read(f"{TWO_SHIPS}{key} = {value}\n")
    assert found.value.field == key
    assert found.value.expected.code == "combat.expected.scenario"
