"""What a release needs besides its packages: tag, changelog, addresses, workflows, forms."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from release.check_tag import faults
from release.project_urls import PAGES, with_urls

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
YAML = sorted((*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"))


@pytest.mark.parametrize(
    ("tag", "changelog", "wrong"),
    [
        ("v1.2.0", "## Unreleased\n\n## 1.2.0 (2026-11-19)\n\n- x\n", 0),
        ("v1.3.0", "## 1.2.0 (2026-11-19)\n", 1),
        ("v1.2.0", "## 1.2.0\n", 1),
        ("v1.2.0", "## Unreleased\n- more\n## 1.2.0 (2026-11-19)\n", 1),
        ("1.2.0", "## Unreleased\n- more\n", 3),
    ],
)
def test_a_tag(tag: str, changelog: str, wrong: int, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(changelog, "utf-8")
    assert len(faults(tag, tmp_path)) == wrong


def test_the_addresses_come_from_one() -> None:
    once = with_urls(PYPROJECT, "https://forge.example/us/table")
    assert with_urls(once, "https://forge.example/us/table") == once
    moved = tomllib.loads(with_urls(once, "https://other.example/us/table"))["project"]
    assert moved["urls"].keys() == PAGES.keys()
    assert all(url.startswith("https://other.example/us/table") for url in moved["urls"].values())
    assert {**moved, "urls": None} == {**tomllib.loads(PYPROJECT)["project"], "urls": None}


def test_no_address_is_made_up() -> None:
    assert "urls" not in tomllib.loads(PYPROJECT)["project"]
    for wrong in ("", "forge.example/us", "https://forge.example/us/"):
        with pytest.raises(SystemExit):
            with_urls(PYPROJECT, wrong)


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_a_workflow_can_be_read(path: Path) -> None:
    assert yaml.safe_load(path.read_text("utf-8"))


def test_every_python_that_we_name_is_tested() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    classifiers = tomllib.loads(PYPROJECT)["project"]["classifiers"]
    named = {found[1] for each in classifiers if (found := re.search(r":: (3\.\d+)$", each))}
    for job in workflow["jobs"].values():
        assert set(job["strategy"]["matrix"]["python"]) == named


def test_the_workflows_call_what_there_is() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        text = path.read_text("utf-8")
        for target in re.findall(r"run: make (\w+)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for module in re.findall(r"python -m (release\.\w+)", text):
            assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
        for file in re.findall(r"python (release/\w+\.py)", text):
            assert (ROOT / file).is_file()


def test_a_bug_report_asks_for_what_is_needed() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text("utf-8"))
    ids = {each["id"]: each for each in form["body"]}
    assert ids["doctor"]["validations"]["required"]
    assert "Export" in ids["file"]["attributes"]["description"]
    assert "photo" in ids["file"]["attributes"]["description"]
