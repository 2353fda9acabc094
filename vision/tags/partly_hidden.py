"""Markers of which a model or a hand hides a part, compared cell by cell with what is known.

With the table's plane solved, a marker's size in the picture is known wherever it lies. A dark
border in a white frame is looked for, of which most is to be seen; its cells are then compared one
by one with the codes in play. Where no code explains them much better than all others, the marker
is seen and not known.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration_file import MarkerHeight
from calibration.homography import TablePlane, TableSize
from calibration.markers import Family, tag_bits
from vision.images import Array, Floats, Gray
from vision.overhead import MARGIN_MM, view_from_above
from vision.tags.align import GAMMA, Fit, Freedom, Mask, align, apply, corners_of
from vision.tags.blurred_pattern import normal_share
from vision.tags.cell_evidence import explain, hidden_costs
from vision.tags.decode import grey_around
from vision.tags.detect import LEAST_CONTRAST
from vision.tags.pose import TagGuess, mm_to_tag, pixels_to_mm

LEAST_VISIBLE: Final = 0.6
_LEAST_TRIED: Final = 0.45
"""The share of a marker's modules that must be to be seen."""
_PX_PER_MARKER: Final = 18
_LARGEST_VIEW_PX: Final = 3e6
_LEAST_SIDE_PX: Final = 11.0
"""In the picture: of smaller markers a part tells nothing."""
_STEP_PX: Final = 2
"""The raster of places, in the view from above."""
_LEAST_CONTRAST: Final = 45
_LEAST_EDGED: Final = 0.7
_LEAST_PAPER: Final = 0.2
_MOST_PAPER: Final = 0.96
"""The shares of the surroundings that are edges and paper; white that ran over leaves no more."""
_LEAST_LIGHT: Final = 0.55
"""White paper against the lightest of the table."""
_MOST_PLACES: Final = 9000
_TAKEN: Final = 0.85
"""So many sides of a marker around one that is known no other lies."""
_ANGLES: Final = np.radians(np.arange(0, 90, 7.5))
_PAIR_CONTRAST: Final = 0.35
"""By how much of the place's contrast the frame must be lighter than the border beside it."""
_LEAST_PAIRS: Final = 0.58
_AT_MOST: Final = 40
_POSES_EACH: Final = 6
_BLUR_PX: Final = 0.75
_AGREES: Final = 0.36
"""Before it is placed exactly a cell agrees with a code if its grey is so near."""
_TRIED_CODES: Final = 48
"""So many codes that the cells are like are compared closely."""
_LEAST_LEAD: Final = 7.0
"""By so much must a code explain the cells better than any other in play, in logarithms."""
_LEAST_LEAD_OUTSIDE: Final = 6.5
"""The same over codes that are not in play, or known elsewhere."""
_LEAST_GAIN: Final = 20.0
"""And so much better than if there were no marker at all."""
LEAST_PARTLY_SCORE: Final = 0.88
_LEAST_UNNAMED_SCORE: Final = 0.93
_SIZE_MATCH: Final = 1.14
_LEAST_INNER: Final = 7
"""Cells inside the border that must be to be seen."""
_STEPS: Final = 6
_CLIPPED: Final = 250


@dataclass(frozen=True, slots=True, eq=False)
class PartlySeen:
    """A marker of which a part is hidden."""

    guess: TagGuess
    """Its place; the marker's id is the likeliest if it is not known."""
    visible: Mask
    """Which of its modules, with one of white around, agree with its code."""
    known: bool
    """Whether no other code in play is possible there."""
    corners_px: Array
    may_be: tuple["PartlySeen", ...] = ()
    """What it is as each possible code in play, the likeliest first, if it is not known."""


def search_partly_hidden(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    table: TableSize,
    sizes_mm: Mapping[int, float],
    heights_mm: Mapping[int, float],
    taken_mm: Array,
) -> list[PartlySeen]:
    """The markers in play, by size, none of them seen yet, apart from places already taken."""
    seen: list[PartlySeen] = []
    kinds = sorted({(size, heights_mm.get(number, 0.0)) for number, size in sizes_mm.items()})
    for size, height in kinds:
        ids = [n for n, s in sizes_mm.items() if (s, heights_mm.get(n, 0.0)) == (size, height)]
        places = [*taken_mm, *(np.array([p.guess.x_mm, p.guess.y_mm]) for p in seen)]
        seen += _of_one_kind(gray, family, plane, table, size, height, ids, np.array(places))
    named = [p.guess.marker_id for p in seen if p.known]
    # One marker cannot be in two places.
    return [p for p in seen if not p.known or named.count(p.guess.marker_id) == 1]


