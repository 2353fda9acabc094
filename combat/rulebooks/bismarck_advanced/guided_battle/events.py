"""What an action of the guided battle has led to, as typed events.

A fire gives the same events as in free play (`fire.events`). Ships are named by their true
names; whoever shows events to a side shows them as that side may know them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal

from combat.events import Departed, Event, Sunk
from combat.guided_actions import BattleAction, Commit, EndBattle, Settle, Uncommit
from combat.guided_play import StepKind
from combat.rulebooks.bismarck_advanced.after_battle.port import PortReport, RefuelReport
from combat.rulebooks.bismarck_advanced.after_battle.repair import RepairReport
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant
from combat.rulebooks.bismarck_advanced.fire.events import OWN_EVENTS as FIRE_EVENTS
from combat.rulebooks.bismarck_advanced.fire.fire_report import fire_events
from combat.rulebooks.bismarck_advanced.fire.jams import JamReport
from combat.rulebooks.bismarck_advanced.fire.torpedoes import TorpedoReport
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Correct, Designate, Plot
from combat.rulebooks.bismarck_advanced.guided_battle.fire_resolution import Resolution
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from tabletop.messages import Message
from tabletop.schema import Schema, union_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotWritten(Event):
    """A side wrote a ship's plot (56.1); it stays secret until all are opened."""

    kind: Literal["plot-written"] = "plot-written"


@dataclass(frozen=True, slots=True, kw_only=True)
class FireDesignated(Event):
    """A side wrote a ship's fire orders (61.1); they stay secret until all are opened."""

    kind: Literal["fire-designated"] = "fire-designated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed(Event):
    """A side gave its last word in a step."""

    kind: Literal["committed"] = "committed"
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentTakenBack(Event):
    """A side took its last word back."""

    kind: Literal["commitment-taken-back"] = "commitment-taken-back"
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegan(Event):
    """The next step of the sequence of play began (56)."""

    kind: Literal["step-began"] = "step-began"
    step: StepKind
    round_number: int
    segment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """A ship moved (56.2)."""

    kind: Literal["moved"] = "moved"
    x_yards: float
    y_yards: float
    heading_deg: float
    speed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Event):
    """A hidden ship was turned up (67.1)."""

    kind: Literal["revealed"] = "revealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GunsJammed(Event):
    """A ship rolled for jams (71)."""

    kind: Literal["guns-jammed"] = "guns-jammed"
    dice: str
    turret: str | None
    guns: int
    permanent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TorpedoesRan(Event):
    """A salvo of torpedoes reached its receiver (69)."""

    kind: Literal["torpedoes-ran"] = "torpedoes-ran"
    dice: str
    row: str
    hits: int
    hull_boxes: int
    movement_factors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slowed(Event):
    """Damage or a collision slowed a ship in this round (58.8, 59.1)."""

    kind: Literal["slowed"] = "slowed"
    speed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSettled(Event):
    """The players settled a line of fire."""

    kind: Literal["line-settled"] = "line-settled"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Event):
    """The umpire corrected values of a ship, or of the battle."""

    kind: Literal["corrected"] = "corrected"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairTried(Event):
    """A repair was tried after the battle (68)."""

    kind: Literal["repair-tried"] = "repair-tried"
    section: Message
    die: int
    repaired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairedInPort(Event):
    """A ship was repaired in port after the battle, without a die (40.5)."""

    kind: Literal["repaired-in-port"] = "repaired-in-port"
    section: Message
    turns: int
    repaired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuelled(Event):
    """A ship refuelled after the battle (19.3, 20.6)."""

    kind: Literal["refuelled"] = "refuelled"
    turns: int
    torpedoes: bool
    ammunition: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndWished(Event):
    """A side wants to end the battle, or no longer wants to."""

    kind: Literal["end-wished"] = "end-wished"
    side: str
    agree: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleEnded(Event):
    """The battle is over (56)."""

    kind: Literal["battle-ended"] = "battle-ended"
    reason: Message


OWN_EVENTS: tuple[type[Event], ...] = (
    PlotWritten, FireDesignated, Committed, CommitmentTakenBack, StepBegan, Moved, Revealed,
    GunsJammed, TorpedoesRan, Slowed, LineSettled, Corrected, RepairTried, RepairedInPort,
    Refuelled, EndWished, BattleEnded, Sunk, Departed,
)  # fmt: skip


@cache
def event_schema() -> Schema[Any]:
    """Reads and writes the events of a guided battle."""
    return union_schema((*OWN_EVENTS, *FIRE_EVENTS), "events")


def battle_events(
    before: AdvancedState, action: BattleAction, after: AdvancedState
) -> tuple[Event, ...]:
    """What an action has led to, in the order in which it happened."""
    return tuple(
        chain(
            _acted(before, action),
            _revealed(before, after),
            _moved(before, after),
            _resolved(before.resolution, after.resolution),
            _ship_changes(before, after),
            _repairs(before, after),
            _steps(before, after),
        )
    )


