"""Scripts as one text without imports, for files that work offline.

Every module becomes a function that is called once, below those that it imports from, so that names
of one module do not meet those of another.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final

from tabletop.errors import DreyerError

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:class|function\*?|const|let) (\w+))", re.MULTILINE
)
_COMMENT: Final = re.compile(r"^[ ]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""Those that have lines of their own."""
_LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def bundled(entry: str) -> str:
    """A module of our scripts, by its path, with all that it imports."""
    modules: dict[str, str] = {}
    _add(entry, modules)
    return "".join(modules.values())


def _add(path: str, modules: dict[str, str]) -> None:
    """Add a module below those that it imports."""
    if path in modules:
        return
    source = _COMMENT.sub("", _source(path))
    names: dict[str, str] = {}
    for taken, where in _IMPORT.findall(source):
        other = _resolved(path, where)
        _add(other, modules)
        names[" ".join(taken.split())] = other
    body = _IMPORT.sub("", source)
    exported = _EXPORT.findall(body)
    body = _EXPORT.sub("", body)
    if found := _LEFT_OVER.search(body):
        raise DreyerError("report.script_form", path=path, line=found[0][:80])
    lines = [
        f"const {{ {_renamed(taken)} }} = {_variable(other)};\n" for taken, other in names.items()
    ]
    inside = "".join(lines) + body + f"return {{ {', '.join(exported)} }};\n"
    modules[path] = f"const {_variable(path)} = (() => {{\n{inside}}})();\n"


def _source(path: str) -> str:
    return files("web").joinpath("static", "js", *path.split("/")).read_text(encoding="utf-8")


def _resolved(path: str, where: str) -> str:
    """The path of a module that another one imports."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / where).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _renamed(taken: str) -> str:
    """The names of an import as those of a pattern: "a as b" becomes "a: b"."""
    return re.sub(r"(\w+) as (\w+)", r"\1: \2", taken.rstrip(" ,"))


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
