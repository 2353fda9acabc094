"""A measured pair as JSON, for `dreyer check` and for the API."""

from tabletop.survey import PairCheck
from web.strings import shown


def pair_as_json(pair: PairCheck) -> dict[str, object]:
    """One pair as JSON, with unrounded numbers."""
    return {
        "firer": pair.firer,
        "target": pair.target,
        "range_yards": pair.range_yards,
        "range_sigma_yards": pair.range_sigma_yards,
        "segment": pair.segment,
        "bearing_deg": pair.bearing_deg,
        "relative_bearing_deg": pair.relative_bearing_deg,
        "quadrant": pair.quadrant,
        "aspect": pair.aspect,
        "blocked": pair.blocked,
        "smoke": pair.smoke,
        "blockers": [{"name": b.name, "at_yards": b.at_yards} for b in pair.blockers],
        "close_calls": [
            {
                "what": call.what,
                "limit": shown(call.limit),
                "readings": list(call.readings),
                "margin": call.margin,
            }
            for call in pair.close_calls
        ],
    }
