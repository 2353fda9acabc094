"""Record sheets of games whose ships are a few numbers on a counter: one part for each number."""

from collections.abc import Sequence

from combat.record_sheets import PartDetails, RecordSheet, SheetPart, ShipStatus
from combat.ships import ShipClass

_BEAMS = {
    ShipClass.BATTLESHIP: 0.14, ShipClass.BATTLE_CRUISER: 0.13, ShipClass.CARRIER: 0.14,
    ShipClass.POCKET_BATTLESHIP: 0.12, ShipClass.HEAVY_CRUISER: 0.1,
}  # fmt: skip
_SLIM = 0.09


def factor_part(
    key: str,
    kind: str,
    title: str,
    factors: tuple[int, int],
    *,
    unit: str = "factors",
    station: float | None = None,
    details: PartDetails | None = None,
) -> SheetPart:
    """A number on a counter: what it was and what is left of it."""
    whole, left = factors
    words = "" if left == whole else (f"{left} of {whole} left" if left else "none left")
    return SheetPart(
        key, kind, title, whole, whole - left, unit, words, destroyed=left <= 0 < whole,
        station=station, details=details or PartDetails(),
    )  # fmt: skip


def plain_sheet(
    name: str,
    ship_type: str,
    ship_class: ShipClass,
    side: str,
    parts: Sequence[SheetPart],
    *,
    kind: str = "",
    sunk: bool = False,
) -> RecordSheet:
    """A ship's sheet, drawn by her class; `kind` is the book's own word for it."""
    # A ship that floats is never quite as badly off as one that does not.
    # Torpedoes that were fired are no damage.
    counted = [part for part in parts if part.total and part.kind != "torpedoes"]
    worst = max((part.lost / part.total for part in counted), default=0.0)
    lost = [f"{part.title.lower()} {part.words}" for part in parts if part.words]
    return RecordSheet(
        ship=name,
        type=ship_type,
        ship_class=kind or ship_class.value,
        side=side,
        status=ShipStatus.SUNK if sunk else ShipStatus.IN_ACTION,
        trouble=1.0 if sunk else min(0.99, worst),
        glance="sunk" if sunk else ", ".join(lost) or "unharmed",
        beam=_BEAMS.get(ship_class, _SLIM),
        superstructure=(0.42, 0.58) if ship_class is ShipClass.CARRIER else (0.32, 0.67),
        funnels=(0.49,),
        island="starboard" if ship_class is ShipClass.CARRIER else "both",
        parts=tuple(parts),
    )
