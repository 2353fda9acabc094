"""A card as it will look at the table: the ship from above, and her rows of boxes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from markupsafe import Markup

from combat.cards import CardRules
from combat.participants import Ship
from combat.ships import ShipType
from combat.showing import SheetPart
from web.battle.sheet_drawing import draw_small
from web.battle.sheet_ink import as_svg
from web.charts.ships import side_of

_LABELS: Final = ("boxes", "dice")
"""Where a sheet says what stands in the boxes of a part."""
MOST_BOXES: Final = 60


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a row."""

    label: str = ""
    last: bool = False
    """Whether a set of boxes ends with it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the sheet as a row of boxes."""

    title: str
    total: int
    boxes: tuple[Box, ...]
    """None where they are too many to draw."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The record sheet of a card without any mark on it."""

    plan: Markup
    rows: tuple[Row, ...]
    side: str


def picture_of(rules: CardRules[Any], card: ShipType) -> Picture | None:
    """How a card will look; None where the rulebook draws no sheets."""
    ruleset = rules.with_cards([card])
    if ruleset.rulebook is None:
        return None
    side, rulebook = side_of(card).key, ruleset.rulebook(ruleset.tables)
    ship = Ship(card.name, card.name, side, card.name)
    sheet = rulebook.record_sheet(ship, rulebook.fresh(ship))
    rows = tuple(_row(part) for part in sheet.parts if part.total > 1)
    return Picture(as_svg(draw_small(sheet), "small-plan"), rows, side)


def _row(part: SheetPart) -> Row:
    boxes = tuple(_boxes(part)) if part.total <= MOST_BOXES else ()
    return Row(part.title, part.total, boxes)


def _boxes(part: SheetPart) -> Iterator[Box]:
    labels = next((part.details[key] for key in _LABELS if part.details.get(key)), ())
    written = [str(label) for label in labels] if len(labels) == part.total else []
    ends = set(accumulate(part.details.get("groups", ())))
    for number in range(part.total):
        yield Box(written[number] if written else "", number + 1 in ends)
