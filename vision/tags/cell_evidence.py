"""What the cells of a marker say about its code when something lies over a part of them.

Each cell either shows the code or is hidden, and what hides it hangs together. For a code the
likeliest hidden cells are looked for, and what all of that would cost: the negative logarithm of
its likelihood. Codes are compared by their costs, so every cell counts for what it is worth.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.images import Floats

Mask = NDArray[np.bool_]

_SPREAD: Final = 0.13
"""The σ of a visible cell's grey, black being 0 and white 1."""
_MOST_COST: Final = 7.0
"""What a visible cell costs at most, however wrong it is."""
_ANY_GREY: Final = 0.6
"""What hides a cell may have any grey: the density of that range."""
_LIKE_THE_REST: Final = 0.7
"""The share of what hides cells that has the grey it has elsewhere; the σ of that grey."""
_REST_SPREAD: Final = 0.12
_PLAINLY_OFF: Final = 0.45
_EDGE_COST: Final = 0.8
"""What each border between a hidden and a visible cell costs."""
_SWEEPS: Final = 4
_VISIBLE_COST: Final = float(np.log(_SPREAD * np.sqrt(2 * np.pi)))


def hidden_costs(grey: Floats, known: Floats) -> Floats:
    """What it costs each cell to be hidden, by its grey (rows, columns).

    `known` says what the cells would show that are alike in all codes, and is NaN elsewhere: where
    they do not show it, what hides them shows its own grey.
    """
    rest = grey[np.nan_to_num(np.abs(grey - known)) > _PLAINLY_OFF]
    density = np.full(grey.shape, _ANY_GREY)
    if len(rest):
        far = (grey[..., None] - rest) / _REST_SPREAD
        alike = np.exp(-(far**2) / 2).mean(axis=-1) / (_REST_SPREAD * np.sqrt(2 * np.pi))
        density = (1 - _LIKE_THE_REST) * density + _LIKE_THE_REST * alike
    return np.asarray(-np.log(density), dtype=np.float32)


def explain(error: Floats, hidden_cost: Floats) -> tuple[Floats, Mask]:
    """The cost of each code and the cells that are hidden if it is the one.

    `error` says by how much each cell's grey is off each code's (codes, rows, columns).
    """
    seen = np.minimum(_VISIBLE_COST + (error / _SPREAD) ** 2 / 2, _MOST_COST).astype(np.float32)
    gain = seen - hidden_cost
    results: list[tuple[Floats, Mask]] = []
    for start in (gain > 0, gain > -_EDGE_COST):
        hidden = _settled(gain, start)
        cost = np.where(hidden, hidden_cost, seen).sum(axis=(1, 2))
        results.append((cost + np.float32(_EDGE_COST) * _borders(hidden), hidden))
    (cost, hidden), (other, otherwise) = results
    better = other < cost
    return np.where(better, other, cost), np.where(better[:, None, None], otherwise, hidden)


def _settled(gain: Floats, hidden: Mask) -> Mask:
    """Cell by cell what costs least beside its neighbours, every other cell at a time."""
    rows, columns = np.indices(gain.shape[1:])
    even = (rows + columns) % 2 == 0
    inner = np.full(gain.shape[1:], 4.0, np.float32)
    inner[[0, -1]] -= 1
    inner[:, [0, -1]] -= 1
    for _ in range(_SWEEPS):
        for part in (even, ~even):
            around = np.zeros(gain.shape, np.float32)
            around[:, 1:] += hidden[:, :-1]
            around[:, :-1] += hidden[:, 1:]
            around[:, :, 1:] += hidden[:, :, :-1]
            around[:, :, :-1] += hidden[:, :, 1:]
            wants = gain > np.float32(_EDGE_COST) * (inner - 2 * around)
            hidden = np.where(part, wants, hidden)
    return hidden


def _borders(hidden: Mask) -> Floats:
    down = (hidden[:, 1:] != hidden[:, :-1]).sum(axis=(1, 2))
    across = (hidden[:, :, 1:] != hidden[:, :, :-1]).sum(axis=(1, 2))
    return np.asarray(down + across, dtype=np.float32)
