"""The calculator: an action in free play with its ships and answers, read from the address.

Whatever stands in the address is taken if it can be, so that a link can be shared; what cannot is
as usual, and the page says so.
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
from web.strings import text, words
from web.table.free_battle import FreeBattle, whole_yards, with_ships

FARTHEST_YARDS: Final = 1_000_000.0
STEP_YARDS: Final = 100.0
NEW: Final = "+"
"""In front of a ship type: one more ship of it."""
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
"""How far of the longest range the slider stands at first."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A ship that is chosen, in the battle already or about to join it."""

    ship: Ship
    side: SideView
    """How she is drawn; her nation's, where her side is none of the table's."""
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
    """A question with what was answered."""

    name: str
    """With its table in front: "conditions.fog", "target.state.damage"."""
    label: str
    question: Question
    value: str
    usual: str
    fits: bool
    """Whether it has anything to do with the chosen action."""

    @property
    def is_usual(self) -> bool:
        """Whether the answer is as usual."""
        return self.value == self.usual

    @property
    def is_mark(self) -> bool:
        """Whether it stands on a ship's sheet."""
        return _table(self.name).endswith(".state")

    @property
    def words(self) -> str:
        """The answer as players say it."""
        if self.question.takes is Takes.FLAG:
            return self.label
        value = dict(self.question.choices).get(self.value, verbatim(self.value))
        return str(text("calculator.answered", label=self.label, value=value))


@dataclass(frozen=True, slots=True)
class SliderBand:
    """A range segment on the slider, in hundredths of its length."""

    name: str
    title: str
    start: float
    width: float
    upper_yards: float


@dataclass(frozen=True, slots=True)
class LineOfFire:
    """How two ships lie to each other, as typed."""

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
    """Everything on the calculator's page."""

    rulebook: FreeRulebook[object]
    state: FreeState[object]
    """The battle with the chosen ships in it, and the marks as typed."""
    firer: Pick
    target: Pick
    offers: tuple[ActionOffer, ...]
    by_phase: tuple[tuple[str, tuple[ActionOffer, ...]], ...]
    """The same by the phases of a turn; under no title what belongs to none."""
    offer: ActionOffer | None
    measured: bool
    """Whether range and quadrants decide; a board game asks for its own distances instead."""
    sights: tuple[Sight, ...]
    line: LineOfFire
    line_asked: frozenset[str]
    """What of the line matters to the action: "range", "quadrant", "aspect", "sight"."""
    asked: tuple[AnsweredQuestion, ...]
    others: tuple[AnsweredQuestion, ...]
    """Answers about other actions, kept for when they are chosen again."""
    longest_yards: float
    bands: tuple[SliderBand, ...]
    segment: str | None
    action: Action | None
    marks: Mapping[str, Mapping[str, object]]
    """Marks that were typed over those of the battle, by ship."""
    preview: Preview | None
    forecast: Forecast | None
    faults: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of action that is chosen."""
        return self.offer.kind if self.offer else ""

    @property
    def by_ship(self) -> bool:
        """Whether a ship acts."""
        return self.offer is None or self.offer.info.by_ship

    @property
    def at_ship(self) -> bool:
        """Whether a ship is acted on."""
        return self.offer is None or self.offer.info.at_ship

    @property
    def unit(self) -> str:
        """What the strength of the action counts: guns, dice, torpedoes."""
        return words(self.offer.unit) if self.offer else ""

    @property
    def joining(self) -> tuple[Ship, ...]:
        """The ships that join the battle with this action."""
        used = ((self.firer, self.by_ship), (self.target, self.at_ship))
        return tuple(pick.ship for pick, takes_part in used if takes_part and not pick.joined)

    @property
    def unusual(self) -> tuple[AnsweredQuestion, ...]:
        """The answers that are not as usual."""
        return tuple(each for each in self.asked if not each.is_usual)

    @property
    def conditions(self) -> tuple[AnsweredQuestion, ...]:
        """What is asked of the action itself."""
        return tuple(each for each in self.asked if not each.is_mark)

    @property
    def mark_questions(self) -> tuple[AnsweredQuestion, ...]:
        """What stands on the ships' sheets, to be typed over."""
        return tuple(each for each in self.asked if each.is_mark)

    def drawn(self, role: str) -> str:
        """What the form shows of a ship when nobody types anything, for when it comes back."""
        pick = self.firer if role == "firer" else self.target
        own = {each.name: each.usual for each in self.asked if each.name.startswith(f"{role}.")}
        return json.dumps({"ship": pick.name, **own}, ensure_ascii=False)

    @property
    def unusual_conditions(self) -> tuple[AnsweredQuestion, ...]:
        """Conditions that are not as usual."""
        return tuple(each for each in self.conditions if not each.is_usual)

    @property
    def unusual_marks(self) -> tuple[AnsweredQuestion, ...]:
        """Marks that are not those of the sheets."""
        return tuple(each for each in self.mark_questions if not each.is_usual)

    @property
    def segment_title(self) -> str:
        """The segment as players read it; empty where the rulebook has none."""
        if self.segment is None:
            return ""
        titles = {band.name: band.title for band in self.bands}
        return titles.get(self.segment) or str(text("calculator.out_of_range"))

    def link(self, **changes: str) -> dict[str, str]:
        """What the address needs to show this again, with some of it changed."""
        said = {"firer": self.firer.name, "target": self.target.name, "battery": self.kind}
        if self.measured:
            said |= {
                "range": f"{self.line.range_yards:.0f}",
                "quadrant": str(self.line.quadrant),
                "aspect": str(self.line.aspect),
                "sight": self.line.sight,
            }
        kept = (*self.unusual, *(each for each in self.others if not each.is_usual))
        said |= {each.name: each.value for each in kept}
        return {key: value for key, value in {**said, **changes}.items() if value}

    @property
    def onward(self) -> dict[str, str]:
        """What the next action begins with: without what was said of this one alone."""
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
    """Every ship that may be chosen, by group: in the battle, on the table, and all types."""
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
    """Her name, and whether she takes part no more."""
    status = rulebook.status(state, ship.id)
    if status is ShipStatus.IN_ACTION:
        return ship.name
    return str(text("calculator.out_of_action", name=ship.name, status=status.message))


