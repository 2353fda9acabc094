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
from combat.rulebooks.arctic_disaster.actions import AirAttack, AirPatrol, Antiaircraft, Setting
from combat.rulebooks.arctic_disaster.attack import (
    Outcome,
    Resolved,
    check,
    listed,
    tactical,
)
from combat.rulebooks.arctic_disaster.strike import Blow, afloat, rolled_with, strike
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, half_up, nearest_column, strength_of, throw

_LEAST_SUPPORT = 4
_MOST_SUPPORTS = 2
"""How many ships may support a target against torpedo bombers (11.1, step 5)."""
_STEP_LOST, _DESTROYED = "air unit loses a step", "air unit destroyed"


def air_strength(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Strength:
    """The factor of an air unit and its modifiers, before any antiaircraft fire."""
    target, aircraft = attack.victim, tables["aircraft"]
    name, kind = attack.action.aircraft, _kind(attack, tables)
    afloat(target)
    if attack.action.fog:
        raise Forbidden("no air attack in fog", "5.1")
    if attack.action.ice and kind != "B":
        raise Forbidden("only B aircraft attack ships in partial ice", "7.2")
    _flak(attack, tables)
    factor = _factor(attack, tables, 0)
    if not factor:
        raise Forbidden("the air unit has no step left", "11.1")
    lines = list(tactical(attack.action.tactical))
    if attack.action.ice:
        lines.append(listed(tables, "partial ice", "target in partial ice"))
    if target.unit == "CV" and kind != "TB":
        lines.append(listed(tables, f"{kind} against CV", "armoured flight deck"))
    if kind == "TB" and attack.action.end_on:
        lines.append(listed(tables, "TB from ahead or astern", "from ahead or astern"))
    cells = [*target.cells, *(aircraft.cell(name, column) for column in aircraft.columns)]
    return strength_of(factor, "11.1, step 6: factor of the air unit", lines, cells)


def run_air(attack: Attempt[AirAttack, Vessel], dice: Dice, tables: TableSet) -> Resolved:
    """Antiaircraft fire, then the attack with what is left of the air unit."""
    found = air_strength(attack, tables)
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
    return Resolved(rolled.outcome, rolled.throws, lines)


def air_odds(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> Mapping[Outcome, float]:
    """The odds of an air attack: what antiaircraft fire takes adds up, so it is counted first."""
    modifier = air_strength(attack, tables).ledger.total

    def flak(strength: int) -> Odds:
        return odds_of(lambda dice: _effect(_fire_flak(dice, "", strength, tables)))

    @cache
    def bombs(taken: int, steps: int) -> Mapping[Outcome, float]:
        return odds_of(lambda dice: _bombs(attack, dice, tables, modifier + taken, steps).outcome)

    odds: dict[Outcome, float] = {}
    for (taken, steps), chance in convolve_all(
        [{(0, 0): 1.0}, *map(flak, _flak(attack, tables).values())]
    ).items():
        for outcome, share in bombs(taken, steps).items():
            odds[outcome] = odds.get(outcome, 0.0) + chance * share
    return odds


def antiaircraft_strength(attack: Attempt[Antiaircraft, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as every battery's
    """The antiaircraft factor of one ship, halved where she supports another."""
    ship = attack.actor
    afloat(ship)
    factor = ship.flak
    if attack.action.supports_another:
        factor = _supporting(factor)
    if not factor:
        raise Forbidden(f"{ship.name} has no antiaircraft factor", "11.1")
    return strength_of(
        factor, "11.1, step 5: antiaircraft factor", [*tactical(attack.action.tactical)], ship.cells
    )


def run_antiaircraft(
    attack: Attempt[Antiaircraft, Vessel], dice: Dice, tables: TableSet
) -> Resolved:
    """The antiaircraft fire of one ship at one air unit."""
    found = antiaircraft_strength(attack, tables)
    fired = _fire_flak(dice, "antiaircraft", found.factor, tables, found.ledger.total)
    taken, steps = _effect(fired)
    words = [f"{taken} on the air unit's attack"] if taken else []
    words += [_STEP_LOST if steps == 1 else "air unit loses both steps"] if steps else []
    return Resolved(Outcome(hits=int(taken < 0), words=frozenset(words)), (fired,))


def patrol_strength(attack: Attempt[AirPatrol, Vessel], tables: TableSet) -> Strength:  # noqa: ARG001 - as every battery's
    """The fighter factors of a combat air patrol."""
    factors = attack.action.fighters
    return strength_of(
        factors, "11.3.1: fighter factors on patrol", [*tactical(attack.action.tactical)]
    )


def run_patrol(attack: Attempt[AirPatrol, Vessel], dice: Dice, tables: TableSet) -> Resolved:
    """The patrol fires, and every air unit that it hit fires back (11.3.1)."""
    found, table = patrol_strength(attack, tables), tables["air_to_air"]
    column = nearest_column(table, found.factor)
    fired = throw(dice, "combat air patrol", "11.3.1", table, column, found.ledger.total)
    fired = replace(fired, words=f"{fired.result} steps lost")
    # No unit is destroyed before all are reduced, so the steps fall on as many units as there are.
    units = min(int(fired.result), attack.action.attackers)
    answers = [
        check(dice, tables, "fire back", f"air unit {number} fires back", ("hits", "misses"))
        for number in range(1, units + 1)
    ]
    words = ["attackers lose steps"] if units else []
    words += ["fighters lose a step"] if any(hit for hit, _ in answers) else []
    outcome = Outcome(hits=int(fired.result), words=frozenset(words))
    return Resolved(outcome, (fired, *(answer for _, answer in answers)))


def _kind(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> str:
    return tables["aircraft"].text(attack.action.aircraft, "kind")


def _factor(attack: Attempt[AirAttack, Vessel], tables: TableSet, steps_lost: int) -> int:
    """What an air unit attacks with; nothing once its last step is gone."""
    table, name = tables["aircraft"], attack.action.aircraft
    lost = attack.action.steps_lost + steps_lost
    if lost >= table.integer(name, "steps"):
        return 0
    return table.integer(name, "reduced" if lost else "factor")


def _flak(attack: Attempt[AirAttack, Vessel], tables: TableSet) -> dict[str, int]:
    """Who fires at the air unit, and with what factor (11.1, step 5; 11.2; 11.4.8)."""
    target, setting = attack.victim, attack.action.setting
    fire = {f"antiaircraft of {target.name}": target.flak} if attack.action.target_fires else {}
    supports = {
        f"supporting ship {number}": factor
        for number, factor in enumerate(attack.action.supports, start=1)
        if factor
    }
    if supports and setting is Setting.SURFACE:
        raise Forbidden("in a surface combat only the target fires at aircraft", "11.4.8")
    if setting is Setting.TASK_FORCE:
        if _kind(attack, tables) == "TB" and len(supports) > _MOST_SUPPORTS:
            raise Forbidden("two ships at most support against torpedo bombers", "11.1, step 5")
        supports = {key: _supporting(factor) for key, factor in supports.items()}
    fire |= supports
    return {who: factor for who, factor in fire.items() if factor}


def _supporting(factor: int) -> int:
    if factor < _LEAST_SUPPORT:
        reason = f"a supporting ship needs an antiaircraft factor of {_LEAST_SUPPORT}"
        raise Forbidden(reason, "11.1, step 5")
    return half_up(Fraction(factor, 2))


def _fire_flak(dice: Dice, who: str, strength: int, tables: TableSet, modifier: int = 0) -> Throw:
    table = tables["antiaircraft"]
    fired = throw(dice, who, "11.1, step 5", table, nearest_column(table, strength), modifier)
    taken, steps = _effect(fired)
    words = [f"{taken} on the attack"] if taken else ["no effect"]
    words += [f"{steps} step{'s' * (steps > 1)} lost"] if steps else []
    return replace(fired, words=", ".join(words))


def _effect(fired: Throw) -> Counts:
    """What antiaircraft fire adds to the attack, and the steps that it costs."""
    taken, _, steps = fired.result.partition("/")
    return int(taken), int(steps or 0)


def _bombs(
    attack: Attempt[AirAttack, Vessel], dice: Dice, tables: TableSet, modifier: int, steps_lost: int
) -> Resolved:
    factor = _factor(attack, tables, steps_lost)
    if not factor:
        return Resolved(Outcome(words=frozenset([_DESTROYED])))
    row = "torpedo aircraft" if _kind(attack, tables) == "TB" else "bombs"
    share = tables["multipliers"].fraction(row, "factor")
    blow = Blow(nearest_column(tables["damage"], factor), modifier, share, "11.1, step 6")
    struck = strike(dice, blow, attack.victim, tables)
    lost = Outcome(words=frozenset([_STEP_LOST] if steps_lost else []))
    return Resolved(struck.outcome + lost, struck.throws)
