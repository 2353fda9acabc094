"""The camera's access to the running table."""

from dataclasses import dataclass, field
from typing import Protocol

from calibration.homography import TableSize
from calibration.marker_layout import SHIPS_IN_A_SET, MarkerOrder, PaperSize, tidy_name
from combat.participants import Side
from combat.ships import ShipType
from combat.sides import usual
from tabletop.scale import Scale
from vision.locate import USUAL_TABLE
from web.session import Session
from web.sides import side_of

OTHER_KIND = "other"
"""The kind of ships that no rulebook has."""


@dataclass(frozen=True, slots=True)
class ListedShip:
    """A ship of the table: her name, and the kind that determines her marker's height."""

    name: str
    kind: str
    side: str
    base_mm: tuple[float, float] = (50.8, 20.32)
    """Her base's length and width."""
    ship: ShipType | None = field(default=None, compare=False)
    printed: Side | None = None
    """Her side as printed on her marker; None if unknown."""


class EyesTable(Protocol):
    """The properties of a table that the camera needs."""

    def size(self) -> TableSize:
        """The distances between the corner markers' centres."""

    def ships(self) -> tuple[ListedShip, ...]:
        """The ships that may be on it."""


class SessionTable:
    """The running table, for the camera."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def size(self) -> TableSize:
        """The table's edges are the lines between the corner markers' centres."""
        state = self._session.moment.state
        if not (state.yards_per_inch and state.width_yards and state.height_yards):
            return USUAL_TABLE
        scale = Scale(state.yards_per_inch)
        # Rounded, so that the result does not depend on the unit in which the size was entered.
        return TableSize(
            round(scale.mm_from_yards(state.width_yards), 6),
            round(scale.mm_from_yards(state.height_yards), 6),
        )

    def ships(self) -> tuple[ListedShip, ...]:
        """The ships in the order of the list."""
        moment = self._session.moment
        scale = Scale(moment.state.yards_per_inch or 1.0)
        return tuple(
            ListedShip(
                name,
                str(now.ship.ship_class) if now.ship is not None else OTHER_KIND,
                now.piece.side,
                (
                    round(scale.mm_from_yards(now.piece.length_yards), 3),
                    round(scale.mm_from_yards(now.piece.width_yards), 3),
                ),
                now.ship,
                _printed_side(moment.state.sides[now.piece.side], now.ship),
            )
            for name, now in moment.ships.items()
        )


def _printed_side(side: Side, ship: ShipType | None) -> Side | None:
    """A ship's side; for the side of other nations her nation, if known."""
    if side.key != usual().others:
        return side
    return side_of(ship) if ship else None


def marker_order(ships: tuple[ListedShip, ...], paper: str) -> MarkerOrder:
    """The markers to print for this table: its ships, and blanks to fill a set."""
    names = tuple(tidy_name(ship.name) for ship in ships)
    return MarkerOrder(
        ships=names,
        numbered=max(0, SHIPS_IN_A_SET - len(names)),
        paper=PaperSize[paper.upper()],
    )


def printed_sides(ships: tuple[ListedShip, ...]) -> dict[str, Side]:
    """The sides printed on the markers, by name."""
    return {tidy_name(ship.name): ship.printed for ship in ships if ship.printed}
