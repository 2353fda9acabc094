"""Checks of imported steps of battles in free play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from combat.free_play import FreeRulebook
from combat.library import Library
from combat.participants import UMPIRE
from combat.shot_file import ShotForm
from tabletop.errors import DreyerError, UnknownKey
from tabletop.messages import verbatim
from tabletop.places import DocumentPlace
from tabletop.schema import Schema
from web.games.free_game import FreeGame
from web.journal.event_documents import write_event
from web.journal.events import FreePlayed


@dataclass(frozen=True, slots=True)
class _Step:
    """A step as it is written, before anybody reads its parts."""

    action: object
    events: Sequence[object]


@dataclass(frozen=True, slots=True)
class _Steps:
    steps: Sequence[_Step]


_STEPS: Final[Schema[_Steps]] = Schema(_Steps)


def check_steps(
    library: Library, event: FreePlayed, data: Mapping[str, object], place: DocumentPlace
) -> None:
    """Raise for steps with unknown keys, or with marks that the rulebook does not have."""
    found = library.get(event.ruleset)
    if found.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=found.title)
    rulebook = found.rulebook(found.tables)
    steps = zip(_STEPS.check(data).steps, _STEPS.check(write_event(event)).steps, strict=True)
    for number, (step, read) in enumerate(steps, start=1):
        here = place.item("steps", number)
        _check(step.action, read.action, here.key("action"))
        for count, pair in enumerate(zip(step.events, read.events, strict=True), start=1):
            _check(*pair, here.item("events", count))
        _check_marks(rulebook, event.steps[number - 1].marks, here.key("marks"))


def _check(value: object, read: object, place: DocumentPlace) -> None:
    strange = _strange(value, read)
    if strange is not None:
        for key in strange[:-1]:
            place = place.key(key)
        raise UnknownKey(place, "".join(strange[-1:]), ())


def _strange(value: object, read: object) -> tuple[str, ...] | None:
    """The path to the first part of a value that does not survive reading and writing."""
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


def _check_marks(
    rulebook: FreeRulebook[object], marks: Mapping[str, Mapping[str, object]], place: DocumentPlace
) -> None:
    """Marks have the keys of a shot file; whether they fit the ship is checked on replay."""
    form = ShotForm(rulebook)
    for ship, written in marks.items():
        form.read_marks(written, place.key(ship))


def check_battle(now: FreeGame) -> None:
    """Render the story and every sheet of a battle, so that no page fails on it later."""
    for played in now.game.played:
        for event in played.events:
            for ship in (event.ship, event.target):
                if ship is not None:
                    now.state.ship(ship)
        now.story(played)
        if played.action.kind in now.rulebook.info_by_kind:
            now.rulebook.document(played.events)
    now.rulebook.view(now.state, UMPIRE)
