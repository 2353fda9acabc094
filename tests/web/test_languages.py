"""Another language is one file: in one that has no Latin letters no English is left."""

import ast
import json
import re
import string
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

from calibration.model_pieces import CodePlace, MarkerForm, MarkerPaint, ModelScale
from combat.conversions import GameLevel
from combat.data_texts import data_texts
from combat.questions import questions
from combat.rulebooks import NAMES, get_ruleset
from combat.rulebooks.grand_fleets.card_file import load_cards
from combat.scenarios import all_scenarios
from combat.sides import usual
from tabletop.messages import Message
from tests.web.battles import Fought
from tests.web.phones import Phone, host_of
from tests.web.test_messages import MODULES as PYTHON_FILES
from tests.web.test_messages import ROOT
from web import create_app
from web.cli import LANGUAGE_VARIABLE, MODULES, main
from web.cli.commands import WRONG_INPUT
from web.drawing.pdf import PAPERS_MM
from web.http.context import ServerContext
from web.language_files import BadLanguage
from web.strings import check_language, cited, in_language, page_strings, strings, text, words

# Cyrillic letters in the place of Latin ones: whatever is still Latin did not come from a table.
_LETTERS = "абцдефгхийклмнопярстувшчызАБЦДЕФГХИЙКЛМНОПЯРСТУВШЧЫЗ"
_OTHER = dict(zip(string.ascii_letters, _LETTERS, strict=True))
_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&[a-z]+;)")
_WORD = re.compile(r"[A-Za-z]{3,}")
_OPTION = re.compile(r"--[a-z][a-z-]*")
_NOT_READ = ("script", "style", "textarea")
"""Code, and what somebody types: a card as a file."""
_SHOWN_ATTRIBUTES = ("aria-label", "title", "placeholder", "alt")
FREE = {
    ruleset.name: ruleset.rulebook(ruleset.tables)
    for ruleset in map(get_ruleset, NAMES)
    if ruleset.rulebook is not None
}
ACTIONS = tuple((name, info) for name, rulebook in FREE.items() for info in rulebook.infos)
PAGES = (
    "/tv", "/table", "/ships", "/sides", "/host", "/join", "/battle", "/battle/story",
    "/battle/correct", "/battle/dice", "/battles", "/battles/new", "/sheets", "/sheet/Hood",
    "/report", "/log", "/help/connection", "/check?firer=Hood&target=Bismarck", "/battle/plot/Hood",
    "/battle/fire/Hood", "/battle/rate/Hood",
    "/battle/plots", "/battles/markers", "/camera", "/convert", "/table/picture",
    "/menu", "/photo", "/setup", "/cards", "/cards/Iron Duke", "/tables", "/tables/penetration",
    "/report.html",
    *(f"/fight?ruleset={name}" for name in NAMES),
    *(f"/calculator?ruleset={name}&battery={info.kind}" for name, info in ACTIONS),
)  # fmt: skip
PICTURES = ("/proof.svg?firer=Hood&target=Bismarck",)
PRINTED = ("/report.pdf", "/sheet/Hood.pdf", "/sheets-record.pdf", "/sheets.pdf")
_TYPED_COMMAND = {
    "dreyer",
    "locate",
    "photo",
    "jpg",
    "table",
    "inches",
    "markers",
    "sheets",
    "json",
}
"""The command that the printed set-up page quotes."""
REFUSED = {
    "/nothing": 404,
    "/battles/new/ship?ship=Nobody": 404,
    "/sheet/Nobody": 404,
    "/check?firer=Nobody&target=Hood": 404,
    "/check?firer=Hood": 400,
    "/tables/nothing": 404,
}
"""Addresses that are answered with a page that says what is wrong."""
_TYPED = {"Nobody", "nothing", "target"}
"""What is quoted from an address."""


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
    document["data"] = {english: _translated(english) for english in data_texts()}
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
        if tag in _NOT_READ:
            self._hidden += 1
        self.found += [value or "" for name, value in attrs if name in _SHOWN_ATTRIBUTES]

    def handle_endtag(self, tag: str) -> None:
        if tag in _NOT_READ:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def _data() -> set[str]:
    """Texts that come from data: names and references."""
    # A language is offered by its own name.
    found = {"English", "Deutsch"}
    found |= {"Denmark Strait", "Dreyer Table", "Ann", "Bob", "Uma", "Wi-Fi"}
    for ruleset in map(get_ruleset, NAMES):
        found |= {ruleset.title, ruleset.source, *(ship.name for ship in ruleset.ships)}
        found |= {ship.nation for ship in ruleset.ships}
        found |= {words(segment.title) for segment in ruleset.segments}
        for table in ruleset.tables:
            cells = [table.cell(row, column) for row in table.rows for column in table.columns]
            found |= {part for cell in cells for part in cell.reference.split("README")}
        found |= {phase.reference for phase in ruleset.phases}
        found |= {decision.rule for decision in ruleset.decisions}
        found |= {"Playing Area & Scale"}
    for card in load_cards():
        found |= {guns.name for guns in card.guns}
    for _, info in ACTIONS:
        found |= {info.rule, *(each.rule for each in questions(info.type))}
    for rulebook in FREE.values():
        found |= {each.rule for each in questions(rulebook.state_type)}
    for scenario in all_scenarios().values():
        # Its title is also the name of the battle that was begun with it.
        found |= {scenario.title, *(ship.name for ship in scenario.ships)}
        # The usual sides are words of a string table.
        found |= {side.name for side in scenario.sides if side not in usual().sides}
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
    assert _english(_shown(response.text), data) == set()


