"""Fight files: ships and actions in free play, as TOML (`dreyer replay`)."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic

from pydantic import Field
from typing_extensions import TypeVar

from combat.actions import ActionInfo, NextRound
from combat.dice import BadDice, Dice, RolledDice, TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.shot_file import Answers, ShotForm, found_in
from tabletop.documents import parse_toml
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.places import DocumentPlace, PlaceLike
from tabletop.schema import (
    Expected,
    Schema,
    Text,
    Whole,
    file_document,
    missing,
    one_of,
    optional_keys,
    present_values,
    wrong,
)

M = TypeVar("M")
S = TypeVar("S", default=M)
NEXT_ROUND: Final = "next-round"
UNDO: Final = "undo"
_MOST_ACTIONS: Final = 1_000_000


@file_document
class _ShipTable:
    """A ship of a file; her state and further keys depend on the rulebook."""

    name: Text
    type: Text | None = None
    side: Text | None = None


@file_document
class _ActionTable:
    """An action of a file."""

    action: str | None = None
    by: str | None = None
    at: str | None = None
    dice: Annotated[str, Expected(Message("schema.typed_dice"))] | None = None
    seed: Whole | None = None
    answers: dict[str, object] | None = None
    to: Annotated[Whole, Field(ge=1, le=_MOST_ACTIONS)] | None = None


@dataclass(frozen=True, slots=True)
class _Lineup(Generic[M]):
    """The ships of a file: the initial state, and each ship's table and place in the file."""

    state: FreeState[M]
    tables: Mapping[str, Mapping[str, object]]
    places: Mapping[str, DocumentPlace]


def is_fight(data: bytes, source: str) -> bool:
    """Whether a file is a fight, and neither a scene nor a scenario."""
    return "action" in parse_toml(data, source)


def play_fight(
    rulebook: FreeRulebook[M, S], document: Mapping[str, object], place: PlaceLike
) -> Game[FreeState[M]]:
    """Play all actions of a fight file. Errors name the action."""
    place = DocumentPlace.of(place)
    form = ShotForm(rulebook)
    file = _schema(form).read_table(document, place)
    if file.ship is None and file.action is None:
        raise missing(place, "ship", Message("schema.tables", key="ship"))
    lineup = _line_up(rulebook, form, file.ship or (), place)
    shared = form.shared_answers(present_values(file))
    game: Game[FreeState[M]] = Game(rulebook, lineup.state)
    for n, action in enumerate(file.action or (), start=1):
        here = place.item("action", n)
        try:
            game = _play(game, n, action, form, lineup, shared, here)
        except Forbidden as error:
            raise Forbidden(error.reason, error.rule, here) from None
        except BadDice as error:
            raise BadDice("errors.at", place=here, reason=error.message) from None
        except DreyerError as error:
            place_named = dict(error.message.params).get("place")
            if isinstance(place_named, DocumentPlace) and place_named.is_in(here):
                raise
            raise DreyerError("errors.at", place=here, reason=error.message) from None
    return game


def _schema(form: ShotForm[M, S]) -> Schema[Any]:
    more = {"state": form.marks_document, **dict.fromkeys(form.ship_keys, object)}
    ship: Any = optional_keys("ship", more, _ShipTable)
    tables = {
        **form.shared_tables,
        "ship": tuple[ship, ...],
        "action": tuple[_ActionTable, ...],
    }
    return Schema(optional_keys("fight", {"ruleset": object, "edition": object, **tables}))


def _line_up(
    rulebook: FreeRulebook[M, S],
    form: ShotForm[M, S],
    ships: Iterable[Any],
    source: DocumentPlace,
) -> _Lineup[M]:
    state: FreeState[M] = FreeState()
    tables: dict[str, Mapping[str, object]] = {}
    places: dict[str, DocumentPlace] = {}
    for number, each in enumerate(ships, start=1):
        place = source.item("ship", number, each.name)
        if each.name in tables:
            raise wrong(place, "name", Message("schema.new_name"), each.name)
        card = rulebook.ship_types.named(each.type or each.name, place)
        ship = Ship(each.name, each.name, each.side or card.nation.lower(), card.name)
        state = form.add(state, ship, form.marks_from(each.state), place)
        tables[each.name], places[each.name] = present_values(each), place
    return _Lineup(state, tables, places)


def _play(
    game: Game[FreeState[M]],
    n: int,
    table: _ActionTable,
    form: ShotForm[M, S],
    lineup: _Lineup[M],
    shared: Answers,
    place: DocumentPlace,
) -> Game[FreeState[M]]:
    rulebook = game.rulebook
    if not isinstance(rulebook, FreeRulebook):
        raise TypeError("a fight file is played freely")
    kind = one_of(table.action, (*rulebook.info_by_kind, NEXT_ROUND, UNDO), place, "action")
    info, names = rulebook.info_by_kind.get(kind), tuple(lineup.tables)
    _refuse_others(table, kind, info, place)
    if kind == UNDO:
        return game.undo(table.to)
    dice, typed = _dice(table, place)
    if info is None:
        return game.play(n, NextRound(), dice)
    by = one_of(table.by, names, place, "by") if info.by_ship else None
    at = one_of(table.at, names, place, "at") if info.at_ship else None
    more = dict(shared)
    for ship, role in ((by, "firer"), (at, "target")):
        if ship is not None:
            more |= form.ship_answers(lineup.tables[ship], role, lineup.places[ship])
    answers = table.answers or {}
    action = form.action(kind, by, at, answers, place.table("answers"), more)
    with found_in(place):
        game = game.play(n, action, dice, anew=typed is not None)
    if typed is not None:
        typed.finish()
    return game


def _refuse_others(
    table: _ActionTable, kind: str, info: ActionInfo | None, place: DocumentPlace
) -> None:
    """Raise DreyerError for keys that an action of this kind does not have."""
    takes = {
        "by": info is not None and info.by_ship,
        "at": info is not None and info.at_ship,
        **dict.fromkeys(("dice", "seed", "answers"), info is not None),
        "to": kind == UNDO,
    }
    for key in present_values(table):
        if not takes.get(key, True):
            raise DreyerError("combat.fight.takes_none", place=place, key=key, action=kind)


def _dice(table: _ActionTable, place: DocumentPlace) -> tuple[Dice, TypedDice | None]:
    """The source of an action's dice, which is empty if the file gives none."""
    if table.dice is not None and table.seed is not None:
        raise DreyerError("combat.fight.dice_and_seed", place=place)
    if table.seed is not None:
        return RolledDice(random.Random(table.seed)), None  # noqa: S311 - a game, not a secret
    if table.dice is None:
        return TypedDice(""), None
    typed = TypedDice(table.dice)
    return typed, typed
