"""One way to check what comes from outside: files, forms, requests, imports, owner's values.

A document is described by a frozen dataclass whose annotations say what each field takes. `Schema`
reads a document into it with pydantic. What is wrong is told as one `BadField`: where, which field,
what was expected and what was found. The same annotations describe the API (`Schema.adapter`) and
make forms (`shape_of`).

    @document
    class Place:
        name: Annotated[Line, Field(max_length=40)]
        x: Annotated[Number, Field(ge=0, le=1_000_000), Unit("yards")]

    Schema(Place).read({"name": "Hood", "x": "far"}, "scene.toml")
"""

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, make_dataclass
from datetime import date, time
from enum import Enum, StrEnum
from functools import cache, cached_property, reduce
from operator import or_
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    with_config,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, PydanticOmit, core_schema

from tabletop.documents import parse_toml
from tabletop.errors import BadField, DreyerError, UnknownKey, nearest, shorten
from tabletop.messages import Message, verbatim

Value = TypeVar("Value")

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
MOST_NESTED: Final = 12
FARTHEST_YARDS: Final = 1_000_000.0
Class = TypeVar("Class")


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
    name: str, annotations: Mapping[str, Any], base: type[Any] | None = None
) -> type[Any]:
    """A document of keys that are known only when the program runs; one not there is None.

    The keys of a base are there besides, and needed where they are needed there.
    """
    made = make_dataclass(
        name,
        [(key, strictly(hint) | None, field(default=None)) for key, hint in annotations.items()],
        bases=() if base is None else (base,),
        frozen=True,
        slots=True,
        kw_only=True,
    )
    return with_config(FILE_CONFIG)(made)


def parameters_of(function: Callable[..., Any], given: Iterable[str] = ()) -> type[Any]:
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


def stated(document: Any) -> dict[str, Any]:
    """The fields of a document that are there, by name."""
    found = {each.name: getattr(document, each.name) for each in fields(document)}
    return {name: value for name, value in found.items() if value is not None}


def strictly(annotation: Any) -> Any:
    """An annotation of a flag or a number so that nothing else is taken for one."""
    return Annotated[annotation, Strict()] if shape_of(annotation).takes in _SCALARS else annotation


# What fields take


def squeezed(value: object) -> object:
    """A text with single blanks between its words; anything else as it is."""
    return " ".join(value.split()) if isinstance(value, str) else value


def printable(text: str) -> str:
    """The text, unless something in it cannot be seen."""
    if not text.isprintable():
        raise ValueError("a line of printable characters")
    return text


Flag = Annotated[bool, Strict()]
"""True or false, and nothing that only looks like it."""
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Line = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(printable)]
"""Text on one line."""
Reason = Annotated[str, BeforeValidator(squeezed), AfterValidator(printable)]
"""Text on one line, with single blanks between its words."""
Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=80),
    AfterValidator(printable),
]
"""A line of text that is there."""
ShipName = Annotated[str, Field(max_length=40)]
"""A ship by the name that the caller knows her by: a hidden enemy by her number, as "Ship 3"."""
SideName = Annotated[str, Field(max_length=40)]
Yards = Annotated[Number, Field(ge=-FARTHEST_YARDS, le=FARTHEST_YARDS)]
Positive = Annotated[Number, Field(gt=0)]
LongText = Annotated[Line, Field(min_length=1, max_length=400)]
"""A line of text that is there and may be a sentence or two."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Marks a number with what it counts: yards, inches, boxes."""

    name: str


@dataclass(frozen=True, slots=True)
class Expected:
    """Marks a field with what it takes, where its type does not tell."""

    message: Message


class Unfit(ValueError):
    """What a check of its own expected, where that is not what its field says."""

    def __init__(self, expected: Message) -> None:
        self.expected = expected
        super().__init__(str(expected))


@dataclass(frozen=True, slots=True)
class Secret:
    """Marks a value that no error message quotes."""


@dataclass(frozen=True, slots=True)
class ServerSets:
    """Marks a field that the server sets: the API does not name it."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Left out of the description."""
        raise PydanticOmit


SERVER_SETS: Final = ServerSets()


