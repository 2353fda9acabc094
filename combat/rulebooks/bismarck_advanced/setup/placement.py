"""The attackers' places at the start of a battle: checked and proposed (55.26–55.27)."""

import math
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Final, NamedTuple

from combat.rulebooks.bismarck_advanced.movement.handling import MOVEMENT, MovementRules
from combat.rulebooks.bismarck_advanced.setup.formation import (
    ILLEGAL,
    LEGAL,
    Finding,
    FormationCheck,
    arrange,
)
from tabletop.angles import forward, wrap_180, wrap_360
from tabletop.arcs import CLOCKWISE, Arcs, Quadrant
from tabletop.closecall import (
    CLOSE_CALL_SIGMAS,
    TOLERANCE_DEG,
    TOLERANCE_YARDS,
    CloseCall,
    CloseCallKind,
)
from tabletop.errors import DreyerError
from tabletop.measure import Measurement, measure
from tabletop.messages import Message, ShipRef
from tabletop.table import Model, Pose

_RANGE: Final = "55.261"
_QUADRANT: Final = "55.262"
_ATTACKERS: Final = "55.27"
_FAN_STEP_DEG: Final = 5.0
"""The step of bearings with which a quadrant is searched for room."""


def check_placement(
    attackers: Sequence[Model],
    defenders: Sequence[Model],
    range_yards: float,
    quadrant: Quadrant,
    *,
    arcs: Arcs | None = None,
    rules: MovementRules = MOVEMENT,
) -> FormationCheck:
    """Check the attackers' places against the range, the quadrant and a common heading.

    The range is between the closest two enemies (55.261), and the quadrant is that of the defender
    of those two (55.262). If several defenders are equally close, within the placing tolerance, the
    attackers may choose. Formations are checked separately (`formation`).
    """
    if not attackers or not defenders:
        raise DreyerError("advanced.setup.two_sides")
    apart = {
        (attacker.name, defender.name): measure(defender, attacker)
        for attacker, defender in product(attackers, defenders)
    }
    found = [
        *_range_findings(apart, range_yards, rules.placing_tolerance_yards),
        *_heading_findings(attackers, rules),
    ]
    by_guide = [
        list(_quadrant_findings(attackers, guide, apart, quadrant, arcs or Arcs()))
        for guide in _closest_defenders(defenders, apart, rules.placing_tolerance_yards)
    ]
    found += min(by_guide, key=lambda findings: sum(f.close_call is None for f in findings))
    return FormationCheck(
        faults=tuple(finding for finding in found if finding.close_call is None),
        close_calls=tuple(finding for finding in found if finding.close_call is not None),
    )


def propose_placement(
    columns: Sequence[Sequence[str]],
    defenders: Sequence[Model],
    range_yards: float,
    quadrant: Quadrant,
    *,
    heading_deg: float | None = None,
    arcs: Arcs | None = None,
    rules: MovementRules = MOVEMENT,
) -> dict[str, Pose]:
    """Legal places for columns of attackers, as near as possible to the middle of the quadrant.

    The columns have names, lead ships first, and are arranged by `formation.arrange`. Without a
    heading the attackers head for the defenders.
    """
    if not defenders:
        raise DreyerError("advanced.setup.defenders_first")
    arcs = arcs or Arcs()
    for defender, relative_deg in product(defenders, _fan(quadrant, arcs)):
        bearing_deg = defender.pose.heading_deg + relative_deg
        heading = bearing_deg + 180.0 if heading_deg is None else heading_deg
        lead = Pose(defender.pose.x_yards, defender.pose.y_yards, heading)
        poses = arrange(columns, lead, rules=rules)
        outward_yards = _slide(list(poses.values()), defenders, bearing_deg, range_yards)
        x, y = forward(bearing_deg)
        placed = {
            name: Pose(pose.x_yards + outward_yards * x, pose.y_yards + outward_yards * y, heading)
            for name, pose in poses.items()
        }
        models = [Model(name, pose, defender.base) for name, pose in placed.items()]
        check = check_placement(models, defenders, range_yards, quadrant, arcs=arcs, rules=rules)
        if check.legal:
            return placed
    raise DreyerError(
        "advanced.setup.no_room",
        range_yards=range_yards,
        quadrant=Message(f"advanced.quadrant.{quadrant}"),
        rule=_ATTACKERS,
    )


def _range_findings(
    apart: dict[tuple[str, str], Measurement], range_yards: float, tolerance_yards: float
) -> Iterator[Finding]:
    """55.27: no attacker closer than the range; 55.261: the closest pair at it.

    An attacker is told once how close she is: to the defender that is closest to her.
    """
    by_range = sorted(apart.items(), key=lambda item: item[1].range_yards)
    ships, nearest = by_range[0]
    readings = [
        (_ATTACKERS, pair, measured, range_yards - measured.range_yards)
        for pair, measured in by_range
    ]
    readings.append((_RANGE, ships, nearest, nearest.range_yards - range_yards))
    told: dict[tuple[str, str], Finding] = {}
    for rule, (attacker, defender), measured, excess in readings:
        judged = _judge(
            CloseCallKind.RANGE, range_yards, excess - tolerance_yards, measured.range_sigma_yards
        )
        before = told.get((rule, attacker))
        # A fault takes the place of a close call with a defender who is closer.
        if not judged.found or (before and (before.close_call is None or judged.call)):
            continue
        case = "too_close" if rule == _ATTACKERS else "too_far"
        why = Message(
            f"advanced.placement.{case}",
            first=ShipRef(attacker),
            second=ShipRef(defender),
            measured_yards=measured.range_yards,
            range_yards=range_yards,
            rule=rule,
        )
        told[rule, attacker] = Finding(
            rule, (attacker, defender), measured.range_yards, range_yards, why, judged.call
        )
    yield from told.values()


