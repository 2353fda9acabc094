"""What comes in over the network, read strictly: JSON without tricks into models without leeway."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from tabletop.errors import shorten
from web.faults import Fault

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict


class Model(BaseModel):
    """A body: nothing unknown, nothing of the wrong kind, no number that is none."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )


class Query(BaseModel):
    """What stands behind the question mark, where every value is a text at first."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )


def visible(text: str) -> str:
    """The same text, on one line and without control characters."""
    if not text.isprintable():
        raise ValueError("expected letters, figures and signs that can be seen, on one line")
    return text


Line = Annotated[str, AfterValidator(visible)]
"""Text on one line, without control characters."""


def read_json(data: bytes) -> object:
    """A JSON document; what Python would let pass and JSON does not allow is a fault."""
    try:
        return json.loads(
            data.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_no_number
        )
    except UnicodeDecodeError:
        raise Fault(400, "The body is not UTF-8: send JSON in UTF-8") from None
    except RecursionError:
        raise Fault(400, "The body is nested too deeply: send plain JSON") from None
    except Fault:
        raise
    except ValueError as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Fault(400, f"The body is not JSON{where}: send one JSON object") from None


def read_query(args: "MultiDict[str, str]") -> object:
    """The query as an object; a key that comes twice is a fault."""
    for key, values in args.lists():
        if len(values) > 1:
            raise Fault(400, f"{shorten(key)} stands twice in the address: say it once", field=key)
    return args.to_dict()


def say_fault(error: ValidationError, *, of_file: bool = False) -> tuple[str, str | None]:
    """The first thing that is wrong, in words, and the field it is about.

    A page's field is named as players read it; a file's as it is written there.
    """
    first = error.errors(include_url=False, include_context=True, include_input=False)[0]
    field = _field(first["loc"])
    message = str(first["msg"]).removeprefix("Value error, ")
    words = _WORDS.get(first["type"], "").format(**first.get("ctx", {})) or message
    if not field:
        return f"Expected one JSON object: {words}", None
    # A place within a list, or a name that nobody here knows, is best told as it was sent.
    as_sent = of_file or "." in field or first["type"] == "extra_forbidden"
    return f"{shorten(field)[1:-1] if as_sent else _as_read(field)}: {words}", field


def _as_read(field: str) -> str:
    """A field as players read it: `range_yards` is the range in yards."""
    name, unit = field, ""
    for suffix in _UNITS:
        if field.endswith(f"_{suffix}"):
            name, unit = field.removesuffix(f"_{suffix}"), f" ({suffix})"
    said = shorten(name)[1:-1].replace("_", " ")
    return f"{said[:1].upper()}{said[1:]}{unit}"


_UNITS = ("yards", "inches", "mm")


def _field(place: Sequence[Any]) -> str:
    return ".".join(str(part) for part in place)[:60]


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here; leave it out",
    "finite_number": "expected a number that is finite",
    "string_too_long": "expected at most {max_length} characters",
    "string_too_short": "expected at least {min_length} characters",
    "too_long": "expected at most {max_length} of them",
    "too_short": "expected at least {min_length} of them",
    "greater_than": "expected more than {gt:,.10g}",
    "greater_than_equal": "expected {ge:,.10g} or more",
    "less_than": "expected less than {lt:,.10g}",
    "less_than_equal": "expected {le:,.10g} or less",
    "float_type": "expected a number",
    "float_parsing": "expected a number",
    "int_type": "expected a whole number",
    "int_parsing": "expected a whole number",
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "dataclass_type": "expected an object",
    "string_pattern_mismatch": "is not written as it should be",
    "enum": "expected {expected}",
    "literal_error": "expected {expected}",
}


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Fault(400, f"{shorten(twice)} stands twice in the body: say it once")
    return found


def _no_number(name: str) -> NoReturn:
    raise Fault(400, f"{name} is no number: send finite numbers")
