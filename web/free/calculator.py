"""The calculator: an action in free play with its ships and answers, read from the address.

Every valid value in the address is used, so that a link can be shared; others are replaced by
defaults, and the page says so.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from combat.actions import Action, ActionInfo, ActionOffer
from combat.dice import TypedDice
from combat.forecast import Forecast
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship, ShipStatus
from combat.previews import Forbidden, Preview, RangeBand
from combat.questions import Question, answer_text, questions, read_answer
from combat.rulebook_info import Ruleset
from combat.ships import ShipType
from combat.sides import Sides
from combat.sides import usual as usual_sides
from tabletop.arcs import Quadrant
from tabletop.documents import parse_json_text
from tabletop.errors import BadField, DreyerError, UnreadableFile
from tabletop.messages import verbatim
from tabletop.places import shorten
from tabletop.rules import OUT_OF_RANGE
from tabletop.rulings import Sight
from tabletop.schema import Takes
from tabletop.typed_numbers import typed_decimal
from web.checks.rule_answers import answer
from web.drawing.silhouettes import silhouette_of
from web.games.free_documents import read_marks
from web.sides import SideView, side_of
from web.strings import data_words, text, words
from web.table.free_battle import FreeBattle, whole_yards, with_ships

FARTHEST_YARDS: Final = 1_000_000.0
STEP_YARDS: Final = 100.0
NEW: Final = "+"
"""The prefix of a ship type that stands for a new ship."""
_LINE: Final = {
    "range_yards": "range",
    "quadrant": "quadrant",
    "aspect": "aspect",
    "blocked": "sight",
    "smoke": "sight",
}
"""The fields of an action that a measured line of fire fills, with their keys in the address."""
_ORDER: Final = (
    "fire",
    "conditions",
    "options",
    "firer",
    "target",
    "firer.state",
    "target.state",
)
_USUAL_SHARE: Final = 0.65
"""The initial position of the slider, as a share of the longest range."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A selected ship, in the battle or about to be added."""

    ship: Ship
    side: SideView
    """The side with which she is drawn; her nation's if the table does not have her side."""
    nation: str
    silhouette: str
    joined: bool

    @property
    def name(self) -> str:
        """Her name."""
        return self.ship.name


