"""Whole-pattern alignment: exact to hundredths of a pixel, sure of itself only where it may be."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.markers import LARGE, SMALL, Family, tag_bits
from vision.tags.align import Freedom, align, apply, corners_of, to_tag_from_corners
from vision.tags.decode import not_another

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]
SIDE = 90


def picture(
    family: Family,
    marker_id: int,
    to_tag: Array,
    *,
    blur_px: float = 0.6,
    noise: float = 1.5,
    gamma: float = 1.0,
    seed: int = 4,
) -> Gray:
    """A tag on white paper as a camera sees it, sixteen rays a pixel side."""
    rays = 16
    line = (np.arange(SIDE * rays) + 0.5) / rays - 0.5
    spots = apply(to_tag, np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2))
    bits = np.pad(tag_bits(family, marker_id), 1, constant_values=1)
    cells = np.clip(np.floor(spots + family.modules / 2).astype(int) + 1, 0, family.modules + 1)
    light = (30.0 + 180.0 * bits[cells[:, 1], cells[:, 0]]) / 255
    pixels = (light**gamma).reshape(SIDE, rays, SIDE, rays).mean(axis=(1, 3))
    blurred = cv2.GaussianBlur(pixels, (0, 0), blur_px) ** (1 / gamma) * 255
    noisy = blurred + np.random.default_rng(seed).normal(0, noise, blurred.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), dtype=np.uint8)


def quad(side_px: float = 26.0, turn_deg: float = 25.0) -> Array:
    """A tag's corners, turned and seen at a slant, off the pixel grid."""
    turn = np.radians(turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_px / 2
    slanted = square @ rotation.T * [1.0, 0.8]
    return np.asarray(slanted * (1 + slanted[:, 1:] * 0.0015) + [44.37, 45.71])


def off(corners: Array) -> Array:
    """A first guess about half a pixel wrong, as contours give it."""
    return corners + np.random.default_rng(7).uniform(-0.6, 0.6, (4, 2))


@pytest.mark.parametrize(("family", "marker_id"), [(SMALL, 5), (SMALL, 22), (LARGE, 140)])
@pytest.mark.parametrize("gamma", [1.0, 2.2], ids=["linear", "gamma"])
def test_corners_to_hundredths_of_a_pixel(family: Family, marker_id: int, gamma: float) -> None:
    true = quad()
    gray = picture(family, marker_id, to_tag_from_corners(family, true), gamma=gamma)
    guess = to_tag_from_corners(family, off(true))[None]
    (fit,) = align(gray, family, [marker_id], guess, Freedom.PERSPECTIVE)
    assert fit is not None
    assert fit.score > 0.97
    error = apply(np.asarray(np.linalg.inv(fit.to_tag)), corners_of(family)) - true
    assert np.abs(error).max() < 0.12
    assert np.linalg.norm(error.mean(axis=0)) < 0.03


@pytest.mark.parametrize("blur_px", [0.6, 1.0, 1.6])
def test_the_blur_is_found_along(blur_px: float) -> None:
    true = quad(32)
    gray = picture(SMALL, 13, to_tag_from_corners(SMALL, true), blur_px=blur_px)
    guess = to_tag_from_corners(SMALL, off(true))[None]
    (fit,) = align(gray, SMALL, [13], guess, Freedom.PERSPECTIVE)
    assert fit is not None
    assert fit.blur_px == pytest.approx(np.hypot(blur_px, 0.29), rel=0.15)
    assert fit.contrast == pytest.approx(180, rel=0.08)


def test_a_known_plane_makes_the_heading_sure() -> None:
    errors = []
    for seed in range(12):
        true = quad(24, turn_deg=17.0 * seed)
        exact = to_tag_from_corners(SMALL, true)
        gray = picture(SMALL, 4 + seed % 4, exact, noise=2.0, seed=seed)
        turned = np.array(
            [[np.cos(0.02), -np.sin(0.02), 0.1], [np.sin(0.02), np.cos(0.02), 0], [0, 0, 1]]
        )
        (fit,) = align(gray, SMALL, [4 + seed % 4], (turned @ exact)[None], Freedom.SIMILARITY)
        assert fit is not None
        left = fit.to_tag @ np.linalg.inv(exact)
        left /= left[2, 2]
        angle = np.degrees(np.arctan2(left[1, 0], left[0, 0]))
        sigma = np.degrees(np.sqrt(fit.covariance[2, 2]) / 3)
        errors.append((abs(angle), sigma))
    assert np.mean([error for error, _ in errors]) < 0.12
    assert np.mean([error < 3.5 * sigma for error, sigma in errors]) > 0.9


def test_a_finger_over_an_edge_moves_nothing() -> None:
    true = quad(40)
    gray = picture(SMALL, 21, to_tag_from_corners(SMALL, true))
    low = np.floor(true.min(axis=0)).astype(int)
    gray[low[1] : low[1] + 14, low[0] : low[0] + 9] = 120
    guess = to_tag_from_corners(SMALL, off(true))[None]
    (fit,) = align(gray, SMALL, [21], guess, Freedom.PERSPECTIVE)
    assert fit is not None
    centre = apply(np.asarray(np.linalg.inv(fit.to_tag)), np.zeros((1, 2)))[0]
    middle = apply(np.asarray(np.linalg.inv(to_tag_from_corners(SMALL, true))), np.zeros((1, 2)))[0]
    assert np.linalg.norm(centre - middle) < 0.25


def test_another_tag_does_not_look_like_it() -> None:
    true = quad()
    exact = to_tag_from_corners(SMALL, true)
    gray = picture(SMALL, 30, exact)
    from_tag = np.tile(np.linalg.inv(exact), (2, 1, 1))
    for stranger in (4, 13, 22, 31):
        (fit,) = align(gray, SMALL, [stranger], exact[None], Freedom.PERSPECTIVE)
        assert fit is None or fit.score < 0.9
        assert not_another(gray, SMALL, [30, stranger], from_tag) == [True, False]


def test_nothing_to_see_gives_no_fit() -> None:
    exact = to_tag_from_corners(SMALL, quad())
    blank = np.full((SIDE, SIDE), 127, np.uint8)
    (fit,) = align(blank, SMALL, [5], exact[None], Freedom.PERSPECTIVE)
    assert fit is None or fit.score < 0.3
    assert align(blank, SMALL, [], np.empty((0, 3, 3)), Freedom.SIMILARITY) == []


def test_a_tag_outside_the_picture_gives_no_fit() -> None:
    exact = to_tag_from_corners(SMALL, quad() + 5000)
    (fit,) = align(np.zeros((SIDE, SIDE), np.uint8), SMALL, [5], exact[None], Freedom.PERSPECTIVE)
    assert fit is None


@pytest.mark.parametrize("turn_deg", [20.0, 45.0, 70.0])
def test_a_soft_tag_seen_aslant_is_not_skewed(turn_deg: float) -> None:
    corners = (quad(40.0, turn_deg) - [44.37, 45.71]) * [1.0, 0.85] + [44.37, 45.71]
    to_tag = to_tag_from_corners(SMALL, corners)
    fits = [
        align(
            picture(SMALL, marker_id, to_tag, blur_px=1.0, noise=0.5),
            SMALL,
            [marker_id],
            to_tag_from_corners(SMALL, off(corners))[None],
            Freedom.PERSPECTIVE,
        )[0]
        for marker_id in (5, 13, 22, 30)
    ]
    found = np.stack([np.linalg.inv(fit.to_tag) for fit in fits if fit is not None])
    error = apply(found, corners_of(SMALL)) - corners
    assert len(found) == 4
    # What all tags share is no noise.
    assert np.abs(error.mean(axis=0)).max() < 0.03


def test_a_tag_cut_out_close_is_as_large_as_any() -> None:
    corners = quad(18.0, 30.0)
    to_tag = to_tag_from_corners(SMALL, corners)
    line = np.arange(SIDE, dtype=np.float64)
    spots = apply(to_tag, np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2))
    paper = (np.abs(spots) < SMALL.modules / 2 + 1).all(axis=1).reshape(SIDE, SIDE)
    sizes = []
    for marker_id in (5, 13, 22, 30):
        sharp = picture(SMALL, marker_id, to_tag, blur_px=0.4, noise=0.0).astype(np.float64)
        gray = cv2.GaussianBlur(np.where(paper, sharp, 45.0), (0, 0), 1.0)
        guess = to_tag_from_corners(SMALL, off(corners))[None]
        (fit,) = align(
            np.asarray(gray.round(), dtype=np.uint8), SMALL, [marker_id], guess, Freedom.PERSPECTIVE
        )
        assert fit is not None
        found = apply(np.asarray(np.linalg.inv(fit.to_tag), dtype=np.float64), corners_of(SMALL))
        sides = [np.linalg.norm(c - np.roll(c, 1, axis=0), axis=1).mean() for c in (found, corners)]
        sizes.append(sides[0] - sides[1])
    assert abs(float(np.mean(sizes))) < 0.06
