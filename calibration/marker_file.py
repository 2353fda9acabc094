"""The marker file: the ship, size and place of each printed marker.

`dreyer sheets` writes it as `sheets.json` beside the PDF; `dreyer locate --markers` reads it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field

from calibration.markers import (
    CORNER_IDS,
    CORNER_SIZE_MM,
    FAMILIES,
    LARGE,
    SHIP_SIZE_MM,
    SMALL,
    UNIT_KINDS,
    Family,
    MarkerKind,
)
from tabletop.documents import parse_json_file
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace, shorten
from tabletop.schema import (
    FILE_CONFIG,
    Expected,
    Number,
    Schema,
    Text,
    Unit,
    Whole,
    bounds,
    file_document,
    keys_of,
    one_of,
    wrong,
)

LARGEST_SIZE_MM: Final = 1000.0
LARGEST_PAGE_MM: Final = 5000.0
MOST_PAGES: Final = 1000
_OnPage = Annotated[Number, Field(ge=-LARGEST_PAGE_MM, le=LARGEST_PAGE_MM), Unit("mm")]
_PageSide = Annotated[Number, Field(gt=0, le=LARGEST_PAGE_MM), Unit("mm")]


@dataclass(frozen=True, slots=True)
class PrintedMarker:
    """One printed marker."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    id: Annotated[Whole, Field(ge=0, le=LARGE.size - 1)]
    name: Text
    kind: MarkerKind
    page: Whole
    """Counted from 1; 0 if the page is unknown."""
    x_mm: _OnPage
    """The centre of the coded square, from the page's left edge."""
    y_mm: _OnPage
    """The centre of the coded square, from the page's top edge."""
    size_mm: Annotated[Number, Field(gt=0, le=LARGEST_SIZE_MM), Unit("mm")]
    """The side of the outer black border."""
    up_deg: Annotated[Number, Field(ge=-360, le=360), Unit("degrees")]
    """The direction of the bow on the page, clockwise from its top."""
    ahead_mm: Annotated[Number, Field(ge=-LARGEST_SIZE_MM, le=LARGEST_SIZE_MM), Unit("mm")] = 0.0
    """How far the middle of the ship's base lies ahead of the code's centre."""

    def as_document(self) -> dict[str, object]:
        """Its entry in `sheets.json`; most codes lie in the middle of their base."""
        document = asdict(self)
        if not self.ahead_mm:
            del document["ahead_mm"]
        return document


@dataclass(frozen=True, slots=True)
class PageSize:
    """The size of a page."""

    __pydantic_config__: ClassVar[ConfigDict] = FILE_CONFIG

    width_mm: _PageSide
    height_mm: _PageSide


@dataclass(frozen=True, slots=True)
class MarkerSet:
    """All printed markers, which belong to one family."""

    family: Family
    markers: tuple[PrintedMarker, ...]
    pages: tuple[PageSize, ...]

    @property
    def names(self) -> Mapping[int, str]:
        """The names of ships and contacts by marker id, without corner and anchor markers."""
        return MappingProxyType({m.id: m.name for m in self.markers if m.kind in UNIT_KINDS})

    @property
    def anchor_ids(self) -> tuple[int, ...]:
        """The ids of the anchor markers."""
        return tuple(m.id for m in self.markers if m.kind is MarkerKind.ANCHOR)

    def find(self, marker_id: int) -> PrintedMarker | None:
        """The marker with this id, or None if it was not printed."""
        return next((marker for marker in self.markers if marker.id == marker_id), None)

    def size_mm(self, marker_id: int) -> float:
        """The side of a marker's outer black border; the default size if it was not printed."""
        marker = self.find(marker_id)
        if marker is not None:
            return marker.size_mm
        return CORNER_SIZE_MM if marker_id in CORNER_IDS.values() else SHIP_SIZE_MM

    def ahead_mm(self, marker_id: int) -> float:
        """How far the middle of the ship's base lies ahead of the code's centre."""
        marker = self.find(marker_id)
        return 0.0 if marker is None else marker.ahead_mm

    def as_document(self) -> dict[str, object]:
        """The content of `sheets.json`, with unrounded numbers."""
        return {
            "family": self.family.name,
            "markers": [marker.as_document() for marker in self.markers],
            "pages": [asdict(page) for page in self.pages],
        }


def number_name(marker_id: int) -> str:
    """The name of a marker that is not assigned to a ship."""
    return f"marker {marker_id}"


def anchor_name(marker_id: int) -> str:
    """The name of an anchor marker."""
    return f"anchor {marker_id}"


def contact_name(marker_id: int) -> str:
    """The name of a dummy, which is what is printed on her and on every hidden ship beside her."""
    return f"Contact {marker_id}"


@cache
def default_marker_set() -> MarkerSet:
    """The assumed markers without a marker file: default sizes, numbers as names."""
    corners = tuple(
        PrintedMarker(number, corner, MarkerKind.CORNER, 0, 0.0, 0.0, CORNER_SIZE_MM, 0.0)
        for corner, number in CORNER_IDS.items()
    )
    ships = tuple(
        PrintedMarker(number, number_name(number), MarkerKind.SHIP, 0, 0.0, 0.0, SHIP_SIZE_MM, 0.0)
        for number in SMALL.ship_ids
    )
    return MarkerSet(SMALL, corners + ships, ())


@file_document
class _MarkerFile:
    """The content of `sheets.json`."""

    family: Annotated[str, Expected(Message("schema.choice", choices=tuple(FAMILIES)))]
    markers: tuple[PrintedMarker, ...]
    pages: Annotated[tuple[PageSize, ...], Field(max_length=MOST_PAGES)]


_FILE: Final[Schema[_MarkerFile]] = Schema(
    Annotated[
        _MarkerFile,
        Expected(Message("calibration.marker_file.keys", keys=tuple(keys_of(_MarkerFile)))),
    ]
)


def read_marker_file(data: bytes, source: str) -> MarkerSet:
    """Parse a marker file. Raises DreyerError with the source and the field."""
    file = _FILE.read(parse_json_file(data, source), source)
    family = FAMILIES[one_of(file.family, FAMILIES, source, "family")]
    ids: dict[int, DocumentPlace] = {}
    names: dict[str, DocumentPlace] = {}
    for number, marker in enumerate(file.markers, start=1):
        place = DocumentPlace(source).item("markers", number, marker.name)
        _check_marker(marker, family, len(file.pages), place)
        if marker.id in ids:
            raise DreyerError(
                "calibration.marker_file.same_id",
                place=place,
                marker=marker.id,
                other=ids[marker.id],
            )
        if marker.name in names:
            raise DreyerError(
                "calibration.marker_file.same_name",
                place=place,
                name=shorten(marker.name),
                other=names[marker.name],
            )
        ids[marker.id] = names[marker.name] = place.inner
    return MarkerSet(family, file.markers, file.pages)


def _check_marker(marker: PrintedMarker, family: Family, pages: int, place: DocumentPlace) -> None:
    corners = len(CORNER_IDS)
    is_corner = marker.kind is MarkerKind.CORNER
    least, most = (0, corners - 1) if is_corner else (corners, family.size - 1)
    if not least <= marker.id <= most:
        raise wrong(place, "id", bounds("whole", least=least, most=most), marker.id)
    first = min(1, pages)
    if not first <= marker.page <= pages:
        raise wrong(place, "page", bounds("whole", least=first, most=pages), marker.page)
