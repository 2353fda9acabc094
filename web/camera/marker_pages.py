"""The printed markers of a table, and the ships that they are assigned to."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random

from calibration.marker_file import MarkerSet, number_name
from calibration.marker_layout import MarkerLayout, lay_out_markers, tidy_name
from calibration.markers import UNIT_KINDS
from calibration.model_pieces import MarkerForm
from web.camera.model_markers import decks_of
from web.camera.table_access import ListedShip, PrintChoice, marker_order, printed_sides
from web.drawing.marker_pages import print_markers


@lru_cache(maxsize=8)
def marker_pdf(ships: tuple[ListedShip, ...], choice: PrintChoice) -> bytes:
    """The PDF for a table: its ships in the order of the list, and blanks to fill a set."""
    sides = printed_sides(ships)
    decks = {}
    if choice.form is MarkerForm.PAPER_SHIP:
        types = {tidy_name(ship.name): ship.ship for ship in ships if ship.ship is not None}
        decks = decks_of(types, sides)
    return print_markers(_laid_out(ships, choice), sides, decks)


def marker_set_for(ships: tuple[ListedShip, ...], choice: PrintChoice) -> MarkerSet:
    """The marker set of this table if its markers were printed now."""
    return _laid_out(ships, choice).marker_set


def _laid_out(ships: tuple[ListedShip, ...], choice: PrintChoice) -> MarkerLayout:
    deal = Random(choice.seed)  # noqa: S311 - the seed itself is secret
    return lay_out_markers(marker_order(ships, choice), deal)


def marker_file_bytes(marker_set: MarkerSet) -> bytes:
    """The content of the marker file."""
    document = json.dumps(marker_set.as_document(), ensure_ascii=False, allow_nan=False, indent=2)
    return f"{document}\n".encode()


def with_ships(marker_set: MarkerSet, chosen: Mapping[int, str]) -> MarkerSet:
    """The marker set with some markers reassigned to other ships.

    A ship has one marker: the one printed with her name becomes a number again.
    """
    taken = {name.casefold() for name in chosen.values()}
    markers = []
    for marker in marker_set.markers:
        name = marker.name
        if marker.kind in UNIT_KINDS and marker.id in chosen:
            name = chosen[marker.id]
        elif marker.kind in UNIT_KINDS and name.casefold() in taken:
            name = number_name(marker.id)
        markers.append(marker if name == marker.name else replace(marker, name=name))
    return replace(marker_set, markers=tuple(markers))
