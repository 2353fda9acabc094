"""Aircraft: antiaircraft fire, bombs and torpedoes, and the combat air patrol (11.1 to 11.3)."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

from combat.dice import Dice
from combat.distributions import Counts, Odds, convolve_all, odds_of
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.arctic_disaster.actions import (
    AirAttack,
    Aircraft,
    AirPatrol,
    Antiaircraft,
    Setting,
    Support,
)
from combat.rulebooks.arctic_disaster.attack import (
    AttackOutcome,
    ResolvedAttack,
    check,
    modifier_line,
    tactical,
)
from combat.rulebooks.arctic_disaster.display import is_german
from combat.rulebooks.arctic_disaster.strike import DamageRule, afloat, rolled_with, strike
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, half_up, nearest_column, strength_of, throw
from tabletop.messages import Message, ShipRef

_LEAST_SUPPORT = 4
_ADJACENT = 1
_ESCORT_SQUARES = {"TB": 1, "B": 2, "DB": 2}
"""How far escorts of the convoy fire at each kind of aircraft (11.2.1, 11.2.2)."""
_FLAK = Message("arctic.roll.flak")
_MOST_SUPPORTS = 2
"""The most ships that may support a target against torpedo bombers (11.1, step 5)."""
_STEP_LOST = Message("arctic.note.step_lost")
_BOTH_STEPS_LOST = Message("arctic.note.steps_lost")
_DESTROYED = Message("arctic.note.unit_destroyed")
_ANSWERS = Message("arctic.answer.hits"), Message("arctic.answer.misses")


def air_strength(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Strength:
    """The factor of an air unit and its modifiers, before any antiaircraft fire."""
    target, aircraft = attack.victim, tables["aircraft"]
    name, kind = attack.action.aircraft, _kind(attack.action.aircraft, tables)
    afloat(target)
    if attack.action.fog:
        raise Forbidden(Message("arctic.refused.air_in_fog"), "5.1")
    if attack.action.ice and kind != "B":
        raise Forbidden(Message("arctic.refused.air_in_ice"), "7.2")
    _flak(attack, tables)
    factor = _factor(attack, tables, 0)
    if not factor:
        raise Forbidden(Message("arctic.refused.no_step"), "11.1")
    lines = [*_supporting_fire(target, tables), *tactical(attack.action.tactical)]
    if attack.action.ice:
        lines.append(modifier_line(tables, "partial ice", Message("arctic.modifier.target_in_ice")))
    if target.unit == "CV" and kind != "TB":
        deck = Message("arctic.modifier.armoured_deck")
        lines.append(modifier_line(tables, f"{kind} against CV", deck))
    if kind == "TB" and attack.action.end_on:
        end_on = Message("arctic.modifier.end_on")
        lines.append(modifier_line(tables, "TB from ahead or astern", end_on))
    cells = [*target.cells, *(aircraft.cell(name, column) for column in aircraft.columns)]
    reference = Message("arctic.reference.air_unit", rule="11.1, step 6")
    return strength_of(factor, reference, lines, cells)


def run_air(attack: Attempt[AirAttack, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Antiaircraft fire, then the attack with what is left of the air unit."""
    found = air_strength(attack, tables)
    if _shot_down(attack, tables):
        return ResolvedAttack(AttackOutcome(notes=frozenset([_DESTROYED])))
    fire = [
        _fire_flak(dice, who, strength, tables) for who, strength in _flak(attack, tables).items()
    ]
    taken, steps = (sum(_effect(each)[part] for each in fire) for part in (0, 1))
    lines = tuple(
        Modifier("antiaircraft", _effect(each)[0], each.purpose, each.rule, each.provenance)
        for each in fire
    )
    bombed = _bombs(attack, dice, tables, found.ledger.total + taken, steps)
    rolled = rolled_with(tuple(fire), bombed)
    return ResolvedAttack(rolled.outcome, rolled.throws, lines)