@dataclass(frozen=True, slots=True)
class StoredAs:
    """Marks a field whose JSON has other keys than its type: the type of the JSON, both ways."""

    document: type
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read and described as the document is."""

        def read(value: object, read_document: core_schema.ValidatorFunctionWrapHandler) -> Any:
            # A value that was made in the program is checked by the limits of its document.
            document = self.write(value) if isinstance(value, source) else value
            return self.read(read_document(document))

        return core_schema.no_info_wrap_validator_function(
            read,
            handler.generate_schema(self.document),
            serialization=core_schema.plain_serializer_function_ser_schema(self.write),
        )


# Reading


class Schema(Generic[Value]):
    """How values of a type, or of a union told apart by `kind`, are read and written."""

    def __init__(self, type_: Any, place: str = "") -> None:
        self._type, self._place = type_, place

    @cached_property
    def adapter(self) -> TypeAdapter[Value]:
        """The type as pydantic knows it."""
        # Made when it is first used: it takes a tenth of a second, and most commands need none.
        return TypeAdapter(self._type)

    def read(self, document: object, place: str = "") -> Value:
        """The value that a JSON document describes; null is the same as a key that is not there."""
        return self.check(without_nulls(document, place or self._place), place)

    def read_toml(self, data: bytes, source: str) -> Value:
        """The value that a TOML file describes."""
        return self.read_table(parse_toml(data, source), source)

    def read_table(self, table: Mapping[str, object], place: str) -> Value:
        """The value that a table of a TOML file describes."""
        try:
            return self.adapter.validate_python(table)
        except ValidationError as error:
            raise bad_field(error, self._type, table, place, toml=True) from None

    def check(self, value: object, place: str = "") -> Value:
        """The value with every field as its annotation has it; a fault is told as in a document."""
        try:
            return self.adapter.validate_python(value)
        except ValidationError as error:
            raise bad_field(error, self._type, value, place or self._place) from None

    def read_texts(self, texts: Mapping[str, str], place: str = "") -> Value:
        """The value that an address or a form describes, where every value is a text at first."""
        try:
            return self.adapter.validate_strings(texts)
        except ValidationError as error:
            raise bad_field(error, self._type, texts, place or self._place) from None

    def dump(self, value: Value, words: Callable[[Message], str] | None = None) -> dict[str, Any]:
        """The same as a JSON document, with every field; messages in words, where those are given.

        Without them messages are written as the journal stores them.
        """
        written: dict[str, Any] = self.adapter.dump_python(
            value, mode="json", by_alias=True, context={"words": words} if words else None
        )
        return written

    def write(self, value: Value) -> dict[str, Any]:
        """The same as a JSON document, without what is as usual."""
        written: dict[str, Any] = self.adapter.dump_python(
            value, mode="json", by_alias=True, exclude_defaults=True
        )
        return written


def union_schema(types: Iterable[Any], place: str) -> Schema[Any]:
    """How values of several dataclasses are read and written, told apart by their `kind`."""
    union: Any = reduce(or_, types)
    return Schema(Annotated[union, Field(discriminator="kind")], place)


def read_field(annotation: Any, value: object, place: str, key: str) -> Any:
    """One value of a table or a form, as its annotation has it."""
    try:
        return _adapter(strictly(annotation)).validate_python(value)
    except ValidationError as error:
        raise bad_field(error, annotation, value, place, key, toml=True) from None


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def one_of(value: object, choices: Iterable[str], place: str, key: str) -> str:
    """A text of a file, where what may be chosen is known only when the program runs."""
    choices = tuple(choices)
    expected = Message("schema.choice", choices=choices)
    if value is None:
        raise missing(place, key, expected)
    if not isinstance(value, str) or value not in choices:
        guess = nearest(value, choices) if isinstance(value, str) else None
        raise BadField(place, key, expected, describe_value(value), guess)
    return value


def wrong(place: str, key: str, expected: Message, found: object) -> BadField:
    """The error for a value that is read, but does not go with the others."""
    return BadField(place, key, expected, describe_value(found))


def missing(place: str, key: str, expected: Message) -> BadField:
    """The error for a value that is not there, although the others need it."""
    return BadField(place, key, expected, MISSING)


def table_place(place: str, key: str) -> str:
    """Where a table `[key]` of a file stands."""
    return f"{place}, [{key}]"


def item_place(place: str, key: str, number: int, name: str | None = None) -> str:
    """Where one of the tables `[[key]]` of a file stands, counted from 1."""
    return f"{place}, {key} {number}" + ("" if name is None else f" {shorten(name)}")


def without_nulls(value: Any, place: str, depth: int = 0) -> Any:
    """A document without the keys whose value is null."""
    if depth > MOST_NESTED:
        expected = Message("schema.nested", most=MOST_NESTED)
        raise BadField(place, "", expected, Message("schema.found.more"))
    if isinstance(value, Mapping):
        return {
            str(key): without_nulls(item, place, depth + 1)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list | tuple):
        return [without_nulls(item, place, depth + 1) for item in value]
    return value


# Annotations


class Takes(StrEnum):
    """What kind of value a field takes."""

    FLAG = "flag"
    NUMBER = "number"
    """A whole number."""
    DECIMAL = "decimal"
    CHOICE = "choice"
    TEXT = "text"
    COUNTS = "counts"
    """Whole numbers by name."""
    AMOUNTS = "amounts"
    """Numbers by name."""
    TEXTS = "texts"
    LIST = "list"
    TABLE = "table"
    TABLES = "tables"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Shape:
    """What an annotation says, as data: for error messages, forms and described files."""

    takes: Takes
    least: float = -math.inf
    most: float = math.inf
    """The bounds of a number, or of how long a text or a list is."""
    above: float = -math.inf
    choices: tuple[str, ...] = ()
    """What may be chosen; of numbers by name, the names, or none where any will do."""
    unit: str = ""
    said: Message | None = None
    """What it takes, where the rest does not tell."""
    one_line: bool = False
    """Of a text: whether all of it stands on one line and can be seen."""
    item: "Shape | None" = None
    """Of a list or a table: what each of its values takes."""

    @property
    def expected(self) -> Message:
        """The values that it takes."""
        return self.said or _EXPECTED[self.takes](self)


def bounds(
    kind: str,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    unit: str = "",
) -> Message:
    """A number of some kind, "whole" or "number", and where it must lie."""
    what = Message(f"schema.{kind}")
    if unit:
        what = Message("schema.counting", what=what, unit=Message(f"schema.unit.{unit}"))
    if above > -math.inf:
        if most == math.inf:
            return Message("schema.above", what=what, above=above)
        return Message("schema.above_up_to", what=what, above=above, most=most)
    if least > -math.inf and most < math.inf:
        return Message("schema.between", what=what, least=least, most=most)
    return Message("schema.at_least", what=what, least=least) if least > -math.inf else what


def _number(kind: str) -> Callable[[Shape], Message]:
    return lambda shape: bounds(kind, shape.above, shape.least, shape.most, shape.unit)


def _text(shape: Shape) -> Message:
    kind = "line" if shape.one_line else "text"
    if shape.most == math.inf:
        return Message(f"schema.{kind}")
    return Message(f"schema.{kind}_of", least=max(shape.least, 0), most=shape.most)


def _list(shape: Shape) -> Message:
    if shape.item is None or shape.item.takes is Takes.ANY:
        return _many(Message("schema.list"), shape)
    if shape.least == shape.most:
        return Message("schema.list_exactly", count=shape.most, each=shape.item.expected)
    return _many(Message("schema.list_each", each=shape.item.expected), shape)


def _many(what: Message, shape: Shape) -> Message:
    if shape.most == math.inf:
        return what
    return Message("schema.many", what=what, least=max(shape.least, 0), most=shape.most)


def _texts(shape: Shape) -> Message:
    if shape.choices:
        return Message("schema.any_of", choices=shape.choices)
    return _many(Message("schema.texts"), shape)


def _plain(code: str) -> Callable[[Shape], Message]:
    return lambda _: Message(code)


_EXPECTED: Final[Mapping[Takes, Callable[[Shape], Message]]] = {
    Takes.FLAG: _plain("schema.flag"),
    Takes.NUMBER: _number("whole"),
    Takes.DECIMAL: _number("number"),
    Takes.CHOICE: lambda shape: Message("schema.choice", choices=shape.choices),
    Takes.TEXT: _text,
    Takes.COUNTS: _plain("schema.counts"),
    Takes.AMOUNTS: _plain("schema.amounts"),
    Takes.TEXTS: _texts,
    Takes.LIST: _list,
    Takes.TABLE: _plain("schema.object"),
    Takes.TABLES: lambda shape: _many(Message("schema.objects"), shape),
    Takes.ANY: _plain("schema.value"),
}


def shape_of(hint: Any) -> Shape:
    """What an annotation says."""
    return _shape(hint)


def _shape(hint: Any) -> Shape:
    marks = marks_of(hint)
    said = next((mark.message for mark in marks if isinstance(mark, Expected)), None)
    unit = next((mark.name for mark in marks if isinstance(mark, Unit)), "")
    members = _members(hint)
    if len(members) > 1:
        if all(is_dataclass(_stored(each)) for each in members):
            return Shape(Takes.TABLE, said=said)
        first, *others = (_shape(each).expected for each in members)
        for other in others:
            first = Message("schema.either", first=first, second=other)
        return Shape(Takes.ANY, said=said or first)
    plain, limits = _stored(members[0]), _limits(marks)
    takes, choices = _takes(plain), _choices(plain)
    if takes in (Takes.COUNTS, Takes.AMOUNTS, Takes.TABLE) and get_args(plain):
        choices = _choices(_unmarked(get_args(plain)[0])[0])
    item = None
    if takes in (Takes.LIST, Takes.TABLES, Takes.TEXTS, Takes.COUNTS, Takes.AMOUNTS):
        args = get_args(plain)
        item = _shape(args[-1] if len(args) > 1 and args[-1] is not Ellipsis else args[0])
    least, most = limits.get("ge", -math.inf), limits.get("le", math.inf)
    if takes not in (Takes.NUMBER, Takes.DECIMAL):
        least, most = limits.get("min_length", -math.inf), limits.get("max_length", math.inf)
        args = get_args(plain)
        if takes is Takes.LIST and get_origin(plain) is tuple and args[-1] is not Ellipsis:
            least = most = len(args)
    above = limits.get("gt", -math.inf)
    one_line = any(getattr(mark, "func", None) is printable for mark in marks)
    return Shape(takes, least, most, above, choices, unit, said, one_line, item)


def _takes(plain: Any) -> Takes:
    if plain in _SIMPLE:
        return _SIMPLE[plain]
    origin, args = get_origin(plain), get_args(plain)
    if origin in (list, tuple):
        inner = _stored(_unmarked(args[0])[0])
        if is_dataclass(inner):
            return Takes.TABLES
        # A list of so many values is no list of names.
        named = origin is list or args[-1] is Ellipsis
        texts = inner is str or bool(_choices(inner))
        return Takes.TEXTS if named and texts else Takes.LIST
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = _unmarked(args[1])[0]
        return {float: Takes.AMOUNTS, int: Takes.COUNTS}.get(value, Takes.TABLE)
    if _choices(plain):
        return Takes.CHOICE
    return Takes.TABLE if is_dataclass(plain) else Takes.ANY


_SIMPLE: Final[Mapping[Any, Takes]] = {
    bool: Takes.FLAG,
    int: Takes.NUMBER,
    float: Takes.DECIMAL,
    str: Takes.TEXT,
    dict: Takes.TABLE,
}


def _choices(plain: Any) -> tuple[str, ...]:
    if get_origin(plain) in (tuple, list):
        return _choices(_unmarked(get_args(plain)[0])[0])
    if get_origin(plain) is Literal:
        return tuple(str(value) for value in get_args(plain))
    if isinstance(plain, type) and issubclass(plain, Enum):
        return tuple(str(member.value) for member in plain)
    return ()


def marks_of(hint: Any) -> tuple[Any, ...]:
    """Everything that annotates a type, through unions with None."""
    if get_origin(hint) is Annotated:
        first, *others = get_args(hint)
        return (*marks_of(first), *others)
    if get_origin(hint) in (Union, UnionType):
        return tuple(mark for each in get_args(hint) for mark in marks_of(each))
    return ()


def _limits(marks: tuple[Any, ...]) -> dict[str, Any]:
    """The constraints among the marks by their names."""
    found: dict[str, Any] = {}
    for mark in marks:
        for each in mark.metadata if isinstance(mark, FieldInfo) else (mark,):
            for name in ("gt", "ge", "le", "min_length", "max_length"):
                if getattr(each, name, None) is not None:
                    found[name] = getattr(each, name)
    return found


def _unmarked(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """An annotation without what annotates it; what it is stored as, if that is another type."""
    marks: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        marks = (*more, *marks)
        stored = next((mark.document for mark in more if isinstance(mark, StoredAs)), None)
        if stored is not None:
            return stored, marks
    return hint, marks


def _stored(hint: Any) -> Any:
    plain = _unmarked(hint)[0]
    generic = get_origin(plain)
    return generic if isinstance(generic, type) and is_dataclass(generic) else plain


def dataclasses_in(hint: Any) -> list[type]:
    """The dataclasses that an annotation is made of, by their JSON."""
    plain = _stored(hint)
    if isinstance(plain, type) and is_dataclass(plain):
        return [plain]
    return [found for part in get_args(plain) for found in dataclasses_in(part)]


def kind_of(type_: type) -> str:
    """The `kind` by which a dataclass is told from the others of its union."""
    kinds = {each.name: each.default for each in fields(cast("Any", type_))}
    return str(kinds.get("kind", ""))


def keys_of(hint: Any) -> list[str]:
    """The keys that may stand where something is annotated so."""
    return [
        key
        for each in dataclasses_in(hint)
        for key, found in _by_key(each).items()
        if key != "kind" and not any(isinstance(m, ServerSets) for m in marks_of(found))
    ]


def _by_key(type_: type) -> Mapping[str, Any]:
    return dict(_keyed(type_))


@cache
def _keyed(type_: type) -> tuple[tuple[str, Any], ...]:
    """The annotations of a dataclass by the keys that its documents have."""
    return tuple(_keys(type_))


def _keys(type_: type) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(type_, include_extras=True)
    for each in fields(cast("Any", type_)):
        hint = hints[each.name]
        alias = next((a for a in (getattr(m, "alias", None) for m in marks_of(hint)) if a), None)
        yield alias or each.name, hint


# Faults


def bad_field(
    error: ValidationError,
    type_: Any,
    document: object,
    place: str,
    key: str = "",
    *,
    toml: bool = False,
) -> DreyerError:
    """The first thing that is wrong with a document, as the one kind of error.

    The key is that of the document itself, where it is a value of another one.
    """
    faults = error.errors(include_url=False)
    # A key that is misspelt is told before the one that is missing for it.
    fault = next((each for each in faults if each["type"] in _UNKNOWN_KEY), faults[0])
    if fault["type"] == "missing" and isinstance(fault["loc"][-1], int):
        # A list of so many values that has fewer.
        fault = {**fault, "type": "too_short", "loc": fault["loc"][:-1]}
    own = fault.get("ctx", {}).get("error")
    if isinstance(own, DreyerError):
        return own
    spot = _Spot.at(fault, type_, document, place, key, toml=toml)
    if fault["loc"][-1:] == ("[key]",):
        # A name that is none of those which a table of numbers by name may have.
        return UnknownKey(spot.place, spot.field, shape_of(spot.owner).choices)
    if fault["type"] in _UNKNOWN_KEY:
        return UnknownKey(spot.place, spot.field, keys_of(spot.owner))
    if fault["type"] in _TAG_FAULTS:
        kinds = tuple(kind_of(each) for each in dataclasses_in(spot.hint))
        kind = fault["input"].get("kind") if isinstance(fault["input"], Mapping) else None
        within = f"{spot.place}, {spot.field}" if spot.field else spot.place
        return BadField(
            within, "kind", Message("schema.choice", choices=kinds), describe_value(kind)
        )
    shape = shape_of(spot.hint)
    expected = shape.expected
    if toml and shape.said is None and shape.takes in _WRITTEN:
        expected = _many(Message(_WRITTEN[shape.takes], key=spot.header), shape)
    if fault["type"] == "missing":
        return BadField(spot.place, spot.field, expected, MISSING)
    if isinstance(own, Unfit):
        expected = own.expected
    elif own is not None and shape.said is None and shape.takes is not Takes.TEXT:
        # A check of our own that is not in the annotations says itself what it expected.
        expected = verbatim(str(own))
    guess = None
    if isinstance(fault["input"], str) and shape.takes is Takes.CHOICE:
        guess = nearest(fault["input"], shape.choices)
    secret = any(isinstance(mark, Secret) for mark in marks_of(spot.hint))
    found = Message("schema.found.secret") if secret else describe_value(fault["input"])
    return BadField(spot.place, spot.field, expected, found, guess)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in a document a fault is."""

    place: str
    field: str
    hint: Any
    """What was expected there; None where nothing is known of it."""
    owner: Any
    """The type of the table or object that has the field."""
    header: str
    """The keys that lead there, as the head of a table in TOML has them."""

    @classmethod
    def at(
        cls,
        fault: ErrorDetails,
        type_: Any,
        document: object,
        place: str,
        field: str,
        *,
        toml: bool,
    ) -> "_Spot":
        hint: Any = type_
        owner: Any = None
        words: list[str] = []
        key = field
        keys = [field] if field else []
        last = len(fault["loc"]) - 1
        for number, part in enumerate(fault["loc"]):
            inner = _inside(hint, part)
            if inner is None:
                # The kind of a union's member, or pydantic's own name for one.
                member = _member(hint, part)
                if member is not None:
                    hint = member
                    words += () if field else (str(part),)
                    continue
                if number < last or fault["type"] not in _UNKNOWN_KEY:
                    continue
            owner, hint, document = hint, inner, _item(document, part)
            if isinstance(part, int):
                name = document.get("name") if isinstance(document, Mapping) else None
                named = f" {shorten(name)}" if isinstance(name, str) else ""
                before = fault["loc"][number - 1] if number else None
                # A list within a list is counted as 1.2, the second of the first.
                field = f"{field}.{part + 1}" if isinstance(before, int) else f"{key} {part + 1}"
                field = f"{field}{named}".strip()
                continue
            if field:
                words.append(f"[{field}]" if toml and field == key else field)
            key = field = shorten(part)[1:-1]
            keys.append(key)
        return cls(", ".join(filter(None, (place, *words))), field, hint, owner, ".".join(keys))


