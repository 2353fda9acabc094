"""What all tests share: hypothesis judges results, never how long a busy machine took for them."""

import gc

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_collection_finish() -> None:
    """Let the collector of garbage overlook the tests themselves.

    They are a million objects that live to the end; to look at all of them again and again takes
    a tenth of the time, in pauses that servers under test feel.
    """
    gc.collect()
    gc.freeze()
