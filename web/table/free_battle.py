"""Free play on the table: the current battle, and the ships on the table."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from combat.actions import AddShip
from combat.dice import TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.participants import SPECTATOR, Seat, Ship
from combat.rulebook_info import Ruleset
from combat.tables import TableSet
from tabletop.errors import DreyerError
from web.games.guided_game import GuidedGame
from web.table.moment import Moment


@dataclass(frozen=True, slots=True)
class FreeBattle:
    """A rulebook in free play, and the state of its battle."""

    rulebook: FreeRulebook[object]
    state: FreeState[object]


def guided_battle(moment: Moment, ruleset: Ruleset) -> GuidedGame | None:
    """The running guided battle of a rulebook, if there is one."""
    battle = moment.battle
    if battle is None or battle.is_over or battle.tables.ruleset != ruleset.name:
        return None
    return battle


def free_battle(
    moment: Moment, ruleset: Ruleset, tables: TableSet, seat: Seat = SPECTATOR
) -> FreeBattle:
    """The battle in which an action of a rulebook is judged.

    While a guided battle of the rulebook is running, it is a copy of that battle with the ships
    that a seat may know; otherwise it is the battle in free play, or an empty one with these
    tables.
    """
    battle = guided_battle(moment, ruleset)
    if battle is not None:
        state = battle.rulebook.free_state(battle.state, seat)
        return FreeBattle(_free_rulebook(ruleset, battle), state)
    now = moment.free.of(ruleset.name)
    if now is not None:
        now = now.refreshed(moment.library)
        return FreeBattle(now.rulebook, now.state)
    if ruleset.rulebook is None:
        raise DreyerError("errors.no_fire_yet", ruleset=ruleset.title)
    return FreeBattle(ruleset.rulebook(tables), FreeState())


def _free_rulebook(ruleset: Ruleset, battle: GuidedGame) -> FreeRulebook[object]:
    """Free play with the edition and tables of a guided battle."""
    rulebook = ruleset.of_edition(battle.record.edition).rulebook
    if rulebook is None:
        raise DreyerError("errors.no_fire_yet", ruleset=ruleset.title)
    return rulebook(battle.tables)


def whole_yards(range_yards: float) -> int:
    """A range for rulebooks that count whole yards, rounded up."""
    return math.ceil(round(range_yards, 3))


def shown_yards(range_yards: float, *, in_bands: bool) -> str:
    """A range to start from on a form; a battery's own bands are of whole yards."""
    return str(whole_yards(range_yards)) if in_bands else f"{range_yards:.0f}"


def with_ships(battle: FreeBattle, ships: Iterable[Ship]) -> FreeBattle:
    """The battle with these ships added, undamaged if they are new.

    A ship of the same name but another type is another ship and is left out.
    """
    state, rulebook = battle.state, battle.rulebook
    for ship in ships:
        known = next((other for other in state.ships if other.id == ship.id), None)
        if known is not None and known.type == ship.type:
            continue
        if known is not None:
            others = tuple(other for other in state.ships if other is not known)
            state = replace(state, ships=others)
        joined: AddShip[object] = AddShip(ship=ship)
        state = rulebook.play(state, joined, TypedDice("")).state
    return FreeBattle(rulebook, state)


def ships_on_table(moment: Moment, ruleset: Ruleset) -> tuple[Ship, ...]:
    """The ships on the table that a rulebook has."""
    return tuple(
        Ship(name, name, now.piece.side, now.ship.name)
        for name, now in moment.ships.items()
        if now.ship is not None and ruleset.ships.find(now.ship.name) is not None
    )
