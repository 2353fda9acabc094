"""Errors as the user reads them, for tests of what a message names."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.strings import words


def said(message: DreyerError | Message | str) -> str:
    """What is said, in words."""
    return message if isinstance(message, str) else words(message)


Kind = TypeVar("Kind", bound=DreyerError)


@contextmanager
def refused(kind: type[Kind], match: str = "") -> Iterator[pytest.ExceptionInfo[Kind]]:
    """As `pytest.raises`, with a pattern for the words."""
    with pytest.raises(kind) as found:
        yield found
    assert re.search(match, said(found.value)), said(found.value)
