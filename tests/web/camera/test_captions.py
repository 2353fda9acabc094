"""The words on the camera's picture: any script, apart from one another, and steady."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from tests.web.drawing.inspected import box_of
from vision.overlay import Captions, CornerCaption, ShipCaption
from web.camera import captions as captions_module
from web.camera.captions import CaptionWriter
from web.drawing.figures import Text
from web.drawing.geometry import Box

SEA = np.full((720, 1280, 3), (90, 60, 30), np.uint8)
GREEN = (120, 230, 130)


def caption(name: str, x: float, y: float) -> ShipCaption:
    covers = ((x - 14, y - 14), (x + 14, y - 14), (x + 14, y + 14), (x - 14, y + 14), (x, y - 40))
    return ShipCaption(name, "000 ±3 mm", GREEN, (x, y), covers)


def texts_of(writer: CaptionWriter, captions: Captions) -> dict[str, Box]:
    """Where each text is written."""
    found: dict[str, Box] = {}

    def keep(written: object, tile: object, left: int, top: int) -> None:
        line = next(line for line, its in writer._tiles.items() if its is tile)
        at = left + line.tile[0] / 2, float(top + line.baseline)
        words = Text(at, line.words, line.size, anchor="middle", face=line.face)
        found[line.words] = box_of(words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions_module, "stamp", keep)
        writer.write(SEA, captions, 1.0)
    return found


@pytest.mark.parametrize("name", ["Hood", "Köln", "Аврора", "Ψαρά"])
def test_a_name_is_written_in_its_own_letters(name: str) -> None:
    written = CaptionWriter().write(SEA, Captions((caption(name, 600, 360),), (), ()), 1.0)
    other = CaptionWriter().write(SEA, Captions((caption("?" * len(name), 600, 360),), (), ()), 1.0)
    assert (written != SEA).any()
    assert (written != other).any()
    assert np.array_equal(SEA, np.full((720, 1280, 3), (90, 60, 30), np.uint8))


def test_the_corners_and_the_banner_are_written_too() -> None:
    banner = ("the picture is black; uncover the lens " * 9,)
    corner = CornerCaption("near left", (50, 640))
    texts = texts_of(CaptionWriter(), Captions((), (corner,), banner))
    assert texts["near left"].bottom <= 640
    rows = [box for words, box in texts.items() if words != "near left"]
    assert len(rows) > 1
    assert all(box.left >= 0 and box.right <= 1280 and box.bottom <= 720 for box in rows)
    written = CaptionWriter().write(SEA, Captions((), (), banner), 1.0)
    assert np.array_equal(written[:600], SEA[:600])
    assert (written[719, :5] < SEA[719, :5]).all()


def test_a_picture_without_words_is_as_it_was() -> None:
    assert np.array_equal(CaptionWriter().write(SEA, Captions((), (), ()), 1.0), SEA)


def test_ships_outside_the_picture_are_not_named() -> None:
    assert CaptionWriter().write(
        SEA, Captions((caption("Far", 9e3, -4e3),), (), ()), 1.0
    ).shape == (SEA.shape)


def anywhere(number: int) -> tuple[int, int]:
    return 60 + (number * 7919) % 1160, 60 + (number * 6271) % 600


def clump(number: int) -> tuple[int, int]:
    return 600 + (number * 331) % 90, 300 + (number * 517) % 70


@pytest.mark.parametrize("shape", [anywhere, clump])
def test_the_names_of_twenty_four_ships_keep_apart_and_stay(
    shape: Callable[[int], tuple[int, int]],
) -> None:
    places = [shape(number) for number in range(24)]
    ships = tuple(caption(f"Destroyer {n}", x, y) for n, (x, y) in enumerate(places))
    writer = CaptionWriter()
    texts = texts_of(writer, Captions(ships, (), ()))
    names = {ship.name: texts[ship.name] for ship in ships}
    assert not any(one.overlap(other) > 1 for one, other in combinations(names.values(), 2))
    hulls = [Box.around((x, y), 28, 28) for x, y in places]
    assert not any(name.overlap(hull) > 1 for name in names.values() for hull in hulls)
    # The camera reads every place a little differently each time.
    noisy = tuple(
        caption(f"Destroyer {n}", x + n % 2, y - n % 3) for n, (x, y) in enumerate(places)
    )
    later = texts_of(writer, Captions(noisy, (), ()))
    jumped = [
        ship.name
        for ship in ships
        if abs(later[ship.name].left - names[ship.name].left) > 4
        or abs(later[ship.name].top - names[ship.name].top) > 4
    ]
    assert len(jumped) <= 6
