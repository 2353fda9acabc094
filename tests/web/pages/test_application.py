"""Modules that answer addresses are imported when one of their addresses is first asked for."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from web import create_app
from web.api.all_routes import API
from web.http.addresses import head_of
from web.pages.all_pages import PAGES

_HEADS = {**PAGES, **API}


@pytest.mark.parametrize("module", _HEADS)
def test_the_heads_of_a_module_are_those_of_its_addresses(module: str) -> None:
    there = {head_of(each.path) for each in import_module(module).routes.addresses()}
    assert set(_HEADS[module]) == there


@pytest.mark.parametrize("room", ["web.pages", "web.api"])
def test_every_module_with_addresses_is_listed(room: str) -> None:
    modules = (f"{room}.{each.name}" for each in iter_modules(import_module(room).__path__))
    assert {each for each in modules if hasattr(import_module(each), "routes")} == {
        each for each in _HEADS if each.startswith(f"{room}.")
    }


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("/", ""),
        ("/battle", "battle"),
        ("//battle/fire/Hood/", "battle"),
        ("/api/battle/play", "api/battle"),
        ("/api", "api"),
    ],
)
def test_head_of(path: str, head: str) -> None:
    assert head_of(path) == head


def test_a_request_adds_the_addresses_of_its_own_module() -> None:
    app = create_app()
    assert app.test_client().get("/help").status_code == 200
    assert "manual.page" in app.view_functions
    assert "battle.now" not in app.view_functions
    allowed = app.test_client().options("/battle").headers["Allow"]
    assert set(allowed.split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert "battle.now" in app.view_functions
    assert app.test_client().get("/nowhere").status_code == 404


def test_the_start_imports_no_rules_no_pages_and_no_eyes() -> None:
    """What is needed later must not make everybody wait at the start."""
    found = subprocess.run(
        [sys.executable, "-c", "import sys; from web import create_app; create_app(); "
         "print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    late = (
        *("cv2", "reportlab.pdfgen", "resvg_py", "web.pages.table", "web.api.battle"),
        *("combat.captain.advanced", "combat.rulebooks.arctic_disaster", "vision.tracking.tracker"),
        *(f"combat.rulebooks.bismarck_advanced.{each}" for each in ("guided_battle", "fire")),
    )
    assert "web.session" in found
    assert [each for each in late if each in found] == []
