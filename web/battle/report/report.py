"""The after-action report as data: what a caller may know of a battle, from first to last.

While a battle is under way the report holds what the caller may see and nothing else; once it is
over, everything is everybody's.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from combat.battle_history import Point, ShipPosition
from combat.guided_play import OrderedRulebook, PlottedView
from combat.optional_rules import OptionalRule
from combat.participants import UMPIRE, Seat
from combat.provenance import Provenance
from combat.record_sheets import RecordSheet
from combat.rulebook import Place
from combat.rulebooks import get_ruleset
from combat.sides import Sides, usual
from combat.story_entries import Entry, MoveDocument
from combat.views import ConditionsView, ShipView
from tabletop.messages import Message
from web.auth.seats import Caller
from web.drawing.sheet_words import Count, glance, glance_words, state_key
from web.drawing.ship_layout import parts_of
from web.games.guided_game import GuidedGame
from web.strings import figure, forgiving_text, text, words
from web.views.battle import side_seen, unmeasured

Key = tuple[int, int]
_MOVES = ("plot", "move")
_FIRES = ("fire", "torpedo")
_NOTABLE, _RARE = 0.5, 1.65
"""From how many standard deviations on luck is worth a word; the second is one time in ten."""


@dataclass(frozen=True, slots=True)
class FireOdds:
    """What a fire could expect, exactly."""

    mean: float
    """Hits on average."""
    variance: float


@dataclass(frozen=True, slots=True)
class ReportedFire:
    """One ship's fire at another, as the caller may know it."""

    entry: Entry
    firer: str
    target: str
    side: str
    hits: int
    odds: FireOdds | None
    """What it could expect, exactly; None where that would give a hidden ship away."""

    @property
    def expected(self) -> float | None:
        """The hits on average."""
        return None if self.odds is None else self.odds.mean


@dataclass(frozen=True, slots=True)
class SegmentReport:
    """A segment: who stood where after the move, who fired, and the rest of its story."""

    key: Key
    place: Message
    """Which segment it is."""
    ships: Mapping[str, ShipPosition]
    paths: Mapping[str, tuple[Point, ...]]
    smoke: tuple[tuple[Point, Point], ...]
    fires: tuple[ReportedFire, ...]
    story: tuple[Entry, ...]
    """In the order in which it happened, fires included."""

    @property
    def moves(self) -> tuple[Entry, ...]:
        """Plots and places: what the map shows better."""
        return tuple(entry for entry in self.story if entry.kind in _MOVES)

    @property
    def events(self) -> tuple[Entry, ...]:
        """All else that happened."""
        return tuple(entry for entry in self.story if entry.kind not in (*_MOVES, "segment"))

    def fire_of(self, entry: Entry) -> ReportedFire | None:
        """The fire that an entry of the story tells."""
        return next((fire for fire in self.fires if fire.entry is entry), None)

    @property
    def title(self) -> str:
        """Which segment it is, in words."""
        return words(self.place)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a ship, and what she fired away."""

    ship: str
    side: str
    words: str
    sunk: bool
    glance: str
    counts: tuple[Count, ...]
    spent: tuple[tuple[str, int, int], ...]
    """Of each kind of round: its name, how many are gone, how many there were."""


@dataclass(frozen=True, slots=True)
class Luck:
    """A side's hits against what its fires could expect, cumulated over the segments."""

    side: str
    expected: tuple[float, ...]
    actual: tuple[int, ...]
    spread: float
    """How far from the expected number hits usually are: one standard deviation."""

    @property
    def words(self) -> str:
        """How lucky the side was, in a sentence."""
        expected, actual = self.expected[-1], self.actual[-1]
        off = (actual - expected) / self.spread if self.spread else 0.0
        key = "even"
        if abs(off) >= _NOTABLE:
            key = ("good" if off > 0 else "bad") + ("_very" if abs(off) >= _RARE else "")
        return str(forgiving_text(f"report.luck_{key}", n=actual, expected=figure(expected, ".1f")))


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is told of a battle."""

    title: str
    sides: Sides
    over: bool
    outcome: str
    conditions: str
    rules: str
    """The rulebook and the edition of its rules."""
    options: tuple[OptionalRule, ...]
    """The optional rules that are played with."""
    own_cells: int
    """How many table cells have the players' own values."""
    start: Mapping[str, ShipPosition]
    side_of: Mapping[str, str]
    segments: tuple[SegmentReport, ...]
    fates: tuple[Fate, ...]
    unknown: tuple[tuple[str, str], ...]
    """Ships that are face down, by label and side."""
    luck: tuple[Luck, ...]
    """By side."""
    opening: tuple[Entry, ...]
    """What was told before the first move and after the last segment."""

    def of_side(self, side: str) -> tuple[Fate, ...]:
        """The fates of a side's ships."""
        return tuple(fate for fate in self.fates if fate.side == side)


