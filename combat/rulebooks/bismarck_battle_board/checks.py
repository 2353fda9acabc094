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
    Level,
    Marks,
    Refuelling,
    Reinforcement,
    Repair,
    RepairSection,
    SalvoLoss,
    ShipConvoyAttack,
    SubmarineConvoyAttack,
    SurpriseAttack,
)
from combat.rulebooks.bismarck_battle_board.attack import (
    enemies,
    in_naval_combat,
    needs_ammunition,
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
    Refuelled,
    SectionRepaired,
    Surprised,
)
from combat.rulebooks.bismarck_battle_board.table_files import (
    AIR_CONVOY_ANTIAIRCRAFT,
    CONVOY_EVASIONS,
    CONVOY_ROWS,
    HITS_RECEIVED,
)
from combat.rulebooks.bismarck_battle_board.torpedoes import roll_salvo, salvos_fired
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.air_waves import check_weather, land_bombers, planes_words
from combat.rulebooks.bismarck_data.events import PlanesStopped
from combat.rulebooks.bismarck_data.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_data.table_files import ALL, FIGHTERS, UNSUCCESSFUL
from combat.ships import ShipClass
from combat.strength import Strength
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

Change = Callable[[Marks], Marks]
_ENTERS_ON: Final = 1
_FUEL_LOST_FROM: Final = 5
_LAST_ON_DIVE: Final = 3
"""The highest die on which a fighter attacks dive or torpedo bombers, not level bombers (28.82)."""
_NIGHT_AS: Final = 5
"""What night adds to the visibility in a surprise attack (41.3)."""
_SURPRISED: Final = 1
_WORST_FOR_SURPRISE: Final = 5
_REFUELLED: Final = 8
"""Ammunition factors of a turn of refuelling (20.6)."""
_GUN_BOXES_IN_PORT: Final = 2
_MOST_ZONES_REPAIRED: Final = 1
_LAST_ON_CONVOY: Final = 4
_SECONDARY_REPAIR: Final = ("secondary_repair_at_sea", "boxes")
_REPAIR_TABLES: Final = {
    RepairSection.MIDSHIPS: ("repair_at_sea", "midships"),
    RepairSection.BOW: ("repair_at_sea", "turret"),
    RepairSection.STERN: ("repair_at_sea", "turret"),
    RepairSection.PORT: _SECONDARY_REPAIR,
    RepairSection.STARBOARD: _SECONDARY_REPAIR,
}
"""The table and column of the Repair at Sea Table for each section."""
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
    if ship.card.ship_class is ShipClass.CARRIER:
        raise Forbidden(Message("board.refused.carrier_attacks", ship=ShipRef(ship.id)), "9.43")
    foes = [enemy for enemy in enemies(attack) if enemy.place]
    if foes and not attack.action.accepted and ship.evasion < min(e.evasion for e in foes):
        raise Forbidden(Message("board.refused.too_slow_to_attack", ship=ShipRef(ship.id)), "9.43")
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
    if ship.marks.evasion_repaired:
        raise Forbidden(Message("board.refused.tried", ship=ShipRef(ship.id)), "9.728")
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
        return replace(marks, evasion_lost=lost, evasion_repaired=True)

    results = (Message("board.outcome.regained", n=gained),)
    return Checked((throw,), results, int(gained > 0), (event,), repaired)


def _to_regain(attack: Attempt[EvasionRepair, Vessel]) -> int:
    """The evasion that was lost for a time."""
    stated, marks = attack.action.evasion_to_regain, attack.actor.marks
    return marks.evasion_lost - marks.evasion_lost_for_good if stated is None else stated


def section_strength(attack: Attempt[Repair, Vessel], _tables: TableSet) -> Strength:
    """The boxes of a section that can be repaired: at sea not the first, nor solid ones (40)."""
    ship, action = attack.actor, attack.action
    ref = ShipRef(ship.id)
    if ship.sunk:
        raise Forbidden(Message("board.refused.sunk", ship=ref), "9.714")
    if ship.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla", ship=ref), "40.1")
    if ship.marks.repaired:
        raise Forbidden(Message("board.refused.tried", ship=ref), "40.1")
    if action.zones_moved > _MOST_ZONES_REPAIRED:
        raise Forbidden(Message("board.refused.moved_zones", n=_MOST_ZONES_REPAIRED), "40.6")
    section = Message(f"board.part.{action.section}")
    hits, solid = ship.hits(action.section), ship.solid(action.section)
    if not hits:
        raise Forbidden(Message("board.refused.unhurt", ship=ref, section=section), "40.2")
    within_reach = _repairable(attack)
    if not within_reach:
        words, rule = ("failed_before", "40.3") if solid else ("first_box", "40.4")
        raise Forbidden(Message(f"board.refused.{words}", section=section), rule)
    return strength(within_reach, "40.2", "boxes")