@dataclass(frozen=True, slots=True)
class ShipChoice:
    """An entry of the list of ships."""

    value: str
    title: str


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answer."""

    name: str
    """The key with its table: "conditions.fog", "target.state.damage"."""
    label: str
    question: Question
    value: str
    usual: str
    fits: bool
    """Whether it applies to the selected action."""

    @property
    def is_usual(self) -> bool:
        """Whether the answer is the default."""
        return self.value == self.usual

    @property
    def is_mark(self) -> bool:
        """Whether it is a mark of a ship."""
        return _table(self.name).endswith(".state")

    @property
    def words(self) -> str:
        """The answer in words."""
        if self.question.takes is Takes.FLAG:
            return self.label
        value = dict(self.question.choices).get(self.value, verbatim(self.value))
        return str(text("calculator.answered", label=self.label, value=value))


@dataclass(frozen=True, slots=True)
class SliderBand:
    """A range segment on the slider, in per cent of its length."""

    name: str
    title: str
    start: float
    width: float
    upper_yards: float


@dataclass(frozen=True, slots=True)
class LineOfFire:
    """The range and quadrants of two ships, as typed."""

    range_yards: float
    quadrant: Quadrant
    aspect: Quadrant
    sight: Sight

    @property
    def blocked(self) -> bool:
        """Whether a ship is in the way."""
        return self.sight.is_blocked

    @property
    def smoke(self) -> bool:
        """Whether smoke is in the way."""
        return self.sight.is_smoky


@dataclass(frozen=True, slots=True)
class Calculation:
    """The content of the calculator's page."""

    rulebook: FreeRulebook[object]
    state: FreeState[object]
    """The battle with the selected ships, and the marks as typed."""
    firer: Pick
    target: Pick
    offers: tuple[ActionOffer, ...]
    by_phase: tuple[tuple[str, tuple[ActionOffer, ...]], ...]
    """The actions by phase of a turn; those of no phase under an empty title."""
    offer: ActionOffer | None
    measured: bool
    """Whether range and quadrants matter; board games have their own distances."""
    sights: tuple[Sight, ...]
    line: LineOfFire
    line_asked: frozenset[str]
    """What of the line matters to the action: "range", "quadrant", "aspect", "sight"."""
    asked: tuple[AnsweredQuestion, ...]
    others: tuple[AnsweredQuestion, ...]
    """Answers for other actions, kept for when they are selected again."""
    longest_yards: float
    bands: tuple[SliderBand, ...]
    segment: str | None
    action: Action | None
    marks: Mapping[str, Mapping[str, object]]
    """Marks that were typed, by ship."""
    preview: Preview | None
    forecast: Forecast | None
    faults: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of the selected action."""
        return self.offer.kind if self.offer else ""

    @property
    def by_ship(self) -> bool:
        """Whether a ship acts."""
        return self.offer is None or self.offer.info.by_ship

    @property
    def at_ship(self) -> bool:
        """Whether there is a target."""
        return self.offer is None or self.offer.info.at_ship

    @property
    def unit(self) -> str:
        """The unit of the action's strength: guns, dice, torpedoes."""
        return words(self.offer.unit) if self.offer else ""

    @property
    def joining(self) -> tuple[Ship, ...]:
        """The ships that the action adds to the battle."""
        used = ((self.firer, self.by_ship), (self.target, self.at_ship))
        return tuple(pick.ship for pick, takes_part in used if takes_part and not pick.joined)

    @property
    def unusual(self) -> tuple[AnsweredQuestion, ...]:
        """The answers that are not defaults."""
        return tuple(each for each in self.asked if not each.is_usual)

    @property
    def conditions(self) -> tuple[AnsweredQuestion, ...]:
        """The questions about the action itself."""
        return tuple(each for each in self.asked if not each.is_mark)

    @property
    def mark_questions(self) -> tuple[AnsweredQuestion, ...]:
        """The questions about the ships' marks."""
        return tuple(each for each in self.asked if each.is_mark)

    def drawn(self, role: str) -> str:
        """The values of a ship in the form before typing, to compare with when it is sent."""
        pick = self.firer if role == "firer" else self.target
        own = {each.name: each.usual for each in self.asked if each.name.startswith(f"{role}.")}
        return json.dumps({"ship": pick.name, **own}, ensure_ascii=False)

    @property
    def unusual_conditions(self) -> tuple[AnsweredQuestion, ...]:
        """The conditions that are not defaults."""
        return tuple(each for each in self.conditions if not each.is_usual)

    @property
    def unusual_marks(self) -> tuple[AnsweredQuestion, ...]:
        """The marks that differ from the sheets."""
        return tuple(each for each in self.mark_questions if not each.is_usual)

    @property
    def segment_title(self) -> str:
        """The title of the range segment; empty if the rulebook has none."""
        if self.segment is None:
            return ""
        titles = {band.name: band.title for band in self.bands}
        return titles.get(self.segment) or str(text("calculator.out_of_range"))

    def link(self, **changes: str) -> dict[str, str]:
        """The address parameters of this page, with some changed."""
        values = {"firer": self.firer.name, "target": self.target.name, "battery": self.kind}
        if self.measured:
            values |= {
                "range": f"{self.line.range_yards:.0f}",
                "quadrant": str(self.line.quadrant),
                "aspect": str(self.line.aspect),
                "sight": self.line.sight,
            }
        kept = (*self.unusual, *(each for each in self.others if not each.is_usual))
        values |= {each.name: each.value for each in kept}
        return {key: value for key, value in {**values, **changes}.items() if value}

    @property
    def onward(self) -> dict[str, str]:
        """The address parameters for the next action: without those of this action alone."""
        alone = {
            each.name
            for each in (*self.unusual, *self.others)
            if not each.question.mutual and each.question.table not in ("firer", "target")
        }
        return {key: value for key, value in self.link().items() if key not in alone}

    def request(self, dice: Sequence[str], *, roll: bool) -> dict[str, object]:
        """The body that plays this action."""
        action = self.action
        written = None if action is None else self.rulebook.action_schema().dump(action)
        return {
            "ruleset": self.rulebook.name,
            "ships": [
                {"name": ship.name, "type": ship.type, "side": ship.side} for ship in self.joining
            ],
            "marks": {ship: dict(marks) for ship, marks in self.marks.items()},
            "action": written,
            "dice": list(dice),
            "roll": roll,
        }


