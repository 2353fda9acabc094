"""Torpedoes in free play: a salvo that is launched and arrives, by the rules of a battle (69)."""

from dataclasses import dataclass

from combat.dice import Dice
from combat.events import Acted, Event, Sunk
from combat.free_play import Attempt, MarkedShip, Result
from combat.previews import RangeBand
from combat.rulebooks.bismarck_advanced.conversion import hexes_in_yards
from combat.rulebooks.bismarck_advanced.fire.events import TorpedoesSpent
from combat.rulebooks.bismarck_advanced.fire.odds import AttackOdds
from combat.rulebooks.bismarck_advanced.fire.torpedo_odds import salvo_odds
from combat.rulebooks.bismarck_advanced.fire.torpedo_report import torpedo_events
from combat.rulebooks.bismarck_advanced.fire.torpedoes import (
    Salvo,
    SalvoTarget,
    launch,
    modifications,
    resolve_salvo,
    salvo_provenance,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.free_play.actions import Torpedoes
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_advanced.phases import CombatPhase
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef
from tabletop.table import Pose

TorpedoAttempt = Attempt[Torpedoes, MarkedShip[FightMarks]]
_NOWHERE = Pose(0.0, 0.0, 0.0)
"""The place of a launch marker that lies on no table: how it bears is entered."""


@dataclass(frozen=True, slots=True)
class DueSalvo:
    """A salvo as it reaches the ship that it was meant for."""

    salvo: Salvo
    reception: SalvoTarget
    receiver: Vessel
    """As the round began: torpedoes are simultaneous with gunfire (19.2, 19.6)."""


def due_salvo(attempt: TorpedoAttempt, tables: TableSet) -> DueSalvo:
    """The salvo of an action; Forbidden, with the rule, where she may not fire it."""
    action, target = attempt.action, attempt.victim
    _, salvo = launch(
        attempt.actor.marks.vessel,
        target.marks.vessel,
        _NOWHERE,
        action.range_yards,
        # A round of free play is one combat phase, the one in which the salvo is due.
        CombatPhase(attempt.round_number),
        tables,
        blocked=action.blocked,
    )
    why = Message("advanced.torpedo.line.clear", target=ShipRef(target.id))
    reception = SalvoTarget(target.id, (), action.aspect, why)
    return DueSalvo(salvo, reception, target.at_start.vessel)


def torpedo_strength(attempt: TorpedoAttempt, tables: TableSet) -> Strength:
    """The torpedoes of the salvo (19.4) and what modifies its roll (69.2, 69.7)."""
    due = due_salvo(attempt, tables)
    ledger = modifications(due.reception, due.receiver, attempt.action.target_evolution, tables)
    return Strength(
        due.salvo.torpedoes,
        rule_reference("19.4, 69.2"),
        ledger,
        salvo_provenance(due.salvo, ledger),
        factor_label=Message("advanced.strength.torpedoes"),
    )


def bands(tables: TableSet) -> tuple[RangeBand, ...]:
    """The ranges of the torpedo table (69.3)."""
    return tuple(
        RangeBand(
            f"hexes_{number}",
            Message(f"advanced.torpedo_band.{name}"),
            hexes_in_yards(number, tables).most_yards,
        )
        for number, name in enumerate(("one_hex", "two_hexes"), start=1)
    )


def torpedo_result(
    attempt: TorpedoAttempt, acted: Acted, dice: Dice, tables: TableSet
) -> Result[FightMarks]:
    """Roll for the salvo, and for the damage of each hit."""
    due, target = due_salvo(attempt, tables), attempt.victim
    report = resolve_salvo(
        due.salvo,
        due.reception,
        due.receiver,
        attempt.action.target_evolution,
        dice,
        tables,
        receiver_now=target.marks.vessel,
    )
    spent = TorpedoesSpent(
        ship=acted.ship,
        torpedoes=due.salvo.torpedoes,
        range_yards=due.salvo.range_yards,
        hexes=due.salvo.hexes,
    )
    events: list[Event] = [acted, spent, *torpedo_events(report)]
    sinking = next((hit for hit in report.hit_reports if hit.sunk), None)
    if sinking is not None:
        events.append(Sunk(ship=acted.ship, target=target.id, rule=sinking.reference))
    return Result(
        tuple(events),
        spent=FightMarks.after_torpedoes,
        suffered=lambda marks: marks.after_torpedoes_at_her(report),
    )


def torpedo_attack_odds(attempt: TorpedoAttempt, tables: TableSet) -> AttackOdds:
    """The exact odds of the salvo."""
    due = due_salvo(attempt, tables)
    return salvo_odds(
        due.salvo,
        due.reception,
        due.receiver,
        attempt.action.target_evolution,
        tables,
    )
