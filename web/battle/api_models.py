"""The bodies of the battle's API. What is inside an action is the rulebook's to check."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from combat.guided_play import EventKind
from combat.rulebooks import DEFAULT
from combat.schema import kind_of
from web.api.battle_requests import TypedRolls
from web.api.reading import Line, Model, Query
from web.games.guided_game import guided_rulebook

Ship = Annotated[Line, Field(min_length=1, max_length=40)]
_Loose = Field(strict=False)


class Beginning(Model):
    """How the battle begins; the ships are those on the table."""

    visibility: Annotated[int, Field(ge=1, le=8)] = 2
    night: bool = False
    starting_range_yards: Annotated[float, Field(gt=0, le=100_000)] | None = None
    hidden: bool = False


_ACTIONS: Final = {
    **{kind_of(each): each for each in guided_rulebook(DEFAULT).action_types},
    EventKind.DICE: TypedRolls,
}
_SCHEMAS: Final = {kind: TypeAdapter(each).core_schema for kind, each in _ACTIONS.items()}


def _data_schema(kind: str, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """What a request says of an action: its fields without its kind."""
    found = handler.resolve_ref_schema(handler(_SCHEMAS[kind]))
    told = {name: value for name, value in found["properties"].items() if name != "kind"}
    return {**found, "properties": told}


class Played(Model):
    """One action of the battle."""

    kind: Annotated[EventKind, _Loose]
    data: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """One shape for each kind, so that a script's author sees what goes with which."""
        found = handler.resolve_ref_schema(handler(core_schema))
        shapes = []
        for kind, action in _ACTIONS.items():
            data = _data_schema(kind, handler)
            shapes.append(
                {
                    "title": kind,
                    "description": action.__doc__,
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["kind", "data"] if data.get("required") else ["kind"],
                    "properties": {"kind": {"const": kind}, "data": data},
                }
            )
        found.clear()
        found.update(
            {
                "title": "Played",
                "description": "One action of the battle, by its kind.",
                "oneOf": shapes,
            }
        )
        return found


class Rolling(Model):
    """Whether the app rolls the next dice only, or all that are still wanted."""

    what: Literal["next", "rest"] = "next"
    number: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """The number of the roll that is meant: refused when somebody was faster."""


class Nothing(Model):
    """An empty object."""


class UndoTo(Model):
    """Go back to just after this event, by its number in the log."""

    after: Annotated[int, Field(ge=0, le=2**53)]
    words: Annotated[Line, Field(max_length=120)] = ""


class UndoAnswer(Model):
    """Yes or no to a request to go back."""

    agree: bool


class PlotDraft(Query):
    """A plot as it is being typed."""

    ship: Ship
    speed: Annotated[int, Field(ge=0, le=99)] | None = None
    notation: Annotated[Line, Field(max_length=80)] = ""
    follows: Ship | None = None
    torpedo: Ship | None = None
    smoke_side: Annotated[Line, Field(max_length=10)] | None = None


class OneShip(Query):
    """A ship by the name that the caller knows her by."""

    ship: Ship


class FireDraft(Model):
    """Fire orders as they are being chosen."""

    ship: Ship
    orders: list[dict[str, Any]] = Field(default_factory=list)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """As the action that designates it."""
        found = handler.resolve_ref_schema(handler(core_schema))
        found["properties"] = _data_schema(EventKind.DESIGNATE, handler)["properties"]
        return found


class StoryFrom(Query):
    """The story from this entry on."""

    since: Annotated[int, Field(ge=0, le=1_000_000)] = 0
