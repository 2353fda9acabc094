"""Gunfire: the attack modifier, the attack dice, and the die that hits."""

from typing import Final

from combat.modifiers import Ledger, Modifier
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.grand_fleets.attack import AnyAttack, GunAttack
from combat.rulebooks.grand_fleets.card import GUNS, Card, Guns
from combat.rulebooks.grand_fleets.table_files import (
    CALIBRES,
    EXTREME,
    HIT_ROWS,
    band_limits,
    ledger_line,
    row_of,
)
from combat.rulebooks.grand_fleets.terms import arc_message, size_message
from combat.rulebooks.grand_fleets.vessel import CARDS, Vessel, firing_arc
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.arcs import Quadrant
from tabletop.errors import BadField
from tabletop.messages import Message
from tabletop.places import NOWHERE

MAKING: Final = "Making an Attack"
ATTACK_MODIFIER: Final = Message("grand_fleets.factor.attack_modifier")
_ARC_KEYS: Final = {Quadrant.BOW: "forward", Quadrant.STERN: "aft"}
"""The card's names for the arcs into which its guns may not bear."""
_OPPOSITE: Final = {
    Quadrant.PORT: Quadrant.STARBOARD,
    Quadrant.STARBOARD: Quadrant.PORT,
}


def guns_of(attack: GunAttack) -> Guns:
    """The guns that fire. Raises if her card has no such battery."""
    firer, kind = attack.firer, attack.action.kind
    guns = firer.card.battery(kind)
    if guns is None:
        known = GUNS[: len(firer.card.guns)] or (Message("schema.found.none"),)
        expected = Message("grand_fleets.expected.battery_of", ship=firer.name, known=known)
        raise BadField(NOWHERE.table("fire"), "battery", expected, kind)
    return guns


def band_of(
    range_yards: int, bands: tuple[float, ...], tables: TableSet, *, extreme: bool = False
) -> str | None:
    """The range band of a distance, upper limits included; None beyond the last."""
    limits = band_limits(bands, tables, extreme=extreme)
    return next((name for name, limit in limits.items() if range_yards <= limit), None)


def refuse_always(attack: AnyAttack) -> None:
    """Raise Forbidden for what forbids any attack: a sunk ship, or one in the line of fire."""
    for ship in (attack.firer, attack.target):
        ship.refuse_out_of_the_game(MAKING)
    if not attack.target.card.hull:
        raise Forbidden(Message("grand_fleets.refused.no_hull", ship=attack.target.ref), CARDS)
    if attack.action.blocked:
        raise Forbidden(
            Message(
                "grand_fleets.refused.blocked", ship=attack.firer.ref, target=attack.target.ref
            ),
            "Line of Fire",
        )


def gun_strength(attack: GunAttack, tables: TableSet) -> Strength:
    """The attack dice and the ledger of a battery's fire. Raises Forbidden if it may not fire."""
    refuse_always(attack)
    guns, card = guns_of(attack), attack.firer.card
    _refuse_again(attack, guns)
    band = _band(attack, guns, tables)
    boxes = attack.firer.dice_left(attack.action.kind)
    if not boxes:
        raise Forbidden(Message("grand_fleets.refused.no_dice", weapon=guns.name), "Damage Checks")
    ledger = Ledger(
        (
            _armour(attack, guns),
            ledger_line(
                "range",
                tables["range_bands"].cell(band, "modifier"),
                range_message(attack.action.range_yards, band),
                card.provenance("range", guns),
            ),
            _arc(attack, guns),
            _size(attack.target, guns, tables),
            speed_line(attack.marker, tables),
        )
    )
    return Strength(
        factor=dice_after(boxes, ledger.total),
        reference=rule_reference(MAKING),
        ledger=ledger,
        provenance=Provenance.worst(
            (card.provenance("dice", guns), *(line.provenance for line in ledger))
        ),
        factor_label=Message("grand_fleets.factor.attack_dice"),
        total_label=ATTACK_MODIFIER,
    )