def air_odds(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Mapping[AttackOutcome, float]:
    """The odds of an air attack: steps lost to antiaircraft fire add up, so they come first."""
    modifier = air_strength(attack, tables).ledger.total

    def flak(strength: int) -> Odds:
        return odds_of(lambda dice: _effect(_fire_flak(dice, _FLAK, strength, tables)))

    @cache
    def bombs(taken: int, steps: int) -> Mapping[AttackOutcome, float]:
        return odds_of(lambda dice: _bombs(attack, dice, tables, modifier + taken, steps).outcome)

    if _shot_down(attack, tables):
        return {AttackOutcome(notes=frozenset([_DESTROYED])): 1.0}
    odds: dict[AttackOutcome, float] = {}
    for (taken, steps), chance in convolve_all(
        [{(0, 0): 1.0}, *map(flak, _flak(attack, tables).values())]
    ).items():
        for outcome, share in bombs(taken, steps).items():
            odds[outcome] = odds.get(outcome, 0.0) + chance * share
    return odds


def antiaircraft_strength(attack: Attempt[Antiaircraft, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as every battery's
    """The antiaircraft factor of one ship, halved if she supports another."""
    ship = attack.actor
    afloat(ship)
    factor = ship.flak
    if attack.action.supports_another:
        factor = _supporting(factor)
    if not factor:
        raise Forbidden(Message("arctic.refused.no_flak", ship=ShipRef(ship.id)), "11.1")
    reference = Message("arctic.reference.flak", rule="11.1, step 5")
    return strength_of(factor, reference, [*tactical(attack.action.tactical)], ship.cells)


def run_antiaircraft(
    attack: Attempt[Antiaircraft, Vessel], dice: Dice, tables: TableSet
) -> ResolvedAttack:
    """The antiaircraft fire of one ship at one air unit."""
    found = antiaircraft_strength(attack, tables)
    fired = _fire_flak(dice, _FLAK, found.factor, tables, found.ledger.total)
    taken, steps = _effect(fired)
    notes = [Message("arctic.note.attack_hindered", taken=taken)] if taken else []
    notes += [_STEP_LOST if steps == 1 else _BOTH_STEPS_LOST] if steps else []
    return ResolvedAttack(AttackOutcome(hits=int(taken < 0), notes=frozenset(notes)), (fired,))


def patrol_strength(attack: Attempt[AirPatrol, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as every battery's
    """The fighter factors of a combat air patrol."""
    reference = Message("arctic.reference.patrol", rule="11.3.1")
    return strength_of(attack.action.fighters, reference, [*tactical(attack.action.tactical)])


def run_patrol(attack: Attempt[AirPatrol, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """The fire of the patrol, and the return fire of every air unit that it hit (11.3.1)."""
    found, table = patrol_strength(attack, tables), tables["air_to_air"]
    column = nearest_column(table, found.factor)
    purpose = Message("arctic.roll.patrol")
    fired = throw(dice, purpose, "11.3.1", table, column, found.ledger.total)
    fired = replace(fired, words=Message("arctic.answer.steps_lost", steps=fired.result))
    # Units are reduced one after the other, so the steps are spread over all units.
    units = min(int(fired.result), attack.action.attackers)
    answers = [
        check(dice, tables, "fire back", Message("arctic.roll.fires_back", number=number), _ANSWERS)
        for number in range(1, units + 1)
    ]
    notes = [Message("arctic.note.attackers_lose")] if units else []
    notes += [Message("arctic.note.fighters_lose")] if any(hit for hit, _ in answers) else []
    outcome = AttackOutcome(hits=int(fired.result), notes=frozenset(notes))
    return ResolvedAttack(outcome, (fired, *(answer for _, answer in answers)))


def support_strength(attack: Attempt[Support, Vessel], tables: TableSet) -> Strength:
    """The antiaircraft factor with which a ship fires for another (11.1, step 5; 11.2)."""
    ship, target, action = attack.actor, attack.victim, attack.action
    afloat(ship)
    afloat(target)
    if action.setting is Setting.SURFACE or target.marks.area is not None:
        raise Forbidden(Message("arctic.refused.only_target_fires"), "11.4.8")
    convoy = action.setting is Setting.CONVOY
    rule = "11.2" if convoy else "11.1, step 5"
    if is_german(ship) != is_german(target):
        raise Forbidden(Message("arctic.refused.not_hers", ship=ShipRef(target.id)), rule)
    if ship.marks.supported:
        raise Forbidden(Message("arctic.refused.supported", ship=ShipRef(ship.id)), rule)
    factor = _escort_factor(attack, tables) if convoy else _neighbour_factor(attack, tables)
    if not factor:
        raise Forbidden(Message("arctic.refused.no_flak", ship=ShipRef(ship.id)), rule)
    reference = Message("arctic.reference.flak", rule=rule)
    return strength_of(factor, reference, [*tactical(action.tactical)], ship.cells)


def _neighbour_factor(attack: Attempt[Support, Vessel], tables: TableSet) -> int:
    """Half of a ship's factor: she is adjacent, strong enough and not attacked herself (11.1)."""
    ship, target, action = attack.actor, attack.victim, attack.action
    rule = "11.1, step 5"
    if action.squares > _ADJACENT:
        raise Forbidden(Message("arctic.refused.not_adjacent", ship=ShipRef(ship.id)), rule)
    if ship.marks.air_attacked or ship.marks.supporters:
        raise Forbidden(Message("arctic.refused.attacked", ship=ShipRef(ship.id)), rule)
    torpedo_bombers = _kind(action.aircraft, tables) == "TB"
    if torpedo_bombers and (target.marks.supporters or 0) >= _MOST_SUPPORTS:
        raise Forbidden(Message("arctic.refused.two_support"), rule)
    return _supporting(ship.flak)


def _escort_factor(attack: Attempt[Support, Vessel], tables: TableSet) -> int:
    """The full factor of an escort of the convoy in reach; near the square it takes 4 (11.2)."""
    ship, action = attack.actor, attack.action
    kind = _kind(action.aircraft, tables)
    rule = "11.2.1" if kind == "TB" else "11.2.2"
    reach = _ESCORT_SQUARES[kind]
    if action.squares > reach:
        reason = Message("arctic.refused.escort_far", ship=ShipRef(ship.id), squares=reach)
        raise Forbidden(reason, rule)
    if action.squares and ship.flak < _LEAST_SUPPORT:
        raise Forbidden(Message("arctic.refused.weak_support", factor=_LEAST_SUPPORT), rule)
    return ship.flak


def run_support(attack: Attempt[Support, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Fire for another ship, at the next air unit that attacks her."""
    found = support_strength(attack, tables)
    fired = _fire_flak(dice, _FLAK, found.factor, tables, found.ledger.total)
    return ResolvedAttack(AttackOutcome(hits=int(_effect(fired) != (0, 0))), (fired,))


def effect_of(rolled: ResolvedAttack) -> Counts:
    """What the antiaircraft fire of one ship takes from an attack, and the steps it costs."""
    return _effect(rolled.throws[0])


def _supporting_fire(target: Vessel, tables: TableSet) -> list[Modifier]:
    """What other ships have taken from this attack."""
    taken = target.marks.hindrance
    if not taken:
        return []
    table = tables["antiaircraft"]
    cells = (table.cell(row, column) for row in table.rows for column in table.columns)
    worst = Provenance.worst(cell.provenance for cell in cells)
    label = Message("arctic.modifier.supporting_fire")
    return [Modifier("supporting fire", -taken, label, "11.1, step 5", worst)]


def _shot_down(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> bool:
    """Whether supporting fire has destroyed the air unit before it attacks."""
    return not _factor(attack, tables, attack.victim.marks.steps_taken or 0)


def _kind(aircraft: Aircraft, tables: TableSet) -> str:
    return tables["aircraft"].text(aircraft, "kind")


def _factor(attack: Attempt[AirAttack, Vessel], tables: TableSet, steps_lost: int) -> int:
    """The factor of an air unit; 0 once it has lost its last step."""
    table, name = tables["aircraft"], attack.action.aircraft
    lost = attack.action.steps_lost + steps_lost
    if lost >= table.integer(name, "steps"):
        return 0
    return table.integer(name, "reduced" if lost else "factor")


def _flak(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> dict[Message, int]:
    """The ships that fire at the air unit, with their factors (11.1, step 5; 11.2; 11.4.8)."""
    target, setting = attack.victim, attack.action.setting
    own = Message("arctic.roll.flak_of", ship=ShipRef(target.id))
    fire = {own: target.flak} if attack.action.target_fires else {}
    supports = {
        Message("arctic.roll.flak_support", number=number): factor
        for number, factor in enumerate(attack.action.supports, start=1)
        if factor
    }
    if supports and setting is Setting.SURFACE:
        raise Forbidden(Message("arctic.refused.only_target_fires"), "11.4.8")
    if setting is Setting.TASK_FORCE:
        if _kind(attack.action.aircraft, tables) == "TB" and len(supports) > _MOST_SUPPORTS:
            raise Forbidden(Message("arctic.refused.two_support"), "11.1, step 5")
        supports = {key: _supporting(factor) for key, factor in supports.items()}
    fire |= supports
    return {who: factor for who, factor in fire.items() if factor}


def _supporting(factor: int) -> int:
    if factor < _LEAST_SUPPORT:
        raise Forbidden(
            Message("arctic.refused.weak_support", factor=_LEAST_SUPPORT), "11.1, step 5"
        )
    return half_up(Fraction(factor, 2))


def _fire_flak(
    dice: Dice, who: Message, strength: int, tables: TableSet, modifier: int = 0
) -> Throw:
    table = tables["antiaircraft"]
    fired = throw(dice, who, "11.1, step 5", table, nearest_column(table, strength), modifier)
    taken, steps = _effect(fired)
    effect = (
        Message("arctic.answer.attack_hindered", taken=taken)
        if taken
        else Message("arctic.answer.no_effect")
    )
    if not steps:
        return replace(fired, words=effect)
    return replace(fired, words=Message("arctic.answer.and_steps", effect=effect, n=steps))


def _effect(fired: Throw) -> Counts:
    """The modifier of the attack from antiaircraft fire, and the steps lost."""
    taken, _, steps = fired.result.partition("/")
    return int(taken), int(steps or 0)


def _bombs(
    attack: Attempt[AirAttack, Vessel], dice: Dice, tables: TableSet, modifier: int, steps_lost: int
) -> ResolvedAttack:
    factor = _factor(attack, tables, steps_lost + (attack.victim.marks.steps_taken or 0))
    if not factor:
        return ResolvedAttack(AttackOutcome(notes=frozenset([_DESTROYED])))
    row = "torpedo aircraft" if _kind(attack.action.aircraft, tables) == "TB" else "bombs"
    share = tables["multipliers"].fraction(row, "factor")
    blow = DamageRule(nearest_column(tables["damage"], factor), modifier, share, "11.1, step 6")
    struck = strike(dice, blow, attack.victim, tables)
    lost = AttackOutcome(notes=frozenset([_STEP_LOST] if steps_lost else []))
    return ResolvedAttack(struck.outcome + lost, struck.throws)
