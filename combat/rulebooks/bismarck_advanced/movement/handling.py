"""The handling of ship classes: the maneuver gauge, its arcs, and all figures of movement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from typing import Annotated, Final, Literal, TypeVar

from pydantic import Field

from combat.provenance import Source, SourcedTable
from combat.rulebooks.bismarck_advanced.movement.short_turns import Part
from combat.ships import ShipClass
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import (
    Number,
    Positive,
    Schema,
    Unit,
    Whole,
    bounds,
    file_document,
    wrong,
)

PLUS: Final = "+"
DOUBLE_DAGGER: Final = "‡"
DOUBLE_DAGGERS: Final = DOUBLE_DAGGER + "#"
"""The sign, and what keyboards have in its place."""
MARKS: Final = (PLUS, DOUBLE_DAGGER, PLUS + DOUBLE_DAGGER)
"""The marks after a turn that choose a wider arc (67.23)."""


class Arc(StrEnum):
    """The curved edges of the maneuver gauge, the widest first (67.21, 67.22)."""

    OUTER = "outer"
    INTERMEDIATE = "intermediate"
    INNER = "inner"


@dataclass(frozen=True, slots=True)
class Handling:
    """The turning arcs and acceleration of a class."""

    arc_by_mark: Mapping[str, Arc]
    """The arc of a turn by the mark after it, which may be empty (67.23)."""
    limited_acceleration: bool
    """Whether the class accelerates and decelerates slowly (58.5)."""
    source: Source


@dataclass(frozen=True, slots=True)
class MovementRules:
    """The figures of movement with their sources."""

    factor_yards: float
    """The length of one movement factor along any edge of the gauge (57.1)."""
    turn_deg: Mapping[Arc, float]
    """The angle of one full factor, by arc."""
    short_turn_part: Part
    """The part of a full turn that a short turn makes if the plot names no amount (57.3)."""
    short_turn_least: float
    """The least part of a full turn that a short turn may make."""
    handling: Mapping[ShipClass, Handling]
    acceleration_limit: int
    """The most by which a round's speed may differ from the last one's (58.5)."""
    least_turns: int
    """The least number of turns in a move of weaving (67.31)."""
    off_track_yards: float
    """How far from a track a follower may be (57.7)."""
    least_turn_yards: float
    """The least part of an arc that counts as a turn of a follower."""
    marker_diameter_yards: float
    """The diameter of the quadrant marker (55.111, 59.2)."""
    interval_least_yards: float
    interval_most_yards: float
    """The most distance between ships in a column (55.111)."""
    columns_most_yards: float
    """The most distance between neighbouring columns (55.112)."""
    leads_most_yards: float
    """The most distance of one lead ship ahead of another (55.114)."""
    placing_tolerance_yards: float
    heading_tolerance_deg: float
    """The tolerances for placing models by hand."""
    sources: Mapping[str, Source]
    """The source of each group of figures, by its name in the file."""


Mark = Literal["+", "‡", "+‡"]
_Few = Annotated[Whole, Field(ge=1, le=20)]
_NotNegative = Annotated[Number, Field(ge=0)]


@file_document
class _Gauge(SourcedTable):
    factor_yards: Annotated[Positive, Unit("yards")]


@file_document
class _ShortTurn(SourcedTable):
    part: Part
    least: Annotated[Number, Field(gt=0, le=0.5)]


@file_document
class _Acceleration(SourcedTable):
    most_factors: _Few


@file_document
class _Evolution(SourcedTable):
    least_turns: _Few


@file_document
class _Follow(SourcedTable):
    off_track_yards: Positive
    least_turn_yards: Positive


@file_document
class _Marker(SourcedTable):
    diameter_yards: Positive


@file_document
class _Interval(SourcedTable):
    least_yards: Positive
    most_yards: Positive


@file_document
class _Distance(SourcedTable):
    most_yards: Positive


@file_document
class _Placing(SourcedTable):
    tolerance_yards: _NotNegative
    heading_tolerance_deg: _NotNegative


@file_document
class _ArcTable(SourcedTable):
    name: Arc
    turn_deg: Positive


@file_document
class _ClassTable(SourcedTable):
    name: ShipClass
    arc: Arc
    marks: Mapping[Mark, Arc] = field(default_factory=dict)
    acceleration: Literal["limited", "free"]

    @property
    def handling(self) -> Handling:
        """The handling of a class."""
        return Handling(
            arc_by_mark={"": self.arc} | {str(mark): arc for mark, arc in self.marks.items()},
            limited_acceleration=self.acceleration == "limited",
            source=self.source,
        )


@file_document
class _MovementFile:
    """The file `movement.toml`."""

    gauge: _Gauge
    short_turn: _ShortTurn
    acceleration: _Acceleration
    evolution: _Evolution
    follow: _Follow
    marker: _Marker
    interval: _Interval
    columns: _Distance
    leads: _Distance
    placing: _Placing
    arc: tuple[_ArcTable, ...]
    class_: Annotated[tuple[_ClassTable, ...], Field(alias="class")]

    @property
    def groups(self) -> dict[str, SourcedTable]:
        """The groups of numbers by name."""
        return {
            "gauge": self.gauge,
            "short_turn": self.short_turn,
            "acceleration": self.acceleration,
            "evolution": self.evolution,
            "follow": self.follow,
            "marker": self.marker,
            "interval": self.interval,
            "columns": self.columns,
            "leads": self.leads,
            "placing": self.placing,
            **{f"arc {each.name}": each for each in self.arc},
        }


_MOVEMENT_FILE: Final[Schema[_MovementFile]] = Schema(_MovementFile)


def read_movement_rules(data: bytes, source: str) -> MovementRules:
    """Parse the figures of movement from TOML."""
    file = _MOVEMENT_FILE.read_toml(data, source)
    _check_one_of_each([each.name for each in file.arc], Arc, source, "arc")
    _check_one_of_each([each.name for each in file.class_], ShipClass, source, "class")
    interval = file.interval
    if interval.most_yards < interval.least_yards:
        expected = bounds("number", least=interval.least_yards)
        raise wrong(
            DocumentPlace(source).table("interval"), "most_yards", expected, interval.most_yards
        )
    return MovementRules(
        factor_yards=file.gauge.factor_yards,
        turn_deg={each.name: each.turn_deg for each in file.arc},
        short_turn_part=file.short_turn.part,
        short_turn_least=file.short_turn.least,
        handling={each.name: each.handling for each in file.class_},
        acceleration_limit=file.acceleration.most_factors,
        least_turns=file.evolution.least_turns,
        off_track_yards=file.follow.off_track_yards,
        least_turn_yards=file.follow.least_turn_yards,
        marker_diameter_yards=file.marker.diameter_yards,
        interval_least_yards=interval.least_yards,
        interval_most_yards=interval.most_yards,
        columns_most_yards=file.columns.most_yards,
        leads_most_yards=file.leads.most_yards,
        placing_tolerance_yards=file.placing.tolerance_yards,
        heading_tolerance_deg=file.placing.heading_tolerance_deg,
        sources={name: each.source for name, each in file.groups.items()},
    )


_Name = TypeVar("_Name", bound=StrEnum)


def _check_one_of_each(found: Sequence[_Name], names: type[_Name], source: str, key: str) -> None:
    """Raise if a list of tables has duplicates or gaps."""
    for number, name in enumerate(found, start=1):
        if name in found[: number - 1]:
            place = DocumentPlace(source).item(key, number, str(name))
            expected = Message("advanced.expected.one_each", key=key)
            raise BadField(place, "name", expected, Message("advanced.found.again", name=name))
    lacking = tuple(name for name in names if name not in found)
    if lacking:
        expected = Message("advanced.expected.one_for_all", key=key, names=tuple(names))
        raise BadField(source, key, expected, Message("advanced.found.none_of", names=lacking))


MOVEMENT: Final = read_movement_rules(
    (files(__package__) / "movement.toml").read_bytes(), "bismarck-advanced/movement.toml"
)
"""The figures of the ruleset."""
