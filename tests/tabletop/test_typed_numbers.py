"""Numbers as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.typed_numbers import typed_decimal, typed_number, typed_whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        (" 12 ", 12),
        ("12.5", 12.5),
        ("12,5", 12.5),
        ("+3", 3),
        ("-3", -3),
        ("−3", -3),
        ("–3,25", -3.25),
        ("3,0", 3),
    ],
)
def test_comma_point_and_dashes_are_read(text: str, number: float) -> None:
    assert (typed_decimal(text), typed_number(text)) == (number, number)
    assert isinstance(typed_decimal(text), float)
    assert isinstance(typed_number(text), int) is isinstance(number, int)
    assert typed_whole(text) == (None if {".", ","} & set(text) else number)


@pytest.mark.parametrize(
    "text", ["", "x", "1e2", "nan", "inf", "1.2.3", "1,2,3", "1.", ".5", "--1", "٣", "9" * 5_000]
)
def test_anything_else_is_no_number(text: str) -> None:
    assert (typed_whole(text), typed_decimal(text), typed_number(text)) == (None, None, None)


@given(st.integers(-999_999_999, 999_999_999), st.integers(0, 9_999), st.sampled_from(",."))
def test_what_is_written_is_read(whole: int, decimals: int, mark: str) -> None:
    assert typed_whole(str(whole)) == whole
    written = f"{whole}{mark}{decimals:04}"
    assert typed_decimal(written) == float(written.replace(",", "."))


@given(st.text(max_size=20))
def test_no_text_breaks_it(text: str) -> None:
    assert typed_whole(text) is None or typed_decimal(text) == typed_whole(text)
