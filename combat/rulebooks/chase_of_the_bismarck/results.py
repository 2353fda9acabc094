"""The results of actions: their events, and the marks of their ships."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from combat.actions import Action
from combat.dice import Dice
from combat.event_reports import begin_events, rolled_events
from combat.events import Acted, Concluded, Departed, Event, Sunk
from combat.free_play import Attempt, Result
from combat.rulebooks.chase_of_the_bismarck.actions import (
    Abort,
    Attackers,
    ConvoyAttack,
    Gunfire,
    Marks,
    Movement,
    Refuel,
    Reinforcement,
    Repair,
    Start,
    SubmarineTarget,
    TankerCaught,
    Torpedoes,
)
from combat.rulebooks.chase_of_the_bismarck.board import (
    Counter,
    Position,
    movement_zones,
    range_of,
    reinforcement_zone,
)
from combat.rulebooks.chase_of_the_bismarck.chance import ChanceAction, run_chance
from combat.rulebooks.chase_of_the_bismarck.checks import (
    CheckAction,
    class_message,
    run_check,
    run_found,
)
from combat.rulebooks.chase_of_the_bismarck.damage import NO_DAMAGE, Damage
from combat.rulebooks.chase_of_the_bismarck.events import (
    CardLeft,
    ClassRevealed,
    ConvoyFound,
    DieResolved,
    Engaged,
    Entered,
    EvasionLost,
    FireControlOut,
    FuelLost,
    HeldUp,
    MovementReduced,
    PartLost,
    Placed,
    RadarOut,
    RudderOut,
    Stands,
    TargetAcquired,
    TorpedoesUsed,
)
from combat.rulebooks.chase_of_the_bismarck.maneuver import RelativePosition
from combat.rulebooks.chase_of_the_bismarck.prizes import run_attack
from combat.rulebooks.chase_of_the_bismarck.stations import (
    counters_of,
    is_german,
    placed,
    starters,
    with_counter,
)
from combat.rulebooks.chase_of_the_bismarck.strike import AttackDie, Strike, run_strike
from combat.rulebooks.chase_of_the_bismarck.upkeep import run_refuel, run_repair
from combat.rulebooks.chase_of_the_bismarck.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message

Change = Callable[[Marks], Marks]


def strike_result(
    attack: Attempt[Strike, Vessel], acted: Acted, strength: Strength, dice: Dice, tables: TableSet
) -> Result[Marks]:
    """Roll an attack: its effect on the target, and the firer's own marks."""
    action, target = attack.action, attack.victim
    rolls = run_strike(attack, strength, dice, tables)
    damage = sum((roll.damage for roll in rolls), NO_DAMAGE)
    events = [*_strike_begins(attack, acted, tables), *_rolled(acted, rolls)]
    events.append(Concluded(ship=acted.ship, target=target.id, rule=acted.rule, hits=damage.hits))
    spent: Change | None = None
    from_next_round: Change | None = None
    if isinstance(action, Torpedoes):
        used, left = strength.factor, attack.actor.left("torpedoes") - strength.factor
        spent = partial(_launched, used=used, on_board=attack.actor.marks.zone is not None)
        events.append(TorpedoesUsed(ship=acted.ship, rule="10, step 1", used=used, left=left))
    elif isinstance(action, Gunfire):
        spent = _fired if attack.actor.marks.zone is not None else None
        from_next_round = partial(_aimed, target=target.id, hit=damage.hits > 0)
        if damage.hits and target.id not in attack.actor.marks.acquired:
            events.append(TargetAcquired(ship=acted.ship, target=target.id, rule="10, step 2"))
    events.extend(_target_events(target, damage, acted.ship, tables))
    return Result(
        tuple(events),
        spent=spent,
        from_next_round=from_next_round,
        suffered=lambda marks: replace(target, marks=marks).with_damage(damage).marks,
    )


def check_result(
    attack: Attempt[CheckAction, Vessel],
    acted: Acted,
    strength: Strength,
    dice: Dice,
    tables: TableSet,
) -> Result[Marks]:
    """Roll one die against its limit."""
    action, checked = attack.action, run_check(attack, strength, dice, tables)
    hits = int(checked.passed)
    events = [
        *begin_events(acted, checked.throws),
        Concluded(ship=acted.ship, rule=acted.rule, hits=hits, results=checked.outcome),
    ]
    left = isinstance(action, Abort) and checked.passed
    if left:
        events.append(Departed(ship=acted.ship, rule="10, step 5"))
    if isinstance(action, Reinforcement) and checked.passed:
        zone = reinforcement_zone(action.visibility, attacker=True)
        events.append(Entered(ship=acted.ship, rule="10, step 6", zone=zone))
    if isinstance(action, Reinforcement) and counters_of(attack.fleet):
        return Result(
            tuple(events),
            spent=partial(_tried, attack=attack, level=action.visibility, entered=checked.passed),
        )
    if isinstance(action, Abort) and not left and attack.actor.marks.zone is not None:
        return Result(tuple(events), spent=_tried_to_abort)
    return Result(tuple(events), spent=_departed if left else None)


