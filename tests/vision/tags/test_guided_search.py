"""Which of the markers that only the plane helps to find are believed."""

from collections.abc import Callable

import numpy as np
import pytest

from calibration.markers import SMALL
from vision.tags import guided_search
from vision.tags.align import Fit
from vision.tags.detect import Sighting
from vision.tags.guided_search import _believed

GRAY = np.zeros((40, 40), dtype=np.uint8)
FIT = Fit(np.eye(3), np.eye(4), score=0.928, blur_px=0.9, contrast=190.0, noise=11.0, exposure=1.0)
CORNERS = np.zeros((4, 2))


def always(value: object) -> Callable[..., object]:
    return lambda *_, **__: value


@pytest.mark.parametrize(
    ("side_px", "score", "agrees", "believed"),
    [
        # A marker of 7 px from another set came to this and was taken for a ship.
        (7.2, 0.928, False, False),
        (8.5, 0.928, False, True),
        (7.2, 0.95, True, True),
        (8.5, 0.92, False, False),
    ],
)
def test_the_smallest_markers_need_their_whole_pattern(
    side_px: float, score: float, agrees: bool, believed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sighting = Sighting(22, CORNERS, 0.1, score, CORNERS.mean(axis=0), side_px, FIT)
    monkeypatch.setattr(guided_search, "believe", always([sighting]))
    monkeypatch.setattr(guided_search, "told_apart", always((np.array([0.9]), np.array([0.5]))))
    monkeypatch.setattr(guided_search, "agree", always(np.array([agrees])))
    assert _believed(GRAY, SMALL, [(22, CORNERS)]) == ([sighting] if believed else [])
