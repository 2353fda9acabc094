"""How the battle on a table is meant to begin, kept with the table until somebody begins it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from combat.guided_actions import EarlierBattles, StartingConditions, StartingMarks
from tabletop.schema import Schema
from web.games.guided_game import guided_rulebook

_FOLLOWS: Final[Schema[EarlierBattles]] = Schema(EarlierBattles, "plan")


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


def plan_data(plan: BattlePlan, ruleset: str) -> dict[str, Any]:
    """A plan as plain JSON, without what is not set."""
    conditions, range_yards = plan.conditions, plan.conditions.starting_range_yards
    states = {
        name: guided_rulebook(ruleset).write_marks(marks) for name, marks in plan.marks.items()
    }
    return {
        **({} if plan.scenario is None else {"scenario": plan.scenario}),
        "visibility": conditions.visibility,
        "night": conditions.night,
        **({} if range_yards is None else {"starting_range_yards": range_yards}),
        **({"hidden": True} if plan.hidden else {}),
        **({"states": states} if states else {}),
        **({} if plan.follows is None else {"follows": _FOLLOWS.write(plan.follows)}),
    }


def read_plan(data: Mapping[str, Any], ruleset: str) -> BattlePlan:
    """A plan from plain JSON; null is the same as a key that is not there."""
    usual, visibility = StartingConditions(), data.get("visibility")
    states = data.get("states") or {}
    return BattlePlan(
        scenario=data.get("scenario"),
        conditions=StartingConditions(
            visibility=usual.visibility if visibility is None else visibility,
            night=bool(data.get("night")),
            starting_range_yards=data.get("starting_range_yards"),
        ),
        hidden=bool(data.get("hidden")),
        marks=MappingProxyType(
            {name: guided_rulebook(ruleset).read_marks(state) for name, state in states.items()}
        ),
        follows=_FOLLOWS.read(data["follows"]) if data.get("follows") else None,
    )