def _of_one_kind(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    table: TableSize,
    size: float,
    height: float,
    ids: Sequence[int],
    taken: Array,
) -> list[PartlySeen]:
    poses = _framed_poses(gray, family, plane, table, size, height, taken)
    kept: list[PartlySeen] = []
    for cluster in poses:
        guesses = [
            TagGuess(ids[0], x, y, math.degrees(a), size, MarkerHeight(height, 0.0))
            for x, y, a in cluster
        ]
        found = _read(gray, family, plane, guesses, height, ids)
        if found is not None and all(not _same_place(found, other) for other in kept):
            kept.append(found)
    return kept


def _same_place(one: PartlySeen, other: PartlySeen) -> bool:
    apart = math.hypot(one.guess.x_mm - other.guess.x_mm, one.guess.y_mm - other.guess.y_mm)
    return apart < 0.6 * one.guess.size_mm


def _framed_poses(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    table: TableSize,
    size: float,
    height: float,
    taken: Array,
) -> list[list[tuple[float, float, float]]]:
    """Places with directions (up to a quarter turn) where a dark border lies in a white frame."""
    area = (table.width_mm + 2 * MARGIN_MM) * (table.height_mm + 2 * MARGIN_MM)
    scale = min(_PX_PER_MARKER / size, math.sqrt(_LARGEST_VIEW_PX / area))
    module = float(scale * size / family.modules)
    flat = view_from_above(gray, plane, table, height, scale)
    near = np.ones((2 * round(1.5 * module) + 1,) * 2, np.uint8)
    light, dark = cv2.dilate(flat, near), cv2.erode(flat, near)
    least = _LEAST_LIGHT * float(np.percentile(flat[::4, ::4], 99.5))
    edged = (cv2.subtract(light, dark) > _LEAST_CONTRAST) & (dark < 0.75 * light)
    # The middle of a marker is among edges, and there is paper as well as ink around.
    reach = 2 * round(2 * module) + 1
    amount = cv2.boxFilter(edged.astype(np.float32), -1, (reach, reach))
    around = (2 * round(family.modules / 2 * 1.3 * module) + 1,) * 2
    paper = cv2.boxFilter((flat > least).astype(np.float32), -1, around)
    likely = (amount > _LEAST_EDGED) & (paper > _LEAST_PAPER) & (paper < _MOST_PAPER)
    rows, columns = np.nonzero(likely[::_STEP_PX, ::_STEP_PX])
    centre = np.column_stack([columns, rows]) * float(_STEP_PX)
    place = centre * [1, -1] / scale + [-MARGIN_MM, table.height_mm + MARGIN_MM]
    if len(taken) and len(place):
        away = np.ones(len(place), dtype=bool)
        for spot in taken:
            away &= ((place - spot) ** 2).sum(axis=1) > (_TAKEN * size) ** 2
        centre, place = centre[away], place[away]
    if not len(place):
        return []
    with np.errstate(all="ignore"):
        inside = plane.px_per_mm(place) * size >= _LEAST_SIDE_PX
    centre, place = centre[inside], place[inside]
    if not len(place):
        return []
    if len(place) > _MOST_PLACES:
        columns, rows = centre.astype(int).T
        clearest = np.argsort(-amount[rows, columns], kind="stable")[:_MOST_PLACES]
        centre, place = centre[clearest], place[clearest]
    share = _frame_share(flat, family, centre, module)
    best = share.max(axis=1)
    clusters: list[list[tuple[float, float, float]]] = []
    left = best >= _LEAST_PAIRS
    order = np.argsort(-best)
    for index in order[left[order]]:
        if not left[index]:
            continue
        around = np.linalg.norm(place - place[index], axis=1) < 0.35 * size
        group = np.flatnonzero(around & (best >= _LEAST_PAIRS))
        flat_order = np.argsort(-share[group], axis=None)[:_POSES_EACH]
        which, angle = np.unravel_index(flat_order, share[group].shape)
        clusters.append(
            [
                (*place[group[w]].tolist(), float(_ANGLES[a]))
                for w, a in zip(which.tolist(), angle.tolist(), strict=True)
            ]
        )
        left &= ~around
        if len(clusters) >= _AT_MOST:
            break
    return clusters


