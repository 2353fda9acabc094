"""The pages of free play: the calculator, and the battle so far with its sheets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Final
from urllib.parse import urlencode

from flask import render_template, request
from markupsafe import Markup

from combat.event_reports import provenance_of, rests_on_owner_values
from combat.participants import UMPIRE
from combat.previews import Line
from combat.provenance import Provenance
from combat.questions import answer_text, questions
from combat.record_sheets import UNHARMED, RecordSheet, SheetPart
from combat.rulebook_info import Ruleset
from combat.rulebooks import DEFAULT, NAMES, get_ruleset
from combat.sides import Sides
from tabletop.messages import NO_WORDS, Message
from web.actions.free_play import may_undo
from web.auth.seats import Caller
from web.checks.access import PairAccess, pair_access, tables_of
from web.checks.check_view import FORMATTERS, explanation_of_preview, odds_of
from web.checks.rule_answers import Answer
from web.conversions.board import address_of_fight
from web.drawing.dials import wedges_of
from web.drawing.sheet_words import glance_words, state_key
from web.drawing.ship_plan import draw_small
from web.drawing.svg import inline_svg
from web.faults import Fault
from web.free.board_panel import Place, board_panel
from web.free.calculator import Calculation, calculate, ship_choices, swapped
from web.free.typed_dice import DiceEntry, dice_entry
from web.games.free_game import FreeGame
from web.http import guard
from web.http.addresses import Pages
from web.journal.events import AttackMade
from web.sides import SideView, side_of
from web.strings import forgiving_text, words
from web.table.free_battle import FreeBattle, free_battle, ships_on_table, shown_yards
from web.table.moment import Moment
from web.table.survey_text import call_words
from web.views.table import Measure

routes: Final = Pages(__name__)
QUARTERS: Final = 4
MOST_BOXES: Final = 40
"""A track with more boxes than this is drawn as a bar."""
_DIAL_RADIUS, _DIAL_HOLE = 74.0, 32.0


@dataclass(frozen=True, slots=True)
class Track:
    """A part of a sheet as a row of boxes, with the lost share of each."""

    part: SheetPart

    @property
    def size(self) -> int:
        """Units of the sheet per box."""
        return QUARTERS if self.part.unit == "quarters" else 1

    @property
    def boxes(self) -> tuple[int, ...]:
        """The per cent lost of each box, the last first; empty if there are too many to draw."""
        count = round(self.part.total / self.size)
        if count > MOST_BOXES:
            return ()
        lost = self.part.lost / self.size
        return tuple(round(100 * min(1, max(0, lost - n))) for n in reversed(range(count)))

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The boxes by the groups of the sheet; one group if it has none."""
        groups = self.part.details.groups or (len(self.boxes),)
        ends = [0, *accumulate(reversed(groups))]
        return tuple(self.boxes[start:end] for start, end in pairwise(ends))

    @property
    def left(self) -> str:
        """What is left, as text."""
        total, lost = self.part.total / self.size, self.part.lost / self.size
        return f"{total - lost:g} / {total:g}"

    @property
    def note(self) -> Message:
        """What is wrong with it, where its boxes do not show that."""
        details = self.part.details
        told = not self.boxes or details.jammed_guns or not details.can_fire
        return self.part.words if told else NO_WORDS

    @property
    def matters(self) -> bool:
        """Whether it is shown: a single intact unit is not."""
        return self.part.total > self.size or bool(self.part.lost)


@dataclass(frozen=True, slots=True)
class ShipPanel:
    """A ship of the battle with her marks."""

    sheet: RecordSheet
    css: str
    """The class of her side's colour."""
    state: str
    picture: Markup
    tracks: tuple[Track, ...]

    @property
    def glance(self) -> str:
        """A summary of her damage; empty if her status already says it."""
        redundant = (self.sheet.status.message, UNHARMED)
        return "" if self.sheet.glance in redundant else glance_words(self.sheet)

    @property
    def percent(self) -> int:
        """Her damage in per cent."""
        return round(100 * self.sheet.trouble)


