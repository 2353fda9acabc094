"""The scene that a server starts with: the demo battle, or a file."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from combat.guided_actions import StartingConditions
from combat.library import BUILT_IN, Library
from combat.rulebooks import DEFAULT, get_ruleset
from combat.scenarios import read_table
from combat.scene_file import Scene, read_scene
from web.actions.table import NewShip, OpenTable
from web.files import read_input
from web.journal.battle_plan import BattlePlan

_USUAL_WIDTH_INCHES, _USUAL_HEIGHT_INCHES, _FOOT_INCHES = 72.0, 48.0, 12.0

_DEMO = "denmark_strait.toml"

SceneSource = Callable[[], Scene]
"""Returns the current scene. Raises DreyerError."""


@cache
def demo_scene() -> Scene:
    """Denmark Strait at the first salvoes."""
    return read_scene(get_ruleset(DEFAULT).scenario_files[_DEMO], _DEMO)


def opening(scene: Scene) -> OpenTable:
    """The action that opens a scene as a table of sufficient size."""
    scale = scene.scale
    poses = [model.pose for model in scene.table.models]
    farthest_x = max((pose.x_yards for pose in poses), default=0.0)
    farthest_y = max((pose.y_yards for pose in poses), default=0.0)
    return OpenTable(
        title=scene.title,
        ruleset=scene.ruleset.name,
        yards_per_inch=scale.yards_per_inch,
        width_inches=_inches_for(scale.inches_from_yards(farthest_x), _USUAL_WIDTH_INCHES),
        height_inches=_inches_for(scale.inches_from_yards(farthest_y), _USUAL_HEIGHT_INCHES),
        ships=tuple(
            replace(
                NewShip.from_model(model, scene.ships.get(model.name)),
                side=scene.side_keys.get(model.name),
            )
            for model in scene.table.models
        ),
        sides=scene.sides,
        smoke=scene.table.smoke,
        demo=scene is demo_scene(),
        plan=_plan(scene),
    )


def _plan(scene: Scene) -> BattlePlan | None:
    """What the file says of a battle; None for a scene that says nothing."""
    if scene.options is None and scene.conditions is None:
        return None
    return BattlePlan(
        conditions=scene.conditions or StartingConditions(),
        options=scene.options,
        marks=scene.marks,
    )


def _inches_for(farthest: float, usual: float) -> float:
    return max(usual, math.ceil(farthest / _FOOT_INCHES) * _FOOT_INCHES)


def scene_file(path: Path, library: Library = BUILT_IN) -> SceneSource:
    """A scene or scenario file that is read again on every call."""
    return lambda: read_table(read_input(path), path.name, library)
