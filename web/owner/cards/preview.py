"""The preview of a card: the ship from above, and her rows of boxes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from markupsafe import Markup

from combat.participants import Ship
from combat.record_sheets import SheetPart
from combat.ships import ShipType
from web.drawing.ship_plan import draw_small
from web.drawing.svg import inline_svg
from web.owner.cards.files import ruleset_with
from web.sides import SideView, side_of
from web.strings import words

MOST_BOXES: Final = 60


@dataclass(frozen=True, slots=True)
class PreviewBox:
    """One box of a row."""

    label: str = ""
    last: bool = False
    """Whether a group of boxes ends with it."""


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A part of the sheet as a row of boxes."""

    title: str
    total: int
    boxes: tuple[PreviewBox, ...]
    """None if there are too many to draw."""


@dataclass(frozen=True, slots=True)
class CardPreview:
    """The record sheet of a card without damage."""

    plan: Markup
    rows: tuple[PreviewRow, ...]
    css: str
    """The class of her side's colour."""


def picture_of(ruleset: str, card: ShipType) -> CardPreview | None:
    """The preview of a card; None if the rulebook has no sheets."""
    found = ruleset_with(ruleset, [card])
    if found.rulebook is None:
        return None
    side, rulebook = side_of(card), found.rulebook(found.tables)
    ship = Ship(card.name, card.name, side.key, card.name)
    sheet = rulebook.record_sheet(ship, rulebook.fresh(ship))
    rows = tuple(_row(part) for part in sheet.parts if part.total > 1)
    return CardPreview(
        inline_svg(draw_small(sheet, side), "small-plan"), rows, SideView.of(side).css
    )


def _row(part: SheetPart) -> PreviewRow:
    boxes = tuple(_boxes(part)) if part.total <= MOST_BOXES else ()
    return PreviewRow(words(part.title), part.total, boxes)


def _boxes(part: SheetPart) -> Iterator[PreviewBox]:
    labels = part.details.labels
    written = len(labels) == part.total
    ends = set(accumulate(part.details.groups))
    for number in range(part.total):
        yield PreviewBox(labels[number] if written else "", number + 1 in ends)
