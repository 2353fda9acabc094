"""The Movement Phase: limits of a move, the speed marker, and forbidden places.

Lengths are yards on the table; distances between ships are those of the survey, so that bases in
contact are 1,000 yards apart.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from combat.formations import Distance
from combat.modifiers import Ledger, Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.grand_fleets.table_files import MARKERS, YARDS_A_KYD, Marker, figure
from combat.rulebooks.grand_fleets.vessel import Vessel
from combat.tables import TableSet
from combat.views import DraftFault
from tabletop.messages import Message, ShipRef
from tabletop.table import Model, Pose

Point = tuple[float, float]
HEADING_TOLERANCE_DEG: Final = 3.0
"""A heading that differs by less is not a turn, because models are placed by hand."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a ship may move, with the steps of the calculation."""

    yards: int
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Run:
    """A move as it was made."""

    yards: float
    turned: bool
    off_yards: float
    """The distance from where such a move could have ended: a nudge, or a sideslip."""
    ahead_yards: float = 0.0
    """The distance before the turn; all of it if she did not turn."""


@dataclass(frozen=True, slots=True)
class OtherShip:
    """Another ship on the table."""

    model: Model
    side: str
    division: str
    in_command: bool


def limit_of(ship: Vessel, last_marker: str, tables: TableSet, *, turned: bool) -> Limit:
    """The farthest move: her speed, halved rounded up for a turn, limited by her last marker."""
    speed = ship.speed_kyds * YARDS_A_KYD
    known = ship.card.provenance("speed")
    box = Message("grand_fleets.modifier.speed_box")
    lines = [Modifier("speed", speed, box, "The Movement Phase", known)]
    if turned:
        halved = (ship.speed_kyds + 1) // 2 * YARDS_A_KYD
        half = Message("grand_fleets.modifier.half_speed")
        lines.append(Modifier("turn", halved - speed, half, "Turning", known))
    yards = sum(line.value for line in lines)
    acceleration = tables["acceleration"]
    if last_marker in acceleration.rows:
        cell = acceleration.cell(last_marker, "turning" if turned else "straight")
        held = min(0, int(cell.value) - yards)
        after = Message(
            "grand_fleets.modifier.after_marker",
            yards=int(cell.value),
            marker=Message(f"grand_fleets.marker.{last_marker}"),
        )
        lines.append(Modifier("marker", held, after, cell.reference, cell.provenance))
    ledger = Ledger(tuple(lines))
    return Limit(ledger.total, ledger)


def check_move(
    ship: Vessel, yards: int, last_marker: str, tables: TableSet, *, turned: bool
) -> Limit:
    """The limit of a move. Raises Forbidden if the move exceeds it."""
    ship.refuse_out_of_the_game("The Movement Phase")
    limit = limit_of(ship, last_marker, tables, turned=turned)
    least = figure(tables, "least move with a turn, yards")
    if turned and limit.yards < least:
        raise Forbidden(
            Message(
                "grand_fleets.refused.cannot_turn", ship=ship.ref, least=least, most=limit.yards
            ),
            "Turning",
        )
    if yards > limit.yards:
        rule = limit.ledger.modifiers[-1].reference
        raise Forbidden(
            Message("grand_fleets.refused.too_far", ship=ship.ref, most=limit.yards, yards=yards),
            rule,
        )
    if turned and yards < least:
        raise Forbidden(
            Message("grand_fleets.refused.too_short_a_turn", least=least, yards=yards), "Turning"
        )
    return limit


def marker_after(yards: int, tables: TableSet) -> Marker:
    """The speed marker of a move, by its band."""
    table = tables["speed_markers"]
    return max(
        (name for name in MARKERS if table.integer(name, "least_yards") <= yards),
        key=lambda name: table.integer(name, "least_yards"),
    )


def provenance_of(limit: Limit) -> Provenance:
    """The provenance of a limit."""
    return Provenance.worst(line.provenance for line in limit.ledger)


def swing_between(start: Pose, end: Pose) -> float:
    """By how many degrees the heading has changed, either way."""
    return abs(math.remainder(end.heading_deg - start.heading_deg, 360.0))


