"""The manual: its pages, from the Markdown files that the site of `make docs` is made of, too."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from combat.rulebooks import NAMES

if TYPE_CHECKING:
    from markdown_it.token import Token

INDEX: Final = "index"
RULEBOOKS: Final = "rulebooks"
"""In the contents: the notes of every rulebook."""
ADDRESS: Final = "/help"
_HEADING: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_PICTURE: Final = re.compile(r"[a-z-]+\.(webp|svg)")


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page of the manual."""

    name: str
    """Its address below /help: the file without its ending, or `rulebooks/` and a rulebook."""
    title: str
    source: str
    """Markdown."""

    @property
    def address(self) -> str:
        """Where the program shows it."""
        return _address_of(self.name)


@dataclass(frozen=True, slots=True)
class ManualPart:
    """A part of the manual."""

    title: str
    pages: tuple[ManualPage, ...]


@cache
def manual() -> tuple[ManualPart, ...]:
    """All parts, in their order."""
    folder = manual_folder()
    contents = tomllib.loads((folder / "contents.toml").read_text("utf-8"))
    return tuple(
        ManualPart(
            part["title"],
            tuple(page for entry in part["pages"] for page in _pages(folder, entry)),
        )
        for part in contents["part"]
    )


def manual_folder() -> Traversable:
    """The folder of the Markdown files."""
    return files("web") / "manual"


def manual_page(name: str) -> ManualPage | None:
    """The page of this name."""
    return _by_name().get(name)


def manual_picture(name: str) -> bytes | None:
    """A picture of the manual."""
    if not _PICTURE.fullmatch(name):
        return None
    file = manual_folder() / "pictures" / name
    return file.read_bytes() if file.is_file() else None


@cache
def as_html(page: ManualPage) -> Markup:
    """A page as HTML. Markup in the Markdown is shown as text."""
    # Imported late: few starts of the table are followed by a look at the manual.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(page.source)
    for token in tokens:
        for child in token.children or ():
            _adapt(child)
    written: str = parser.renderer.render(tokens, parser.options, {})
    # A wide table or a long line scrolls by itself, not the page.
    written = written.replace("<table>", '<div class="scrolls" tabindex="0"><table>')
    written = written.replace("</table>", "</table></div>")
    written = written.replace("<pre>", '<pre tabindex="0">')
    return Markup(written)  # noqa: S704 - from our own files, without markup of theirs.


def _adapt(token: "Token") -> None:
    """Lead links and pictures to their addresses in the program."""
    if token.type == "link_open":
        target = str(token.attrGet("href"))
        token.attrSet("href", _address(target))
        if "://" in target:
            token.attrSet("rel", "noopener noreferrer")
            token.attrSet("target", "_blank")
    elif token.type == "image":
        token.attrSet("src", f"{ADDRESS}/{token.attrGet('src')}")
        token.attrSet("loading", "lazy")


def _address(target: str) -> str:
    if "://" in target or target.startswith(("/", "#")):
        return target
    page, _, anchor = target.partition("#")
    return _address_of(page.removesuffix(".md")) + (f"#{anchor}" if anchor else "")


def _address_of(name: str) -> str:
    return ADDRESS if name == INDEX else f"{ADDRESS}/{name}"


@cache
def _by_name() -> Mapping[str, ManualPage]:
    return {page.name: page for part in manual() for page in part.pages}


def _pages(folder: Traversable, entry: str) -> tuple[ManualPage, ...]:
    if entry != RULEBOOKS:
        return (_page(entry.removesuffix(".md"), folder / entry),)
    return tuple(
        _page(
            f"{RULEBOOKS}/{name}",
            files("combat") / RULEBOOKS / name.replace("-", "_") / "README.md",
        )
        for name in NAMES
    )


def _page(name: str, file: Traversable) -> ManualPage:
    source = file.read_text("utf-8")
    heading = _HEADING.search(source)
    return ManualPage(name, heading[1] if heading else name, source)
