"""Files on their way to a phone: packed where they are everybody's, plain where they are not."""

import gzip

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.phones import Phone, seated

PACKED = "gzip, deflate"


def get(phone: Phone, path: str, **headers: str) -> TestResponse:
    """A whole answer: the file behind it is closed."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return phone.get(path, headers=sent, buffered=True)


@pytest.mark.parametrize(
    "path",
    ["/static/css/components.css", "/static/js/chart/chart.js", "/fonts/SourceSansPro-Regular.ttf"],
)
def test_a_file_comes_packed_and_is_the_same(app: Flask, path: str) -> None:
    phone = Phone(app)
    plain, packed = get(phone, path), get(phone, path, Accept_Encoding=PACKED)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < 0.7 * len(plain.data)
    assert gzip.decompress(packed.data) == plain.data
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.mimetype == plain.mimetype
    again = get(phone, path, Accept_Encoding=PACKED, If_None_Match=packed.headers["ETag"])
    assert again.status_code == 304
    assert not again.data


def test_whoever_cannot_unpack_gets_it_plain(app: Flask) -> None:
    for accepted in ("", "identity", "gzip;q=0", "br"):
        answer = get(Phone(app), "/static/css/components.css", Accept_Encoding=accepted)
        assert "Content-Encoding" not in answer.headers, accepted


def test_a_part_of_a_file_is_that_part(app: Flask) -> None:
    answer = get(
        Phone(app), "/static/css/components.css", Accept_Encoding=PACKED, Range="bytes=0-9"
    )
    assert answer.status_code == 206
    assert len(answer.data) == 10
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/table", "/api/view", "/join", "/log"])
def test_what_a_seat_is_shown_is_never_packed(app: Flask, path: str) -> None:
    assert "Content-Encoding" not in get(seated(app), path, Accept_Encoding=PACKED).headers
