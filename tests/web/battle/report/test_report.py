"""The report: every fire in it, luck by the engine's own odds, and no secret before the end."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest
from flask import Flask

from combat import participants
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.odds import forecast_fire
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.story_entries import FireDocument
from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import (
    BRITISH,
    GERMAN,
    ONLOOKER,
    UMPIRE,
    Fought,
)
from tests.web.drawing.inspected import box_of
from tests.web.phones import Phone, host_of, seated
from web import create_app
from web.actions.battle import AskUndo
from web.battle.report.pictures import luck_plot, segment_maps
from web.battle.report.report import Luck, battle_report
from web.drawing.figures import Shape, Text
from web.drawing.fonts import Face
from web.drawing.geometry import Box
from web.drawing.theme import colours
from web.http.context import ServerContext
from web.journal.store import Store
from web.session import Session
from web.strings import words

SEGMENTS = 4
_VOID = {"meta", "br", "link", "img", "input", "hr"}
_SVG_VOID = {"path", "circle", "rect", "image"}


class Page(HTMLParser):
    """A page read strictly: every tag closed, and everything that it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.summaries: list[str] = []
        self.counts: dict[str, int] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.fetched += [f"{k}={v}" for k, v in attrs if k in ("src", "href", "xlink:href")]
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "summary":
            self.summaries.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _VOID | _SVG_VOID, tag

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "summary" in self.open:
            self.summaries[-1] += data


@pytest.fixture(scope="module")
def forecasts() -> list[float]:
    return []


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory, forecasts: list[float]) -> Iterator[Fought]:
    """A whole battle, and beside it what the engine forecasts for each of its fires."""
    fought = Fought(tmp_path_factory.mktemp("report") / "t.db", seed=3)
    for _ in range(SEGMENTS):
        fought.move()
        fought.fire(roll=False)
        _roll_singly(fought)
        battle = fought.battle
        # The last action but one rolled the last die; the last has marked the damage.
        state = battle.game.played[-2].state
        assert isinstance(state, AdvancedState)
        assert state.resolution is not None
        card, options = CombatTables.of(battle.tables), state.engagement.options
        forecasts += [
            forecast_fire(fire.shot, card, options).expected_hits for fire in state.resolution.fires
        ]
    fought.do("end", reason="darkness")
    yield fought
    fought.session.close()


def _roll_singly(fought: Fought) -> None:
    """Every roll an event of its own, as phones enter them."""
    fought.fire_as_designated()
    while (wanted := fought.battle.rulebook.dice_wanted(fought.battle.state)) is not None:
        figures = 2 if wanted.kind == "pair" else 1
        value = "".join(str(fought.chance.randint(1, 6)) for _ in range(figures))
        fought.do("dice", BRITISH, values=[value])
        fought.fire_as_designated()


@pytest.fixture(scope="module")
def app(fought: Fought) -> Flask:
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    return app


@pytest.fixture(scope="module")
def ann(app: Flask) -> Phone:
    return seated(app, "Ann", side="british")


def test_luck_is_what_the_engine_forecasts(fought: Fought, forecasts: list[float]) -> None:
    report = battle_report(fought.battle, UMPIRE)
    fires = [fire for segment in report.segments for fire in segment.fires]
    assert len(fires) == len(forecasts) >= 12
    assert [fire.expected for fire in fires] == pytest.approx(forecasts, abs=1e-12)
    assert sum(luck.expected[-1] for luck in report.luck) == pytest.approx(sum(forecasts))
    told = [fire.entry.document for fire in fires]
    hits = sum(fire.hits for fire in told if isinstance(fire, FireDocument))
    assert sum(luck.actual[-1] for luck in report.luck) == hits > 0
    for luck in report.luck:
        assert len(luck.expected) == len(luck.actual) == SEGMENTS + 1
        assert list(luck.expected) == sorted(luck.expected)


