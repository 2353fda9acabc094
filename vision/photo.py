"""One photo of the table: what was found in it, and where in the picture that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, overload

from calibration.calibration_file import UNMEASURED_PRINT, Calibration, PrintScale
from calibration.camera import assumed_lens
from calibration.homography import FixedPlace, TableSize
from calibration.marker_file import MarkerSet
from tabletop.errors import Where
from vision.images import Array, Image
from vision.locate import Located, locate
from vision.picture_files import LARGEST_MEGAPIXELS, decode_image
from vision.setup.preview import plain_jpeg
from vision.several_pictures import LocatedTogether, locate_together

_MOST_IN_MEMORY_MEGAPIXELS: Final = 100
"""How much of several photos is in memory at a time: eight of a phone."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPhoto:
    """A photo that was looked at."""

    located: Located
    jpeg: bytes
    """The picture the right way round, no wider than asked for."""
    width_px: int
    height_px: int

    def outlines_px(self) -> dict[int, Array]:
        """The markers' outlines by their ids; pixels count in a picture of the full size."""
        return {s.marker_id: s.corners_px for s in self.located.detection.sightings}


@dataclass(frozen=True, slots=True)
class PhotoSettings:
    """What is known of the paper and the models, whatever camera took the photo."""

    table: TableSize
    print_scale: PrintScale = UNMEASURED_PRINT
    height_mm: float | None = None
    heights_mm: tuple[tuple[str, float], ...] = ()
    anchors: tuple[tuple[int, FixedPlace], ...] = ()
    """Where anchor markers lie, as other photos showed."""

    def calibration(self, image: Image) -> Calibration:
        """The same for a picture; a phone's lens is not that of the camera over the table."""
        return Calibration(
            assumed_lens(image.shape[1], image.shape[0]),
            self.table,
            self.print_scale,
            self.height_mm,
            dict(self.heights_mm),
            anchors=dict(self.anchors),
        )


def read_photo(
    data: bytes,
    source: Where,
    marker_set: MarkerSet,
    settings: PhotoSettings,
    *,
    width_px: int,
    decoded_megapixels: float = LARGEST_MEGAPIXELS,
) -> SeenPhoto:
    """Find the ships in a photo; faults of the file are DreyerErrors that name the source."""
    image = decode_image(data, source, decoded_megapixels=decoded_megapixels)
    located = locate(image, marker_set, settings.table, settings.calibration(image))
    jpeg = plain_jpeg(image, mirrored=located.mirrored, width_px=width_px)
    return SeenPhoto(located, jpeg, image.shape[1], image.shape[0])


def join_photos(
    files: Sequence[bytes],
    seen: Sequence[SeenPhoto],
    source: Where,
    marker_set: MarkerSet,
    settings: PhotoSettings,
    *,
    decoded_megapixels: float = LARGEST_MEGAPIXELS,
) -> LocatedTogether:
    """The one table of several photos, which were read one by one before."""
    images = _Decoded(files, source, decoded_megapixels)
    height_of = settings.calibration(images[-1])
    return locate_together(
        images, marker_set, settings.table, height_of, alone=[each.located for each in seen]
    )


class _Decoded(Sequence[Image]):
    """Photos that are decoded when they are looked at; as many stay decoded as memory has room for.

    The first ones stay, because each is looked at in turn, and more than once.
    """

    def __init__(self, files: Sequence[bytes], source: Where, decoded_megapixels: float) -> None:
        self._files, self._source, self._megapixels = files, source, decoded_megapixels
        self._kept: dict[int, Image] = {}

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> Image: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Image]: ...

    def __getitem__(self, index: int | slice) -> Image | Sequence[Image]:
        if isinstance(index, slice):
            return [self[each] for each in range(len(self))[index]]
        number = range(len(self))[index]
        image = self._kept.get(number)
        if image is None:
            data = self._files[number]
            image = decode_image(data, self._source, decoded_megapixels=self._megapixels)
            used = sum(each.shape[0] * each.shape[1] for each in self._kept.values())
            if used + image.shape[0] * image.shape[1] <= _MOST_IN_MEMORY_MEGAPIXELS * 1e6:
                self._kept[number] = image
        return image
