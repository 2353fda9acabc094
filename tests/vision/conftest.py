"""What the tests of pictures share: a clock of their own."""

import pytest

from tests.vision.fake_sources import FakeTime


@pytest.fixture
def fake() -> FakeTime:
    return FakeTime()
