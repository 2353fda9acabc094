"""The check of two ships: measurements, rulings, and the odds of a fire.

`tabletop.rulings` applies the players' rulings to a pair; `check_pair` asks the rulebook what each
reading of a close call would mean for the fire.
"""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from combat.actions import Action, ActionOffer
from combat.participants import Ship
from combat.questions import questions
from combat.scene_file import Scene
from combat.ships import ShipType
from tabletop.closecall import CloseCall, CloseCallKind
from tabletop.errors import DreyerError
from tabletop.messages import Message
from tabletop.rulings import SettledPair, chances, decided_reading, merge_close_calls, with_reading
from tabletop.schema import Takes
from tabletop.survey import PairCheck, Survey
from web.checks.rule_answers import Answer, NoOddsReason, answer, no_odds_reason, weapons_of
from web.strings import words
from web.table.free_battle import FreeBattle, whole_yards, with_ships
from web.table.moment import settled_pair
from web.table.pieces import Decision, Decisions, Ruling, decided_of

NOTHING_DECIDED: Final[Decisions] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CallReading:
    """One reading of a close call, its probability, and the fire with it."""

    key: str
    """The key in requests."""
    value: str | float
    chance: float | None
    measured: bool
    chosen: bool
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class CloseCallChoice:
    """A close call with its readings, and the players' decision if any."""

    call: CloseCall
    readings: tuple[CallReading, ...]
    decision: Decision | None
    sigma: float | None
    """The σ of the margin, in its unit; None if unknown."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one ship looking at another."""

    measured: PairCheck
    settled: SettledPair
    ruling: Ruling | None
    doubts: tuple[CloseCallChoice, ...]
    """In the order of the page, without those that a ruling has settled."""
    offers: tuple[ActionOffer, ...]
    """The firer's possible actions at the target."""
    battery: str
    """The kind of the selected action."""
    answer: Answer | None
    silence: NoOddsReason | None
    firer: ShipType | None
    target: ShipType | None

    @property
    def open_doubt(self) -> CloseCallChoice | None:
        """The first undecided close call."""
        return next((doubt for doubt in self.doubts if doubt.decision is None), None)

    @property
    def unit(self) -> str:
        """The unit of the battery: guns, dice, torpedoes; may be empty."""
        return next((words(each.unit) for each in self.offers if each.kind == self.battery), "")


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The data for checks: the table now, and the battle with its ships and marks."""

    scene: Scene
    survey: Survey
    battle: FreeBattle | None
    """None if the rulebook does not resolve fire."""


def check_pair(
    context: CheckContext,
    firer: str,
    target: str,
    *,
    battery: str = "",
    decisions: Decisions = NOTHING_DECIDED,
    ruling: Ruling | None = None,
) -> Check:
    """Check one ship looking at another, with all rulings about them."""
    scene = context.scene
    measured = context.survey[firer, target]
    ships = scene.ships.get(firer), scene.ships.get(target)
    settled = settled_pair(context.survey, (firer, target), decisions, ruling)
    rulebook = context.battle.rulebook if context.battle else None
    quiet = no_odds_reason(scene.ruleset, rulebook, *ships)
    if quiet is None and (settled.quadrant is None or settled.aspect is None):
        quiet = NoOddsReason.BEARING
    gunner = None if quiet else _Gunner.of(context, measured, ships, battery)
    if gunner is not None:
        measured = _mattering(measured, gunner.battery)
    calls = merge_close_calls(call for call in settled.close_calls if call in measured.close_calls)
    decided = _decisions_on(calls, decisions)
    return Check(
        measured=measured,
        settled=settled,
        ruling=ruling,
        doubts=tuple(
            _doubt(context, measured, call, decided.get(call.what), settled, gunner)
            for call in calls
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
    """The battle with both ships and their marks."""
    firer: str
    target: str
    offers: tuple[ActionOffer, ...]
    battery: str

    @classmethod
    def of(
        cls,
        context: CheckContext,
        check: PairCheck,
        ships: tuple[ShipType | None, ShipType | None],
        battery: str,
    ) -> "_Gunner":
        firer, target = ships
        if context.battle is None or firer is None or target is None:
            raise DreyerError("check.pair.no_fire")
        both = [
            Ship(name, name, card.nation.lower(), card.name)
            for name, card in ((check.firer, firer), (check.target, target))
        ]
        offers = weapons_of(context.battle.rulebook, firer.name)
        known = [each.kind for each in offers]
        return cls(
            battle=with_ships(context.battle, both),
            firer=check.firer,
            target=check.target,
            offers=offers,
            battery=battery if battery in known else known[0],
        )

    def answer(self, settled: SettledPair) -> Answer | None:
        action = self._action(settled)
        if action is None:
            return None
        return answer(self.battle.rulebook, self.battle.state, action)

    def _action(self, settled: SettledPair) -> Action | None:
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
        values: dict[str, object] = {name: line[name] for name in line if name in fields}
        if "range_yards" in values and fields["range_yards"].takes is Takes.NUMBER:
            values["range_yards"] = whole_yards(settled.range_yards)
        return info.make({**values, "by": self.firer, "at": self.target})


def _mattering(check: PairCheck, battery: str) -> PairCheck:
    """The pair without the doubts that are nothing to a battery: of the bands of others."""
    calls = tuple(call for call in check.close_calls if call.matters_to(battery))
    return replace(check, close_calls=calls)


def _decisions_on(
    calls: tuple[CloseCall, ...], decisions: Decisions
) -> dict[CloseCallKind, Decision]:
    """The decisions whose readings are still possible."""
    decided = decided_of(decisions)
    return {
        call.what: decisions[call.what]
        for call in calls
        if decided_reading(call, decided) is not None
    }


def _doubt(
    context: CheckContext,
    check: PairCheck,
    call: CloseCall,
    decision: Decision | None,
    settled: SettledPair,
    gunner: _Gunner | None,
) -> CloseCallChoice:
    if call.what is CloseCallKind.POSITION:
        return CloseCallChoice(call, (), decision, None)
    sigma = _sigma(context, check, call)
    likely = chances(context.survey.rules, check, call, sigma)
    chosen = decision.reading if decision else str(call.readings[0])
    readings = tuple(
        CallReading(
            key=str(value),
            value=value,
            chance=chance,
            measured=number == 0,
            chosen=str(value) == chosen,
            answer=gunner.answer(with_reading(context.survey.rules, settled, call, value))
            if gunner
            else None,
        )
        for number, (value, chance) in enumerate(zip(call.readings, likely, strict=True))
    )
    return CloseCallChoice(call, readings, decision, sigma)


def _sigma(context: CheckContext, check: PairCheck, call: CloseCall) -> float | None:
    survey = context.survey
    if call.what is CloseCallKind.RANGE:
        return check.range_sigma_yards
    if call.what is CloseCallKind.QUADRANT:
        return check.relative_bearing_sigma_deg
    if call.what is CloseCallKind.ASPECT:
        return survey[check.target, check.firer].relative_bearing_sigma_deg
    if call.what not in (CloseCallKind.SIGHT, CloseCallKind.SMOKE):
        return None
    if not isinstance(call.limit, Message):
        return None
    passing = survey.crossings if call.what is CloseCallKind.SIGHT else survey.smoke_crossings
    lines = passing(check.firer, check.target)
    near = np.isclose(np.abs(lines.clearance_yards), call.margin)
    found = lines.clearance_sigma_yards[near]
    return float(found[0]) if len(found) else None
