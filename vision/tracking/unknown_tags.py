"""Markers that are seen and not known, because a part of them is hidden, until somebody says."""

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from tabletop.errors import DreyerError
from vision.images import Gray
from vision.snapshot import UnknownTag
from vision.tags.partly_hidden import PartlySeen


class UnknownTags:
    """The markers that the latest search could not name; each has one key while it lies there."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = dict(names)
        self._numbers = count(1)
        self._parts: dict[int, PartlySeen] = {}
        self._gray: Gray | None = None

    @property
    def tags(self) -> tuple[UnknownTag, ...]:
        """The markers as a snapshot has them."""
        return tuple(
            UnknownTag(
                key,
                part.guess.x_mm,
                part.guess.y_mm,
                part.corners_px,
                tuple(self._names[each.guess.marker_id] for each in part.may_be),
            )
            for key, part in self._parts.items()
        )

    def replace(
        self, gray: Gray, parts: Sequence[PartlySeen], known_again: Sequence[PartlySeen]
    ) -> None:
        """Take the markers of a new search, apart from those that are known by now."""
        before, self._parts = self._parts, {}
        for part in parts:
            if not any(each is other for each in part.may_be for other in known_again):
                key = next((k for k, old in before.items() if _same_place(part, old)), None)
                self._parts[next(self._numbers) if key is None else key] = part
        self._gray = gray

    def take(self, key: int, name: str) -> tuple[Gray, PartlySeen]:
        """The marker as this ship's, with the picture that shows it; it is unknown no longer."""
        part = self._parts.get(key)
        possible = () if part is None else part.may_be
        chosen = next((e for e in possible if self._names[e.guess.marker_id] == name), None)
        if chosen is None or self._gray is None:
            raise DreyerError("vision.unknown.gone")
        del self._parts[key]
        return self._gray, chosen

    def forget(self) -> None:
        """Nothing can be measured any more."""
        self._parts.clear()
        self._gray = None


def _same_place(one: PartlySeen, other: PartlySeen) -> bool:
    apart = np.hypot(one.guess.x_mm - other.guess.x_mm, one.guess.y_mm - other.guess.y_mm)
    return bool(apart < one.guess.size_mm / 2)