def test_the_maps_show_where_everybody_was(fought: Fought) -> None:
    past = fought.battle.history
    assert [segment.key for segment in past.segments] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    before = past.start
    for segment in past.segments:
        for name, path in segment.paths.items():
            assert path[0] == pytest.approx((before[name].x, before[name].y))
            assert path[-1] == pytest.approx((segment.ships[name].x, segment.ships[name].y))
        before = segment.ships
    view = fought.battle.rulebook.view(fought.battle.state, participants.UMPIRE)
    for ship in view.ships:
        standing = past.segments[-1].ships[ship.id]
        assert (standing.x, standing.status) == (ship.pose.x_yards, ship.status)


def test_a_map_names_every_ship_within_its_frame(fought: Fought) -> None:
    report = battle_report(fought.battle, UMPIRE)
    for segment, drawing in zip(report.segments, segment_maps(report), strict=True):
        said = [item for item in drawing.items if isinstance(item, Text)]
        names = [item for item in said if item.face is Face.SERIF_ITALIC]
        assert {item.words for item in names} == set(segment.ships)
        frame = Box(0, 0, drawing.width, drawing.height)
        assert all(frame.contains(box_of(item)) for item in names)
        figures = {item.words for item in said if item.face is Face.SANS_SEMIBOLD}
        assert figures == {str(fire.hits) for fire in segment.fires if fire.hits}
        used = {c for i in drawing.items if isinstance(i, Shape) for c in (i.fill, i.stroke)}
        assert used - {""} <= colours("paper").keys()


def test_the_file_is_whole_and_holds_every_fire(fought: Fought, ann: Phone) -> None:
    answer = ann.get("/report.html")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="denmark-strait.html"'
    page = Page(answer.text)
    assert page.open == []
    assert page.fetched == []
    assert "url(" not in answer.text
    assert "@import" not in answer.text
    # The replay and its data, without an address.
    assert page.counts["script"] == 2
    report = battle_report(fought.battle, UMPIRE)
    for segment in report.segments:
        for fire in segment.fires:
            (summary,) = [each for each in page.summaries if words(fire.entry.line.text) in each]
            assert f"expected {fire.expected:.2f}" in summary
    assert answer.text.count('class="map"') == SEGMENTS
    assert "darkness" in answer.text
    for luck in report.luck:
        assert luck.words in answer.text


def test_the_page_and_the_paper_tell_the_same(fought: Fought, ann: Phone) -> None:
    page = ann.get("/report")
    assert 'href="/report.html"' in page.text
    assert 'href="/report.pdf"' in page.text
    part = ann.get("/report/part").text
    assert part.count('class="map"') == SEGMENTS
    pdf = ann.get("/report.pdf?paper=letter")
    paper = "".join(p.get_textpage().get_text_range() for p in pypdfium2.PdfDocument(pdf.data))
    flat = " ".join(paper.split())
    report = battle_report(fought.battle, UMPIRE)
    for segment in report.segments:
        assert segment.title in flat
        for fire in segment.fires:
            assert words(fire.entry.line.text) in flat
    assert ann.get("/report.pdf?paper=quarto").status_code == 400


def test_ammunition_and_losses_are_those_of_the_sheets(fought: Fought) -> None:
    report, battle = battle_report(fought.battle, UMPIRE), fought.battle
    for fate in report.fates:
        sheet = battle.rulebook.sheet(battle.state, fate.ship)
        parts = [part for part in sheet.parts if part.kind in ("ammunition", "torpedoes")]
        assert fate.spent == tuple((words(part.title), part.lost, part.total) for part in parts)
        assert fate.sunk is (sheet.status == "sunk")
    assert any(spent for fate in report.fates for _, spent, _ in fate.spent)


def test_the_past_is_told_from_the_states_and_ends_with_an_undo(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=5).segments(1)
    assert fought.battle.history is fought.battle.history
    events = len(fought.battle.record.events)
    fought.move()
    told = fought.battle.history
    assert [segment.key for segment in told.segments] == [(1, 1), (1, 2)]
    # After a restart it is the same.
    again = Session(Store(tmp_path / "t.db"))
    assert again.moment.battle is not None
    assert again.moment.battle.history == told
    again.close()
    fought.session.act(UMPIRE, AskUndo(fought.battle.record.events[events - 1].n))
    assert fought.battle.history.segments == told.segments[:1]
    fought.session.close()


