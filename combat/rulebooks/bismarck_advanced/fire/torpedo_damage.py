"""The effect of one torpedo: the Torpedo Damage Table in the Advanced Game's boxes (69.2, 72.2)."""

from dataclasses import dataclass, replace
from typing import Final

from combat.dice import FACES, Dice
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
    """None where no die is needed: for a destroyer, or a ship that sinks or is sunk anyhow."""
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
    target: Vessel,
    dice: Dice,
    tables: TableSet,
    *,
    hit: Message = _THE_HIT,
    spare_dice: bool = False,
) -> tuple[Vessel, HullDamage]:
    """Resolve one torpedo hit; returns the ship after it and the report.

    With `spare_dice` no die is rolled for a ship that is sunk already, or sinks whatever it shows.
    """
    if spare_dice and target.is_sunk:
        return target, SUNK_ALREADY
    if target.warship.is_destroyer:
        return _destroyer_hit(target)
    if spare_dice and all(_damage(target, face, tables)[0].is_sunk for face in range(1, FACES + 1)):
        return replace(target, sunk_outright=True), SINKS_ANYHOW
    return _damage(target, dice.die(Message("advanced.roll.torpedo_damage", hit=hit)), tables)


def _damage(target: Vessel, die: int, tables: TableSet) -> tuple[Vessel, HullDamage]:
    """The ship after a torpedo with a face of the die, and the report."""
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


SUNK_ALREADY: Final = HullDamage(
    die=None,
    hull_boxes=0,
    movement_factors=0,
    sunk=False,
    words=Message("advanced.torpedo.sunk_already"),
    reference="64.8",
    provenance=Provenance.PRINTED,
)
"""What hits a ship that is sunk already."""
SINKS_ANYHOW: Final = replace(
    SUNK_ALREADY, sunk=True, words=Message("advanced.torpedo.sinks_anyhow")
)
"""What hits a ship that sinks whatever the die shows."""


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
