"""The drawing of a record sheet: the ship from above, with boxes in quarters and damage.

Names of parts are on the left, damage is on the right. It depends on no rulebook: a part is drawn
by its kind, boxes and place.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from combat.participants import Side
from combat.record_sheets import RecordSheet, SheetPart
from web.drawing.figures import Drawing, Figure, Group, Shape, Text, hatched, line, polygon
from web.drawing.fonts import Face, label_width
from web.drawing.geometry import Path, Point, corners, octagon
from web.drawing.sheet_words import (
    SheetNote,
    damage_description,
    is_damaged,
    left_notes,
    right_notes,
    row_label,
    third_words,
)
from web.drawing.ship_layout import (
    BARREL,
    BOX,
    MIDDLE,
    MOUNT_WIDTH,
    WIDTH,
    PartSpot,
    ShipLayout,
    box_count,
    house_height,
    lay_out,
    part_of,
)
from web.drawing.theme import side_colour
from web.strings import text, words

LEFT: Final = 14.0
RIGHT: Final = 284.0
_NOTE, _NOTE_SMALL = 14.0, 13.0
_HULL_BOX: Final = 30.0
_STRONG: Final = Face.SANS_SEMIBOLD


def draw_plan(sheet: RecordSheet, side: Side, *, notes: bool = True) -> Drawing:
    """The ship from above; without notes she is drawn alone, for a small picture."""
    plan = lay_out(sheet, side.shape.hull)
    colour = side_colour(side)
    sunk = sheet.status == "sunk"
    edge, wash = ("harm", "harm_wash") if sunk else (colour, f"{colour}_wash")
    items: list[Figure] = [
        polygon(plan.outline, fill=wash, stroke=edge, width=2),
        polygon(plan.deck, stroke=wash, width=1.4),
    ]
    if notes:
        # Lines to parts are drawn first, below the neighbouring parts.
        items += _notes(sheet, plan)
    if plan.block is not None:
        items += _superstructure(sheet, plan, plan.block)
    else:
        for y in plan.funnels:
            items.append(polygon(octagon((MIDDLE, y), 16, 20, 6), stroke="line_strong"))
    for spot in plan.secondaries:
        items += _mount(spot)
    for spot in plan.turrets:
        items += _turret(spot)
    if plan.rudder is not None:
        items += _rudder(plan.rudder)
    if notes and sunk:
        items += _sunk(plan)
    spoken = text("sheet.spoken", name=sheet.ship, damage=damage_description(sheet))
    return Drawing(WIDTH, plan.height, tuple(items), str(spoken))


def draw_small(sheet: RecordSheet, side: Side) -> Drawing:
    """The ship alone, bow to the left, for a card."""
    plan = draw_plan(sheet, side, notes=False)
    half = lay_out(sheet, side.shape.hull).half_beam + 4
    # Text would be rotated.
    figures = tuple(item for item in plan.items if not isinstance(item, Text))
    turned = Group(figures, at=(0.0, MIDDLE + half), turn_deg=-90.0)
    return Drawing(plan.height, 2 * half, (turned,), plan.spoken)


def draw_hull(sheet: RecordSheet) -> Drawing | None:
    """The row of hull boxes, with the current third; None if there is none."""
    part = part_of(sheet, "hull")
    count = box_count(part) if part else 0
    if part is None or not count:
        return None
    wide = WIDTH - 32
    pitch = min(_HULL_BOX + 2, wide / count)
    size = pitch - 2
    items = [
        item
        for number in range(count)
        for item in _box((number * pitch + 0.5, 1.0), size, part.lost - 4 * number)
    ]
    length = count * pitch - 2
    height = size + 4
    third = part.details.third
    if isinstance(third, int) and count >= 3:
        items += _thirds(length, size + 8, min(third, 2), wide)
        height = size + 30
    return Drawing(wide, height, tuple(items), words(part.words) or str(text("sheet.unharmed")))


def _thirds(length: float, y: float, third: int, wide: float) -> Iterator[Figure]:
    """The thirds of the hull; the current one is always labelled, others if there is room."""
    for number in range(3):
        now = number == third
        start, end = number * length / 3 + 1, (number + 1) * length / 3 - 3
        colour = "brass_ink" if now else "line_strong"
        yield line((start, y), (end, y), colour=colour, width=2.5 if now else 1)
        words = third_words(number, now=now)
        half = label_width(words, _STRONG, 13) / 2
        if not now and (length < wide * 0.8 or half * 2 > end - start - 8):
            continue
        middle = min(max((start + end) / 2, half), wide - half)
        ink = "brass_ink" if now else "ink_3"
        yield Text((middle, y + 16), words, 13, ink, "middle", face=_STRONG if now else Face.SANS)


# Parts


def _superstructure(
    sheet: RecordSheet, plan: ShipLayout, block: tuple[float, float]
) -> Iterator[Figure]:
    top, bottom = block
    boxes = part_of(sheet, "superstructure")
    lost = boxes is not None and boxes.destroyed
    outline = octagon((MIDDLE, (top + bottom) / 2), 80, bottom - top, 11)
    yield polygon(outline, fill="harm_wash" if lost else "raised")
    yield polygon(outline, stroke="harm" if lost else "ink_3", width=1.3)
    for spot in plan.block_parts:
        if spot.part.kind == "superstructure":
            yield from _boxes(spot.part, spot.at, per_row=3)
        else:
            yield from _control(spot)


def _control(spot: PartSpot) -> Iterator[Figure]:
    """The conning tower, director or plotting room: a box with its name."""
    x, y = MIDDLE - 33, spot.at[1] - spot.height / 2
    plate = corners(x, y, 66, spot.height)
    words = row_label(spot.part)
    if is_damaged(spot.part):
        yield from hatched(plate, "harm")
        wide = min(label_width(words, _STRONG, 13) + 8, 62)
        yield polygon(corners(MIDDLE - wide / 2, y + 3, wide, spot.height - 6), fill="surface")
    else:
        yield polygon(plate, fill="surface", stroke="line_strong")
    yield Text((MIDDLE, spot.at[1] + 4.5), words, 13, anchor="middle", face=_STRONG)


def _mount(spot: PartSpot) -> Iterator[Figure]:
    outline = octagon(spot.at, MOUNT_WIDTH, spot.height, 6)
    if spot.part.destroyed:
        yield from hatched(outline, "harm")
        x, y = spot.at
        yield polygon(corners(x - 10, y - 8.5, 20, 17), fill="surface")
    else:
        yield polygon(outline, fill="raised", stroke="ink_3", width=1.3)
    yield Text((spot.at[0], spot.at[1] + 4.5), spot.part.key, 13, anchor="middle", face=_STRONG)


def _turret(spot: PartSpot) -> Iterator[Figure]:
    """The house with its boxes; barrels point where the turret can fire."""
    part, (x, y) = spot.part, spot.at
    guns = part.details.guns
    tall = house_height(part)
    way = -1.0 if spot.forward else 1.0
    dead = part.destroyed or not part.details.can_fire
    muzzle, root = y + way * (tall / 2 + BARREL), y + way * (tall / 2 - 2)
    jammed = part.details.jammed_guns
    for number, offset in enumerate(_abreast(guns)):
        barrel = (x + offset, root), (x + offset, muzzle)
        if dead or number < jammed:
            yield line(*barrel, colour="harm", width=3, dashes=(3, 3))
        else:
            barrel_path = Path().polyline(barrel)
            yield Shape(barrel_path, stroke="ink_2", width=4.5, round_ends=False)
    count = box_count(part)
    half = max(count * (BOX + 2) / 2 + 8, 30.0)
    house = (
        (x - half + 9, y + way * tall / 2),
        (x + half - 9, y + way * tall / 2),
        (x + half, y),
        (x + half - 6, y - way * tall / 2),
        (x - half + 6, y - way * tall / 2),
        (x - half, y),
    )
    yield polygon(
        house,
        fill="harm_wash" if dead else "raised",
        stroke="harm" if dead else "ink_3",
        width=1.4,
    )
    if not count:
        yield Text((x, y + 4.5), part.key, 13, anchor="middle", face=_STRONG)
        return
    yield from _boxes(part, (x, y), per_row=count)
    if part.destroyed:
        left, right = x - count * (BOX + 2) / 2, x + count * (BOX + 2) / 2
        for start, end in ((y - BOX / 2, y + BOX / 2), (y + BOX / 2, y - BOX / 2)):
            yield line((left, start), (right, end), colour="ink", width=2)


def _rudder(spot: PartSpot) -> Iterator[Figure]:
    x, y = spot.at
    blade = (x - 5, y - 10), (x + 5, y - 10), (x + 3, y + 10), (x - 3, y + 10)
    if is_damaged(spot.part):
        yield from hatched(blade, "harm")
    else:
        yield polygon(blade, fill="raised", stroke="ink_3", width=1.3)


def _boxes(part: SheetPart, centre: Point, per_row: int) -> Iterator[Figure]:
    """All boxes of a part about a centre; lost ones are struck out."""
    count = box_count(part)
    rows = -(-count // per_row)
    step = BOX + 2
    top = centre[1] - (rows * step - 2) / 2
    for number in range(count):
        row, place = divmod(number, per_row)
        across = min(per_row, count) * step - 2
        at = (centre[0] - across / 2 + place * step, top + row * step)
        yield from _box(at, BOX, part.lost - 4 * number)


def _box(at: Point, size: float, lost: int) -> Iterator[Figure]:
    """One box in quarters, some of them lost."""
    x, y = at
    half = size / 2
    if lost >= 4:
        yield from hatched(corners(x, y, size, size))
    else:
        for quarter in range(max(lost, 0)):
            row, place = divmod(quarter, 2)
            yield from hatched(corners(x + place * half, y + row * half, half, half))
    cross = Path().move(x + half, y).line(x + half, y + size)
    cross = cross.move(x, y + half).line(x + size, y + half)
    yield Shape(cross, stroke="ink_3", width=0.8, round_ends=False)
    yield polygon(corners(x, y, size, size), stroke="ink_2", width=1)


def _abreast(guns: int) -> Sequence[float]:
    """The offsets of barrels beside each other."""
    pitch = {1: 0.0, 2: 22.0, 3: 16.0}.get(guns, 12.0)
    shown = min(guns, 4)
    return [(number - (shown - 1) / 2) * pitch for number in range(shown)]


# Notes


def _notes(sheet: RecordSheet, plan: ShipLayout) -> Iterator[Figure]:
    for note in left_notes(sheet, plan, _NOTE, _NOTE_SMALL, RIGHT):
        yield from _note(note, at_left=True)
    for note in right_notes(
        plan, _NOTE, _NOTE_SMALL, WIDTH - RIGHT - 4, sunk=sheet.status == "sunk"
    ):
        yield from _note(note, at_left=False)


def _note(note: SheetNote, *, at_left: bool) -> Iterator[Figure]:
    x = LEFT if at_left else RIGHT
    colour = "harm" if note.harm else "line_strong"
    if note.line:
        wide = max(
            label_width(words, _STRONG if number == 0 else Face.SANS, _NOTE)
            for number, words in enumerate(note.lines)
        )
        start = (x + min(wide, 88) + 6, note.y) if at_left else (x - 6, note.y)
        elbow = (start[0] + 6, note.y) if at_left else (x - 12, note.y)
        yield line(start, elbow, *note.line, colour=colour)
    top = note.y - (len(note.lines) - 1) * 8.5
    for number, row in enumerate(note.lines):
        strong = number == 0
        ink = ("harm" if strong else "ink_2") if note.harm else ("ink" if strong else "ink_3")
        size = _NOTE if strong else _NOTE_SMALL
        yield Text(
            (x, top + number * 17 + 4.5),
            row,
            size,
            ink,
            face=_STRONG if strong and note.harm else Face.SANS,
        )


def _sunk(plan: ShipLayout) -> Iterator[Figure]:
    """The text across a sunk ship."""
    words = str(text("sheet.sunk")).upper()
    y = plan.height * 0.09
    wide = label_width(words, _STRONG, 20) + 22
    yield polygon(
        corners(MIDDLE - wide / 2, y - 17, wide, 34), fill="surface", stroke="harm", width=2
    )
    yield Text((MIDDLE, y + 7), words, 20, "harm", "middle", face=_STRONG)
