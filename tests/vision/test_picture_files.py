"""Bytes become pictures, or one clear line with the remedy."""

import contextlib
import struct
import zlib

import cv2
import numpy as np
import pytest

from tabletop.errors import DreyerError
from vision.images import Image
from vision.picture_files import decode_image, encode_image, picture_kind
from web.strings import words

RNG = np.random.default_rng(3)


def resized(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size), np.uint8)


PICTURE = resized(RNG.integers(0, 255, (12, 16, 3), np.uint8), (320, 240))
JPEG = encode_image(PICTURE, "a.jpg")
PNG = encode_image(PICTURE, "a.png")


def png_header(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head
    return start + struct.pack(">I", zlib.crc32(head)) + struct.pack(">I4s", 9999, b"IDAT")


def encoded(ending: str) -> bytes:
    return bytes(cv2.imencode(ending, PICTURE)[1])


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"II*\x00" + struct.pack("<I", 8) + struct.pack("<H", 1) + entry + bytes(4)
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize("ending", [".png", ".bmp", ".webp", ".jpg"])
def test_every_kind_is_read(ending: str) -> None:
    image = decode_image(encoded(ending), f"a{ending}")
    assert image.shape == (240, 320, 3)
    assert np.abs(image.astype(int) - PICTURE).mean() < 8


def test_grey_transparent_and_deep_pictures_become_three_channels() -> None:
    for picture in (PICTURE[..., 0], np.dstack([PICTURE, PICTURE[..., :1]]),
                    PICTURE.astype(np.uint16) * 257):  # fmt: skip
        data = bytes(cv2.imencode(".png", picture)[1])
        image = decode_image(data, "a.png")
        assert image.shape == (240, 320, 3)
        assert image.dtype == np.dtype(np.uint8)


def test_a_phone_held_upright() -> None:
    image = decode_image(with_orientation(JPEG, 6), "a.jpg")
    assert image.shape == (320, 240, 3)
    assert np.abs(image.astype(int) - np.rot90(PICTURE, -1)).mean() < 8


def test_something_after_the_end_does_no_harm() -> None:
    assert decode_image(JPEG + b"a phone's little film", "a.jpg").shape == (240, 320, 3)


def test_a_thumbnail_is_not_the_picture() -> None:
    small = encode_image(resized(PICTURE, (64, 48)), "t.jpg")
    body = b"Exif\x00\x00" + small
    data = JPEG[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + JPEG[2:]
    assert decode_image(data, "a.jpg").shape == (240, 320, 3)
    with pytest.raises(DreyerError, match=r"vision\.picture\.damaged"):
        decode_image(data[: len(data) - 400], "a.jpg")


def test_progressive_pictures_are_read_and_checked_too() -> None:
    data = bytes(cv2.imencode(".jpg", PICTURE, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    assert decode_image(data, "a.jpg").shape == (240, 320, 3)
    with pytest.raises(DreyerError, match=r"vision\.picture\.damaged"):
        decode_image(data[: len(data) * 3 // 4], "a.jpg")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
def test_a_picture_cut_off(ending: str, share: float) -> None:
    data = encoded(ending)
    with pytest.raises(DreyerError, match=r"vision\.picture\.damaged.*source='a\.x'"):
        decode_image(data[: int(len(data) * share)], "a.x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"Dear diary, today we sank the Bismarck.\n" * 9, "not a picture but text"),
        ("Schiffe größer als früher ".encode() * 40, "not a picture but text"),
        (bytes(range(256)), "not a picture but something else"),
        (b"GIF89a" + bytes(99), "send a JPEG, PNG, WebP, BMP file"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(99), "HEIC or AVIF photo"),
        (png_header(20_000, 20_000), "400 megapixels, and 60 is the most"),
        (png_header(0xFFFFFFFF, 0xFFFFFFFF), "save it smaller"),
        (png_header(640, 480), "cut off or damaged"),
        (b"\x89PNG\r\n\x1a\n", "cut off or damaged"),
        (b"\xff\xd8\xff\xe0", "cut off or damaged"),
        (b"\xff\xd8\xff\xd9" + bytes(50), "cut off or damaged"),
        (encode_image(PICTURE[:8, :8], "s.png"), "too few to see a table"),
        (PNG[:60] + bytes(200) + PNG[260:], "cut off or damaged"),
    ],
)
def test_what_is_not_a_picture_is_one_clear_line(data: bytes, message: str) -> None:
    with pytest.raises(DreyerError) as caught:
        decode_image(data, "x.jpg")
    text = words(caught.value)
    assert message in text
    assert text.startswith("x.jpg: ")
    assert ";" in text, "the remedy follows the semicolon"
    assert "\n" not in text


def test_a_hundred_megapixel_jpeg_is_refused_by_its_header() -> None:
    at = JPEG.index(b"\xff\xc0") + 5
    giant = JPEG[:at] + struct.pack(">HH", 10_000, 10_000) + JPEG[at + 4 :]
    with pytest.raises(
        DreyerError, match=r"large\(height=10000, megapixels=100\.0, most=60, width=10000\)"
    ):
        decode_image(giant, "x.jpg")


def test_random_damage_never_raises_anything_else(capfd: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(11)
    for data in (JPEG, PNG, encoded(".webp"), encoded(".bmp")):
        for _ in range(40):
            broken = bytearray(data[: int(rng.integers(1, len(data) + 1))])
            for _ in range(int(rng.integers(1, 6))):
                broken[int(rng.integers(len(broken)))] = int(rng.integers(256))
            with contextlib.suppress(DreyerError):
                decode_image(bytes(broken), "x")
    capfd.readouterr()


def test_only_png_and_jpeg_are_written() -> None:
    assert picture_kind("A.JPEG") == "JPEG"
    with pytest.raises(DreyerError, match=r"vision\.picture\.other_ending\(.*found='\.gif'"):
        encode_image(PICTURE, "a.gif")
    with pytest.raises(DreyerError, match=r"vision\.picture\.no_ending"):
        picture_kind("picture")


@pytest.mark.parametrize(
    ("most", "side"), [(60, 1000), (1, 1000), (0.5, 500), (0.1, 250), (0.01, 125)]
)
def test_a_jpeg_is_decoded_at_a_part_of_its_size(most: float, side: int) -> None:
    data = encode_image(np.full((1000, 1000, 3), 200, np.uint8), "a.jpg")
    assert decode_image(data, "a.jpg", decoded_megapixels=most).shape == (side, side, 3)


def test_another_picture_is_refused_where_it_would_be_decoded_whole() -> None:
    data = encode_image(np.full((1000, 1000, 3), 200, np.uint8), "a.png")
    with pytest.raises(DreyerError, match=r"vision\.picture\.large|megapixels"):
        decode_image(data, "a.png", decoded_megapixels=0.5)
