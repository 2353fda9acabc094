"""What playing an action leads to: its events, and the marks of the ships that took part."""

from collections.abc import Iterator
from dataclasses import replace

from combat.actions import Action
from combat.dice import Dice
from combat.events import Acted, Concluded, Departed, Event, Sunk
from combat.free_play import Attempt, Result
from combat.rulebooks.bismarck_battle_board.actions import (
    MOST_MARKS,
    AirConvoyAttack,
    BreakOff,
    FlotillaAttack,
    FuelDamage,
    Gunfire,
    Marks,
    Movement,
    NewTurn,
    Placement,
    Reduction,
    Role,
    SubmarineConvoyAttack,
    Torpedoes,
    Withdrawal,
    WithdrawalMove,
)
from combat.rulebooks.bismarck_battle_board.checks import Checked
from combat.rulebooks.bismarck_battle_board.events import (
    Aimed,
    AmmunitionSpent,
    AttackResolved,
    EvasionLost,
    FlotillaLeft,
    FuelLost,
    MerchantsSunk,
    PartLost,
    SheetLeft,
    Stands,
    TorpedoesFired,
    TurnBegan,
    WithdrawalBegan,
    WithdrawalEnded,
)
from combat.rulebooks.bismarck_battle_board.gunnery import aim_of
from combat.rulebooks.bismarck_battle_board.maneuver import (
    run_place,
    run_withdrawal,
    ships_in_combat,
    stands_at,
    turns_of,
    way_of,
)
from combat.rulebooks.bismarck_battle_board.vessel import PARTS, Vessel
from combat.rulebooks.bismarck_battle_board.volley import Volley, Volleyed, run_volley
from combat.rulebooks.bismarck_data.rolls import rolled_events
from combat.tables import TableSet


def volley_result(
    attack: Attempt[Action, Vessel], acted: Acted, volley: Volley, dice: Dice
) -> Result[Marks]:
    """Roll an attack: what it does to the target, and what it costs the attacker."""
    rolled = run_volley(volley, dice)
    events = [*_begins(attack, acted), *_rolled(acted, rolled), _concluded(acted, rolled)]
    by, at, damage = attack.by, attack.at, rolled.damage

    def spent(marks: Marks) -> Marks:
        after = volley.spent(marks, rolled.opening)
        return replace(after, fuel_lost=min(MOST_MARKS, after.fuel_lost + damage.fuel))

    if by is not None:
        events += _attacker_events(attack, by, volley, rolled)
    if at is None:
        events += _own_endings(attack, acted, rolled)
        return Result(tuple(events), spent=spent)
    events += _target_events(at, rolled, volley, acted.ship)

    def suffered(marks: Marks) -> Marks:
        return volley.also_suffered(replace(at, marks=marks).hurt(damage).marks)

    return Result(tuple(events), spent=spent, suffered=suffered, at_once=volley.at_once)


def check_result(acted: Acted, checked: Checked) -> Result[Marks]:
    """What a few dice came to."""
    concluded = Concluded(
        ship=acted.ship, rule=acted.rule, hits=checked.hits, results=checked.results
    )
    rolls = rolled_events(acted, checked.throws)
    return Result((acted, *rolls, concluded, *checked.events), spent=checked.spent)


def place_result(
    attack: Attempt[Placement, Vessel], acted: Acted, dice: Dice, tables: TableSet
) -> Result[Marks]:
    """She takes her place."""
    place, edge, throws = run_place(attack, dice, tables)
    stands = Stands(
        ship=acted.ship,
        rule=acted.rule,
        edge=edge if throws else None,
        column=place.column,
        row=place.row,
        heading=place.heading,
    )
    comes = attack.action.role
    with_attackers = any(
        other.marks.attacker for other in attack.others if other.side == attack.actor.side
    )
    attacks = comes is Role.ATTACKER or (comes is Role.REINFORCEMENT and with_attackers)

    def placed(marks: Marks) -> Marks:
        return replace(stands_at(marks, place), attacker=attacks, edge=edge)

    return Result((acted, *rolled_events(acted, throws), stands), spent=placed)