def _frame_share(flat: Gray, family: Family, centre: Floats | Array, module: float) -> Floats:
    """The share of the border's modules that are darker than the white beside them (P, angles)."""
    half = family.modules / 2
    line = np.arange(family.modules) + 0.5 - half
    sides = [
        np.stack(
            [np.column_stack([line, np.full(len(line), edge)]) for edge in (half + 0.5, half - 0.5)]
        )
    ]
    for _ in range(3):
        sides.append(np.stack([sides[-1][..., 1], -sides[-1][..., 0]], axis=-1))
    spots = np.concatenate(sides, axis=1) * module
    out = np.empty((len(centre), len(_ANGLES)), np.float32)
    for k, angle in enumerate(_ANGLES):
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        where = (centre[:, None, None] + spots @ turn.T).astype(np.float32)
        values = cv2.remap(
            flat,
            np.ascontiguousarray(where[..., 0]).reshape(len(centre), -1),
            np.ascontiguousarray(where[..., 1]).reshape(len(centre), -1),
            cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
        ).reshape(len(centre), 2, -1).astype(np.float32)  # fmt: skip
        white, black = values[:, 0], values[:, 1]
        span = np.percentile(white, 70, axis=1) - np.percentile(black, 30, axis=1)
        least = np.maximum(_PAIR_CONTRAST * span, 18.0)
        out[:, k] = (white - black > least[:, None]).mean(axis=1)
    return out


def _read(
    gray: Gray,
    family: Family,
    plane: TablePlane,
    guesses: Sequence[TagGuess],
    height: float,
    ids: Sequence[int],
) -> PartlySeen | None:
    """Who might lie at one of these poses, all of about one place."""
    guess, visible = _likeliest(gray, family, plane, guesses, ids)
    found: _Laid | None = None
    for _ in range(2):
        if visible[1:-1, 1:-1].mean() < _LEAST_TRIED:
            return None
        found = _laid_over(gray, family, plane, guess, visible, height)
        if found is None:
            return None
        guess, visible = found.guess, found.visible
    if found is None or not found.is_believed:
        return None
    inside, outside = found.leads(ids)
    known = inside >= _LEAST_LEAD and outside >= _LEAST_LEAD_OUTSIDE
    # A marker that is not in play, or known elsewhere, may be the better answer.
    if not known and (outside < 0 or found.fit.score < _LEAST_UNNAMED_SCORE):
        return None
    may_be = () if known else found.each_of(ids)
    return PartlySeen(guess, visible, known, found.corners_px, may_be)


def _likeliest(
    gray: Gray, family: Family, plane: TablePlane, guesses: Sequence[TagGuess], ids: Sequence[int]
) -> tuple[TagGuess, Mask]:
    """The code in play, with the pose among these, that most cells are like; and those cells."""
    from_tag = _from_tag(family, plane, guesses)
    cells = _cell_values(gray, family, from_tag)
    blur = float(np.median(_blur_modules(family, from_tag, _BLUR_PX)))
    wanted = _codes_in_play(ids)
    codes = _codes(family, blur, bool(cells.max() >= _CLIPPED))
    error = np.stack([np.abs(_shown(values, codes) - codes) for values in cells])[:, wanted]
    like = _likeness(error)
    pose, best = (int(i) for i in np.unravel_index(int(like.argmax()), like.shape))
    number, turn = divmod(int(wanted[best]), 4)
    first = guesses[pose]
    # A code turned against the clock has its upper edge there, and headings count clockwise.
    heading = (first.heading_deg - 90.0 * turn) % 360
    visible = np.rot90(error[pose, best] < _AGREES, -turn)
    return replace(first, marker_id=number, heading_deg=heading), visible