@dataclass(frozen=True, slots=True)
class StoryLine:
    """An action that is not undone, with its story."""

    n: int
    who: str
    how: str
    """typed, rolled or mixed."""
    dice: tuple[str, ...]
    story: tuple[Line, ...]
    outcome: Message
    """The result; empty if the title says it all."""
    doubt: Provenance | None
    """The least certain that it rests on, where that is not the book's or an owner's."""
    owner: bool
    """Whether it rests on a value that the owner has entered."""

    @property
    def title(self) -> Message:
        """The ships and the action."""
        return self.story[0].text if self.story else NO_WORDS


@dataclass(frozen=True, slots=True)
class PlayerPoints:
    """A player's victory points as they are written."""

    player: str
    total: str
    lines: tuple[tuple[str, str, str], ...]
    """What for, how many, and by which rule."""
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A phase of the turn, with the address of its action."""

    title: str
    address: Mapping[str, str]
    """Empty if it has none."""


# The battle so far


@routes.get("/fight")
def fight() -> str:
    """The battle of a rulebook so far."""
    return render_template("free/fight.html", **_fight())


@routes.get("/fight/part")
def fight_part() -> str:
    """The part of the page that changes."""
    return render_template("free/fight_part.html", **_fight())


def _fight() -> dict[str, object]:
    caller = guard.must_look()
    moment = guard.server_context().session.moment
    ruleset = _in_edition(moment, ruleset_asked(moment.ruleset))
    now = moment.free.of(ruleset.name)
    now = now.refreshed(moment.library) if now else None
    rounds: dict[int, list[StoryLine]] = {}
    for number, told in reversed(list(_story_lines(now) if now else ())):
        rounds.setdefault(number, []).append(told)
    last = _last_action(now)
    ship, cell = (request.args.get(key, "") for key in ("ship", "cell"))
    return {
        "ruleset": ruleset,
        "place": Place(ruleset.name, ship, cell),
        "board": board_panel(now, moment.state.sides, ship, cell) if now else None,
        "rounds": rounds,
        # The next action begins with the ships of the last one.
        "next_said": {**last, "ruleset": ruleset.name},
        "round": now.state.round_number if now else 1,
        "phases": tuple(_phases(ruleset, last)),
        "cards": tuple(_cards(now, moment.state.sides)) if now else (),
        "points": tuple(_points(now)) if now else (),
        "may_play": caller.may_play and not in_guided_battle(moment),
        "carry": _carried(now),
        "fleet": _fleet(ruleset),
        "sides": tuple(map(SideView.of, moment.state.sides)),
        "may_undo": now is not None and _may_undo(now, caller),
        "others": tuple(
            get_ruleset(name)
            for name, other in moment.free.known.items()
            if name != ruleset.name and other.game.played
        ),
    }


def _fleet(ruleset: Ruleset) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names of the ships that may join, by nation."""
    ships = sorted((card.nation, card.name) for card in ruleset.ships)
    nations = groupby(ships, key=itemgetter(0))
    return tuple((nation, tuple(name for _, name in each)) for nation, each in nations)


def _story_lines(now: FreeGame) -> Iterator[tuple[int, StoryLine]]:
    for entry, number, played in now.actions():
        server = [roll.by_server for roll in played.rolls]
        how = "rolled" if server and all(server) else "mixed" if any(server) else "typed"
        yield (
            number,
            StoryLine(
                n=played.n,
                who=entry.who,
                how=entry.event.how if isinstance(entry.event, AttackMade) else how,
                dice=tuple(roll.value for roll in played.rolls),
                story=now.story(played),
                outcome=now.rulebook.outcome(played.events),
                doubt=provenance_of(played.events).doubt,
                owner=rests_on_owner_values(played.events),
            ),
        )


def _carried(now: FreeGame | None) -> str:
    """Where the ships of this fight are carried to the table (72); empty where they cannot be."""
    ruleset = get_ruleset(DEFAULT)
    return address_of_fight(now, ruleset, tables_of(ruleset.name)) if now else ""


def _last_action(now: FreeGame | None) -> dict[str, str]:
    """The ships of the last action, and its kind if it can be done again, for the next address."""
    if now is None:
        return {}
    played = [each for _, _, each in now.actions()]
    if not played:
        return {}
    action, names = played[-1].action, now.state.names
    # What may be done once, or not any more, is not what comes next.
    again = {} if now.rulebook.check(now.state, action).forbidden else {"battery": action.kind}
    ships = {"firer": getattr(action, "by", ""), "target": getattr(action, "at", "")}
    found = {role: names[ship] for role, ship in ships.items() if ship in names}
    mutual = {
        f"{question.table}.{question.key}": answer_text(getattr(action, question.name))
        for question in questions(type(action))
        if question.mutual and getattr(action, question.name) != question.default
    }
    return {**found, **again, **mutual}


