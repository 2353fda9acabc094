"""Languages: words by key and the rule of plurals, from the string tables.

English is in `web/strings/en/<family>.toml` and, for each rulebook, in `strings/en.toml` of its own
folder. A key is the path in its file, behind the family: `join.pin.hint`; a rulebook's file begins
with its family itself. Another language is one file with the same keys below their families:
`web/strings/<language>.toml`, or any file that `dreyer serve --language` names. Keys that it leaves
out are English.

Texts of data files, such as the titles of tables, stand in the table `[data]` of a language file,
by their English words.

Words that count have a table of plural forms, chosen by the value `n`: `one` and `other` in
English, and in another language those of its own among `CATEGORIES`, by the Unicode CLDR's rule for
`common.language`. docs/languages.md says how to write such a file.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabletop.documents import parse_toml
from tabletop.errors import DreyerError, UnreadableFile
from tabletop.places import shorten

if TYPE_CHECKING:
    from babel.plural import PluralRule

ENGLISH: Final = "en"
OTHER: Final = "other"
"""The plural form that every language has."""
CATEGORIES: Final = ("zero", "one", "two", "few", "many", OTHER)
"""Every plural form that some language has."""
_SPEC: Final = re.compile(r"(?:[^{}\d]*(?<!\d)\d{1,2}(?!\d))*[^{}\d]*")
"""A format of a value: no value within it, and numbers of two digits at most."""
_DATA: Final = "data"
"""The table of a language file with the texts of data files."""
_CODE: Final = "common.language"
"""The key of a language's own code."""


class BadLanguage(DreyerError):
    """A language that is not there, or a file of words that cannot be used."""


@dataclass(frozen=True, slots=True)
class Language:
    """Every word of the program in one language."""

    words: Mapping[str, str]
    """By key; a plural form has the key of its words and its category: `join.more_ships.one`."""
    data: Mapping[str, str]
    """The texts of data files, by the English ones."""

    def template(self, key: str, n: object = None) -> str | None:
        """The words of a key, in the plural form for a number; None where there are none."""
        found = self.words.get(key)
        if found is not None or n is None:
            return found
        form = self.words.get(f"{key}.{self._category(n)}")
        return self.words.get(f"{key}.{OTHER}") if form is None else form

    def _category(self, n: object) -> str:
        if not isinstance(n, int | float):
            return OTHER
        return _plural_rule(self.words[_CODE])(n)


@cache
def language_named(name: str) -> Language:
    """A language by its code, or by the path of its file.

    Raises BadLanguage for one that is not there, and for a file that is not right.
    """
    if name == ENGLISH:
        return Language(_English(), MappingProxyType({}))
    english = dict(_English())
    document = dict(_read(name))
    is_own = name not in languages()
    data = _data_texts(name, document.pop(_DATA, {}), is_checked=is_own)
    translated: dict[str, str] = {}
    _collect("", document, translated)
    if not is_own:
        # A test checks our own files; a page is not refused for a sentence of theirs.
        translated = _Translation(name, english, translated).fitting()
    forms = _Translation(name, english, translated).checked()
    left = {key: value for key, value in english.items() if _base(key, english) not in forms}
    return Language(MappingProxyType(left | translated), data)


def languages() -> tuple[str, ...]:
    """The built-in languages."""
    found = (entry.name.removesuffix(".toml") for entry in (files("web") / "strings").iterdir())
    return tuple(sorted({*found} - {"__pycache__"}))


class _English(Mapping[str, str]):
    """The English words; a family is read when one of its words is asked for."""

    def __getitem__(self, key: str) -> str:
        return _english_family(key.partition(".")[0])[key]

    def __iter__(self) -> Iterator[str]:
        for family in (*_english_files(), ""):
            yield from _english_family(family)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Translation:
    """The words of a language file, against the English ones."""

    def __init__(
        self, file: str, english: Mapping[str, str], translated: Mapping[str, str]
    ) -> None:
        self._file, self._english, self._translated = file, english, translated
        self._categories = self._plural_categories()

    def checked(self) -> set[str]:
        """The keys that the file has words for, plural forms taken together."""
        forms: dict[str, set[str]] = {}
        for key, value in self._translated.items():
            self._check_values(key, value)
            base = _base(key, self._english)
            forms.setdefault(base, set())
            if base != key:
                forms[base].add(self._checked_category(key, base))
        for base, categories in forms.items():
            if categories and OTHER not in categories:
                raise BadLanguage("errors.language.no_other", file=self._file, key=base)
        return {*forms}

    def fitting(self) -> dict[str, str]:
        """The words that the English ones have keys and values for."""
        return {key: value for key, value in self._translated.items() if self._fits(key, value)}

    def _fits(self, key: str, value: str) -> bool:
        try:
            self._check_values(key, value)
        except BadLanguage:
            return False
        return True

    def _plural_categories(self) -> tuple[str, ...]:
        code = self._translated.get(_CODE, ENGLISH)
        known = {*_plural_rule(code, self._file).tags, OTHER}
        return tuple(each for each in CATEGORIES if each in known)

    def _checked_category(self, key: str, base: str) -> str:
        category = key.removeprefix(f"{base}.")
        if category not in self._categories:
            raise BadLanguage(
                "errors.language.plural", file=self._file, key=key, known=self._categories
            )
        return category

    def _check_values(self, key: str, value: str) -> None:
        """A translation takes no values but those that the English words take in some form."""
        base = _base(key, self._english)
        forms = {base, f"{base}.one", f"{base}.{OTHER}"} & self._english.keys()
        known = {name for each in forms for name in _values_of(self._english[each])}
        if not forms:
            raise BadLanguage("errors.language.key", file=self._file, key=key)
        try:
            unknown = _values_of(value) - known
        except ValueError as error:
            raise BadLanguage(
                "errors.language.value", file=self._file, key=key, reason=str(error)
            ) from None
        if unknown:
            raise BadLanguage(
                "errors.language.value", file=self._file, key=key, reason=min(unknown)
            )


