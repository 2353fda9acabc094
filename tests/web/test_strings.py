"""The words: every key that a page or a script asks for is there, and none is there for nothing."""

import json
import re
import string
from pathlib import Path

import pytest
from markupsafe import Markup

import web
from web.strings import UnknownString, forgiving_text, page_strings, strings, text

WEB = Path(web.__file__).parent
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
SCRIPTS = sorted((WEB / "static" / "js").rglob("*.js"))
MODULES = sorted(WEB.rglob("*.py"))
_KEY = re.compile(r"""\bt\(\s*["']([a-z]+\.[a-z0-9_.]+)["']\s*[,)]""")
_BEGINNING = re.compile(r"""\bt\(\s*["'`]([a-z]+\.[a-z0-9_.]*?)(?:["']\s*~|\$\{)""")
_CUT = re.compile(r"\.r?(?:split|partition|replace)\(|\|\s*(?:replace|truncate|upper)\b")
_SAID = re.compile(r"""\btext\(\s*["']([a-z]+\.[a-z0-9_.]+)["']""")


def _is_known(key: str) -> bool:
    return key in strings() or f"{key}.one" in strings()


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(WEB)))
def test_every_word_of_a_template_is_there(path: Path) -> None:
    keys = set(_KEY.findall(path.read_text("utf-8")))
    assert {key for key in keys if not _is_known(key)} == set()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(WEB)))
def test_every_word_of_a_script_goes_to_the_page(path: Path) -> None:
    sent = json.loads(page_strings())
    keys = set(_KEY.findall(path.read_text("utf-8")))
    assert {key for key in keys if key not in sent and f"{key}.one" not in sent} == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(WEB)))
def test_every_word_of_a_module_is_there(path: Path) -> None:
    keys = set(_SAID.findall(path.read_text("utf-8")))
    assert {key for key in keys if not _is_known(key)} == set()


def test_a_key_that_is_put_together_has_words_that_begin_so() -> None:
    for path in (*TEMPLATES, *SCRIPTS):
        for beginning in _BEGINNING.findall(path.read_text("utf-8")):
            family, _, rest = beginning.partition(".")
            wanted = (beginning, f"{family}.js.{rest}")
            assert any(key.startswith(wanted) for key in strings()), (path.name, beginning)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(WEB)))
def test_no_template_cuts_words_apart(path: Path) -> None:
    """Other languages have other words in another order: a part of a sentence is a key itself."""
    assert _CUT.findall(path.read_text("utf-8")) == []


def test_values_are_put_in_and_markup_stays_markup() -> None:
    assert text("join.go_side", side="British") == "Join the British side"
    marked = text("table.now_target", name=Markup("<i>Hood</i>"))
    assert marked == "<i>Hood</i> looks at …"
    assert isinstance(marked, Markup)
    both = text("ships.at", x=Markup("<b>1</b>"), y="<2>", unit="yd", heading="090")
    assert "&lt;2&gt;" in both


def test_one_and_many() -> None:
    assert text("join.more_ships", n=1) == "and one more"
    assert text("join.more_ships", n=3) == "and 3 more"


def test_a_gap_is_an_error_for_us_and_a_label_for_players() -> None:
    with pytest.raises(UnknownString, match=r"join\.nothing"):
        text("join.nothing")
    with pytest.raises(KeyError):
        text("join.go_side")
    assert forgiving_text("join.nothing") == "join.nothing"
    assert forgiving_text("join.go_side") == "join.go_side"


def test_what_goes_to_the_page_cannot_leave_its_place() -> None:
    assert "<" not in page_strings()


def test_every_string_can_be_filled() -> None:
    for key, words in strings().items():
        for _, name, spec, conversion in string.Formatter().parse(words):
            assert name is None or name.isidentifier(), key
            letters = spec in ("small", "capital")
            assert not spec or (".js." not in key and (letters or format(1, spec))), key
            assert conversion is None or (conversion == "r" and ".js." not in key), key
