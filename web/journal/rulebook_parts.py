"""The parts of an event that only a rulebook can read: actions, set-ups, marks, options.

The rulebook is that of the table on which the event happened. Whoever reads an event gives the
rulebook's schemas as the context (`Parts`); what is written knows its own type.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from combat.guided_play import RulebookSchemas
from combat.rulebooks import get_ruleset
from tabletop.errors import DreyerError
from tabletop.schema import Schema

Part = Literal["action", "setup", "marks", "options"]


class DoesNotPlay(DreyerError):
    """What an event has of its rulebook is not as the rulebook has it."""

    def __init__(self, error: DreyerError) -> None:
        super().__init__(error.message.code, **dict(error.message.params))


@dataclass(frozen=True, slots=True)
class Parts:
    """The schemas that parts of events are read with, found when they are first needed."""

    guided: Callable[[], RulebookSchemas]
    free: Callable[[], "FreeSchemas"]


@dataclass(frozen=True, slots=True)
class FreeSchemas:
    """How actions and events of free play are read and written."""

    action: Schema[Any]
    event: Schema[Any]


@cache
def guided_schemas(ruleset: str, edition: int | None = None) -> RulebookSchemas:
    """Those of a rulebook that guides battles; of its latest edition if none is named."""
    found = get_ruleset(ruleset)
    found = found if edition is None else found.of_edition(edition)
    if found.battle is None:
        raise DreyerError("errors.not_guided", found=found.title)
    return found.battle(found.tables).schemas


@cache
def free_schemas(ruleset: str) -> FreeSchemas:
    """Those of a rulebook in free play."""
    found = get_ruleset(ruleset)
    if found.rulebook is None:
        raise DreyerError("errors.not_free", ruleset=found.title)
    rulebook = found.rulebook(found.tables)
    return FreeSchemas(rulebook.action_schema(), rulebook.event_schema())


@dataclass(frozen=True, slots=True)
class OfGuidedRulebook:
    """Marks a part that the rulebook of a guided battle reads; written without what is usual."""

    part: Part

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read with the schemas of the context."""

        def read(value: object, info: core_schema.ValidationInfo) -> Any:
            if isinstance(value, source):
                return value
            parts = cast("Parts", info.context)
            try:
                schema: Schema[Any] = getattr(parts.guided(), self.part)
                return schema.read(value)
            except DreyerError as error:
                raise DoesNotPlay(error) from None

        return core_schema.with_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(written_part),
        )


@dataclass(frozen=True, slots=True)
class OfFreeRulebook:
    """Marks a part that the rulebook of a battle in free play reads and writes."""

    part: Literal["action", "event"]

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read and written with the schemas of the context."""

        def schema_of(context: object) -> Schema[Any]:
            try:
                found: Schema[Any] = getattr(cast("Parts", context).free(), self.part)
            except DreyerError as error:
                raise DoesNotPlay(error) from None
            return found

        def read(value: object, info: core_schema.ValidationInfo) -> Any:
            return value if isinstance(value, source) else schema_of(info.context).check_part(value)

        def write(value: Any, info: core_schema.SerializationInfo) -> Any:
            return schema_of(info.context).dump(value)

        return core_schema.with_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(write, info_arg=True),
        )


def written_part(part: Any) -> dict[str, Any]:
    """A part without what is as usual; its kind is always there, if it has one."""
    written = _own_schema(cast("Hashable", type(part))).write(part)
    kind = getattr(part, "kind", None)
    return written if kind is None else {"kind": kind, **written}


@cache
def _own_schema(type_: Any) -> Schema[Any]:
    return Schema(type_)