def _closest_defenders(
    defenders: Sequence[Model],
    apart: dict[tuple[str, str], Measurement],
    tolerance_yards: float,
) -> list[Model]:
    nearest = {
        defender.name: min(
            measured.range_yards for (_, name), measured in apart.items() if name == defender.name
        )
        for defender in defenders
    }
    closest = min(nearest.values())
    return [d for d in defenders if nearest[d.name] <= closest + tolerance_yards]


def _quadrant_findings(
    attackers: Sequence[Model],
    guide: Model,
    apart: dict[tuple[str, str], Measurement],
    quadrant: Quadrant,
    arcs: Arcs,
) -> Iterator[Finding]:
    first_deg, last_deg = _span(quadrant, arcs)
    middle_deg, half_deg = (first_deg + last_deg) / 2, (last_deg - first_deg) / 2
    for attacker in attackers:
        measured = apart[attacker.name, guide.name]
        bearing_deg, sigma_deg = measured.relative_bearing_deg, measured.relative_bearing_sigma_deg
        if bearing_deg is None or sigma_deg is None:
            continue  # On one spot with a defender: the range check reports it.
        # Ships set up between the lines (55.262), so a bearing on a line is in either quadrant.
        aside_deg = wrap_180(bearing_deg - middle_deg)
        line_deg = wrap_360(last_deg if aside_deg > 0 else first_deg)
        judged = _judge(CloseCallKind.QUADRANT, line_deg, abs(aside_deg) - half_deg, sigma_deg)
        if judged.found:
            why = Message(
                "advanced.placement.quadrant",
                ship=ShipRef(attacker.name),
                guide=ShipRef(guide.name),
                bearing_deg=bearing_deg,
                quadrant=Message(f"advanced.quadrant.{quadrant}"),
                first_deg=wrap_360(first_deg),
                last_deg=last_deg,
                rule=f"{_QUADRANT}, {_ATTACKERS}",
            )
            ships = attacker.name, guide.name
            yield Finding(_QUADRANT, ships, bearing_deg, line_deg, why, judged.call)


def _heading_findings(attackers: Sequence[Model], rules: MovementRules) -> Iterator[Finding]:
    guide, *others = attackers
    limit_deg = rules.heading_tolerance_deg
    for ship in others:
        off_deg = abs(wrap_180(ship.pose.heading_deg - guide.pose.heading_deg))
        sigma_deg = math.hypot(ship.pose.heading_sigma_deg, guide.pose.heading_sigma_deg)
        judged = _judge(CloseCallKind.ASPECT, limit_deg, off_deg - limit_deg, sigma_deg)
        if judged.found:
            why = Message(
                "advanced.placement.headings",
                first=ShipRef(guide.name),
                second=ShipRef(ship.name),
                off_deg=off_deg,
                rule=_ATTACKERS,
            )
            ships = guide.name, ship.name
            yield Finding(_ATTACKERS, ships, off_deg, limit_deg, why, judged.call)


class _Judged(NamedTuple):
    """Whether a limit is exceeded or too close to call, with the close call."""

    found: bool
    call: CloseCall | None = None


def _judge(what: CloseCallKind, limit: float, excess: float, sigma: float) -> _Judged:
    rounding = TOLERANCE_YARDS if what is CloseCallKind.RANGE else TOLERANCE_DEG
    doubt = CLOSE_CALL_SIGMAS * sigma
    if excess < -doubt or (not doubt and excess <= rounding):
        return _Judged(False)
    if excess > doubt + rounding:
        return _Judged(True)
    readings = (ILLEGAL, LEGAL) if excess > 0 else (LEGAL, ILLEGAL)
    return _Judged(True, CloseCall(what, limit, readings, abs(excess)))


def _span(quadrant: Quadrant, arcs: Arcs) -> tuple[float, float]:
    """The relative bearings of a quadrant's limits, clockwise."""
    lines, number = arcs.lines_deg, CLOCKWISE.index(quadrant)
    first_deg, last_deg = lines[number - 1], lines[number]
    return (first_deg - 360.0 if first_deg > last_deg else first_deg), last_deg


def _fan(quadrant: Quadrant, arcs: Arcs) -> list[float]:
    """Relative bearings of a quadrant, from its middle outwards to alternate sides."""
    first_deg, last_deg = _span(quadrant, arcs)
    middle_deg, steps = (first_deg + last_deg) / 2, int((last_deg - first_deg) / 2 / _FAN_STEP_DEG)
    offsets = chain((0,), chain.from_iterable((-k, k) for k in range(1, steps + 1)))
    return [middle_deg + offset * _FAN_STEP_DEG for offset in offsets]


def _slide(
    poses: Sequence[Pose], defenders: Sequence[Model], bearing_deg: float, range_yards: float
) -> float:
    """How far a formation must move along a bearing until its closest pair is at a range.

    Each pair reaches that range, for the last time, at the larger root of a quadratic equation; the
    largest of all leaves every pair at the range or beyond, and one exactly at it.
    """
    x, y = forward(bearing_deg)
    slides = []
    for pose, defender in product(poses, defenders):
        dx, dy = pose.x_yards - defender.pose.x_yards, pose.y_yards - defender.pose.y_yards
        along, across = dx * x + dy * y, dx * y - dy * x
        if abs(across) <= range_yards:
            slides.append(math.sqrt(range_yards**2 - across**2) - along)
    # The lead ship starts at the place of a defender, so there is at least one pair.
    return max(slides)
