"""The fight on the calculator as a page: what was rolled, round by round, and the sheets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from flask import Blueprint, Flask, render_template, request
from markupsafe import Markup

from combat.record_sheets import RecordSheet, SheetPart
from combat.ruleset import Ruleset
from combat.rulesets import DEFAULT, NAMES, get_ruleset
from web.attacks.actions import may_undo
from web.attacks.fights import Attack, Sheet
from web.battle.sheet_drawing import draw_small
from web.battle.sheet_ink import as_svg
from web.battle.sheet_words import state_key
from web.charts.ships import side_of
from web.checks.room import tables_of
from web.server import guard
from web.strings import forgiving_text

attack_pages = Blueprint("attacks", __name__)
QUARTERS: Final = 4
MOST_BOXES: Final = 40
"""A track with more than so many boxes is a bar."""


@dataclass(frozen=True, slots=True)
class Track:
    """A part of a sheet as a row of boxes, each with the share of it that is lost."""

    part: SheetPart

    @property
    def size(self) -> int:
        """How many units of the sheet make a box."""
        return QUARTERS if self.part.unit == "quarters" else 1

    @property
    def boxes(self) -> tuple[int, ...]:
        """The hundredths lost of each box, the last first; none where they are too many to draw."""
        count = round(self.part.total / self.size)
        if count > MOST_BOXES:
            return ()
        lost = self.part.lost / self.size
        return tuple(round(100 * min(1, max(0, lost - n))) for n in reversed(range(count)))

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The boxes by the sets that a sheet has them in; all in one where it has none."""
        groups = self.part.details.groups or (len(self.boxes),)
        ends = [0, *accumulate(reversed(groups))]
        return tuple(self.boxes[start:end] for start, end in pairwise(ends))

    @property
    def left(self) -> str:
        """What is left, in figures."""
        total, lost = self.part.total / self.size, self.part.lost / self.size
        return f"{total - lost:g} / {total:g}"

    @property
    def matters(self) -> bool:
        """Whether it says anything: a single thing that is whole does not."""
        return self.part.total > self.size or bool(self.part.lost)


@dataclass(frozen=True, slots=True)
class Card:
    """A ship of the fight with everything that is marked on her."""

    sheet: RecordSheet
    state: str
    picture: Markup
    tracks: tuple[Track, ...]

    @property
    def percent(self) -> int:
        """How badly she is off."""
        return round(100 * self.sheet.trouble)


def attach(app: Flask) -> None:
    """Put the pages of fights on an application."""
    app.register_blueprint(attack_pages)


@attack_pages.get("/attacks")
def attacks() -> str:
    """The fight of a rulebook so far."""
    return render_template("attacks.html", **_fight())


@attack_pages.get("/attacks/part")
def attacks_part() -> str:
    """What of it changes."""
    return render_template("attacks_part.html", **_fight())


def _fight() -> dict[str, Any]:
    caller = guard.must_look()
    moment = guard.running().session.moment
    ruleset = ruleset_asked(moment.ruleset)
    fights = moment.state.fights
    rolled = fights.of(ruleset.name)
    rounds: dict[int, list[Attack]] = {}
    for attack in reversed(rolled):
        rounds.setdefault(attack.round_number, []).append(attack)
    return {
        "ruleset": ruleset,
        "rounds": rounds,
        # The next attack begins where the last one stood: same ships, same weather, same range.
        "next_said": {
            **(rolled[-1].data.get("said", {}) if rolled else {}),
            "ruleset": ruleset.name,
        },
        "round": fights.round_of(ruleset.name),
        "phases": tuple(_phases(ruleset, rolled)),
        "cards": tuple(_cards(ruleset, fights.sheets(ruleset.name))),
        "may_play": caller.may_play,
        "may_undo": bool(rolled) and may_undo(rolled[-1], caller),
        "others": tuple(
            get_ruleset(name) for name in NAMES if name != ruleset.name and fights.of(name)
        ),
    }


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A phase of the turn, with the address of what is rolled for in it."""

    title: str
    roll: Mapping[str, str]
    """Empty where nothing is."""


def _phases(ruleset: Ruleset, rolled: Sequence[Attack]) -> Iterator[PhaseLink]:
    """The turn, phase by phase, each for the ships of the last attack."""
    last = rolled[-1].data if rolled else {}
    ships = {role: last[role] for role in ("firer", "target") if last.get(role)}
    for phase in ruleset.phases:
        first = {"ruleset": ruleset.name, "battery": phase.rolls[0]} if phase.rolls else {}
        yield PhaseLink(phase.title, {**ships, **first} if first else {})


def ruleset_asked(otherwise: Ruleset | None) -> Ruleset:
    """The rulebook that the address names, or that of the table."""
    asked = request.args.get("ruleset")
    if asked in NAMES:
        return get_ruleset(asked)
    return otherwise or get_ruleset(DEFAULT)


def _cards(ruleset: Ruleset, sheets: Mapping[str, Sheet]) -> Any:
    if ruleset.sheet is None:
        return
    tables = tables_of(ruleset.name)
    for name, sheet in sheets.items():
        ship = ruleset.ships.find(sheet.type)
        side = side_of(ship).key if ship else "neutral"
        found = ruleset.sheet(name, sheet.type, side, sheet.now, tables)
        yield Card(
            found,
            str(forgiving_text(state_key(found))),
            as_svg(draw_small(found), "small-plan"),
            tuple(track for part in found.parts if (track := Track(part)).matters),
        )
