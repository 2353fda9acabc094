"""Another language is one file: in one that has no Latin letters no English is left."""

import re
import string
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from combat.rulebooks import NAMES, get_ruleset
from combat.scenarios import all_scenarios
from tests.web.battles import Fought
from tests.web.phones import Phone, host_of
from web import create_app
from web.http.context import Running
from web.strings import UnknownString, check_language, in_language, strings, text, words

# Cyrillic letters in the place of Latin ones: whatever is still Latin did not come from a table.
_LETTERS = "абцдефгхийклмнопярстувшчызАБЦДЕФГХИЙКЛМНОПЯРСТУВШЧЫЗ"
_OTHER = dict(zip(string.ascii_letters, _LETTERS, strict=True))
_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&[a-z]+;)")
_WORD = re.compile(r"[A-Za-z]{3,}")
_SHOWN_ATTRIBUTES = ("aria-label", "title", "placeholder", "alt")
PAGES = (
    "/table", "/ships", "/sides", "/host", "/join", "/battle", "/battle/story", "/battle/correct",
    "/battle/dice", "/battles", "/battles/new", "/sheets", "/sheet/Hood", "/report", "/log",
    "/help", "/check?firer=Hood&target=Bismarck", "/battle/plot/Hood", "/battle/fire/Hood",
    "/menu", "/photo", "/setup", "/cards", "/tables",
)  # fmt: skip


def _translated(words: str) -> str:
    """Words in the other letters; values and tags stay."""
    parts = _KEPT.split(words)
    return "".join(
        part if number % 2 else "".join(_OTHER.get(letter, letter) for letter in part)
        for number, part in enumerate(parts)
    )


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> str:
    document: dict[str, Any] = {}
    for key, english in strings().items():
        *tables, name = key.split(".")
        table = document
        for each in tables:
            table = table.setdefault(each, {})
        table[name] = _translated(english)
    document["common"]["language"] = "ru"
    path = tmp_path_factory.mktemp("words") / "other.toml"
    path.write_text(tomli_w.dumps(document), encoding="utf-8")
    return str(path)


class _Shown(HTMLParser):
    """What a page shows: its text, and the attributes that are read out or shown as hints."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._hidden += 1
        self.found += [value or "" for name, value in attrs if name in _SHOWN_ATTRIBUTES]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def _data() -> set[str]:
    """Texts that come from data: names, titles, references, the stories of scenarios."""
    found = {"Denmark Strait", "Dreyer Table", "Ann", "Bob", "Uma", "Wi-Fi"}
    for ruleset in map(get_ruleset, NAMES):
        found |= {ruleset.title, *(ship.name for ship in ruleset.ships)}
        found |= {ship.nation for ship in ruleset.ships}
        found |= {words(segment.title) for segment in ruleset.segments}
        for table in ruleset.tables:
            cells = [table.cell(row, column) for row in table.rows for column in table.columns]
            found |= {table.title}
            found |= {part for cell in cells for part in cell.reference.split("README")}
    for scenario in all_scenarios().values():
        found |= {scenario.title, scenario.date, scenario.story, scenario.victory}
        found |= {scenario.audience, *(ship.name for ship in scenario.ships)}
    return {" ".join(each.split()) for each in found if _WORD.search(each)}


@pytest.fixture(scope="module")
def data() -> re.Pattern[str]:
    longest_first = sorted(_data(), key=len, reverse=True)
    machine = r"\b[0-9a-f]{4,12}\b|\((?:eth|en|wl)\w*\)|https?://\S+"
    return re.compile("|".join([*map(re.escape, longest_first), machine]), re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES)
def test_no_english_is_left_on_a_page(page: str, fought_host: Phone, data: re.Pattern[str]) -> None:
    response = fought_host.get(page, follow_redirects=True)
    assert response.status_code == 200
    shown = _Shown()
    shown.feed(response.text)
    left = (data.sub(" ", " ".join(part.split())) for part in shown.found)
    assert {word for part in left for word in _WORD.findall(part)} == set()


@pytest.fixture(scope="module")
def fought_host(language: str, tmp_path_factory: pytest.TempPathFactory) -> Phone:
    fought = Fought(tmp_path_factory.mktemp("battle") / "battle.sqlite").segments(3)
    fought.move()
    fought.fire(roll=False)
    host = host_of(create_app(running=Running(fought.session), language=language))
    assert host.join("Uma", role="umpire", side=None).status_code == 200
    return host


def test_what_a_file_leaves_out_is_english(tmp_path: Path) -> None:
    path = tmp_path / "little.toml"
    path.write_text('[common]\nback = "Zurück"\n', encoding="utf-8")
    with in_language(str(path)):
        assert text("common.back") == "Zurück"
        assert text("common.close") == "Close"
    assert text("common.back") == "Back"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('[common]\nnobody = "x"\n', r"errors\.language\.key"),
        ('[common]\nback = "{who} back"\n', r"errors\.language\.value"),
        ('[common]\nback = "{"\n', r"errors\.language\.value"),
        ("[common\n", r"errors\.language\.file"),
        ("[common]\nback = 3\n", r"errors\.not_a_string"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: str, code: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnknownString, match=code):
        check_language(str(path))


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownString, match=r"errors\.language\.unknown"):
        check_language("tlh")
