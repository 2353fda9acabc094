"""Reading the ship files; every value needs a source.

A file has `[[ship]]` tables in any order; the head of `ships/german.toml` explains the keys. A ship
with `like = "Bismarck"` inherits from her sister all values that she does not state.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field

from combat.provenance import Source, SourceLine
from combat.rulebook_info import ship_files
from combat.rulebooks.bismarck_advanced.fleet.warship_parts import (
    Guns,
    MainBattery,
    SecondaryBattery,
)
from combat.rulebooks.bismarck_advanced.fleet.warships import (
    Armour,
    Doubt,
    HullSide,
    Layout,
    RateOfFire,
    Warship,
)
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.ships import ShipClass, ShipList, plain_name
from tabletop.errors import BadField, DreyerError, UnknownKey, UnknownName
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import (
    Flag,
    Schema,
    Text,
    Whole,
    file_document,
    keys_of,
    missing,
    read_field,
    shape_of,
    wrong,
)

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "armour": tuple(keys_of(Armour)),
    "rate_of_fire": tuple(keys_of(RateOfFire)),
    "main": tuple(keys_of(MainBattery)),
    "secondary": tuple(keys_of(SecondaryBattery)),
}
_SINGLE: Final = (
    "class",
    "nation",
    "movement_factor",
    "radar",
    "torpedoes",
    "hull_boxes",
    "superstructure_boxes",
    "jam_table",
    "layout",
)
VALUES = (*_SINGLE, *(f"{group}.{key}" for group, keys in _GROUPS.items() for key in keys))
"""Every value that needs a source, by its name in a ship's file."""

_INHERITED: Final = (*_SINGLE, *_GROUPS)
_MOST_A_SIDE: Final = 5
Table = Mapping[str, object]
"""A table of a file, possibly completed from a sister's."""


@file_document
class _ShipsFile:
    """A file of ships before they are completed."""

    ship: tuple[dict[str, object], ...] = ()
    sources: dict[str, object] = field(default_factory=dict)


@file_document
class _WarshipTable:
    """A ship with all values, including inherited ones."""

    name: Text
    short_names: tuple[str, ...] = ()
    several: Flag = False
    ship_class: Annotated[ShipClass, Field(alias="class")]
    nation: Text
    movement_factor: Annotated[Whole, Field(ge=0, le=20)]
    radar: Flag
    torpedoes: Annotated[Whole, Field(ge=0, le=20)]
    armour: Armour
    rate_of_fire: RateOfFire
    main: MainBattery = field(default_factory=MainBattery)
    secondary: SecondaryBattery = field(default_factory=SecondaryBattery)
    hull_boxes: Annotated[Whole, Field(ge=1, le=60)]
    superstructure_boxes: Annotated[Whole, Field(ge=0, le=30)]
    jam_table: Text | None = None
    layout: Layout
    like: object = None
    """`like` and the following keys are read before a ship is completed."""
    source: object = None
    sources: object = None
    doubt: object = None


_SHIPS_FILE: Final[Schema[_ShipsFile]] = Schema(_ShipsFile)
_WARSHIP: Final[Schema[_WarshipTable]] = Schema(_WarshipTable)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A `[[ship]]` of a file, with the file's sources for all ships."""

    name: str
    table: Table
    place: DocumentPlace
    file_sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class _Described:
    """A ship with all values, including inherited ones."""

    table: Table
    place: DocumentPlace
    sources: Mapping[str, Source]
    doubts: tuple[Doubt, ...]


@cache
def load_warships() -> ShipList[Warship]:
    """All ships of the ruleset's own files."""
    return read_warships(ship_files(files("combat.rulebooks.bismarck_advanced")))


def read_warships(contents: Mapping[str, bytes]) -> ShipList[Warship]:
    """The ships of some files, given by name and content; sisters may be in different files."""
    entries = [entry for name in sorted(contents) for entry in _entries(name, contents[name])]
    by_name = {plain_name(entry.name): entry for entry in entries}
    return ShipList(_build(_describe(entry, by_name, ())) for entry in entries)


def _entries(source: str, data: bytes) -> Iterator[_Entry]:
    file = _SHIPS_FILE.read_toml(data, source)
    sources = _read_sources(file.sources, DocumentPlace(source).table("sources"))
    for number, table in enumerate(file.ship, start=1):
        written = table.get("name")
        place = DocumentPlace(source).item(
            "ship", number, written if isinstance(written, str) else None
        )
        yield _Entry(_text(table, "name", place), table, place, sources)


def _text(table: Table, key: str, place: DocumentPlace) -> str:
    if key not in table:
        raise missing(place, key, shape_of(Text).expected)
    return str(read_field(Text, table[key], place, key))


def completed(own: Table, model: Table) -> dict[str, object]:
    """A ship's table, with missing values from her sister's.

    Sub-tables are completed key by key; other values are inherited as a whole.
    """
    values = dict(own)
    for key in _INHERITED:
        if key not in model:
            continue
        mine, hers = values.get(key), model[key]
        if key not in values:
            values[key] = hers
        elif isinstance(mine, dict) and isinstance(hers, dict):
            values[key] = {**hers, **mine}
    return values


def _read_sources(table: Table, place: DocumentPlace) -> dict[str, Source]:
    """The sources of the table `[sources]`, for each value or group of values."""
    sources: dict[str, Source] = {}
    for name, value in table.items():
        if name not in _INHERITED:
            raise UnknownKey(place, name, _INHERITED)
        if name not in _GROUPS or isinstance(value, str):
            sources[name] = read_field(SourceLine, value, place, name)
            continue
        group: dict[str, Source] = read_field(dict[str, SourceLine], value, place, name)
        for key, source in group.items():
            if key not in _GROUPS[name]:
                raise UnknownKey(place.table(name), key, _GROUPS[name])
            sources[f"{name}.{key}"] = source
    return sources


