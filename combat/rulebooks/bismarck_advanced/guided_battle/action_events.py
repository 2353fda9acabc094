"""Which events an action has led to: found from the battle before it and after it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from combat.battle_history import ShipPosition
from combat.dice import Roll
from combat.event_reports import events_of, rolled_message, umpire_events
from combat.events import Departed, Event, Rolled, Sunk
from combat.guided_actions import BattleAction, Commit, EndBattle, Reveal, Settle, Uncommit
from combat.guided_play import StepKind
from combat.optional_rules import optional_rules
from combat.rulebooks.bismarck_advanced.after_battle.port import PortReport, RefuelReport
from combat.rulebooks.bismarck_advanced.after_battle.repair import RepairReport, after_battle
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import PhaseReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.engagement.record_sheets import status_of
from combat.rulebooks.bismarck_advanced.fire.air_attacks import raid_events
from combat.rulebooks.bismarck_advanced.fire.fire_report import fire_events
from combat.rulebooks.bismarck_advanced.fire.jams import jam_event
from combat.rulebooks.bismarck_advanced.fire.torpedo_report import torpedo_events
from combat.rulebooks.bismarck_advanced.guided_battle.actions import (
    AirStrike,
    Arrange,
    Correct,
    Designate,
    Orders,
    Plot,
    Reduce,
)
from combat.rulebooks.bismarck_advanced.guided_battle.agreements import agreed_of
from combat.rulebooks.bismarck_advanced.guided_battle.corrections import (
    changes,
    correctable_battle,
    correctable_ship,
    named,
)
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    BattleBegan,
    BattleEnded,
    CommitmentTakenBack,
    Committed,
    Corrected,
    EndWished,
    FireDesignated,
    FireResolved,
    LeftThePlay,
    LineSettled,
    Moved,
    NobodyFired,
    PlotOpened,
    PlotWritten,
    RateChosen,
    RateReduced,
    Refuelled,
    RepairedInPort,
    RepairTried,
    Revealed,
    RevealedBy,
    ShipEntered,
    ShipsArranged,
    Sight,
    Slowed,
    SmokeLaid,
    StepBegan,
    StrikeFlown,
    StrikeOrdered,
    StrikeStep,
    TorpedoesLaunched,
)
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import (
    Resolution,
    jam_key,
    salvo_label,
    shot_key,
)
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import Conditions, ShipValues
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState, OpenMove
from combat.rulebooks.bismarck_advanced.movement.smoke import LaidFront
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import RevealCause
from tabletop.messages import Message
from tabletop.survey import Survey


def opening_events(state: AdvancedState) -> Iterator[Event]:
    """What a battle begins with: its conditions, its ships, the smoke that lies there."""
    battle = state.engagement
    yield BattleBegan(
        title=state.title,
        visibility=battle.visibility,
        night=battle.night,
        options=tuple(each.key for each in optional_rules(battle.options) if each.on),
        follows=state.follows,
    )
    for ship in battle.combatants:
        yield ShipEntered(
            ship=ship.name,
            side=ship.side,
            x_yards=ship.pose.x_yards,
            y_yards=ship.pose.y_yards,
            heading_deg=ship.pose.heading_deg,
            status=status_of(ship),
        )
    yield from map(_smoke_laid, battle.smoke.fronts)
    yield _step_began(state)


def battle_events(
    before: AdvancedState,
    action: BattleAction,
    after: AdvancedState,
    edition: Edition,
    moved: Iterable[Event] = (),
    rolls: Sequence[Roll] = (),
) -> tuple[Event, ...]:
    """What an action has led to, in the order in which it happened.

    Ships have their true names in the action; `moved` is what came of a movement resolution,
    `rolls` are its dice.
    """
    at_end = edition.plots_open_at_segment_end
    turned_up = tuple(_revealed(before, action, after))
    return tuple(
        chain(
            _acted(before, action, after),
            () if at_end else _plots_opened_early(before, after),
            _launched(before, after),
            moved,
            (each for each in turned_up if each.by is not RevealedBy.SUNK),
            _struck(before, after),
            _resolved(before, action, after),
            _ship_changes(before, action, after),
            (each for each in turned_up if each.by is RevealedBy.SUNK),
            _plots_opened(before) if at_end and _segment_ended(before, after) else (),
            _repairs(before, after, rolls),
            _steps(before, after),
        )
    )


def moved_events(
    before: Engagement, opened: OpenMove, moved: Engagement, seen: Survey
) -> Iterator[Event]:
    """Where everybody stands after a move, and the smoke that was laid on the way (56.2)."""
    for ship in moved.in_action:
        summaries = (seen.summary(ship.name, enemy.name) for enemy in moved.enemies_of(ship))
        sights = (
            Sight(each.target, each.range_yards, each.quadrant, each.blocked) for each in summaries
        )
        pose = ship.pose
        yield Moved(
            ship=ship.name,
            x_yards=pose.x_yards,
            y_yards=pose.y_yards,
            heading_deg=pose.heading_deg,
            position_sigma_yards=pose.position_sigma_yards,
            heading_sigma_deg=pose.heading_sigma_deg,
            speed=ship.speed,
            path=opened.report.paths[ship.name],
            sights=tuple(sorted(sights, key=lambda sight: sight.range_yards)),
        )
    known = before.smoke.fronts
    yield from (_smoke_laid(each) for each in moved.smoke.fronts if each not in known)


def _acted(before: AdvancedState, action: BattleAction, after: AdvancedState) -> Iterator[Event]:
    match action:
        case Plot(ship=ship):
            yield PlotWritten(ship=ship)
        case Designate(ship=ship):
            yield FireDesignated(ship=ship)
        case Orders():
            yield from (PlotWritten(ship=plot.ship) for plot in action.plots)
            yield from (FireDesignated(ship=fire.ship) for fire in action.fires)
        case Reduce(ship=ship):
            yield RateChosen(ship=ship)
        case Arrange(ship=ship, other=other):
            yield ShipsArranged(ship=ship, target=other)
        case Commit():
            acting = action.side or action.for_side
            for side in [acting] if acting else before.waiting_for:
                yield Committed(side=side)
        case Uncommit(side=str() as side) | Uncommit(side=None, for_side=str() as side):
            yield CommitmentTakenBack(side=side)
        case EndBattle() if action.side is not None:
            yield EndWished(side=action.side, agree=action.agree)
        case AirStrike():
            strike = after.strike
            if strike is not None:
                yield StrikeOrdered(
                    target=strike.target,
                    side=strike.side,
                    bomber=strike.wave.bomber,
                    planes=strike.wave.planes,
                    antiaircraft=strike.wave.strength_against,
                    in_port=strike.wave.in_port,
                    zones_to_base=strike.zones_to_base,
                    stopped_by_fighters=strike.stopped,
                )
        case Settle():
            agreed = agreed_of(action, str)
            yield LineSettled(
                ship=agreed.firer,
                target=agreed.target,
                figures=agreed.figures,
                reason=agreed.reason,
                who=agreed.who,
            )
        case Correct():
            yield _corrected(before, action, after)


def _corrected(before: AdvancedState, action: Correct, after: AdvancedState) -> Corrected:
    if action.ship is None:
        conditions = action.conditions or Conditions()
        keys = named(conditions)
        was, now = (
            correctable_battle(each.engagement, optional_rules(each.engagement.options))
            for each in (before, after)
        )
        return Corrected(
            values=keys,
            conditions=conditions,
            reason=action.reason,
            changes=changes(was, now, keys),
        )
    ship = after.engagement[action.ship]
    keys = named(action.values or ShipValues())
    stood = before.engagement[action.ship]
    return Corrected(
        ship=ship.name,
        values=keys,
        reason=action.reason,
        changes=changes(correctable_ship(stood), correctable_ship(ship), keys),
        standing=ShipPosition(
            ship.pose.x_yards, ship.pose.y_yards, ship.pose.heading_deg, status_of(ship)
        ),
    )


def _move_began(before: AdvancedState, after: AdvancedState) -> bool:
    return before.kind is StepKind.PLOT and after.open_move is not None


def _segment_ended(before: AdvancedState, after: AdvancedState) -> bool:
    ended = after.kind is StepKind.ENDED and before.kind is not StepKind.ENDED
    return ended or after.phase != before.phase


def _launched(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    """The torpedoes that leave as the movement resolution begins (69.5)."""
    if not _move_began(before, after) or after.open_move is None:
        return
    for salvo in after.open_move.report.launched:
        yield TorpedoesLaunched(
            ship=salvo.launcher,
            target=salvo.target,
            torpedoes=salvo.torpedoes,
            range_yards=salvo.range_yards,
            due=salvo.due,
        )


def _plots_opened_early(before: AdvancedState, after: AdvancedState) -> Iterator[PlotOpened]:
    """The plots as edition 1 opens them: as the move begins, with the speed after collisions."""
    if not _move_began(before, after) or after.open_move is None:
        return
    for event in _plots_opened(after):
        yield replace(event, speed=after.open_move.moved[event.ship or ""].speed)


def _plots_opened(state: AdvancedState) -> Iterator[PlotOpened]:
    """The present segment's plots (57.5), as they are opened."""
    for each in state.log:
        if each.phase == state.phase:
            yield PlotOpened(
                ship=each.ship,
                speed=each.speed,
                notation=each.notation,
                follows=each.follows,
                evolution=each.evolution,
                smoke_cover=each.smoke_cover,
                smoke_front=each.smoke_front,
            )


