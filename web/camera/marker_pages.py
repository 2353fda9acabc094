"""The printed markers of a table, and the ships that they are assigned to."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from calibration.marker_file import MarkerSet, number_name
from calibration.marker_layout import lay_out_markers
from calibration.markers import MarkerKind
from web.camera.table_access import ListedShip, marker_order, printed_sides
from web.drawing.marker_pages import print_markers


@lru_cache(maxsize=8)
def marker_pdf(ships: tuple[ListedShip, ...], paper: str) -> bytes:
    """The PDF for a table: its ships in the order of the list, and blanks to fill a set."""
    return print_markers(lay_out_markers(marker_order(ships, paper)), printed_sides(ships))


def sheet_for(ships: tuple[ListedShip, ...], paper: str) -> MarkerSet:
    """The marker set of this table if its markers were printed now."""
    return lay_out_markers(marker_order(ships, paper)).sheet


def sheet_bytes(sheet: MarkerSet) -> bytes:
    """The content of the marker file."""
    document = json.dumps(sheet.as_document(), ensure_ascii=False, allow_nan=False, indent=2)
    return f"{document}\n".encode()


def with_ships(sheet: MarkerSet, chosen: Mapping[int, str]) -> MarkerSet:
    """The marker set with some markers reassigned to other ships.

    A ship has one marker: the one printed with her name becomes a number again.
    """
    taken = {name.casefold() for name in chosen.values()}
    markers = []
    for marker in sheet.markers:
        name = marker.name
        if marker.kind is MarkerKind.SHIP and marker.id in chosen:
            name = chosen[marker.id]
        elif marker.kind is MarkerKind.SHIP and name.casefold() in taken:
            name = number_name(marker.id)
        markers.append(marker if name == marker.name else replace(marker, name=name))
    return replace(sheet, markers=tuple(markers))