def _base(key: str, english: Mapping[str, str]) -> str:
    """The key of words that count, for the key of one of their plural forms; else the key."""
    base, _, category = key.rpartition(".")
    if category not in CATEGORIES:
        return key
    counts = {f"{base}.one", f"{base}.{OTHER}"} <= english.keys()
    # Words that are the same for every number in English may have forms in another language.
    return base if counts or "n" in _values_of(english.get(base, "")) else key


@cache
def _plural_rule(code: str, file: str = "") -> "PluralRule":
    # Imported late: most commands count nothing.
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(code, sep="-").plural_form
    except (UnknownLocaleError, ValueError):
        raise BadLanguage("errors.language.code", file=file, code=code) from None


def _read(language: str) -> Mapping[str, object]:
    if language in languages():
        return tomllib.loads((files("web") / "strings" / f"{language}.toml").read_text("utf-8"))
    try:
        return parse_toml(Path(language).read_bytes(), language)
    except FileNotFoundError:
        raise BadLanguage("errors.language.unknown", language=language, known=languages()) from None
    except OSError as error:
        raise BadLanguage("errors.language.file", file=language, reason=str(error)) from None
    except UnreadableFile as error:
        raise BadLanguage("errors.language.file", file=language, reason=error.message) from None


def _data_texts(file: str, table: object, *, is_checked: bool) -> Mapping[str, str]:
    """The texts of data files in a language, each of which is in some data file."""
    if not isinstance(table, dict):
        raise BadLanguage("errors.language.data_table", file=file)
    found: dict[str, str] = {}
    for english, translated in table.items():
        if not isinstance(translated, str):
            raise BadLanguage("errors.not_a_string", key=english, found=repr(translated))
        found[english] = translated
    if not found or not is_checked:
        return MappingProxyType(found)
    # Imported late, because all rulebooks are read for it.
    from combat.data_texts import data_texts

    if unknown := found.keys() - data_texts():
        raise BadLanguage("errors.language.data", file=file, text=min(unknown))
    return MappingProxyType(found)


def _values_of(template: str) -> set[str]:
    """The values that words take. Raises ValueError for a format that reaches beyond them.

    A value within a format could ask for an attribute, and a width of millions for all memory.
    """
    found = set()
    for _, name, spec, _ in Formatter().parse(template):
        if name is None:
            continue
        if not _SPEC.fullmatch(spec or ""):
            raise ValueError(f"{{{name}:{shorten(spec or '')}}}")
        found.add(name)
    return found


def _english_family(family: str) -> Mapping[str, str]:
    """The English words of a family; those of all rulebooks, where it is of one of them."""
    return _family_words(family) if family in _english_files() else _rulebook_words()


@cache
def _family_words(family: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    _collect(family, tomllib.loads(_english_files()[family].read_text(encoding="utf-8")), found)
    return MappingProxyType(found)


@cache
def _rulebook_words() -> Mapping[str, str]:
    """The words of all rulebooks, whose files contain their families."""
    found: dict[str, str] = {}
    for folder in (files("combat") / "rulebooks").iterdir():
        file = folder / "strings" / f"{ENGLISH}.toml"
        if file.is_file():
            _collect("", tomllib.loads(file.read_text(encoding="utf-8")), found)
    return MappingProxyType(found)


@cache
def _english_files() -> Mapping[str, Traversable]:
    """The files of English strings by their families, without those of the rulebooks."""
    entries = sorted((files("web") / "strings" / ENGLISH).iterdir(), key=lambda each: each.name)
    parts = ((entry, *entry.name.partition(".")) for entry in entries)
    return {family: entry for entry, family, _, kind in parts if kind == "toml"}


def _collect(prefix: str, table: Mapping[str, object], into: dict[str, str]) -> None:
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, str):
            into[key] = value
        elif isinstance(value, dict):
            _collect(key, value, into)
        else:
            raise BadLanguage("errors.not_a_string", key=key, found=repr(value))
