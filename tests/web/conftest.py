"""What the tests of the page share: tables to look at, the application, and its client."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient

from combat.scene_file import Scene, read_scene
from tabletop.survey import Survey, survey
from tests.web.data_folders import Open
from tests.web.phones import fresh_app
from web.data_folder import DataFolder, battles_in
from web.http.context import ServerContext
from web.scenes import demo_scene

if TYPE_CHECKING:
    from web.archive.battles import Battles


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


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Open]:
    """The server on a data folder, as often as it is started."""
    opened: list[tuple[DataFolder, Battles]] = []

    def close() -> None:
        while opened:
            folder, battles = opened.pop()
            battles.session.close()
            folder.close()

    def open_() -> Flask:
        close()
        folder = DataFolder(tmp_path)
        battles = battles_in(folder, demo=False, scene=None)
        opened.append((folder, battles))
        return fresh_app(ServerContext(battles.session, data_folder=tmp_path, kept=battles))

    yield open_
    close()
