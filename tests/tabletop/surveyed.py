"""Rules and ships for the tests of the survey."""

from benchmarks.scenes import SIZES
from tabletop.arcs import Arcs
from tabletop.rules import RangeSegment, TableRules
from tabletop.sight import SightRule
from tabletop.table import Base, Model, Pose

SEGMENTS = tuple(RangeSegment(f"band_{k}", 4000.0 * k) for k in range(1, 8))
BANDED = TableRules(Arcs(), SightRule(16_000, 4_000), SEGMENTS)
SIZED = TableRules(
    Arcs(),
    SightRule(sizes=SIZES, default_size="medium"),
    measure_from_bridge=True,
    contact_range_yards=1000.0,
)


def ship(
    name: str,
    x: float,
    y: float,
    heading: float = 0.0,
    *,
    sigma: float = 0.0,
    heading_sigma: float = 0.0,
    length: float = 1000.0,
    width: float = 400.0,
    bridge: float = 0.0,
    size: str | None = None,
) -> Model:
    return Model(name, Pose(x, y, heading, sigma, heading_sigma), Base(length, width, bridge), size)
