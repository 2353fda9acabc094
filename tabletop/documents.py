"""Parsers of TOML and JSON bytes into plain values, which `tabletop.schema` then checks.

Each raises `UnreadableFile` with the source and, where known, the line.
"""

import json
import tomllib
from typing import Final, NoReturn

from tabletop.errors import UnreadableFile
from tabletop.places import shorten

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MOST_DOTS: Final = 500


def decode_text(data: bytes, source: str) -> str:
    """The text in these bytes, without the byte order mark that Windows editors put in front."""
    try:
        return data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile("errors.file.not_utf8", source=source, line=line) from None


def parse_toml(data: bytes, source: str) -> dict[str, object]:
    """Parse UTF-8 TOML."""
    text = decode_text(data, source)
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        # tomllib needs gigabytes for a dotted key of thousands of parts.
        raise UnreadableFile("errors.file.toml_deep", source=source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = " ".join(str(error).split())
        raise UnreadableFile("errors.file.toml", source=source, reason=reason) from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise UnreadableFile("errors.file.toml_number", source=source) from None
    except RecursionError:
        raise UnreadableFile("errors.file.toml_deep", source=source) from None


def parse_json_file(data: bytes, source: str) -> object:
    """Parse a JSON file, which, unlike a request, may begin with a byte order mark."""
    return parse_json(data.removeprefix(_BYTE_ORDER_MARK), source)


def parse_json(data: bytes, source: str) -> object:
    """Parse UTF-8 JSON. Duplicate keys, NaN and Infinity are errors."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableFile("schema.file.json_not_utf8", source=source) from None
    return parse_json_text(text, source)


def parse_json_text(text: str, source: str, *, as_python: bool = False) -> object:
    """The document in a text; a key that comes twice and NaN are refused as well.

    `as_python` takes them, as Python's own reader does.
    """

    def refuse(word: str) -> NoReturn:
        raise UnreadableFile("errors.file.json_constant", source=source, word=word)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for key, value in pairs:
            if key in values:
                raise UnreadableFile("errors.file.json_twice", source=source, key=shorten(key))
            values[key] = value
        return values

    try:
        if as_python:
            return json.loads(text)
        return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    except UnreadableFile:
        raise
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            "errors.file.json",
            source=source,
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from None
    except RecursionError:
        raise UnreadableFile("errors.file.json_deep", source=source) from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise UnreadableFile("errors.file.json_number", source=source) from None
