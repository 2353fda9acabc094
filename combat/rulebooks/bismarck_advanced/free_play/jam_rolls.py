"""Rolls for jams in free play: before a ship fires her main guns in a round (71)."""

from collections.abc import Sequence

from combat.dice import Dice
from combat.distributions import odds_of
from combat.event_reports import events_of
from combat.events import Acted, Event, Rolled
from combat.forecast import BranchingDice, Forecast
from combat.free_play import Attempt, MarkedShip, Result
from combat.modifiers import Ledger
from combat.previews import Document, Forbidden, MountInfo
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.fire.events import GunsJammed
from combat.rulebooks.bismarck_advanced.fire.jams import (
    JamReport,
    jam_event,
    jam_purpose,
    roll_jams,
)
from combat.rulebooks.bismarck_advanced.fire.shot import ReadyTurret, turrets_bearing
from combat.rulebooks.bismarck_advanced.free_play.actions import Jams
from combat.rulebooks.bismarck_advanced.free_play.ship_state import FightMarks
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.arcs import Quadrant
from tabletop.errors import UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.places import NOWHERE

JamAttempt = Attempt[Jams, MarkedShip[FightMarks]]


def check_turrets(attempt: JamAttempt) -> None:
    """Turrets that she does not have are an error."""
    known = [turret.name for turret in attempt.actor.marks.vessel.warship.turrets]
    for name in attempt.action.turrets:
        if name not in known:
            place = NOWHERE.table("fire").at("turrets")
            raise UnknownName(place, "turret", name, known)


def jam_strength(attempt: JamAttempt) -> Strength:
    """The guns that may jam; Forbidden, with the rule, where she does not roll."""
    marks, ship = attempt.actor.marks, ShipRef(attempt.actor.id)
    if marks.vessel.is_sunk:
        raise Forbidden(Message("advanced.forbidden.sunk", ship=ship), "64.8")
    if marks.vessel.warship.jam_table is None:
        raise Forbidden(Message("advanced.forbidden.never_jams", ship=ship), "71.1")
    if marks.jams_rolled:
        raise Forbidden(Message("advanced.forbidden.jams_rolled", ship=ship), "71.2")
    if any(each.battery is Battery.MAIN for each in marks.fired):
        raise Forbidden(Message("advanced.forbidden.jams_too_late", ship=ship), "71.2")
    firing = turrets_firing(attempt)
    if not firing:
        raise Forbidden(Message("advanced.forbidden.no_turret_fires", ship=ship), "71.2")
    return Strength(
        sum(turret.guns for turret in firing),
        rule_reference("71.2"),
        Ledger(()),
        Provenance.PRINTED,
        factor_label=Message("advanced.strength.guns_firing"),
    )


def turrets_firing(attempt: JamAttempt) -> tuple[ReadyTurret, ...]:
    """Her main turrets that are to fire, as far as they can."""
    vessel, action = attempt.actor.marks.vessel, attempt.action
    quadrants = tuple(Quadrant) if action.quadrant is None else (action.quadrant,)
    bearing = {
        turret.name: turret
        for quadrant in quadrants
        for turret in turrets_bearing(vessel, Battery.MAIN, quadrant, {})
    }
    return tuple(
        bearing[turret.name]
        for turret in vessel.warship.turrets
        if turret.name in bearing and (not action.turrets or turret.name in action.turrets)
    )


def jam_mounts(attempt: JamAttempt) -> tuple[MountInfo, ...]:
    """Her main turrets, and which of them are to fire."""
    firing = {turret.name: turret.guns for turret in turrets_firing(attempt)}
    return tuple(
        MountInfo(turret.name, firing.get(turret.name, turret.guns), turret.name in firing)
        for turret in attempt.actor.marks.vessel.warship.turrets
        if turret.guns
    )


def jam_result(
    attempt: JamAttempt, acted: Acted, dice: Dice, tables: TableSet
) -> Result[FightMarks]:
    """Roll: what jams for the battle is marked on her, what jams for this fire ends with it."""
    report = _rolled(attempt, dice, tables)
    rolled = Rolled(
        ship=acted.ship,
        rule=report.rule,
        purpose=jam_purpose(report.ship),
        dice=str(report.dice),
        total=int(str(report.dice)),
        result="",
        words=report.words,
        provenance=report.provenance,
    )
    events = (acted, rolled, jam_event(report))
    return Result(events, spent=lambda marks: marks.after_jams(report))


def jam_forecast(attempt: JamAttempt, tables: TableSet) -> Forecast:
    """The chance of everything that the roll may say."""

    def play(dice: BranchingDice) -> tuple[Message, int, bool]:
        report = _rolled(attempt, dice, tables)
        return report.words, report.guns, report.permanent

    results: dict[Message, float] = {}
    jams = for_battle = 0.0
    # In the order of the table: every outcome is tried from the last one on.
    for (said, guns, permanent), chance in reversed(odds_of(play).items()):
        results[said] = results.get(said, 0.0) + chance
        jams += chance if guns else 0.0
        for_battle += chance if guns and permanent else 0.0
    return Forecast(
        hits={0: 1.0},
        outcomes={"jammed": jams, "jammed_for_battle": for_battle},
        expected_boxes={},
        results=dict(sorted(results.items(), key=lambda each: -each[1])),
        titles={
            name: Message(f"advanced.forecast.{name}") for name in ("jammed", "jammed_for_battle")
        },
    )


def jam_keys(events: Sequence[Event]) -> Document:
    """The keys of `dreyer resolve --json` that only a roll for jams has."""
    (jammed,) = events_of(GunsJammed, events)
    return {"turret": jammed.turret, "guns": jammed.guns, "permanent": jammed.permanent}


def _rolled(attempt: JamAttempt, dice: Dice, tables: TableSet) -> JamReport:
    firing = [turret.name for turret in turrets_firing(attempt)]
    report = roll_jams(attempt.actor.marks.vessel, firing, dice, tables)
    if report is None:
        raise ValueError("jam_strength refuses a ship that does not roll")
    return report
