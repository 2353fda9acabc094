"""A clock that tests wind, and what a source of pictures answered."""

import numpy as np

from tabletop.messages import Message
from vision.images import Image
from vision.picture_files import encode_image
from vision.sources.all_sources import (
    Clock,
    Frame,
    Trouble,
)
from web.strings import words


class FakeTime:
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.sleep)


def picture(shade: int) -> Image:
    image = np.full((120, 160, 3), shade, np.uint8)
    image[20:60, 30:90] = 255 - shade
    return image


JPEGS = [encode_image(picture(shade), "a.jpg") for shade in (40, 90, 140)]


def frame_of(answer: Frame | Trouble) -> Frame:
    assert isinstance(answer, Frame), answer
    return answer


def trouble_of(answer: Frame | Trouble) -> Trouble:
    assert isinstance(answer, Trouble)
    assert "\n" not in words(answer.message)
    assert ";" in words(answer.message), "the remedy follows the semicolon"
    return answer


def code_of(answer: Frame | Trouble) -> str:
    return trouble_of(answer).message.code


def problem_of(trouble: Trouble) -> Message:
    problem = trouble.message["problem"]
    assert isinstance(problem, Message)
    return problem