def ship_choices(
    ruleset: Ruleset,
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    on_table: Iterable[Ship],
) -> dict[str, list[ShipChoice]]:
    """Every selectable ship, by group: in the battle, on the table, and all types."""
    groups: dict[str, list[ShipChoice]] = {}
    present = {ship.id for ship in state.ships}
    if state.ships:
        fight = [ShipChoice(ship.name, _title(rulebook, state, ship)) for ship in state.ships]
        groups[str(text("calculator.in_battle"))] = fight
    table = [ShipChoice(ship.name, ship.name) for ship in on_table if ship.id not in present]
    if table:
        groups[str(text("calculator.on_table"))] = table
    listed = present | {each.value for each in table}
    for card in sorted(ruleset.ships, key=lambda card: card.name):
        if card.name not in listed:
            groups.setdefault(card.nation, []).append(ShipChoice(card.name, card.name))
        elif card.several:
            another = str(text("calculator.another", name=card.name))
            groups.setdefault(card.nation, []).append(ShipChoice(f"{NEW}{card.name}", another))
    first = [name for name in groups if name not in {card.nation for card in ruleset.ships}]
    nations = sorted(name for name in groups if name not in first)
    return {name: groups[name] for name in (*first, *nations)}


def _title(rulebook: FreeRulebook[object], state: FreeState[object], ship: Ship) -> str:
    """Her name, and whether she no longer takes part."""
    status = rulebook.status(state, ship.id)
    if status is ShipStatus.IN_ACTION:
        return ship.name
    return str(text("calculator.out_of_action", name=ship.name, status=status.message))


def swapped(values: Mapping[str, str], rulebook: FreeRulebook[object]) -> Mapping[str, str]:
    """The address parameters, with the two ships exchanged if requested."""
    if "swap" not in values:
        return values
    changed = {"firer": "target", "target": "firer", "quadrant": "aspect", "aspect": "quadrant"}
    for info in rulebook.infos:
        for question in questions(info.type):
            name = f"{question.table}.{question.key}"
            if question.table in changed:
                changed[name] = f"{changed[question.table]}.{question.key}"
            elif question.mutual:
                changed[name] = name
    # Guns and other answers depend on the ship, and the other may not have them.
    return {
        changed.get(key, key): value
        for key, value in values.items()
        if key not in ("swap", "battery") and ("." not in key or key in changed)
    }


