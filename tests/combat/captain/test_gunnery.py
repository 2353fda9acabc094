"""What a captain expects of fire at another place, against the forecast of that very fire."""

from dataclasses import replace

import numpy as np
import pytest

from combat.captain.gunnery import BANDS, OUT_OF_RANGE, Gunnery, SeenShip, cells_of
from combat.rulebooks.bismarck_advanced.fire.odds import forecast_fire
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.shot import Conditions, Shot, Sightline
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warship_files import load_warships
from combat.rulebooks.bismarck_advanced.guns import Battery, RangeBand
from tabletop.arcs import CLOCKWISE, Quadrant
from tabletop.table import Pose
from tests.combat.bismarck_advanced.guided_battle.driver import CARD

WARSHIPS = load_warships()
BROADSIDE, BOW = CLOCKWISE.index(Quadrant.STARBOARD), CLOCKWISE.index(Quadrant.BOW)


def seen(name: str) -> SeenShip:
    # Without shells for the second battery, so that one fire is compared with one.
    vessel = replace(Vessel.fresh(WARSHIPS.named(name, "test")), secondary_ammunition=0)
    return SeenShip(name, name, Pose(0.0, 0.0, 0.0), 8, vessel)


def gunnery() -> Gunnery:
    return Gunnery(CARD, Options(), visibility=2, night=False)


def harm(firer: str, target: str, band: int, quadrant: int, aspect: int) -> float:
    cells = cells_of(*(np.array([code]) for code in (band, quadrant, aspect)))
    (found,) = gunnery().harm_at(seen(firer), seen(target), cells).tolist()
    return float(found)


@pytest.mark.parametrize("band", [RangeBand.LONG_LOW, RangeBand.LONG_HIGH, RangeBand.EXTREME])
@pytest.mark.parametrize("aspect", [BROADSIDE, BOW])
@pytest.mark.parametrize(("firer", "target"), [("Bismarck", "Hood"), ("Hood", "Bismarck")])
def test_the_expectation_is_that_of_the_forecast(
    firer: str, target: str, aspect: int, band: RangeBand
) -> None:
    """Where few hits are expected no box is marked twice, and both must agree."""
    one, other = seen(firer), seen(target)
    shot = Shot(
        firer=one.vessel,
        target=other.vessel,
        firer_speed=one.speed,
        target_speed=other.speed,
        battery=Battery.MAIN,
        sightline=Sightline(0.0, band, Quadrant.STARBOARD, CLOCKWISE[aspect]),
        conditions=Conditions(visibility=2, under_fire=True),
    )
    odds = forecast_fire(shot, CARD)
    ship = other.vessel.warship
    outcomes = odds.outcomes
    turrets = sum(outcomes[f"turret_{turret.name}_lost"] for turret in ship.turrets)
    share = (
        odds.expected_boxes["hull"] / ship.hull_boxes
        + 0.25 * odds.expected_boxes["superstructure"] / ship.superstructure_boxes
        + 0.5 * turrets / len(ship.turrets)
        + 0.1 * outcomes["speed_lost"]
        + 0.1 * (outcomes["director_lost"] + outcomes["plot_lost"])
    )
    found = harm(firer, target, BANDS.index(band), BROADSIDE, aspect)
    assert found == pytest.approx(share * other.worth, rel=0.1)


def test_nothing_is_expected_out_of_range_and_little_from_few_guns() -> None:
    assert harm("Bismarck", "Hood", OUT_OF_RANGE, BROADSIDE, BROADSIDE) == 0.0
    medium = BANDS.index(RangeBand.MEDIUM_HIGH)
    ahead = harm("Bismarck", "Hood", medium, BOW, BROADSIDE)
    abeam = harm("Bismarck", "Hood", medium, BROADSIDE, BROADSIDE)
    assert 0.0 < ahead < abeam
