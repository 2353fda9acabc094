"""What all tests share: hypothesis judges results, never how long a busy machine took for them."""

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")
