"""Every word in the string tables is said somewhere: by a module, a template or a script."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from combat.rulebooks import NAMES, get_ruleset
from combat.sides import usual
from tests.web.test_messages import MODULES, SPEAKERS, declared_codes
from tests.web.test_strings import SCRIPTS, TEMPLATES
from web.language_files import CATEGORIES
from web.strings import strings

_SPEAKERS = SPEAKERS | {"text", "forgiving_text", "get", "help_text"}
_FORMS = re.compile(rf"\.({'|'.join(CATEGORIES)})$")
_PARTS = re.compile(r"\.(words|remedy|remedy_command)$")
_LITERAL = re.compile(r"""["'`]([A-Za-z0-9_.-]+)["'`]""")
_IN_TEMPLATE = re.compile(
    r"""["']([a-z_]+\.[\w.-]*)["']\s*~\s*[^()"'~,]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?"""
    r"""\s*(?:~\s*["']([^"']*)["'])?\s*[,)]"""
)
_IN_SCRIPT = re.compile(r"`([a-z_]+\.[\w.-]*)\$\{[^}]*\}([^`]*)`")
_MADE = "(.+)"
_CHECKED_ELSEWHERE = ("fields.",)
"""Labels that are compared with the fields of the API, in `test_faults`."""


@dataclass(frozen=True)
class Pattern:
    """A key that is put together, and the texts that stand in the same file."""

    pattern: re.Pattern[str]
    is_whole_family: bool
    """Whether anything of a family fits: then the rest is a text of that file or of an enum."""
    texts: frozenset[str]

    def makes(self, key: str, enum_values: frozenset[str]) -> bool:
        found = self.pattern.fullmatch(key)
        if found is None or not self.is_whole_family:
            return found is not None
        rest = found[1]
        return rest in enum_values or any(re.fullmatch(each, rest) for each in self.texts)


def _pattern(made: str, texts: set[str]) -> Pattern:
    is_whole_family = re.match(r"[a-z_]+\\\.\(", made) is not None
    return Pattern(re.compile(made), is_whole_family, frozenset(texts - {made, _MADE}))


def _joined(node: ast.JoinedStr) -> str:
    return "".join(
        re.escape(str(each.value)) if isinstance(each, ast.Constant) else _MADE
        for each in node.values
    )


def _is_said(parent: ast.AST | None) -> bool:
    """Whether a text may be a key there: it is said, or handed on by a name or as a value."""
    if isinstance(parent, ast.Call):
        return getattr(parent.func, "id", getattr(parent.func, "attr", "")) in _SPEAKERS
    return parent is not None


def _of_modules() -> Iterator[tuple[set[str], list[Pattern]]]:
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        literals = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        texts = {*map(re.escape, literals), *map(_joined, joined)}
        made = (_joined(node) for node in joined if _is_said(parents.get(node)))
        yield literals, [_pattern(each, texts) for each in made if re.match(r"[a-z_]+\\\.", each)]


def _of_pages() -> Iterator[tuple[set[str], list[Pattern]]]:
    for paths, form in ((TEMPLATES, _IN_TEMPLATE), (SCRIPTS, _IN_SCRIPT)):
        for path in paths:
            source = path.read_text("utf-8")
            literals = set(_LITERAL.findall(source))
            texts = set(map(re.escape, literals))
            made = (f"{re.escape(a)}{_MADE}{re.escape(b)}" for a, b in form.findall(source))
            yield literals, [_pattern(each, texts) for each in made]


def _enum_values() -> frozenset[str]:
    return frozenset(
        str(each.value.value)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(b) for b in node.bases)
        for each in node.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
    )


def _names(key: str) -> set[str]:
    """What a key may be called by: without a plural form, its remedy, or the page's table."""
    counted = _FORMS.sub("", key)
    bare = _PARTS.sub("", counted)
    family, _, rest = bare.partition(".")
    page = {f"{family}.{rest.removeprefix('js.')}"} if rest.startswith("js.") else set()
    return {key, counted, bare} | page


def _glossary_codes() -> Iterator[str]:
    """The words of the terms that rulebooks list, and of the pictures of their rounds."""
    for glossary in (get_ruleset(name).glossary for name in NAMES):
        yield f"round.{glossary.round}.intro"
        yield from (f"terms.chapter.{chapter.key}" for chapter in glossary.chapters)
        for term in glossary.terms:
            yield from (f"terms.{term.key}.{part}" for part in ("name", "forms", "text"))


def test_every_word_is_said_somewhere() -> None:
    found = [*_of_modules(), *_of_pages()]
    literals = set[str]().union(*(each for each, _ in found))
    patterns = [pattern for _, each in found for pattern in each]
    values = _enum_values()
    declared = set[str]().union(*declared_codes().values())
    declared |= {f"sides.{each.key}" for each in usual().sides}
    declared |= {f"sides.{usual().others}"}
    declared |= {*_glossary_codes()}
    # The code of an unknown key that none is like.
    declared |= {"errors.unknown_key_alone", "errors.unknown_request_key_alone"}
    unused = [
        key
        for key in strings()
        if not key.startswith(_CHECKED_ELSEWHERE)
        and not _names(key) & (literals | declared)
        and not any(each.makes(name, values) for each in patterns for name in _names(key))
    ]
    assert unused == []
