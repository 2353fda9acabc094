"""The file that goes with the printed markers: read back, and refused in clear words."""

import json
import re

import pytest

from calibration.marker_file import default_marker_set, read_marker_file
from calibration.marker_layout import MarkerOrder, lay_out_markers
from calibration.markers import SMALL
from tabletop.errors import DreyerError
from web.strings import words


def test_without_a_file_markers_are_numbers_of_the_usual_size() -> None:
    marker_set = default_marker_set()
    assert marker_set.family is SMALL
    assert marker_set.names[4] == "marker 4"
    assert len(marker_set.names) == 42
    assert (marker_set.size_mm(0), marker_set.size_mm(4)) == (60, 30)
    assert marker_set.find(8) is None
    assert read_marker_file(json.dumps(marker_set.as_document()).encode(), "x") == marker_set


def test_a_marker_that_was_not_printed_has_the_usual_size() -> None:
    marker_set = lay_out_markers(MarkerOrder(("Hood",), tag_mm=20)).marker_set
    assert (marker_set.size_mm(4), marker_set.size_mm(0), marker_set.size_mm(49)) == (20, 60, 30)


MARKER = {
    "id": 4, "name": "Hood", "kind": "ship", "page": 1,
    "x_mm": 50, "y_mm": 60.5, "size_mm": 30, "up_deg": 0,
}  # fmt: skip
PAGE = {"width_mm": 210, "height_mm": 297}


def document(*markers: object, **changes: object) -> bytes:
    return json.dumps(
        {"family": "DICT_4X4_50", "markers": list(markers), "pages": [PAGE], **changes}
    ).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "s.json: not UTF-8 text"),
        (b"%PDF-1.4", "s.json: not JSON: line 1, column 1"),
        (b"", "s.json: not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"family": ' + b"1" * 5000 + b"}", "a number is too long"),
        (b'{"family": NaN}', "NaN is not a number"),
        (b'{"family": -Infinity}', "-Infinity is not a number"),
        (b'{"family": 1, "family": 2}', "the key 'family' is there twice"),
        (b"[]", "expected an object with the keys family, markers, pages"),
        (b"{}", "family: expected one of DICT_4X4_50, DICT_5X5_250, got nothing"),
        (document(family="DICT_4X4_100"), "did you mean 'DICT_4X4_50'"),
        (document(family=["DICT_4X4_50"]), "got a list of 1"),
        (document(famly=1), "unknown key 'famly'; the nearest known key is 'family'"),
        (document(markers={}), "markers: expected a list of objects, got a table"),
        (document([]), "markers 1: expected an object, got a list of 0"),
        (document(pages=[1]), "pages 1: expected an object, got 1"),
        (document(pages=[{**PAGE, "width_mm": 0}]), "pages 1: width_mm: expected a number of mm"),
        (
            document({**MARKER, "id": "4"}),
            "markers 1 'Hood': id: expected a whole number from 0 to 249",
        ),
        (document({**MARKER, "id": 50}), "from 4 to 49, got 50"),
        (document({**MARKER, "id": 0}), "from 4 to 49, got 0"),
        (document({**MARKER, "id": True}), "got true"),
        (document({**MARKER, "kind": "corner"}), "from 0 to 3, got 4"),
        (document({**MARKER, "kind": "shop"}), "did you mean 'ship'"),
        (document({**MARKER, "page": 2}), "page: expected a whole number from 1 to 1, got 2"),
        (document({**MARKER, "x_mm": None}), "x_mm: expected a number"),
        (document({**MARKER, "x_mm": 10**400}), "x_mm: expected a number"),
        (document({**MARKER, "size_mm": -1}), "size_mm: expected a number of mm above 0"),
        (document({**MARKER, "up_deg": 361}), "up_deg: expected a number of degrees"),
        (document({**MARKER, "name": ""}), "name: expected a line of text"),
        (document({**MARKER, "name": {"a": 1}}), "name: expected a line of text"),
        (document({**MARKER, "colour": 1}), "unknown key 'colour'"),
        (document(MARKER, {**MARKER, "name": "B"}), "id: 4 is also the id of markers 1 'Hood'"),
        (document(MARKER, {**MARKER, "id": 5}), "name: 'Hood' is also the name of markers 1"),
    ],
)
def test_a_wrong_file_is_one_clear_line(data: bytes, message: str) -> None:
    with pytest.raises(DreyerError) as caught:
        read_marker_file(data, "s.json")
    said = words(caught.value)
    assert re.search(message, said)
    assert "\n" not in said
    assert said.startswith("s.json")
    assert len(str(caught.value)) < 300
