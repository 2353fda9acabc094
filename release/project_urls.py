"""Writes `[project.urls]` into pyproject.toml, from the one address of the project's forge.

    python release/project_urls.py https://forge.example/owner/dreyer-table

The project does not know where it is hosted until somebody hosts it, so the repository has no
address: the release workflow passes its own.
"""

import re
import sys
from pathlib import Path
from typing import Final

PYPROJECT: Final = Path(__file__).resolve().parent.parent / "pyproject.toml"
PAGES: Final = {
    "Homepage": "",
    "Source": "",
    "Documentation": "/tree/main/web/manual",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
    "Security": "/security/policy",
}
"""What the package index shows, below the address of the project."""
_TABLE: Final = "[project.urls]"


def with_urls(pyproject: str, address: str) -> str:
    """The file with the table, in place of one that is there."""
    if not re.fullmatch(r"https://[^\s\"']+[^/\s\"']", address):
        raise SystemExit(f"expected an address like https://host/owner/project, got {address!r}")
    lines = (f'{name} = "{address}{page}"\n' for name, page in PAGES.items())
    table = f"{_TABLE}\n{''.join(lines)}"
    without = re.sub(
        rf"^{re.escape(_TABLE)}\n(?:[^\[\n].*\n)*\n?", "", pyproject, flags=re.MULTILINE
    )
    return without.replace("[project.scripts]", f"{table}\n[project.scripts]", 1)


if __name__ == "__main__":
    PYPROJECT.write_text(with_urls(PYPROJECT.read_text("utf-8"), sys.argv[1]), "utf-8")