def _phases(ruleset: Ruleset, last: Mapping[str, str]) -> Iterator[PhaseLink]:
    """The phases of the turn, each with the ships of the last action."""
    ships = {role: last[role] for role in ("firer", "target") if last.get(role)}
    known = ruleset.rulebook(ruleset.tables).info_by_kind if ruleset.rulebook else {}
    for phase in ruleset.phases:
        kind = next((kind for kind in phase.rolls if kind in known), None)
        first = {"ruleset": ruleset.name, "battery": kind} if kind else {}
        yield PhaseLink(phase.title, {**ships, **first} if first else {})


def _may_undo(now: FreeGame, caller: Caller) -> bool:
    return bool(now.game.played) and may_undo(now.entry(now.game.played[-1].n), caller)


def _points(now: FreeGame) -> Iterator[PlayerPoints]:
    """Every player's victory points, with the names of the ships."""
    named = partial(words, names=now.state.names)
    for each in now.rulebook.victory_points(now.state):
        yield PlayerPoints(
            player=named(each.player),
            total=_points_text(each.total),
            lines=tuple(
                (named(line.label), _points_text(line.points), line.rule) for line in each.lines
            ),
            notes=tuple((named(note.text), note.reference) for note in each.notes),
        )


def _points_text(points: Fraction) -> str:
    """A number of points as players write it: "−3½"."""
    whole, rest = divmod(abs(points), 1)
    sign = "−" if points < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = "½" if rest == Fraction(1, 2) else f" {rest}"
    return f"{sign}{whole or ''}{part}".strip()


def _cards(now: FreeGame, sides: Sides) -> Iterator[ShipPanel]:
    for each in now.rulebook.view(now.state, UMPIRE).ships:
        card = now.rulebook.ship_type(each.ship)
        sheet = each.sheet
        side = sides[each.ship.side] if each.ship.side in sides else side_of(card)
        yield ShipPanel(
            sheet,
            SideView.of(side).css,
            str(forgiving_text(state_key(sheet))),
            inline_svg(draw_small(sheet, side), "small-plan"),
            tuple(track for part in sheet.parts if (track := Track(part)).matters),
        )


def ruleset_asked(otherwise: Ruleset | None) -> Ruleset:
    """The rulebook that the address names, or that of the table."""
    library = guard.server_context().session.moment.library
    asked = request.args.get("ruleset")
    if asked in NAMES:
        return library.get(asked)
    return otherwise or library.get(DEFAULT)


def _in_edition(moment: Moment, ruleset: Ruleset) -> Ruleset:
    """The rulebook in the edition that its fight was begun with."""
    now = moment.free.of(ruleset.name)
    return ruleset.of_edition(now.record.edition) if now else ruleset


def in_guided_battle(moment: Moment) -> bool:
    """Whether a guided battle is running: then the calculator changes nothing."""
    return moment.battle is not None and not moment.battle.is_over


# The calculator


@routes.get("/calculator")
def calculator() -> str:
    """Any two ships with typed figures."""
    return _calculator()


@routes.get("/calculator/part")
def calculator_part() -> str:
    """The calculator without the page's frame, for an open page."""
    return _calculator(part=True)


@routes.get("/calculator/answer")
def calculator_answer() -> str:
    """The answer of the calculator for the address parameters, as a fragment."""
    guard.must_look()
    moment = guard.server_context().session.moment
    ruleset = _in_edition(moment, ruleset_asked(moment.ruleset))
    if ruleset.rulebook is None:
        raise Fault(404, Message("calculator.fault.no_fire", ruleset=ruleset.title))
    calc = _calculation(moment, ruleset)
    return render_template("free/answer_part.html", calc=calc, **_answer_words(calc))