def chance_result(
    attack: Attempt[ChanceAction, Vessel],
    acted: Acted,
    strength: Strength,
    dice: Dice,
    tables: TableSet,
) -> Result[Marks]:
    """Roll for what the Chance Phase brings."""
    rolled = run_chance(attack, strength, dice, tables)
    concluded = Concluded(
        ship=acted.ship, rule=acted.rule, hits=int(rolled.passed), results=rolled.outcome
    )
    events = (*begin_events(acted, rolled.throws), concluded)
    if not rolled.convoy:
        return Result(events)
    found = ConvoyFound(ship=acted.ship, rule="11.3", convoy=rolled.convoy)
    return Result((*events, found), spent=partial(_located, convoy=rolled.convoy))


def _located(marks: Marks, *, convoy: str) -> Marks:
    return replace(marks, convoys_found=marks.convoys_found | {convoy})


def prize_result(
    attack: Attempt[ConvoyAttack, Vessel], acted: Acted, dice: Dice, tables: TableSet
) -> Result[Marks]:
    """A convoy or a merchant ship is sunk."""
    throws, taken, marked = run_attack(attack, dice, tables)
    concluded = Concluded(ship=acted.ship, rule=acted.rule, hits=1)
    return Result((*begin_events(acted, throws), concluded, taken), spent=marked)


def repair_result(
    attack: Attempt[Repair, Vessel], acted: Acted, strength: Strength, dice: Dice, tables: TableSet
) -> Result[Marks]:
    """Roll a repair at sea."""
    rolled, repaired, mended = run_repair(attack, strength.ledger.total, dice, tables)
    concluded = Concluded(
        ship=acted.ship, rule=acted.rule, hits=int(rolled.passed), results=rolled.outcome
    )
    return Result((*begin_events(acted, rolled.throws), concluded, repaired), spent=mended)


def refuel_result(
    attack: Attempt[Refuel, Vessel], acted: Acted, strength: Strength
) -> Result[Marks]:
    """Fuel and torpedoes are taken on."""
    refuelled, filled = run_refuel(attack, strength)
    concluded = Concluded(ship=acted.ship, rule=acted.rule, hits=1)
    return Result((acted, concluded, refuelled), spent=filled)


def caught_result(attack: Attempt[TankerCaught, Vessel], acted: Acted) -> Result[Marks]:
    """The tanker is sunk, and costs a victory point."""
    target = attack.actor
    sinks = replace(NO_DAMAGE, sunk=1)
    concluded = Concluded(
        ship=target.id,
        rule=acted.rule,
        hits=1,
        results=(Message("chase.result.caught"),),
    )
    return Result(
        (acted, concluded, Sunk(ship=target.id, rule=acted.rule)),
        spent=lambda marks: replace(target, marks=marks).with_damage(sinks).marks,
    )


def found_result(
    attack: Attempt[SubmarineTarget, Vessel], acted: Acted, dice: Dice, tables: TableSet
) -> Result[Marks]:
    """Roll for the class of ship that a submarine finds."""
    found = run_found(attack, dice, tables)
    return Result(
        (
            *begin_events(acted, found.throws),
            Concluded(rule=acted.rule, hits=1, results=(class_message(found.ship_class),)),
            ClassRevealed(rule="11.1", ship_class=found.ship_class),
        )
    )


def position_result(
    attack: Attempt[Start | Movement, Vessel],
    acted: Acted,
    standing: RelativePosition,
    tables: TableSet,
) -> Result[Marks]:
    """The new places; no die is rolled."""
    action, between = attack.action, standing.between
    stands = Stands(
        ship=acted.ship,
        rule=acted.rule,
        zone=standing.zone,
        position=action.new_position if isinstance(action, Movement) else None,
        enemy_zone=standing.enemy_zone,
        zones_between=between,
        range=None if between is None else range_of(between, tables),
        shifted=standing.shifted,
        held_up=standing.held_up,
    )
    if isinstance(action, Start):
        if action.attackers is Attackers.NONE:
            return Result((acted, stands))
        after = {each.id: placed(each, action, attack.round_number) for each in starters(attack)}
        places = tuple(
            Placed(ship=ship, rule="10", zone=marks.zone or 0, position=str(marks.position))
            for ship, marks in after.items()
        )
        return Result(
            (acted, stands, *places),
            others={ship: partial(_replaced, after=marks) for ship, marks in after.items()},
        )
    if not standing.board:
        return Result((acted, stands))
    return _moved_result(attack, (acted, stands), standing.board)


def _replaced(_before: Marks, *, after: Marks) -> Marks:
    return after


