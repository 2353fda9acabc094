"""Between what players write and what the rules play: plots, fire orders and dice."""

from collections.abc import Callable

from combat.dice import BadDice
from combat.dice_wanted import DiceWanted
from combat.guided_actions import RollDice
from combat.rulebooks.bismarck_advanced.engagement.combat_phase import FireOrder
from combat.rulebooks.bismarck_advanced.engagement.movement_phase import MoveOrder
from combat.rulebooks.bismarck_advanced.guided_battle.actions import Designate, Plot
from tabletop.errors import DreyerError

Find = Callable[[str], str]
"""From what somebody calls a ship to her true name."""


def move_order(plot: Plot, find: Find) -> MoveOrder:
    """What a player writes for one ship in a plot phase, by the ships' true names."""
    return MoveOrder(
        plot=plot.notation,
        speed=plot.speed,
        follows=None if plot.follows is None else find(plot.follows),
        torpedo_target=None if plot.torpedo is None else find(plot.torpedo),
        smoke_side=plot.smoke_side,
    )


def fire_orders(firer: str, draft: Designate, find: Find) -> tuple[FireOrder, ...]:
    """What a player writes for one ship in a designation phase; no orders hold her fire."""
    return tuple(
        FireOrder(
            firer=firer,
            target=find(aim.target),
            battery=aim.battery,
            turrets=aim.turrets,
            guns=aim.guns,
            held_back=aim.held_back,
        )
        for aim in draft.orders
    )


def check_first(action: RollDice, number: int) -> None:
    """Complain of dice that were meant for another roll than the one with this number."""
    if action.first is not None and action.first != number:
        raise BadDice("advanced.order.other_roll", given=action.first, wanted=number)


def check_roll(action: RollDice, wanted: DiceWanted | None) -> None:
    """Complain of dice that were meant for another roll than the one that is wanted."""
    if wanted is None:
        raise DreyerError("advanced.order.no_dice_wanted")
    check_first(action, wanted.number)
    if action.roll not in (None, wanted.roll):
        raise BadDice("dice.roll_gone")
    if not action.reach.includes(wanted.side):
        raise BadDice("dice.none_of_yours")
