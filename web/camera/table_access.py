"""The camera's access to the running table."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from calibration.homography import USUAL_TABLE, TableSize
from calibration.marker_layout import SHIPS_IN_A_SET, MarkerOrder, PaperSize, tidy_name
from calibration.model_pieces import CodePlace, MarkerForm, MarkerPaint, ModelScale
from combat.sides import usual
from tabletop.scale import Scale
from web.camera.model_markers import length_of, usual_code_mm
from web.sides import side_of

if TYPE_CHECKING:
    from combat.participants import Side
    from combat.ships import ShipType
    from web.session import Session

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
    ship: "ShipType | None" = field(default=None, compare=False)
    printed: "Side | None" = None
    """Her side as printed on her marker; None if unknown."""


class EyesTable(Protocol):
    """The properties of a table that the camera needs."""

    def size(self) -> TableSize:
        """The distances between the corner markers' centres."""

    def ships(self) -> tuple[ListedShip, ...]:
        """The ships that may be on it."""


class SessionTable:
    """The running table, for the camera."""

    def __init__(self, session: "Session") -> None:
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


def _printed_side(side: "Side", ship: "ShipType | None") -> "Side | None":
    """A ship's side; for the side of other nations her nation, if known."""
    if side.key != usual().others:
        return side
    return side_of(ship) if ship else None


@dataclass(frozen=True, slots=True)
class PrintChoice:
    """What the host chose to print for the table."""

    paper: str = "a4"
    form: MarkerForm = MarkerForm.COUNTER
    paint: MarkerPaint = MarkerPaint.WHITE
    scale: ModelScale = ModelScale.S2400
    code: CodePlace = CodePlace.BEHIND
    tag_mm: float | None = None
    """The size of the ships' codes; None is what is usual for the form."""
    hidden: bool = False
    dummies: int = 0
    anchors: int = 0
    seed: int = 0
    """The deal of hidden names."""

    @property
    def code_mm(self) -> float:
        """The size of the ships' codes."""
        return usual_code_mm(self.form, self.scale) if self.tag_mm is None else self.tag_mm


def marker_order(ships: tuple[ListedShip, ...], choice: PrintChoice) -> MarkerOrder:
    """The markers to print for this table: its ships, and blanks to fill a set of counters."""
    names = tuple(tidy_name(ship.name) for ship in ships)
    fills = choice.form in (MarkerForm.COUNTER, MarkerForm.PLATE) and not choice.hidden
    counters = choice.form is MarkerForm.COUNTER
    return MarkerOrder(
        ships=names,
        numbered=max(0, SHIPS_IN_A_SET - len(names)) if fills else 0,
        hidden=choice.hidden,
        paper=PaperSize[choice.paper.upper()],
        tag_mm=choice.code_mm,
        form=choice.form,
        paint=MarkerPaint.WHITE if counters else choice.paint,
        scale=choice.scale,
        code=choice.code,
        lengths_m=tuple(
            (tidy_name(ship.name), length_of(ship.ship)) for ship in ships if ship.ship is not None
        ),
        dummies=choice.dummies,
        anchors=choice.anchors,
    )


def printed_sides(ships: tuple[ListedShip, ...]) -> dict[str, "Side"]:
    """The sides printed on the markers, by name."""
    return {tidy_name(ship.name): ship.printed for ship in ships if ship.printed}
