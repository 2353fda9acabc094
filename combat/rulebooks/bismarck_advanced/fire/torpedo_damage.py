"""The effect of one torpedo: the Torpedo Damage Table in the Advanced Game's boxes (69.2, 72.2)."""

from dataclasses import dataclass, replace
from typing import Final

from combat.dice import Dice
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.conversion import (
    Rate,
    hull_boxes,
    movement_factors,
)
from combat.rulebooks.bismarck_advanced.fire.effect_messages import joined
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS, Vessel
from combat.rulebooks.bismarck_data.torpedo_harm import COLUMN_BY_CLASS, SUNK, torpedo_harm
from combat.tables import TableSet
from tabletop.messages import Message, ShipRef

_THE_HIT: Final = Message("advanced.hit_number.only_torpedo")


@dataclass(frozen=True, slots=True)
class HullDamage:
    """What one torpedo or bomb that hit does to a ship."""

    die: int | None
    """None for a destroyer, which needs no die."""
    hull_boxes: int
    movement_factors: int
    sunk: bool
    words: Message
    reference: str
    provenance: Provenance

    def on(self, vessel: Vessel) -> Vessel:
        """A ship with this damage besides what she has."""
        after = vessel.hull_marked(self.hull_boxes * QUARTERS).slowed(self.movement_factors)
        outright = self.sunk and not after.is_sunk
        return replace(after, sunk_outright=True) if outright else after


def resolve_hit(
    target: Vessel, dice: Dice, tables: TableSet, *, hit: Message = _THE_HIT
) -> tuple[Vessel, HullDamage]:
    """Resolve one torpedo hit; returns the ship after it and the report."""
    if target.warship.is_destroyer:
        return _destroyer_hit(target)
    die = dice.die(Message("advanced.roll.torpedo_damage", hit=hit))
    cell = tables["torpedo_damage"].cell(str(die), COLUMN_BY_CLASS[target.warship.ship_class])
    if cell.value == SUNK:
        words = Message("advanced.torpedo.sunk_outright")
        sunk = HullDamage(die, 0, 0, True, words, cell.reference, cell.provenance)
        return replace(target, sunk_outright=True), sunk
    harm = torpedo_harm(cell.value, target.warship.name)
    if harm is None:
        words = Message("advanced.torpedo.miss", ship=ShipRef(target.name))
        return target, HullDamage(die, 0, 0, False, words, cell.reference, cell.provenance)
    boxes = hull_boxes(harm.midships, tables)
    slower = movement_factors(harm.evasion, tables)
    after = target.hull_marked(boxes * QUARTERS).slowed(slower)
    rates = [
        tables["conversions"].cell(rate, "value").provenance
        for rate in (Rate.MIDSHIPS_BOX, Rate.EVASION_FACTOR)
    ]
    sinks = after.is_sunk and not target.is_sunk
    return after, HullDamage(
        die=die,
        hull_boxes=boxes,
        movement_factors=slower,
        sunk=sinks,
        words=damage_words(boxes, slower, softened=harm.softened, sinks=sinks),
        reference=f"{cell.reference}; 72.2, 72.3",
        provenance=Provenance.worst((cell.provenance, *rates)),
    )


def _destroyer_hit(target: Vessel) -> tuple[Vessel, HullDamage]:
    """70.2: any hit goes into her one box, and a torpedo fills it."""
    after = target.hull_marked(target.hull_quarters)
    words, boxes = Message("advanced.torpedo.destroyer_sunk"), target.warship.hull_boxes
    return after, HullDamage(None, boxes, 0, True, words, "70.2", Provenance.DERIVED)


def damage_words(
    boxes: int, slower: int = 0, *, softened: bool = False, sinks: bool = False
) -> Message:
    """Hull boxes and movement factors lost, in words."""
    words = [Message("advanced.torpedo.hull", n=boxes)]
    if slower:
        words.append(Message("advanced.effect.speed_lost", n=slower))
    if softened:
        words.append(Message("advanced.torpedo.softened"))
    if sinks:
        words.append(Message("advanced.effect.sunk", rule="64.8"))
    return joined(words)
