"""What the import contracts cannot see: the rooms keep their words to themselves."""

import re
import tomllib
from pathlib import Path

import pytest

from combat.rulebooks import NAMES

ROOT = Path(__file__).parent.parent
TABLETOP = sorted((ROOT / "tabletop").glob("*.py"))
ROOMS = ("calibration", "combat", "dreyer_table", "tabletop", "vision", "web")
ALL_MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
PACKAGES = [path.parent for path in ALL_MODULES if path.name == "__init__.py"]


@pytest.mark.parametrize("path", TABLETOP, ids=lambda path: path.name)
def test_the_table_names_no_rulebook(path: Path) -> None:
    words = {word for name in NAMES for word in (name, name.split("-")[0])} - {"grand"}
    found = [word for word in words if re.search(word, path.read_text("utf-8"), re.IGNORECASE)]
    assert found == []


def test_every_package_is_found() -> None:
    """A folder without `__init__.py` works in a checkout and is missing from an installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = project["tool"]["setuptools"]["packages"]["find"]["include"]
    assert sorted(found) == [f"{room}*" for room in ROOMS]
    assert {path.parent for path in ALL_MODULES} == set(PACKAGES)


def test_every_data_file_is_packed() -> None:
    """A file that no pattern names works in a checkout and is missing from an installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    setuptools = project["tool"]["setuptools"]
    packed = {
        path
        for package, patterns in setuptools["package-data"].items()
        for folder in ([ROOT / package.replace(".", "/")] if package != "*" else PACKAGES)
        for pattern in patterns
        for path in folder.glob(pattern)
    }
    present = {
        path
        for room in ROOMS
        for path in (ROOT / room).rglob("*.*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert sorted(str(path.relative_to(ROOT)) for path in present - packed) == []


@pytest.mark.parametrize(
    "name", ["requirements.lock", "requirements-dev.lock", "requirements-release.lock"]
)
def test_every_locked_file_has_a_hash_and_no_registry_is_named(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_the_locks_agree_and_have_all_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [
        *project["project"]["dependencies"],
        *project["build-system"]["requires"],
        *project["dependency-groups"]["build"],
    ]
    tools = project["project"]["optional-dependencies"]["dev"]
    run, dev = _locked("requirements.lock"), _locked("requirements-dev.lock")
    assert {_name(line) for line in asked} <= run.keys()
    assert {_name(line) for line in tools} <= dev.keys()
    assert not {_name(line) for line in tools} & run.keys()
    assert run.items() <= dev.items()
    extras = project["project"]["optional-dependencies"]
    release = _locked("requirements-release.lock")
    assert {_name(line) for line in (*extras["docs"], *extras["release"])} <= release.keys()
    assert dev.items() <= release.items()


def _locked(name: str) -> dict[str, str]:
    """The version of each package in a lock."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")
