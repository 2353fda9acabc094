"""The texts beside a record sheet's drawing: the names of parts and their damage."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from combat.record_sheets import Inches, RecordSheet, SheetPart
from web.drawing.fonts import Face, wrap
from web.drawing.geometry import Point, spread
from web.drawing.ship_layout import (
    MIDDLE,
    MOUNT_WIDTH,
    PartSpot,
    ShipLayout,
    box_count,
    part_of,
    parts_of,
)
from web.strings import text, words

_LINE: Final = 17.0
_LANE: Final = 4.0
"""How far above or below mounts a line passes them."""
_QUARTERS: Final = ("", "¼", "½", "¾")
_THIRDS: Final = ("sheet.third_1", "sheet.third_2", "sheet.third_3")
_STATES: Final = (0.0, 0.0001, 0.25, 0.5, 0.8)
"""The key of a ship's condition, by the least `trouble`."""
_PLATES: Final = {
    "conning_tower": "sheet.conning_short",
    "director": "sheet.director_short",
    "plot": "sheet.plot_short",
}


@dataclass(frozen=True, slots=True)
class SheetNote:
    """A note of a few lines beside the ship, and its part."""

    lines: tuple[str, ...]
    y: float
    line: tuple[Point, ...] = ()
    """From the note to its part: more than one point where the line goes round mounts."""
    harm: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """What is left of something."""

    label: str
    left: str
    whole: str
    harm: bool


@dataclass(frozen=True, slots=True)
class StoreCount:
    """Something that is used up, such as rounds or torpedoes, or that works or does not."""

    title: str
    words: str
    share: float | None
    """The share that is left, from 0 to 1; None if it only works or does not."""
    harm: bool = False


def boxes_words(quarters: int) -> str:
    """A number of boxes with quarters as text: 2½."""
    whole, part = divmod(quarters, 4)
    return f"{whole or ''}{_QUARTERS[part]}" or "0"


def is_damaged(part: SheetPart) -> bool:
    """Whether a part is damaged; fired rounds are not damage."""
    if part.kind in ("ammunition", "torpedoes"):
        return False
    return bool(part.destroyed or part.lost or part.words)


def state_key(sheet: RecordSheet) -> str:
    """The key of the text for a ship's condition."""
    if sheet.status in ("sunk", "withdrawn"):
        return f"sheet.{sheet.status}"
    return f"sheet.state_{sum(sheet.trouble >= each for each in _STATES) - 1}"


def glance(sheet: RecordSheet) -> tuple[Count, ...]:
    """The figures of a ship's condition: speed, guns, hull."""
    found = []
    speed = part_of(sheet, "speed")
    if speed is not None:
        found.append(_count("sheet.speed", speed.total - speed.lost, speed.total))
    for key, kind in (("sheet.main_guns", "turret"), ("sheet.secondary_guns", "secondary")):
        parts = parts_of(sheet, kind)
        whole = sum(part.details.guns for part in parts)
        if whole:
            found.append(_count(key, sum(map(_guns_left, parts)), whole))
    hull = part_of(sheet, "hull")
    if hull is not None:
        left, of = boxes_words(max(hull.total - hull.lost, 0)), boxes_words(hull.total)
        harm = hull.lost * 3 >= hull.total
        found.append(Count(str(text("sheet.hull_left")), left, of, harm))
    return tuple(found)


def glance_words(sheet: RecordSheet) -> str:
    """The figures of `glance` as a sentence."""
    return str(text("sheet.glance", glance=sheet.glance))


def damage_lines(sheet: RecordSheet) -> tuple[tuple[str, str], ...]:
    """All damage: the titles of parts with texts."""
    return tuple(
        (words(part.title), _what_is_wrong(part)) for part in sheet.parts if is_damaged(part)
    )


def stores(sheet: RecordSheet) -> tuple[StoreCount, ...]:
    """Ammunition and torpedoes left, and equipment that works or does not."""
    found = []
    for part in parts_of(sheet, "ammunition", "torpedoes"):
        left = part.total - part.lost
        share = left / part.total if part.total else 0.0
        found.append(StoreCount(words(part.title), str(left), share, part.destroyed or not left))
    for part in parts_of(sheet, "radar"):
        state = text("sheet.lost_word") if part.lost else text("sheet.works")
        found.append(StoreCount(words(part.title), str(state), None, bool(part.lost)))
    return tuple(found)