@pytest.mark.parametrize("picture", PICTURES)
def test_no_english_is_left_in_a_picture(
    picture: str, fought_host: Phone, data: re.Pattern[str]
) -> None:
    response = fought_host.get(picture)
    assert response.status_code == 200
    assert _english(_shown(response.text), data) == set()


@pytest.mark.parametrize("document", PRINTED)
def test_no_english_is_left_in_print(
    document: str, fought_host: Phone, data: re.Pattern[str]
) -> None:
    response = fought_host.get(document)
    assert response.status_code == 200
    pages = [page.get_textpage().get_text_bounded() for page in PdfDocument(response.data)]
    # The lens board names its family of codes as OpenCV does.
    assert _english(pages, data) - _TYPED_COMMAND - {"DICT"} == set()


def test_no_english_is_left_where_rates_of_fire_are_chosen(
    language: str, tmp_path: Path, data: re.Pattern[str]
) -> None:
    fought = Fought(tmp_path / "battle.db")
    fought.move()
    fought.fire(roll=False)
    fought.do("dice", values=["24"])
    rates = [{"target": "Bismarck", "guns": {"A": 1}}]
    fought.do("reduce", ship="Prince of Wales", rates=rates)
    host = host_of(create_app(server_context=ServerContext(fought.session), language=language))
    assert host.join("Uma", role="umpire", side=None).status_code == 200
    for page in ("/battle", "/battle/rate/Prince of Wales", "/battle/rate/Hood", "/battle/dice"):
        response = host.get(page)
        assert response.status_code == 200
        assert _english(_shown(response.text), data) == set(), page


@pytest.mark.parametrize(("page", "status"), REFUSED.items())
def test_no_english_is_left_on_an_error_page(
    page: str, status: int, fought_host: Phone, data: re.Pattern[str]
) -> None:
    response = fought_host.get(page, follow_redirects=True)
    assert response.status_code == status
    assert _english(_shown(response.text), data) - _TYPED == set()