def _explained(
    values: Floats, codes: Floats, wanted: NDArray[np.intp]
) -> tuple[Floats, Mask, float]:
    """The cost of each code, its hidden cells, and what it costs if there is no marker.

    Of the codes those that the cells are most like are looked at; the others cost any amount.
    """
    grey = _shown(values, codes)
    error = np.abs(grey - codes)
    order = np.argsort(-_likeness(error[wanted]), kind="stable")[:_TRIED_CODES]
    tried = wanted[order]
    known = np.where(_outside(len(grey)), np.median(codes, axis=0), np.nan)
    price = hidden_costs(grey, np.asarray(known, dtype=np.float32))
    cost = np.full(len(codes), np.inf, np.float32)
    hidden = np.zeros(codes.shape, dtype=bool)
    cost[tried], hidden[tried] = explain(error[tried], price)
    return cost, hidden, float(price.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A code laid over what is to be seen of it."""

    guess: TagGuess
    fit: Fit
    cost: Floats
    """What it costs to explain the cells by each code of the family."""
    hidden: Mask
    """The cells that are hidden if it is that code (codes, cells)."""
    nothing_cost: float
    """What it costs if there is no marker."""
    corners_px: Array

    @property
    def own(self) -> int:
        """The index of its own code."""
        return 4 * self.guess.marker_id

    @property
    def visible(self) -> Mask:
        """The cells that are to be seen."""
        return np.asarray(~self.hidden[self.own])

    @property
    def is_believed(self) -> bool:
        """Whether there is such a marker, whoever it is."""
        inner = self.visible[1:-1, 1:-1]
        return bool(
            self.fit.score >= LEAST_PARTLY_SCORE
            and inner.mean() >= LEAST_VISIBLE
            and inner[1:-1, 1:-1].sum() >= _LEAST_INNER
            and self.nothing_cost - self.cost[self.own] >= _LEAST_GAIN
        )

    def each_of(self, ids: Sequence[int]) -> tuple[PartlySeen, ...]:
        """The marker as each code in play that is possible, one turn of each, the likeliest first.

        Its own code is among them.
        """
        codes = [
            code
            for code in _codes_in_play(ids).tolist()
            if self.cost[code] < self.cost[self.own] + _LEAST_LEAD
        ]
        each: dict[int, PartlySeen] = {}
        for code in sorted(codes, key=lambda code: float(self.cost[code])):
            number, turn = divmod(code, 4)
            if number not in each:
                # As in `_likeliest`: a code turned against the clock has its upper edge there.
                guess = replace(
                    self.guess,
                    marker_id=number,
                    heading_deg=(self.guess.heading_deg - 90.0 * turn) % 360,
                )
                visible = np.rot90(~self.hidden[code], -turn)
                each[number] = PartlySeen(guess, visible, True, np.roll(self.corners_px, turn, 0))
        return tuple(each.values())

    def leads(self, ids: Sequence[int]) -> tuple[float, float]:
        """By how much it is the better answer than any other code in play, and than the rest."""
        in_play = np.zeros(len(self.cost), dtype=bool)
        in_play[_codes_in_play(ids)] = True
        others = self.cost - self.cost[self.own]
        others[self.own] = np.inf
        inside, outside = others[in_play], others[~in_play]
        return float(inside.min()), float(outside.min(initial=np.inf))


def _codes_in_play(ids: Sequence[int]) -> NDArray[np.intp]:
    """The indices of some markers' codes in each of four turns."""
    return np.asarray((4 * np.array(ids)[:, None] + np.arange(4)).ravel(), dtype=np.intp)


@cache
def _outside(side: int) -> Mask:
    """The border and the white around it, which are alike in all codes."""
    outside = np.ones((side, side), dtype=bool)
    outside[2:-2, 2:-2] = False
    return outside


def _laid_over(
    gray: Gray, family: Family, plane: TablePlane, guess: TagGuess, visible: Mask, height: float
) -> _Laid | None:
    """The marker aligned by the cells that are to be seen; None if it has not the size it must."""
    place = np.array([[guess.x_mm, guess.y_mm]])
    local = pixels_to_mm(plane, place, np.full(1, height), np.full(1, guess.size_mm))
    fit = align(
        gray, family, [guess.marker_id], mm_to_tag(family, [guess]) @ local,
        Freedom.SIMILARITY, blur_px=_BLUR_PX, steps=_STEPS, visible=visible[None],
    )[0]  # fmt: skip
    if fit is None or fit.contrast < LEAST_CONTRAST:
        return None
    exact = np.asarray(np.linalg.inv(fit.to_tag)[None], dtype=np.float64)
    back = local[0] @ exact[0]
    back /= back[2, 2]
    bow = -back[:2, 1]
    size = float(np.linalg.norm(bow)) * family.modules
    if not 1 / _SIZE_MATCH < size / guess.size_mm < _SIZE_MATCH:
        return None
    turn = math.degrees(math.atan2(bow[0], bow[1])) % 360
    moved = TagGuess(guess.marker_id, float(back[0, 2]), float(back[1, 2]), turn, guess.size_mm)
    values = _cell_values(gray, family, exact)[0]
    spread = float(_blur_modules(family, exact, fit.blur_px)[0])
    codes = _codes(family, spread, fit.exposure > 1)
    cost, hidden, nothing = _explained(values, codes, np.arange(len(codes)))
    # Whoever it was taken for may not even be among the likeliest.
    if not np.isfinite(cost[4 * guess.marker_id]):
        return None
    return _Laid(moved, fit, cost, hidden, nothing, apply(exact[0], corners_of(family)))


def _likeness(error: Floats) -> Floats:
    """How many of a marker's modules are as a code says; those quite otherwise count nothing."""
    return np.asarray(np.maximum(1 - (error[..., 1:-1, 1:-1] / 0.5) ** 2, 0).sum(axis=(-1, -2)))


def _from_tag(family: Family, plane: TablePlane, guesses: Sequence[TagGuess]) -> Array:
    place = np.array([[g.x_mm, g.y_mm] for g in guesses])
    local = pixels_to_mm(
        plane,
        place,
        np.array([g.height.mm for g in guesses]),
        np.array([g.size_mm for g in guesses]),
    )
    return np.asarray(np.linalg.inv(mm_to_tag(family, guesses) @ local))


def _blur_modules(family: Family, from_tag: Array, blur_px: float) -> Array:
    corners = apply(from_tag, corners_of(family))
    side = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1)
    return np.asarray(blur_px * family.modules / side)


