"""What all tests share: hypothesis judges results, never how long a busy machine took for them.

It tries the same examples every time, so that a change is judged by the change alone; new ones are
searched for with `pytest --hypothesis-profile=search`.
"""

import gc

from hypothesis import settings

settings.register_profile("search", deadline=None)
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


def pytest_collection_finish() -> None:
    """Let the collector of garbage overlook the tests themselves.

    They are a million objects that live to the end; to look at all of them again and again takes
    a tenth of the time, in pauses that servers under test feel.
    """
    gc.collect()
    gc.freeze()
