"""Reads the ship files: every value checked once, and none without a source.

A file holds `[[ship]]` tables, in any order; the head of `ships/german.toml` explains the keys.
A ship that says `like = "Bismarck"` takes from her sister whatever she does not state herself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from combat.provenance import Provenance, Source
from combat.rulebook_info import ship_files
from combat.rulebooks.bismarck_advanced.fleet.warship_parts import (
    ARMOUR_KEYS,
    LAYOUT_KEYS,
    MAIN_KEYS,
    RATE_KEYS,
    SECONDARY_KEYS,
    Guns,
    read_armour,
    read_guns,
    read_layout,
    read_rate_of_fire,
    read_secondaries,
    read_turrets,
)
from combat.rulebooks.bismarck_advanced.fleet.warships import Doubt, Side, Warship
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from combat.ships import ShipClass, ShipList, plain_name
from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.fields import Fields
from tabletop.messages import Message

_GROUPS = {
    "armour": ARMOUR_KEYS,
    "rate_of_fire": RATE_KEYS,
    "main": MAIN_KEYS,
    "secondary": SECONDARY_KEYS,
}
_SINGLE = (
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
"""Every value that has a source, by its name in a ship's file."""

_HER_OWN = ("name", "short_names", "several", "like", "source", "sources", "doubt")
_INHERITED = (*_SINGLE, *_GROUPS)
_MOST_A_SIDE = 5


@dataclass(frozen=True, slots=True)
class _Entry:
    """A `[[ship]]` as it stands in its file, with the sources that the file gives to all ships."""

    fields: Fields
    file_sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class _Described:
    """A ship with all her values, her own and her sister's."""

    fields: Fields
    sources: Mapping[str, Source]
    doubts: tuple[Doubt, ...]


@cache
def load_warships() -> ShipList[Warship]:
    """All ships of the ruleset's own files."""
    return read_warships(ship_files(files("combat.rulebooks.bismarck_advanced")))


def read_warships(contents: Mapping[str, bytes]) -> ShipList[Warship]:
    """The ships of some files, given by name and content; sisters may stand in different files."""
    entries = [entry for name in sorted(contents) for entry in _entries(name, contents[name])]
    by_name = {plain_name(entry.fields.text("name")): entry for entry in entries}
    return ShipList(_build(_describe(entry, by_name, ())) for entry in entries)


def _entries(name: str, data: bytes) -> Iterator[_Entry]:
    document = Fields(parse_toml(data, name), name, ("ship", "sources"))
    sources = _read_sources(document)
    for fields in document.tables("ship", (*_HER_OWN, *_INHERITED)):
        yield _Entry(fields, sources)


def _read_sources(fields: Fields) -> dict[str, Source]:
    """What `[sources]` says, for every value or group of values that it names."""
    table = fields.table("sources", (*_SINGLE, *_GROUPS))
    sources: dict[str, Source] = {}
    for name in (*_SINGLE, *_GROUPS):
        if name not in table:
            continue
        if name in _GROUPS and not isinstance(table.value(name), str):
            group = table.table(name, _GROUPS[name])
            keys = [key for key in _GROUPS[name] if key in group]
            sources.update((f"{name}.{key}", _read_source(group, key)) for key in keys)
        else:
            sources[name] = _read_source(table, name)
    return sources


def _read_source(fields: Fields, key: str) -> Source:
    """A provenance and a reference on one line, such as "printed: Specification Chart"."""
    text = fields.text(key, most=400)
    provenance, _, reference = text.partition(":")
    if provenance not in list(Provenance) or not reference.strip():
        expected = Message("combat.expected.source", known=tuple(Provenance))
        raise fields.wrong(key, expected, text)
    return Source(Provenance(provenance), reference.strip())


def _check_name(place: str, name: str) -> None:
    known = (*VALUES, *_GROUPS)
    if name not in known:
        raise UnknownName(place, "value", name, known)


def _describe(entry: _Entry, by_name: Mapping[str, _Entry], younger: tuple[str, ...]) -> _Described:
    """A ship's values, sources and doubts, with her sister's where she is silent."""
    own = entry.fields
    sister = _sister(entry, by_name, younger)
    whole = own.inheriting(sister.fields, _INHERITED) if sister else own
    doubts = tuple(_read_doubt(table) for table in own.tables("doubt", _DOUBT_KEYS))
    if sister:
        shared = (doubt for doubt in sister.doubts if doubt.field != "name")
        doubts = (*(doubt for doubt in shared if not _states(own, doubt.field)), *doubts)
    return _Described(whole, _sources_of(whole, entry, sister), doubts)


