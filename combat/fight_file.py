"""Fight files: ships and actions in free play, as TOML (`dreyer replay`)."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from combat.actions import ActionInfo, NextRound
from combat.dice import BadDice, Dice, RolledDice, TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.game import Game
from combat.participants import Ship
from combat.previews import Forbidden
from combat.shot_file import Answers, ShotForm, found_in
from tabletop.errors import DreyerError
from tabletop.fields import Fields
from tabletop.messages import Message

NEXT_ROUND: Final = "next-round"
UNDO: Final = "undo"
_SHIP_KEYS: Final = ("name", "type", "side", "state")
_ACTION_KEYS: Final = ("action", "by", "at", "dice", "seed", "answers", "to")
_TYPED: Final = Message("schema.typed_dice")
_MOST_ACTIONS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Lineup:
    """The ships of a file: the battle's beginning, and what each ship's table says besides."""

    state: FreeState[Any]
    tables: Mapping[str, Fields]


def play_fight(
    rulebook: FreeRulebook[Any], document: Mapping[str, object], place: str
) -> Game[FreeState[Any]]:
    """Play a fight file to its end; an error names the action that it is about."""
    fields = Fields(document, place, ("ruleset", "edition", "ship", "action"))
    if "ship" not in fields and "action" not in fields:
        raise fields.missing("ship", Message("schema.tables", key="ship"))
    form = ShotForm(rulebook)
    lineup = _line_up(rulebook, form, fields)
    game: Game[FreeState[Any]] = Game(rulebook, lineup.state)
    for n, action in enumerate(fields.tables("action", _ACTION_KEYS), start=1):
        try:
            game = _play(game, n, action, form, lineup)
        except Forbidden as error:
            raise Forbidden(error.reason, error.rule, action.place) from None
        except BadDice as error:
            raise BadDice("errors.at", place=action.place, reason=error.message) from None
        except DreyerError as error:
            place = str(dict(error.message.params).get("place", ""))
            if place.startswith(action.place):
                raise
            raise DreyerError("errors.at", place=action.place, reason=error.message) from None
    return game


def _line_up(rulebook: FreeRulebook[Any], form: ShotForm[Any], fields: Fields) -> _Lineup:
    state: FreeState[Any] = FreeState()
    tables: dict[str, Fields] = {}
    for each in fields.tables("ship", (*_SHIP_KEYS, *form.ship_keys)):
        name = each.text("name")
        if name in tables:
            raise each.wrong("name", Message("schema.new_name"), name)
        card = rulebook.ship_types.named(each.text("type", name), each.place)
        ship = Ship(name, name, each.text("side", card.nation.lower()), card.name)
        marks = form.read_marks(each.table("state", form.mark_keys))
        state = form.add(state, ship, marks, each.place)
        tables[name] = each
    return _Lineup(state, tables)


def _play(
    game: Game[FreeState[Any]], n: int, fields: Fields, form: ShotForm[Any], lineup: _Lineup
) -> Game[FreeState[Any]]:
    rulebook = game.rulebook
    if not isinstance(rulebook, FreeRulebook):
        raise TypeError("a fight file is played freely")
    kinds = (*rulebook.info_by_kind, NEXT_ROUND, UNDO)
    kind = fields.choice("action", kinds)
    info, names = rulebook.info_by_kind.get(kind), list(lineup.tables)
    _refuse_others(fields, kind, info)
    if kind == UNDO:
        to = fields.integer("to", least=1, most=_MOST_ACTIONS) if "to" in fields else None
        return game.undo(to)
    dice, typed = _dice(fields)
    if info is None:
        return game.play(n, NextRound(), dice)
    by = fields.choice("by", names) if info.by_ship else None
    at = fields.choice("at", names) if info.at_ship else None
    more: Answers = {}
    if by is not None:
        more |= form.ship_answers(lineup.tables[by], "firer")
    if at is not None:
        more |= form.ship_answers(lineup.tables[at], "target")
    answers = fields.table("answers", form.answer_keys)
    action = form.action(kind, by, at, answers, more)
    with found_in(fields.place):
        game = game.play(n, action, dice, anew=typed is not None)
    if typed is not None:
        typed.finish()
    return game


def _refuse_others(fields: Fields, kind: str, info: ActionInfo | None) -> None:
    """Complain of keys that mean nothing for an action of this kind."""
    takes = {
        "by": info is not None and info.by_ship,
        "at": info is not None and info.at_ship,
        **dict.fromkeys(("dice", "seed", "answers"), info is not None),
        "to": kind == UNDO,
    }
    for key, taken in takes.items():
        if key in fields and not taken:
            raise DreyerError("combat.fight.takes_none", place=fields.place, key=key, action=kind)


def _dice(fields: Fields) -> tuple[Dice, TypedDice | None]:
    """Where an action's dice come from; without any, only kept ones can be read."""
    if "dice" in fields and "seed" in fields:
        raise DreyerError("combat.fight.dice_and_seed", place=fields.place)
    if "seed" in fields:
        seed = fields.value("seed", Message("schema.whole"))
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise fields.wrong("seed", Message("schema.whole"), seed)
        return RolledDice(random.Random(seed)), None  # noqa: S311 - a game, not a secret
    if "dice" not in fields:
        return TypedDice(""), None
    given = fields.value("dice", _TYPED)
    if not isinstance(given, str):
        raise fields.wrong("dice", _TYPED, given)
    typed = TypedDice(given)
    return typed, typed
