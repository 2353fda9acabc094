"""Charts laid out and drawn, for tests."""

import xml.etree.ElementTree as ET

from tests.web.conftest import Surveyed
from web.drawing.chart.chart import draw_chart, lay_out_chart
from web.drawing.chart.parts import Chart, ShipMark

SVG = "{http://www.w3.org/2000/svg}"


def lay_out(table: Surveyed, **options: object) -> Chart:
    return lay_out_chart(table.scene, table.result, **options)  # type: ignore[arg-type]


def draw(table: Surveyed, **options: object) -> ET.Element:
    svg = draw_chart(table.scene, table.result, **options)  # type: ignore[arg-type]
    return ET.fromstring(svg)  # noqa: S314  # Our own drawing.


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def marks(chart: Chart) -> dict[str, ShipMark]:
    return {ship.name: ship for ship in chart.ships}
