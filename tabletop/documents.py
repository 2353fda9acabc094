"""TOML and JSON in bytes, made into plain values; `tabletop.schema` says what they must look like.

What cannot be read is an `UnreadableFile` that names the source and, where it can, the line.
"""

import json
import tomllib
from typing import Final, NoReturn

from tabletop.errors import UnreadableFile, shorten

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MOST_DOTS: Final = 500


def decode_text(data: bytes, source: str) -> str:
    """The text in these bytes, without the byte order mark that Windows editors put in front."""
    try:
        return data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            f"{source}: line {line} is not UTF-8 text; save the file as UTF-8"
        ) from None


def parse_toml(data: bytes, source: str) -> dict[str, object]:
    """The document in these bytes; anything that is not UTF-8 TOML is an UnreadableFile."""
    text = decode_text(data, source)
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        # A key of thousands of parts would take gigabytes to read.
        raise UnreadableFile(f"{source}: not a TOML file: nested too deeply")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = " ".join(str(error).split())
        raise UnreadableFile(f"{source}: not a TOML file: {reason}") from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise UnreadableFile(f"{source}: not a TOML file: a number is far too long") from None
    except RecursionError:
        raise UnreadableFile(f"{source}: not a TOML file: nested too deeply") from None


def parse_json(data: bytes, source: str) -> object:
    """The document in these bytes; a key that comes twice and NaN are refused as well."""

    def refuse(word: str) -> NoReturn:
        raise UnreadableFile(f"{source}: not JSON: {word} is not a number")

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for key, value in pairs:
            if key in values:
                raise UnreadableFile(f"{source}: the key {shorten(key)} is there twice")
            values[key] = value
        return values

    try:
        text = data.decode("utf-8")
        return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    except UnreadableFile:
        raise
    except UnicodeDecodeError:
        raise UnreadableFile(f"{source}: not UTF-8 text; send JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            f"{source}: not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise UnreadableFile(f"{source}: not JSON: nested too deeply") from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise UnreadableFile(f"{source}: not JSON: a number is far too long") from None
