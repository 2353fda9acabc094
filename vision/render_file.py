"""What a scene file may say about its picture: `[camera]`, `[table]`, hands, light, counters."""

from dataclasses import dataclass
from typing import Final

from calibration.markers import CORNER_SIZE_MM, SHIP_SIZE_MM
from tabletop.documents import parse_toml
from tabletop.fields import Fields
from tabletop.scale import mm_from_inches
from vision.render_camera import CameraView, Glare, Shadow
from vision.render_table import RenderedCounter, RenderedHand, Surface

PICTURE_KEYS: Final = ("camera", "table", "hand", "glare", "shadow", "counter")
"""The keys of a scene file that only the renderer reads."""

DEFAULT_VIEW: Final = CameraView(blur_px=0.6, noise=1.5, vignette=0.15)
"""An ordinary webcam on a stand at the host's edge, its lens without distortion."""

_FAR_MM: Final = 20_000.0


@dataclass(frozen=True, slots=True)
class Number:
    """A key that is a number, with its bounds and unit."""

    key: str
    least: float
    most: float
    unit: str = ""


_CAMERA_NUMBERS: Final = (
    Number("height_mm", 50, 20_000, "mm"),
    Number("tilt_deg", 0, 80, "degrees"),
    Number("pan_deg", -360, 360, "degrees"),
    Number("roll_deg", -360, 360, "degrees"),
    Number("aim_x_mm", -_FAR_MM, _FAR_MM, "mm"),
    Number("aim_y_mm", -_FAR_MM, _FAR_MM, "mm"),
    Number("field_of_view_deg", 5, 150, "degrees"),
    Number("k1", -1, 1),
    Number("k2", -1, 1),
    Number("p1", -0.1, 0.1),
    Number("p2", -0.1, 0.1),
    Number("blur_px", 0, 50, "pixels"),
    Number("motion_blur_px", 0, 100, "pixels"),
    Number("motion_blur_deg", -360, 360, "degrees"),
    Number("noise", 0, 100),
    Number("vignette", 0, 1),
    Number("light", 0, 10),
    Number("light_slope", 0, 1),
    Number("warmth", -1, 1),
)
_CAMERA_KEYS: Final = (
    "width_px", "height_px", *(number.key for number in _CAMERA_NUMBERS), "jpeg_quality",
    "mirrored", "seed",
)  # fmt: skip
_TABLE_KEYS: Final = (
    "width_inches", "height_inches", "corner_mm", "tag_mm", "tag_height_mm", "surface",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """Everything of a scene file that is about its picture."""

    view: CameraView
    table_width_mm: float
    table_height_mm: float
    corner_mm: float
    tag_mm: float
    tag_height_mm: float
    surface: Surface
    hands: tuple[RenderedHand, ...]
    counters: tuple[RenderedCounter, ...]


def read_picture_settings(data: bytes, source: str) -> PictureSettings:
    """The picture's part of a scene file; the ships are the table's part and are not read."""
    values = parse_toml(data, source)
    own = {key: value for key, value in values.items() if key in PICTURE_KEYS}
    fields = Fields(own, source, PICTURE_KEYS)
    table = fields.table("table", _TABLE_KEYS)

    def inches(key: str, default: float) -> float:
        return mm_from_inches(table.number(key, default, least=4, most=390, unit="inches"))

    return PictureSettings(
        view=_read_view(fields),
        table_width_mm=inches("width_inches", 72),
        table_height_mm=inches("height_inches", 48),
        corner_mm=table.number("corner_mm", CORNER_SIZE_MM, least=5, most=500, unit="mm"),
        tag_mm=table.number("tag_mm", SHIP_SIZE_MM, least=2, most=500, unit="mm"),
        tag_height_mm=table.number("tag_height_mm", 0.0, least=0, most=300, unit="mm"),
        surface=Surface(table.choice("surface", list(Surface), Surface.SEA)),
        hands=tuple(
            RenderedHand(
                x_mm=_mm(hand, "x_mm"),
                y_mm=_mm(hand, "y_mm"),
                arm_deg=hand.number("arm_deg", 180.0, least=-360, most=360, unit="degrees"),
                size=hand.number("size", 1.0, least=0.1, most=10),
                height_mm=hand.number("height_mm", 30.0, least=0, most=300, unit="mm"),
            )
            for hand in fields.tables("hand", ("x_mm", "y_mm", "arm_deg", "size", "height_mm"))
        ),
        counters=tuple(_read_counter(counter) for counter in _counters(fields)),
    )


def _read_view(fields: Fields) -> CameraView:
    camera = fields.table("camera", _CAMERA_KEYS)
    default = DEFAULT_VIEW
    numbers = {
        number.key: camera.number(
            number.key, least=number.least, most=number.most, unit=number.unit
        )
        for number in _CAMERA_NUMBERS
        if number.key in camera
    }
    glare = tuple(
        Glare(
            x_mm=_mm(spot, "x_mm"),
            y_mm=_mm(spot, "y_mm"),
            radius_mm=spot.number("radius_mm", 120.0, above=0, most=5000, unit="mm"),
            strength=spot.number("strength", 1.0, least=0, most=1),
        )
        for spot in fields.tables("glare", ("x_mm", "y_mm", "radius_mm", "strength"))
    )
    band_keys = ("x_mm", "y_mm", "heading_deg", "width_mm", "strength", "softness_mm")
    shadow = tuple(
        Shadow(
            x_mm=_mm(band, "x_mm"),
            y_mm=_mm(band, "y_mm"),
            heading_deg=band.number("heading_deg", 30.0, least=-360, most=360, unit="degrees"),
            width_mm=band.number("width_mm", 300.0, above=0, most=_FAR_MM, unit="mm"),
            strength=band.number("strength", 0.5, least=0, most=1),
            softness_mm=band.number("softness_mm", 40.0, least=0, most=2000, unit="mm"),
        )
        for band in fields.tables("shadow", band_keys)
    )
    settings = {
        "blur_px": default.blur_px,
        "noise": default.noise,
        "vignette": default.vignette,
        **numbers,
    }
    return CameraView(
        width_px=camera.integer("width_px", default.width_px, least=64, most=8000),
        height_px=camera.integer("height_px", default.height_px, least=64, most=7500),
        jpeg_quality=camera.integer("jpeg_quality", 0, least=0, most=100),
        mirrored=camera.flag("mirrored", default=False),
        seed=camera.integer("seed", 0, least=0, most=2**32 - 1),
        glare=glare,
        shadow=shadow,
        **settings,
    )


def _counters(fields: Fields) -> list[Fields]:
    return fields.tables(
        "counter",
        ("name", "x_mm", "y_mm", "heading_deg", "length_mm", "width_mm", "stripe_mm", "height_mm"),
    )


def _read_counter(fields: Fields) -> RenderedCounter:
    plain = RenderedCounter(0, 0, 0)

    def size(key: str, default: float) -> float:
        return fields.number(key, default, above=0, most=1000, unit="mm")

    return RenderedCounter(
        x_mm=_mm(fields, "x_mm"),
        y_mm=_mm(fields, "y_mm"),
        heading_deg=fields.number("heading_deg", least=-360, most=360, unit="degrees"),
        length_mm=size("length_mm", plain.length_mm),
        width_mm=size("width_mm", plain.width_mm),
        stripe_mm=size("stripe_mm", plain.stripe_mm),
        height_mm=fields.number("height_mm", plain.height_mm, least=0, most=300, unit="mm"),
        name=fields.text("name") if "name" in fields else "",
    )


def _mm(fields: Fields, key: str) -> float:
    return fields.number(key, least=-_FAR_MM, most=_FAR_MM, unit="mm")