def calculate(
    ruleset: Ruleset,
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    values: Mapping[str, str],
    on_table: Sequence[Ship] = (),
    sides: Sides | None = None,
) -> Calculation:
    """The page for the address parameters, on a battle in free play; sides are the table's."""
    sides = sides or usual_sides().sides
    faults: list[str] = []
    picks = _Picks(ruleset, rulebook, state, tuple(on_table), sides, faults)
    firer, target = picks.pair(values)
    offers = (*rulebook.offers(firer.ship.type), *rulebook.offers(""))
    offer = _chosen_offer(offers, (values.get("battery"), rulebook.infos[0].kind))
    info = offer.info if offer else rulebook.infos[0]
    bands = (offer.bands if offer else ()) or ruleset.segments
    longest = bands[-1].upper_yards if bands else 0.0
    fields = {question.name for question in questions(info.type)}
    sights = tuple(sight for sight in Sight if not sight.is_smoky or "smoke" in fields)
    line = _line(values, longest, sights, faults)
    by, at = (firer.ship if info.by_ship else None), (target.ship if info.at_ship else None)
    chosen = [ship for ship in (by, at) if ship]
    state = with_ships(FreeBattle(rulebook, state), chosen).state
    every = list(_questions(rulebook, info, (firer, target), state))
    before = {
        role: _drawn_with(values.get(f"{role}.drawn", ""), pick.name)
        for role, pick in (("firer", firer), ("target", target))
    }
    asked = [_answered(each, values, before, faults) for each in every]
    action, marks, preview, forecast = None, dict[str, Mapping[str, object]](), None, None
    if offer is not None:
        try:
            ids = {"firer": firer.ship.id, "target": target.ship.id}
            state, marks = _with_marks(rulebook, state, asked, ids)
            action = rulebook.completed(state, _action(info, by, at, asked, line))
            found = answer(rulebook, state, action)
            preview, forecast = found.preview, found.forecast
        except Forbidden as error:
            preview = Preview.refused(info.kind, (), error)
        except DreyerError as error:
            faults.append(words(error))
    return Calculation(
        rulebook=rulebook,
        state=state,
        firer=firer,
        target=target,
        offers=offers,
        by_phase=tuple(_by_phase(ruleset, offers)),
        offer=offer,
        measured=ruleset.needs_table,
        sights=sights,
        line=line,
        line_asked=frozenset(key for name, key in _LINE.items() if name in fields),
        asked=tuple(each for each in asked if each.fits),
        others=tuple(each for each in asked if not each.fits),
        longest_yards=longest,
        bands=tuple(_drawn(bands, longest)),
        segment=_segment(bands, line.range_yards),
        action=action,
        marks=marks,
        preview=preview,
        forecast=forecast,
        faults=tuple(faults),
    )


def _chosen_offer(offers: Sequence[ActionOffer], kinds: Iterable[str | None]) -> ActionOffer | None:
    """The first offer of the first kind that there is; else the first of all."""
    by_kind = (offer for kind in kinds for offer in offers if offer.kind == kind)
    return next(by_kind, next(iter(offers), None))


def _line(
    values: Mapping[str, str], longest: float, sights: tuple[Sight, ...], faults: list[str]
) -> LineOfFire:
    """The line of fire that the address gives."""
    return LineOfFire(
        _range(values.get("range"), longest, faults),
        Quadrant(_one_of(values.get("quadrant"), _FROM_STARBOARD, faults)),
        Quadrant(_one_of(values.get("aspect"), _FROM_PORT, faults)),
        Sight(_one_of(values.get("sight"), sights, faults)),
    )


@dataclass(frozen=True, slots=True)
class _Picks:
    """Selects ships by the address parameters."""

    ruleset: Ruleset
    rulebook: FreeRulebook[object]
    state: FreeState[object]
    on_table: tuple[Ship, ...]
    sides: Sides
    faults: list[str]

    def pair(self, values: Mapping[str, str]) -> tuple[Pick, Pick]:
        known = [*self.state.ships, *self.on_table, *map(_of_type, self.ruleset.ships)]
        firer = self._named(values.get("firer")) or self._picked(known[0])
        target = self._named(values.get("target"), firer)
        if target is None:
            others = [self._picked(ship) for ship in known if ship.id != firer.ship.id]
            enemies = [each for each in others if self._are_enemies(firer.ship, each.ship)]
            # Where there are none, a ship of the usual other side.
            foe = usual_sides().foes.get(firer.side.key)
            foes = [each for each in others if each.side.key == foe]
            foreign = [each for each in others if each.nation != firer.nation]
            target = next(iter((*enemies, *foes, *foreign, *others)), firer)
        return firer, target

    def _are_enemies(self, one: Ship, other: Ship) -> bool:
        """Whether both have sides of this table that fight each other."""
        both = (one.side, other.side)
        fight = one.side != other.side and all(side in self.sides.fighting for side in both)
        return fight and not self.sides.pairs_of_allies(both)

    def _named(self, name: str | None, other: Pick | None = None) -> Pick | None:
        """The ship that an address names; `other` is selected already."""
        if not name:
            return None
        for ship in (*self.state.ships, *self.on_table):
            if ship.name == name:
                return self._picked(ship)
        card, wanted = self._new(name)
        if card is None:
            words = text("calculator.unknown_ship", name=shorten(name, 40))
            self.faults.append(str(words))
            return None
        taken = {ship.id for ship in (*self.state.ships, *self.on_table)}
        if other is not None and card.several:
            taken.add(other.ship.id)
        if wanted in taken:
            numbers = range(2, len(taken) + 3)
            wanted = next(n for each in numbers if (n := f"{card.name} {each}") not in taken)
        return self._picked(replace(_of_type(card), id=wanted, name=wanted))

    def _new(self, name: str) -> tuple[ShipType | None, str]:
        """The type of a ship to be added, and the requested name: "Sample cruiser 2"."""
        card = self.ruleset.ships.find(name.removeprefix(NEW))
        if card is not None:
            return card, card.name
        stem, _, number = name.rpartition(" ")
        card = self.ruleset.ships.find(stem)
        if card is not None and card.several and re.fullmatch("[1-9][0-9]{0,2}", number):
            return card, f"{card.name} {number}"
        return None, ""

    def _picked(self, ship: Ship) -> Pick:
        card = self._card(ship)
        joined = any(ship.id == other.id for other in self.state.ships)
        side = self.sides[ship.side] if ship.side in self.sides else side_of(card)
        drawn = silhouette_of(card, side)
        return Pick(ship, SideView.of(side), card.nation, drawn, joined)

    def _card(self, ship: Ship) -> ShipType:
        return self.rulebook.ship_type(ship)


