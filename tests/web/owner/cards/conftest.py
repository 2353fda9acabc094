"""What the tests of ship cards share: a table with a folder."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.web.phones import Phone, fresh_app, host_of
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.scenes import demo_scene

RULESET = "grand-fleets"
CARD = """
[[ship]]
name = "My Ship"
class = "CA"
nation = "British"
size = "medium"
victory_points = 60
armour = [3, "1-"]
speed = [6, 5, 4, 3, 2]
hull = [4, 4, 4]

[[ship.guns]]
name = '8"'
calibre = 8
turrets = true
forward = -2
aft = "-"
range = [4, 9, 18.5]
penetration = "2+"
dice = [9, 6, 4]
"""
Open = Callable[[], Flask]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def start(folder: Path) -> Open:
    """A server on the same folder, as often as it is started."""

    def open_() -> Flask:
        return fresh_app(ServerContext(table_in_memory(demo_scene), data_folder=folder))

    return open_


@pytest.fixture
def app(start: Open) -> Flask:
    return start()


@pytest.fixture
def host(app: Flask) -> Phone:
    return host_of(app)
