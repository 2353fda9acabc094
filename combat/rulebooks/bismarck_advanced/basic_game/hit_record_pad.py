"""The Hit Record Pad of the Basic and Intermediate Games: the boxes of each ship (9.64, 9.71)."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Annotated

from pydantic import Field

from combat.provenance import Provenance, Source
from combat.rulebooks.bismarck_advanced.conversion import Rate, worth
from combat.rulebooks.bismarck_advanced.fleet.warships import (
    HullSide,
    SecondaryTurret,
    Turret,
    Warship,
)
from combat.ships import ShipClass
from combat.tables import TableSet
from tabletop.schema import Schema, Text, Whole, document

_FILE = "hit_record_pad.toml"
_HITS_A_TURRET = 2
"""A hit is half a turret (72.2)."""

Boxes = Annotated[Whole, Field(ge=1, le=20)]


@document
class PadRow:
    """A ship of the pad, as the data file has her."""

    name: Text
    evasion: Annotated[Whole, Field(ge=1, le=60)]
    bow: Boxes
    stern: Boxes
    port: Boxes
    starboard: Boxes
    source: Annotated[str, Field(pattern=r"^(printed|derived|reconstructed): \S", max_length=200)]


@document
class _PadFile:
    ship: tuple[PadRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """The boxes that a ship has in the other games."""

    midships: int
    bow: int
    stern: int
    port: int
    starboard: int
    evasion: int | None
    """The rating on her counter; None where she has none there."""
    torpedoes: bool
    """Whether she has a torpedo box (19.3)."""
    counts_ammunition: bool
    """Not so for aircraft carriers (20.7)."""
    source: Source
    """Where the boxes of the gun sections come from."""


@cache
def pad_rows() -> dict[str, PadRow]:
    """The ships of the data file by name."""
    data = (files(__package__) / _FILE).read_bytes()
    schema: Schema[_PadFile] = Schema(_PadFile)
    return {row.name: row for row in schema.read_toml(data, _FILE).ship}


def pad_of(warship: Warship, tables: TableSet) -> Pad | None:
    """A ship's boxes; None for destroyers, who sail there as flotillas (23.13)."""
    if warship.is_destroyer:
        return None
    row = pad_rows().get(warship.name)
    if row is None:
        # A ship that the pad does not know has what one turret is worth (72.2).
        port, starboard = (len(secondaries(warship, side)) for side in _SIDES)
        bow, stern = (_HITS_A_TURRET * len(part) for part in turret_sections(warship))
        source = Source(Provenance.DERIVED, "72.2")
    else:
        port, starboard, bow, stern = row.port, row.starboard, row.bow, row.stern
        provenance, _, reference = row.source.partition(": ")
        source = Source(Provenance(provenance), reference)
    return Pad(
        # The fewest midships boxes that are worth so many hull boxes (72.2, 72.3).
        midships=ceil(warship.hull_boxes / worth(Rate.MIDSHIPS_BOX, tables)),
        bow=bow,
        stern=stern,
        port=port,
        starboard=starboard,
        evasion=row.evasion if row else None,
        torpedoes=warship.torpedoes > 0,
        counts_ammunition=warship.ship_class is not ShipClass.CARRIER,
        source=source,
    )


_SIDES = (HullSide.PORT, HullSide.STARBOARD)


def turret_sections(warship: Warship) -> tuple[tuple[Turret, ...], tuple[Turret, ...]]:
    """The turrets of the bow section and of the stern section, each from the bow aft.

    The third turret of the Rodney stands with the stern turrets on the pad (9.81).
    """
    bow = warship.bow_turrets
    return bow, tuple(turret for turret in warship.turrets if turret not in bow)


def secondaries(warship: Warship, side: HullSide) -> tuple[SecondaryTurret, ...]:
    """The secondary turrets that a hit on one side can reach, those of the side itself first."""
    found = [turret for turret in warship.secondaries if turret.side in (side, HullSide.BOTH)]
    return tuple(sorted(found, key=lambda turret: turret.side is HullSide.BOTH))
