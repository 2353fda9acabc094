"""A battle told segment by segment, for logs, reports and the golden duel."""

from collections.abc import Iterator

from combat.previews import Line
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import PhaseReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveReport
from combat.rulebooks.bismarck_advanced.fire.fire_report import describe_hit
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.phases import Segment
from tabletop.survey import Survey

_SEGMENTS = {Segment.INITIAL: "first segment", Segment.SECOND: "second segment"}


def tell_move(moved: Engagement, report: MoveReport, seen: Survey) -> Iterator[Line]:
    """Who stands where after a move: speeds, ranges between enemies, collisions."""
    yield Line(f"Round {moved.round_number}, {_SEGMENTS[moved.segment]}")
    for ship in moved.in_action:
        enemies = [enemy.name for enemy in moved.enemies_of(ship)]
        checks = sorted((seen[ship.name, enemy] for enemy in enemies), key=lambda c: c.range_yards)
        sights = ", ".join(
            f"{c.target} {c.range_yards:,.0f} yd {c.quadrant}{' (blocked)' * c.blocked}"
            for c in checks
        )
        yield Line(f"{ship.name}, speed {ship.speed}: {sights}", "56.2", 1)
    for clash in report.collisions:
        if clash.collided:
            yield Line(f"{clash.first} and {clash.second} collide: speed halved", "59.1", 1)


def tell_phase(report: PhaseReport) -> Iterator[Line]:
    """What came of a combat phase, fire by fire."""
    for jam in report.jams:
        if jam.guns:
            yield Line(f"{jam.ship} rolls {jam.dice}: {jam.words}", jam.rule, 1)
    for fire in report.fires:
        yield from _tell_fire(fire)
    for salvo in report.torpedoes:
        yield from _tell_torpedoes(salvo)
    for name, moving in report.slowed.items():
        yield Line(f"{name} slows to {moving.speed}", "58.8", 1)
    for name in report.sunk:
        yield Line(f"{name} is sunk.", "64.8", 1)


def glance_at(vessel: Vessel) -> str:
    """What a ship has lost and what she has left, without her name (64.1, 64.8)."""
    if vessel.is_sunk:
        return "sunk"
    warship = vessel.warship
    left = vessel.hull_quarters - vessel.hull_lost
    parts = [f"hull {left / QUARTERS:g} of {warship.hull_boxes}"]
    lost = [t.name for t, s in zip(warship.turrets, vessel.turrets, strict=True) if s.destroyed]
    if lost:
        parts.append(f"{'turret' if len(lost) == 1 else 'turrets'} {', '.join(lost)} lost")
    if vessel.movement_factor < warship.movement_factor:
        parts.append(f"movement factor {vessel.movement_factor} of {warship.movement_factor}")
    flags = (
        (vessel.director_destroyed, "director lost"),
        (vessel.plot_destroyed, "plot lost"),
        (bool(vessel.helm), "rudder damaged"),
    )
    parts += [words for happened, words in flags if happened]
    parts.append(f"{vessel.main_ammunition} rounds for the main guns")
    return ", ".join(parts)


def _tell_torpedoes(report: TorpedoReport) -> Iterator[Line]:
    hits = {0: "miss", 1: "1 hit"}.get(report.hits, f"{report.hits} hits")
    yield Line(
        f"{report.salvo.launcher}'s torpedoes run at {report.reception.receiver}: {report.dice} "
        f"{report.ledger.total:+d}, row {report.row}: {hits}",
        "69.2",
        1,
    )
    for hit in report.hit_reports:
        yield Line(hit.words, hit.reference, 2)


def _tell_fire(fire: FireReport) -> Iterator[Line]:
    shot = fire.shot
    salvo = (
        f"{shot.firer.name} fires {fire.guns} {shot.battery} gun{'s' * (fire.guns != 1)} "
        f"at {shot.target.name}, "
        f"factor {fire.gunnery_factor}"
    )
    if fire.dice is None:
        yield Line(f"{salvo}: too little to hit", "62.43", 1)
        return
    hits = {0: "miss", 1: "1 hit"}.get(fire.hits, f"{fire.hits} hits")
    yield Line(f"{salvo}: {fire.dice} {fire.ledger.total:+d}, row {fire.row}: {hits}", "62.44", 1)
    for hit in fire.hit_reports:
        yield Line(describe_hit(hit), "", 2)