def _moved_result(
    attack: Attempt[Action, Vessel], events: tuple[Event, ...], board: tuple[Counter, ...]
) -> Result[Marks]:
    """A move on the board, with what its shift does to the others."""
    after = {each.name: each for each in board}
    more: list[Event] = []
    others: dict[str, Change] = {}
    for before in counters_of(attack.fleet):
        now = after.get(before.name)
        # Whose turn has passed has not moved: only her turn is gone.
        now = replace(now, moved=before.moved) if now else None
        if before.name == attack.actor.id or now == before:
            continue
        others[before.name] = partial(with_counter, counter=now)
        if now is None:
            more.append(Departed(ship=before.name, rule="10, step 4"))
        elif now.held_up > before.held_up:
            more.append(HeldUp(ship=before.name, rule="10, step 4", zones=now.held_up))
    return Result(
        (*events, *more),
        spent=partial(with_counter, counter=after[attack.actor.id]),
        others=others,
    )


def _launched(marks: Marks, *, used: int, on_board: bool) -> Marks:
    assigned = (marks.torpedoes_assigned or 0) + used
    return replace(
        marks,
        torpedoes_used=marks.torpedoes_used + used,
        torpedoes_assigned=assigned if on_board else None,
    )


def _fired(marks: Marks) -> Marks:
    return replace(marks, fired=True)


def _aimed(marks: Marks, *, target: str, hit: bool) -> Marks:
    """Any result but a miss acquires a target; firing at another loses it (10, step 2)."""
    aimed_at = frozenset([target])
    return replace(marks, acquired=aimed_at if hit else marks.acquired & aimed_at)


def _departed(marks: Marks) -> Marks:
    tried = True if marks.zone is not None else None
    return replace(with_counter(marks, None), tried_to_abort=tried)


def _tried_to_abort(marks: Marks) -> Marks:
    return replace(marks, tried_to_abort=True)


def _tried(marks: Marks, *, attack: Attempt[Action, Vessel], level: int, entered: bool) -> Marks:
    """A reinforcement rolls once a round; when she enters she is on the board, closing."""
    if not entered:
        return replace(marks, tried_to_enter=True)
    others = [each for each in attack.fleet if each.marks.zone is not None]
    german = is_german(attack.actor)
    attacker = next(
        (bool(each.marks.attacker) for each in others if is_german(each) == german),
        not others[0].marks.attacker,
    )
    return replace(
        marks,
        zone=reinforcement_zone(level, attacker=True),
        position=Position.CLOSING,
        attacker=attacker,
        visibility=level,
        began=others[0].marks.began,
        tried_to_enter=True,
    )


def _strike_begins(
    attack: Attempt[Strike, Vessel], acted: Acted, tables: TableSet
) -> Iterator[Event]:
    yield acted
    action = attack.action
    if isinstance(action, Gunfire | Torpedoes):
        yield Engaged(
            ship=acted.ship,
            target=acted.target,
            rule="10",
            range=range_of(action.zones_between, tables),
            position=action.firer_position,
            target_position=action.target_position,
        )


def _rolled(acted: Acted, rolls: Sequence[AttackDie]) -> Iterator[Event]:
    for number, roll in enumerate(rolls, start=1):
        yield from rolled_events(acted, roll.throws)
        yield DieResolved(
            ship=acted.ship,
            target=acted.target,
            rule=acted.rule,
            number=number,
            damage=roll.damage,
        )


def _target_events(
    target: Vessel, damage: Damage, ship: str | None, tables: TableSet
) -> Iterator[Event]:
    """The events of an attack's effect on a ship."""
    struck = target.with_damage(damage)
    for part in ("hull", "bow", "stern", "secondary"):
        left = struck.left(part)
        lost = target.left(part) - left
        if lost:
            yield PartLost(ship=ship, target=target.id, rule="2.4", part=part, lost=lost, left=left)
    before, after = target.marks, struck.marks
    evasion = struck.left("evasion")
    lost = target.left("evasion") - evasion
    if lost:
        yield EvasionLost(ship=ship, target=target.id, rule="10, step 2", lost=lost, left=evasion)
    if after.fire_control_damaged and not before.fire_control_damaged:
        yield FireControlOut(ship=ship, target=target.id, rule="9; 10, step 2")
    if after.radar_damaged and not before.radar_damaged:
        yield RadarOut(ship=ship, target=target.id, rule="10, step 2")
    if after.rudder_damaged and not before.rudder_damaged:
        yield RudderOut(ship=ship, target=target.id, rule="9")
    if damage.fuel:
        yield FuelLost(ship=ship, target=target.id, rule="10, step 2", points=damage.fuel)
    yield CardLeft(
        ship=ship,
        target=target.id,
        rule="2.4",
        hull=struck.left("hull"),
        bow=struck.left("bow"),
        stern=struck.left("stern"),
        secondary=struck.left("secondary"),
        evasion=evasion,
    )
    if struck.agility != target.agility:
        zones = movement_zones(struck.agility, tables)
        yield MovementReduced(ship=ship, target=target.id, rule="10, Movement Table", zones=zones)
    if struck.sunk and not target.sunk:
        yield Sunk(ship=ship, target=target.id, rule="2.4")