def _of_type(card: ShipType) -> Ship:
    return Ship(card.name, card.name, card.nation.lower(), card.name)


def _questions(
    rulebook: FreeRulebook[object],
    info: ActionInfo,
    picks: tuple[Pick, Pick],
    state: FreeState[object],
) -> Iterator[AnsweredQuestion]:
    """All questions of all actions with the default answers, in the order of the page."""
    found: dict[str, AnsweredQuestion] = {}
    by, at = picks[0].ship, picks[1].ship
    for each in (info, *rulebook.infos):
        for question in rulebook.questions_for(each, by, at, state=state):
            name = f"{question.table}.{question.key}"
            if question.by_page and question.name not in _LINE and name not in found:
                label = _label(question, picks)
                usual = question.default_text
                found[name] = AnsweredQuestion(name, label, question, usual, usual, each is info)
    for role, pick, takes_part in (
        ("firer", picks[0], info.by_ship),
        ("target", picks[1], info.at_ship),
    ):
        if not takes_part:
            continue
        marks = rulebook.written(pick.ship, state.marks[pick.ship.id])
        for question in questions(rulebook.state_type):
            if question.by_page:
                name = f"{role}.state.{question.key}"
                label = str(text("calculator.mark_of", name=pick.name, label=question.label))
                usual = answer_text(getattr(marks, question.name))
                found[name] = AnsweredQuestion(name, label, question, usual, usual, True)
    yield from sorted(found.values(), key=lambda each: _ORDER.index(_table(each.name)))


def _label(question: Question, picks: tuple[Pick, Pick]) -> str:
    names = {"firer": picks[0].name, "target": picks[1].name}
    if question.table in names:
        return str(text("calculator.of_ship", label=question.label, name=names[question.table]))
    return words(question.label)


def _table(name: str) -> str:
    return name.rpartition(".")[0]


def _answered(
    asked: AnsweredQuestion,
    values: Mapping[str, str],
    before: Mapping[str, Mapping[str, str] | None],
    faults: list[str],
) -> AnsweredQuestion:
    typed = values.get(asked.name)
    if typed is None or typed == "":
        return asked
    of_ship = before.get(asked.name.partition(".")[0], {})
    if of_ship is None or of_ship.get(asked.name) == typed:
        # Not typed: a form sends all values that it shows.
        return asked
    try:
        read_answer(asked.question, typed, "")
    except BadField:
        if asked.fits:
            words = text("calculator.bad_condition", label=asked.label, said=shorten(typed, 20))
            faults.append(str(words))
        return asked
    return replace(asked, value=typed)


