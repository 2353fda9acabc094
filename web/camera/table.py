"""What the camera needs to know of the running table, and the one thing it changes there."""

from dataclasses import dataclass, field
from typing import Protocol

from calibration.homography import INCH_MM, TableSize
from calibration.sheets import SHIPS_IN_A_SET, PaperSize, SheetOrder, ShipToPrint, ship_to_print
from combat.ships import Ship
from tabletop.scale import Scale
from tabletop.table import Pose
from vision.locate import USUAL_TABLE
from web.cli.sheets import side_to_print
from web.session import Session
from web.table.actions import NewShip, OpenTable
from web.table.state import TableState

OTHER_KIND = "other"
"""The base type of ships that no rulebook knows."""


@dataclass(frozen=True, slots=True)
class RollShip:
    """A ship of the table: her name, and the kind that says how high her marker is."""

    name: str
    kind: str
    side: str
    base_mm: tuple[float, float] = (50.8, 20.32)
    """Her base's length and width."""
    ship: Ship | None = field(default=None, compare=False)


class EyesTable(Protocol):
    """A table for the eyes."""

    def size(self) -> TableSize:
        """The distances between the corner markers' centres."""

    def roll(self) -> tuple[RollShip, ...]:
        """The ships that may stand on it."""


class SessionTable:
    """The running table as the eyes see it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def size(self) -> TableSize:
        """The table's edges are the lines between the corner markers' centres."""
        state = self._session.moment.state
        if not (state.yards_per_inch and state.width_yards and state.height_yards):
            return USUAL_TABLE
        per_mm = state.yards_per_inch / INCH_MM
        # Rounded, since the same size must come out the same however it was entered.
        return TableSize(
            round(state.width_yards / per_mm, 6), round(state.height_yards / per_mm, 6)
        )

    def roll(self) -> tuple[RollShip, ...]:
        """The ships in the order of the list."""
        moment = self._session.moment
        per_mm = (moment.state.yards_per_inch or 1.0) / INCH_MM
        return tuple(
            RollShip(
                name,
                str(now.ship.ship_class) if now.ship is not None else OTHER_KIND,
                now.piece.side,
                (
                    round(now.piece.length_yards / per_mm, 3),
                    round(now.piece.width_yards / per_mm, 3),
                ),
                now.ship,
            )
            for name, now in moment.ships.items()
        )


def sheet_order(roll: tuple[RollShip, ...], paper: str) -> SheetOrder:
    """What to print for this table: its ships, and blank numbered markers to make up a set."""
    ships: tuple[ShipToPrint, ...] = tuple(
        ship_to_print(ship.name, side_to_print(ship.ship)) for ship in roll
    )
    return SheetOrder(
        ships=ships,
        numbered=max(0, SHIPS_IN_A_SET - len(ships)),
        paper=PaperSize[paper.upper()],
    )


def relaid(
    state: TableState,
    *,
    width_inches: float | None = None,
    height_inches: float | None = None,
    yards_per_inch: float | None = None,
) -> OpenTable | None:
    """The same table with another size or scale, its ships where they stand on it; None if same.

    Ships stand somewhere in inches, so with another scale their yards change.
    """
    old = Scale(state.yards_per_inch)
    new = Scale(yards_per_inch or state.yards_per_inch)
    width = width_inches or state.width_yards / old.yards_per_inch
    height = height_inches or state.height_yards / old.yards_per_inch
    factor = new.yards_per_inch / old.yards_per_inch
    same = (
        abs(factor - 1) < 1e-9
        and abs(width * old.yards_per_inch - state.width_yards) < 1e-3
        and abs(height * old.yards_per_inch - state.height_yards) < 1e-3
    )
    if same:
        return None
    return OpenTable(
        title=state.title,
        ruleset=state.ruleset,
        yards_per_inch=new.yards_per_inch,
        width_inches=width,
        height_inches=height,
        ships=tuple(
            NewShip(
                piece.name,
                piece.type,
                piece.side,
                piece.size,
                _scaled(piece.placement.pose, factor) if piece.placement else None,
                (
                    piece.length_yards * factor,
                    piece.width_yards * factor,
                    piece.bridge_yards * factor,
                ),
            )
            for piece in state.pieces.values()
        ),
        smoke=tuple(
            (
                front.front.x1_yards * factor,
                front.front.y1_yards * factor,
                front.front.x2_yards * factor,
                front.front.y2_yards * factor,
            )
            for front in state.smoke
        ),
    )


def _scaled(pose: Pose, factor: float) -> Pose:
    return Pose(
        pose.x_yards * factor,
        pose.y_yards * factor,
        pose.heading_deg,
        pose.position_sigma_yards * factor,
        pose.heading_sigma_deg,
    )