def _repairable(attack: Attempt[Repair, Vessel]) -> int:
    ship, section = attack.actor, attack.action.section
    if attack.action.in_port:
        return ship.hits(section)
    return max(0, ship.hits(section) - max(1, ship.solid(section)))


def run_section(
    attack: Attempt[Repair, Vessel], _modifier: int, dice: Dice, tables: TableSet
) -> Checked:
    """One die on the Repair at Sea Table; in port no die is needed (40.3, 40.5)."""
    ship, section = attack.actor, attack.action.section
    midships, throws = section is RepairSection.MIDSHIPS, tuple[Throw, ...]()
    if attack.action.in_port:
        mended, solid = min(_repairable(attack), 1 if midships else _GUN_BOXES_IN_PORT), 0
    else:
        purpose = Message("board.roll.section", section=Message(f"board.part.{section}"))
        die = dice.die(purpose)
        name, column = _REPAIR_TABLES[section]
        cell = tables[name].cell(str(die), column)
        solid = ship.solid(section)
        if cell.value == UNSUCCESSFUL:
            mended, solid = 0, ship.hits(section)
        elif cell.value == ALL:
            mended = _repairable(attack)
        else:
            # The note to the table: any excess is ignored.
            mended = min(_repairable(attack), int(cell.value))
        words = Message("board.result.boxes" if mended else "board.result.unrepaired", n=mended)
        throws = (read(purpose, "40.3", die, words, cell),)
    left = ship.hits(section) - mended
    event = SectionRepaired(
        ship=ship.id, rule="40.5" if attack.action.in_port else "40.3",
        section=section.value, repaired=mended, marked=left,
    )  # fmt: skip

    def repaired(marks: Marks) -> Marks:
        after = replace(ship, marks=marks).with_hits(section, left, min(solid, left))
        return replace(after, repaired=True)

    results = (Message("board.outcome.boxes", n=mended),)
    return Checked(throws, results, int(mended > 0), (event,), repaired)


def refuel_strength(attack: Attempt[Refuelling, Vessel], _tables: TableSet) -> Strength:
    """The ammunition factors that a turn of refuelling brings (20.6)."""
    ship = attack.actor
    ref = ShipRef(ship.id)
    if ship.sunk:
        raise Forbidden(Message("board.refused.sunk", ship=ref), "9.714")
    if ship.is_flotilla:
        raise Forbidden(Message("board.refused.flotilla_refuels", ship=ref), "23.42")
    if ship.marks.refuelled:
        raise Forbidden(Message("board.refused.refuelled", ship=ref), "20.6")
    if not (ship.marks.ammunition_spent or ship.marks.torpedoes_fired):
        raise Forbidden(Message("board.refused.nothing_to_refuel", ship=ref), "20.6")
    return strength(min(_REFUELLED, ship.marks.ammunition_spent), "20.6", "ammunition")


def run_refuel(
    attack: Attempt[Refuelling, Vessel], _modifier: int, _dice: Dice, _tables: TableSet
) -> Checked:
    """Her torpedo box is cleared, and eight ammunition factors come back (19.3, 20.6)."""
    ship = attack.actor
    gained = min(_REFUELLED, ship.marks.ammunition_spent)
    event = Refuelled(
        ship=ship.id, rule="20.6", ammunition=gained, torpedoes=ship.marks.torpedoes_fired
    )

    def refuelled(marks: Marks) -> Marks:
        spent = marks.ammunition_spent - gained
        return replace(marks, ammunition_spent=spent, torpedoes_fired=False, refuelled=True)

    return Checked((), (), 0, (event,), refuelled)


# Surprise


