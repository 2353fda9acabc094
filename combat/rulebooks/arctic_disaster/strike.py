"""The Damage Table: guns, torpedoes and the effects of hits (11.4.4 to 11.4.7, 12)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from combat.actions import Action
from combat.dice import Dice
from combat.free_play import Attempt
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.arctic_disaster.actions import CriticalHit, Gunfire, Torpedoes
from combat.rulebooks.arctic_disaster.attack import (
    AttackOutcome,
    ResolvedAttack,
    check,
    modifier_line,
    tactical,
)
from combat.rulebooks.arctic_disaster.display import check_on_display
from combat.rulebooks.arctic_disaster.vessel import Vessel
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import (
    DICE,
    Throw,
    half_up,
    nearest_column,
    strength_of,
    table_modifier,
    throw,
)
from tabletop.messages import Message, ShipRef

CRITICAL = Message("arctic.roll.critical")
_DAMAGE = Message("arctic.roll.damage")
DAMAGE_PURPOSES = (_DAMAGE.code, CRITICAL.code)
"""The codes of the purposes of rolls that do damage."""
NO_ATTACK = Message("arctic.note.no_attack")
COLUMN = Message("arctic.factor.column")
_SIGHT_AREAS = 8
_FIGHTS_BLIND = "Washington"
"""The battleship that may fire beyond sight in fog, as the American heavy cruisers may (11.4.5)."""


@dataclass(frozen=True, slots=True)
class DamageRule:
    """How a die is looked up in the Damage Table, and how its points are applied."""

    column: str
    modifier: int
    share: Fraction
    rule: str


def strike(dice: Dice, blow: DamageRule, target: Vessel, tables: TableSet) -> ResolvedAttack:
    """Roll on the Damage Table, and again for a critical hit."""
    found = throw(dice, _DAMAGE, blow.rule, tables["damage"], blow.column, blow.modifier)
    rolled = int(found.result.rstrip("*"))
    points = half_up(rolled * blow.share)
    words = Message("arctic.points.hit", n=rolled) if rolled else Message("arctic.points.miss")
    if points != rolled:
        words = Message("arctic.points.counts", rolled=words, counts=points)
    found = replace(found, words=words)
    outcome = AttackOutcome(hits=int(points > 0), damage=points)
    if not points or not found.result.endswith("*") or not takes_criticals(target, tables):
        return ResolvedAttack(outcome, (found,))
    critical = strike_critically(dice, tables)
    return ResolvedAttack(outcome + critical.outcome, (found, *critical.throws))


def strike_critically(dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Roll on the Critical Hit Table."""
    found = throw(dice, CRITICAL, "12.2", tables["critical"], "effect")
    effect, _, count = found.result.partition(":")
    lost = int(count or 0)
    words = Message(f"arctic.critical.{effect}", count=lost)
    found = replace(found, words=words if lost else Message("arctic.critical.nothing"))
    return ResolvedAttack(
        AttackOutcome(
            damage=lost * (effect == "damage"),
            move_lost=lost * (effect == "move"),
            guns_lost=lost * (effect == "guns"),
            notes=frozenset([CRITICAL]),
        ),
        (found,),
    )


def takes_criticals(target: Vessel, tables: TableSet) -> bool:
    """Whether critical hits affect a ship of her type (12.2)."""
    return tables["types"].text(target.unit, "critical") == "yes"


def afloat(vessel: Vessel) -> None:
    """Raise Forbidden if she has sunk."""
    if vessel.sunk:
        raise Forbidden(Message("arctic.refused.sunk", ship=ShipRef(vessel.id)), "12.0")


