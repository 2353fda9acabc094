"""Everything that a phone can ask for, and what it is told, to compare two tables by."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from flask import Flask

from tests.web.phones import Phone, rules_of

_FOR_ALL_TABLES: Final = (
    *("static", "frame.font", "frame.favicon", "manual.page", "manual.picture"),
    *("api.api_openapi_openapi", "glossary.terms", "tables.", "doctor.", "api.api_doctor"),
)
"""The endpoints, or the modules of them, that know nothing of a battle."""
_ALIKE: Final = re.compile(
    # What differs between any two tables: times, counts of changes, keys of a battle and of seats.
    rb'\b\d\d:\d\d(?::\d\d)?\b|"seq":\s*\d+|data-seq="\d+"|"(?:id|battle)":\s*"[^"]*"'
    rb'|/kept/[^/"]+|data-(?:id|battle|begun|segment)="[^"]*"|"checksum": "\w+"'
    rb'|D:\d{14}[^)]*|/ID\s*\[[^\]]*\]|"seconds":\s*[\d.]+'
    rb'|retry: \d+|data: \d+|id: \d+|"n(?:ow)?":\s*\d{9,}|[A-Z0-9]{3} ?[A-Z0-9]{3}(?=</)'
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is filled into addresses."""

    own: tuple[str, ...]
    """Ships of the caller's side, as the caller knows them."""
    others: tuple[str, ...]
    battle: str
    """The battle's id in the archive."""
    orders: Mapping[str, object] | None = None
    """Fields of a plot with which a ship's plot is asked about."""


def addresses(app: Flask, asked: Asked) -> Iterator[str]:
    """Every address that can be read, each with every ship that it may be asked about."""
    ships = (*asked.own, *asked.others)
    values = {"id_": asked.battle, "name": ships[0], "step": "print", "filename": "x"}
    values |= {"token": "nothing-here", "key": "british", "id": "1"}
    numbers = {"number": 1, "segment": 1}
    for rule in rules_of(app):
        if "GET" not in (rule.methods or ()) or rule.endpoint.startswith(_FOR_ALL_TABLES):
            continue
        many = ships if "ship" in rule.arguments else ships[:1]
        for ship in many:
            given = {**values, **numbers, "ship": ship}
            built = rule.build({key: given[key] for key in rule.arguments})
            assert built is not None, rule
            yield built[1].replace("%20", " ")
    orders = "&".join(f"{key}={value}" for key, value in (asked.orders or {}).items())
    for ship in ships:
        for path in ("/api/battle/sheet", "/api/battle/fire", "/api/fields-of-fire", "/calculator"):
            yield f"{path}?ship={ship}"
        for path in ("/api/battle/plot", "/api/battle/reach", "/api/battle/move"):
            yield f"{path}?ship={ship}&{orders}"
        yield f"/battle/plot/{ship}/part?{orders}"
        for other in ships:
            if other != ship and (ship in asked.own or other in asked.own):
                pair = f"firer={ship}&target={other}"
                yield from (f"{path}?{pair}" for path in ("/api/check", "/check", "/proof.svg"))


def told(phone: Phone, paths: Iterable[str], *, whole: bool = False) -> dict[str, bytes]:
    """The answers, unless asked for as a whole without what differs between any two tables."""
    found = {}
    for path in paths:
        answer = phone.get(path)
        assert answer.status_code < 500, (path, answer.text)
        text = answer.get_data()
        text = text if whole else _ALIKE.sub(b"", text)
        found[path] = b"%d %s" % (answer.status_code, text)
    return found


def differences(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """The addresses that answer differently, with where they do."""
    assert one.keys() == other.keys()
    return [_where(path, one[path], other[path]) for path in one if one[path] != other[path]]


def _where(path: str, one: bytes, other: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    begin = max(0, at - 120)
    return f"{path}: …{one[begin : at + 80]!r}… or …{other[begin : at + 80]!r}…"
