"""The end of a surface combat: who leaves its hex, and who may stay behind (11.4.10, 11.4.11)."""

from collections.abc import Iterable
from typing import Final

from combat.free_play import Attempt
from combat.rulebooks.arctic_disaster.actions import LAST_ROUND, Disengagement, Player
from combat.rulebooks.arctic_disaster.display import is_decided, is_german, on_display
from combat.rulebooks.arctic_disaster.events import CombatEnded
from combat.rulebooks.arctic_disaster.vessel import Vessel

_COUNTED: Final = ("BB", "CA", "DD")
"""The types whose number decides who stays where nobody chose to disengage."""
_BOTH: Final = (Player.GERMAN, Player.ALLIED)


def end_of_combat(attack: Attempt[Disengagement, Vessel]) -> CombatEnded | None:
    """Who leaves the combat hex; None where nothing is known of it."""
    action, here = attack.action, on_display(attack.fleet)
    afloat = tuple(each for each in here if not each.sunk)
    leaves, tied = _leaving(action, here, afloat)
    if not (leaves or tied or here):
        return None
    damaged = (
        each.id for each in afloat if each.marks.damage and (tied or _player(each) in leaves)
    )
    return CombatEnded(
        rule="11.4.10",
        leaves=tuple(leaves),
        returns=len(leaves) == 1 and action.leaver is action.mover is not Player.NONE,
        tied=tied,
        damaged=tuple(damaged),
    )


def _leaving(
    action: Disengagement, here: tuple[Vessel, ...], afloat: tuple[Vessel, ...]
) -> tuple[tuple[Player, ...], bool]:
    """The players who leave, and whether a die or a coin has to decide it."""
    if is_decided(here):
        return (), False
    convoy = any(each.marks.convoy for each in afloat)
    if convoy and action.round >= LAST_ROUND:
        # All German ships remain after the eighth round (11.4.13).
        return (Player.ALLIED,), False
    if action.agreed:
        return _BOTH, False
    if action.leaver is not Player.NONE:
        return (action.leaver,), False
    if not here:
        return (), False
    german, allied = (_count(afloat, player) for player in _BOTH)
    if german == allied:
        return (), True
    return (Player.ALLIED if german > allied else Player.GERMAN,), False


def _count(ships: Iterable[Vessel], player: Player) -> int:
    return sum(each.unit in _COUNTED and _player(each) is player for each in ships)


def _player(vessel: Vessel) -> Player:
    return Player.GERMAN if is_german(vessel) else Player.ALLIED