def _cell_values(gray: Gray, family: Family, from_tag: Array) -> Floats:
    """The mean grey of every module and of one more around (N, side + 2, side + 2)."""
    side = family.modules + 2
    middle = np.arange(side) + 0.5 - side / 2
    # The white is looked at near the border: the paper may end there.
    middle[[0, -1]] *= (side / 2 - 0.6) / (side / 2 - 0.5)
    return grey_around(gray, middle, from_tag)


def _shown(values: Floats, codes: Floats) -> Floats:
    """Each cell's grey, black being 0 and white 1."""
    ring = np.ones(values.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    border = ~ring
    border[2:-2, 2:-2] = False
    # A third of them may be hidden, by something light or dark.
    light, dark = float(np.percentile(values[ring], 60)), float(np.percentile(values[border], 40))
    level = (values - dark) / max(light - dark, 8.0)
    # Codes are told from the border's black, which white around brightens in a small marker.
    black = float(np.median(codes[:, border]))
    return np.asarray(np.clip(black + (1 - black) * level, -0.3, 1.3), dtype=np.float32)


@lru_cache(maxsize=64)
def _codes_of(family: Family, blur_step: int, clipped: bool) -> Floats:
    side = family.modules + 2
    blur = blur_step * 0.05
    far = (np.arange(side)[:, None] + 0.5 - np.arange(side + 1)) / blur
    share = normal_share(np.asarray(far, dtype=np.float64))
    share = share[:, :-1] - share[:, 1:]
    bits = np.stack([np.pad(1.0 - tag_bits(family, n), 1) for n in range(family.size)])
    light = 1 - share @ bits @ share.T
    if clipped:
        light = np.clip(2.0 * light, 0.0, 1.0) ** (1 / GAMMA)
    turns = [np.rot90(light, turn, axes=(1, 2)) for turn in range(4)]
    codes: Floats = np.stack(turns, axis=1).reshape(-1, side, side).astype(np.float32)
    return codes


def _codes(family: Family, blur_modules: float, clipped: bool) -> Floats:
    """Every tag with the white around it in each of four turns, blurred: black 0, white 1."""
    return _codes_of(family, int(np.clip(round(blur_modules / 0.05), 2, 16)), clipped)