def _drawn_with(written: str, ship: str) -> Mapping[str, str] | None:
    """The values that a form showed of a ship; None if it showed another ship."""
    try:
        found = parse_json_text(written, ship) if written else {}
    except UnreadableFile:
        return {}
    if not isinstance(found, dict) or not found:
        return {}
    return found if found.get("ship") == ship else None


def _with_marks(
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    asked: Iterable[AnsweredQuestion],
    ids: Mapping[str, str],
) -> tuple[FreeState[object], dict[str, Mapping[str, object]]]:
    """The battle with typed marks; `ids` are by role."""
    typed: dict[str, dict[str, object]] = {}
    for each in asked:
        role, _, rest = each.name.partition(".")
        if rest.startswith("state.") and not each.is_usual:
            value = read_answer(each.question, each.value, "")
            typed.setdefault(ids[role], {})[each.question.key] = value
    for ship_id, changes in typed.items():
        entered = read_marks(rulebook, state, ship_id, changes)
        state = rulebook.play(state, entered, TypedDice("")).state
    return state, dict(typed)


def _action(
    info: ActionInfo,
    by: Ship | None,
    at: Ship | None,
    asked: Iterable[AnsweredQuestion],
    line: LineOfFire,
) -> Action:
    values: dict[str, object] = {}
    if by is not None:
        values["by"] = by.id
    if at is not None:
        values["at"] = at.id
    given = {each.name: each for each in asked}
    for question in questions(info.type):
        each = given.get(f"{question.table}.{question.key}")
        if question.name == "range_yards":
            whole = question.takes is Takes.NUMBER
            values[question.name] = whole_yards(line.range_yards) if whole else line.range_yards
        elif question.name in _LINE:
            values[question.name] = getattr(line, question.name)
        elif each is not None and each.value:
            values[question.name] = read_answer(question, each.value, "")
    return info.make(values)


def _by_phase(
    ruleset: Ruleset, offers: Sequence[ActionOffer]
) -> Iterator[tuple[str, tuple[ActionOffer, ...]]]:
    """The actions of each phase of a turn; each is listed once, in its first phase."""
    left = {offer.kind: offer for offer in offers}
    for phase in ruleset.phases:
        here = tuple(left.pop(kind) for kind in phase.rolls if kind in left)
        if here:
            yield data_words(phase.title), here
    if left:
        yield "", tuple(left.values())


_FROM_STARBOARD = (Quadrant.STARBOARD, Quadrant.BOW, Quadrant.STERN, Quadrant.PORT)
_FROM_PORT = (Quadrant.PORT, Quadrant.BOW, Quadrant.STARBOARD, Quadrant.STERN)


def _range(typed: str | None, longest: float, faults: list[str]) -> float:
    usual = round(_USUAL_SHARE * longest / STEP_YARDS) * STEP_YARDS or 10_000.0
    if not typed:
        return usual
    # A comma is for thousands here: "12,500".
    yards = typed_decimal(typed.replace(",", ""))
    if yards is None or not 0 <= yards <= FARTHEST_YARDS:
        faults.append(str(text("calculator.bad_range", said=shorten(typed, 20))))
        return usual
    return float(round(yards))


def _one_of(typed: str | None, values: tuple[str, ...], faults: list[str]) -> str:
    """The value if it is one of these, or the first of them."""
    if typed and typed not in values:
        faults.append(str(text("calculator.bad_value", said=shorten(typed, 20))))
    return typed if typed in values else values[0]


def _segment(bands: Sequence[RangeBand], range_yards: float) -> str | None:
    if not bands:
        return None
    reached = (band.name for band in bands if range_yards <= band.upper_yards)
    return next(reached, OUT_OF_RANGE)


def _drawn(bands: Sequence[RangeBand], longest: float) -> Iterator[SliderBand]:
    start = 0.0
    for band in bands:
        upper = band.upper_yards
        width = upper - start
        yield SliderBand(
            band.name, words(band.title), 100 * start / longest, 100 * width / longest, upper
        )
        start = upper
