"""Requests for actions of a guided battle: the kind, and the action's fields as `data`.

    {"kind": "plot", "data": {"ship": "Hood", "speed": 12, "notation": "3L1"}}

The action types are the rulebooks' own (`GuidedRulebook.action_types`), so a request is checked and
described by the very fields that the rulebook takes. Each type becomes one request type; a request
is one of them, told apart by its kind.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from functools import reduce
from operator import attrgetter, or_
from typing import Annotated, ClassVar, Final, Literal

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    WithJsonSchema,
    with_config,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from combat.guided_actions import BattleAction, Draft
from combat.guided_play import EventKind
from combat.rulebooks import NAMES, get_ruleset
from tabletop.errors import UnknownKey
from tabletop.schema import CONFIG, Flag, Line, StoredAs, Whole, drop_nulls, keys_of, kind_of
from web.games.guided_game import guided_rulebook

MOST_DICE_AT_ONCE: Final = 5_000
_VALUES_SCHEMA: Final[dict[str, object]] = {
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
    roll: Annotated[Line, Field(max_length=40)] | None = None
    """The roll that they begin with, as in `all_wanted`: refused if it is no longer open."""
    only: Flag = False
    """Whether they end with what that roll is for; otherwise they go on with your others."""


@dataclass(frozen=True, slots=True)
class OwnFields:
    """Marks an action that is read from the fields of a request: without kind and side."""

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Null means the same as a missing key; fields that the server sets are omitted."""

        def read(value: object) -> object:
            if isinstance(value, Mapping):
                known = keys_of(source)
                if "kind" in value or ("side" in value and "for_side" in known):
                    # The side that an umpire acts for has a separate key.
                    key = "kind" if "kind" in value else "side"
                    raise UnknownKey(kind_of(source), key, known)
                value = {key: each for key, each in value.items() if key not in _SERVER_SETS}
            return drop_nulls(value, kind_of(source))

        return core_schema.no_info_before_validator_function(read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Described without the kind, which is a separate key."""
        found = handler.resolve_ref_schema(handler(schema))
        properties = {name: value for name, value in found["properties"].items() if name != "kind"}
        return {**found, "properties": properties}


_SERVER_SETS: Final = ("side", "who")


def _action_types() -> dict[str, type[BattleAction | TypedRolls]]:
    """The actions of every guided rulebook by kind; dice come as typed by players.

    Where two rulebooks have a kind of one name, it is the first rulebook's, as it was before the
    other had it; corrections have a route of their own, which every rulebook reads itself.
    """
    guided = (guided_rulebook(name) for name in NAMES if get_ruleset(name).battle is not None)
    found: dict[str, type[BattleAction | TypedRolls]] = {}
    for rulebook in guided:
        for action in rulebook.action_types:
            found.setdefault(kind_of(action), action)
    return {**found, EventKind.DICE: TypedRolls}


def _request_type(action: type) -> type:
    """The request for one type of action; `data` may be left out if no field is required."""
    may_be_empty = all(
        each.default is not MISSING or each.default_factory is not MISSING
        for each in fields(action)
    )
    data = field(default_factory=action) if may_be_empty else field()
    made = make_dataclass(
        f"{action.__name__}Request",
        [
            ("kind", Literal[kind_of(action)]),
            ("data", Annotated[action, OwnFields()], data),
        ],
        namespace={"__doc__": action.__doc__},
        frozen=True,
        kw_only=True,
    )
    return with_config(CONFIG)(made)


_ACTION_TYPES: Final = _action_types()
_ANY_REQUEST: Final[object] = Annotated[
    reduce(or_, map(_request_type, _ACTION_TYPES.values())), Field(discriminator="kind")
]

CorrectRequest: Final = _ACTION_TYPES[EventKind.CORRECT]
"""The only type whose fields differ between rulebooks that have the same kind."""
PlayRequest = Annotated[BattleAction | TypedRolls, StoredAs(_ANY_REQUEST, attrgetter("data"))]
"""The action of a request; a rulebook refuses the actions of another."""
FireDraft = Annotated[Draft, StoredAs(Annotated[_ACTION_TYPES[EventKind.DESIGNATE], OwnFields()])]
RateDraft = Annotated[Draft, StoredAs(Annotated[_ACTION_TYPES[EventKind.REDUCE], OwnFields()])]
