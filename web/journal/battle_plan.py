"""How the battle on a table is meant to begin, kept with the table until somebody begins it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from combat.guided_actions import EarlierBattles, StartingConditions, StartingMarks
from tabletop.schema import Flag, Number, StoredAs, Whole, document
from web.journal.fields import Name, OfGuidedRulebook, Words, written_part


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlePlan:
    """A scenario, the weather, and the marks that ships begin with."""

    scenario: str | None = None
    """By its key."""
    conditions: StartingConditions = field(default_factory=StartingConditions)
    hidden: bool = False
    marks: Mapping[str, StartingMarks] = field(default_factory=lambda: MappingProxyType({}))
    """By ship; those without are fresh."""
    follows: EarlierBattles | None = None
    """The battles that the ships come out of."""


@document
class PlanDocument:
    """A plan as journals have it; null is the same as a key that is not there."""

    scenario: Words | None = None
    visibility: Annotated[Whole, Field(ge=1, le=8)] | None = None
    night: Flag | None = None
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    hidden: Flag | None = None
    states: Mapping[Name, Annotated[StartingMarks, OfGuidedRulebook("marks")]] | None = None
    follows: EarlierBattles | None = None


def _read(stored: PlanDocument) -> BattlePlan:
    usual = StartingConditions()
    return BattlePlan(
        scenario=stored.scenario,
        conditions=StartingConditions(
            visibility=usual.visibility if stored.visibility is None else stored.visibility,
            night=bool(stored.night),
            starting_range_yards=stored.starting_range_yards,
        ),
        hidden=bool(stored.hidden),
        marks=MappingProxyType(dict(stored.states or {})),
        follows=stored.follows,
    )


def _write(plan: BattlePlan) -> dict[str, object]:
    """A plan without what is not set."""
    conditions, range_yards = plan.conditions, plan.conditions.starting_range_yards
    states = {name: written_part(marks) for name, marks in plan.marks.items()}
    return {
        **({} if plan.scenario is None else {"scenario": plan.scenario}),
        "visibility": conditions.visibility,
        "night": conditions.night,
        **({} if range_yards is None else {"starting_range_yards": range_yards}),
        **({"hidden": True} if plan.hidden else {}),
        **({"states": states} if states else {}),
        **({} if plan.follows is None else {"follows": written_part(plan.follows)}),
    }


StoredPlan = Annotated[BattlePlan, StoredAs(PlanDocument, _read, _write)]
