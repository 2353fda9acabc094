"""The tag of a release is its version, and the changelog has a part for it.

python release/check_tag.py v0.2.0
"""

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """What is wrong with a tag."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, and pyproject.toml has version {version}")
    heading = rf"^## {re.escape(str(version))} \(\d{{4}}-\d\d-\d\d\)$"
    if not re.search(heading, changes, re.MULTILINE):
        found.append(f'CHANGELOG.md has no heading "## {version} (year-month-day)"')
    unreleased = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if unreleased is not None and unreleased[1].strip():
        found.append(f"CHANGELOG.md still has lines under Unreleased: they belong to {version}")
    return found


if __name__ == "__main__":
    wrong = faults(sys.argv[1])
    if wrong:
        sys.exit("\n".join(wrong))