def armour_words(sheet: RecordSheet) -> str:
    """The hull's armour as text: belt and deck."""
    hull = part_of(sheet, "hull")
    if hull is None:
        return ""
    plates = (
        ("sheet.belt", _inches(hull.details.belt)),
        ("sheet.deck", _inches(hull.details.deck)),
    )
    return ", ".join(str(text(words, inches=inches)) for words, inches in plates if inches)


def hull_words(sheet: RecordSheet) -> str:
    """The damage of the hull as text."""
    hull = part_of(sheet, "hull")
    if hull is None or not hull.lost:
        return str(text("sheet.unharmed"))
    lost, whole = boxes_words(hull.lost), boxes_words(hull.total)
    return str(text("sheet.lost_of", part=lost, whole=whole))


def row_label(part: SheetPart) -> str:
    """The text on a row of the superstructure."""
    key = _PLATES.get(part.kind)
    label = str(text(key)) if key else words(part.title)
    inches = _inches(part.details.armour)
    if part.kind == "director" or not inches:
        return label
    return f"{label} {text('sheet.armour', inches=inches)}"


def third_words(number: int, *, now: bool) -> str:
    """The title of a third of the hull."""
    third = text(_THIRDS[number])
    return str(text("sheet.third_now", third=third) if now else third)


def damage_description(sheet: RecordSheet) -> str:
    """All damage as text for screen readers."""
    found = [f"{title}: {damage}." for title, damage in damage_lines(sheet)]
    return " ".join(found) or str(text("sheet.spoken_whole"))


# Beside the drawing


def left_notes(
    sheet: RecordSheet, plan: ShipLayout, size: float, small: float, right: float
) -> list[SheetNote]:
    """The names of parts; a lost port mount is noted here, beside it."""
    room = right - 2 * plan.half_beam - 20
    notes = [
        SheetNote(
            (words(spot.part.title), *_turret_lines(spot.part)), spot.at[1], (_edge(spot, -1),)
        )
        for spot in plan.turrets
    ]
    port = [spot for spot in plan.secondaries if spot.part.side != "starboard"]
    armed = [spot for spot in port if spot.part.details.guns]
    if armed:
        first = min(armed, key=lambda spot: spot.at[1])
        guns = {spot.part.details.guns for spot in armed}
        key = "sheet.guns_each" if len(parts_of(sheet, "secondary")) > 1 else "sheet.guns"
        lines = [str(text("sheet.secondary"))]
        lines += [str(text(key, n=guns.pop()))] if len(guns) == 1 else []
        whole = not first.part.destroyed
        y = first.at[1] if whole else first.at[1] - 20
        notes.append(SheetNote(tuple(lines), y, (_edge(first, -1),) if whole else ()))
    for spot in port:
        if spot.part.destroyed:
            lost = str(text("sheet.lost", name=spot.part.key))
            notes.append(SheetNote((lost,), spot.at[1], (_edge(spot, -1),), harm=True))
    if plan.rudder is not None:
        target = (MIDDLE - 8, plan.rudder.at[1])
        notes.append(SheetNote((str(text("sheet.rudder")),), plan.rudder.at[1], (target,)))
    return _kept_apart(notes, plan, size, small, room)


def right_notes(
    plan: ShipLayout, size: float, small: float, room: float, *, sunk: bool
) -> list[SheetNote]:
    """The damage beside its place; for a sunk ship, not what still works."""
    spots = [*plan.turrets, *plan.block_parts, *([plan.rudder] if plan.rudder else [])]
    damaged = sorted((spot for spot in spots if is_damaged(spot.part)), key=lambda spot: spot.at[1])
    mounts = [spot for spot in plan.secondaries if spot.part.side == "starboard"]
    notes = []
    for spot, ways in zip(damaged, _past(mounts, damaged), strict=True):
        lines = _damage_lines(spot.part)[: 1 if sunk and spot.part.kind == "turret" else 2]
        y = ways[0][1] if ways else spot.at[1]
        notes.append(SheetNote(lines, y, (*ways, _edge(spot, 1)), harm=True))
    for spot in mounts:
        if spot.part.destroyed:
            lost = str(text("sheet.lost", name=spot.part.key))
            notes.append(SheetNote((lost,), spot.at[1], (_edge(spot, 1),), harm=True))
    return _kept_apart(notes, plan, size, small, room)


