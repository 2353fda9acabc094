"""Aircraft in free play: a wave of bombers, and how many planes a land-based unit brings (27)."""

from collections.abc import Iterator, Sequence

from combat.dice import Dice
from combat.distributions import odds_of
from combat.event_reports import events_of
from combat.events import Acted, Concluded, Event, Rolled, Sunk
from combat.forecast import Forecast
from combat.free_play import Attempt, MarkedShip, Result
from combat.modifiers import Ledger
from combat.previews import DocumentValue, Forbidden, Line
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.fire.air_attacks import (
    air_ledger,
    own_antiaircraft,
    resolve_wave,
    wave_events,
)
from combat.rulebooks.bismarck_advanced.fire.events import AirHit
from combat.rulebooks.bismarck_advanced.fire.odds import AttackOdds, wave_odds
from combat.rulebooks.bismarck_advanced.free_play.actions import AirAttack, LandBombers
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_data.air_waves import (
    Wave,
    check_weather,
    land_bombers,
    planes_words,
)
from combat.rulebooks.bismarck_data.events import PlanesStopped
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

AirAttempt = Attempt[AirAttack, MarkedShip[FightMarks]]
LandAttempt = Attempt[LandBombers, MarkedShip[FightMarks]]


def check_edition(edition: Edition, rule: str) -> None:
    """Forbidden in an edition without aircraft."""
    if not edition.air_attacks:
        raise Forbidden(Message("advanced.air.not_in_edition", edition=edition.number), rule)


def wave_of(attempt: AirAttempt) -> Wave:
    """The wave of an action; her own anti-aircraft strength where none is stated."""
    action, own = attempt.action, own_antiaircraft(attempt.victim.marks.vessel)
    strong = own if action.antiaircraft is None else action.antiaircraft
    return Wave(action.bomber, action.planes, strong, action.visibility, action.in_port)


def air_strength(attempt: AirAttempt, tables: TableSet, edition: Edition) -> Strength:
    """The planes of the wave, and what is added to the die of their losses (27.5, 29.2)."""
    action, target = attempt.action, attempt.victim
    check_edition(edition, "27")
    if target.marks.vessel.is_sunk:
        raise Forbidden(Message("advanced.air.sunk", ship=ShipRef(target.id)), "64.8")
    check_weather(action.visibility, "27.25", night=action.night)
    ledger = air_ledger(wave_of(attempt), tables)
    return Strength(
        action.planes,
        rule_reference("27.52"),
        ledger,
        Provenance.worst(line.provenance for line in ledger),
        factor_label=Message("advanced.strength.planes"),
    )


def air_result(
    attempt: AirAttempt, acted: Acted, dice: Dice, tables: TableSet
) -> Result[FightMarks]:
    """Roll a wave; its damage counts at once (27.56)."""
    target = attempt.victim
    report = resolve_wave(target.marks.vessel, wave_of(attempt), dice, tables)
    hits = report.damage
    events: list[Event] = [acted, *wave_events(report, target.id)]
    events.append(Concluded(target=target.id, rule=acted.rule, hits=len(hits)))
    if report.on(target.marks.vessel).is_sunk:
        events.append(Sunk(target=target.id, rule="64.8"))
    return Result(
        tuple(events),
        suffered=lambda marks: marks.after_air_attack(report),
        at_once=True,
    )


def air_attack_odds(attempt: AirAttempt, tables: TableSet) -> AttackOdds:
    """The exact odds of a wave."""
    return wave_odds(attempt.victim.marks.vessel, wave_of(attempt), tables)


def land_strength(attempt: LandAttempt, edition: Edition) -> Strength:
    """The range to the base and the visibility together (27.36)."""
    check_edition(edition, "27.36")
    action = attempt.action
    return Strength(
        action.zones_to_base + action.visibility,
        rule_reference("27.36"),
        Ledger(()),
        Provenance.PRINTED,
        factor_label=Message("advanced.strength.range_and_visibility"),
    )


def land_result(
    attempt: LandAttempt, acted: Acted, dice: Dice, tables: TableSet
) -> Result[FightMarks]:
    """Two dice on the Land-Based Bomber Strength Table."""
    action = attempt.action
    throw, planes = land_bombers(action.zones_to_base, action.visibility, dice, tables)
    rolled = Rolled(
        rule=throw.rule,
        purpose=throw.purpose,
        dice=throw.dice,
        modifier=0,
        total=throw.total,
        result="",
        words=throw.words,
        provenance=throw.provenance,
    )
    return Result(
        (acted, rolled, Concluded(rule=acted.rule, hits=0, results=(planes_words(planes),)))
    )


def land_forecast(attempt: LandAttempt, tables: TableSet) -> Forecast:
    """The chance of each number of planes."""
    action = attempt.action
    odds = odds_of(
        lambda dice: planes_words(
            land_bombers(action.zones_to_base, action.visibility, dice, tables)[1]
        )
    )
    return Forecast({0: 1.0}, {}, {}, results=odds)


def endings(events: Sequence[Event]) -> Iterator[Line]:
    """What came of a wave, line by line."""
    for event in events:
        match event:
            case PlanesStopped(stopped=stopped, lost=lost, through=through):
                told = Message("bismarck.story.planes", n=stopped, lost=lost, through=through)
                yield Line(told, event.rule)
            # A destroyer under torpedoes takes no die: nothing has told of her end (70.2).
            case AirHit(die=None, number=number, effect=effect):
                yield Line(Message("advanced.air.hit", number=number, effect=effect), event.rule)


def air_keys(events: Sequence[Event]) -> dict[str, DocumentValue]:
    """The keys of `dreyer resolve --json` that a wave has besides."""
    hits, stopped = events_of(AirHit, events), events_of(PlanesStopped, events)
    found: dict[str, DocumentValue] = {
        "hull_boxes": sum(hit.hull_boxes for hit in hits),
        "movement_factors": sum(hit.movement_factors for hit in hits),
        "effects": [hit.effect for hit in hits],
        "target_sunk": bool(events_of(Sunk, events)),
    }
    for planes in stopped:
        found["planes"] = {
            "stopped": planes.stopped, "lost": planes.lost, "through": planes.through,
        }  # fmt: skip
    return found
