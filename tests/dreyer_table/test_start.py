"""`python -m dreyer_table`: starts our own packages only, and says so where others are in front."""

import os
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

from dreyer_table.packages import MARK, PACKAGES, foreign_package
from dreyer_table.start import refusal

ROOT = Path(__file__).parents[2]


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dreyer_table", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_it_is_the_command(tmp_path: Path) -> None:
    done = start(tmp_path, "--version", PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stdout) == (0, f"dreyer {version('dreyer-table')}\n")
    (command,) = entry_points(group="console_scripts", name="dreyer")
    assert command.value == "dreyer_table.start:main"


@pytest.mark.parametrize("name", PACKAGES)
def test_another_package_of_that_name_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemExit('imported')\n")
    done = start(tmp_path, "--version", PYTHONPATH=str(ROOT))
    assert done.returncode == 1
    assert f'"{name}"' in done.stderr
    assert str(tmp_path / name / "__init__.py") in done.stderr
    assert "pipx install dreyer-table" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_package_written_over_ours_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two distributions in one folder: the later one has overwritten `web/__init__.py`."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_bytes(MARK)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in PACKAGES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert foreign_package(tmp_path) is None
    (tmp_path / "web" / "__init__.py").write_text('"""Somebody else\'s."""\n')
    found = foreign_package(tmp_path)
    assert found is not None
    assert found.name == "web"


def test_every_package_has_the_mark() -> None:
    assert foreign_package() is None
    for name in PACKAGES:
        assert (ROOT / name / "__init__.py").read_bytes().startswith(MARK)


def test_the_refusal_is_german_too() -> None:
    from dreyer_table.packages import ForeignPackage

    for found in (None, "/somewhere/web"):
        said = {refusal(ForeignPackage("web", found), language) for language in ("en", "de", "xx")}
        assert len(said) == 2
        assert all("web" in line and (found or "") in line for line in said)
