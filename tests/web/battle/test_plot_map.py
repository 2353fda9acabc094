"""The little map of a battle: names beside their ships, clear of the lines of fire."""

from pathlib import Path

from shapely import LineString, box

from combat.guided_play import StepKind
from combat.participants import UMPIRE
from tests.web.battles import Fought
from web.battle.plot_map import NAME_PX, draw_map, fire_lines
from web.charts.lettering import Face, text_width


def test_no_line_of_fire_goes_through_a_name(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "table.sqlite")
    fought.move()
    fought.fire(roll=False)
    assert fought.battle.step.kind is StepKind.RESOLVE
    view = fought.battle.view(UMPIRE)
    found = draw_map(view, fire_lines(view), height=230.0)
    assert len(found.labels) == 4
    lines = [
        LineString([tuple(map(float, spot.split())) for spot in line.d[1:].split("L")])
        for line in found.lines
    ]
    assert len(lines) == 4
    for label in found.labels:
        wide = text_width(label.text, Face.SERIF_ITALIC, NAME_PX)
        name = box(label.x, label.y - 11, label.x + wide, label.y + 3)
        assert not any(name.intersects(line) for line in lines), label.text
