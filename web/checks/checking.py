"""What a check of two ships says: measured, agreed or entered by hand, and what follows from it.

The survey says what was measured. Players may decide a close call or enter a figure of their own;
`check_pair` lays those over it and asks the ruleset what each reading would mean for the fire.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from combat.actions import Action, ActionOffer
from combat.form import Takes, questions
from combat.participants import Ship
from combat.scene import Scene
from combat.ships import ShipType
from tabletop.arcs import Quadrant
from tabletop.closecall import CloseCall, Question
from tabletop.doubt import BLOCKED, THROUGH_SMOKE
from tabletop.errors import DreyerError
from tabletop.rules import OUT_OF_RANGE, TableRules
from tabletop.survey import PairCheck, Survey
from web.checks.shots import Answer, Silence, answer, silence, weapons_of
from web.table.free_battle import FreeBattle, whole_yards, with_ships
from web.table.pieces import Decision, Ruling
from web.table.questions import asked, chances

Decisions = Mapping[str, Decision]
"""What was decided about one pair, by its question."""
NOTHING_DECIDED: Final[Decisions] = MappingProxyType({})
_A_YARD = 1.0


class Source(StrEnum):
    """Where a value of a check comes from."""

    MEASURED = "measured"
    AGREED = "agreed"
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True)
class Settled:
    """A pair as it counts now, and where each value comes from."""

    range_yards: float
    range_sigma_yards: float
    segment: str | None
    quadrant: Quadrant | None
    aspect: Quadrant | None
    blocked: bool
    smoke: bool
    sources: Mapping[Question, Source]

    def source(self, what: Question) -> Source:
        """Where a value comes from."""
        return self.sources.get(what, Source.MEASURED)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a close call, how likely it is, and what it would mean."""

    key: str
    """As it is posted, when the players decide for it."""
    value: str | float
    chance: float | None
    measured: bool
    chosen: bool
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A close call with its readings, and the players' decision once they have made it."""

    call: CloseCall
    readings: tuple[Reading, ...]
    decision: Decision | None
    sigma: float | None
    """Of the margin, in its unit; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Check:
    """Everything there is to say about one ship looking at another."""

    measured: PairCheck
    settled: Settled
    ruling: Ruling | None
    doubts: tuple[Doubt, ...]
    """In the order of asking; those that a ruling has settled are not among them."""
    offers: tuple[ActionOffer, ...]
    """What the firer can do to the target."""
    battery: str
    """The kind of action that is chosen."""
    answer: Answer | None
    silence: Silence | None
    firer: ShipType | None
    target: ShipType | None

    @property
    def open_doubt(self) -> Doubt | None:
        """The first close call that nobody has decided yet."""
        return next((doubt for doubt in self.doubts if doubt.decision is None), None)

    @property
    def unit(self) -> str:
        """What the battery counts: guns, dice, torpedoes; empty where it is plain."""
        return next((each.unit for each in self.offers if each.kind == self.battery), "")


@dataclass(frozen=True, slots=True)
class Desk:
    """What a check is made from: the table now, and the battle with its ships and marks."""

    scene: Scene
    survey: Survey
    battle: FreeBattle | None
    """None where the rulebook resolves no fire."""


def settle_pair(
    survey: Survey, firer: str, target: str, *, decisions: Decisions, ruling: Ruling | None
) -> Settled:
    """A pair as it counts, with everything that was agreed about it."""
    measured = survey[firer, target]
    calls = _open_calls(measured, ruling)
    return _settle(survey.rules, measured, calls, _decided(calls, decisions), ruling)


def check_pair(
    desk: Desk,
    firer: str,
    target: str,
    *,
    battery: str = "",
    decisions: Decisions = NOTHING_DECIDED,
    ruling: Ruling | None = None,
) -> Check:
    """One ship looking at another, with everything that was agreed about them."""
    scene = desk.scene
    measured = desk.survey[firer, target]
    ships = scene.ships.get(firer), scene.ships.get(target)
    calls = _open_calls(measured, ruling)
    decided = _decided(calls, decisions)
    settled = _settle(desk.survey.rules, measured, calls, decided, ruling)
    rulebook = desk.battle.rulebook if desk.battle else None
    quiet = silence(scene.ruleset, rulebook, *ships)
    if quiet is None and (settled.quadrant is None or settled.aspect is None):
        quiet = Silence.BEARING
    gunner = None if quiet else _Gunner.of(desk, measured, ships, battery)
    return Check(
        measured=measured,
        settled=settled,
        ruling=ruling,
        doubts=tuple(
            _doubt(desk, measured, call, decided.get(call.what), settled, gunner) for call in calls
        ),
        offers=gunner.offers if gunner else (),
        battery=gunner.battery if gunner else "",
        answer=gunner.answer(settled) if gunner else None,
        silence=quiet,
        firer=ships[0],
        target=ships[1],
    )


@dataclass(frozen=True, slots=True)
class _Gunner:
    """Asks the rulebook about one pair and one kind of fire."""

    battle: FreeBattle
    """With both ships in it, as they are marked."""
    firer: str
    target: str
    offers: tuple[ActionOffer, ...]
    battery: str

    @classmethod
    def of(
        cls,
        desk: Desk,
        check: PairCheck,
        ships: tuple[ShipType | None, ShipType | None],
        battery: str,
    ) -> "_Gunner":
        firer, target = ships
        if desk.battle is None or firer is None or target is None:
            raise DreyerError("this ruleset has no fire for these ships")
        both = [
            Ship(name, name, card.nation.lower(), card.name)
            for name, card in ((check.firer, firer), (check.target, target))
        ]
        offers = weapons_of(desk.battle.rulebook, firer.name)
        known = [each.kind for each in offers]
        return cls(
            battle=with_ships(desk.battle, both),
            firer=check.firer,
            target=check.target,
            offers=offers,
            battery=battery if battery in known else known[0],
        )

    def answer(self, settled: Settled) -> Answer | None:
        action = self._action(settled)
        if action is None:
            return None
        return answer(self.battle.rulebook, self.battle.state, action)

    def _action(self, settled: Settled) -> Action | None:
        if settled.quadrant is None or settled.aspect is None:
            return None
        info = next(each.info for each in self.offers if each.kind == self.battery)
        line = {
            "range_yards": settled.range_yards,
            "quadrant": settled.quadrant,
            "aspect": settled.aspect,
            "blocked": settled.blocked,
            "smoke": settled.smoke,
        }
        fields = {question.name: question for question in questions(info.type)}
        values: dict[str, Any] = {name: line[name] for name in line if name in fields}
        if "range_yards" in values and fields["range_yards"].takes is Takes.NUMBER:
            values["range_yards"] = whole_yards(settled.range_yards)
        values |= {"kind": info.kind, "by": self.firer, "at": self.target}
        return info.type(**values)


def _open_calls(check: PairCheck, ruling: Ruling | None) -> tuple[CloseCall, ...]:
    """One close call for each question that no figure entered by hand has settled."""
    ruled = set()
    if ruling:
        for what, value in (
            (Question.RANGE, ruling.range_yards),
            (Question.CONTACT, ruling.range_yards),
            (Question.QUADRANT, ruling.quadrant),
            (Question.ASPECT, ruling.aspect),
            (Question.SIGHT, ruling.blocked),
            (Question.SMOKE, ruling.smoke),
            (Question.POSITION, ruling.quadrant and ruling.aspect),
        ):
            if value is not None:
                ruled.add(what)
    return asked(call for call in check.close_calls if call.what not in ruled)


def _decided(calls: tuple[CloseCall, ...], decisions: Decisions) -> dict[Question, Decision]:
    found = ((call.what, _decision(decisions, call)) for call in calls)
    return {what: decision for what, decision in found if decision is not None}


def _decision(decisions: Decisions, call: CloseCall) -> Decision | None:
    decision = decisions.get(call.what)
    readings = {str(reading) for reading in call.readings}
    # The ships may have drifted to another limit since; then nothing is decided.
    return decision if decision is not None and decision.reading in readings else None


def _settle(
    rules: TableRules,
    check: PairCheck,
    calls: tuple[CloseCall, ...],
    decided: Mapping[Question, Decision],
    ruling: Ruling | None,
) -> Settled:
    settled = Settled(
        range_yards=check.range_yards,
        range_sigma_yards=check.range_sigma_yards,
        segment=check.segment,
        quadrant=check.quadrant,
        aspect=check.aspect,
        blocked=check.blocked,
        smoke=check.smoke,
        sources={},
    )
    for call in calls:
        if call.what in decided:
            value = _value(call, decided[call.what].reading)
            settled = _read_as(rules, settled, call, value)
            settled = replace(settled, sources={**settled.sources, call.what: Source.AGREED})
    return _ruled(rules, settled, ruling) if ruling else settled


def _value(call: CloseCall, key: str) -> str | float:
    return next(reading for reading in call.readings if str(reading) == key)


def _read_as(rules: TableRules, settled: Settled, call: CloseCall, value: str | float) -> Settled:
    """The same pair with one close call read in one way."""
    if call.what is Question.RANGE:
        return replace(
            settled, segment=str(value), range_yards=_inside(rules, settled.range_yards, str(value))
        )
    if call.what is Question.CONTACT and isinstance(value, float):
        segment = rules.segment(value)
        return replace(settled, range_yards=value, range_sigma_yards=0.0, segment=segment)
    if call.what is Question.QUADRANT:
        return replace(settled, quadrant=Quadrant(str(value)))
    if call.what is Question.ASPECT:
        return replace(settled, aspect=Quadrant(str(value)))
    if call.what is Question.SIGHT:
        return replace(settled, blocked=value == BLOCKED)
    if call.what is Question.SMOKE:
        return replace(settled, smoke=value == THROUGH_SMOKE)
    return settled


def _inside(rules: TableRules, range_yards: float, segment: str) -> float:
    """The range itself if it lies in this segment, or the nearest that does."""
    if rules.segment(range_yards) == segment:
        return range_yards
    limits = [each.upper_yards for each in rules.segments]
    number = rules.segment_names.index(segment)
    nearest = (limits[number - 1] + _A_YARD) if number else 0.0
    farthest = limits[number] if segment != OUT_OF_RANGE else math.inf
    return min(max(range_yards, nearest), farthest)


def _ruled(rules: TableRules, settled: Settled, ruling: Ruling) -> Settled:
    """The figures that somebody entered, over everything else."""
    sources = dict(settled.sources)
    if ruling.range_yards is not None:
        sources[Question.RANGE] = Source.BY_HAND
        settled = replace(
            settled,
            range_yards=ruling.range_yards,
            range_sigma_yards=0.0,
            segment=rules.segment(ruling.range_yards),
        )
    if ruling.quadrant is not None:
        sources[Question.QUADRANT] = Source.BY_HAND
        settled = replace(settled, quadrant=Quadrant(ruling.quadrant))
    if ruling.aspect is not None:
        sources[Question.ASPECT] = Source.BY_HAND
        settled = replace(settled, aspect=Quadrant(ruling.aspect))
    if ruling.blocked is not None:
        sources[Question.SIGHT] = Source.BY_HAND
        settled = replace(settled, blocked=ruling.blocked)
    if ruling.smoke is not None:
        sources[Question.SMOKE] = Source.BY_HAND
        settled = replace(settled, smoke=ruling.smoke)
    return replace(settled, sources=sources)


def _doubt(
    desk: Desk,
    check: PairCheck,
    call: CloseCall,
    decision: Decision | None,
    settled: Settled,
    gunner: _Gunner | None,
) -> Doubt:
    if call.what is Question.POSITION:
        return Doubt(call, (), decision, None)
    sigma = _sigma(desk, check, call)
    likely = chances(desk.survey.rules, check, call, sigma)
    chosen = decision.reading if decision else str(call.readings[0])
    readings = tuple(
        Reading(
            key=str(value),
            value=value,
            chance=chance,
            measured=number == 0,
            chosen=str(value) == chosen,
            answer=gunner.answer(_read_as(desk.survey.rules, settled, call, value))
            if gunner
            else None,
        )
        for number, (value, chance) in enumerate(zip(call.readings, likely, strict=True))
    )
    return Doubt(call, readings, decision, sigma)


def _sigma(desk: Desk, check: PairCheck, call: CloseCall) -> float | None:
    survey = desk.survey
    if call.what is Question.RANGE:
        return check.range_sigma_yards
    if call.what is Question.QUADRANT:
        return check.relative_bearing_sigma_deg
    if call.what is Question.ASPECT:
        return survey[check.target, check.firer].relative_bearing_sigma_deg
    if call.what not in (Question.SIGHT, Question.SMOKE):
        return None
    if not isinstance(call.limit, str):
        return None
    passing = survey.crossings if call.what is Question.SIGHT else survey.smoke_crossings
    lines = passing(check.firer, check.target)
    near = np.isclose(np.abs(lines.clearance_yards), call.margin)
    found = lines.clearance_sigma_yards[near]
    return float(found[0]) if len(found) else None
