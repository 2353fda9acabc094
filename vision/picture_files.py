"""Picture files in and out of memory: the one place where bytes become pixels.

Pillow reads a picture's header before anything is decoded, so that a file that claims to be
enormous costs nothing, and tells whether the file is whole, which OpenCV would not.
"""

import io
from enum import StrEnum
from pathlib import PurePath
from typing import Final

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL.BmpImagePlugin import BmpImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from tabletop.errors import FileProblem, Where
from tabletop.messages import Message
from vision.images import Image

LARGEST_MEGAPIXELS: Final = 60
SMALLEST_SIDE_PX: Final = 32


_DECODINGS: Final = (
    (cv2.IMREAD_COLOR, 1),
    (cv2.IMREAD_REDUCED_COLOR_2, 2),
    (cv2.IMREAD_REDUCED_COLOR_4, 4),
    (cv2.IMREAD_REDUCED_COLOR_8, 8),
)


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
_READERS: Final[tuple[tuple[PictureKind, type[ImageFile]], ...]] = (
    (PictureKind.JPEG, JpegImageFile),
    (PictureKind.PNG, PngImageFile),
    (PictureKind.WEBP, WebPImageFile),
    (PictureKind.BMP, BmpImageFile),
)
"""Pillow's own classes: `Image.open` refuses giants without telling their size."""


def decode_image(
    data: bytes, source: Where, *, decoded_megapixels: float = LARGEST_MEGAPIXELS
) -> Image:
    """The picture in these bytes, blue green red, the right way up; every fault is one line.

    A JPEG with more than `decoded_megapixels` is decoded at a half, a quarter or an eighth of its
    size; other kinds cannot be, and are refused.
    """
    if not data:
        raise FileProblem(source, Message("vision.picture.empty"))
    kind, header = _header(data, source)
    megapixels = header.width * header.height / 1e6
    most = LARGEST_MEGAPIXELS if kind is PictureKind.JPEG else decoded_megapixels
    if megapixels > most:
        problem = Message(
            "vision.picture.large",
            width=header.width,
            height=header.height,
            megapixels=megapixels,
            most=most,
        )
        raise FileProblem(source, problem)
    if min(header.size) < SMALLEST_SIDE_PX:
        problem = Message("vision.picture.small", width=header.width, height=header.height)
        raise FileProblem(source, problem)
    if not _is_whole(header):
        raise _damaged(kind, source)
    try:
        # OpenCV turns the picture as its EXIF orientation asks.
        flag = _decoding(megapixels, decoded_megapixels)
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error:
        decoded = None
    if decoded is None:
        raise _damaged(kind, source)
    return np.asarray(decoded, dtype=np.uint8)


def _decoding(megapixels: float, most: float) -> int:
    """OpenCV's flag for the largest size that has no more than so many megapixels."""
    for flag, parts in _DECODINGS:
        if megapixels / parts**2 <= most:
            return flag
    return _DECODINGS[-1][0]


def encode_image(image: Image, name: str, quality: int = 92) -> bytes:
    """A picture as the bytes of a PNG or JPEG file, as its name's ending says."""
    kind = picture_kind(name)
    options = [cv2.IMWRITE_PNG_COMPRESSION, 4]
    if kind is PictureKind.JPEG:
        options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    done, data = cv2.imencode(PurePath(name).suffix.lower(), image, options)
    if not done:
        raise FileProblem(name, Message("vision.picture.not_written", kind=kind))
    return bytes(data)


def picture_kind(name: str) -> PictureKind:
    """What a picture file of this name is written as; only .png, .jpg and .jpeg are."""
    suffix = PurePath(name).suffix.lower()
    if suffix not in _WRITTEN:
        if not suffix:
            raise FileProblem(name, Message("vision.picture.no_ending", endings=_WRITTEN))
        problem = Message("vision.picture.other_ending", endings=_WRITTEN, found=suffix)
        raise FileProblem(name, problem)
    return PICTURE_SUFFIXES[suffix]


def _header(data: bytes, source: Where) -> tuple[PictureKind, ImageFile]:
    """What kind of picture these bytes are, and the picture, of which only the header is read."""
    for kind, reader in _READERS:
        accept = Pillow.OPEN[reader.format or ""][1]
        if accept is None or accept(data[:16]) is not True:
            continue
        try:
            return kind, reader(io.BytesIO(data))
        except Exception:
            # Pillow's readers raise whatever the bytes lead them to.
            if _looks_like_text(data):
                break
            raise _damaged(kind, source) from None
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"avif"):
        raise FileProblem(source, Message("vision.picture.heic"))
    kinds = tuple(map(str, PictureKind))
    if _looks_like_text(data):
        raise FileProblem(source, Message("vision.picture.text", kinds=kinds))
    raise FileProblem(source, Message("vision.picture.something_else", kinds=kinds))


def _damaged(kind: PictureKind, source: Where) -> FileProblem:
    return FileProblem(source, Message("vision.picture.damaged", kind=kind))


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


def _is_whole(picture: ImageFile) -> bool:
    """Whether the file goes on to the end of its picture, undamaged as far as that shows."""
    try:
        if isinstance(picture, PngImageFile):
            # Every part has a checksum: nothing need be decoded.
            picture.verify()
        else:
            # A JPEG is decoded at an eighth of its size, which is enough to come to its end.
            picture.draft("L", (1, 1))
            picture.load()
    except Exception:
        return False
    return True