def test_no_english_is_left_in_what_the_api_says(fought_host: Phone, data: re.Pattern[str]) -> None:
    told = fought_host.get("/api/battle/story")
    assert told.status_code == 200
    entries = json.loads(told.text)["story"]
    story = [line["text"] for each in entries for line in (each["line"], *each["children"])]
    refused = [
        fought_host.post("/api/free", {"ruleset": "arctic-disaster", "action": {}}),
        fought_host.post("/api/free/round", {"ruleset": "arctic-disaster"}),
    ]
    assert {each.status_code for each in refused} == {400}
    faults = [json.loads(each.text)["error"]["message"] for each in refused]
    assert len(story) > 20
    assert _english([*story, *faults], data) == set()


def test_the_command_line_speaks_it_too(
    language: str,
    data: re.Pattern[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    shot = tmp_path / "shot.toml"
    shot.write_text(
        """ruleset = "arctic-disaster"
[firer]
name = "Norfolk"
[target]
name = "Tirpitz"
""",
        encoding="utf-8",
    )
    assert main(["forecast", str(shot)]) == 0
    assert main(["resolve", str(shot), "--seed", "1"]) == 0
    assert main(["resolve", str(shot)]) == WRONG_INPUT
    said = capsys.readouterr()
    kept = {"dreyer", "resolve", "dice", "seed", "README"}
    assert _english([said.out, said.err], data) <= kept
    monkeypatch.setenv(LANGUAGE_VARIABLE, "tlh")
    assert main(["forecast", str(shot)]) == WRONG_INPUT


_PLACEHOLDER = re.compile(r"\b(?:camera|sheets|[A-Z]{2,})\.\w+|\b[A-Z]{2,}\b|WxH")
_IN_HELP = {"dreyer", "demo", "shot", "dice", "seed", "sheets", "json", "pdf", "toml", "png", "jpg"}
"""Names of files and keys, and the command itself."""


@pytest.mark.parametrize("command", [None, *MODULES])
def test_the_help_of_a_command_is_in_it(
    command: str | None,
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    # A word is not broken at a hyphen or at the end of a line.
    monkeypatch.setenv("COLUMNS", "1000")
    with pytest.raises(SystemExit) as ended:
        main([*filter(None, [command]), "--help"])
    assert ended.value.code == 0
    said = _PLACEHOLDER.sub(" ", _OPTION.sub(" ", capsys.readouterr().out))
    listed = {*MODULES, *NAMES, *GameLevel, *PAPERS_MM}
    listed |= {*MarkerForm, *MarkerPaint, *ModelScale, *CodePlace}
    typed = {word for each in listed for word in _WORD.findall(each)}
    assert set(_WORD.findall(said)) - typed - _IN_HELP == set()


def test_a_wrong_command_line_is_reported_in_it(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    with pytest.raises(SystemExit) as ended:
        main(["camera", "--seconds", "x"])
    assert ended.value.code == WRONG_INPUT
    # The option's name is put before it by argparse.
    said = _OPTION.sub(" ", capsys.readouterr().err)
    assert set(_WORD.findall(said)) == {"dreyer", "camera", "argument"}


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_printed_in_it(
    name: str,
    language: str,
    data: re.Pattern[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    tables = get_ruleset(name).tables
    for table in tables:
        assert main(["tables", name, "--show", table.name, "--data", str(tmp_path)]) == 0
        # Names that are typed in commands, the entries of the cells, and citations.
        cells = {table.text(row, column) for row in table.rows for column in table.columns}
        typed = {table.name, *table.rows, *table.columns, *cells}
        with in_language(language):
            typed |= {cited(cell.reference) for cell in table.cells.values()}
        longest_first = sorted(typed - {""}, key=len, reverse=True)
        said = re.sub("|".join(map(re.escape, longest_first)), " ", capsys.readouterr().out)
        assert _english([said], data) == set(), table.name
    assert main(["tables", name, "--data", str(tmp_path)]) == 0
    assert main(["tables", name, "--in-force", "--data", str(tmp_path)]) == 0
    typed = {word for table in tables for word in _WORD.findall(table.name)}
    assert _english([capsys.readouterr().out], data) - typed == set()


def test_rulebooks_are_listed_in_it(
    language: str,
    data: re.Pattern[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    assert main(["rulesets"]) == 0
    said = capsys.readouterr().out
    for name in NAMES:
        said = said.replace(name, " ")
    assert _english([said], data) == set()


def test_a_scene_is_checked_in_it(
    language: str,
    data: re.Pattern[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    scene = tmp_path / "scene.toml"
    scene.write_text(
        """ruleset = "grand-fleets"
[[ship]]
name = "Iron Duke"
x = 1000
y = 1000
heading = 0
division = "42"
flagship = true
[[ship]]
name = "Sample cruiser"
x = 9000
y = 9000
heading = 0
division = "42"
""",
        encoding="utf-8",
    )
    assert main(["check", str(scene)]) == 0
    assert _english([capsys.readouterr().out], data) == set()


_SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.]? [a-z]{2,}[,;:.]? [A-Za-z]")
_UNTRANSLATED = (
    # The descriptions of the API for programmers.
    "web/api/*",
    # SQL.
    "web/journal/store.py",
)  # fmt: skip
_KEYS = {
    "clear of smoke", "may not fire", "may not fire by …", "out of range",  # values in JSON
    "not fired upon",  # a row of a table
    "launch marker of …", "King George V and Prince of Wales",  # names
    "Transferring the Flag",  # a heading of a rulebook
    "of this folder",  # the version in a file that was written without an installed program
    "dreyer locate photo.jpg --table-inches 72x48 --markers sheets.json",  # a command
    ":root{…}\n@media screen and (prefers-color-scheme: dark){:root{…}}\n…",  # a style
}  # fmt: skip
_PROGRAM_FAULTS = {
    "NotImplementedError",
    "RuntimeError",
    "ValueError",
    "TypeError",
    "AssertionError",
    "AttributeError",
}


def test_no_sentence_stands_in_a_module() -> None:
    """Sentences are in the string tables; what is left are keys, citations and file comments."""
    keys = _data_keys() | _KEYS
    found = [
        f"{path.relative_to(ROOT)}: {said}"
        for path in PYTHON_FILES
        if not any(path.match(each) for each in _UNTRANSLATED)
        for said in _sentences(path)
        if said not in keys and not said.lstrip().startswith("#")
    ]
    assert found == []


def _sentences(path: Path) -> Iterator[str]:
    module = ast.parse(path.read_text("utf-8"))
    passed: set[ast.AST] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Expr | ast.Assert) or _is_for_developers(node):
            # Docstrings, and what a program says that is itself at fault.
            texts = node.value if isinstance(node, ast.Expr) else node
            is_text = not isinstance(node, ast.Expr) or isinstance(texts, ast.Constant)
            passed |= set(ast.walk(texts)) if is_text else set()
        if isinstance(node, ast.JoinedStr) and node not in passed:
            passed |= set(node.values)
            parts = (
                str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values
            )
            said = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed:
            said = node.value
        else:
            continue
        if _SENTENCE.search(said):
            yield said


def _is_for_developers(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return getattr(node.exc.func, "id", "") in _PROGRAM_FAULTS
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and getattr(func.value, "id", "") == "_log"


def _data_keys() -> set[str]:
    """Rows, columns and titles of tables, kinds of actions, values to choose, cited chapters."""
    found: set[str] = set()
    for ruleset in map(get_ruleset, NAMES):
        for table in ruleset.tables:
            found |= {table.title, *table.rows, *table.columns}
            found |= {table.text(row, column) for row in table.rows for column in table.columns}
    for name, info in ACTIONS:
        asked = (*questions(info.type), *questions(FREE[name].state_type))
        found |= {info.kind, info.rule, *(each.rule for each in asked)}
        found |= {choice for each in asked for choice in each.shape.choices}
    return found


def _shown(page: str) -> list[str]:
    shown = _Shown()
    shown.feed(page)
    return shown.found


def _english(said: Iterable[str], data: re.Pattern[str]) -> set[str]:
    left = (data.sub(" ", " ".join(part.split())) for part in said)
    return {word for part in left for word in _WORD.findall(part)}


@pytest.fixture(scope="module")
def fought_host(language: str, tmp_path_factory: pytest.TempPathFactory) -> Phone:
    fought = Fought(tmp_path_factory.mktemp("battle") / "battle.sqlite").segments(3)
    fought.move()
    fought.fire(roll=False)
    host = host_of(create_app(server_context=ServerContext(fought.session), language=language))
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
        ('[join.more_ships]\nother = "{n:>99999999}"\n', r"errors\.language\.value"),
        ('[join.more_ships]\nother = "{n:{n.__class__}}"\n', r"errors\.language\.value"),
        ('[join.more_ships]\nother = "{n.__class__}"\n', r"errors\.language\.value"),
        (f"a = {'[' * 5000}{']' * 5000}\n", r"errors\.language\.file"),
        (f"a = {'9' * 5000}\n", r"errors\.language\.file"),
        (f"a{'.a' * 5000} = 1\n", r"errors\.language\.file"),
        ('[common]\nlanguage = "tlh"\n', r"errors\.language\.code"),
        ('[common]\nlanguage = "pt_BR"\n', r"errors\.language\.code"),
        ('[join.more_ships]\nfew = "{n}"\nother = "{n}"\n', r"errors\.language\.plural"),
        ('[join.more_ships]\none = "one"\n', r"errors\.language\.no_other"),
        ('[join.more_ships]\nother = "{who}"\n', r"errors\.language\.value"),
        ('[common.back]\nother = "x"\n', r"errors\.language\.key"),
        ("[common\n", r"errors\.language\.file"),
        ("[common]\nback = 3\n", r"errors\.not_a_string"),
        ('[data]\n"Hit Tables" = "x"\n', r"errors\.language\.data"),
        ('[data]\n"Hit Table" = 3\n', r"errors\.not_a_string"),
        ('data = "x"\n', r"errors\.language\.data_table"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: str, code: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadLanguage, match=code):
        check_language(str(path))


_PLURALS = """
[common]
language = "pl"
[join.more_ships]
one = "{n} statek"
few = "{n} statki"
many = "{n} statków"
other = "{n} statku"
[fire.rounds_left]
one = "został {n}"
few = "zostały {n}"
many = "zostało {n}"
other = "zostało {n}"
[setup.check]
ships_seen = "statki: {count}"
[common.js.seconds_ago]
one = "{n} sekundę temu"
few = "{n} sekundy temu"
other = "{n} sekund temu"
"""


@pytest.fixture
def polish(tmp_path: Path) -> str:
    path = tmp_path / "pl.toml"
    path.write_text(_PLURALS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("n", "ships", "left"),
    [
        (0, "0 statków", "zostało 0"),
        (1, "1 statek", "został 1"),
        (2, "2 statki", "zostały 2"),
        (5, "5 statków", "zostało 5"),
        (12, "12 statków", "zostało 12"),
        (22, "22 statki", "zostały 22"),
        (1.5, "1.5 statku", "zostało 1.5"),
    ],
)
def test_a_language_has_plural_forms_of_its_own(
    n: float, ships: str, left: str, polish: str
) -> None:
    with in_language(polish):
        assert text("join.more_ships", n=n) == ships
        assert words(Message("join.more_ships", n=n)) == ships
        # English has one form for every number here.
        assert text("fire.rounds_left", n=n) == left
        # And two here, where the other language has one.
        assert text("setup.check.ships_seen", n=n, count=n) == f"statki: {n}"
        # What is not translated has the English forms.
        assert text("fire.hits", n=n) == ("1 hit" if n == 1 else f"{n} hits")


def test_scripts_get_the_plural_forms_of_the_language(polish: str) -> None:
    with in_language(polish):
        sent = json.loads(page_strings())
    assert sent["common.seconds_ago.few"] == "{n} sekundy temu"
    assert "common.seconds_ago" not in sent


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadLanguage, match=r"errors\.language\.unknown"):
        check_language("tlh")
