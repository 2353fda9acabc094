"""The modules that declare routes of the API: one line for each."""

from importlib import import_module
from typing import Final

_MODULES: Final = (
    "web.api_table",
    "web.api_seats",
    "web.api_host",
    "web.api_check",
    "web.camera_api",
    "web.photo_api",
    "web.battle.api",
    "web.battle.correcting",
    "web.battle.battles_api",
    "web.tables_api",
    "web.live",
    "web.openapi",
)


def load() -> None:
    """Import them all, which declares their routes."""
    for name in _MODULES:
        import_module(name)
