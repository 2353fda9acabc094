"""Dataclasses that describe documents: files, requests, answers."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from typing import Annotated, Any, Final, TypeVar, dataclass_transform, get_type_hints

from pydantic import ConfigDict, Strict, with_config

from tabletop.schema.field_types import Annotation
from tabletop.schema.shape import Takes, shape_of

CONFIG: Final = ConfigDict(
    extra="forbid",
    allow_inf_nan=False,
    use_attribute_docstrings=True,
    revalidate_instances="always",
)
"""For every dataclass that a request or an answer has, as its `__pydantic_config__`."""
FILE_CONFIG: Final = ConfigDict(**{**CONFIG, "use_attribute_docstrings": False})
"""The same for a dataclass that only files have: the words beside its fields describe no API.

Pydantic parses the whole module of a class to find them, which takes longer than all the rest.
"""
Class = TypeVar("Class")
_SCALARS: Final = (Takes.FLAG, Takes.NUMBER, Takes.DECIMAL)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def document(class_: type[Class]) -> type[Class]:
    """Make a class a frozen dataclass that describes a document."""
    made: type[Class] = with_config(CONFIG)(
        dataclass(frozen=True, slots=True, kw_only=True)(class_)
    )
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def file_document(class_: type[Class]) -> type[Class]:
    """Make a class a frozen dataclass that describes a file, or a table of one."""
    made: type[Class] = with_config(FILE_CONFIG)(
        dataclass(frozen=True, slots=True, kw_only=True)(class_)
    )
    return made


def optional_keys(
    name: str, annotations: Mapping[str, Annotation], base: type | None = None
) -> type:
    """A document of keys that are known only when the program runs; one not there is None.

    The keys of a base are there besides, and needed where they are needed there.
    """
    made = make_dataclass(
        name,
        [(key, strict(hint) | None, field(default=None)) for key, hint in annotations.items()],
        bases=() if base is None else (base,),
        frozen=True,
        slots=True,
        kw_only=True,
    )
    return with_config(FILE_CONFIG)(made)


def parameters_of(function: Callable[..., object], given: Iterable[str] = ()) -> type:
    """A document of what a function takes, besides what the program itself gives to it."""
    hints = get_type_hints(function, include_extras=True)
    known = inspect.signature(function).parameters
    asked = [
        (name, hints[name], *(() if each.default is each.empty else (field(default=each.default),)))
        for name, each in known.items()
        if name not in given
    ]
    made = make_dataclass(function.__name__, asked, frozen=True, slots=True, kw_only=True)
    return with_config(FILE_CONFIG)(made)


def present_values(document: Any) -> dict[str, Any]:
    """The fields of a document that are there, by name."""
    found = {each.name: getattr(document, each.name) for each in fields(document)}
    return {name: value for name, value in found.items() if value is not None}


def strict(annotation: Annotation) -> Annotation:
    """An annotation of a flag or a number so that nothing else is taken for one."""
    return Annotated[annotation, Strict()] if shape_of(annotation).takes in _SCALARS else annotation
