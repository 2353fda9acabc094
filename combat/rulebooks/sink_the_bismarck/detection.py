"""Detection: who may detect whom, every modifier, and the die (10)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from combat.dice import Dice
from combat.distributions import chance, odds_of
from combat.forecast import Forecast
from combat.modifiers import Modifier
from combat.previews import Forbidden
from combat.rulebooks.sink_the_bismarck.actions import Detection, Enemy, Searcher, Visibility
from combat.rulebooks.sink_the_bismarck.table_files import DETECTED, UNKNOWN
from combat.strength import Strength
from combat.tables import TableSet
from combat.ten_sided_dice import Throw, strength_of, table_modifier, throw

_REFUSED: Final[Mapping[Searcher, tuple[str, str]]] = {
    Searcher.ATTACK_AIRCRAFT: ("attack aircraft detect nothing", "8.11"),
    Searcher.DUMMY: ("a dummy detects nothing", "6.24"),
    Searcher.CONVOY: ("a convoy detects nobody unless it is attacked", "9.9"),
}
_BY_SHIPS: Final = ((7, "7 or more ships"), (5, "5 or 6 ships"), (3, "3 or 4 ships"))


def detection_strength(action: Detection, tables: TableSet) -> Strength:
    """One die with its modifiers, where there is anything to roll for."""
    if action.searcher in _REFUSED:
        raise Forbidden(*_REFUSED[action.searcher])
    if action.fog:
        raise Forbidden("nothing is detected in fog", "10.3")
    if action.shadowed:
        raise Forbidden("a shadowed task force needs no detection", "4.0")
    if action.enemy is Enemy.CONVOY and action.searcher is Searcher.TASK_FORCE:
        raise Forbidden("a German task force detects a convoy without a die", "9.9")
    return strength_of(1, "10.2: one die", list(_modifiers(action, tables)), label="Dice")


def _modifiers(action: Detection, tables: TableSet) -> Iterator[Modifier]:
    table = tables["detection_modifiers"]
    for row in _rows(action):
        yield table_modifier(table, row, row)


def _rows(action: Detection) -> Iterator[str]:
    """The rows of the list of modifiers that apply (10.2)."""
    if action.visibility is Visibility.GOOD:
        yield "visibility good"
    if action.visibility is Visibility.POOR or action.night:
        yield "visibility poor or night"
    if action.searcher is Searcher.RECON and not action.night:
        yield "recon aircraft by day"
    if action.searcher is Searcher.TASK_FORCE:
        yield from [row for least, row in _BY_SHIPS if action.ships >= least][:1]
        if action.carrier:
            yield "aircraft carrier"


def detect(dice: Dice, modifier: int, tables: TableSet) -> Throw:
    """Roll, and read the die in the Detection Table."""
    return throw(dice, "detection", "10.2", tables["detection"], "result", modifier)


def detection_odds(modifier: int, tables: TableSet) -> Forecast:
    """The odds of every modified die, and of detection where the owner has entered the table."""
    odds = odds_of(lambda dice: detect(dice, modifier, tables))
    outcomes = {
        f"a modified {least} or more": chance(odds, partial(_reaches, least))
        for least in sorted(thrown.total for thrown in odds)
    }
    if any(thrown.result == UNKNOWN for thrown in odds):
        # Nobody's chance is told while the owner has not entered what a die may show.
        return Forecast({0: 1.0}, outcomes, {})
    detected = chance(odds, lambda thrown: thrown.result == DETECTED)
    return Forecast({0: 1 - detected, 1: detected}, {DETECTED: detected, **outcomes}, {})


def _reaches(least: int, thrown: Throw) -> bool:
    return thrown.total >= least