def run_between(start: Pose, end: Pose, *, turned: bool | None = None) -> Run:
    """The move between two poses: straight ahead, one turn, straight ahead.

    Whether she has turned is read from her headings unless it is given.
    """
    ahead, right = start.offset_to(end.x_yards, end.y_yards)
    swing = math.radians(end.heading_deg - start.heading_deg)
    if turned is None:
        turned = swing_between(start, end) > HEADING_TOLERANCE_DEG
    cosine, sine = math.cos(swing), math.sin(swing)
    # Along the old heading, then along the new one; both lengths are at least 0.
    first, second = max(0.0, ahead), 0.0
    if turned and abs(sine) > math.sin(math.radians(HEADING_TOLERANCE_DEG)):
        second = max(0.0, right / sine)
        first = max(0.0, ahead - second * cosine)
        if not first:
            second = max(0.0, ahead * cosine + right * sine)
    elif turned:
        second = max(0.0, -ahead)
    off = math.hypot(ahead - first - second * cosine, right - second * sine)
    return Run(first + second, turned, off, first)


def passing_faults(
    path: Sequence[Point], side: str, others: Sequence[OtherShip]
) -> Iterator[DraftFault]:
    """What a path may not cross: an enemy in command, or the gap between two of one division."""
    enemies = [each for each in others if each.side != side and each.in_command]
    legs, start = list(pairwise(path)), (path[0], path[0])
    for enemy in enemies:
        # Whoever stands on a model already goes away from it, or stays (decided).
        if _crosses_base(start, enemy.model):
            continue
        if any(_crosses_base(leg, enemy.model) for leg in legs):
            through = Message("grand_fleets.fault.through", ship=ShipRef(enemy.model.name))
            yield DraftFault("path", through, "Stacking")
    for number, first in enumerate(enemies):
        for second in enemies[number + 1 :]:
            if first.division == second.division and any(
                _legs_cross(leg, (_place(first.model), _place(second.model))) for leg in legs
            ):
                between = Message(
                    "grand_fleets.fault.between",
                    ship=ShipRef(first.model.name),
                    other=ShipRef(second.model.name),
                )
                yield DraftFault("path", between, "Stacking")


def nudge_faults(yards: float, tables: TableSet, *, overlapped: bool) -> Iterator[DraftFault]:
    """A ship may be shifted off another's model at the end of her move, by half a kyd."""
    most = figure(tables, "nudge off another model, yards")
    if yards and not overlapped:
        yield DraftFault("nudge", Message("grand_fleets.fault.no_overlap"), "Stacking")
    if yards > most:
        too_far = Message("grand_fleets.fault.nudge", most=most, yards=yards)
        yield DraftFault("nudge", too_far, "Stacking")


def placing_faults(
    placed: Sequence[Model],
    speed_kyds: int,
    distance: Distance,
    tables: TableSet,
    *,
    depth: Callable[[Model], float],
) -> Iterator[DraftFault]:
    """The faults of a division's placement, flagship first, in the order of placing.

    `depth` is a model's distance from the owner's edge of the table.
    """
    rule, reach = "First Movement Phase", figure(tables, "placing distance, yards")
    flagship, *others = placed
    if depth(flagship) > speed_kyds * YARDS_A_KYD:
        far = Message(
            "grand_fleets.fault.far_from_edge", ship=ShipRef(flagship.name), kyds=speed_kyds
        )
        yield DraftFault(flagship.name, far, rule)
    for number, ship in enumerate(others, start=1):
        # The second ship is placed near the flagship, every later one near any before her.
        if all(distance(ship.name, other.name) > reach for other in placed[:number]):
            far = Message(
                "grand_fleets.fault.far_from_others", ship=ShipRef(ship.name), yards=reach
            )
            yield DraftFault(ship.name, far, rule)
        if depth(ship) > depth(flagship):
            ahead = Message(
                "grand_fleets.fault.ahead",
                ship=ShipRef(ship.name),
                flagship=ShipRef(flagship.name),
            )
            yield DraftFault(ship.name, ahead, rule)


def _place(model: Model) -> Point:
    return model.pose.x_yards, model.pose.y_yards


def _crosses_base(leg: tuple[Point, Point], model: Model) -> bool:
    """Whether a leg enters a base, by clipping against its two pairs of sides."""
    (start_a, start_r), (end_a, end_r) = (model.pose.offset_to(*point) for point in leg)
    enter, leave = 0.0, 1.0
    for start, end, half in (
        (start_a, end_a, model.base.length_yards / 2),
        (start_r, end_r, model.base.width_yards / 2),
    ):
        if start == end:
            if abs(start) >= half:
                return False
            continue
        first, second = sorted(((-half - start) / (end - start), (half - start) / (end - start)))
        enter, leave = max(enter, first), min(leave, second)
    return enter < leave


def _legs_cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    return _sides(one, other) and _sides(other, one)


def _sides(line: tuple[Point, Point], points: tuple[Point, Point]) -> bool:
    """Whether two points are on different sides of a line."""
    (x1, y1), (x2, y2) = line
    first, second = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in points)
    return (first < 0 < second) or (second < 0 < first)
