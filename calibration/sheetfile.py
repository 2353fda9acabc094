"""The file that goes with the printed sheets: which marker is whom, how large, and where it is.

`dreyer sheets` writes it as `sheets.json` beside the PDF; `dreyer locate --markers` reads it back.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, NoReturn

from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    FAMILIES,
    SHIP_SIZE_MM,
    SMALL,
    Family,
    Kind,
)
from tabletop.errors import BadField, DreyerError, UnreadableFile, shorten
from tabletop.fields import Fields
from tabletop.messages import Message

LARGEST_SIZE_MM: Final = 1000.0
LARGEST_PAGE_MM: Final = 5000.0
MOST_PAGES: Final = 1000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHEET_KEYS = ("family", "markers", "pages")
_MARKER_KEYS = ("id", "name", "kind", "page", "x_mm", "y_mm", "size_mm", "up_deg")
_PAGE_KEYS = ("width_mm", "height_mm")


@dataclass(frozen=True, slots=True)
class PrintedMarker:
    """One coded marker on the paper."""

    id: int
    name: str
    kind: Kind
    page: int
    """Counted from 1; 0 where nothing is known of the paper."""
    x_mm: float
    """The centre of the coded square, from the page's left edge."""
    y_mm: float
    """The centre of the coded square, from the page's top edge."""
    size_mm: float
    """The side of the outer black border."""
    up_deg: float
    """Where the bow points on the page, clockwise from its top."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """How large a page is."""

    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class MarkerSheet:
    """All that was printed: the markers of one family, on so many pages."""

    family: Family
    markers: tuple[PrintedMarker, ...]
    pages: tuple[PageSize, ...]

    @property
    def names(self) -> Mapping[int, str]:
        """The ships' names by their markers' ids; the corners are nobody."""
        return MappingProxyType({m.id: m.name for m in self.markers if m.kind is Kind.SHIP})

    def find(self, marker_id: int) -> PrintedMarker | None:
        """The marker of this id, or None if it was not printed."""
        return next((marker for marker in self.markers if marker.id == marker_id), None)

    def size_mm(self, marker_id: int) -> float:
        """The side of a marker's outer black border; of one not printed, the usual size."""
        marker = self.find(marker_id)
        if marker is not None:
            return marker.size_mm
        return CORNER_SIZE_MM if marker_id in CORNER_IDS.values() else SHIP_SIZE_MM

    def as_document(self) -> dict[str, object]:
        """The document that `sheets.json` holds; numbers are not rounded."""
        return {
            "family": self.family.name,
            "markers": [
                {key: getattr(marker, key) for key in _MARKER_KEYS} for marker in self.markers
            ],
            "pages": [{key: getattr(page, key) for key in _PAGE_KEYS} for page in self.pages],
        }


def number_name(marker_id: int) -> str:
    """What a marker is called that stands for no ship in particular."""
    return f"marker {marker_id}"


@cache
def default_marker_sheet() -> MarkerSheet:
    """What to expect when nobody says what was printed: usual sizes, numbers for names."""
    corners = tuple(
        PrintedMarker(number, corner, Kind.CORNER, 0, 0.0, 0.0, CORNER_SIZE_MM, 0.0)
        for corner, number in CORNER_IDS.items()
    )
    ships = tuple(
        PrintedMarker(number, number_name(number), Kind.SHIP, 0, 0.0, 0.0, SHIP_SIZE_MM, 0.0)
        for number in SMALL.ship_ids
    )
    return MarkerSheet(SMALL, corners + ships, ())


def read_marker_sheet(data: bytes, source: str) -> MarkerSheet:
    """The sheet in these bytes; every fault is one line that names the source and the field."""
    document = _parse(data, source)
    if not isinstance(document, dict):
        raise UnreadableFile("calibration.sheet.no_object", source=source, keys=_SHEET_KEYS)
    fields = Fields(document, source, _SHEET_KEYS)
    family = FAMILIES[fields.choice("family", FAMILIES)]
    pages = tuple(
        PageSize(
            *(page.number(key, above=0, most=LARGEST_PAGE_MM, unit="mm") for key in _PAGE_KEYS)
        )
        for page in _objects(fields, "pages", "page", _PAGE_KEYS)
    )
    if len(pages) > MOST_PAGES:
        raise fields.wrong(
            "pages", Message("calibration.expected.most_pages", most=MOST_PAGES), list(pages)
        )
    ids: dict[int, str] = {}
    names: dict[str, str] = {}
    markers = []
    for item in _objects(fields, "markers", "marker", _MARKER_KEYS):
        marker = _read_marker(item, family, pages)
        here = item.place.removeprefix(f"{source}, ")
        if marker.id in ids:
            raise DreyerError(
                "calibration.sheet.same_id",
                place=item.place,
                marker=marker.id,
                other=ids[marker.id],
            )
        if marker.name in names:
            raise DreyerError(
                "calibration.sheet.same_name",
                place=item.place,
                name=shorten(marker.name),
                other=names[marker.name],
            )
        ids[marker.id] = names[marker.name] = here
        markers.append(marker)
    return MarkerSheet(family, tuple(markers), pages)


def _parse(data: bytes, source: str) -> object:
    def refuse(word: str) -> NoReturn:
        raise UnreadableFile("errors.file.json_constant", source=source, word=word)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for key, value in pairs:
            if key in values:
                raise UnreadableFile("errors.file.json_twice", source=source, key=shorten(key))
            values[key] = value
        return values

    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
        return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    except UnicodeDecodeError:
        raise UnreadableFile("calibration.sheet.not_utf8", source=source) from None
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            "errors.file.json",
            source=source,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from None
    except RecursionError:
        raise UnreadableFile("errors.file.json_deep", source=source) from None
    except UnreadableFile:
        raise
    except ValueError:
        # Python refuses integers of thousands of digits with a plain ValueError.
        raise UnreadableFile("errors.file.json_number", source=source) from None


def _objects(fields: Fields, key: str, what: str, known: Iterable[str]) -> list[Fields]:
    items = []
    for number, value in enumerate(
        fields.values(key, None, Message(f"calibration.expected.{key}")), start=1
    ):
        place = f"{fields.place}, {what} {number}"
        if not isinstance(value, dict):
            raise BadField(place, what, Message("calibration.expected.braces"), shorten(value))
        name = value.get("name")
        items.append(Fields(value, f"{place} {shorten(name)}" if name else place, known))
    return items


def _read_marker(fields: Fields, family: Family, pages: tuple[PageSize, ...]) -> PrintedMarker:
    kind = Kind(fields.choice("kind", list(Kind)))
    corners = len(CORNER_IDS)
    least, most = (0, corners - 1) if kind is Kind.CORNER else (corners, family.size - 1)

    def place(key: str) -> float:
        return fields.number(key, least=-LARGEST_PAGE_MM, most=LARGEST_PAGE_MM, unit="mm")

    return PrintedMarker(
        id=fields.integer("id", least=least, most=most),
        name=fields.text("name"),
        kind=kind,
        page=fields.integer("page", least=0 if not pages else 1, most=len(pages)),
        x_mm=place("x_mm"),
        y_mm=place("y_mm"),
        size_mm=fields.number("size_mm", above=0, most=LARGEST_SIZE_MM, unit="mm"),
        up_deg=fields.number("up_deg", least=-360, most=360, unit="degrees"),
    )
