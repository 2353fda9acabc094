"""Steps of a battle in free play from a file, each typed by its rulebook."""

from collections.abc import Mapping, Sequence
from typing import Any

from combat.free_play import FreeRulebook
from combat.library import Library
from combat.participants import UMPIRE
from combat.shot_file import ShotForm
from tabletop.errors import DreyerError, UnknownKey
from tabletop.messages import verbatim
from tabletop.schema import Schema
from web.games.free_game import FreeNow


def check_steps(
    library: Library, ruleset: str, steps: Sequence[Mapping[str, Any]], place: str
) -> None:
    """Refuse steps whose actions or events are not those of the rulebook, to the last value."""
    found = library.get(ruleset)
    if found.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=found.title)
    rulebook = found.rulebook(found.tables)
    for number, step in enumerate(steps, start=1):
        here = f"{place}, steps {number}"
        _check(rulebook.action_schema(), step["action"], f"{here}, action")
        for count, event in enumerate(step["events"], start=1):
            _check(rulebook.event_schema(), event, f"{here}, events {count}")
        _check_marks(rulebook, step.get("marks", {}), f"{here}, marks")


def _check(schema: Schema[Any], value: Any, place: str) -> None:
    strange = _strange(value, schema.dump(schema.check(value, place)))
    if strange is not None:
        raise UnknownKey(", ".join((place, *strange[:-1])), "".join(strange[-1:]), ())


def _strange(value: Any, read: Any) -> tuple[str, ...] | None:
    """The way to the first part of a value that was not read as it is written."""
    if isinstance(value, dict) and isinstance(read, dict):
        parts = [(str(key), each, read.get(key, ...)) for key, each in value.items()]
    elif isinstance(value, list) and isinstance(read, list) and len(value) == len(read):
        parts = [(str(n), *pair) for n, pair in enumerate(zip(value, read, strict=True))]
    elif isinstance(value, str) and read == verbatim(value).store():
        # A text of an older version is read as a message.
        return None
    else:
        return None if type(value) is type(read) and value == read else ()
    for key, inner, found in parts:
        way = () if found is ... else _strange(inner, found)
        if way is not None:
            return (key, *way)
    return None


def _check_marks(rulebook: FreeRulebook[Any], marks: Mapping[str, Any], place: str) -> None:
    """Marks have the keys of a shot file; whether they fit the ship shows when they are played."""
    form = ShotForm(rulebook)
    for ship, written in marks.items():
        form.read_marks(written, f"{place}, {ship}")


def check_battle(now: FreeNow) -> None:
    """Tell the whole battle and draw every sheet, so that no page breaks on it later."""
    for played in now.game.played:
        for event in played.events:
            for ship in (event.ship, event.target):
                if ship is not None:
                    now.state.ship(ship)
        now.story(played)
        if played.action.kind in now.rulebook.info_by_kind:
            now.rulebook.document(played.events)
    now.rulebook.view(now.state, UMPIRE)
