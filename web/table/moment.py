"""The table at one moment: what was entered and what the camera sees, made one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from combat.library import BUILT_IN, Library
from combat.participants import SPECTATOR
from combat.rulebook_info import Ruleset
from combat.scene_file import Scene
from combat.ships import ShipType
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.rulings import AS_MEASURED, Settled, settle
from tabletop.scale import Scale
from tabletop.survey import Survey, survey
from tabletop.table import Base, Model, Pose, SmokeFront, Table
from vision.handover import to_pose
from vision.snapshot import TrackedShip
from web.games.free_game import FreeBattlesNow
from web.games.guided_game import BattleNow
from web.journal.events import Origin
from web.strings import words
from web.table.pieces import Couple, Decision, Piece, Ruling, Standing, decided_of
from web.table.state import TableState

_TOLERANCE_INCHES: Final = 0.05
"""How far a ship may be nudged before what was settled between two ships is open again."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """How the camera does, as the page shows it."""

    state: str = "none"
    """none, starting, live, bumped, lost or trouble."""
    source: Message = NO_WORDS
    words: Message = NO_WORDS
    """What is wrong and how to mend it."""
    corners: tuple[str, ...] = ()
    """seen or hidden: near left, near right, far right, far left."""
    px_per_mm: float | None = None
    frames_per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Ring:
    """The far edge of a range segment, to be drawn about a ship."""

    yards: float
    title: str


@dataclass(frozen=True, slots=True)
class ShipNow:
    """One ship at this moment: who she is, where, and how we know."""

    piece: Piece
    ship: ShipType | None
    pose: Pose | None
    source: str
    """camera, hand or photo."""
    state: str
    """settled, moving, stale, by_hand or unseen."""
    seen_at: float | None = None
    """When the camera last saw her, by the monotonic clock."""


@dataclass(frozen=True)
class Moment:
    """The table at one moment, immutable; what is costly is worked out when first asked for."""

    seq: int
    state: TableState
    ships: Mapping[str, ShipNow]
    camera: CameraStatus
    battle: BattleNow | None = None
    free: FreeBattlesNow = field(default_factory=FreeBattlesNow)
    library: Library = BUILT_IN

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """Where every ship on the table is."""
        return {name: now.pose for name, now in self.ships.items() if now.pose is not None}

    @cached_property
    def scene(self) -> Scene | None:
        """The table for measuring; None while no ship is on it."""
        poses, state = self.poses, self.state
        if not poses:
            return None
        models = tuple(
            Model(
                name,
                poses[name],
                Base(now.piece.length_yards, now.piece.width_yards, now.piece.bridge_yards),
                now.piece.size,
            )
            for name, now in self.ships.items()
            if name in poses
        )
        return Scene(
            title=state.title,
            ruleset=self.library.get(state.ruleset),
            scale=Scale(state.yards_per_inch),
            table=Table(models, self.smoke),
            ships={name: now.ship for name, now in self.ships.items() if now.ship is not None},
        )

    @cached_property
    def smoke(self) -> tuple[SmokeFront, ...]:
        """The smoke on the table; in a battle it is the rulebook's."""
        laid = tuple(front.front for front in self.state.smoke)
        if self.battle is None:
            return laid
        return self.battle.view(SPECTATOR).smoke

    @cached_property
    def survey(self) -> Survey | None:
        """Who sees whom; None while no ship is on the table."""
        return survey(self.scene.table, self.scene.ruleset.table_rules) if self.scene else None

    @cached_property
    def ruleset(self) -> Ruleset | None:
        """The rulebook of this table; None before one is laid."""
        return self.library.get(self.state.ruleset) if self.state.is_open else None

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """The range segments, from near to far."""
        segments = self.ruleset.segments if self.ruleset else ()
        return tuple(Ring(each.upper_yards, words(each.title)) for each in segments)

    @cached_property
    def quadrant_lines_deg(self) -> tuple[float, ...]:
        """The quadrant lines, clockwise from the bow."""
        return tuple(self.ruleset.table_rules.arcs.lines_deg) if self.ruleset else ()

    def stands(self, standing: Standing, pair: Couple) -> bool:
        """Whether what was settled between two ships still holds: neither has moved since."""
        return stands(self.state, self.poses, standing, pair)

    def decisions(self, firer: str, target: str) -> dict[str, Decision]:
        """The decisions on this pair that still hold, by their question."""
        return {
            what: decision
            for (one, other, what), decision in self.state.decisions.items()
            if (one, other) == (firer, target) and self.stands(decision.standing, (firer, target))
        }

    def settled(self, firer: str, target: str) -> Settled:
        """A pair on the table as it counts, with everything that was agreed about it."""
        if self.survey is None:
            raise DreyerError("table.fault.empty")
        ruling = self.ruling(firer, target)
        return settle(
            self.survey.rules,
            self.survey[firer, target],
            decided=decided_of(self.decisions(firer, target)),
            figures=ruling.figures if ruling else AS_MEASURED,
        )

    def ruling(self, firer: str, target: str) -> Ruling | None:
        """The figures entered for this pair, while they hold."""
        ruling = self.state.rulings.get((firer, target))
        if ruling is None or not self.stands(ruling.standing, (firer, target)):
            return None
        return ruling


def stands(state: TableState, poses: Mapping[str, Pose], standing: Standing, pair: Couple) -> bool:
    """Whether what was settled between two ships still holds with the ships at these poses."""
    firer, target = (poses.get(name) for name in pair)
    if firer is None or target is None:
        return False
    tolerance = Scale(state.yards_per_inch).yards_from_inches(_TOLERANCE_INCHES)
    return standing.holds(firer, target, tolerance)


def ship_now(
    piece: Piece,
    state: TableState,
    sighting: TrackedShip | None,
    seen_at: float,
    library: Library = BUILT_IN,
) -> ShipNow:
    """One ship as the camera sees her, or as she was entered."""
    ship = library.known_ships(state.ruleset).find(piece.type) if piece.type else None
    if piece.follows and sighting is not None:
        return ShipNow(
            piece,
            ship,
            to_pose(sighting.pose, Scale(state.yards_per_inch)),
            "camera",
            str(sighting.state),
            seen_at - sighting.age_seconds,
        )
    placement = piece.placement
    if placement is None:
        return ShipNow(piece, ship, None, "hand", "unseen")
    source = "photo" if placement.origin is Origin.PHOTO else "hand"
    return ShipNow(piece, ship, placement.pose, source, "by_hand")
