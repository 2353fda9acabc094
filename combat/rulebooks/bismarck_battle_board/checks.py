"""Rolls that attack no ship: reinforcements, repair, fuel, fighters, bombers and convoys."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from combat.dice import LAST_INDEX, Dice, Pair
from combat.events import Event
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import (
    FIRST_REINFORCED_ROUND,
    WHOLE_FLOTILLA,
    AirConvoyAttack,
    Convoy,
    EvasionRepair,
    FighterCombat,
    FuelDamage,
    LandBombers,
    Marks,
    Reinforcement,
    SalvoLoss,
    ShipConvoyAttack,
    SubmarineConvoyAttack,
)
from combat.rulebooks.bismarck_battle_board.air import may_fly
from combat.rulebooks.bismarck_battle_board.attack import (
    plain_line,
    strength,
    table_line,
    takes_part,
)
from combat.rulebooks.bismarck_battle_board.damage import NO_DAMAGE, Damage, cell_message
from combat.rulebooks.bismarck_battle_board.events import (
    AmmunitionSpent,
    Entered,
    EvasionRepaired,
    FightersLost,
    FlotillaLeft,
    MerchantsSunk,
    PlanesStopped,
)
from combat.rulebooks.bismarck_battle_board.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_battle_board.table_files import (
    AIR_CONVOY_ANTIAIRCRAFT,
    CONVOY_EVASIONS,
    CONVOY_ROWS,
    HITS_RECEIVED,
)
from combat.rulebooks.bismarck_battle_board.torpedoes import roll_salvo, salvos_fired
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.table_files import FIGHTERS, LAND_BOMBERS
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

Change = Callable[[Marks], Marks]
_ENTERS_ON: Final = 1
_FUEL_LOST_FROM: Final = 5
_MOST_ZONES_REPAIRED: Final = 1
_LAST_ON_CONVOY: Final = 4
_SLOWEST: Final = {Convoy.SLOW: 8, Convoy.FAST: 12, Convoy.BRITANNIC: 12}
"""The evasion that a ship needs to shadow and attack a convoy (24.36, 24.42)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What such a roll came to, and the dice it took."""

    throws: tuple[Throw, ...]
    results: tuple[Message, ...] = ()
    hits: int = 0
    """Rolls that succeeded, or merchant ships sunk."""
    events: tuple[Event, ...] = ()
    spent: Change | None = None


# Reinforcements


def reinforcement_strength(attack: Attempt[Reinforcement, Vessel], _tables: TableSet) -> Strength:
    """The die for entering, less one for each attempt before (9.41)."""
    ship = attack.actor
    takes_part(ship)
    if ship.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla", ship=ShipRef(ship.id)), "23.32")
    now = attack.action.round or attack.round_number or FIRST_REINFORCED_ROUND
    if now < FIRST_REINFORCED_ROUND:
        reason = Message("board.refused.too_early", round=FIRST_REINFORCED_ROUND)
        raise Forbidden(reason, "9.41")
    attempts = ship.marks.entry_attempts
    label = Message("board.modifier.attempts", n=attempts)
    lines = [plain_line("attempts", -attempts, label, "9.41")] if attempts else []
    return strength(1, "9.41", "dice", lines)


def run_reinforcement(
    attack: Attempt[Reinforcement, Vessel], modifier: int, dice: Dice, _tables: TableSet
) -> Checked:
    """A 1 or less lets her enter in the next round."""
    ship, purpose = attack.actor, Message("board.roll.reinforcement")
    die = dice.die(purpose)
    enters = die + modifier <= _ENTERS_ON
    words = Message("board.result.enters" if enters else "board.result.stays_out")
    throw = read(purpose, "9.41", die, words, modifier=modifier)
    events = (Entered(ship=ship.id, rule="9.41"),) if enters else ()

    def tried(marks: Marks) -> Marks:
        return replace(marks, entry_attempts=min(99, marks.entry_attempts + 1))

    results = (Message("board.outcome.entered"),) if enters else ()
    return Checked((throw,), results, int(enters), events, tried)


# Repair and fuel


def repair_strength(attack: Attempt[EvasionRepair, Vessel], _tables: TableSet) -> Strength:
    """The evasion that a repair can bring back (9.722, 9.723, 9.728)."""
    ship = attack.actor
    if ship.sunk:
        raise Forbidden(Message("board.refused.sunk", ship=ShipRef(ship.id)), "9.714")
    if ship.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla", ship=ShipRef(ship.id)), "9.728")
    if attack.action.zones_moved > _MOST_ZONES_REPAIRED:
        raise Forbidden(Message("board.refused.moved_zones", n=_MOST_ZONES_REPAIRED), "9.728")
    lost = _to_regain(attack)
    if not lost:
        reason = Message("board.refused.nothing_to_repair", ship=ShipRef(ship.id))
        raise Forbidden(reason, "9.728")
    return strength(lost, "9.728", "evasion_to_regain")


def run_repair(
    attack: Attempt[EvasionRepair, Vessel], _modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """One die on the Evasion Rating Repair Table."""
    ship, purpose = attack.actor, Message("board.roll.repair")
    die = dice.die(purpose)
    cell = tables["evasion_repair"].cell(str(die), "evasion")
    gained = min(_to_regain(attack), int(cell.value))
    throw = read(purpose, "9.728", die, Message("board.result.regains", n=gained), cell)
    left = min(ship.number("evasion"), ship.evasion + gained)
    event = EvasionRepaired(ship=ship.id, rule="9.728", regained=gained, left=left)

    def repaired(marks: Marks) -> Marks:
        lost = max(marks.evasion_lost_for_good, marks.evasion_lost - gained)
        return replace(marks, evasion_lost=lost)

    results = (Message("board.outcome.regained", n=gained),)
    return Checked((throw,), results, int(gained > 0), (event,), repaired)


def _to_regain(attack: Attempt[EvasionRepair, Vessel]) -> int:
    """The evasion that was lost for a time."""
    stated, marks = attack.action.evasion_to_regain, attack.actor.marks
    return marks.evasion_lost - marks.evasion_lost_for_good if stated is None else stated


def fuel_strength(attack: Attempt[FuelDamage, Vessel], _tables: TableSet) -> Strength:
    """A die for each midships hit."""
    ship = attack.actor
    takes_part(ship)
    if attack.action.midships_hits > max(1, ship.marks.midships_hits):
        most = ship.marks.midships_hits
        reason = Message("board.refused.midships_hits", ship=ShipRef(ship.id), most=most)
        raise Forbidden(reason, "21")
    return strength(attack.action.midships_hits, "21", "dice")


@dataclass(frozen=True, slots=True)
class FuelVolley(Volley):
    """A die for each midships hit by shell or torpedo."""

    attack: Attempt[FuelDamage, Vessel]

    def opening(self, dice: Dice) -> Opening:  # noqa: ARG002 - nothing is rolled first
        """The hits."""
        return Opening(self.attack.action.midships_hits)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """A 5 or a 6 costs a fuel factor (21)."""
        purpose = Message("board.roll.fuel", number=number, count=count)
        die = dice.die(purpose)
        lost = int(die >= _FUEL_LOST_FROM)
        words = Message("board.result.fuel", n=lost)
        return Resolved((read(purpose, "21", die, words),), Damage(hits=lost, fuel=lost))


# Aircraft


def land_strength(attack: Attempt[LandBombers, Vessel], _tables: TableSet) -> Strength:
    """The range to the base and the visibility together (27.36)."""
    action = attack.action
    return strength(action.zones_to_base + action.visibility, "27.36", "range_and_visibility")


def run_land(
    attack: Attempt[LandBombers, Vessel], _modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """Two dice on the Land-Based Bomber Strength Table."""
    action, table = attack.action, tables["land_bombers"]
    purpose = Message("board.roll.land_bombers")
    pair = dice.pair(purpose)
    column = LAND_BOMBERS.name_of(action.zones_to_base + action.visibility)
    cell = table.cell(sum_row(pair), column)
    told = Message("board.result.planes", n=int(cell.value))
    return Checked((read(purpose, "27.36", pair, told, cell),), (told,))


def fighter_strength(attack: Attempt[FighterCombat, Vessel], _tables: TableSet) -> Strength:
    """The fighters on patrol that escorts do not hold (28.81)."""
    free = max(0, attack.action.patrol - attack.action.escorts)
    return strength(free, "28.81", "free_fighters")


def run_fighters(
    attack: Attempt[FighterCombat, Vessel], _modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """Fighters against fighters, both ways, then those left against the bombers (28.8, 29.3)."""
    action, throws = attack.action, list[Throw]()
    held, free = min(action.patrol, action.escorts), max(0, action.patrol - action.escorts)
    lost = {"patrol": 0, "escorts": 0}
    if held:
        for loser, own, others in (
            ("escorts", action.escorts, action.patrol),
            ("patrol", action.patrol, action.escorts),
        ):
            # "If opposing fighter strength is greater, subtract one": the attacker is outnumbered.
            modifier = -1 if own > others else 0
            purpose = Message(f"board.roll.fighters_{loser}")
            die, table = dice.die(purpose), tables["fighters_against_fighters"]
            cell = table.cell(str(max(1, die + modifier)), FIGHTERS.name_of(others))
            lost[loser] = min(own, int(cell.value))
            words = Message("board.result.planes_lost", n=lost[loser])
            throws.append(read(purpose, "29.3", die, words, cell, modifier=modifier))
    stopped, shot_down = min(action.bomber_planes, 2 * free), 0
    if stopped:
        purpose = Message("board.roll.bombers_lost")
        die, table = dice.die(purpose), tables["fighters_against_bombers"]
        cell = table.cell(str(die), FIGHTERS.name_of(free))
        shot_down = min(stopped, int(cell.value))
        words = Message("board.result.planes_lost", n=shot_down)
        throws.append(read(purpose, "29.3", die, words, cell))
    through = action.bomber_planes - stopped
    events = (
        FightersLost(rule="29.3", patrol=lost["patrol"], escorts=lost["escorts"]),
        PlanesStopped(rule="28.82", stopped=stopped, lost=shot_down, through=through),
    )
    results = (Message("board.outcome.bombers_lost", n=shot_down),)
    return Checked(tuple(throws), results, 0, events)


# Convoys


def air_convoy_strength(attack: Attempt[AirConvoyAttack, Vessel], _tables: TableSet) -> Strength:
    """The planes that attack; the anti-aircraft strength is a column of the table (24.53)."""
    action = attack.action
    may_fly(action.visibility, "24.43", night=action.night)
    if action.dispersed and (action.destroyers or action.escort_antiaircraft):
        raise Forbidden(Message("board.refused.dispersed_escort"), "24.64")
    return strength(action.planes, "24.53", "planes")


@dataclass(frozen=True, slots=True)
class AirConvoyVolley(Volley):
    """Planes against the merchant ships of a convoy: two dice each."""

    attack: Attempt[AirConvoyAttack, Vessel]
    tables: TableSet

    def opening(self, dice: Dice) -> Opening:  # noqa: ARG002 - nothing is rolled first
        """The planes."""
        return Opening(self.attack.action.planes)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """One plane on the Air/Convoy Attack Table."""
        action, table = self.attack.action, self.tables["air_convoy"]
        # A convoy has 1 of its own, half of it (rounded down) when it is dispersed (24.63).
        strong = int(not action.dispersed) + action.destroyers + action.escort_antiaircraft
        purpose = Message("board.roll.plane", number=number, count=count)
        pair = dice.pair(purpose)
        cell = table.cell(sum_row(pair), AIR_CONVOY_ANTIAIRCRAFT.name_of(strong))
        throw = read(purpose, "24.53", pair, cell_message(cell.value), cell)
        hit = int(cell.value == "hit")
        return Resolved((throw,), Damage(hits=hit, merchants=hit))


@dataclass(frozen=True, slots=True)
class SubmarineConvoyVolley(Volley):
    """The salvos of a submarine counter at a convoy (22.26, 22.283)."""

    attack: Attempt[SubmarineConvoyAttack, Vessel]
    antisubmarine: int
    tables: TableSet

    def opening(self, dice: Dice) -> Opening:
        """Roll on the Submarine Attack Table."""
        return salvos_fired(self.attack.action, self.antisubmarine, dice, self.tables)

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """One salvo, and whether its hit is the escort's (Torpedo Damage Table, note 1)."""
        action = self.attack.action
        column = self.tables["convoy_speeds"].text(action.convoy, "column")
        hit, throw = roll_salvo(dice, column, self.tables, number, count)
        if not hit:
            return Resolved((throw,), NO_DAMAGE)
        if not action.escorted:
            return Resolved((throw,), Damage(hits=1, merchants=1))
        purpose = Message("board.roll.convoy_or_escort")
        die = dice.die(purpose)
        convoy = die <= _LAST_ON_CONVOY
        words = Message("board.result.hit_convoy" if convoy else "board.result.hit_escort")
        after = read(purpose, "22.283", die, words)
        return Resolved((throw, after), Damage(hits=1, merchants=int(convoy)))