def _sources_of(whole: Fields, entry: _Entry, sister: _Described | None) -> dict[str, Source]:
    """The source of every value that she has; an inherited value keeps her sister's."""
    own = entry.fields
    hers = _read_sources(own)
    by_default = _read_source(own, "source") if "source" in own else None
    sources: dict[str, Source] = {}
    for name in VALUES:
        if not _states(whole, name):
            continue
        source = _look_up(hers, name)
        if source is None and sister and not _states(own, name):
            source = sister.sources[name]
        source = source or _look_up(entry.file_sources, name) or by_default
        if source is None:
            raise DreyerError("advanced.card.no_source", place=own.place, field=name)
        sources[name] = source
    return sources


def _sister(
    entry: _Entry, by_name: Mapping[str, _Entry], younger: tuple[str, ...]
) -> _Described | None:
    if "like" not in entry.fields:
        return None
    name, like = entry.fields.text("name"), entry.fields.text("like")
    model = by_name.get(plain_name(like))
    if model is None:
        names = [other.fields.text("name") for other in by_name.values()]
        raise UnknownName(f"{entry.fields.place}: like", "ship", like, names)
    if plain_name(like) in (*younger, plain_name(name)):
        raise DreyerError("advanced.card.like_herself", place=entry.fields.place, like=like)
    return _describe(model, by_name, (*younger, plain_name(name)))


def _look_up(sources: Mapping[str, Source], name: str) -> Source | None:
    """The source of a value, or else that of its group."""
    return sources.get(name) or sources.get(name.partition(".")[0])


def _states(fields: Fields, name: str) -> bool:
    group, _, key = name.partition(".")
    return key in fields.table(group, _GROUPS[group]) if key else group in fields


_DOUBT_KEYS = ("field", "chosen", "other", "reason")


def _read_doubt(fields: Fields) -> Doubt:
    name = fields.text("field")
    if name != "name":
        _check_name(fields.place, name)
    return Doubt(name, fields.text("chosen"), fields.text("other"), fields.text("reason", most=400))


def _build(ship: _Described) -> Warship:
    fields = ship.fields
    main = fields.table("main", MAIN_KEYS)
    secondary = fields.table("secondary", SECONDARY_KEYS)
    turrets = read_turrets(main)
    secondaries = read_secondaries(secondary)
    guns = {
        Battery.MAIN: read_guns(main, turrets),
        Battery.SECONDARY: read_guns(secondary, secondaries),
    }
    warship = Warship(
        name=fields.text("name"),
        short_names=fields.texts("short_names"),
        several=fields.flag("several", False),
        ship_class=ShipClass(fields.choice("class", list(ShipClass))),
        nation=fields.text("nation"),
        movement_factor=fields.integer("movement_factor", least=0, most=20),
        radar=fields.flag("radar"),
        torpedoes=fields.integer("torpedoes", least=0, most=20),
        armour=read_armour(fields.table("armour", ARMOUR_KEYS)),
        rate_of_fire=read_rate_of_fire(fields.table("rate_of_fire", RATE_KEYS)),
        gun_types={battery: each.gun_type if each else None for battery, each in guns.items()},
        calibres_inches={
            battery: each.calibre_inches if each else None for battery, each in guns.items()
        },
        ammunition={battery: each.ammunition if each else None for battery, each in guns.items()},
        turrets=turrets,
        secondaries=secondaries,
        hull_boxes=fields.integer("hull_boxes", least=1, most=60),
        superstructure_boxes=fields.integer("superstructure_boxes", least=0, most=30),
        jam_table=fields.text("jam_table") if "jam_table" in fields else None,
        layout=read_layout(fields.table("layout", LAYOUT_KEYS)),
        doubts=ship.doubts,
        sources=ship.sources,
    )
    _check_mounts(fields, warship)
    _check_rates(fields, warship, guns)
    return warship


def _check_mounts(fields: Fields, warship: Warship) -> None:
    names = [mount.name for mount in (*warship.turrets, *warship.secondaries)]
    for name in names:
        if names.count(name) > 1:
            expected = Message("advanced.expected.turret_name")
            raise fields.wrong("main.turrets", expected, name)
    for side in (Side.PORT, Side.STARBOARD):
        count = sum(mount.side in (side, Side.BOTH) for mount in warship.secondaries)
        if count > _MOST_A_SIDE:
            expected = Message(
                "advanced.expected.turrets_a_side",
                most=_MOST_A_SIDE,
                side=Message(f"advanced.quadrant.{side}"),
            )
            raise fields.wrong("secondary.turrets", expected, count)


def _check_rates(fields: Fields, warship: Warship, guns: Mapping[Battery, Guns | None]) -> None:
    """Guns without a rate of fire, or a rate of fire without guns, are a slip of the pen."""
    for battery, each in guns.items():
        fires = any(warship.rate_of_fire.multiplier(battery, band) for band in RangeBand)
        if fires and each is None:
            expected = Message("advanced.expected.dashes")
            found = Message("schema.numbers")
            raise BadField(fields.place, f"rate_of_fire.{battery}", expected, found)
        if each is not None and not fires:
            expected = Message("advanced.expected.numbers")
            found = Message("advanced.found.dashes")
            raise BadField(fields.place, f"rate_of_fire.{battery}", expected, found)
