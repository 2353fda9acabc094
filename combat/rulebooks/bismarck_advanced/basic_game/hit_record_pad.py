"""The Hit Record Pad of the Basic and Intermediate Games: the boxes of each ship (9.64, 9.71)."""

from dataclasses import dataclass
from math import ceil

from combat.provenance import Provenance, Source
from combat.rulebooks.bismarck_advanced.conversion import Rate, worth
from combat.rulebooks.bismarck_advanced.fleet.warships import (
    HullSide,
    SecondaryTurret,
    Turret,
    Warship,
)
from combat.rulebooks.bismarck_data.table_files import SECTIONS, UNLIMITED, load_pad
from combat.ships import ShipClass
from combat.tables import Cell, TableSet

_HITS_A_TURRET = 2
"""A hit is half a turret (72.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A ship's boxes in the Basic and Intermediate Games."""

    midships: int
    bow: int
    stern: int
    port: int
    starboard: int
    evasion: int | None
    """The rating on her counter; None without one."""
    torpedoes: bool
    """Whether she has a torpedo box (19.3)."""
    counts_ammunition: bool
    """False for aircraft carriers (20.7)."""
    ammunition: Cell | None
    """Her ammunition factors (20.1); None without a number on the pad."""
    source: Source
    """The source of the boxes of the gun sections."""


def pad_of(warship: Warship, tables: TableSet) -> Pad | None:
    """A ship's boxes; None for destroyers, which are flotillas there (23.13)."""
    if warship.is_destroyer:
        return None
    pad = load_pad()
    row = warship.name if warship.name in pad.rows else None
    if row is None:
        # A ship that is not on the pad has the boxes of one turret (72.2).
        port, starboard = (len(secondaries(warship, side)) for side in _SIDES)
        bow, stern = (_HITS_A_TURRET * len(part) for part in turret_sections(warship))
        source = Source(Provenance.DERIVED, "72.2")
    else:
        cells = {section: pad.cell(row, section) for section in SECTIONS}
        bow, stern, port, starboard = (len(cell.value.split()) for cell in cells.values())
        provenance = Provenance.worst(cell.provenance for cell in cells.values())
        least = next(cell for cell in cells.values() if cell.provenance is provenance)
        source = Source(provenance, least.reference)
    ammunition = pad.cell(row, "ammunition") if row else None
    return Pad(
        # The fewest midships boxes that equal her hull boxes (72.2, 72.3).
        midships=ceil(warship.hull_boxes / worth(Rate.MIDSHIPS_BOX, tables)),
        bow=bow,
        stern=stern,
        port=port,
        starboard=starboard,
        evasion=pad.integer(row, "evasion") if row else None,
        torpedoes=warship.torpedoes > 0,
        counts_ammunition=warship.ship_class is not ShipClass.CARRIER,
        ammunition=None if ammunition is None or ammunition.value == UNLIMITED else ammunition,
        source=source,
    )


_SIDES = (HullSide.PORT, HullSide.STARBOARD)


def turret_sections(warship: Warship) -> tuple[tuple[Turret, ...], tuple[Turret, ...]]:
    """The turrets of the bow section and of the stern section, each from the bow aft.

    The pad counts the third turret of the Rodney as a stern turret (9.81).
    """
    bow = warship.bow_turrets
    return bow, tuple(turret for turret in warship.turrets if turret not in bow)


def secondaries(warship: Warship, side: HullSide) -> tuple[SecondaryTurret, ...]:
    """The secondary turrets that a hit from one side can reach, those of that side first."""
    found = [turret for turret in warship.secondaries if turret.side in (side, HullSide.BOTH)]
    return tuple(sorted(found, key=lambda turret: turret.side is HullSide.BOTH))
