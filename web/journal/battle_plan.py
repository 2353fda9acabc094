"""The plan of a battle, stored with the table until the battle begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from combat.guided_actions import (
    BattleOptions,
    EarlierBattles,
    EnteredDivision,
    FleetLimits,
    StartingConditions,
    StartingMarks,
)
from combat.weather import StatedVisibility
from tabletop.schema import Flag, Number, StoredAs, document
from web.journal.fields import Name, OfGuidedRulebook, Words, written_part

MOST_DIVISIONS: Final = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlePlan:
    """A scenario, the weather, the optional rules, and the marks that ships begin with."""

    scenario: str | None = None
    """The key of the scenario."""
    conditions: StartingConditions = field(default_factory=StartingConditions)
    options: BattleOptions | None = None
    """None is the rulebook's usual game."""
    hidden: bool = False
    marks: Mapping[str, StartingMarks] = field(default_factory=lambda: MappingProxyType({}))
    """By ship; ships without marks are undamaged."""
    follows: EarlierBattles | None = None
    """The earlier battles that the ships come from."""
    divisions: tuple[EnteredDivision, ...] = ()
    """Empty for those that the rulebook proposes, in a rulebook that has divisions."""
    limits: FleetLimits | None = None
    """None for the rulebook's limits."""


@document
class PlanDocument:
    """A plan in the journal; null means the same as a missing key."""

    scenario: Words | None = None
    visibility: StatedVisibility | None = None
    night: Flag | None = None
    starting_range_yards: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    options: Annotated[BattleOptions, OfGuidedRulebook("options")] | None = None
    hidden: Flag | None = None
    states: Mapping[Name, Annotated[StartingMarks, OfGuidedRulebook("marks")]] | None = None
    follows: EarlierBattles | None = None
    divisions: Annotated[tuple[EnteredDivision, ...] | None, Field(max_length=MOST_DIVISIONS)] = (
        None
    )
    limits: FleetLimits | None = None


def _read(stored: PlanDocument) -> BattlePlan:
    usual = StartingConditions()
    return BattlePlan(
        scenario=stored.scenario,
        conditions=StartingConditions(
            visibility=usual.visibility if stored.visibility is None else stored.visibility,
            night=bool(stored.night),
            starting_range_yards=stored.starting_range_yards,
        ),
        options=stored.options,
        hidden=bool(stored.hidden),
        marks=MappingProxyType(dict(stored.states or {})),
        follows=stored.follows,
        divisions=stored.divisions or (),
        limits=stored.limits,
    )


def _write(plan: BattlePlan) -> dict[str, object]:
    """A plan without unset values."""
    conditions, range_yards = plan.conditions, plan.conditions.starting_range_yards
    states = {name: written_part(marks) for name, marks in plan.marks.items()}
    return {
        **({} if plan.scenario is None else {"scenario": plan.scenario}),
        "visibility": conditions.visibility,
        "night": conditions.night,
        **({} if range_yards is None else {"starting_range_yards": range_yards}),
        **({} if plan.options is None else {"options": written_part(plan.options)}),
        **({"hidden": True} if plan.hidden else {}),
        **({"states": states} if states else {}),
        **({} if plan.follows is None else {"follows": written_part(plan.follows)}),
        **({"divisions": [*map(written_part, plan.divisions)]} if plan.divisions else {}),
        **({} if plan.limits is None else {"limits": written_part(plan.limits)}),
    }


StoredPlan = Annotated[BattlePlan, StoredAs(PlanDocument, _read, _write)]