def swapped(said: Mapping[str, str], rulebook: FreeRulebook[object]) -> Mapping[str, str]:
    """What the address says; with the two ships changed over where it asks for that."""
    if "swap" not in said:
        return said
    changed = {"firer": "target", "target": "firer", "quadrant": "aspect", "aspect": "quadrant"}
    for info in rulebook.infos:
        for question in questions(info.type):
            name = f"{question.table}.{question.key}"
            if question.table in changed:
                changed[name] = f"{changed[question.table]}.{question.key}"
            elif question.mutual:
                changed[name] = name
    # Guns and other answers are those of one ship, and the other may have none like them.
    return {
        changed.get(key, key): value
        for key, value in said.items()
        if key not in ("swap", "battery") and ("." not in key or key in changed)
    }


def calculate(
    ruleset: Ruleset,
    rulebook: FreeRulebook[object],
    state: FreeState[object],
    said: Mapping[str, str],
    on_table: Sequence[Ship] = (),
    sides: Sides | None = None,
) -> Calculation:
    """The page for what the address says, on a battle in free play; sides are the table's."""
    sides = sides or usual_sides().sides
    faults: list[str] = []
    picks = _Picks(ruleset, rulebook, state, tuple(on_table), sides, faults)
    firer, target = picks.pair(said)
    offers = (*rulebook.offers(firer.ship.type), *rulebook.offers(""))
    usual = rulebook.infos[0].kind
    offer = next(
        (o for kind in (said.get("battery"), usual) for o in offers if o.kind == kind),
        next(iter(offers), None),
    )
    info = offer.info if offer else rulebook.infos[0]
    bands = (offer.bands if offer else ()) or ruleset.segments
    longest = bands[-1].upper_yards if bands else 0.0
    fields = {question.name for question in questions(info.type)}
    sights = tuple(sight for sight in Sight if not sight.is_smoky or "smoke" in fields)
    line = LineOfFire(
        _range(said.get("range"), longest, faults),
        Quadrant(_one_of(said.get("quadrant"), _FROM_STARBOARD, faults)),
        Quadrant(_one_of(said.get("aspect"), _FROM_PORT, faults)),
        Sight(_one_of(said.get("sight"), sights, faults)),
    )
    by, at = (firer.ship if info.by_ship else None), (target.ship if info.at_ship else None)
    chosen = [ship for ship in (by, at) if ship]
    state = with_ships(FreeBattle(rulebook, state), chosen).state
    every = list(_questions(rulebook, info, (firer, target), state))
    before = {
        role: _drawn_with(said.get(f"{role}.drawn", ""), pick.name)
        for role, pick in (("firer", firer), ("target", target))
    }
    asked = [_answered(each, said, before, faults) for each in every]
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


