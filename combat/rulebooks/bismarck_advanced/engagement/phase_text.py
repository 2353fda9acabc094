"""A battle told segment by segment, for logs, reports and the golden duel."""

from collections.abc import Iterator
from typing import Protocol

from combat.participants import ShipStatus
from combat.previews import Line
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import PhaseReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Engagement
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveReport
from combat.rulebooks.bismarck_advanced.fire.fire_report import describe_hit, hits_message
from combat.rulebooks.bismarck_advanced.fire.gunnery import FireReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from tabletop.arcs import Quadrant
from tabletop.messages import Message, ShipRef
from tabletop.survey import Survey


def tell_move(moved: Engagement, report: MoveReport, seen: Survey) -> Iterator[Line]:
    """Who stands where after a move: speeds, ranges between enemies, collisions."""
    yield Line(Message(f"advanced.told.segment.{moved.segment}", number=moved.round_number))
    for ship in moved.in_action:
        enemies = [enemy.name for enemy in moved.enemies_of(ship)]
        checks = sorted((seen[ship.name, enemy] for enemy in enemies), key=lambda c: c.range_yards)
        stands = Message(
            "advanced.told.stands",
            ship=ShipRef(ship.name),
            speed=ship.speed,
            sights=tuple(map(sight_message, checks)),
        )
        yield Line(stands, "56.2", 1)
    for clash in report.collisions:
        if clash.collided:
            yield Line(collision_message(clash.first, clash.second), "59.1", 1)


def tell_phase(report: PhaseReport) -> Iterator[Line]:
    """What came of a combat phase, fire by fire."""
    for jam in report.jams:
        if jam.guns:
            rolls = Message(
                "advanced.told.jam", ship=ShipRef(jam.ship), dice=str(jam.dice), words=jam.words
            )
            yield Line(rolls, jam.rule, 1)
    for fire in report.fires:
        yield from _tell_fire(fire)
    for salvo in report.torpedoes:
        yield from _tell_torpedoes(salvo)
    for name, moving in report.slowed.items():
        slows = Message("advanced.told.slows", ship=ShipRef(name), speed=moving.speed)
        yield Line(slows, "58.8", 1)
    for name in report.sunk:
        yield Line(Message("advanced.told.sunk", ship=ShipRef(name)), "64.8", 1)


class EnemySight(Protocol):
    """How an enemy lies for a ship."""

    @property
    def target(self) -> str:
        """The enemy."""

    @property
    def range_yards(self) -> float:
        """How far off she is."""

    @property
    def quadrant(self) -> Quadrant | None:
        """Where she lies for the ship."""

    @property
    def blocked(self) -> bool:
        """Whether the line to her is blocked."""


def sight_message(check: EnemySight) -> Message:
    """How far off an enemy is and where, in a few words."""
    target, quadrant = ShipRef(check.target), Message(f"advanced.quadrant.{check.quadrant}")
    if check.blocked:
        return Message(
            "advanced.told.sight_blocked",
            ship=target,
            range_yards=check.range_yards,
            quadrant=quadrant,
        )
    return Message(
        "advanced.told.sight", ship=target, range_yards=check.range_yards, quadrant=quadrant
    )


def phase_message(phase: CombatPhase) -> Message:
    """A combat phase by its round and segment."""
    return Message(f"advanced.phase.{phase.segment}", round_number=phase.round_number)


def collision_message(first: str, second: str) -> Message:
    """Two ships collided (59.1)."""
    return Message("advanced.told.collision", first=ShipRef(first), second=ShipRef(second))


def glance_at(vessel: Vessel) -> Message:
    """What a ship has lost and what she has left, without her name (64.1, 64.8)."""
    if vessel.is_sunk:
        return ShipStatus.SUNK.message
    warship = vessel.warship
    left = vessel.hull_quarters - vessel.hull_lost
    parts = [Message("advanced.glance.hull", left=left / QUARTERS, boxes=warship.hull_boxes)]
    lost = [t.name for t, s in zip(warship.turrets, vessel.turrets, strict=True) if s.destroyed]
    if lost:
        parts.append(Message("advanced.glance.turrets", n=len(lost), turrets=tuple(lost)))
    if vessel.movement_factor < warship.movement_factor:
        parts.append(
            Message(
                "advanced.glance.speed",
                left=vessel.movement_factor,
                factor=warship.movement_factor,
            )
        )
    flags = (
        (vessel.director_destroyed, Message("advanced.glance.director")),
        (vessel.plot_destroyed, Message("advanced.glance.plot")),
        (bool(vessel.helm), Message("advanced.glance.rudder")),
    )
    parts += [words for happened, words in flags if happened]
    parts.append(Message("advanced.glance.ammunition", rounds=vessel.main_ammunition))
    return Message("advanced.glance.parts", parts=tuple(parts))


def _tell_torpedoes(report: TorpedoReport) -> Iterator[Line]:
    run = Message(
        "advanced.told.torpedoes",
        ship=ShipRef(report.salvo.launcher),
        target=ShipRef(report.reception.receiver or ""),
        dice=str(report.dice),
        total=report.ledger.total,
        row=report.row,
        hits=hits_message(report.hits),
    )
    yield Line(run, "69.2", 1)
    for hit in report.hit_reports:
        yield Line(hit.words, hit.reference, 2)


def _tell_fire(fire: FireReport) -> Iterator[Line]:
    shot = fire.shot
    salvo = Message(
        "advanced.told.salvo",
        ship=ShipRef(shot.firer.name),
        target=ShipRef(shot.target.name),
        n=fire.guns,
        battery=Message(f"advanced.battery.{shot.battery}"),
        factor=fire.gunnery_factor,
    )
    if fire.dice is None:
        yield Line(Message("advanced.told.too_little", salvo=salvo), "62.43", 1)
        return
    rolled = Message(
        "advanced.told.fire",
        salvo=salvo,
        dice=str(fire.dice),
        total=fire.ledger.total,
        row=fire.row,
        hits=hits_message(fire.hits),
    )
    yield Line(rolled, "62.44", 1)
    for hit in fire.hit_reports:
        yield Line(describe_hit(hit), "", 2)