def test_before_the_end_nobody_reads_what_is_hidden(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    phones = {side: seated(app, f"Of {side}", side=side) for side in ("british", "german")}
    fought.move()
    for firer, target in (("Hood", "Bismarck"), ("Prince of Wales", "Prinz Eugen")):
        fought.do("designate", ship=firer, orders=[{"target": target}])
    fought.do("commit")
    fought.roll()
    for caller in (BRITISH, ONLOOKER):
        report = battle_report(fought.battle, caller)
        fires = [fire for segment in report.segments for fire in segment.fires]
        assert [fire.firer for fire in fires] == ["Hood", "Prince of Wales"]
        assert {fire.target for fire in fires} == {"Ship 1", "Ship 3"}
        # The odds follow from what a ship is.
        assert [fire.expected for fire in fires] == [None, None]
        assert report.luck[0].expected[-1] == 0
        assert "Bismarck" not in repr(report)
    for path in ("/report", "/report/part", "/report.html", "/replay/data"):
        page = phones["british"].get(path).text
        assert "Ship 1" in page
        assert "Bismarck" not in page
        assert "Prinz Eugen" not in page
        assert "Bismarck" in phones["german"].get(path).text
    assert all(
        fire.expected is not None for fire in battle_report(fought.battle, GERMAN).segments[0].fires
    )
    fought.do("end", reason="dark")
    assert "Bismarck" in phones["british"].get("/report.html").text
    assert "Bismarck" in phones["british"].get("/replay/data").text
    fought.session.close()


def test_drafts_are_in_no_report(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4).segments(1)
    fought.do("plot", GERMAN, ship="Bismarck", notation="2L2")
    secret = repr(battle_report(fought.battle, BRITISH))
    assert "2L2" not in secret
    fought.session.close()


def test_a_battle_that_has_not_begun_has_little_to_report(tmp_path: Path) -> None:
    bare = create_app()
    bare.config["TESTING"] = True
    host = host_of(bare)
    assert "Nothing to report yet" in host.get("/report").text
    assert host.get("/report.html").status_code == 404
    assert host.get("/report.pdf").status_code == 404
    fought = Fought(tmp_path / "t.db")
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    phone = seated(app)
    assert "Nobody has moved yet" in phone.get("/report.html").text
    assert phone.get("/report.pdf").data.startswith(b"%PDF")
    fought.session.close()


def test_luck_in_words() -> None:
    def words(actual: int, spread: float = 1.0) -> str:
        return Luck("british", (0.0, 4.0), (0, actual), spread).words.rpartition(": ")[2]

    assert words(4) == "about average"
    assert words(5) == "lucky"
    assert words(3) == "unlucky"
    assert words(6).startswith("very lucky")
    assert words(1).startswith("very unlucky")
    assert words(0, 0.0) == "about average"


def test_the_plot_labels_both_lines_of_both_sides(fought: Fought) -> None:
    drawing = luck_plot(battle_report(fought.battle, UMPIRE))
    said = [item for item in drawing.items if isinstance(item, Text)]
    for luck in battle_report(fought.battle, UMPIRE).luck:
        name = luck.side.capitalize()
        assert any(item.words == f"{name}: {luck.actual[-1]} hits" for item in said)
        assert any(item.words == f"{name}: {luck.expected[-1]:.1f} expected" for item in said)
    assert all(box_of(item).right <= drawing.width for item in said if item.anchor == "start")


def test_the_plot_says_what_a_short_number_of_a_segment_means(fought: Fought) -> None:
    report = battle_report(fought.battle, UMPIRE)
    *_, last = (item.words for item in luck_plot(report).items if isinstance(item, Text))
    example = report.segments[-2]
    assert example.key == (2, 1)
    assert last.startswith("2.1 ")
    assert last.endswith(example.title)


def test_nobody_without_a_seat_reads_it(app: Flask) -> None:
    for path in ("/report", "/report/part", "/report.html", "/report.pdf"):
        assert Phone(app, "192.168.1.77").get(path).status_code in (303, 401), path
