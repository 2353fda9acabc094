"""A move as it is made by hand: what to measure off on the table, leg by leg, and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from combat.sides import Sides
from combat.views import MoveLeg, MoveView, ShipView
from tabletop.movement import Path, Straight, Turn
from tabletop.scale import Unit
from tabletop.table import Pose
from web.drawing.figures import Drawing
from web.drawing.move_card import draw_move
from web.strings import figure, text
from web.views.lists import in_words

_STRAIGHT_YARDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg in words, with the sign that the plot has for it."""

    sign: str
    words: str


@dataclass(frozen=True, slots=True)
class MoveCard:
    """What to do with one model."""

    legs: tuple[Leg, ...]
    whole: str
    """Where it ends, from where it stands: ahead, to the side, and its heading."""
    drawing: Drawing | None
    """None for a model that stays where it is."""


def move_card(
    ship: ShipView, move: MoveView, sides: Sides, yards_per_inch: float, unit: Unit
) -> MoveCard | None:
    """The move in inches or millimetres: nobody has a ruler with yards. None if it is sealed."""
    if move.plotted is None:
        return None
    unit = unit if unit is Unit.MM else Unit.INCHES

    def measured(yards: float) -> str:
        return f"{in_words(abs(yards), yards_per_inch, unit)} {text(f'common.short_{unit}')}"

    legs = tuple(Leg(leg.sign, _words(leg, measured(leg.length_yards))) for leg in move.legs)
    end = move.plotted
    ahead, right = ship.pose.offset_to(end.x_yards, end.y_yards)
    heading = f"{round(end.heading_deg) % 360:03d}"
    if not ahead and not right and end.heading_deg == ship.pose.heading_deg:
        return MoveCard(legs, str(text("battle.card_stays", heading=heading)), None)
    way = "straight" if abs(right) < _STRAIGHT_YARDS else "port" if right < 0 else "starboard"
    whole = text(
        f"battle.card_{way}",
        along=text(f"battle.card_{'astern' if ahead < 0 else 'ahead'}", length=measured(ahead)),
        aside=measured(right),
        heading=heading,
    )
    spots = tuple(
        ((pose.x_yards, pose.y_yards), measured(leg.length_yards))
        for leg, pose in zip(move.legs, _ends(ship, move.legs), strict=True)
    )
    drawing = draw_move(ship, sides[ship.side], move.points, end, spots, str(whole))
    return MoveCard(legs, str(whole), drawing)


def _ends(ship: ShipView, legs: Sequence[MoveLeg]) -> Sequence[Pose]:
    steps = (
        Turn(leg.angle_deg, leg.length_yards) if leg.angle_deg else Straight(leg.length_yards)
        for leg in legs
    )
    return Path(ship.pose, tuple(steps)).stations[1:]


def _words(leg: MoveLeg, length: str) -> str:
    if not leg.angle_deg:
        return str(text("battle.leg_ahead", length=length))
    side = "port" if leg.angle_deg < 0 else "starboard"
    case = "turn" if leg.length_yards else "spot"
    degrees = figure(round(abs(leg.angle_deg), 1), "g")
    return str(text(f"battle.leg_{case}_{side}", length=length, degrees=degrees))