def _item(document: object, part: str | int) -> object:
    if isinstance(document, Mapping):
        return document.get(part)
    if isinstance(document, list | tuple) and isinstance(part, int) and part < len(document):
        return document[part]
    return None


def _members(hint: Any) -> tuple[Any, ...]:
    """What an annotation may be, without None."""
    hint, _ = _unmarked(hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(
            found for each in get_args(hint) if each is not NoneType for found in _members(each)
        )
    return (hint,)


def _member(hint: Any, kind: str | int) -> Any:
    """The member of a union by its kind."""
    return next((each for each in dataclasses_in(hint) if kind_of(each) == kind), None)


def _inside(hint: Any, part: str | int) -> Any:
    """What stands under a key or a number of something annotated so; None where nothing does."""
    for member in _members(hint):
        plain = _stored(member)
        if isinstance(plain, type) and is_dataclass(plain) and isinstance(part, str):
            found = _by_key(plain).get(part)
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


def describe_value(found: object) -> Message:
    """A value as an error message quotes it."""
    if isinstance(found, bool):
        return verbatim(str(found).lower())
    if isinstance(found, Mapping):
        return Message("schema.found.table")
    if isinstance(found, list | tuple):
        return Message("schema.found.list", count=len(found))
    if isinstance(found, str):
        return Message("schema.found.text", text=shorten(found))
    if isinstance(found, date | time):
        return Message("schema.found.date", date=str(found))
    return verbatim(shorten(found))


MISSING: Final = Message("schema.found.missing")
"""What is found where a key is not there."""
_SCALARS: Final = (Takes.FLAG, Takes.NUMBER, Takes.DECIMAL)
_WRITTEN: Final = {
    Takes.TABLE: "schema.table",
    Takes.TABLES: "schema.tables",
}
_UNKNOWN_KEY: Final = ("unexpected_keyword_argument", "extra_forbidden")
_TAG_FAULTS: Final = ("union_tag_invalid", "union_tag_not_found", "model_attributes_type")
