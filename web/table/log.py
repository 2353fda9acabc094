"""The journal in words: one sentence for each entry, for the log that everyone reads."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

from combat.guided_actions import BattleSetup, RollDice, Secret
from combat.guided_play import EventKind
from combat.optional_rules import OptionalRule, optional_rules
from combat.participants import Side
from combat.rulebook_info import Ruleset, SegmentInfo
from combat.sides import Sides
from tabletop.messages import Message
from web.auth.seats import HOST_NAME
from web.games.free_game import step_told
from web.journal import events
from web.journal.battle_record import how_rolled
from web.journal.events import BattlePlayed, Entry, Event, JournalKind, OldBattlePlayed, Origin
from web.sides import side_name
from web.strings import sentence, strings, text, words
from web.table.survey_text import reading_of_segments, yards_text

_SECRET: Final = (EventKind.PLOT, EventKind.DESIGNATE)
"""Secret actions of a battle; commitments are public."""
_NAMES_NO_SHIP: Final = (
    events.TableOpened, events.TableSized, events.SidesSet, events.PremeasureSet,
    events.BattleBegun, events.BattlePlayed, events.BattleUndone, events.UndoAsked,
    events.CaptainSet,
    events.UndoAgreed, events.UndoRefused, events.Joined, events.Left,
)  # fmt: skip
"""What is told in fog of war."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    n: int
    time: str
    who: str
    kind: JournalKind
    text: str


def log_lines(
    entries: Iterable[Entry],
    ruleset: Ruleset | None = None,
    *,
    foggy: bool = False,
    corrections: Mapping[int, Sequence[Message]] = MappingProxyType({}),
) -> tuple[LogLine, ...]:
    """The entries that all may read, in words; in fog of war those that name no ship.

    The table's rulebook has the titles of range segments; without it their names are shown.
    `corrections` are what the reader may know of an umpire's corrections, by the numbers of their
    entries; without it a correction is told by its reason alone.
    """
    segments = ruleset.segments if ruleset else ()
    return tuple(
        _line(entry, segments, corrections.get(entry.n, ()))
        for entry in entries
        if not _is_secret(entry) and (not foggy or isinstance(entry.event, _NAMES_NO_SHIP))
    )


def _is_secret(entry: Entry) -> bool:
    match entry.event:
        case BattlePlayed(action=action):
            return isinstance(action, Secret)
        case OldBattlePlayed(action_kind=kind):
            return kind in _SECRET
    return False


def _line(entry: Entry, segments: Sequence[SegmentInfo], corrections: Sequence[Message]) -> LogLine:
    return LogLine(
        n=entry.n,
        time=time.strftime("%H:%M", time.localtime(entry.seconds)),
        who=str(text("common.host")) if entry.who == HOST_NAME else entry.who,
        kind=entry.event.kind,
        text="; ".join(map(sentence, corrections)) or _words(entry, segments),
    )


def _words(entry: Entry, segments: Sequence[SegmentInfo]) -> str:
    event = entry.event
    values = {each.name: getattr(event, each.name) for each in fields(event)}
    plain = {key: value for key, value in values.items() if isinstance(value, str | int | float)}
    key, more = _key_and_values(event, segments)
    return str(text(f"events.{key}", **{**plain, **more}))


_KeyAndValues = tuple[str, dict[str, object]]
"""A key of the string tables, and parameters besides the event's own."""


def _key_and_values(event: Event, segments: Sequence[SegmentInfo]) -> _KeyAndValues:
    match event:
        case events.TableSized():
            return _table_sized(event)
        case events.SidesSet(sides=sides):
            return _sides_set(sides)
        case events.ShipSided(side=side, side_name=name):
            return "ship_sided", {"side": _side_words(side, name)}
        case events.ShipsPlaced():
            return _placed(event)
        case events.Ruled():
            return _ruled(event)
        case events.Decided(what=what, reading=reading):
            question = text(f"events.question.{what}")
            decided = reading_of_segments(segments, what, reading)
            return "decided", {"question": question, "reading": decided}
        case events.Reopened(what=what):
            return "reopened", {"question": text(f"events.question.{what}")}
        case events.PremeasureSet(mode=mode):
            return f"premeasure_{mode}", {}
        case events.Joined(side=str() as side, side_name=name):
            return "joined_side", {"side": _side_words(side, name)}
        case events.Joined(role=role):
            return f"joined_{role}", {}
        case events.CaptainSet(side=side, captain=captain, side_name=name):
            return _captain_set(side, name, captain)
        case events.BattleBegun(setup=setup):
            return _battle_begun(setup)
        case BattlePlayed():
            return _battle(event)
        case OldBattlePlayed():
            return _old_battle(event)
        case events.BattleUndone() | events.OldBattleUndone():
            return "undone", {"n": len(event.events)}
        case events.AttackMade(outcome=outcome):
            return "attack_made" if outcome else "attack_told", {}
        case events.FreePlayed():
            return _free_played(event)
    return str(event.kind), {}