def surprise_strength(attack: Attempt[SurpriseAttack, Vessel], _tables: TableSet) -> Strength:
    """What is taken from the two dice: the visibility, and five for the night (41.3)."""
    in_naval_combat(attack)
    action, ship, target = attack.action, attack.actor, attack.victim
    if ship.card.ship_class is ShipClass.CARRIER:
        raise Forbidden(Message("board.refused.carrier_attacks", ship=ShipRef(ship.id)), "9.221")
    if not action.night and action.visibility < _WORST_FOR_SURPRISE:
        raise Forbidden(Message("board.refused.clear_day", least=_WORST_FOR_SURPRISE), "41.2")
    if target.evasion <= ship.evasion:
        raise Forbidden(Message("board.refused.no_surprise", ship=ShipRef(ship.id)), "41.3")
    label = Message("board.modifier.visibility", level=action.visibility)
    lines = [plain_line("visibility", -action.visibility, label, "41.3")]
    if action.night:
        label = Message("board.modifier.night")
        lines.append(plain_line("night", -_NIGHT_AS, label, "41.3"))
    return strength(2, "41.3", "dice", lines)


def run_surprise(
    attack: Attempt[SurpriseAttack, Vessel], modifier: int, dice: Dice, _tables: TableSet
) -> Checked:
    """A result of 1 or less is a combat (41.3)."""
    purpose = Message("board.roll.surprise")
    pair = dice.pair(purpose)
    found = pair.coloured + pair.white + modifier <= _SURPRISED
    words = Message("board.result.surprised" if found else "board.result.not_surprised")
    throw = read(purpose, "41.3", pair, words, modifier=modifier)
    event = Surprised(ship=attack.actor.id, target=attack.victim.id, rule="41.3", succeeds=found)
    results = (Message("board.outcome.surprised"),) if found else ()
    return Checked((throw,), results, int(found), (event,))


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
    action = attack.action
    throw, planes = land_bombers(action.zones_to_base, action.visibility, dice, tables)
    return Checked((throw,), (planes_words(planes),))


def fighter_strength(attack: Attempt[FighterCombat, Vessel], _tables: TableSet) -> Strength:
    """The fighters on patrol that escorts do not hold (28.81)."""
    action = attack.action
    if action.level_bombers > action.bomber_planes:
        reason = Message("board.refused.level_bombers", most=action.bomber_planes)
        raise Forbidden(reason, "28.82")
    free = max(0, action.patrol - action.escorts)
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
    kinds = _types_attacked(action, free, dice, throws)
    level = _level_planes(action)
    come = (action.bomber_planes - level, level) if level else (action.bomber_planes,)
    stopped, shot_down = 0, 0
    for number, (fighters, planes) in enumerate(zip(kinds, come, strict=True)):
        held_here = min(planes, 2 * fighters)
        if not held_here:
            continue
        purpose = Message("board.roll.bombers_lost" if not number else "board.roll.level_lost")
        die, table = dice.die(purpose), tables["fighters_against_bombers"]
        cell = table.cell(str(die), FIGHTERS.name_of(fighters))
        lost_here = min(held_here, int(cell.value))
        words = Message("board.result.planes_lost", n=lost_here)
        throws.append(read(purpose, "29.3", die, words, cell))
        stopped, shot_down = stopped + held_here, shot_down + lost_here
    through = action.bomber_planes - stopped
    events = (
        FightersLost(rule="29.3", patrol=lost["patrol"], escorts=lost["escorts"]),
        PlanesStopped(rule="28.82", stopped=stopped, lost=shot_down, through=through),
    )
    results = (Message("board.outcome.bombers_lost", n=shot_down),)
    return Checked(tuple(throws), results, 0, events)


def _level_planes(action: FighterCombat) -> int:
    """The level bombers where two types come together; 0 where all are of one type."""
    return 0 if action.level_bombers == action.bomber_planes else action.level_bombers


def _types_attacked(
    action: FighterCombat, free: int, dice: Dice, throws: list[Throw]
) -> tuple[int, ...]:
    """How many fighters attack each type of bomber: a die for each where two come (28.82)."""
    if not _level_planes(action):
        return (free,)
    carrier = 0
    for number in range(1, free + 1):
        purpose = Message("board.roll.fighters_target", number=number, count=free)
        die = dice.die(purpose)
        dives = die <= _LAST_ON_DIVE
        carrier += dives
        words = Message("board.result.at_dive" if dives else "board.result.at_level")
        throws.append(read(purpose, "28.82", die, words))
    return carrier, free - carrier


# Convoys


def air_convoy_strength(attack: Attempt[AirConvoyAttack, Vessel], _tables: TableSet) -> Strength:
    """The planes that attack; the anti-aircraft strength is a column of the table (24.53)."""
    action = attack.action
    check_weather(action.visibility, "24.43", night=action.night)
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
    needs_ammunition(ship, Level.INTERMEDIATE)
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
