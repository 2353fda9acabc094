"""Setting a battle up by the dice: how far apart, from which side, and where ships may stand.

No rulebook is named here. A ruleset that says how a battle begins provides `SetUpRules`; nothing
here rolls: dice are given, and what is still wanted is said.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

from combat.previews import Line
from combat.tables import TableSet
from combat.weather import Visibility
from tabletop.angles import wrap_360
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.table import Model, Pose

_TURN_STEP_DEG: Final = 5
_ROOM_SHARE: Final = 0.03
"""How much of the table's shorter edge is kept free along its rim."""


class DirectionMethod(StrEnum):
    """How it is found from where the attackers come."""

    DIE = "die"
    ZONES = "zones"
    SHADOWING = "shadowing"


@dataclass(frozen=True, slots=True)
class SetUpOrder:
    """What the players have said so far."""

    columns: Mapping[str, tuple[tuple[str, ...], ...]]
    """Each side's ships by name, column by column, lead ships first."""
    types: Mapping[str, str]
    """Which known ship each of them is."""
    attacker: str
    visibility: Visibility = 2
    night: bool = False
    coming: DirectionMethod = DirectionMethod.DIE
    zones: int | None = None
    range_die: int | None = None
    direction_die: int | None = None

    @property
    def defender(self) -> str:
        """The other side."""
        return next(side for side in self.columns if side != self.attacker)


@dataclass(frozen=True, slots=True)
class DieResult:
    """One thing that the dice decide: how, and what came of it."""

    lines: tuple[Line, ...] = ()
    answer: Message | None = None
    """None while a die is wanted."""
    wants_die: bool = False


@dataclass(frozen=True, slots=True)
class SetUp:
    """How the battle begins, as far as it is known."""

    distance: DieResult
    direction: DieResult
    range_yards: float | None = None
    quadrant: str | None = None
    no_battle: Message | None = None
    """Why there is none at all."""
    poses: Mapping[str, Pose] = field(default_factory=dict)
    """Legal places about the defenders' lead ship, who heads for 0°; empty until all is known."""


class SetUpRules(Protocol):
    """How a rulebook sets a battle up."""

    def set_up(self, order: SetUpOrder, tables: TableSet) -> SetUp:
        """As far as the order goes."""
        ...

    def check(
        self, order: SetUpOrder, models: Mapping[str, Model], range_yards: float, quadrant: str
    ) -> tuple[Line, ...]:
        """What is wrong with the places of the ships, or too close to call; nothing if legal."""
        ...


def fit_on_table(
    poses: Mapping[str, Pose], width_yards: float, height_yards: float
) -> dict[str, Pose]:
    """The same places, turned and moved as one so that all are on the table with room about them.

    Which way is north is nobody's rule, so the longest distance comes to lie where there is room.
    """
    best: tuple[float, dict[str, Pose]] | None = None
    for turn_deg in range(0, 360, _TURN_STEP_DEG):
        turned = {name: _turned(pose, turn_deg) for name, pose in poses.items()}
        xs = [pose.x_yards for pose in turned.values()]
        ys = [pose.y_yards for pose in turned.values()]
        room = min(width_yards - (max(xs) - min(xs)), height_yards - (max(ys) - min(ys))) / 2
        if best is None or room > best[0] + 1e-6:
            dx = width_yards / 2 - (max(xs) + min(xs)) / 2
            dy = height_yards / 2 - (max(ys) + min(ys)) / 2
            best = room, {name: _slid(pose, dx, dy) for name, pose in turned.items()}
    least = _ROOM_SHARE * min(width_yards, height_yards)
    if best is None or best[0] < least:
        raise DreyerError("combat.setup.table_too_small")
    return best[1]


def _turned(pose: Pose, turn_deg: float) -> Pose:
    angle = math.radians(turn_deg)
    x, y = pose.x_yards, pose.y_yards
    return replace(
        pose,
        x_yards=x * math.cos(angle) + y * math.sin(angle),
        y_yards=y * math.cos(angle) - x * math.sin(angle),
        heading_deg=wrap_360(pose.heading_deg + turn_deg),
    )


def _slid(pose: Pose, dx: float, dy: float) -> Pose:
    return replace(
        pose,
        x_yards=round(pose.x_yards + dx, 1),
        y_yards=round(pose.y_yards + dy, 1),
        heading_deg=round(pose.heading_deg, 1) % 360,
    )
