"""What the tests of the page share: tables to look at, the application, and its client."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient

from combat.scene_file import Scene, read_scene
from tabletop.survey import Survey, survey
from tests.web.phones import fresh_app
from web.scenes import demo_scene


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A scene with its survey."""

    scene: Scene
    result: Survey


ReadTable = Callable[[str], Surveyed]
ShipToml = Callable[..., str]


@pytest.fixture
def app() -> Flask:
    return fresh_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def read_table() -> ReadTable:
    """A table from the text of a scene file."""

    def read(text: str) -> Surveyed:
        scene = read_scene(text.encode("utf-8"), "scene.toml")
        return Surveyed(scene, survey(scene.table, scene.ruleset.table_rules))

    return read


@pytest.fixture(scope="session")
def ship_toml() -> ShipToml:
    """One ship of a scene file."""

    def write(name: str, x: float, y: float, heading: float = 0.0, **more: str | float) -> str:
        keys = {"name": name, "x": float(x), "y": float(y), "heading": float(heading), **more}
        return "[[ship]]\n" + "".join(
            f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in keys.items()
        )

    return write


@pytest.fixture(scope="session")
def demo() -> Surveyed:
    scene = demo_scene()
    return Surveyed(scene, survey(scene.table, scene.ruleset.table_rules))
