"""The style sheets: each class that they name is used, each that is loaded is there."""

import re
from pathlib import Path

import pytest

import web
from combat.provenance import Provenance

WEB = Path(web.__file__).parent
STYLES = sorted((WEB / "static" / "css").rglob("*.css"))
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
USERS = "\n".join(
    path.read_text("utf-8")
    for path in (*TEMPLATES, *(WEB / "static" / "js").rglob("*.js"), *WEB.rglob("*.py"))
)
WORDS = frozenset(re.findall(r"[A-Za-z][\w-]*", USERS)) | frozenset(Provenance)
BEGINNINGS = frozenset(re.findall(r"([a-z]+-?)(?:\{|$)", re.sub(r"\{\{", "{", USERS)))
"""What stands before a value that completes a class: `depth-{{ n }}`, `f"side-{colour}"`."""
SELECTOR = re.compile(r"([^{}]+)\{")


def _selectors(path: Path) -> str:
    css = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r'"[^"]*"', "", " ".join(SELECTOR.findall(css)))


def _is_used(name: str) -> bool:
    beginning = re.sub(r"(?:(?<=-)[a-z]+|\d+)$", "", name)
    return name in WORDS or (beginning != name and beginning in BEGINNINGS)


@pytest.mark.parametrize("path", STYLES, ids=lambda path: str(path.relative_to(WEB)))
def test_every_class_and_id_of_a_style_sheet_is_used(path: Path) -> None:
    named = set(re.findall(r"[.#]([a-zA-Z][\w-]*)", _selectors(path)))
    assert sorted(name for name in named if not _is_used(name)) == []


def test_every_style_sheet_is_loaded_and_every_file_that_is_loaded_is_there() -> None:
    templates = "\n".join(path.read_text("utf-8") for path in TEMPLATES)
    loaded = set(re.findall(r"filename='([^']+)'", templates))
    static = WEB / "static"
    assert {name for name in loaded if not (static / name).is_file()} == set()
    assert {str(path.relative_to(static)) for path in STYLES} <= loaded
