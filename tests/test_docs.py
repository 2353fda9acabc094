"""README, CONTRIBUTING and glossary are true: their examples run, their names exist."""

import importlib
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from combat.rulebooks.bismarck_advanced.fleet.warship_files import read_warships
from web.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs/glossary.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SHIPS = ROOT / "combat/rulebooks/bismarck_advanced/ships"


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def commands(*families: str) -> list[str]:
    lines = (line for block in blocks(README, "sh") for line in block.splitlines())
    without_comments = (line.split("  #")[0].strip() for line in lines)
    wanted = tuple(f"dreyer {family} " for family in families)
    return [line for line in without_comments if line.startswith(wanted)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the README's files in it, and no owner's values anywhere."""
    names = ("scene.toml", "shot.toml", "torpedoes.toml", "fight.toml", "ships.toml")
    for name, block in zip(names, blocks(README, "toml"), strict=True):
        (tmp_path / name).write_text(block, "utf-8")
    shot = tomllib.loads((tmp_path / "shot.toml").read_text("utf-8"))
    line = json.dumps({"id": 1, "shot": shot, "seed": 7})
    (tmp_path / "shots.jsonl").write_text(line, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize("line", commands("check", "resolve", "forecast", "replay", "convert"))
def test_the_readmes_commands_run(line: str, folder: Path) -> None:
    assert main(shlex.split(line)[1:]) == 0


def test_the_readmes_tables_commands_run_in_their_order(folder: Path) -> None:
    for line in commands("tables"):
        assert main([*shlex.split(line)[1:], "--data", str(folder)]) == 0


def test_adding_a_ship_as_contributing_says() -> None:
    (block,) = blocks(CONTRIBUTING, "toml")
    files = {path.name: path.read_bytes() for path in SHIPS.glob("*.toml")}
    ships = read_warships({**files, "mine.toml": block.encode()})
    assert ships.named("DoY", "test").turrets == ships.named("KGV", "test").turrets


NAMED = sorted(
    set(re.findall(r"`((?:calibration|combat|tabletop|vision|web)(?:\.\w+)+)`", GLOSSARY))
)


@pytest.mark.parametrize("name", NAMED)
def test_what_the_glossary_names_exists(name: str) -> None:
    module, _, member = name.rpartition(".")
    if not hasattr(importlib.import_module(module), member):
        importlib.import_module(name)


def test_the_glossary_defines_each_term_once() -> None:
    terms = re.findall(r"^\| (?!Term|-)([^|]+) \|", GLOSSARY, flags=re.MULTILINE)
    assert len(terms) == len(set(terms)) > 50