def move_result(attack: Attempt[Movement, Vessel], acted: Acted) -> Result[Marks]:
    """Where her move takes her, where her place is known."""
    action, place = attack.action, attack.actor.place
    after = way_of(place, action)[-1] if place else None
    stands = Stands(
        ship=acted.ship,
        rule=acted.rule,
        hexes=action.hexes,
        turns=turns_of(action),
        column=after.column if after else None,
        row=after.row if after else None,
        heading=after.heading if after else None,
    )

    def moved(marks: Marks) -> Marks:
        return replace(stands_at(marks, after), moved=True, avoids_torpedoes=False)

    return Result((acted, stands), spent=moved)


def break_off_result(attack: Attempt[BreakOff, Vessel], acted: Acted) -> Result[Marks]:
    """Every ship that still fights has withdrawn (9.92)."""
    left = ships_in_combat(attack)
    events = [Departed(ship=each.id, rule="9.92") for each in left]
    return Result((acted, *events), others=dict.fromkeys((each.id for each in left), _gone))


def _gone(marks: Marks) -> Marks:
    return replace(marks, withdrawn=True, withdrawing=False)


def new_turn_result(attack: Attempt[NewTurn, Vessel], acted: Acted) -> Result[Marks]:
    """No combat is under way, and every ship may repair and refuel again."""
    ids = (each.id for each in attack.fleet)
    events = (acted, TurnBegan(rule=acted.rule))
    return Result(events, others=dict.fromkeys(ids, turn_ended))


def turn_ended(marks: Marks) -> Marks:
    """A ship's marks as the next turn begins: damage stays, and what was spent."""
    return replace(
        round_over(marks),
        withdrawing=False,
        withdrawn=False,
        entry_attempts=0,
        column=None,
        row=None,
        heading=None,
        attacker=False,
        edge=None,
        avoids_torpedoes=False,
        repaired=False,
        evasion_repaired=False,
        refuelled=False,
    )


def round_over(marks: Marks) -> Marks:
    """A ship's marks as the next round begins: moves, salvos, ammunition for them, turrets."""
    return replace(
        marks,
        moved=False,
        round_ammunition=0,
        round_shots=0,
        reduced=Reduction.NOT_ROLLED,
        bow_salvos=0,
        stern_salvos=0,
        bow_in_a_range=False,
        port_salvos=0,
        starboard_salvos=0,
    )


def withdraw_result(_attack: Attempt[Withdrawal, Vessel], acted: Acted) -> Result[Marks]:
    """She withdraws from now on."""
    began = WithdrawalBegan(ship=acted.ship, rule="9.94")
    return Result((acted, began), spent=lambda marks: replace(marks, withdrawing=True))


def withdrawal_result(
    attack: Attempt[WithdrawalMove, Vessel], acted: Acted, tables: TableSet
) -> Result[Marks]:
    """Her bonus move, and whether she has got away."""
    came_to = run_withdrawal(attack, tables)
    if came_to.held:
        ended = WithdrawalEnded(ship=acted.ship, rule="9.94")
        return Result((acted, ended), spent=lambda marks: replace(marks, withdrawing=False))
    place = came_to.place
    events: list[Event] = [acted]
    stands = Stands(
        ship=acted.ship,
        rule="9.95",
        hexes=1,
        turns=abs(attack.action.turn_entered),
        column=place.column if place else None,
        row=place.row if place else None,
        heading=place.heading if place else None,
    )
    events.append(stands)
    if came_to.escaped:
        events.append(Departed(ship=acted.ship, rule="9.97"))

    def moved(marks: Marks) -> Marks:
        after = stands_at(marks, place)
        return replace(after, withdrawn=True, withdrawing=False) if came_to.escaped else after

    return Result(tuple(events), spent=moved)


# Events of attacks


def _begins(attack: Attempt[Action, Vessel], acted: Acted) -> Iterator[Event]:
    yield acted
    action = attack.action
    if isinstance(action, Gunfire):
        aim = aim_of(Attempt(action, attack.round_number, attack.by, attack.at))
        yield Aimed(
            ship=acted.ship,
            target=acted.target,
            rule="9.61",
            hexes=aim.hexes,
            range=aim.range,
            sector=aim.sector,
            aspect=aim.aspect,
        )