def _captain_set(side: str, side_name: str | None, captain: str | None) -> _KeyAndValues:
    who: dict[str, object] = {"side": _side_words(side, side_name)}
    if captain is None:
        return "captain_dismissed", who
    key = f"captain.temperament.{captain}"
    # A later version may have captains that this one has no words for.
    return "captain_appointed", {**who, "captain": text(key) if key in strings() else captain}


def _battle_begun(setup: BattleSetup) -> _KeyAndValues:
    """That it began, and with which optional rules."""
    on = [each for each in optional_rules(setup.options) if each.on]
    if not on:
        return "battle_begun", {}
    rules = Message("events.options", rules=tuple(_option(each) for each in on))
    return "battle_begun_with", {"rules": rules}


def _option(option: OptionalRule) -> Message:
    return Message("events.option", title=option.title, rule=option.rule)


def _table_sized(event: events.TableSized) -> _KeyAndValues:
    inch = event.yards_per_inch
    width, height = (f"{yards / inch:.4g}" for yards in (event.width_yards, event.height_yards))
    return "table_sized", {"width": width, "height": height, "yards": yards_text(inch)}


def _placed(event: events.ShipsPlaced) -> _KeyAndValues:
    first = event.ships[0]
    names = ", ".join(ship.name for ship in event.ships)
    if event.origin is Origin.PHOTO:
        return "placed_by_photo", {"names": names}
    if event.origin is Origin.PLOT:
        return "placed_by_battle", {"names": names}
    if len(event.ships) > 1:
        return "placed_together", {"names": names}
    return "moved_with_reason" if event.reason else "placed", {
        "name": first.name,
        "x": yards_text(first.pose.x_yards),
        "y": yards_text(first.pose.y_yards),
        "heading": f"{round(first.pose.heading_deg) % 360:03d}",
    }


def _ruled(event: events.Ruled) -> _KeyAndValues:
    figures = []
    if event.range_yards is not None:
        figures.append(f"{yards_text(event.range_yards)} yd")
    figures += [
        str(text(f"events.figure.{key}", value=value))
        for key, value in (("quadrant", event.quadrant), ("aspect", event.aspect))
        if value is not None
    ]
    figures += [
        str(text(f"events.figure.{key}_{'yes' if value else 'no'}"))
        for key, value in (("blocked", event.blocked), ("smoke", event.smoke))
        if value is not None
    ]
    return "ruled", {"figures": ", ".join(figures)}


def _side_words(key: str, name: str | None) -> str:
    """A side's name at that time, or the title of a default side."""
    return name or side_name(Side(key))


def _battle(event: BattlePlayed) -> _KeyAndValues:
    # No ship is named here, because her name may still be secret; the story has the names.
    action = event.action
    if isinstance(action, RollDice):
        dice = " ".join(roll.value for roll in event.rolls)
        return f"battle.dice_{how_rolled(event.rolls)}", {"reason": "", "dice": dice}
    return f"battle.{action.kind}", {"reason": getattr(action, "reason", "")}


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _old_battle(event: OldBattlePlayed) -> _KeyAndValues:
    """An action as version 0.1.0 stored it."""
    data = event.data
    values: dict[str, object] = {"reason": data.get("reason", "")}
    if event.action_kind is EventKind.DICE:
        values["dice"] = " ".join(map(str, _listed(data["values"])))
        return f"battle.dice_{data.get('how', 'typed')}", values
    if event.action_kind is EventKind.RULE and "next" in data:
        return f"battle.{EventKind.ROLL_NEXT}", values
    return f"battle.{event.action_kind}", values


def _sides_set(sides: Sides) -> _KeyAndValues:
    names = ", ".join(f"{side_name(side)} ({side.letter})" for side in sides)
    allies = [
        " + ".join(side_name(sides[key]) for key in pair)
        for pair in sides.pairs_of_allies(sides.keys)
    ]
    if allies:
        return "sides_set_allied", {"names": names, "allies": ", ".join(allies)}
    return "sides_set", {"names": names}


def _free_played(event: events.FreePlayed) -> _KeyAndValues:
    title, outcome = step_told(event)
    return ("attack_made" if outcome else "attack_told"), {
        "words": words(title),
        "outcome": words(outcome),
    }