def ship_convoy_strength(attack: Attempt[ShipConvoyAttack, Vessel], tables: TableSet) -> Strength:
    """The hits that she took from the escort, and what is added to the dice (24.52)."""
    action, ship = attack.action, attack.actor
    takes_part(ship)
    if ship.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla", ship=ShipRef(ship.id)), "24.42")
    if not action.escort_gone:
        raise Forbidden(Message("board.refused.escort"), "24.52")
    if ship.evasion < _SLOWEST[action.convoy]:
        reason = Message(
            "board.refused.convoy_speed", ship=ShipRef(ship.id), least=_SLOWEST[action.convoy]
        )
        raise Forbidden(reason, "24.42")
    if action.convoy is Convoy.BRITANNIC and action.dispersed:
        raise Forbidden(Message("board.refused.britannic"), "24.71")
    table = tables["convoy_modifiers"]
    label = Message("board.modifier.evasion", evasion=ship.evasion)
    row = f"evasion {CONVOY_EVASIONS.name_of(ship.evasion)}"
    lines = [table_line(table, row, "value", label)]
    if action.dispersed:
        lines.append(table_line(table, "dispersed", "value", Message("board.modifier.dispersed")))
    return strength(action.hits_received, "24.52", "hits_received", lines)


def run_ship_convoy(
    attack: Attempt[ShipConvoyAttack, Vessel], modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """Two dice, coloured then white, on the Ship/Convoy Attack Table."""
    action, ship, table = attack.action, attack.actor, tables["ship_convoy"]
    purpose = Message("board.roll.ship_convoy")
    pair = dice.pair(purpose)
    index = min(LAST_INDEX, max(1, pair.index + modifier))
    row = _convoy_row(index)
    cell = table.cell(row, HITS_RECEIVED.name_of(action.hits_received))
    sunk = int(cell.value)
    words = Message("board.result.merchants_in_row", row=row, n=sunk)
    throw = read(purpose, "24.52", pair, words, cell, tens=True)
    events: list[Event] = [MerchantsSunk(ship=ship.id, rule="24.52", sunk=sunk)]
    left = ship.ammunition
    cost = 0 if left is None else min(left, sunk)
    if cost and left is not None:
        rule = "20.3"
        events.append(AmmunitionSpent(ship=ship.id, rule=rule, spent=cost, left=left - cost))

    def spent(marks: Marks) -> Marks:
        return replace(marks, ammunition_spent=marks.ammunition_spent + cost)

    results = (Message("board.outcome.merchants", n=sunk),)
    return Checked((throw,), results, sunk, tuple(events), spent if cost else None)


def _convoy_row(index: int) -> str:
    """The row of an index, which counts the rolls from 1-1 to 6-6."""
    return next(row for row, last in CONVOY_ROWS.items() if index <= last.index)


# Flotillas


def salvo_loss_strength(attack: Attempt[SalvoLoss, Vessel], tables: TableSet) -> Strength:
    """The salvos that were not fired before the last destroyer was lost (23.45, 23.46)."""
    flotilla = attack.actor
    if not flotilla.is_flotilla:
        raise Forbidden(Message("board.refused.no_flotilla", ship=ShipRef(flotilla.id)), "23.45")
    salvos, destroyers = _before_the_loss(attack)
    cell = tables["torpedo_loss"].cell(str(max(1, salvos)), str(destroyers))
    any_lost = attack.action.destroyers_before or flotilla.marks.destroyers_lost
    if not any_lost or not salvos or cell.value == "-":
        reason = Message("board.refused.no_salvo_at_risk", ship=ShipRef(flotilla.id))
        raise Forbidden(reason, "23.45")
    return strength(salvos, "23.45", "salvos", (), [cell])


def _before_the_loss(attack: Attempt[SalvoLoss, Vessel]) -> tuple[int, int]:
    """Her unfired salvos and her destroyers before the last of those that are lost."""
    flotilla, action = attack.actor, attack.action
    destroyers = action.destroyers_before or min(WHOLE_FLOTILLA, flotilla.destroyers + 1)
    unfired = max(0, flotilla.number("destroyers") - flotilla.marks.salvos_spent)
    return min(unfired, destroyers) if action.unfired is None else action.unfired, destroyers


def run_salvo_loss(
    attack: Attempt[SalvoLoss, Vessel], _modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """Two dice against the Torpedo Loss Table; as many salvos as destroyers lose one for sure."""
    flotilla = attack.actor
    salvos, destroyers = _before_the_loss(attack)
    cell = tables["torpedo_loss"].cell(str(salvos), str(destroyers))
    throws: tuple[Throw, ...] = ()
    lost = cell.value == "A"
    if not lost:
        purpose = Message("board.roll.salvo_loss", limit=cell.value)
        pair = dice.pair(purpose)
        lost = pair.index <= Pair(*map(int, cell.value)).index
        words = Message("board.result.salvo_lost" if lost else "board.result.salvo_kept")
        throws = (read(purpose, "23.45", pair, words, cell, tens=True),)

    def marked(marks: Marks) -> Marks:
        most = flotilla.number("destroyers")
        return replace(marks, salvos_spent=min(most, marks.salvos_spent + int(lost)))

    after = replace(flotilla, marks=marked(flotilla.marks))
    event = FlotillaLeft(
        ship=flotilla.id, rule="23.45", destroyers=after.destroyers, salvos=after.torpedo_salvos
    )
    results = (Message("board.outcome.salvo_lost"),) if lost else ()
    return Checked(throws, results, int(lost), (event,), marked)