def battle_report(
    battle: GuidedGame, caller: Caller, table: Sides | None = None, *, measured: bool = True
) -> Report:
    """The report that a caller may read; without a table's sides it has the usual ones."""
    seat = Seat(side_seen(battle, caller), umpire=caller.is_umpire or battle.is_over)
    rulebook, state = battle.rulebook, battle.state
    view = battle.view(seat)
    past = battle.history
    names = _names(battle.view(UMPIRE).ships, view.ships)
    side_of = {ship.id: ship.side for ship in view.ships}
    told, true = battle.story(seat), battle.story(UMPIRE)
    if not (measured or battle.is_over):
        told = unmeasured(told)
    segments = tuple(_segments(battle, told, true, names, side_of))
    known = _known(battle)
    sheets = [rulebook.sheet(state, ship.id, seat) for ship in view.ships if not ship.hidden]
    return Report(
        title=view.title or str(text("report.untitled")),
        sides=(table or usual().sides).of(view.sides),
        over=battle.is_over,
        outcome=words(view.ending or Message("report.under_way")),
        conditions=_conditions(view.conditions) if isinstance(view, PlottedView) else "",
        rules=str(
            text(
                "report.rules_of",
                ruleset=get_ruleset(battle.tables.ruleset).title,
                edition=battle.record.edition,
            )
        ),
        options=tuple(each for each in rulebook.optional_rules(rulebook.options(state)) if each.on),
        own_cells=battle.tables.counts[Provenance.OWNER],
        start={names[name]: standing for name, standing in past.start.items()},
        side_of=side_of,
        segments=segments,
        fates=tuple(_fate(sheet) for sheet in sheets),
        unknown=tuple((ship.id, ship.side) for ship in view.ships if ship.hidden),
        luck=tuple(_luck(each, segments) for each in view.sides),
        opening=tuple(e for e in told if _section_of(e, known) is None),
    )


def _segments(
    battle: GuidedGame,
    told: Sequence[Entry],
    true: Sequence[Entry],
    names: Mapping[str, str],
    side_of: Mapping[str, str],
) -> Iterator[SegmentReport]:
    past, rulebook = battle.history, battle.rulebook
    known = _known(battle)
    stories, fires = _by_section(told, known), _by_section(filter(_is_fire, true), known)
    for segment in past.segments:
        story = stories.get(segment.key, [])
        seen = [entry for entry in story if _is_fire(entry)]
        # Who stood where is known once in a round: then it is told of the whole round.
        whole = any((entry.round_number, entry.segment) != segment.key for entry in story)
        place = Place(segment.key[0]) if whole else Place(*segment.key)
        # A veil hides names and never an entry of fire, so that both tell them in the same order.
        pairs = zip(seen, fires.get(segment.key, []), strict=True)
        yield SegmentReport(
            segment.key,
            rulebook.place_title(place),
            {names[name]: standing for name, standing in segment.ships.items()},
            {names[name]: points for name, points in segment.paths.items()},
            segment.smoke,
            tuple(_fire(entry, whole, side_of) for entry, whole in pairs),
            tuple(story),
        )