def _acted(before: AdvancedState, action: BattleAction) -> Iterator[Event]:
    match action:
        case Plot(ship=ship):
            yield PlotWritten(ship=ship, rule="56.1")
        case Designate(ship=ship):
            yield FireDesignated(ship=ship, rule="61.1")
        case Commit():
            acting = action.side or action.for_side
            for side in [acting] if acting else before.waiting_for:
                yield Committed(side=side)
        case Uncommit(side=str() as side) | Uncommit(side=None, for_side=str() as side):
            yield CommitmentTakenBack(side=side)
        case EndBattle() if action.side is not None:
            yield EndWished(side=action.side, agree=action.agree)
        case Settle(firer=firer, target=target, reason=reason):
            yield LineSettled(ship=firer, target=target, reason=reason)
        case Correct(ship=ship, reason=reason):
            yield Corrected(ship=ship, reason=reason)


def _revealed(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    for name, known in before.identities.items():
        identity = after.identities.get(name)
        if known.is_hidden and (identity is None or not identity.is_hidden):
            yield Revealed(ship=name, rule="67.1")


def _moved(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    if not (before.kind is StepKind.MOVE and after.kind is StepKind.DESIGNATE):
        return
    for ship in after.engagement.in_action:
        pose = ship.pose
        yield Moved(
            ship=ship.name,
            rule="56.2",
            x_yards=pose.x_yards,
            y_yards=pose.y_yards,
            heading_deg=pose.heading_deg,
            speed=ship.speed,
        )


def _resolved(before: Resolution | None, after: Resolution | None) -> Iterator[Event]:
    """Every jam, fire and salvo that came to its end."""
    if after is None:
        return
    begun = before or Resolution(after.battle, after.orders)
    if after.rolls[: len(begun.rolls)] != begun.rolls or after.battle is not begun.battle:
        # A correction had all of it resolved anew.
        begun = Resolution(after.battle, after.orders)
    for jam in after.jams[len(begun.jams) :]:
        yield _jammed(jam)
    for fire in after.fires[len(begun.fires) :]:
        yield from fire_events(fire, fire.shot.firer.name, fire.shot.target.name)
    for salvo in after.torpedoes[len(begun.torpedoes) :]:
        yield _ran(salvo)


def _jammed(jam: JamReport) -> Event:
    return GunsJammed(
        ship=jam.ship,
        rule=jam.rule,
        dice=str(jam.dice),
        turret=jam.turret,
        guns=jam.guns,
        permanent=jam.permanent,
    )


def _ran(report: TorpedoReport) -> Event:
    return TorpedoesRan(
        ship=report.salvo.launcher,
        target=report.receiver_after.name,
        rule="69.2",
        dice=str(report.dice),
        row=report.row,
        hits=report.hits,
        hull_boxes=sum(hit.hull_boxes for hit in report.hit_reports),
        movement_factors=sum(hit.movement_factors for hit in report.hit_reports),
    )


def _ship_changes(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    """Who sank, left or was slowed."""
    known, told = before.engagement.by_name, _sunk_by_fire(after.resolution)
    for ship in after.engagement.combatants:
        then = known.get(ship.name)
        if then is None or then is ship:
            continue
        if ship.vessel.is_sunk and not then.vessel.is_sunk and ship.name not in told:
            yield Sunk(target=ship.name, rule="64.8")
        if ship.withdrawn and not then.withdrawn:
            yield Departed(ship=ship.name, rule="66")
        if _slower(then, ship):
            yield Slowed(ship=ship.name, rule="58.8", speed=ship.speed)


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


def _repairs(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    for report in after.yard.reports[len(before.yard.reports) :]:
        ship, rule = report.ship, report.rule
        match report:
            case PortReport(section=section, turns=turns, repaired=repaired):
                yield RepairedInPort(
                    ship=ship, rule=rule, section=section.title, turns=turns, repaired=repaired
                )
            case RefuelReport(turns=turns, torpedoes=torpedoes, ammunition=ammunition):
                yield Refuelled(
                    ship=ship, rule=rule, turns=turns, torpedoes=torpedoes, ammunition=ammunition
                )
            case RepairReport(section=section, die=die, repaired=repaired):
                yield RepairTried(
                    ship=ship, rule=rule, section=section.title, die=die, repaired=repaired
                )


def _steps(before: AdvancedState, after: AdvancedState) -> Iterator[Event]:
    here, there = (
        (state.kind, state.phase.round_number, state.segment) for state in (before, after)
    )
    if here == there:
        return
    if after.kind is StepKind.ENDED:
        yield BattleEnded(reason=after.ending, rule="56")
    else:
        kind, round_number, segment = there
        yield StepBegan(rule="56", step=kind, round_number=round_number, segment=segment)
