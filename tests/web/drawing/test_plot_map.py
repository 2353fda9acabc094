"""The little map of a battle: names beside their ships, clear of the lines of fire."""

from pathlib import Path

from shapely import LineString, box

from combat.guided_play import StepKind
from combat.participants import UMPIRE
from combat.sides import usual
from tests.web.battles import Fought
from tests.web.drawing.inspected import box_of
from web.drawing.figures import Shape, Text
from web.drawing.plot_map import draw_map, fire_lines


def test_no_line_of_fire_goes_through_a_name(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "table.sqlite")
    fought.move()
    fought.fire(roll=False)
    assert fought.battle.step.kind is StepKind.RESOLVE
    view = fought.battle.plotted_view(UMPIRE)
    drawing = draw_map(view, fire_lines(view), usual().sides, height=230.0)
    names = [item for item in drawing.items if isinstance(item, Text) and item.css == "name"]
    assert len(names) == 4
    lines = [
        LineString(item.path.points)
        for item in drawing.items
        if isinstance(item, Shape) and item.css == "way"
    ]
    assert len(lines) == 4
    for name in names:
        covered = box(*(getattr(box_of(name), key) for key in ("left", "top", "right", "bottom")))
        assert not any(covered.intersects(line) for line in lines), name.words
