"""Codes compared by what the cells of a partly hidden marker show."""

import numpy as np

from calibration.markers import SMALL, tag_bits
from vision.images import Floats
from vision.tags.cell_evidence import explain, hidden_costs

IDS = SMALL.ship_ids[:20]
OWN = 7
_KNOWN = np.full((8, 8), np.nan, np.float32)
_KNOWN[[0, -1]] = _KNOWN[:, [0, -1]] = 1.0
_KNOWN[1, 1:-1] = _KNOWN[-2, 1:-1] = _KNOWN[1:-1, 1] = _KNOWN[1:-1, -2] = 0.0


def codes() -> Floats:
    """Each marker with one module of white around it, white being 1."""
    tags = [tag_bits(SMALL, number).astype(np.float32) for number in IDS]
    return np.stack([np.pad(tag, 1, constant_values=1.0) for tag in tags])


def explained(grey: Floats) -> tuple[Floats, np.ndarray]:
    return explain(np.abs(grey - codes()), hidden_costs(grey, _KNOWN))


def lead(cost: Floats) -> float:
    return float(np.delete(cost, OWN).min() - cost[OWN])


def test_a_whole_marker_hides_nothing_and_is_far_ahead() -> None:
    cost, hidden = explained(codes()[OWN])
    assert int(cost.argmin()) == OWN
    assert not hidden[OWN].any()
    assert lead(cost) > 7


def test_what_lies_over_a_marker_is_hidden_in_one_piece() -> None:
    grey = codes()[OWN].copy()
    # A brown deck over the two columns at the right and the paper beside them.
    grey[:, 6:] = 0.5
    cost, hidden = explained(grey)
    assert int(cost.argmin()) == OWN
    assert hidden[OWN][:, 6:].all()
    assert not hidden[OWN][:, :6].any()


def test_the_more_is_hidden_the_less_a_code_leads() -> None:
    leads = []
    for first in (8, 5, 4, 3):
        grey = codes()[OWN].copy()
        grey[:, first:] = 0.5
        leads.append(lead(explained(grey)[0]))
    assert leads == sorted(leads, reverse=True)
    assert leads[-1] < 7


def test_black_beside_something_black_proves_little() -> None:
    black, brown = codes()[OWN].copy(), codes()[OWN].copy()
    black[:, 6:], brown[:, 6:] = 0.0, 0.5
    costs = [hidden_costs(grey, _KNOWN) for grey in (black, brown)]
    dark = codes()[OWN] == 0
    dark[:, 6:] = False
    # What hides the paper's edge is black: it may hide the black cells too.
    assert costs[0][dark].max() < costs[1][dark].min()


def test_without_anything_known_to_be_hidden_any_grey_may_hide() -> None:
    assert np.ptp(hidden_costs(codes()[OWN], _KNOWN)) == 0