def _fire(entry: Entry, whole: Entry, side_of: Mapping[str, str]) -> ReportedFire:
    document = whole.document if not isinstance(whole.document, MoveDocument) else None
    firer, target = entry.ships
    hits = document.hits if document else 0
    # Torpedoes may meet a friend, who is no luck of theirs.
    counts = entry.document is not None and side_of[firer] != side_of.get(target)
    chances = document.hit_odds if document else None
    odds = _odds(chances or {}) if counts else None
    return ReportedFire(entry, firer, target, side_of[firer], hits, odds)


def _odds(chances: Mapping[int, float]) -> FireOdds:
    """What the rulebook's exact odds promise; a fire too weak for any roll can expect nothing."""
    mean = sum(hits * chance for hits, chance in chances.items())
    squares = sum(hits**2 * chance for hits, chance in chances.items())
    return FireOdds(mean, squares - mean**2)


def _luck(side: str, segments: Sequence[SegmentReport]) -> Luck:
    expected, actual, variance = [0.0], [0], 0.0
    for segment in segments:
        known = [(f.odds, f.hits) for f in segment.fires if f.side == side and f.odds is not None]
        expected.append(expected[-1] + sum(odds.mean for odds, _ in known))
        actual.append(actual[-1] + sum(hits for _, hits in known))
        variance += sum(odds.variance for odds, _ in known)
    return Luck(side, tuple(expected), tuple(actual), math.sqrt(max(variance, 0.0)))


def _fate(sheet: RecordSheet) -> Fate:
    return Fate(
        sheet.ship,
        sheet.side,
        str(forgiving_text(state_key(sheet))),
        sheet.status == "sunk",
        glance_words(sheet),
        glance(sheet),
        tuple(
            (words(part.title), part.lost, part.total)
            for part in parts_of(sheet, "ammunition", "torpedoes")
        ),
    )


def _names(true: Sequence[ShipView], seen: Sequence[ShipView]) -> Mapping[str, str]:
    """What the caller calls each ship: by her label where she has one, or by her name."""
    labels = {ship.label: ship.id for ship in seen if ship.label}
    return {ship.id: labels.get(ship.label or "", ship.id) for ship in true}


def _known(battle: GuidedGame) -> Mapping[Key, Key]:
    """The segments of the past by their keys; a round with one only also by its number alone."""
    found = {segment.key: segment.key for segment in battle.history.segments}
    if isinstance(battle.rulebook, OrderedRulebook):
        # Who stood where is known once in a round.
        rounds = Counter(number for number, _ in found)
        found |= {(key[0], 0): key for key in tuple(found) if rounds[key[0]] == 1}
    return found


def _by_section(entries: Iterable[Entry], known: Mapping[Key, Key]) -> dict[Key, list[Entry]]:
    found: dict[Key, list[Entry]] = {}
    for entry in entries:
        section = _section_of(entry, known)
        if section is not None:
            found.setdefault(section, []).append(entry)
    return found


def _section_of(entry: Entry, known: Mapping[Key, Key]) -> Key | None:
    """The segment that an entry is told with: its own, or the one of its round with the moves."""
    return known.get((entry.round_number, entry.segment), known.get((entry.round_number, 0)))


def _is_fire(entry: Entry) -> bool:
    return entry.kind in _FIRES and len(entry.ships) == 2


def _conditions(conditions: ConditionsView) -> str:
    words = [str(text("report.visibility", n=conditions.visibility))]
    words.append(str(text("report.night" if conditions.night else "report.day")))
    if conditions.starting_range_yards:
        yards = figure(conditions.starting_range_yards, ",.0f")
        words.append(str(text("report.starting_range", yards=yards)))
    return ", ".join(words)