def _smoke_laid(laid: LaidFront) -> SmokeLaid:
    front = laid.front
    return SmokeLaid(
        ship=laid.ship,
        x1_yards=front.x1_yards,
        y1_yards=front.y1_yards,
        x2_yards=front.x2_yards,
        y2_yards=front.y2_yards,
        last=laid.last,
    )


def _revealed(
    before: AdvancedState, action: BattleAction, after: AdvancedState
) -> Iterator[Revealed]:
    for name, known in before.identities.items():
        if not known.is_hidden:
            continue
        identity = after.identities.get(name)
        if identity is not None and identity.revelation is not None:
            found = identity.revelation
            by = RevealedBy.FIRED if found.cause is RevealCause.FIRED else RevealedBy.CLOSED
            yield Revealed(ship=name, label=known.label, rule=found.rule, by=by, why=found.why)
        elif identity is None and isinstance(action, AirStrike):
            yield Revealed(ship=name, label=known.label, rule="27.37", by=RevealedBy.AIR)
        elif identity is None and isinstance(action, Reveal):
            yield Revealed(ship=name, label=known.label, by=RevealedBy.OWN_SIDE)
        elif identity is None:
            sunk = after.engagement[name].vessel.is_sunk
            sunk = sunk and not before.engagement[name].vessel.is_sunk
            by = RevealedBy.SUNK if sunk else RevealedBy.END
            yield Revealed(ship=name, label=known.label, by=by)


