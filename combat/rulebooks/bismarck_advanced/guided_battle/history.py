"""The past of a battle for maps and reports, from its events."""

from collections.abc import Iterable
from dataclasses import replace

from combat.battle_history import History, Point, SegmentPast, ShipPosition
from combat.events import Departed, Event, Sunk
from combat.guided_play import StepKind
from combat.participants import ShipStatus
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    Corrected,
    FireResolved,
    Moved,
    ShipEntered,
    ShipsArranged,
    SmokeLaid,
    StepBegan,
)
from combat.rulebooks.bismarck_advanced.guided_battle.plots import SPACING_YARDS
from combat.rulebooks.bismarck_advanced.phases import CombatPhase, Segment

_SEGMENTS = (Segment.INITIAL, Segment.SECOND)


def history(events: Iterable[Event]) -> History:
    """Where everybody stood from the beginning on, by true names."""
    start: dict[str, ShipPosition] = {}
    now: dict[str, ShipPosition] = {}
    fronts: list[SmokeLaid] = []
    paths: dict[str, tuple[Point, ...]] = {}
    segments: list[SegmentPast] = []
    for event in events:
        match event:
            case ShipEntered(ship=str() as ship):
                standing = ShipPosition(
                    event.x_yards, event.y_yards, event.heading_deg, event.status
                )
                start[ship] = now[ship] = standing
            case ShipsArranged(ship=str() as ship, target=str() as other):
                start[ship], start[other] = start[other], start[ship]
                now |= {ship: start[ship], other: start[other]}
            case SmokeLaid():
                fronts.append(event)
            case Moved(ship=str() as ship):
                if not paths and segments:
                    # Who was sunk or corrected since the last move is known now.
                    segments[-1] = replace(segments[-1], ships=dict(now))
                paths[ship] = event.path.even_polyline(SPACING_YARDS)
                status = now[ship].status
                now[ship] = ShipPosition(event.x_yards, event.y_yards, event.heading_deg, status)
            case StepBegan(step=StepKind.DESIGNATE):
                segments.append(_segment(event, now, paths, fronts))
                paths = {}
            case _:
                now |= _changed(event, now)
    if segments:
        segments[-1] = replace(segments[-1], ships=dict(now))
    return History(start, tuple(segments))


def _segment(
    began: StepBegan,
    ships: dict[str, ShipPosition],
    paths: dict[str, tuple[Point, ...]],
    fronts: list[SmokeLaid],
) -> SegmentPast:
    phase = CombatPhase.of(began.round_number, _SEGMENTS[began.segment - 1])
    smoke = tuple(
        ((each.x1_yards, each.y1_yards), (each.x2_yards, each.y2_yards))
        for each in fronts
        if each.last >= phase
    )
    return SegmentPast(began.round_number, began.segment, dict(ships), paths, smoke)


def _changed(event: Event, now: dict[str, ShipPosition]) -> dict[str, ShipPosition]:
    """The ships of which an event says what has become of them."""
    match event:
        case FireResolved(sunk=sunk):
            return {ship: replace(now[ship], status=ShipStatus.SUNK) for ship in sunk}
        case Sunk(target=str() as ship):
            return {ship: replace(now[ship], status=ShipStatus.SUNK)}
        case Departed(ship=str() as ship):
            return {ship: replace(now[ship], status=ShipStatus.WITHDRAWN)}
        case Corrected(ship=str() as ship, standing=ShipPosition() as standing):
            return {ship: standing}
    return {}
