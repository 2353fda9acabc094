"""The bodies of the battle's API. What is inside an event is the rulebook's to check."""

from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from combat.battle import EventKind
from web.api.reading import Line, Model, Query
from web.battle.event_models import DATA, FireOrderData

Ship = Annotated[Line, Field(min_length=1, max_length=40)]
_Loose = Field(strict=False)


class Beginning(Model):
    """How the battle begins; the ships are those on the table."""

    visibility: Annotated[int, Field(ge=1, le=8)] = 2
    night: bool = False
    starting_range_yards: Annotated[float, Field(gt=0, le=100_000)] | None = None
    hidden: bool = False


def _asks(model: type[Model]) -> bool:
    return any(field.is_required() for field in model.model_fields.values())


class Played(Model):
    """One event of the battle."""

    kind: Annotated[EventKind, _Loose]
    data: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """One shape for each kind, so that a script's author sees what goes with which."""
        found = handler.resolve_ref_schema(handler(core_schema))
        shapes = []
        for kind, model in DATA.items():
            data = handler(model.__pydantic_core_schema__)
            needed = ["kind", "data"] if _asks(model) else ["kind"]
            shapes.append(
                {
                    "title": kind.value,
                    "description": model.__doc__,
                    "type": "object",
                    "additionalProperties": False,
                    "required": needed,
                    "properties": {"kind": {"const": kind.value}, "data": data},
                }
            )
        found.clear()
        found.update(
            {
                "title": "Played",
                "description": "One event of the battle, by its kind.",
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
    orders: Annotated[list[FireOrderData], Field(max_length=20)] = Field(default_factory=list)


class StoryFrom(Query):
    """The story from this entry on."""

    since: Annotated[int, Field(ge=0, le=1_000_000)] = 0
