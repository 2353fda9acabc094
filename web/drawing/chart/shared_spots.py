"""Ships on one spot: a ring about them, and a label that nothing can be measured there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.survey import PairCheck, Survey
from web.drawing.chart.frame import ChartFrame
from web.drawing.chart.parts import Label, PlacedModel, SharedSpot
from web.drawing.fonts import Face, label_width
from web.drawing.labels import FreeLabel, LabelRequest, LabelSpot, around
from web.strings import text


@dataclass(frozen=True, slots=True)
class SharedPlan:
    """Ships on one spot with their label request, unless a range label already says it."""

    ships: tuple[PlacedModel, ...]
    wish: LabelRequest[tuple[str, str]] | None

    @property
    def radius(self) -> float:
        """A radius around the longest of them, and around the marks of the selected pair."""
        return max(placed.mark.length for placed in self.ships) * 0.82


def plan_shared(
    result: Survey,
    chart_frame: ChartFrame,
    ships: Sequence[PlacedModel],
    firer: str,
    check: PairCheck | None,
) -> tuple[SharedPlan, ...]:
    """Every spot with more than one measuring point."""
    names = [placed.model.name for placed in ships]
    size = label_size(chart_frame)
    words = text("chart.one_spot")
    width, height = label_width(words, Face.SANS_SEMIBOLD, size) + 6 * chart_frame.unit, size * 1.3
    labelled = {firer} if check is None else {firer, check.target}
    plans = []
    for number, members in enumerate(_groups(result, names)):
        together = tuple(ships[member] for member in members)
        # The range label of two ships in the ring already has the text.
        has_label = labelled <= {names[member] for member in members}
        plan = SharedPlan(together, None)
        if not has_label:
            at, frame = together[0].mark.at, chart_frame.sea.grown(-4 * chart_frame.unit)
            wish = LabelRequest(
                ("shared", str(number)),
                around(at, plan.radius, width, height, gap=5 * chart_frame.unit, frame=frame),
                worst=45.0,
                clear_of=tuple(box for placed in together for box in placed.mark.core),
                roams=(FreeLabel(at, width, height),),
            )
            plan = SharedPlan(together, wish)
        plans.append(plan)
    return tuple(plans)


def draw_shared(
    plans: Sequence[SharedPlan], spots: Mapping[tuple[str, str], LabelSpot], chart_frame: ChartFrame
) -> tuple[SharedSpot, ...]:
    """The rings with the labels that were placed."""
    return tuple(
        SharedSpot(plan.ships[0].mark.at, plan.radius, _label(plan, spots, chart_frame))
        for plan in plans
    )


def label_size(chart_frame: ChartFrame) -> float:
    """The text size of the labels."""
    return 12.5 * chart_frame.unit


def _label(
    plan: SharedPlan, spots: Mapping[tuple[str, str], LabelSpot], chart_frame: ChartFrame
) -> Label | None:
    spot = spots.get(plan.wish.key) if plan.wish else None
    if spot is None:
        return None
    x, y = spot.centre
    return Label(x, y + label_size(chart_frame) * 0.33, text("chart.one_spot"))


def _groups(result: Survey, names: Sequence[str]) -> list[tuple[int, ...]]:
    """The groups of ships without a bearing to each other, by index."""
    order = [result.table.names.index(name) for name in names]
    nowhere = np.isnan(result.measured.bearing_deg)[np.ix_(order, order)]
    np.fill_diagonal(nowhere, val=True)
    rows = {tuple(np.flatnonzero(row).tolist()) for row in nowhere}
    return sorted(row for row in rows if len(row) > 1)
