"""Photos from phones: one at a time a seat, giants refused or decoded smaller."""

import io
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from PIL import Image

from benchmarks.crowd import empty_png
from tests.web.phones import Phone, host_of, running_in, seated
from vision import photo
from vision.photo import read_photo
from web.camera import photos
from web.camera.free_memory import return_free_memory


def jpeg(width: int, height: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(data, "JPEG")
    return data.getvalue()


def send(phone: Phone, data: bytes, kind: str = "image/jpeg") -> int:
    return phone.send("POST", "/api/photo", data=data, content_type=kind).status_code


class SlowReading:
    """Reading that takes until it is told to end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()
        monkeypatch.setattr(photos, "read_photo", self._read)

    def _read(self, *given: object, **more: object) -> object:
        self.begun.release()
        assert self.go_on.wait(10)
        return read_photo(*given, **more)  # type: ignore[arg-type]


def test_a_second_photo_of_a_seat_is_refused_at_once(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, ann, found = SlowReading(monkeypatch), seated(app), list[int]()
    first = threading.Thread(target=lambda: found.append(send(ann, jpeg(64, 64))))
    first.start()
    assert slow.begun.acquire(timeout=5)
    again = Phone(app)
    assert again.post(
        "/api/return",
        {"code": _code(app), "name": "Ann", "pin": "1234"},
    ).status_code == 200  # fmt: skip
    for _ in range(5):
        refused = again.send("POST", "/api/photo", data=jpeg(64, 64), content_type="image/jpeg")
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "5"
    slow.go_on.set()
    first.join(10)
    assert found == [200]
    assert send(ann, jpeg(64, 64)) == 200


def test_many_seats_at_once_leave_the_workers_free(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, found = SlowReading(monkeypatch), list[int]()
    phones = [seated(app, f"Phone {number}") for number in range(10)]
    threads = [
        threading.Thread(target=lambda phone=phone: found.append(send(phone, jpeg(64, 64))))
        for phone in phones
    ]
    for thread in threads:
        thread.start()
    assert slow.begun.acquire(timeout=5)
    for thread in threads:
        thread.join(0.3)
    assert sum(thread.is_alive() for thread in threads) == 1 + photos._MOST_WAITING
    slow.go_on.set()
    for thread in threads:
        thread.join(10)
    assert sorted(found) == [200] * 4 + [429] * 6


def test_a_picture_of_many_pixels_in_few_bytes_is_refused_unread(app: Flask) -> None:
    host, bomb = host_of(app), empty_png(7700)
    assert len(bomb) < 100_000
    response = host.send("POST", "/api/photo", data=bomb, content_type="image/png")
    assert response.status_code == 400
    assert "59 megapixels, and 25 is" in response.get_json()["error"]["message"]


def test_a_large_photo_is_decoded_at_half_its_size(app: Flask) -> None:
    host = host_of(app)
    response = host.send("POST", "/api/photo", data=jpeg(8064, 6048), content_type="image/jpeg")
    assert response.status_code == 200
    seen = _photos(app).find(response.get_json()["token"])
    assert (seen.width_px, seen.height_px) == (4032, 3024)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_the_memory_of_large_photos_is_given_back(app: Flask) -> None:
    host, data = host_of(app), jpeg(5000, 4000)
    assert send(host, data) == 200
    before = _resident_mb()
    for _ in range(4):
        assert send(host, data) == 200
    assert _resident_mb() - before < 60


def test_memory_is_given_back_after_every_photo(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back: list[bool] = []

    def give_back() -> None:
        given_back.append(photos_of._one_at_a_time.locked())

    photos_of, host = _photos(app), host_of(app)
    monkeypatch.setattr(photos, "return_free_memory", give_back)
    assert [send(host, data) for data in (jpeg(64, 64), b"nothing")] == [200, 400]
    assert given_back == [False, False]


def test_memory_is_given_back_where_the_library_can() -> None:
    held = [np.ones(100_000) for _ in range(10)]
    del held
    return_free_memory()


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def _photos(app: Flask) -> photos.Photos:
    return running_in(app).camera_thread.photos


def _code(app: Flask) -> str:
    return running_in(app).session.seats.code


def test_photos_of_one_table_take_so_much_memory_and_no_more(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, one, other = host_of(app), jpeg(64, 64), jpeg(96, 64)
    both = len(one) + len(other)
    monkeypatch.setattr(photos, "LARGEST_TOGETHER_BYTES", both)
    monkeypatch.setattr(photos, "_MOST_KEPT_BYTES", both)

    def sent(data: bytes, after: str = "") -> Any:
        path = f"/api/photo?after={after}" if after else "/api/photo"
        return host.send("POST", path, data=data, content_type="image/jpeg").get_json()

    def kept(*tokens: str) -> list[int]:
        return [host.get(f"/photo.jpg?token={token}").status_code for token in tokens]

    first = sent(one)["token"]
    second = sent(other, first)["token"]
    # The photo that both have counts once.
    assert kept(first, second) == [200, 200]
    assert "MB" in sent(one, second)["error"]["message"]
    assert kept(first, second, sent(jpeg(80, 64))["token"]) == [404, 404, 200]


def test_few_photos_of_a_table_are_decoded_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [jpeg(64, 64), jpeg(96, 64)]
    found: list[list[object]] = []
    for megapixels in (1.0, 64 * 64 / 1e6):
        monkeypatch.setattr(photo, "_MOST_IN_MEMORY_MEGAPIXELS", megapixels)
        decoded = photo._Decoded(files, "a photo", 25)
        found.append([decoded[-1].shape, *(each.shape for each in decoded), *decoded[:1][0].shape])
        assert len(decoded._kept) == (2 if megapixels == 1.0 else 1)
    assert found[0] == found[1]
    assert found[0][:3] == [(64, 96, 3), (64, 64, 3), (64, 96, 3)]
