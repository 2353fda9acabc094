"""Markers of a scene file: speed, OUT OF COMMAND, wrecks, and what the rules say of them."""

import pytest

from combat.scene_file import Scene, read_scene
from combat.ship_markers import ShipMarkers
from tabletop.errors import BadField, DreyerError
from tabletop.survey import survey
from tests.refusals import refused

SHIP = """
[[ship]]
name = "{name}"
type = "Sample cruiser"
x = {x}
y = 5000
heading = 90
{more}
"""


def scene(*ships: tuple[str, int, str]) -> Scene:
    tables = "".join(SHIP.format(name=name, x=x, more=more) for name, x, more in ships)
    return read_scene(f'ruleset = "grand-fleets"\n{tables}'.encode(), "s.toml")


def test_markers_are_kept_by_ship_in_any_case() -> None:
    found = scene(
        ("Ares", 1000, 'marker = "SLOW"'),
        ("Argo", 2000, 'marker = "stop"\nout_of_command = true'),
        ("Atlas", 3000, ""),
    )
    assert found.markers == {
        "Ares": ShipMarkers("slow"),
        "Argo": ShipMarkers("stop", out_of_command=True),
    }


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ('marker = "slo"', "did you mean 'slow'"),
        ('marker = "none"', "one of stop, slow, fast"),
        ('markr = "slow"', "nearest known key is 'marker'"),
        ("out_of_comand = true", "nearest known key is 'out_of_command'"),
        ("out_of_command = 1", "out_of_command"),
        ("wreck = 3", "wreck"),
    ],
)
def test_a_wrong_marker_is_told_with_the_nearest(more: str, match: str) -> None:
    with refused(DreyerError, match=match):
        scene(("Ares", 1000, more))


def test_a_rulebook_without_markers_refuses_them() -> None:
    text = SHIP.format(name="Hood", x=1000, more='marker = "slow"')
    with refused(BadField, match="a rulebook with markers"):
        read_scene(text.replace("Sample cruiser", "Hood").encode(), "s.toml")


def test_out_of_command_is_no_link() -> None:
    division = 'division = "Van"'
    found = scene(
        ("Ares", 3000, division),
        ("Argo", 2000, f"{division}\nout_of_command = true"),
        ("Atlas", 1000, division),
    )
    rules = found.ruleset.formations
    assert rules is not None
    measured = survey(found.table, found.ruleset.table_rules)
    (van,) = rules(
        found.formations,
        found.ships,
        lambda one, two: measured[one, two].range_yards,
        found.ruleset.tables,
    )
    assert van.in_command == ("Ares",)
    assert van.out_of_command == ("Argo", "Atlas")


def test_a_wreck_stays_as_a_mark_and_blocks_nothing() -> None:
    ships = [("Ares", 1000, ""), ("Old", 5000, "wreck = true"), ("Boreas", 9000, "")]
    found = scene(*ships)
    assert found.table.names == ("Ares", "Boreas")
    assert [wreck.name for wreck in found.wrecks] == ["Old"]
    assert not survey(found.table, found.ruleset.table_rules)["Ares", "Boreas"].blocked
    afloat = scene(*(each if each[0] != "Old" else ("Old", 5000, "") for each in ships))
    assert survey(afloat.table, afloat.ruleset.table_rules)["Ares", "Boreas"].blocked


@pytest.mark.parametrize(
    ("marker", "codes", "figures"),
    [
        ("slow", ["fire", "move"], {"value": 1, "straight": 5000, "turning": 3000}),
        ("stop", ["fire", "move"], {"value": 2, "straight": 2000, "turning": 1000}),
        ("fast", ["fire"], {"value": -1}),
    ],
)
def test_what_a_marker_means(marker: str, codes: list[str], figures: dict[str, int]) -> None:
    found = scene(("Ares", 1000, f'marker = "{marker}"'))
    rules = found.ruleset.markers
    assert rules is not None
    effects = rules.effects(found.ships["Ares"], found.markers["Ares"], found.ruleset.tables)
    assert [effect.code.rpartition(".")[2] for effect in effects] == codes
    assert {name: value for effect in effects for name, value in effect.params} == figures