def _describe(entry: _Entry, by_name: Mapping[str, _Entry], younger: tuple[str, ...]) -> _Described:
    """A ship's values, sources and doubts, including inherited ones."""
    own = entry.table
    sister = _sister(entry, by_name, younger)
    whole = completed(own, sister.table) if sister else own
    doubts: tuple[Doubt, ...] = read_field(
        tuple[Doubt, ...], own.get("doubt", ()), entry.place, "doubt"
    )
    for number, doubt in enumerate(doubts, start=1):
        _check_name(doubt.field, entry.place.item("doubt", number))
    if sister:
        shared = (doubt for doubt in sister.doubts if doubt.field != "name")
        doubts = (*(doubt for doubt in shared if not _states(own, doubt.field)), *doubts)
    return _Described(whole, entry.place, _sources_of(whole, entry, sister), doubts)


def _check_name(name: str, place: DocumentPlace) -> None:
    known = (*VALUES, *_GROUPS)
    if name not in ("name", *known):
        raise UnknownName(place, "value", name, known)


def _sources_of(whole: Table, entry: _Entry, sister: _Described | None) -> dict[str, Source]:
    """The source of every value; an inherited value has her sister's source."""
    own, place = entry.table, entry.place
    stated = read_field(dict[str, object], own.get("sources", {}), place, "sources")
    hers = _read_sources(stated, place.table("sources"))
    by_default = read_field(SourceLine, own["source"], place, "source") if "source" in own else None
    sources: dict[str, Source] = {}
    for name in VALUES:
        if not _states(whole, name):
            continue
        source = _look_up(hers, name)
        if source is None and sister and not _states(own, name):
            source = sister.sources[name]
        source = source or _look_up(entry.file_sources, name) or by_default
        if source is None:
            raise DreyerError("advanced.card.no_source", place=place, field=name)
        sources[name] = source
    return sources


def _sister(
    entry: _Entry, by_name: Mapping[str, _Entry], younger: tuple[str, ...]
) -> _Described | None:
    if "like" not in entry.table:
        return None
    like = _text(entry.table, "like", entry.place)
    model = by_name.get(plain_name(like))
    if model is None:
        names = [other.name for other in by_name.values()]
        raise UnknownName(entry.place.at("like"), "ship", like, names)
    if plain_name(like) in (*younger, plain_name(entry.name)):
        raise DreyerError("advanced.card.like_herself", place=entry.place, like=like)
    return _describe(model, by_name, (*younger, plain_name(entry.name)))


def _look_up(sources: Mapping[str, Source], name: str) -> Source | None:
    """The source of a value, or else of its group."""
    return sources.get(name) or sources.get(name.partition(".")[0])


def _states(table: Table, name: str) -> bool:
    group, _, key = name.partition(".")
    inner = table.get(group)
    return isinstance(inner, Mapping) and key in inner if key else group in table


def _build(ship: _Described) -> Warship:
    table = _WARSHIP.read_table(ship.table, ship.place)
    turrets = table.main.mounts(ship.place.table("main"))
    secondaries = table.secondary.mounts
    guns = {
        Battery.MAIN: table.main.guns(turrets, ship.place.table("main")),
        Battery.SECONDARY: table.secondary.guns(secondaries, ship.place.table("secondary")),
    }
    warship = Warship(
        name=table.name,
        short_names=table.short_names,
        several=table.several,
        ship_class=table.ship_class,
        nation=table.nation,
        movement_factor=table.movement_factor,
        radar=table.radar,
        torpedoes=table.torpedoes,
        armour=table.armour,
        rate_of_fire=table.rate_of_fire,
        gun_types={battery: each.gun if each else None for battery, each in guns.items()},
        calibres_inches={battery: each.calibre if each else None for battery, each in guns.items()},
        ammunition={battery: each.ammunition if each else None for battery, each in guns.items()},
        turrets=turrets,
        secondaries=secondaries,
        hull_boxes=table.hull_boxes,
        superstructure_boxes=table.superstructure_boxes,
        jam_table=table.jam_table,
        layout=table.layout,
        doubts=ship.doubts,
        sources=ship.sources,
    )
    _check_mounts(ship.place, warship)
    _check_rates(ship.place, warship, guns)
    return warship


def _check_mounts(place: DocumentPlace, warship: Warship) -> None:
    names = [mount.name for mount in (*warship.turrets, *warship.secondaries)]
    for name in names:
        if names.count(name) > 1:
            raise wrong(place, "main.turrets", Message("advanced.expected.turret_name"), name)
    for side in (HullSide.PORT, HullSide.STARBOARD):
        count = sum(mount.side in (side, HullSide.BOTH) for mount in warship.secondaries)
        if count > _MOST_A_SIDE:
            expected = Message(
                "advanced.expected.turrets_a_side",
                most=_MOST_A_SIDE,
                side=Message(f"advanced.quadrant.{side}"),
            )
            raise wrong(place, "secondary.turrets", expected, count)


def _check_rates(
    place: DocumentPlace, warship: Warship, guns: Mapping[Battery, Guns | None]
) -> None:
    """Raise for guns without a rate of fire, or a rate of fire without guns."""
    for battery, each in guns.items():
        fires = any(warship.rate_of_fire.multiplier(battery, band) for band in RangeBand)
        if fires and each is None:
            expected = Message("advanced.expected.dashes")
            found = Message("advanced.found.numbers")
            raise BadField(place, f"rate_of_fire.{battery}", expected, found)
        if each is not None and not fires:
            expected = Message("advanced.expected.numbers")
            found = Message("advanced.found.dashes")
            raise BadField(place, f"rate_of_fire.{battery}", expected, found)
