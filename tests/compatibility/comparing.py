"""Recorded JSON against JSON of today: the same keys and texts, and numbers within rounding."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_CLOSE = 1e-9


def differences(recorded: object, found: object, where: str = "") -> Iterator[str]:
    """Every place where the two are not the same, in words."""
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in recorded.keys() - found.keys():
            yield f"{where}.{key}: was {_short(recorded[key])}, is gone"
        for key in found.keys() - recorded.keys():
            yield f"{where}.{key}: was not there, is {_short(found[key])}"
        for key in recorded.keys() & found.keys():
            yield from differences(recorded[key], found[key], f"{where}.{key}")
    elif isinstance(recorded, list) and isinstance(found, list):
        if len(recorded) != len(found):
            yield f"{where}: was {len(recorded)} long, is {len(found)}"
        for place, (one, other) in enumerate(zip(recorded, found, strict=False)):
            yield from differences(one, other, f"{where}[{place}]")
    elif not _same(recorded, found):
        yield f"{where}: was {_short(recorded)}, is {_short(found)}"


def assert_same(recorded: object, found: object) -> None:
    """Fail with the first places that differ."""
    different = sorted(differences(recorded, json.loads(json.dumps(found))))
    assert not different, "\n".join(different[:20])


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _same(one: object, other: object) -> bool:
    flags = isinstance(one, bool) or isinstance(other, bool)
    if not flags and isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(one) is type(other) and one == other


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 120 else f"{text[:117]}..."
