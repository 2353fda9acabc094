"""Each hit as a short story with two little pictures: where she is struck, shell against plate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.record_sheets import RecordSheet, SheetPart
from combat.story_entries import HitDocument
from web.strings import sentence, text

_SHIP_LONG: Final = 130.0
_PLATE_AT: Final = 46.0
_PX_PER_INCH: Final = 4.6
_THINNEST_PX: Final = 5.0
_BEYOND_PX: Final = 26.0
_MOST_INCHES: Final = 18.0


@dataclass(frozen=True, slots=True)
class Gauge:
    """The shell's way into the plate, in px."""

    plate_x: float
    plate_width: float
    tip: float
    shell: str
    plate: str
    stopped: bool

    @property
    def middle(self) -> float:
        """Where the plate's thickness is written."""
        return self.plate_x + self.plate_width / 2


@dataclass(frozen=True, slots=True)
class HitCard:
    """One hit: where, with which dice, against what, and what came of it."""

    number: int
    place: str
    dice: tuple[str, ...]
    effect: str
    through: bool
    armoured: bool
    gauge: Gauge | None
    mark_x: float | None
    """Where on a ship of 130 px, bow to the right; None where it has no place of its own."""
    turrets: tuple[float, ...]
    provenance: str


def hit_cards(results: Sequence[HitDocument], sheet: RecordSheet | None) -> tuple[HitCard, ...]:
    """The hits of a fire in their order."""
    return tuple(_card(number, hit, sheet) for number, hit in enumerate(results, start=1))


def _card(number: int, hit: HitDocument, sheet: RecordSheet | None) -> HitCard:
    part = _part(hit, sheet) if sheet else None
    stations = [each.station for each in sheet.parts if each.kind == "turret"] if sheet else []
    mark = part.station if part else None
    if sheet is not None and part is not None and part.kind == "hull":
        mark = 0.5
    return HitCard(
        number=number,
        place=sentence(hit.place),
        dice=hit.dice,
        effect=str(text("common.sentence", words=hit.effect)),
        through=hit.penetrated,
        armoured=hit.armour_inches is not None,
        gauge=gauge_of(hit.armour_inches, hit.penetration_inches, hit.penetrated),
        mark_x=None if mark is None else _along(mark),
        turrets=tuple(_along(each) for each in stations if each is not None),
        provenance=hit.provenance,
    )


def _part(hit: HitDocument, sheet: RecordSheet) -> SheetPart | None:
    """The part of the sheet that a hit has struck: by its key, or by its kind."""
    named = (part for part in sheet.parts if part.key == hit.part)
    alike = (part for part in sheet.parts if part.kind == hit.part)
    return next(named, None) or next(alike, None)


def gauge_of(armour: int | None, shell: int | None, penetrated: bool | None) -> Gauge | None:
    """Shell against plate, in inches; None where one of them is not known."""
    if armour is None or shell is None:
        return None
    width = max(min(armour, _MOST_INCHES) * _PX_PER_INCH, _THINNEST_PX)
    if penetrated:
        tip = _PLATE_AT + width + _BEYOND_PX
    else:
        tip = _PLATE_AT + width * min(shell / armour, 0.96)
    return Gauge(_PLATE_AT, width, tip, f'{shell:g}"', f'{armour:g}"', not penetrated)


def _along(station: float) -> float:
    """From the sheet's bow at 0 to a picture whose bow points to the right."""
    return round(_SHIP_LONG * (1.0 - station), 1)