def _past(mounts: Sequence[PartSpot], parts: Sequence[PartSpot]) -> Iterator[tuple[Point, ...]]:
    """How the lines to parts, from top to bottom, pass the mounts beside them without crossing."""
    tall = [(each.at[1] - each.height / 2, each.at[1] + each.height / 2) for each in mounts]
    tall.sort()
    between = [(above[1] + below[0]) / 2 for above, below in pairwise(tall)]
    last = -math.inf
    for part in parts:
        y = part.at[1]
        if not tall or _edge(part, 1)[0] > mounts[0].at[0]:
            yield ()
            continue
        x, half = mounts[0].at[0], MOUNT_WIDTH / 2 + 3
        if y > last and all(not top - 1 < y < bottom + 1 for top, bottom in tall):
            last = y
            yield ((x + half, y),)
            continue
        first, end = tall[0][0] - _LANE, max(tall[-1][1], last) + _LANE
        lanes = [lane for lane in (first, *between, end) if lane > last]
        last = min(lanes, key=lambda lane: abs(lane - y))
        yield (x + half, last), (x - half, last)


def _kept_apart(
    notes: Sequence[SheetNote], plan: ShipLayout, size: float, small: float, room: float
) -> list[SheetNote]:
    """The notes wrapped into lines, without overlaps."""
    fitted = [
        replace(note, lines=tuple(_fitted(note.lines, size, small, room)))
        for note in sorted(notes, key=lambda note: note.y)
    ]
    rooms = [len(note.lines) * _LINE + 4 for note in fitted]
    places = spread([note.y for note in fitted], rooms, (0.0, plan.height))
    return [replace(note, y=place) for note, place in zip(fitted, places, strict=True)]


def _fitted(lines: Sequence[str], size: float, small: float, room: float) -> Iterator[str]:
    for number, row in enumerate(lines):
        face, letters = (Face.SANS_SEMIBOLD, size) if number == 0 else (Face.SANS, small)
        yield from wrap(row, face, letters, room)


def _damage_lines(part: SheetPart) -> tuple[str, ...]:
    """The damage in a strong line, and its consequences in a weaker one."""
    if part.destroyed:
        destroyed = str(text("sheet.destroyed"))
        # The title of a turret is on the other side.
        return (destroyed,) if part.kind == "turret" else (destroyed, words(part.title))
    if part.unit == "quarters" and part.lost:
        lost = boxes_words(part.lost)
        first = str(text("sheet.of", part=lost, whole=boxes_words(part.total)))
        if part.kind != "turret":
            return (first, words(part.title))
        fires = part.details.can_fire
        return (first, str(text("sheet.still_fires")) if fires else words(part.words))
    damage = _damage(part)
    return (damage,) if part.kind in ("turret", "rudder") else (damage, words(part.title))


def _what_is_wrong(part: SheetPart) -> str:
    if part.unit == "quarters" and part.lost and not part.destroyed:
        return str(
            text("sheet.lost_of", part=boxes_words(part.lost), whole=boxes_words(part.total))
        )
    return _damage(part)


def _damage(part: SheetPart) -> str:
    return words(part.words) if part.words else str(text("sheet.lost_word"))


def _turret_lines(part: SheetPart) -> Iterator[str]:
    """The guns and the armour of a turret, which nobody shall take for their calibre."""
    inches = _inches(part.details.armour)
    if part.details.guns:
        yield str(text("sheet.guns", n=part.details.guns))
    if inches:
        yield str(text("sheet.turret_armour", inches=inches))


def _edge(spot: PartSpot, way: int) -> Point:
    """The point where a horizontal line meets a part."""
    x, y = spot.at
    if spot.part.kind == "secondary":
        return (x + way * (MOUNT_WIDTH / 2 + 3), y)
    half = {"turret": max(box_count(spot.part) * 11 + 11, 33), "rudder": 8}.get(spot.part.kind, 43)
    return (x + way * half, y)


def _guns_left(part: SheetPart) -> int:
    if part.destroyed or not part.details.can_fire:
        return 0
    return max(part.details.guns - part.details.jammed_guns, 0)


def _count(key: str, left: int, whole: int) -> Count:
    return Count(str(text(key)), str(left), str(whole), left < whole)


def _inches(value: Inches | tuple[Inches, ...]) -> str:
    """Armour as text: one figure, or one for each range; empty if there is none."""
    each = value if isinstance(value, tuple) else (value,)
    if not any(each):
        return ""
    return "/".join(f"{inches:g}" if inches else "–" for inches in dict.fromkeys(each))
