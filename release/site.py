"""What `make docs` adds to the manual: its navigation, and the pages that lie elsewhere."""

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # MkDocs loads this file by its path.

from web import create_app  # noqa: E402
from web.views.manual import RULEBOOKS, manual  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

DEVELOPERS: Final = {
    "Contributing": "CONTRIBUTING.md",
    "Architecture": "docs/architecture.md",
    "Glossary": "docs/glossary.md",
    "Languages": "docs/languages.md",
    "The server": "docs/server.md",
    "Changes": "CHANGELOG.md",
}
"""Pages of the checkout, by their titles."""
_OPENAPI: Final = "openapi.json"


def on_config(config: "MkDocsConfig") -> "MkDocsConfig":
    """The navigation: the parts of the manual, then what is for developers."""
    config.nav = [
        *(
            {part.title: [{page.title: f"{page.name}.md"} for page in part.pages]}
            for part in manual()
        ),
        {"For developers": [{title: _placed(path)} for title, path in DEVELOPERS.items()]},
    ]
    return config


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """The notes of the rulebooks, the pages of the checkout, and the API's description."""
    from mkdocs.structure.files import File

    for part in manual():
        for page in part.pages:
            if page.name.startswith(f"{RULEBOOKS}/"):
                files.append(File.generated(config, f"{page.name}.md", content=page.source))
    for path in DEVELOPERS.values():
        text = _with_links((ROOT / path).read_text("utf-8"), path)
        files.append(File.generated(config, _placed(path), content=text))
    described = create_app().test_client().get("/openapi.json", headers={"Host": "localhost"}).json
    files.append(File.generated(config, _OPENAPI, content=json.dumps(described, indent=1)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """In the program the description of the API is at its root; here it lies beside the pages."""
    return markdown.replace(f"(/{_OPENAPI})", f"({_OPENAPI})")


def _placed(path: str) -> str:
    """Where a page of the checkout is in the site."""
    return f"developers/{Path(path).name.lower()}"


def _with_links(text: str, path: str) -> str:
    """The text with its links to other pages of the site; others become plain text."""
    here = Path(path).parent

    def linked(found: re.Match[str]) -> str:
        label, target = found[1], found[2]
        if "://" in target or target.startswith("#"):
            return found[0]
        file, _, anchor = target.partition("#")
        wanted = (here / file).as_posix()
        if wanted in DEVELOPERS.values():
            return f"[{label}]({Path(wanted).name.lower()}{'#' + anchor if anchor else ''})"
        return label

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", linked, text)
