"""The list of all modules with pages, and the heads of their addresses."""

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from web.http.addresses import Heads

PAGES: Final["Heads"] = MappingProxyType(
    {
        "web.pages.battle": ("battle",),
        "web.pages.battles": ("battles",),
        "web.pages.camera": ("setup", "camera", "photo"),
        "web.pages.cards": ("cards",),
        "web.pages.checks": ("check", "proof.svg", "proof.png"),
        "web.pages.convert": ("convert", "convert.pdf", "convert.toml"),
        "web.pages.doctor": ("doctor",),
        "web.pages.fair": ("fair",),
        "web.pages.fire": ("battle",),
        "web.pages.frame": ("menu", "fonts", "favicon.ico"),
        "web.pages.free_play": ("fight", "calculator"),
        "web.pages.glossary": ("glossary", "round"),
        "web.pages.manual": ("help",),
        "web.pages.marker_assignment": ("battles",),
        "web.pages.report": ("report", "replay", "report.html", "report.png", "report.pdf"),
        "web.pages.rules": ("rules", "rules.txt"),
        "web.pages.sheets": ("sheets", "sheet", "sheets-record.pdf", "sheets-codes.pdf"),
        "web.pages.table": ("", "join", "asked", "host", "table", "ships", "sides", "log"),
        "web.pages.tables": ("tables",),
        "web.pages.television": ("tv", "host"),
    }
)
"""By module; `web.http.addresses.head_of` says what a head is."""
