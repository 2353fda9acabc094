"""A measured pair as JSON, for `dreyer check` and for the API."""

from tabletop.closecall import RangeLimit
from tabletop.survey import PairCheck
from web.strings import shown, words


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
                **({"ends": [_end(each) for each in call.ends]} if call.ends else {}),
            }
            for call in pair.close_calls
        ],
    }


def _end(end: RangeLimit) -> dict[str, object]:
    return {"action": end.action, "title": words(end.title)}
