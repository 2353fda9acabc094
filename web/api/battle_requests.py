"""Requests that play a battle, made into the rulebook's own actions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, WithJsonSchema

from combat.dice import TypedDice
from combat.guided_actions import BattleAction, Draft, RollDice
from combat.guided_play import BattleCheck, EventKind
from combat.schema import CONFIG, Schema, Whole
from tabletop.errors import DreyerError
from web.actions.battle import Play, acting_side, under_way
from web.api.route import Call
from web.games.guided_game import BattleNow

Check = TypeVar("Check", bound=BattleCheck)
MOST_DICE_AT_ONCE: Final = 5_000
_VALUES_SCHEMA: Final[dict[str, Any]] = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[1-6]{1,2}$"},
    "minItems": 1,
    "maxItems": MOST_DICE_AT_ONCE,
}
"""What the rules will take; they say themselves what is wrong with other dice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedRolls:
    """Dice that players rolled and typed in, in the order in which they are wanted."""

    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    kind: Literal["dice"] = "dice"
    values: Annotated[
        tuple[str, ...], Field(max_length=MOST_DICE_AT_ONCE), WithJsonSchema(_VALUES_SCHEMA)
    ]
    """Two figures are a pair (coloured, white), one figure is one die; `wanted` says which."""
    first: Annotated[Annotated[Whole, Field(ge=1, le=1_000_000)] | None, Field(alias="from")] = None
    """The number of the first roll, as in `wanted`: refused where somebody was faster."""


_ROLLS: Final[Schema[TypedRolls]] = Schema(TypedRolls, "dice")


def read_play(call: Call, kind: str, data: Mapping[str, Any]) -> Play:
    """What a caller asks for in the battle on the table: an action, and the dice with it."""
    battle = under_way(call.session.ground(call.caller))
    side = acting_side(battle, call.caller)
    if kind == EventKind.DICE:
        return Play(*read_dice(data, side))
    return Play(battle.rulebook.read_request(kind, data, side))


def read_dice(data: Mapping[str, Any], side: str | None) -> tuple[RollDice, TypedDice]:
    """Dice that a side has typed, and the action that rolls them."""
    typed = _ROLLS.read(data)
    return RollDice(side=side, first=typed.first), TypedDice(" ".join(typed.values))


def checked(battle: BattleNow, action: BattleAction, type_: type[Check]) -> Check:
    """What the rulebook says of an action before it is taken."""
    check = battle.rulebook.check(battle.state, action)
    if not isinstance(check, type_):
        raise DreyerError(f"{action.kind}: there is nothing to check here")
    return check


def read_draft(battle: BattleNow, side: str | None, kind: str, data: Mapping[str, Any]) -> Draft:
    """A ship's order as a side is writing it, complete or not."""
    draft = battle.rulebook.read_request(kind, data, side)
    if not isinstance(draft, Draft):
        raise DreyerError(f"{kind} is no order for one ship")
    return draft
