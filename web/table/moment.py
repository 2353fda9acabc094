"""The table at one moment: what was entered, combined with what the camera sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from combat.library import BUILT_IN, Library
from combat.participants import SPECTATOR, UMPIRE, Seat, ShipStatus
from combat.range_limits import pair_limits
from combat.rulebook_info import Ruleset
from combat.scene_file import Scene
from combat.ship_conditions import ShipCondition
from combat.ships import ShipType
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.rulings import AS_MEASURED, SettledPair, settle
from tabletop.scale import Scale
from tabletop.survey import PairLimits, Survey, no_limits, survey
from tabletop.table import Base, Model, Pose, SmokeFront, Table
from vision.handover import to_pose
from vision.snapshot import TrackedShip
from web.games.free_game import FreeGames
from web.games.guided_game import GuidedGame
from web.journal.events import Origin
from web.strings import words
from web.table.pieces import Couple, Decision, Decisions, PairPoses, Piece, Ruling, decided_of
from web.table.state import TableState

_TOLERANCE_INCHES: Final = 0.05
"""How far a ship may move before settlements about her are void."""


class CameraHealth(StrEnum):
    """The condition of the camera."""

    NONE = "none"
    STARTING = "starting"
    LIVE = "live"
    BUMPED = "bumped"
    LOST = "lost"
    """It gave pictures before, but gives none now."""
    TROUBLE = "trouble"


class ShipSource(StrEnum):
    """The source of a ship's position."""

    CAMERA = "camera"
    HAND = "hand"
    PHOTO = "photo"


class ShipNowState(StrEnum):
    """How well a ship's position is known."""

    SETTLED = "settled"
    MOVING = "moving"
    STALE = "stale"
    BY_HAND = "by_hand"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class CarriedCounter:
    """An unnamed counter, and the ships out of sight that she may be, the likeliest first."""

    key: int
    may_be: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownMarker:
    """A marker of which too much is hidden to know it, and the ships that it may be."""

    key: int
    x_inches: int
    """From the table's near left corner, in whole inches: where to look."""
    y_inches: int
    may_be: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """The camera's condition for the page."""

    state: CameraHealth = CameraHealth.NONE
    source: Message = NO_WORDS
    words: Message = NO_WORDS
    """What is wrong, and the remedy."""
    corners: tuple[str, ...] = ()
    """seen or hidden: near left, near right, far right, far left."""
    px_per_mm: float | None = None
    frames_per_second: float | None = None
    carried: tuple[CarriedCounter, ...] = ()
    """Unnamed counters that may be ships out of sight, to be asked about."""
    unknown: tuple[UnknownMarker, ...] = ()
    """Markers that may be more than one ship's, to be asked about."""
    beside: tuple[Message, ...] = ()
    """Of two cameras: what is wrong with one while the other goes on, or between them."""


@dataclass(frozen=True, slots=True)
class RangeRing:
    """The far edge of a range segment, drawn about a ship."""

    yards: float
    title: str


