"""The two back ends draw the same figures: as SVG for pages and files, as PDF on paper."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from combat.sides import usual
from tabletop.table import Pose
from web.drawing.figures import Circle, Drawing, Group, Shape, Text
from web.drawing.geometry import Box, Path, on_circle
from web.drawing.pdf import PAPERS_MM, pdf_file
from web.drawing.scenario_map import WIDTH, StartingShip, draw_scenario
from web.drawing.silhouettes import KINDS, silhouette
from web.drawing.svg import inline_svg, path_data, svg_file
from web.drawing.theme import Theme, colours

SVG = "{http://www.w3.org/2000/svg}"


def elements(drawing: Drawing) -> list[ET.Element]:
    return list(ET.fromstring(svg_file(drawing, "light")).iter())  # noqa: S314  # Our own.


def dark_mm(drawing: Drawing) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is dark on the printed page."""
    scale = 8 * 25.4 / 72
    page = pypdfium2.PdfDocument(pdf_file([drawing], "A page"))[0]
    grey = page.render(scale=scale, grayscale=True).to_numpy().squeeze()
    rows, columns = np.nonzero(grey < 128)
    left, right = columns.min() / 8, (columns.max() + 1) / 8
    return left, rows.min() / 8, right, (rows.max() + 1) / 8


def test_a_group_moves_turns_and_enlarges_in_both() -> None:
    bar = Shape(Path().rectangle(0, 0, 10, 2), fill="ink")
    drawing = Drawing(60, 50, (Group((bar,), at=(30, 10), turn_deg=90, scale=(2, 1)),))
    # Clockwise: what went to the right goes down, and what went down goes to the left.
    assert dark_mm(drawing) == pytest.approx((28, 10, 30, 30), abs=0.2)
    (group,) = (each for each in elements(drawing) if each.tag == f"{SVG}g")
    assert group.get("transform") == "translate(30 10) rotate(90) scale(2 1)"


def test_pages_have_their_exact_size_and_holes_stay_open() -> None:
    frame = Box(5, 5, 25, 25).path.and_path(Box(10, 10, 20, 20).path)
    width, height = PAPERS_MM["letter"]
    page = pypdfium2.PdfDocument(pdf_file([Drawing(width, height, (Shape(frame, "ink"),))], "x"))[0]
    assert page.get_size() == pytest.approx((612, 792), abs=0.01)
    picture = page.render(scale=72 / 25.4, grayscale=True).to_numpy().squeeze()
    assert picture[int(7 * 8.03), int(7 * 8.03)] == 0
    assert picture[int(15 * 8.03), int(15 * 8.03)] == 255


def test_a_ship_is_a_symbol_in_a_page_and_drawn_in_a_file() -> None:
    ship = StartingShip(usual().sides["british"], None, Pose(5000, 4000, 30))
    drawing = draw_scenario([ship], 10_000, 8_000, numbered=True)
    assert (drawing.width, drawing.height) == (WIDTH, WIDTH * 0.8)
    page = str(inline_svg(drawing, "little-map", "where they begin"))
    assert re.findall(r'href="#([a-z-]+)"', page) == ["ship-unknown-round-plain"]
    assert 'aria-label="where they begin"' in page
    assert "#ship" not in svg_file(drawing, "dark")
    texts = [each.text for each in elements(drawing) if each.tag == f"{SVG}text"]
    assert texts == ["1"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hull", ["round", "angular"])
def test_silhouettes_are_a_hundred_long_and_finer_with_detail(kind: str, hull: str) -> None:
    plain, fine = (silhouette(f"{kind}-{hull}", "ink", fine=each) for each in (False, True))
    assert set(plain) <= set(fine)
    outline = plain[0]
    assert isinstance(outline, Shape)
    ys = [y for _, y in outline.path.points]
    assert (min(ys), max(ys)) == pytest.approx((-50, 50), abs=1.5)


def test_an_arc_keeps_to_its_circle() -> None:
    path = Path().arc((3, 4), 10, 40, 300)
    assert path.points[0] == pytest.approx(on_circle((3, 4), 10, 40))
    assert path.points[-1] == pytest.approx(on_circle((3, 4), 10, 300))
    for x, y in path.points:
        assert np.hypot(x - 3, y - 4) == pytest.approx(10)


def test_svg_paths_are_read_and_written() -> None:
    data = "M0 -50L4.2 -42C5 6 7 8 9 10L9 20L3 20Z"
    assert path_data(Path.from_svg("M0-50 4.2-42C5 6 7 8 9 10V20H3Z")) == data


def test_dashes_and_small_figures_are_written_short() -> None:
    items = (
        Circle((1, 2), 3, stroke="ink", dashes=(1, 2)),
        Shape(Path().move(-0.001, 0).line(1 / 3, 0), stroke="ink", opacity=0.5),
        Text((0, 0), "x", 12, halo="halo", halo_width=3),
    )
    circle, line, text = elements(Drawing(9, 9, items))[3:]
    assert circle.get("stroke-dasharray") == "1 2"
    assert line.get("d") == "M0 0L0.33 0"
    assert line.get("stroke-opacity") == "0.5"
    assert (text.get("paint-order"), text.get("stroke-width")) == ("stroke", "3")


def test_a_colour_that_no_theme_has_is_an_error() -> None:
    with pytest.raises(KeyError):
        inline_svg(Drawing(9, 9, (Text((0, 0), "x", 12, "no_such_ink"),)))


@pytest.mark.parametrize("theme", ["light", "dark", "markers"])
def test_themes_have_all_colours_of_the_page(theme: Theme) -> None:
    assert colours("page").keys() <= colours(theme).keys()
    assert all(value.startswith("#") for value in colours(theme).values())
