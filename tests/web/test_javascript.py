"""The page's own JavaScript comes from nowhere but here."""

import re
from pathlib import Path

import web

MODULES = sorted((Path(web.__file__).parent / "static" / "js").glob("*.js"))


def test_nothing_is_loaded_from_outside() -> None:
    assert MODULES
    here = {module.name for module in MODULES}
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        # The name of a namespace is no address to load from.
        outside = re.findall(r"(?:https?:)?//[\w.-]+\.\w+/\S*", text)
        assert [each for each in outside if "www.w3.org" not in each] == [], module.name
        for path in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text):
            assert path.startswith("./"), (module.name, path)
            assert path.removeprefix("./") in here, (module.name, path)