def gun_strength(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> Strength:
    """The gunnery factor and the modifiers of a ship's guns."""
    firer, target = attack.actor, attack.victim
    # Gunnery is simultaneous: the rulebook looks at the target as the round began (11.4.4).
    afloat(firer)
    check_on_display(attack)
    main = attack.action.kind == "main"
    if firer.marks.fired_main if main else firer.marks.fired_secondary:
        raise Forbidden(Message("arctic.refused.fired", ship=ShipRef(firer.id)), "11.4.4")
    factor, reach = (
        (firer.guns, firer.range) if main else (firer.rating.secondary, firer.secondary_range)
    )
    if not factor:
        raise Forbidden(Message("arctic.refused.no_guns", ship=ShipRef(firer.id)), "11.4.4")
    areas = attack.action.range_areas
    if areas > reach:
        beyond = Message("arctic.refused.beyond_range", areas=areas, reach=reach)
        raise Forbidden(beyond, "11.4.4")
    reference = Message("arctic.reference.gunnery", rule="11.4.4")
    if attack.action.later_firer:
        factor = half_up(Fraction(factor, 2))
        reference = Message("arctic.reference.half_gunnery", rule="11.4.4")
    lines = [
        table_modifier(
            tables["range_modifiers"], str(areas), Message("arctic.modifier.range", areas=areas)
        ),
        table_modifier(
            tables["types"],
            target.unit,
            Message("arctic.modifier.target_type", unit=target.unit),
            column="modifier",
        ),
        *_seen(attack, tables, areas),
        *tactical(attack.action.tactical),
    ]
    if attack.action.moved:
        lines.append(modifier_line(tables, "firer moved", Message("arctic.modifier.firer_moved")))
    return strength_of(factor, reference, lines, firer.cells)


def run_guns(attack: Attempt[Gunfire, Vessel], dice: Dice, tables: TableSet) -> ResolvedAttack:
    """Fire a ship's guns."""
    found = gun_strength(attack, tables)
    share = tables["multipliers"].fraction("guns", "factor") * _through_armour(attack, tables)
    return _fire(attack, dice, found, share, tables)


def torpedo_strength(attack: Attempt[Torpedoes, Vessel], tables: TableSet) -> Strength:
    """The column and the modifiers of a ship's torpedoes."""
    firer, table = attack.actor, tables["torpedoes"]
    _both_afloat(attack)
    check_on_display(attack)
    if not firer.has_torpedoes:
        raise Forbidden(Message("arctic.refused.no_torpedoes", ship=ShipRef(firer.id)), "11.4.7")
    if firer.marks.torpedoes_fired:
        spent = Message("arctic.refused.torpedoes_spent", ship=ShipRef(firer.id))
        raise Forbidden(spent, "11.4.7")
    submarine = firer.unit == "SS"
    row = "escort submarine" if submarine else firer.card.nation
    rule = table.cell(row, "most").reference
    areas, normal = attack.action.range_areas, table.integer(row, "normal")
    if areas > table.integer(row, "most"):
        most = table.integer(row, "most")
        raise Forbidden(Message("arctic.refused.beyond_torpedoes", areas=areas, reach=most), rule)
    column = table.integer(row, "column") - (attack.action.screen if submarine else 0)
    if column < 1:
        raise Forbidden(Message("arctic.refused.screen"), rule)
    lines = [*_seen(attack, tables, areas), *tactical(attack.action.tactical)]
    if areas > normal:
        label = Message("arctic.modifier.areas_beyond", areas=areas - normal, normal=normal)
        lines.insert(0, modifier_line(tables, "torpedo, each area beyond", label, areas - normal))
    cells = [*firer.cells, *(table.cell(row, each) for each in table.columns)]
    reference = Message("arctic.reference.column", rule=rule)
    return strength_of(column, reference, lines, cells, COLUMN)


def run_torpedoes(
    attack: Attempt[Torpedoes, Vessel], dice: Dice, tables: TableSet
) -> ResolvedAttack:
    """Fire a ship's torpedoes; an escort submarine must first reach an attack position (13.10)."""
    found = torpedo_strength(attack, tables)
    share = tables["multipliers"].fraction("ship torpedoes", "factor")
    if attack.actor.unit != "SS":
        return _fire(attack, dice, found, share, tables)
    passed, attempt = check(
        dice,
        tables,
        "escort submarine",
        Message("arctic.roll.attempt"),
        (Message("arctic.answer.attacks"), Message("arctic.answer.cannot_attack")),
    )
    if not passed:
        return ResolvedAttack(AttackOutcome(notes=frozenset([NO_ATTACK])), (attempt,))
    fired = _fire(attack, dice, found, share, tables)
    return ResolvedAttack(fired.outcome, (attempt, *fired.throws))


def critical_strength(attack: Attempt[CriticalHit, Vessel], tables: TableSet) -> Strength:
    """A critical hit has no modifiers, and affects only CA, BB and CV (12.2)."""
    target = attack.victim
    afloat(target)
    if not takes_criticals(target, tables):
        raise Forbidden(Message("arctic.refused.no_criticals", unit=target.unit), "12.2")
    return strength_of(1, Message("combat.reference.one_die", rule="12.2"), [], label=DICE)


def run_critical(
    attack: Attempt[CriticalHit, Vessel], dice: Dice, tables: TableSet
) -> ResolvedAttack:
    """Roll for a critical hit alone."""
    critical_strength(attack, tables)
    return strike_critically(dice, tables)


def rolled_with(throws: tuple[Throw, ...], rolled: ResolvedAttack) -> ResolvedAttack:
    """A result with earlier dice put before its own."""
    return ResolvedAttack(rolled.outcome, (*throws, *rolled.throws), rolled.lines)


def _fire(
    attack: Attempt[Action, Vessel], dice: Dice, found: Strength, share: Fraction, tables: TableSet
) -> ResolvedAttack:
    column = nearest_column(tables["damage"], found.factor)
    blow = DamageRule(column, found.ledger.total, share, str(found.reference["rule"]))
    return strike(dice, blow, attack.victim, tables)


def _both_afloat(attack: Attempt[Action, Vessel]) -> None:
    afloat(attack.actor)
    afloat(attack.victim)


def _through_armour(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> Fraction:
    """The damage points that penetrate a target's armour (11.4.9 example)."""
    types = tables["types"]
    light = attack.action.kind == "secondary"
    guns = "light" if light else types.text(attack.actor.unit, "guns")
    if guns == "heavy":
        return Fraction(1)
    return types.fraction(attack.victim.unit, f"from {guns} guns")


def _seen(
    attack: Attempt[Gunfire, Vessel] | Attempt[Torpedoes, Vessel], tables: TableSet, areas: int
) -> Iterator[Modifier]:
    """Smoke, and ships that may fire beyond the visibility in fog (11.4.5, 11.4.6)."""
    action, firer = attack.action, attack.actor
    if action.smoke:
        yield modifier_line(tables, "smoke", Message("arctic.modifier.smoke"))
    if action.fog and areas > _SIGHT_AREAS:
        cruiser = firer.unit == "CA" and firer.card.nation == "American"
        if isinstance(action, Torpedoes) or not (cruiser or firer.card.name == _FIGHTS_BLIND):
            raise Forbidden(Message("arctic.refused.fog", areas=_SIGHT_AREAS), "11.4.5")
        fog = Message("arctic.modifier.fog_beyond", areas=_SIGHT_AREAS)
        yield modifier_line(tables, "fog beyond sight", fog)
