"""The page's own JavaScript: small, and from nowhere but here."""

import re
from pathlib import Path

import web

MOST_BYTES = 60_000
MODULES = sorted((Path(web.__file__).parent / "static" / "js").glob("*.js"))


def test_all_of_it_is_small() -> None:
    sizes = {module.name: module.stat().st_size for module in MODULES}
    assert MODULES
    assert sum(sizes.values()) < MOST_BYTES, sizes


def test_nothing_is_loaded_from_outside() -> None:
    here = {module.name for module in MODULES}
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        # The name of a namespace is no address to load from.
        outside = re.findall(r"(?:https?:)?//[\w.-]+\.\w+/\S*", text)
        assert [each for each in outside if "www.w3.org" not in each] == [], module.name
        for path in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text):
            assert path.startswith("./"), (module.name, path)
            assert path.removeprefix("./") in here, (module.name, path)
