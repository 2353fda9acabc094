"""Where the page gets its table from: the demo battle, or a file that is read anew each time."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from combat.scene import Scene, read_scene
from web.files import read_input

SceneSource = Callable[[], Scene]
"""Gives the table as it is now; a DreyerError says what is wrong with it."""


@cache
def demo_scene() -> Scene:
    """Denmark Strait, as the first salvoes fall."""
    folder = files("combat.rulesets.bismarck_advanced") / "scenarios"
    return read_scene((folder / "denmark_strait.toml").read_bytes(), "denmark_strait.toml")


def scene_file(path: Path) -> SceneSource:
    """A scene file, read again on every request, so that editing it and reloading works."""
    return lambda: read_scene(read_input(path), path.name)
