"""The scripts of the page: they come from nowhere but here, and know the shapes of what is sent."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import web
from tabletop.fields_of_fire import Outline
from web.checks.fields_of_fire import BandArea, BatteryField
from web.sides import SideView
from web.table.moment import RangeRing
from web.views.table import DeclaredView, FrontView, PieceView, TableInfo, TableView
from web.views.turn import TurnCall

SCRIPTS = Path(web.__file__).parent / "static" / "js"
MODULES = sorted(SCRIPTS.rglob("*.js"))
SHAPES: dict[str, type] = {
    "BandArea": BandArea,
    "BatteryField": BatteryField,
    "DeclaredPair": DeclaredView,
    "TableInfo": TableInfo,
    "Outline": Outline,
    "RangeRing": RangeRing,
    "ShipView": PieceView,
    "SideView": SideView,
    "SmokeFront": FrontView,
    "TableView": TableView,
    "TurnCall": TurnCall,
}
"""The types of types.js, and the dataclasses that are sent."""


def test_nothing_is_loaded_from_outside() -> None:
    assert MODULES
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        # The name of a namespace is no address to load from.
        outside = re.findall(r"(?:https?:)?//[\w.-]+\.\w+/\S*", text)
        assert [each for each in outside if "www.w3.org" not in each] == [], module.name
        for path in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text):
            assert path.startswith(("./", "../")), (module.name, path)
            assert (module.parent / path).resolve() in MODULES, (module.name, path)


def _properties(shape: str) -> set[str]:
    """The names of a type's properties, written in braces or one a line."""
    text = (SCRIPTS / "common" / "types.js").read_text(encoding="utf-8")
    in_braces = re.search(rf"@typedef {{{{ (.*) }}}} {shape}$", text, re.MULTILINE)
    if in_braces:
        return set(re.findall(r"(\w+):", in_braces[1]))
    lines = re.search(rf"@typedef {{object}} {shape}\n((?: \* @property .*\n)+)", text)
    assert lines, shape
    # A property's type may have braces, spaces and properties of its own.
    return set(re.findall(r"^ \* @property {.*} (\w+)", lines[1], re.MULTILINE))


@pytest.mark.parametrize("shape", SHAPES)
def test_scripts_read_nothing_that_is_not_sent(shape: str) -> None:
    properties = _properties(shape)
    assert properties
    assert properties <= {field.name for field in fields(SHAPES[shape])}