def _struck(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    """Every air strike whose last die has fallen."""
    for flown in after.flown[len(before.flown) :]:
        strike, report = flown.strike, flown.report
        rolled = events_of(Rolled, tuple(raid_events(report, strike.target)))
        yield StrikeFlown(
            target=strike.target,
            side=strike.side,
            bomber=strike.wave.bomber,
            planes=report.planes,
            stopped=report.stopped,
            lost=report.lost,
            hits=len(report.damage),
            hull_boxes=sum(hit.hull_boxes for hit in report.damage),
            movement_factors=sum(hit.movement_factors for hit in report.damage),
            steps=tuple(StrikeStep(rolled_message(roll), roll.rule) for roll in rolled),
            provenance=report.provenance,
        )
        yield from umpire_events(strike.rolls)


def _resolved(before: AdvancedState, action: BattleAction, after: AdvancedState) -> Iterator[Event]:
    """Every jam, fire and salvo that came to its end, and the end of the phase."""
    then, now = before.resolution, after.resolution
    if now is None:
        resolving = (StepKind.DESIGNATE, StepKind.RESOLVE, StepKind.REDUCE)
        phase_over = before.kind in resolving
        phase_over = phase_over and after.kind in (StepKind.PLOT, StepKind.ENDED)
        if phase_over and isinstance(action, Commit | Correct):
            yield NobodyFired()
        return
    begun = then or Resolution(now.battle, now.orders, rates_settled=False)
    if now.fallen[: len(begun.fallen)] != begun.fallen or now.battle is not begun.battle:
        # A correction had all of it resolved anew.
        begun = Resolution(now.battle, now.orders, rates_settled=False)
    for jam in now.jams[len(begun.jams) :]:
        yield jam_event(jam)
        yield from umpire_events(now.rolls_of(jam_key(jam.ship)))
    if now.rates_settled and not begun.rates_settled:
        yield from _rates(now)
    for fire in now.fires[len(begun.fires) :]:
        yield from fire_events(fire, fire.shot.firer.name, fire.shot.target.name)
        yield from umpire_events(now.rolls_of(shot_key(fire.shot)))
    for salvo in now.torpedoes[len(begun.torpedoes) :]:
        yield from torpedo_events(salvo)
        label = salvo_label(salvo.salvo, salvo.receiver_after.name)
        yield from umpire_events(_rolled_for(label, now.rolls))
    if now.report is not None and begun.report is None:
        yield from _phase_ended(now.report, now.battle)


def _rolled_for(label: Message, rolls: Sequence[Roll]) -> Iterator[Roll]:
    """The rolls of one salvo."""
    return (roll for roll in rolls if dict(roll.purpose.params).get("label") == label)


def _rates(resolution: Resolution) -> Iterator[RateReduced]:
    """67.41: every fire at a reduced rate, once all sides have committed."""
    for shot in resolution.shots or [fire.shot for fire in resolution.fires]:
        if shot.rates:
            yield RateReduced(
                ship=shot.firer.name,
                target=shot.target.name,
                battery=shot.battery,
                guns=shot.rates,
                firing=shot.guns_firing,
                held_back=shot.guns_held_back,
            )


def _phase_ended(report: PhaseReport, before: Engagement) -> Iterator[Event]:
    for name, moving in report.slowed.items():
        yield Slowed(ship=name, rule="58.8", was=before[name].speed, speed=moving.speed)
    order = dict.fromkeys(fire.shot.firer.name for fire in report.fires)
    yield FireResolved(sunk=report.sunk, order=tuple(order))


def _ship_changes(
    before: AdvancedState, action: BattleAction, after: AdvancedState
) -> Iterator[Event]:
    """Who sank, left or was slowed; a fire that sinks, and a correction, say so themselves."""
    if after.engagement is before.engagement:
        return
    known, told = before.engagement.by_name, _sunk_by_fire(after.resolution)
    corrected = action.ship if isinstance(action, Correct) else None
    for ship in after.engagement.combatants:
        then = known.get(ship.name)
        if then is None or then is ship or ship.name == corrected:
            continue
        if ship.vessel.is_sunk and not then.vessel.is_sunk and ship.name not in told:
            yield Sunk(target=ship.name, rule="64.8")
        if ship.withdrawn and not then.withdrawn:
            yield Departed(ship=ship.name, rule="66")
        if before.kind is StepKind.MOVE and _slower(then, ship):
            yield Slowed(ship=ship.name, rule="59.1", was=then.speed, speed=ship.speed)


def _sunk_by_fire(resolution: Resolution | None) -> frozenset[str]:
    """The ships whose end the events of a fire have told already."""
    fires = resolution.fires if resolution is not None else ()
    return frozenset(
        fire.shot.target.name
        for fire in fires
        for hit in fire.hit_reports
        if any(isinstance(result, Sunk) for result in hit.results)
    )


def _slower(then: Combatant, now: Combatant) -> bool:
    in_one_round = then.moving is not None and now.moving is not None
    return in_one_round and now.in_action and now.speed < then.speed


def _repairs(before: AdvancedState, after: AdvancedState, rolls: Sequence[Roll]) -> Iterator[Event]:
    for report in after.yard.reports[len(before.yard.reports) :]:
        yield _repair(report)
        yield from umpire_events(rolls)


def _repair(report: RepairReport | PortReport | RefuelReport) -> Event:
    ship, rule, result = report.ship, report.rule, report.words
    match report:
        case PortReport(section=section, turns=turns, repaired=repaired):
            return RepairedInPort(
                ship=ship,
                rule=rule,
                section=section.title,
                turns=turns,
                repaired=repaired,
                result=result,
            )
        case RefuelReport(turns=turns, torpedoes=torpedoes, ammunition=ammunition):
            return Refuelled(
                ship=ship,
                rule=rule,
                turns=turns,
                torpedoes=torpedoes,
                ammunition=ammunition,
                result=result,
            )
        case RepairReport(section=section, die=die, repaired=repaired):
            return RepairTried(
                ship=ship,
                rule=rule,
                section=section.title,
                die=die,
                repaired=repaired,
                result=result,
            )


def _steps(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    here, there = ((state.kind, state.phase) for state in (before, after))
    if here == there:
        return
    if after.kind is not StepKind.ENDED:
        yield _step_began(after)
        return
    yield BattleEnded(reason=after.ending)
    yield from _left_the_play(after.engagement.combatants)


def _left_the_play(ships: Sequence[Combatant]) -> Iterator[Event]:
    for ship in ships:
        verdict = after_battle(ship.vessel)
        if not verdict.stays and verdict.rule == "70.6":
            yield LeftThePlay(ship=ship.name, why=verdict.why)


def _step_began(state: AdvancedState) -> StepBegan:
    return StepBegan(step=state.kind, round_number=state.phase.round_number, segment=state.segment)
