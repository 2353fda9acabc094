"""Picture files in and out of memory: the one place where bytes become pixels.

A picture's header is read before anything is decoded, so that a file that claims to be enormous
costs nothing, and one that was cut off is told from one that never was a picture.
"""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UnreadableFile

Image = NDArray[np.uint8]

LARGEST_MEGAPIXELS: Final = 60
SMALLEST_SIDE_PX: Final = 32


class PictureKind(StrEnum):
    """What we read, and write where it says so."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    BMP = "BMP"


PICTURE_SUFFIXES: Final = {
    ".jpg": PictureKind.JPEG,
    ".jpeg": PictureKind.JPEG,
    ".png": PictureKind.PNG,
    ".webp": PictureKind.WEBP,
    ".bmp": PictureKind.BMP,
}
_WRITTEN: Final = (".png", ".jpg", ".jpeg")
_JPEG_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_SIZES_IN_JPEG: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


@dataclass(frozen=True, slots=True)
class Header:
    """What a picture file says about itself."""

    kind: PictureKind
    width_px: int
    height_px: int
    whole: bool
    """Whether the file goes on to the end of its picture."""


def decode_image(data: bytes, source: str) -> Image:
    """The picture in these bytes, blue green red, the right way up; every fault is one line."""
    if not data:
        raise UnreadableFile(f"{source}: the file is empty; take or send the picture again")
    header = _header(data, source)
    megapixels = header.width_px * header.height_px / 1e6
    size = f"{header.width_px:,} × {header.height_px:,}"
    if megapixels > LARGEST_MEGAPIXELS:
        raise UnreadableFile(
            f"{source}: {size} pixels are {megapixels:,.0f} megapixels, and "
            f"{LARGEST_MEGAPIXELS} is the most that is read; save it smaller: "
            "4,000 pixels across are plenty"
        )
    if not header.whole:
        raise UnreadableFile(
            f"{source}: the {header.kind} picture is cut off before its end; copy or send it again"
        )
    if min(header.width_px, header.height_px) < SMALLEST_SIDE_PX:
        raise UnreadableFile(
            f"{source}: {size} pixels are too few to see a table; send the full-size picture"
        )
    try:
        # OpenCV turns the picture as its EXIF orientation asks.
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        decoded = None
    if decoded is None:
        raise UnreadableFile(
            f"{source}: the {header.kind} picture is damaged and cannot be read; take it again, "
            "or open and save it anew in a picture program"
        )
    return np.asarray(decoded, dtype=np.uint8)


def encode_image(image: Image, name: str, quality: int = 92) -> bytes:
    """A picture as the bytes of a PNG or JPEG file, as its name's ending says."""
    kind = picture_kind(name)
    options = [cv2.IMWRITE_PNG_COMPRESSION, 4]
    if kind is PictureKind.JPEG:
        options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    done, data = cv2.imencode(PurePath(name).suffix.lower(), image, options)
    if not done:
        raise UnreadableFile(f"{name}: the picture could not be written as {kind}")
    return bytes(data)


def picture_kind(name: str) -> PictureKind:
    """What a picture file of this name is written as; only .png, .jpg and .jpeg are."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in _WRITTEN:
        raise UnreadableFile(
            f"{name}: expected a file name that ends in {', '.join(_WRITTEN)}, "
            f"got {suffix or 'none of them'}"
        )
    return PICTURE_SUFFIXES[suffix]


def _header(data: bytes, source: str) -> Header:
    for begins, read in _READERS:
        if begins(data):
            header = read(data)
            if header is None:
                raise UnreadableFile(
                    f"{source}: the picture is cut off or damaged right at its beginning; "
                    "copy or send it again"
                )
            return header
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"avif"):
        raise UnreadableFile(
            f"{source}: a HEIC or AVIF photo, which is not read; send it as JPEG (on an iPhone: "
            "Settings, Camera, Formats, Most Compatible)"
        )
    kind = "text" if _looks_like_text(data) else "something else"
    raise UnreadableFile(
        f"{source}: not a picture but {kind}, whatever its name says; "
        f"send a {', '.join(PictureKind)} file"
    )


def _looks_like_text(data: bytes) -> bool:
    start = data[:512]
    try:
        words = start.decode("utf-8")
    except UnicodeDecodeError as error:
        # The cut at 512 bytes may have hit the middle of a letter.
        if error.start < len(start) - 3:
            return False
        words = start[: error.start].decode("utf-8")
    return all(letter.isprintable() or letter.isspace() for letter in words)


def _read_png(data: bytes) -> Header | None:
    if len(data) < 33 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    at, whole = 8, False
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        at += 12 + length
        if kind == b"IEND":
            whole = at <= len(data)
            break
    return Header(PictureKind.PNG, width, height, whole)


def _read_jpeg(data: bytes) -> Header | None:
    """Walk the segments: thumbnails inside them must not be taken for the picture."""
    at, size, whole = 2, (0, 0), False
    while at + 4 <= len(data):
        found = _JPEG_MARKER.search(data, at)
        if found is None or found.end() + 2 > len(data):
            whole = found is not None and data[found.end() - 1] == 0xD9
            break
        marker, at = data[found.end() - 1], found.end()
        if marker == 0xD9:
            whole = True
            break
        (length,) = struct.unpack(">H", data[at : at + 2])
        if marker in _SIZES_IN_JPEG and at + 7 <= len(data):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            size = (width, height)
        # After a start of scan the coded data follow; the search above leaps over them.
        at += length
    else:
        whole = data[at : at + 2] == b"\xff\xd9"
    return Header(PictureKind.JPEG, *size, whole) if min(size) > 0 else None


def _read_webp(data: bytes) -> Header | None:
    if len(data) < 30:
        return None
    kind, body = data[12:16], data[20:]
    if kind == b"VP8X":
        width = int.from_bytes(body[4:7], "little") + 1
        height = int.from_bytes(body[7:10], "little") + 1
    elif kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (number & 0x3FFF for number in struct.unpack("<HH", body[6:10]))
    (length,) = struct.unpack("<I", data[4:8])
    return Header(PictureKind.WEBP, width, height, length + 8 <= len(data) + 1)


def _read_bmp(data: bytes) -> Header | None:
    if len(data) < 30:
        return None
    (length,) = struct.unpack("<I", data[2:6])
    width, height = struct.unpack("<ii", data[18:26])
    return Header(PictureKind.BMP, abs(width), abs(height), length <= len(data))


_READERS: Final[tuple[tuple[Callable[[bytes], bool], Callable[[bytes], Header | None]], ...]] = (
    (lambda data: data.startswith(b"\x89PNG\r\n\x1a\n"), _read_png),
    (lambda data: data.startswith(b"\xff\xd8\xff"), _read_jpeg),
    (lambda data: data.startswith(b"RIFF") and data[8:12] == b"WEBP", _read_webp),
    (lambda data: data.startswith(b"BM") and len(data) > 30 and data[6:10] == bytes(4), _read_bmp),
)