def _calculator(*, part: bool = False) -> str:
    caller = guard.must_look()
    session = guard.server_context().session
    moment = session.moment
    ruleset = _in_edition(moment, ruleset_asked(moment.ruleset))
    others = tuple(get_ruleset(name) for name in NAMES if name != ruleset.name)
    if ruleset.rulebook is None:
        return render_template(
            "free/calculator.html",
            ruleset=ruleset,
            calc=None,
            others=others,
            part=part,
            **FORMATTERS,
        )
    calc = _calculation(moment, ruleset)
    copied = _pair_on_table(caller, calc) if calc.measured else None
    if copied is not None and "table" in request.args:
        calc = _calculation(moment, ruleset, _from_table(copied, calc))
    battle, now = _battle(moment, ruleset), moment.free.of(ruleset.name)
    played = len(list(now.actions())) if now else 0
    return render_template(
        "free/calculator.html",
        ruleset=ruleset,
        calc=calc,
        choices=ship_choices(
            ruleset, battle.rulebook, battle.state, ships_on_table(moment, ruleset)
        ),
        others=others,
        wedges=wedges_of(ruleset.table_rules.arcs, _DIAL_RADIUS, _DIAL_HOLE),
        on_table=copied is not None,
        close_call=_close_call(copied, calc) if copied else None,
        part=part,
        may_play=caller.may_play and not in_guided_battle(moment),
        only_tries=in_guided_battle(moment),
        fought=played,
        round=now.state.round_number if now else 1,
        rolling=_rolling(calc),
        **_answer_words(calc),
    )


def _battle(moment: Moment, ruleset: Ruleset) -> FreeBattle:
    return free_battle(moment, ruleset, tables_of(ruleset.name))


def _calculation(
    moment: Moment, ruleset: Ruleset, values: Mapping[str, str] | None = None
) -> Calculation:
    battle = _battle(moment, ruleset)
    if values is None:
        values = swapped(request.args.to_dict(), battle.rulebook)
    on_table = ships_on_table(moment, ruleset)
    return calculate(ruleset, battle.rulebook, battle.state, values, on_table, moment.state.sides)


def _answer_words(calc: Calculation) -> dict[str, object]:
    preview, forecast = calc.preview, calc.forecast
    return {
        "odds": odds_of(Answer(preview, forecast)) if preview else None,
        "why": explanation_of_preview(preview) if preview and forecast else None,
        "preview": preview,
        **FORMATTERS,
    }


def _rolling(calc: Calculation) -> DiceEntry | None:
    """The dice of the action; None if the rules forbid it."""
    if calc.action is None or calc.preview is None or calc.preview.forbidden:
        return None
    return dice_entry(calc.rulebook, calc.state, calc.action, request.args)


def _pair_on_table(caller: Caller, calc: Calculation) -> PairAccess | None:
    """The two selected ships, if both are on the table and may be measured."""
    session = guard.server_context().session
    names = calc.firer.name, calc.target.name
    if names[0] == names[1] or any(name not in session.moment.in_play for name in names):
        return None
    access = pair_access(session, caller, *names)
    return access if access.measure is Measure.YES else None


def _from_table(access: PairAccess, calc: Calculation) -> dict[str, str]:
    """The calculator's address with the figures of a pair on the table."""
    _, found = access.check()
    settled = found.settled
    has_bands = calc.offer is not None and bool(calc.offer.bands)
    changes = {"range": shown_yards(settled.range_yards, in_bands=has_bands)}
    if settled.quadrant is not None and settled.aspect is not None:
        changes |= {"quadrant": settled.quadrant, "aspect": settled.aspect}
    changes["sight"] = settled.sight
    return calc.link(**changes)


@dataclass(frozen=True, slots=True)
class _OpenCall:
    """A close call of the pair on the table that nobody has decided, and where to decide it."""

    question: str
    readings: str
    link: str


def _close_call(access: PairAccess, calc: Calculation) -> _OpenCall | None:
    """What is too close to call between the two, for the battery that is chosen."""
    if calc.offer is None or not calc.offer.info.at_ship:
        return None
    context, found = access.check(calc.offer.kind)
    doubt = found.open_doubt
    if doubt is None:
        return None
    said = call_words(context.scene, doubt.call)
    pair = {"firer": access.firer, "target": access.target}
    return _OpenCall(said.question, said.short, f"/table?{urlencode(pair)}")
