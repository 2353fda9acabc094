"""Detection: who may detect whom, the modifiers, and the die (10)."""

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
from combat.ten_sided_dice import DICE, Throw, strength_of, table_modifier, throw
from tabletop.messages import Message

_REFUSED: Final[Mapping[Searcher, tuple[Message, str]]] = {
    Searcher.ATTACK_AIRCRAFT: (Message("sink.detection.attack_aircraft"), "8.11"),
    Searcher.DUMMY: (Message("sink.detection.dummy"), "6.24"),
    Searcher.CONVOY: (Message("sink.detection.convoy"), "9.9"),
}
_BY_SHIPS: Final = ((7, "7 or more ships"), (5, "5 or 6 ships"), (3, "3 or 4 ships"))


def detection_strength(action: Detection, tables: TableSet) -> Strength:
    """One die with its modifiers. Raises Forbidden if nothing can be detected."""
    if action.searcher in _REFUSED:
        raise Forbidden(*_REFUSED[action.searcher])
    if action.fog:
        raise Forbidden(Message("sink.detection.fog"), "10.3")
    if action.shadowed:
        raise Forbidden(Message("sink.detection.shadowed"), "4.0")
    if action.enemy is Enemy.CONVOY and action.searcher is Searcher.TASK_FORCE:
        raise Forbidden(Message("sink.detection.no_die"), "9.9")
    return strength_of(
        1,
        Message("combat.reference.one_die", rule="10.2"),
        list(_modifiers(action, tables)),
        label=DICE,
    )


def _modifiers(action: Detection, tables: TableSet) -> Iterator[Modifier]:
    table = tables["detection_modifiers"]
    for row in _rows(action):
        yield table_modifier(table, row, Message(f"sink.row.{row.replace(' ', '_')}"))


def _rows(action: Detection) -> Iterator[str]:
    """The rows of modifiers that apply (10.2)."""
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
    """Roll, and look the die up in the Detection Table."""
    return throw(
        dice, Message("sink.roll.detection"), "10.2", tables["detection"], "result", modifier
    )


def detection_odds(modifier: int, tables: TableSet) -> Forecast:
    """The odds of every modified die, and of detection if the owner has entered the table."""
    odds = odds_of(lambda dice: detect(dice, modifier, tables))
    results = {
        Message("sink.outcome.at_least", least=least): chance(odds, partial(_reaches, least))
        for least in sorted(thrown.total for thrown in odds)
    }
    if any(thrown.result == UNKNOWN for thrown in odds):
        # Without the owner's entries for all results the odds of detection are unknown.
        return Forecast({0: 1.0}, {}, {}, results=results)
    detected = chance(odds, lambda thrown: thrown.result == DETECTED)
    results = {Message("sink.outcome.detected"): detected, **results}
    return Forecast({0: 1 - detected, 1: detected}, {}, {}, results=results)


def _reaches(least: int, thrown: Throw) -> bool:
    return thrown.total >= least
