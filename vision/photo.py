"""One photo of the table: what was found in it, and where in the picture that is."""

from dataclasses import dataclass

from calibration.calibration_file import Calibration
from calibration.camera import assumed_lens
from calibration.homography import TableSize
from calibration.marker_file import MarkerSet
from tabletop.errors import Where
from vision.images import Array
from vision.locate import Located, locate
from vision.picture_files import LARGEST_MEGAPIXELS, decode_image
from vision.setup.preview import plain_jpeg


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
    print_scale: float = 1.0
    height_mm: float | None = None
    heights_mm: tuple[tuple[str, float], ...] = ()


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
    calibration = Calibration(
        # A phone's lens is not that of the camera over the table.
        assumed_lens(image.shape[1], image.shape[0]),
        settings.table,
        settings.print_scale,
        settings.height_mm,
        dict(settings.heights_mm),
    )
    located = locate(image, marker_set, settings.table, calibration)
    jpeg = plain_jpeg(image, mirrored=located.mirrored, width_px=width_px)
    return SeenPhoto(located, jpeg, image.shape[1], image.shape[0])