@dataclass(frozen=True, slots=True)
class _Picks:
    """Chooses ships by what the address says."""

    ruleset: Ruleset
    rulebook: FreeRulebook[object]
    state: FreeState[object]
    on_table: tuple[Ship, ...]
    sides: Sides
    faults: list[str]

    def pair(self, said: Mapping[str, str]) -> tuple[Pick, Pick]:
        known = [*self.state.ships, *self.on_table, *map(_of_type, self.ruleset.ships)]
        firer = self._named(said.get("firer")) or self._picked(known[0])
        target = self._named(said.get("target"), firer)
        if target is None:
            others = [self._picked(ship) for ship in known if ship.id != firer.ship.id]
            # Of two fleets that fought each other, rather than of two allies.
            foe = usual_sides().foes.get(firer.side.key)
            foes = [each for each in others if each.side.key == foe]
            foreign = [each for each in others if each.nation != firer.nation]
            target = next(iter((*foes, *foreign, *others)), firer)
        return firer, target

    def _named(self, name: str | None, other: Pick | None = None) -> Pick | None:
        """The ship that an address names; `other` is chosen already."""
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
        """The type of a ship that is to join, and the name she asks for: "Sample cruiser 2"."""
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
    """Everything a page asks of any action, with the usual answer; the order is the page's."""
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
    said: Mapping[str, str],
    before: Mapping[str, Mapping[str, str] | None],
    faults: list[str],
) -> AnsweredQuestion:
    typed = said.get(asked.name)
    if typed is None or typed == "":
        return asked
    of_ship = before.get(asked.name.partition(".")[0], {})
    if of_ship is None or of_ship.get(asked.name) == typed:
        # Nobody typed it: a form sends all that it shows.
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
    """What a form showed of a ship as it was drawn; None where it showed another ship."""
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
    """The battle with the marks that were typed over those of the ships; `ids` are by role."""
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
    """What can be done in each phase of a turn; what comes twice stands in the first."""
    left = {offer.kind: offer for offer in offers}
    for phase in ruleset.phases:
        here = tuple(left.pop(kind) for kind in phase.rolls if kind in left)
        if here:
            yield phase.title, here
    if left:
        yield "", tuple(left.values())


_FROM_STARBOARD = (Quadrant.STARBOARD, Quadrant.BOW, Quadrant.STERN, Quadrant.PORT)
_FROM_PORT = (Quadrant.PORT, Quadrant.BOW, Quadrant.STARBOARD, Quadrant.STERN)


def _range(said: str | None, longest: float, faults: list[str]) -> float:
    usual = round(_USUAL_SHARE * longest / STEP_YARDS) * STEP_YARDS or 10_000.0
    if not said:
        return usual
    # A comma is for thousands here: "12,500".
    yards = typed_decimal(said.replace(",", ""))
    if yards is None or not 0 <= yards <= FARTHEST_YARDS:
        faults.append(str(text("calculator.bad_range", said=shorten(said, 20))))
        return usual
    return float(round(yards))


def _one_of(said: str | None, values: tuple[str, ...], faults: list[str]) -> str:
    """What was said if it is one of these, or the first of them."""
    if said and said not in values:
        faults.append(str(text("calculator.bad_value", said=shorten(said, 20))))
    return said if said in values else values[0]


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
