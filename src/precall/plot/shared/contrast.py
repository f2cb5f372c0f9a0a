"""Colours that are readable on an unknown ground: notebooks are light or dark, and a picture inside
them cannot find out which.

Light parts of a picture made for white paper become transparent. Ink gets a lightness between those
of white and of black, with a contrast of 3 : 1 to white and to the dark grounds of notebooks (#111
to #1e1e1e). Hues and the order of lightness are kept.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

#: Relative luminance (WCAG) of ink: for black, and for the lightest colour that is no tint.
DARKEST, LIGHTEST = 0.18, 0.27
#: The lightest colours of lines have a contrast of 3 : 1 with white.
_INK = 0.3
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def luminance(colours: object) -> npt.NDArray[np.float64]:
    """Relative luminance of sRGB colours, whose last axis is red, green and blue from 0 to 1.

    Examples
    --------
    >>> float(luminance([1.0, 1.0, 1.0])), float(luminance([0.0, 0.0, 0.0]))
    (1.0, 0.0)
    """
    return np.asarray(_linear(np.asarray(colours, np.float64)) @ _WEIGHTS)


def anywhere(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Pixels with colours that are readable on any ground. The last axis is red, green, blue and
    alpha.

    Examples
    --------
    >>> anywhere(np.array([[255, 255, 255, 255], [0, 0, 0, 255]], np.uint8)).tolist()
    [[255, 255, 255, 0], [118, 118, 118, 255]]
    """
    converted = np.array(pixels, np.uint8)
    flat = converted.reshape(-1, 4)
    # A picture has few different colours, so each is converted once; transparent ones are
    # invisible.
    keys, inverse = np.unique(np.ascontiguousarray(flat).view(np.uint32), return_inverse=True)
    colours = np.ascontiguousarray(keys).view(np.uint8).reshape(-1, 4).astype(np.float64) / 255
    shade = _shade(colours)
    return np.asarray(
        np.rint(255 * shade).astype(np.uint8)[inverse.ravel()].reshape(converted.shape)
    )


@cache
def readable(colour: str) -> str:
    """A colour that is readable on any ground.

    Examples
    --------
    >>> readable("#000000"), readable("#C4C4C4")
    ('#767676', '#8e8e8ea3')
    """
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    red, green, blue, alpha = anywhere(np.array([[*parts, 255]], np.uint8))[0].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}" + (f"{alpha:02x}" if alpha < 255 else "")


def _shade(colours: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    linear, light = _linear(colours[:, :3]), luminance(colours[:, :3])
    wanted = DARKEST + (LIGHTEST - DARKEST) * np.minimum(light / _INK, 1)
    # Multiplying all channels by one factor keeps the hue. White is mixed in if a channel would
    # exceed 1, and for black.
    most = linear.max(axis=1)
    factor = np.minimum(
        np.divide(wanted, light, out=np.ones(len(light)), where=light > 0),
        1 / np.maximum(most, 1e-9),
    )
    linear = linear * factor[:, None]
    light_now = linear @ _WEIGHTS
    share = np.clip((wanted - light_now) / (1 - light_now), 0, 1)
    linear = linear + (1 - linear) * share[:, None]
    alpha = colours[:, 3] * np.minimum((1 - light) / (1 - _INK), 1)
    rgb = np.where(alpha[:, None] > 0, _gamma(linear), 1.0)
    return np.concatenate((rgb, alpha[:, None]), axis=1)


def _linear(colours: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)


def _gamma(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