@dataclass(frozen=True, slots=True)
class ShipNow:
    """One ship with her current position and its source."""

    piece: Piece
    ship: ShipType | None
    pose: Pose | None
    source: ShipSource
    state: ShipNowState
    seen_at: float | None = None
    """When the camera last saw her, by the monotonic clock."""

    @property
    def is_sensed(self) -> bool:
        """Whether the camera sees her and determines her position."""
        in_sight = self.state in (ShipNowState.SETTLED, ShipNowState.MOVING)
        return self.source is ShipSource.CAMERA and in_sight


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a ship that no longer takes part in the battle, and where she was last."""

    status: ShipStatus
    pose: Pose


@dataclass(frozen=True)
class Moment:
    """The table at one moment. Immutable; costly values are computed on first use."""

    seq: int
    state: TableState
    ships: Mapping[str, ShipNow]
    camera: CameraStatus
    battle: GuidedGame | None = None
    free: FreeGames = field(default_factory=FreeGames)
    library: Library = BUILT_IN
    seat: Seat = UMPIRE
    """Whose eyes it is seen with: in fog of war `ships`, smoke and wrecks are those in sight."""
    seen_by: dict[Seat, "Moment"] = field(default_factory=dict, compare=False, repr=False)
    """The same moment as others see it, as far as anybody has asked for it."""

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """The poses of all ships on the table."""
        return {name: now.pose for name, now in self.ships.items() if now.pose is not None}

    @cached_property
    def fates(self) -> Mapping[str, Fate]:
        """The ships that are sunk or gone from the battle, by the names of their models."""
        if self.battle is None:
            return {}
        models = self.battle.rulebook.models(self.battle.state, self.seat)
        return {
            models[ship.id]: Fate(ship.status, ship.pose)
            for ship in self.battle.view(self.seat).ships
            if ship.status is not ShipStatus.IN_ACTION and ship.id in models
        }

    @cached_property
    def conditions(self) -> Mapping[str, tuple[ShipCondition, ...]]:
        """What everybody can see of damaged ships, by the names of their models."""
        if self.battle is None:
            return {}
        # Of a hidden ship nobody is told, nor of one that a side alone sees in fog of war.
        seat = SPECTATOR if self.seat.umpire else self.seat
        models = self.battle.rulebook.models(self.battle.state, seat)
        return {
            models[ship.id]: ship.conditions
            for ship in self.battle.view(seat).ships
            if ship.conditions and ship.id in models
        }

    @cached_property
    def in_play(self) -> Mapping[str, Pose]:
        """The poses of the ships on the table that take part: wrecks stand in nobody's way."""
        return {name: pose for name, pose in self.poses.items() if name not in self.fates}

    def must_be_in_play(self, name: str) -> None:
        """Raise DreyerError for a ship that is not on the table, or not any more."""
        fate = self.fates.get(name)
        if fate is not None:
            raise DreyerError("table.fault.out_of_play", name=name, status=fate.status.message)
        if name not in self.poses:
            raise DreyerError("table.fault.not_placed", name=name)

    @cached_property
    def scene(self) -> Scene | None:
        """The table for measuring; None without ships."""
        poses, state = self.in_play, self.state
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
        return self.battle.view(self.seat).smoke

    @cached_property
    def survey(self) -> Survey | None:
        """The survey of all pairs; None without ships."""
        if self.scene is None:
            return None
        return survey(self.scene.table, self.scene.ruleset.table_rules, self._limits(self.scene))

    def _limits(self, scene: Scene) -> PairLimits:
        """The ranges that matter besides the segments, where bands belong to the weapons."""
        ruleset = scene.ruleset
        if ruleset.segments or ruleset.rulebook is None:
            return no_limits
        now = self.free.of(ruleset.name)
        return pair_limits(now.rulebook if now else ruleset.rulebook(ruleset.tables), scene.ships)

    @cached_property
    def ruleset(self) -> Ruleset | None:
        """The rulebook of this table; None before a table is opened."""
        return self.library.get(self.state.ruleset) if self.state.is_open else None

    @property
    def rings(self) -> tuple[RangeRing, ...]:
        """The range segments, from near to far, in the caller's language."""
        segments = self.ruleset.segments if self.ruleset else ()
        return tuple(RangeRing(each.upper_yards, words(each.title)) for each in segments)

    @cached_property
    def quadrant_lines_deg(self) -> tuple[float, ...]:
        """The quadrant lines, clockwise from the bow."""
        return tuple(self.ruleset.table_rules.arcs.lines_deg) if self.ruleset else ()

    def stands(self, standing: PairPoses, pair: Couple) -> bool:
        """Whether a settlement is still valid: neither ship has moved since."""
        return still_holds(self.state, self.poses, standing, pair)

    def decisions(self, firer: str, target: str) -> dict[str, Decision]:
        """The valid decisions about this pair, by question."""
        return standing_decisions(self.state, self.poses, (firer, target))

    def settled(self, firer: str, target: str) -> SettledPair:
        """A pair with all rulings applied."""
        if self.survey is None:
            raise DreyerError("table.fault.empty")
        pair = firer, target
        return settled_pair(self.survey, pair, self.decisions(*pair), self.ruling(*pair))

    def ruling(self, firer: str, target: str) -> Ruling | None:
        """The valid figures entered for this pair."""
        return standing_ruling(self.state, self.poses, (firer, target))


def settled_pair(
    survey: Survey, pair: Couple, decisions: Decisions, ruling: Ruling | None
) -> SettledPair:
    """A pair with its decisions and entered figures applied."""
    return settle(
        survey.rules,
        survey[pair],
        decided=decided_of(decisions),
        figures=ruling.figures if ruling else AS_MEASURED,
    )


def standing_decisions(
    state: TableState, poses: Mapping[str, Pose], pair: Couple
) -> dict[str, Decision]:
    """The decisions about a pair that are valid with the ships at these poses, by question."""
    return {
        what: decision
        for (one, other, what), decision in state.decisions.items()
        if (one, other) == pair and still_holds(state, poses, decision.standing, pair)
    }


def standing_ruling(state: TableState, poses: Mapping[str, Pose], pair: Couple) -> Ruling | None:
    """The figures entered for a pair, if they are valid with the ships at these poses."""
    ruling = state.rulings.get(pair)
    if ruling is None or not still_holds(state, poses, ruling.standing, pair):
        return None
    return ruling


def still_holds(
    state: TableState, poses: Mapping[str, Pose], standing: PairPoses, pair: Couple
) -> bool:
    """Whether a settlement is still valid with the ships at these poses."""
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
    """One ship as the camera sees her, or as entered."""
    ship = library.find_ship(state.ruleset, piece.type) if piece.type else None
    if piece.follows and sighting is not None:
        return ShipNow(
            piece,
            ship,
            to_pose(sighting.pose, Scale(state.yards_per_inch)),
            ShipSource.CAMERA,
            ShipNowState(sighting.state),
            seen_at - sighting.age_seconds,
        )
    placement = piece.placement
    if placement is None:
        return ShipNow(piece, ship, None, ShipSource.HAND, ShipNowState.UNSEEN)
    source = ShipSource.PHOTO if placement.origin is Origin.PHOTO else ShipSource.HAND
    return ShipNow(piece, ship, placement.pose, source, ShipNowState.BY_HAND)
