"""Requests that play a battle, made into the rulebook's own actions."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, WithJsonSchema

from combat.dice import TypedDice
from combat.guided_actions import BattleAction, RollDice
from combat.guided_play import BattleCheck
from tabletop.errors import DreyerError
from tabletop.schema import CONFIG, Whole
from web.actions.battle import Play
from web.games.guided_game import GuidedGame

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


def dice_typed(typed: TypedRolls) -> Play:
    """Dice that somebody has typed, and the action that rolls them."""
    return Play(RollDice(first=typed.first), TypedDice(" ".join(typed.values)))


def checked(battle: GuidedGame, action: BattleAction, type_: type[Check]) -> Check:
    """What the rulebook says of an action before it is taken."""
    check = battle.rulebook.check(battle.state, action)
    if not isinstance(check, type_):
        raise DreyerError("battle.order.nothing_to_check", kind=action.kind)
    return check
