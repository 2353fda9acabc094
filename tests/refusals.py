"""Errors whose words are checked where they are still assembled from a field's own description."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tabletop.errors import DreyerError
from web.strings import words


@contextmanager
def refused(error: type[DreyerError], match: str) -> Iterator[pytest.ExceptionInfo[DreyerError]]:
    """Expect an error in whose words a pattern is found."""
    with pytest.raises(error) as caught:
        yield caught
    found = words(caught.value)
    assert re.search(match, found), found
