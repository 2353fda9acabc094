"""Setting up a battle by dice: the starting range, the direction, and the ships' places.

A rulebook with such rules implements `SetUpRules`. Dice are passed in; a `SetUp` says which are
still wanted.
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
"""The margin along the table's edges, as a share of its shorter edge."""


class DirectionMethod(StrEnum):
    """How the attackers' direction is determined."""

    DIE = "die"
    ZONES = "zones"
    SHADOWING = "shadowing"


@dataclass(frozen=True, slots=True)
class SetUpOrder:
    """The players' choices and dice so far."""

    columns: Mapping[str, tuple[tuple[str, ...], ...]]
    """Each side's ships by name, column by column, lead ships first."""
    types: Mapping[str, str]
    """The type of each ship, by name."""
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
    """One question that a die decides, with its calculation."""

    lines: tuple[Line, ...] = ()
    answer: Message | None = None
    """None while a die is wanted."""
    wants_die: bool = False


@dataclass(frozen=True, slots=True)
class SetUp:
    """The beginning of a battle, as far as it is known."""

    distance: DieResult
    direction: DieResult
    range_yards: float | None = None
    quadrant: str | None = None
    no_battle: Message | None = None
    """Why no battle takes place."""
    poses: Mapping[str, Pose] = field(default_factory=dict)
    """Legal poses relative to the defenders' lead ship on heading 0°; empty until all is known."""


class SetUpRules(Protocol):
    """The protocol of a rulebook's rules for setting up a battle."""

    def set_up(self, order: SetUpOrder, tables: TableSet) -> SetUp:
        """The set-up, as far as the order determines it."""
        ...

    def check(
        self, order: SetUpOrder, models: Mapping[str, Model], range_yards: float, quadrant: str
    ) -> tuple[Line, ...]:
        """The faults and close calls of the ships' places; empty if they are legal."""
        ...


def fit_on_table(
    poses: Mapping[str, Pose], width_yards: float, height_yards: float
) -> dict[str, Pose]:
    """The poses, rotated and shifted together so that all fit on the table with a margin.

    The rotation is free, because no rule depends on north; the one with the most room is taken.
    Raises DreyerError if the table is too small.
    """
    best: tuple[float, dict[str, Pose]] | None = None
    for turn_deg in range(0, 360, _TURN_STEP_DEG):
        turned = {name: _rotated(pose, turn_deg) for name, pose in poses.items()}
        xs = [pose.x_yards for pose in turned.values()]
        ys = [pose.y_yards for pose in turned.values()]
        room = min(width_yards - (max(xs) - min(xs)), height_yards - (max(ys) - min(ys))) / 2
        if best is None or room > best[0] + 1e-6:
            dx = width_yards / 2 - (max(xs) + min(xs)) / 2
            dy = height_yards / 2 - (max(ys) + min(ys)) / 2
            best = room, {name: _shifted(pose, dx, dy) for name, pose in turned.items()}
    least = _ROOM_SHARE * min(width_yards, height_yards)
    if best is None or best[0] < least:
        raise DreyerError("combat.setup.table_too_small")
    return best[1]


def _rotated(pose: Pose, turn_deg: float) -> Pose:
    angle = math.radians(turn_deg)
    x, y = pose.x_yards, pose.y_yards
    return replace(
        pose,
        x_yards=x * math.cos(angle) + y * math.sin(angle),
        y_yards=y * math.cos(angle) - x * math.sin(angle),
        heading_deg=wrap_360(pose.heading_deg + turn_deg),
    )


def _shifted(pose: Pose, dx: float, dy: float) -> Pose:
    return replace(
        pose,
        x_yards=round(pose.x_yards + dx, 1),
        y_yards=round(pose.y_yards + dy, 1),
        heading_deg=round(pose.heading_deg, 1) % 360,
    )
