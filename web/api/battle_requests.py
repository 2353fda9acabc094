"""Requests for actions of a guided battle: the kind, and the fields as `data`."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from combat.guided_play import EventKind
from combat.rulebooks import DEFAULT
from tabletop.errors import UnknownKey
from tabletop.schema import CONFIG, Whole, document, drop_nulls, keys_of, kind_of
from web.games.guided_game import guided_rulebook

if TYPE_CHECKING:
    from combat.guided_actions import BattleAction, Draft

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
_ACTIONS: Final[Mapping[str, type[Any]]] = {
    **{kind_of(each): each for each in guided_rulebook(DEFAULT).action_types},
    EventKind.DICE: TypedRolls,
}


def _request(action: type[Any]) -> type[Any]:
    """A request for one kind of action; its data is optional if no field is required."""
    annotations = {"kind": Literal[kind_of(action)], "data": Annotated[action, OwnFields()]}
    made: dict[str, object] = {"__doc__": action.__doc__, "__annotations__": annotations}
    if all(
        each.default is not MISSING or each.default_factory is not MISSING
        for each in fields(action)
    ):
        made["data"] = field(default_factory=action)
    return document(type(f"{action.__name__}Request", (), made))


if TYPE_CHECKING:

    class PlayRequest:
        """One action of the battle, by its kind."""

        kind: EventKind
        data: BattleAction | TypedRolls

    FireDraft = Draft
    RateDraft = Draft
else:
    PlayRequest = Annotated[
        reduce(or_, (_request(each) for each in _ACTIONS.values())), Field(discriminator="kind")
    ]
    FireDraft = Annotated[_ACTIONS[EventKind.DESIGNATE], OwnFields()]
    RateDraft = Annotated[_ACTIONS[EventKind.REDUCE], OwnFields()]
