"""How the classes handle: the maneuver gauge, its arcs, and every number that movement needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Final, TypeVar

from combat.provenance import SOURCE_KEYS, Source
from combat.ships import ShipClass
from tabletop.documents import parse_toml
from tabletop.errors import BadField
from tabletop.fields import Fields
from tabletop.messages import Message

PLUS: Final = "+"
DOUBLE_DAGGER: Final = "‡"
MARKS: Final = (PLUS, DOUBLE_DAGGER, PLUS + DOUBLE_DAGGER)
"""What may stand after a turn to choose a wider arc (67.23)."""


_Name = TypeVar("_Name", bound=StrEnum)


class Arc(StrEnum):
    """The curved edges of the maneuver gauge, the widest first (67.21, 67.22)."""

    OUTER = "outer"
    INTERMEDIATE = "intermediate"
    INNER = "inner"


@dataclass(frozen=True, slots=True)
class Handling:
    """What a class may do with its helm and its engines."""

    arc_by_mark: Mapping[str, Arc]
    """The arc of a turn by the mark after it, the empty one included (67.23)."""
    limited_acceleration: bool
    """Whether the class gathers and loses speed slowly (58.5)."""
    source: Source


@dataclass(frozen=True, slots=True)
class MovementRules:
    """The numbers of movement, each with its source."""

    factor_yards: float
    """One movement factor along any edge of the gauge (57.1)."""
    turn_deg: Mapping[Arc, float]
    """What one full factor turns, by the arc."""
    handling: Mapping[ShipClass, Handling]
    acceleration_limit: int
    """The most factors that a round's speed may differ from the last one's (58.5)."""
    least_turns: int
    """The turns in one move that make it weaving (67.31)."""
    off_track_yards: float
    """How far beside a track a follower may stand and still be on it (57.7)."""
    least_turn_yards: float
    """The least part of an arc that counts as a turn for a ship that runs along it."""
    marker_diameter_yards: float
    """The quadrant marker, a circle (55.111, 59.2)."""
    interval_least_yards: float
    interval_most_yards: float
    """From ship to ship in a column (55.111)."""
    columns_most_yards: float
    """Between neighbouring columns (55.112)."""
    leads_most_yards: float
    """How far one lead ship may be ahead of another (55.114)."""
    placing_tolerance_yards: float
    heading_tolerance_deg: float
    """What hands and rulers may be off by when a model is placed."""
    sources: Mapping[str, Source]
    """Where each group of numbers comes from, by its name in the file."""


def read_movement_rules(data: bytes, source: str) -> MovementRules:
    """The numbers of movement from the content of a TOML file."""
    known = {
        "gauge": ("factor_yards",),
        "acceleration": ("most_factors",),
        "evolution": ("least_turns",),
        "follow": ("off_track_yards", "least_turn_yards"),
        "marker": ("diameter_yards",),
        "interval": ("least_yards", "most_yards"),
        "columns": ("most_yards",),
        "leads": ("most_yards",),
        "placing": ("tolerance_yards", "heading_tolerance_deg"),
    }
    document = Fields(parse_toml(data, source), source, (*known, "arc", "class"))
    group = {name: document.table(name, (*keys, *SOURCE_KEYS)) for name, keys in known.items()}
    arcs = _one_of_each(document, "arc", Arc, ("turn_deg",))
    classes = _one_of_each(document, "class", ShipClass, ("arc", "marks", "acceleration"))
    sources = {name: Source.read(fields) for name, fields in group.items()}
    sources |= {f"arc {arc}": Source.read(fields) for arc, fields in arcs.items()}
    least_interval = group["interval"].number("least_yards", above=0)
    return MovementRules(
        factor_yards=group["gauge"].number("factor_yards", above=0, unit="yards"),
        turn_deg={arc: fields.number("turn_deg", above=0) for arc, fields in arcs.items()},
        handling={name: _read_handling(fields) for name, fields in classes.items()},
        acceleration_limit=group["acceleration"].integer("most_factors", least=1, most=20),
        least_turns=group["evolution"].integer("least_turns", least=1, most=20),
        off_track_yards=group["follow"].number("off_track_yards", above=0),
        least_turn_yards=group["follow"].number("least_turn_yards", above=0),
        marker_diameter_yards=group["marker"].number("diameter_yards", above=0),
        interval_least_yards=least_interval,
        interval_most_yards=group["interval"].number("most_yards", least=least_interval),
        columns_most_yards=group["columns"].number("most_yards", above=0),
        leads_most_yards=group["leads"].number("most_yards", above=0),
        placing_tolerance_yards=group["placing"].number("tolerance_yards", least=0),
        heading_tolerance_deg=group["placing"].number("heading_tolerance_deg", least=0),
        sources=sources,
    )


def _one_of_each(
    document: Fields, key: str, names: type[_Name], keys: tuple[str, ...]
) -> dict[_Name, Fields]:
    """The tables of a list that has one for every name."""
    found: dict[_Name, Fields] = {}
    for fields in document.tables(key, ("name", *keys, *SOURCE_KEYS)):
        name = names(fields.choice("name", list(names)))
        if name in found:
            expected = Message("advanced.expected.one_each", key=key)
            raise BadField(
                fields.place, "name", expected, Message("advanced.found.again", name=name)
            )
        found[name] = fields
    missing = tuple(name for name in names if name not in found)
    if missing:
        expected = Message("advanced.expected.one_for_all", key=key, names=tuple(names))
        raise BadField(
            document.place, key, expected, Message("advanced.found.none_of", names=missing)
        )
    return found


def _read_handling(fields: Fields) -> Handling:
    marks = fields.table("marks", MARKS)
    arc_by_mark = {"": Arc(fields.choice("arc", list(Arc)))}
    arc_by_mark |= {mark: Arc(marks.choice(mark, list(Arc))) for mark in MARKS if mark in marks}
    return Handling(
        arc_by_mark=arc_by_mark,
        limited_acceleration=fields.choice("acceleration", ("limited", "free")) == "limited",
        source=Source.read(fields),
    )


MOVEMENT: Final = read_movement_rules(
    (files(__package__) / "movement.toml").read_bytes(), "bismarck-advanced/movement.toml"
)
"""The numbers that come with the ruleset."""
