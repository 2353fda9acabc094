"""Torpedoes: the attack modifier, the boxes they are launched from, hits and damage."""

from typing import Final

from combat.dice import FACES, Dice
from combat.modifiers import Ledger
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.rulebooks.grand_fleets.attack import TorpedoLaunch
from combat.rulebooks.grand_fleets.card import Torpedoes, Tube
from combat.rulebooks.grand_fleets.gunnery import (
    ATTACK_MODIFIER,
    band_of,
    range_message,
    refuse_always,
    size_of,
    speed_line,
)
from combat.rulebooks.grand_fleets.table_files import TORPEDO_ROWS, ledger_line, row_of
from combat.rulebooks.grand_fleets.terms import arc_message, size_message
from combat.strength import Strength, rule_reference
from combat.tables import TableSet
from tabletop.errors import BadField
from tabletop.messages import Message, ShipRef
from tabletop.places import NOWHERE

RULE: Final = "Torpedoes"
_LOWEST_COLUMN = 7


def torpedo_strength(attack: TorpedoLaunch, tables: TableSet) -> Strength:
    """The number of torpedoes and the ledger. Raises Forbidden if they may not be launched."""
    refuse_always(attack)
    torpedoes, card = torpedoes_of(attack), attack.firer.card
    launched = sum(launched_from(attack).values())
    _refuse_second_target(attack)
    band = band_of(attack.action.range_yards, torpedoes.range, tables)
    if band is None:
        raise Forbidden(
            Message(
                "grand_fleets.refused.torpedo_reach",
                weapon=torpedoes.name,
                yards=attack.action.range_yards,
            ),
            RULE,
        )
    size, end = size_of(attack.target.card), not attack.action.aspect.is_broadside
    ledger = Ledger(
        (
            ledger_line(
                "range",
                tables["range_bands"].cell(band, "modifier"),
                range_message(attack.action.range_yards, band),
                card.provenance("range", torpedoes),
            ),
            ledger_line(
                "size",
                tables["size_torpedoes"].cell(size, "end" if end else "broadside"),
                Message(
                    f"grand_fleets.modifier.{'end_on' if end else 'broadside_on'}",
                    size=size_message(size),
                ),
                attack.target.card.provenance("size"),
            ),
            speed_line(attack.marker, tables),
        )
    )
    sources = (card.provenance("tubes", torpedoes), card.provenance("damage", torpedoes))
    return Strength(
        factor=launched,
        reference=rule_reference(RULE),
        ledger=ledger,
        provenance=Provenance.worst((*sources, *(line.provenance for line in ledger))),
        factor_label=Message("grand_fleets.factor.torpedoes"),
        total_label=ATTACK_MODIFIER,
    )


def torpedoes_of(attack: TorpedoLaunch) -> Torpedoes:
    """The torpedoes of the firing ship. Raises if her card has none."""
    torpedoes = attack.firer.card.torpedoes
    if torpedoes is None:
        expected = Message("grand_fleets.expected.a_battery_of", ship=attack.firer.name)
        raise BadField(NOWHERE.table("fire"), "battery", expected, attack.action.kind)
    return torpedoes


def launched_from(attack: TorpedoLaunch) -> dict[Tube, int]:
    """The number of torpedoes from each kind of box: first boxes that bear into no other arc."""
    quadrant = attack.action.quadrant
    bearing = attack.firer.torpedoes_bearing(quadrant)
    left = sum(bearing.values())
    wanted = attack.action.torpedoes or left
    if not left:
        arc = arc_message(quadrant)
        raise Forbidden(
            Message("grand_fleets.refused.no_torpedo", ship=attack.firer.ref, arc=arc), RULE
        )
    if wanted > left:
        raise Forbidden(
            Message(
                "grand_fleets.refused.torpedoes_bear",
                ship=attack.firer.ref,
                wanted=wanted,
                left=left,
            ),
            RULE,
        )
    launched: dict[Tube, int] = {}
    for tube, count in bearing.items():
        taken = min(count, wanted - sum(launched.values()))
        if taken:
            launched[tube] = taken
    return launched


def is_hit(total: int, modifier: int, tables: TableSet) -> bool:
    """Whether two dice are a hit; the table's hits are intentionally scattered."""
    if total < _LOWEST_COLUMN:
        return False
    return tables["torpedo_hits"].text(row_of(TORPEDO_ROWS, modifier), str(total)) == "hit"


def damage_dice(modifier: int, dice: Dice, enough: int | None = None) -> list[int]:
    """The damage dice of one torpedo: a six is rolled again, up to a limit."""
    rolls = [dice.die(Message("grand_fleets.roll.torpedo_damage"))]
    while rolls[-1] == FACES and (enough is None or boxes_of(rolls, modifier) < enough):
        rolls.append(dice.die(Message("grand_fleets.roll.torpedo_again")))
    return rolls


def boxes_of(rolls: list[int], modifier: int) -> int:
    """The hull boxes of some damage dice; at least 0 for each die."""
    return sum(max(0, roll + modifier) for roll in rolls)


def _refuse_second_target(attack: TorpedoLaunch) -> None:
    """Raise Forbidden for a second target of torpedoes in a turn."""
    others = [
        ship
        for ship, turn in attack.firer.marks.torpedoed.items()
        if attack.turn and turn == attack.turn and ship != attack.target.id
    ]
    if others:
        raise Forbidden(
            Message(
                "grand_fleets.refused.second_target",
                ship=attack.firer.ref,
                target=ShipRef(others[0]),
                turn=attack.turn,
            ),
            RULE,
        )
