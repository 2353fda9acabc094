"""What the import contracts cannot see: the rooms keep their words to themselves."""

import re
import tomllib
from pathlib import Path

import pytest

from combat.rulesets import NAMES

ROOT = Path(__file__).parent.parent
TABLETOP = sorted((ROOT / "tabletop").glob("*.py"))
ALL_MODULES = sorted(
    path
    for room in ("tabletop", "calibration", "vision", "combat", "web")
    for path in (ROOT / room).rglob("*.py")
)


@pytest.mark.parametrize("path", TABLETOP, ids=lambda path: path.name)
def test_the_table_names_no_rulebook(path: Path) -> None:
    words = {word for name in NAMES for word in (name, name.split("-")[0])} - {"grand"}
    found = [word for word in words if re.search(word, path.read_text("utf-8"), re.IGNORECASE)]
    assert found == []


@pytest.mark.parametrize("path", ALL_MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_one_room(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 450


def test_every_package_is_listed() -> None:
    """An unlisted package works in a checkout and is missing from an installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    present = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in ALL_MODULES
        if path.name == "__init__.py"
    }
    assert listed == present