def _rolled(acted: Acted, rolled: Volleyed) -> Iterator[Event]:
    yield from rolled_events(acted, rolled.opening.throws)
    yield from rolled.opening.events
    for number, each in enumerate(rolled.resolved, start=1):
        yield from rolled_events(acted, each.throws)
        yield AttackResolved(
            ship=acted.ship,
            target=acted.target,
            rule=acted.rule,
            number=number,
            damage=each.damage,
        )


def _concluded(acted: Acted, rolled: Volleyed) -> Concluded:
    hits = rolled.damage.hits
    return Concluded(ship=acted.ship, target=acted.target, rule=acted.rule, hits=hits)


def _attacker_events(
    attack: Attempt[Action, Vessel], by: Vessel, volley: Volley, rolled: Volleyed
) -> Iterator[Event]:
    after = replace(by, marks=volley.spent(by.marks, rolled.opening))
    if isinstance(attack.action, Torpedoes):
        yield TorpedoesFired(ship=by.id, rule="19.3")
    if isinstance(attack.action, FlotillaAttack):
        yield FlotillaLeft(
            ship=by.id, rule="23.64", destroyers=after.destroyers, salvos=after.torpedo_salvos
        )
        if after.sunk:
            yield Sunk(ship=by.id, target=by.id, rule="23.63")
    spent = after.marks.ammunition_spent - by.marks.ammunition_spent
    if spent and after.ammunition is not None:
        yield AmmunitionSpent(ship=by.id, rule="20.1", spent=spent, left=after.ammunition)


def _own_endings(
    attack: Attempt[Action, Vessel], acted: Acted, rolled: Volleyed
) -> Iterator[Event]:
    """What an attack on a convoy, or a roll for fuel, comes to."""
    damage = rolled.damage
    match attack.action:
        case FuelDamage():
            yield FuelLost(ship=acted.ship, rule="21", lost=damage.fuel)
        case AirConvoyAttack() | SubmarineConvoyAttack():
            escort = damage.hits - damage.merchants
            yield MerchantsSunk(rule="24.5", sunk=damage.merchants, escort_hits=escort)


def _target_events(
    target: Vessel, rolled: Volleyed, volley: Volley, ship: str | None
) -> Iterator[Event]:
    """What an attack leaves of a ship."""
    struck = target.hurt(rolled.damage)
    if target.is_flotilla:
        yield FlotillaLeft(
            ship=ship,
            target=target.id,
            rule="22.282",
            destroyers=struck.destroyers,
            salvos=struck.torpedo_salvos,
        )
    else:
        yield from _pad_events(target, struck, ship)
    spent = volley.also_suffered(target.marks).ammunition_spent - target.marks.ammunition_spent
    if spent and target.ammunition is not None:
        left = target.ammunition - spent
        yield AmmunitionSpent(ship=target.id, target=target.id, rule="20.4", spent=spent, left=left)
    if struck.sunk and not target.sunk:
        yield Sunk(ship=ship, target=target.id, rule="22.282" if target.is_flotilla else "9.714")


def _pad_events(target: Vessel, struck: Vessel, ship: str | None) -> Iterator[Event]:
    for part in PARTS:
        lost = struck.hits(part) - target.hits(part)
        if lost:
            left = struck.left(part)
            yield PartLost(
                ship=ship, target=target.id, rule="9.711", part=part, lost=lost, left=left
            )
    lost = target.evasion - struck.evasion
    if lost:
        before, after = target.marks, struck.marks
        yield EvasionLost(
            ship=ship,
            target=target.id,
            rule="9.72",
            lost=lost,
            for_good=after.evasion_lost_for_good - before.evasion_lost_for_good,
            left=struck.evasion,
        )
    yield SheetLeft(
        ship=ship,
        target=target.id,
        rule="9.71",
        midships=struck.left("midships"),
        bow=struck.salvos("bow"),
        stern=struck.salvos("stern"),
        port=struck.salvos("port"),
        starboard=struck.salvos("starboard"),
        evasion=struck.evasion,
        sunk=struck.sunk,
    )
