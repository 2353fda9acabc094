"""The sub-tables of a ship's batteries."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import Field

from combat.rulebooks.bismarck_advanced.fleet.warships import (
    HullSide,
    Mount,
    SecondaryTurret,
    Station,
    Turret,
)
from combat.rulebooks.bismarck_advanced.guns import GunType
from tabletop.arcs import FiringArc, Quadrant
from tabletop.messages import Message
from tabletop.places import DocumentPlace
from tabletop.schema import Line, Number, Unit, Whole, file_document, missing, shape_of, wrong

_Arc = Annotated[tuple[Quadrant, ...], Field(min_length=1)]
_Calibre = Annotated[Number, Field(gt=0, le=20), Unit("inches")]
_Ammunition = Annotated[Whole, Field(ge=0, le=10_000)]
_Boxes = Annotated[Whole, Field(ge=0, le=12)]
_LETTERS: Final = {HullSide.PORT: "P", HullSide.STARBOARD: "S", HullSide.BOTH: "C"}


@file_document
class Guns:
    """The properties of all guns of a battery."""

    gun: GunType
    calibre: _Calibre
    ammunition: _Ammunition


@file_document
class _Battery:
    """A battery; without guns it has only turrets."""

    gun: GunType | None = None
    calibre: _Calibre | None = None
    ammunition: _Ammunition | None = None

    def guns(self, mounts: Sequence[Mount], place: DocumentPlace) -> Guns | None:
        """The guns of the battery; None if its turrets have none."""
        if not any(mount.guns for mount in mounts):
            for key in ("gun", "calibre", "ammunition"):
                if getattr(self, key) is not None:
                    expected = Message("advanced.expected.no_guns")
                    raise wrong(place, key, expected, getattr(self, key))
            return None
        if self.gun is None:
            raise missing(place, "gun", shape_of(GunType).expected)
        if self.calibre is None:
            raise missing(place, "calibre", shape_of(_Calibre).expected)
        if self.ammunition is None:
            raise missing(place, "ammunition", shape_of(_Ammunition).expected)
        return Guns(gun=self.gun, calibre=self.calibre, ammunition=self.ammunition)


@file_document
class _TurretTable:
    """A turret of the main battery."""

    name: Annotated[Line, Field(min_length=1, max_length=8)]
    guns: Annotated[Whole, Field(ge=1, le=4)]
    station: Station
    side: HullSide = HullSide.BOTH
    arc: _Arc


@file_document
class MainBattery(_Battery):
    """The main battery (60.2)."""

    boxes: _Boxes | None = None
    turrets: tuple[_TurretTable, ...] = ()

    def mounts(self, place: DocumentPlace) -> tuple[Turret, ...]:
        """Its turrets, each with this many boxes."""
        if self.boxes is None and self.turrets:
            raise missing(place, "boxes", shape_of(_Boxes).expected)
        return tuple(
            Turret(
                name=table.name,
                guns=table.guns,
                arc=FiringArc.of(table.arc),
                station=table.station,
                side=table.side,
                boxes=self.boxes or 0,
            )
            for table in self.turrets
        )


@file_document
class _SecondaryTable:
    """A secondary turret, or one to port and one to starboard."""

    guns: Annotated[Whole, Field(ge=0, le=16)]
    station: Station
    side: Literal["each", "port", "starboard", "both"]
    arc: _Arc | None = None

    @property
    def sides(self) -> tuple[HullSide, ...]:
        """The sides on which there is one."""
        return (
            (HullSide.PORT, HullSide.STARBOARD) if self.side == "each" else (HullSide(self.side),)
        )


@file_document
class SecondaryBattery(_Battery):
    """The secondary battery (60.3)."""

    turrets: tuple[_SecondaryTable, ...] = ()

    @property
    def mounts(self) -> tuple[SecondaryTurret, ...]:
        """Its turrets, named P1, P2 … S1 … and C1 … on the centreline."""
        found: list[SecondaryTurret] = []
        for table in self.turrets:
            for side in table.sides:
                broadsides = ("port", "starboard") if side is HullSide.BOTH else (side.value,)
                number = 1 + sum(turret.side is side for turret in found)
                found.append(
                    SecondaryTurret(
                        name=f"{_LETTERS[side]}{number}",
                        guns=table.guns,
                        # 60.6: most cannot fire over the bow or the stern.
                        arc=FiringArc.of(table.arc or broadsides),
                        station=table.station,
                        side=side,
                    )
                )
        return tuple(sorted(found, key=lambda turret: tuple(_LETTERS).index(turret.side)))