def dice_after(boxes: tuple[int, ...], modifier: int) -> int:
    """The attack dice: one box to the right for each −1, then one die less for each further −1."""
    shift = max(0, -modifier)
    last = len(boxes) - 1
    return max(0, boxes[min(shift, last)] - max(0, shift - last))


def hits_on(attack: GunAttack, modifier: int, tables: TableSet) -> int:
    """The lowest die that hits."""
    band = _band(attack, guns_of(attack), tables)
    row = EXTREME if band == "extreme" else row_of(HIT_ROWS, modifier)
    return tables["hit_numbers"].integer(row, "lowest_die")


def range_message(range_yards: int, band: str) -> Message:
    """A range with its band."""
    return Message(
        "grand_fleets.modifier.range",
        yards=range_yards,
        band=Message(f"grand_fleets.band.{band}"),
    )


def speed_line(marker: str, tables: TableSet) -> Modifier:
    """The ledger's line for the target's speed marker; the firer's has no effect."""
    label = Message(f"grand_fleets.modifier.target_{marker}")
    return ledger_line("speed", tables["speed_markers"].cell(marker, "modifier"), label)


def _band(attack: GunAttack, guns: Guns, tables: TableSet) -> str:
    extreme = attack.action.extreme and guns.extreme
    band = band_of(attack.action.range_yards, guns.range, tables, extreme=extreme)
    if band is None:
        weapon, yards = guns.name, attack.action.range_yards
        raise Forbidden(
            Message("grand_fleets.refused.reach_extreme", weapon=weapon, yards=yards)
            if guns.extreme and not extreme
            else Message("grand_fleets.refused.reach", weapon=weapon, yards=yards),
            "Range",
        )
    return band


def _refuse_again(attack: GunAttack, guns: Guns) -> None:
    """Raise Forbidden for a second target of a battery in a turn, or on one side by option."""
    fired = attack.firer.marks.fired
    earlier = {
        quadrant
        for quadrant in Quadrant
        if fired.get(firing_arc(attack.action.kind, quadrant)) == attack.turn
    }
    if not attack.turn or not earlier:
        return
    other_side = _OPPOSITE.get(attack.action.quadrant)
    if attack.action.split and not guns.turrets and earlier == {other_side}:
        return
    raise Forbidden(
        Message("grand_fleets.refused.fired", weapon=guns.name, turn=attack.turn),
        "The Combat Phase",
    )


def _armour(attack: GunAttack, guns: Guns) -> Modifier:
    armour, penetration = attack.target.armour(attack.action.aspect), guns.penetration.value
    place = "side" if attack.action.aspect.is_broadside else "end"
    label = Message(f"grand_fleets.modifier.{place}_armour", penetration=penetration, armour=armour)
    return Modifier(
        "armour",
        min(0, penetration - armour),
        label,
        "Armor vs. Penetration",
        Provenance.worst(
            (
                attack.firer.card.provenance("penetration", guns),
                attack.target.card.provenance("armour"),
            )
        ),
    )


def _arc(attack: GunAttack, guns: Guns) -> Modifier:
    quadrant = attack.action.quadrant
    value = guns.end_modifier(quadrant)
    arc = arc_message(quadrant)
    if value is None:
        refused = Message("grand_fleets.refused.arc", weapon=guns.name, arc=arc)
        raise Forbidden(refused, "Weapons")
    known = Provenance.PRINTED
    if not quadrant.is_broadside:
        known = attack.firer.card.provenance(_ARC_KEYS[quadrant], guns)
    label = Message("grand_fleets.modifier.arc", arc=arc)
    return Modifier("arc", value, label, "Firing Arc", known)


def _size(target: Vessel, guns: Guns, tables: TableSet) -> Modifier:
    size = size_of(target.card)
    column = next(name for name, below in CALIBRES.items() if guns.calibre < below)
    cell = tables["size_guns"].cell(size, column)
    label = Message(
        "grand_fleets.modifier.size_guns", size=size_message(size), calibre=guns.calibre
    )
    return ledger_line("size", cell, label, target.card.provenance("size"))


def size_of(card: Card) -> str:
    """The size class of a card."""
    return card.size or "medium"
