"""The journal in words: one sentence for each entry, for the log that everyone reads."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from combat.guided_play import EventKind
from combat.participants import Side
from web.auth.seats import HOST_NAME
from web.games.free_game import told_step
from web.journal.battle_record import how_rolled
from web.journal.entries import Entry, Kind
from web.journal.rolls import read_roll
from web.sides import side_name
from web.strings import text, words
from web.table.pieces import Origin, Premeasure, read_sides
from web.table.survey_text import yards_text

_SECRET: Final = (EventKind.PLOT, EventKind.DESIGNATE)
"""What a side writes in a battle is nobody's business; that it has committed is everybody's."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    n: int
    time: str
    who: str
    kind: Kind
    text: str


def log_lines(entries: Iterable[Entry]) -> tuple[LogLine, ...]:
    """The entries that all may read, in words."""
    return tuple(_line(entry) for entry in entries if not _is_secret(entry))


def _is_secret(entry: Entry) -> bool:
    if entry.event.kind is not Kind.BATTLE:
        return False
    data = entry.event.data
    return data.get("action", data)["kind"] in _SECRET


def _line(entry: Entry) -> LogLine:
    return LogLine(
        n=entry.n,
        time=time.strftime("%H:%M", time.localtime(entry.seconds)),
        who=str(text("common.host")) if entry.who == HOST_NAME else entry.who,
        kind=entry.event.kind,
        text=_words(entry),
    )


def _words(entry: Entry) -> str:
    kind, data = entry.event.kind, entry.event.data
    values = {key: value for key, value in data.items() if isinstance(value, str | int | float)}
    special = _SPECIAL.get(kind)
    key, more = special(data) if special else (str(kind), {})
    return str(text(f"events.{key}", **{**values, **more}))


def _table_sized(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    inch = data["yards_per_inch"]
    width, height = (f"{data[key] / inch:.4g}" for key in ("width_yards", "height_yards"))
    return "table_sized", {"width": width, "height": height, "yards": yards_text(inch)}


def _placed(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    ships = data["ships"]
    first = ships[0]
    names = ", ".join(ship["name"] for ship in ships)
    if data["origin"] == Origin.PHOTO:
        return "placed_by_photo", {"names": names}
    if data["origin"] == Origin.PLOT:
        return "placed_by_battle", {"names": names}
    if len(ships) > 1:
        return "placed_together", {"names": names}
    key = "moved_with_reason" if data.get("reason") else "placed"
    return key, {
        "name": first["name"],
        "x": yards_text(first["x"]),
        "y": yards_text(first["y"]),
        "heading": f"{round(first['heading']) % 360:03d}",
    }


def _ruled(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    figures = []
    if data["range_yards"] is not None:
        figures.append(f"{yards_text(data['range_yards'])} yd")
    figures += [
        str(text(f"events.figure.{key}", value=data[key]))
        for key in ("quadrant", "aspect")
        if data[key] is not None
    ]
    figures += [
        str(text(f"events.figure.{key}_{'yes' if data[key] else 'no'}"))
        for key in ("blocked", "smoke")
        if data[key] is not None
    ]
    return "ruled", {"figures": ", ".join(figures)}


def _decided(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "decided", {
        "question": text(f"events.question.{data['what']}"),
        "reading": data["reading"].replace("_", " "),
    }


def _reopened(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "reopened", {"question": text(f"events.question.{data['what']}")}


def _premeasure(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return f"premeasure_{Premeasure(data['mode'])}", {}


def _side_words(data: Mapping[str, Any]) -> str:
    """The name that a side had then, or the words for one of the usual sides."""
    return data.get("side_name") or side_name(Side(data["side"]))


def _ship_sided(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "ship_sided", {"side": _side_words(data)}


def _joined(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if data.get("side"):
        return "joined_side", {"side": _side_words(data)}
    return f"joined_{data['role']}", {}


def _battle(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    # No ship is named here: the story of the battle knows whose name is still a secret.
    if "action" not in data:
        return _old_battle(data)
    action = data["action"]
    values: dict[str, Any] = {"reason": action.get("reason", "")}
    if action["kind"] != EventKind.DICE:
        return f"battle.{action['kind']}", values
    rolls = [read_roll(roll) for roll in data["rolls"]]
    values["dice"] = " ".join(roll.value for roll in rolls)
    return f"battle.dice_{how_rolled(rolls)}", values


def _old_battle(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """An action as version 0.1.0 kept it."""
    inner = data["data"]
    values: dict[str, Any] = {"reason": inner.get("reason", "")}
    if data["kind"] == EventKind.DICE:
        values["dice"] = " ".join(inner["values"])
        return f"battle.dice_{inner.get('how', 'typed')}", values
    if data["kind"] == EventKind.RULE and "next" in inner:
        return f"battle.{EventKind.ROLL_NEXT}", values
    return f"battle.{data['kind']}", values


def _sides_set(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    sides = read_sides(data["sides"])
    names = ", ".join(f"{side_name(side)} ({side.letter})" for side in sides)
    allies = [
        " + ".join(side_name(sides[key]) for key in pair)
        for pair in sides.pairs_of_allies(sides.keys)
    ]
    if allies:
        return "sides_set_allied", {"names": names, "allies": ", ".join(allies)}
    return "sides_set", {"names": names}


def _undone(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "undone", {"n": len(data["events"])}


def _free_played(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The last step of an entry is its action; ships that joined for it come before."""
    story = told_step(data["ruleset"], data.get("edition", 1), data["steps"][-1])
    return ("attack_made" if len(story) > 1 else "attack_told"), {
        "words": words(story[0].text),
        "outcome": words(story[-1].text),
    }


def _attack_made(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "attack_made" if data["outcome"] else "attack_told", {}


_SPECIAL: Final[Mapping[Kind, Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]]] = {
    Kind.TABLE_SIZED: _table_sized,
    Kind.SHIPS_PLACED: _placed,
    Kind.RULED: _ruled,
    Kind.DECIDED: _decided,
    Kind.REOPENED: _reopened,
    Kind.PREMEASURE: _premeasure,
    Kind.JOINED: _joined,
    Kind.SIDES_SET: _sides_set,
    Kind.SHIP_SIDED: _ship_sided,
    Kind.BATTLE: _battle,
    Kind.UNDONE: _undone,
    Kind.ATTACK_MADE: _attack_made,
    Kind.FREE_PLAYED: _free_played,
}
