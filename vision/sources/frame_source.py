"""What all sources of frames have in common.

Every source is read in the same way: `read()` gives the next `Frame`, or a `Trouble` that says
what is wrong and what to do about it. A source that dies is opened again by itself,
first soon and then less often; nothing is ever raised at the one who reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

import numpy as np

from tabletop.errors import Where
from tabletop.messages import Message
from vision.images import Image

FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_WAIT_SECONDS: Final = 8.0
_PATIENCE_SECONDS: Final = 0.25
"""How long one `read()` may sleep before it says again what the trouble is."""
_DARK: Final = 10
"""Nothing in a black frame is brighter than this, of 255."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time and how to let it pass; given from outside, so that tests need not wait."""

    now: Callable[[], float]
    sleep: Callable[[float], None]


@dataclass(frozen=True)
class Frame:
    """One picture, blue green red; a picture that is shown again keeps its number."""

    image: Image
    seconds: float
    number: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no picture just now; the message has a remedy."""

    message: Message
    over: bool = False
    """Whether nothing more will come: the video is at its end, the photo is no photo."""
    black: bool = False
    """Whether a camera sends pictures, all of them black."""


class FrameSource(Protocol):
    """Anything that gives frames."""

    @property
    def name(self) -> Message:
        """What to call it on the page."""

    def read(self) -> Frame | Trouble:
        """The next picture, or why there is none."""

    def close(self) -> None:
        """Let go of the camera."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Still:
    """A source for a `with` statement; this one has nothing to keep open."""

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Lost(Exception):
    """A source has no picture; the base class turns it into a Trouble."""

    def __init__(self, message: Message) -> None:
        self.trouble = Trouble(message)
        super().__init__(message)


class LiveSource(Still):
    """A source that may die: opens it, reads it, and opens it again after a growing wait."""

    def __init__(self, name: Message, clock: Clock) -> None:
        self._name = name
        self._clock = clock
        self._open = False
        self._wait = FIRST_WAIT_SECONDS
        self._next_try = -np.inf
        self._trouble = Trouble(Message("vision.source.not_opened", source=name))
        self._number = 0

    @property
    def name(self) -> Message:
        """What to call it on the page."""
        return self._name

    def read(self) -> Frame | Trouble:
        """The next picture, or why there is none; while waiting to try again, the reason."""
        if not self._open:
            wait = self._next_try - self._clock.now()
            if wait > 0:
                self._clock.sleep(min(wait, _PATIENCE_SECONDS))
            if self._clock.now() < self._next_try:
                return self._trouble
        try:
            if not self._open:
                self._connect()
                self._open = True
            image = self._grab()
        except Lost as lost:
            return self._failed(lost.trouble)
        self._wait = FIRST_WAIT_SECONDS
        frame = Frame(image, self._clock.now(), self._number)
        self._number += 1
        return black_frame(image, self._name) or frame

    def close(self) -> None:
        """Let go of the camera; reading again opens it again."""
        self._disconnect()
        self._open = False

    def _failed(self, trouble: Trouble) -> Trouble:
        self.close()
        self._trouble = trouble
        self._next_try = self._clock.now() + self._wait
        self._wait = min(2 * self._wait, LONGEST_WAIT_SECONDS)
        return trouble

    def _connect(self) -> None:
        raise NotImplementedError

    def _grab(self) -> Image:
        raise NotImplementedError

    def _disconnect(self) -> None:
        raise NotImplementedError


def black_frame(image: Image, name: Where, *, taken: bool = False) -> Trouble | None:
    """The trouble with a picture, of a camera or taken before, that is black; None with others."""
    # Every eighth pixel tells as much as all of them; a few hot ones are no light.
    sample = image[::8, ::8]
    if np.count_nonzero(sample > _DARK) > sample.size / 200:
        return None
    if taken:
        return Trouble(Message("vision.source.black_photo", source=name))
    return Trouble(Message("vision.source.black", source=name), black=True)
