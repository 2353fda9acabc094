"""One photo of the table: what was found in it, and where in the picture that is."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    images = [decode_image(data, source, decoded_megapixels=decoded_megapixels) for data in files]
    height_of = settings.calibration(images[-1])
    return locate_together(
        images, marker_set, settings.table, height_of, alone=[each.located for each in seen]
    )
