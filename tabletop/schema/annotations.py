"""What an annotation is made of: its type, what annotates it, the fields of its dataclasses."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo

from tabletop.schema.field_types import ServerSets, StoredAs


def metadata_of(hint: Any) -> tuple[Any, ...]:
    """Everything that annotates a type, through unions with None."""
    if get_origin(hint) is Annotated:
        first, *others = get_args(hint)
        return (*metadata_of(first), *others)
    if get_origin(hint) in (Union, UnionType):
        return tuple(mark for each in get_args(hint) for mark in metadata_of(each))
    return ()


def limits_of(marks: tuple[Any, ...]) -> dict[str, Any]:
    """The constraints among the marks by their names."""
    found: dict[str, Any] = {}
    for mark in marks:
        for each in mark.metadata if isinstance(mark, FieldInfo) else (mark,):
            for name in ("gt", "ge", "le", "min_length", "max_length"):
                if getattr(each, name, None) is not None:
                    found[name] = getattr(each, name)
    return found


def without_metadata(hint: Any) -> Any:
    """An annotation without what annotates it; what it is stored as, if that is another type."""
    while get_origin(hint) is Annotated:
        hint, *metadata = get_args(hint)
        stored = next((each.document for each in metadata if isinstance(each, StoredAs)), None)
        if stored is not None:
            return without_metadata(stored)
    return hint


def stored_type(hint: Any) -> Any:
    """The type that the JSON of an annotation has; of a generic dataclass, the dataclass."""
    plain = without_metadata(hint)
    generic = get_origin(plain)
    return generic if isinstance(generic, type) and is_dataclass(generic) else plain


def choices_of(plain: Any) -> tuple[str, ...]:
    """The values of an enum or a literal, or of a list of them; none of another type."""
    if get_origin(plain) in (tuple, list):
        return choices_of(without_metadata(get_args(plain)[0]))
    if get_origin(plain) is Literal:
        return tuple(str(value) for value in get_args(plain))
    if isinstance(plain, type) and issubclass(plain, Enum):
        return tuple(str(member.value) for member in plain)
    return ()


def union_members(hint: Any) -> tuple[Any, ...]:
    """What an annotation may be, without None."""
    hint = without_metadata(hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(
            found
            for each in get_args(hint)
            if each is not NoneType
            for found in union_members(each)
        )
    return (hint,)


def union_member(hint: Any, kind: str | int) -> Any:
    """The member of a union by its kind."""
    return next((each for each in dataclasses_in(hint) if kind_of(each) == kind), None)


def annotation_at(hint: Any, part: str | int) -> Any:
    """What stands under a key or a number of something annotated so; None where nothing does."""
    for member in union_members(hint):
        plain = stored_type(member)
        if isinstance(plain, type) and is_dataclass(plain) and isinstance(part, str):
            found = annotations_by_key(plain).get(part)
            if found is not None:
                return found
        origin, args = get_origin(plain), get_args(plain)
        if isinstance(part, int) and origin in (list, tuple) and args:
            return (
                args[0] if len(args) < 2 or args[1] is Ellipsis else args[min(part, len(args) - 1)]
            )
        if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(part, str):
            return args[1]
    return None


def dataclasses_in(hint: Any) -> list[type]:
    """The dataclasses that an annotation is made of, by their JSON."""
    plain = stored_type(hint)
    if isinstance(plain, type) and is_dataclass(plain):
        return [plain]
    return [found for part in get_args(plain) for found in dataclasses_in(part)]


def kind_of(type_: type) -> str:
    """The `kind` by which a dataclass is told from the others of its union."""
    return next(iter(choices_of(annotations_by_key(type_).get("kind"))), "")


def keys_of(hint: Any) -> list[str]:
    """The keys that may stand where something is annotated so."""
    return [
        key
        for each in dataclasses_in(hint)
        for key, found in annotations_by_key(each).items()
        if key != "kind" and not any(isinstance(m, ServerSets) for m in metadata_of(found))
    ]


@cache
def annotations_by_key(type_: type) -> Mapping[str, Any]:
    """The annotations of a dataclass by the keys that its documents have."""
    hints = get_type_hints(type_, include_extras=True)
    found = {}
    for each in fields(cast("Any", type_)):
        hint = hints[each.name]
        alias = next((a for a in (getattr(m, "alias", None) for m in metadata_of(hint)) if a), None)
        found[alias or each.name] = hint
    return MappingProxyType(found)
