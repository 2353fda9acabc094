"""The list of all modules that declare routes (see `web.api.route`), and their addresses' heads."""

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from web.api.route import Route
    from web.http.addresses import Heads

API: Final["Heads"] = MappingProxyType(
    {
        "web.api.table": (
            *("api/view", "api/log", "api/ships", "api/rule", "api/smoke"),
            *("api/decide", "api/reopen", "api/declare"),
        ),
        "web.api.television": ("api/television",),
        "web.api.tutorial": ("api/tutorial",),
        "web.api.seats": ("api/join", "api/admissions", "api/consents", "api/return", "api/leave"),
        "web.api.host": ("api/host", "join-qr.svg", "api/sides"),
        "web.api.doctor": ("api/doctor",),
        "web.api.check": ("api/check",),
        "web.api.fields_of_fire": ("api/fields-of-fire",),
        "web.api.camera": ("api/camera", "sheets.pdf", "camera.jpg"),
        "web.api.photos": ("api/photo", "photo.jpg"),
        "web.api.battle": ("api/battle",),
        "web.api.corrections": ("api/battle",),
        "web.api.captains": ("api/battle", "api/battles"),
        "web.api.fairness": ("api/fair",),
        "web.api.repairs": ("api/battle",),
        "web.api.battles": ("api/battles",),
        "web.api.tables": ("api/owner", "api/tables", "tables"),
        "web.api.rules": ("api/rules",),
        "web.api.free_play": ("api/free",),
        "web.api.cards": ("api/cards", "api/own-cards", "cards.toml"),
        "web.api.conversions": ("api/conversions",),
        "web.api.live": ("api/live", "api/here"),
        "web.api.openapi": ("healthz", "openapi.json"),
    }
)
"""By module; `web.http.addresses.head_of` says what a head is."""


@cache
def all_routes() -> "tuple[Route, ...]":
    """Every route, which imports all modules."""
    return tuple(route for module in API for route in import_module(module).routes)
