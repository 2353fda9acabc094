"""The battle's pages: what is next for whom, the plot pad, the move, the way back, and secrets."""

import html
import re
from typing import Any

import pytest
from flask import Flask

from combat.corrections import CorrectableValue, ValueForm
from combat.participants import UMPIRE
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from web.api.corrections import Correction, read_value
from web.session import Session
from web.strings import text
from web.strings import words as word

PLOT = "2RRl"
CANARY = "4lC"
"""A plot that is written nowhere but in one side's draft."""
OWN_PAGES = ("/battle", "/battle/now", "/battle/bar", "/battle/ask", "/battle/story")


class Table:
    """A battle with a player on each side, an umpire, an onlooker and the host."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.host = host_of(app)
        self.ann = seated(app, "Ann")
        self.bob = seated(app, "Bob", side="german")
        self.uma = seated(app, "Uma", role="umpire", side=None)
        self.wim = seated(app, "Wim", role="onlooker", side=None)
        assert self.host.post("/api/battle/begin", {}).status_code == 200

    def play(self, who: Phone, kind: str, **data: Any) -> None:
        answer = who.post("/api/battle/play", {"kind": kind, "data": data})
        assert answer.status_code == 200, answer.text

    def plot(self, who: Phone, *ships: str, notation: str = "5") -> None:
        for ship in ships:
            self.play(who, "plot", ship=ship, speed=9, notation=notation)

    def plot_all(self) -> None:
        self.plot(self.ann, "Hood", "Prince of Wales")
        self.plot(self.bob, "Prinz Eugen", "Bismarck")
        self.play(self.ann, "commit")
        self.play(self.bob, "commit")

    def to_fire(self) -> None:
        self.plot_all()
        self.play(self.ann, "move")

    def to_next_segment(self) -> None:
        self.to_fire()
        self.play(self.ann, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
        self.play(self.ann, "commit")
        self.play(self.bob, "commit")
        self.play(self.uma, "commit")
        self.ann.post("/api/battle/roll", {"what": "rest"})

    def numbers(self) -> list[int]:
        battle = running_in(self.app).session.moment.battle
        assert battle is not None
        return [each.n for each in battle.record.events]


@pytest.fixture
def table() -> Table:
    return Table(fresh_app())


def words(phone: Phone, path: str) -> str:
    """What a page says, without its marks."""
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.text)))


def primary(phone: Phone) -> str:
    """The one brass button."""
    found = re.findall(r'class="btn primary full"[^>]*>(.*?)</(?:a|button)>', _now(phone), re.S)
    assert len(found) <= 1
    return re.sub(r"<[^>]+>", "", found[0]).strip() if found else ""


def _now(phone: Phone) -> str:
    return phone.get("/battle/now").text


def test_without_a_battle_the_way_to_one_is_shown(app: Flask) -> None:
    ann = seated(app)
    assert "/battles" in ann.get("/battle").text
    assert ann.get("/battle/story").status_code == 200
    assert ann.get("/battle/plot/Hood").status_code == 303
    assert ann.get("/battle/ask").text.strip() == ""


def test_each_side_is_led_through_its_plots(table: Table) -> None:
    assert primary(table.ann) == "Plot Hood"
    table.plot(table.ann, "Hood")
    assert primary(table.ann) == "Plot Prince of Wales"
    table.plot(table.ann, "Prince of Wales")
    assert primary(table.ann) == "Commit the plots"
    table.play(table.ann, "commit")
    assert primary(table.ann) == ""
    assert "Waiting for the others" in words(table.ann, "/battle/now")
    assert "Undo my commit" in words(table.ann, "/battle/now")
    assert "committed" in words(table.bob, "/battle/now")
    assert primary(table.bob) == "Plot Prinz Eugen"


def test_a_sealed_plot_is_shown_as_it_was_written(table: Table) -> None:
    table.plot(table.ann, "Hood", "Prince of Wales")
    table.play(table.ann, "commit")
    # Its fields are shut and send nothing, or nothing that counts.
    for typed in ("", "?at=0", "?at=1&notation=R"):
        part = table.ann.get(f"/battle/plot/Hood/part{typed}").text
        assert "5 of 5 movement factors" in part
        assert 'class="way main"' in part
        (closed,) = re.findall(r'data-closed="([^"]*)"', part)
        assert {"L", "r", "1", "9", "SF"} <= set(closed.split())


def test_the_sequence_bar_shows_rule_numbers_and_progress(table: Table) -> None:
    table.plot_all()
    bar = table.host.get("/battle/bar").text
    assert re.findall(r'data-progress="(\w+)"', bar) == ["done", "now"] + ["ahead"] * 6
    assert "56.2" in bar
    assert "56.8" in bar
    assert "/battle/bar" in table.host.get("/host").text


def test_watchers_are_given_nothing_to_do(table: Table) -> None:
    for phone in (table.host, table.wim):
        assert primary(phone) == ""
        assert "You are watching" in words(phone, "/battle/now")
        assert phone.get("/battle/plot/Hood").status_code == 403
        assert phone.get("/battle/correct").status_code == 403


def test_every_page_tells_whom_the_battle_waits_for(table: Table) -> None:
    def waited_for() -> str:
        phones = {"a": table.ann, "b": table.bob, "u": table.uma, "w": table.wim, "h": table.host}
        asked = {key: phone.get("/battle/ask").text for key, phone in phones.items()}
        return "".join(key for key, page in asked.items() if "your-turn" in page)

    assert waited_for() == "abu"
    table.plot(table.ann, "Hood", "Prince of Wales")
    table.play(table.ann, "commit")
    assert waited_for() == "bu"
    table.plot(table.bob, "Prinz Eugen", "Bismarck")
    table.play(table.bob, "commit")
    assert waited_for() == "abu"
    table.play(table.ann, "move")
    table.play(table.ann, "designate", ship="Hood", orders=[{"target": "Bismarck"}])
    table.play(table.ann, "commit")
    assert waited_for() == "bu"
    table.play(table.bob, "commit")
    # Every side says with how many guns it fires, whether or not it fires.
    assert waited_for() == "abu"
    table.play(table.ann, "commit")
    assert waited_for() == "bu"
    table.play(table.bob, "commit")
    # No roll of Hood's could hit, so that none is asked for.
    assert waited_for() == "abu"
    table.play(table.uma, "end", reason="enough")
    assert waited_for() == ""


def test_a_move_is_one_line_of_the_log_with_every_ship(table: Table) -> None:
    table.plot_all()
    table.play(table.ann, "move")
    assert "put Hood, Prince of Wales, Prinz Eugen, Bismarck where" in words(table.bob, "/log")


def test_the_only_ship_ahead_is_chosen(table: Table) -> None:
    page = table.ann.get("/battle/plot/Prince of Wales").text
    assert "<option selected>Hood</option>" in page


def test_an_umpire_runs_both_sides(table: Table) -> None:
    table.plot(table.uma, "Hood", "Prince of Wales", "Prinz Eugen")
    assert primary(table.uma) == "Plot Bismarck"
    table.plot(table.uma, "Bismarck")
    assert primary(table.uma) == "Commit the plots"
    table.play(table.uma, "commit")
    assert primary(table.uma) == "Confirm the move"


def test_the_pad_offers_what_fits(table: Table) -> None:
    page = table.ann.get("/battle/plot/Hood").text
    assert re.findall(r'data-put="([^"]+)" aria-disabled="false"', page) == [
        *("L", "l", "r", "R"), "1", "2", "3", "4", "5", "follow", "C", "SC", "SF",
    ]  # fmt: skip
    part = table.ann.get("/battle/plot/Hood/part?at=2&notation=3l&speed=9").text
    assert re.search(r'data-closed="([^"]*)"', part).group(1).split() == [  # type: ignore[union-attr]
        *("L", "l", "r", "R"), *"23456789", "follow",
    ]  # fmt: skip
    assert "1 factor" not in re.sub(r'data-why="[^"]*"', "", part)
    assert "One movement factor left to plot" in part


def test_the_key_in_the_middle_is_judged_where_the_caret_stands(table: Table) -> None:
    part = table.ann.get("/battle/plot/Hood/part?at=0&notation=L&speed=9").text
    closed = re.search(r'data-closed="([^"]*)"', part)
    assert closed is not None
    assert "l" in closed.group(1).split()
    assert "L" not in closed.group(1).split()


def test_a_fault_stands_under_its_sign(table: Table) -> None:
    part = table.ann.get("/battle/plot/Hood/part?at=3&notation=3Rx&speed=9").text
    pointer = re.search(r'class="pointer"[^>]*>([^<]*)<', part)
    assert pointer is not None
    assert pointer.group(1) == "\u00a0\u00a0▲"
    assert 'id="save"' not in part
    assert "57.52" in part


def test_a_legal_plot_is_saved_as_it_was_looked_at(table: Table) -> None:
    part = table.ann.get("/battle/plot/Hood/part?at=3&notation=3Rl&speed=9").text
    body = re.search(r'id="save"[^>]*data-body=\'([^\']+)\'', part)
    assert body is not None
    sent = table.app.json.loads(html.unescape(body.group(1)))
    assert sent == {"kind": "plot", "data": {"ship": "Hood", "notation": "3Rl", "speed": 9}}
    assert table.ann.post("/api/battle/play", sent).status_code == 200
    assert "3Rl" in words(table.ann, "/battle/now")
    assert 'class="way main"' in part


def test_who_follows_is_asked_only_where_it_matters(table: Table) -> None:
    table.plot(table.ann, "Hood")
    path = "/battle/plot/Prince of Wales/part?speed=9&follows=Hood&smoke_side=port"
    part = table.ann.get(f"{path}&at=6&notation=follow").text
    assert 'data-asks="follows"' in part
    assert "&#34;follows&#34;" in part or '"follows"' in html.unescape(part)
    part = table.ann.get(f"{path}&at=4&notation=5 SF").text
    assert 'data-asks="smoke_side"' in part
    assert '"smoke_side": "port"' in html.unescape(part)
    part = table.ann.get(f"{path}&at=1&notation=5").text
    assert 'data-asks=""' in part
    assert "follows" not in html.unescape(part).split('id="save"')[1].split(">")[0]


@pytest.mark.parametrize(
    "query",
    ["at=999&notation=5", "at=-1", "at=x&speed=9999", "speed=²", "notation=" + "9" * 500, "at=0"],
)
def test_odd_fields_do_no_harm(table: Table, query: str) -> None:
    assert table.ann.get(f"/battle/plot/Hood/part?{query}").status_code == 200


def test_the_delete_key_takes_a_whole_sign(table: Table) -> None:
    cuts = {"5 SF": 2, "follow": 6, "3Rl": 1, "5 ": 2, "": 0, "x": 1}
    # The amount of a short turn goes before its letter does.
    cuts |= {"3Rl⅓": 1, "3Rl1/3": 3, "3Rl12°": 3, "3Rl12d ": 4}
    for notation, cut in cuts.items():
        path = f"/battle/plot/Hood/part?at={len(notation)}&notation={notation}&speed=9"
        assert f'data-cuts="{cut}"' in table.ann.get(path).text


def amounts(part: str) -> list[tuple[str, int, bool]]:
    """The keys for the amount of a short turn: what is written, over how much, which one stands."""
    found = re.findall(r'data-put="([^"]*)"\s+data-over="(\d+)"\s+aria-pressed="(\w+)"', part)
    return [(text, int(over), pressed == "true") for text, over, pressed in found]


def test_a_short_turn_is_given_its_amount_by_one_more_key(table: Table) -> None:
    path = "/battle/plot/Hood/part?speed=9"
    assert amounts(table.ann.get(f"{path}&at=1&notation=3").text) == []
    keys = amounts(table.ann.get(f"{path}&at=2&notation=3l").text)
    assert [text for text, _, _ in keys] == ["⅓", "½", "⅔", "10°", "14°", "16°", "20°"]
    assert [text for text, _, pressed in keys if pressed] == ["½"]
    assert {over for _, over, _ in keys} == {0}
    keys = amounts(table.ann.get(f"{path}&at=5&notation=3l12°").text)
    assert {over for _, over, _ in keys} == {3}
    assert not any(pressed for _, _, pressed in keys)
    # Sealed plots have no keys to press.
    table.plot(table.ann, "Hood", "Prince of Wales", notation="3Ll")
    table.play(table.ann, "commit")
    assert amounts(table.ann.get("/battle/plot/Hood").text) == []


def test_a_short_turn_is_written_down_and_measured_off(table: Table) -> None:
    table.plot(table.ann, "Hood", notation="3Ll1/3")
    table.plot(table.ann, "Prince of Wales", notation="3Ll")
    table.plot(table.bob, "Prinz Eugen", "Bismarck")
    table.play(table.ann, "commit")
    table.play(table.bob, "commit")
    page = words(table.ann, "/battle/now")
    assert "Hood 3Ll⅓" in page
    # At 500 yards to the inch: three factors of 300 yards, one, a third and a half of one.
    assert "3 1.80 in ahead L 0.60 in, 30° to port l⅓ 0.20 in, 10° to port" in page
    assert "l 0.30 in, 15° to port" in page


def test_once_the_plots_are_open_the_pad_leads_on(table: Table) -> None:
    table.plot_all()
    assert table.ann.get("/battle/plot/Hood").headers["Location"] == "/battle"


def test_a_side_reads_its_own_plots_and_the_referee_names_who_is_elsewhere(table: Table) -> None:
    table.plot_all()
    assert "Hood 5" in words(table.ann, "/battle/now")
    for other in (table.bob, table.wim):
        page = words(other, "/battle/now")
        assert "Hood" in page
        assert "Hood 5" not in page
        assert "plots are sealed" in page
    assert primary(table.bob) == "Confirm the move"
    table.bob.post("/api/ships/Hood/place", {"x": 20000, "y": 8000, "heading": 290})
    page = words(table.ann, "/battle/now")
    assert "Hood: not where the plot puts her" in page
    assert "Out of place" in page
    # She is miles away: nobody accepts that by the default button.
    for phone in (table.ann, table.bob):
        assert primary(phone) == str(text("battle.move_by_plot"))
    theirs = words(table.bob, "/battle/now")
    assert "Out of place" not in theirs
    assert str(text("battle.not_as_plotted")) in theirs
    bodies = [
        table.app.json.loads(html.unescape(found))
        for found in re.findall(r"data-body='([^']+)'", _now(table.ann))
    ]
    as_plotted = next(body for body in bodies if body.get("data", {}).get("as_plotted"))
    assert table.ann.post("/api/battle/play", as_plotted).status_code == 200
    assert primary(table.ann) == "Choose targets for all ships"


def test_a_model_that_is_a_little_off_may_be_accepted_by_its_owner(table: Table) -> None:
    table.plot_all()
    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    plotted = battle.plotted_view(UMPIRE).move["Hood"].plotted
    assert plotted is not None
    near = {"x": plotted.x_yards + 200, "y": plotted.y_yards, "heading": plotted.heading_deg}
    assert table.ann.post("/api/ships/Hood/place", near).status_code == 200
    assert primary(table.ann) == str(text("battle.move_accept"))
    # The others cannot tell how far off she is.
    assert primary(table.bob) == str(text("battle.move_by_plot"))


def test_a_move_card_says_what_to_do_with_each_own_model(table: Table) -> None:
    table.plot(table.ann, "Hood", notation="2RRl")
    table.plot(table.ann, "Prince of Wales")
    table.plot(table.bob, "Prinz Eugen", "Bismarck")
    table.play(table.ann, "commit")
    table.play(table.bob, "commit")
    own, others = _now(table.ann), _now(table.bob)
    assert own.count('class="move-drawing"') == others.count('class="move-drawing"') == 2
    assert "1.20 in ahead" in html.unescape(own)
    assert _now(table.uma).count('class="move-drawing"') == 4
    assert _now(table.wim).count('class="move-drawing"') == 0


SEEN_BY_OTHERS = (
    *("/battle/now", "/battle/bar", "/api/battle", "/battle/story", "/battle/plots"),
    *("/tv", "/tv/side", "/tv/happenings", "/report", "/api/view"),
)
CHANGES = r"\d\d:\d\d(:\d\d)?|[0-9a-f]{12,}|\b[A-Z0-9]{4,6}\b|[\d.]{9,}|:\d{4,5}"
"""What differs from table to table: times, codes, identities."""


def test_nothing_of_a_sealed_move_reaches_another_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two battles that differ in one side's plots alone look the same to everybody else."""
    monkeypatch.setattr(Session, "is_present", lambda *_: True)
    seen: list[dict[str, str]] = []
    owners: list[str] = []
    for plot in ("2RRl", "2LLr"):
        table = Table(fresh_app())
        table.plot(table.ann, "Hood", notation=plot)
        table.plot(table.ann, "Prince of Wales")
        table.plot(table.bob, "Prinz Eugen", "Bismarck")
        table.play(table.ann, "commit")
        table.play(table.bob, "commit")
        others = {"Bob": table.bob, "Wim": table.wim, "host": table.host}
        seen.append(
            {
                f"{name} {path}": re.sub(CHANGES, "·", phone.get(path).text)
                for name, phone in others.items()
                for path in SEEN_BY_OTHERS
            }
        )
        owners.append(re.sub(CHANGES, "·", _now(table.ann)))
    assert owners[0] != owners[1]
    for name, page in seen[0].items():
        assert page == seen[1][name], name


def test_the_next_segment_begins_with_the_last_die(table: Table) -> None:
    table.to_next_segment()
    assert primary(table.ann) == "Plot Hood"


def test_the_end_needs_both_sides(table: Table) -> None:
    table.play(table.ann, "end")
    assert "British would like to end the battle here" in words(table.bob, "/battle/now")
    assert "Keep playing after all" in words(table.ann, "/battle/now")
    table.play(table.bob, "end")
    assert primary(table.ann) == "After-action report"
    assert "After the battle, turn 1" in words(table.ann, "/battle/now")


def test_an_own_step_is_taken_back_at_once(table: Table) -> None:
    assert "Undo my last step" not in words(table.ann, "/battle/now")
    table.plot(table.ann, "Hood")
    assert "Undo my last step" in words(table.ann, "/battle/now")
    assert "Undo my last step" not in words(table.bob, "/battle/now")


def test_going_back_is_asked_of_the_other_side_on_every_page(table: Table) -> None:
    table.plot_all()
    story = table.ann.get("/battle/story").text
    asked = [int(n) for n in re.findall(r'data-body=\'{"after": (\d+)}\'', story)]
    assert set(asked) <= {*table.numbers(), min(asked)}
    table.ann.post("/api/battle/undo/ask", {"after": min(asked), "words": "wrong ship"})
    assert "Ann asks to go back" in words(table.bob, "/battle/ask")
    assert "wrong ship" in words(table.bob, "/battle/ask")
    assert "You have asked to go back" in words(table.ann, "/battle/ask")
    assert "data-act" not in table.wim.get("/battle/ask").text
    for path in ("/table", "/log", "/battle", "/ships"):
        assert 'data-live="/battle/ask"' in table.bob.get(path).text
    table.bob.answer_undo(agree=True)
    assert "go back" not in words(table.bob, "/battle/ask")
    assert primary(table.ann) == "Plot Hood"


def test_the_log_has_own_plots_at_once_and_the_others_when_the_segment_ends(table: Table) -> None:
    assert "No plots to read yet" in words(table.ann, "/battle/plots")
    table.to_fire()
    assert "Hood Round Speed First move Second move 1 9 5 –" in words(table.ann, "/battle/plots")
    assert "Hood" not in words(table.bob, "/battle/plots/list")
    for phone in (table.ann, table.bob):
        table.play(phone, "commit")
    for phone in (table.bob, table.wim):
        assert "Hood Round Speed First move Second move 1 9 5 –" in words(phone, "/battle/plots")


def test_the_story_folds_and_is_told_by_ship(table: Table) -> None:
    table.to_next_segment()
    story = table.ann.get("/battle/story").text
    assert story.count('<details class="told"') >= 4
    assert "Prinz Eugen, speed 9" in words(table.ann, "/battle/story")
    of_hood = words(table.ann, "/battle/story/list?ship=Hood")
    assert "Hood, speed 9" in of_hood
    assert "Prinz Eugen, speed 9" not in of_hood
    assert table.ann.get("/battle/story?most=0").status_code == 404
    assert table.ann.get("/battle/story?ship=Nobody&most=x").status_code == 200


def test_what_is_written_in_secret_is_no_step_of_the_story(table: Table) -> None:
    table.plot_all()
    assert "wrote a plot" not in words(table.ann, "/battle/story")
    assert words(table.ann, "/battle/story").count("committed") == 2


def test_an_umpire_sets_values_right_with_a_reason(table: Table) -> None:
    body = {"ship": "Hood", "what": "hull_lost", "value": "2.5", "reason": "forgotten hit"}
    assert table.uma.post("/api/battle/correct", body).status_code == 200
    lost = {
        part["key"]: part["lost"]
        for part in table.ann.get("/api/battle/sheet?ship=Hood").get_json()["sheet"]["parts"]
    }
    assert lost["hull"] == 10
    # Everybody is told from what to what, and why: as a card, in the story and in the log.
    for path in ("/battle/story", "/battle/happenings?after=0", "/log/list"):
        told = words(table.ann, path)
        assert "forgotten hit" in told, path
        assert "0 → 2.5" in told, path
    assert table.ann.post("/api/battle/correct", body).status_code in (400, 403)
    for ship in ("", "?ship=Hood"):
        assert table.uma.get(f"/battle/correct{ship}").status_code == 200
    now = words(table.uma, "/battle/correct?ship=Hood")
    assert re.search(r"→\s*\d+\s+↑\s*\d+ yd · \d+°", now), "her place and heading, too"


def correctable(table: Table) -> tuple[CorrectableValue, ...]:
    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    return *battle.correctable("Hood"), *battle.correctable(None)


def test_every_value_has_words_and_is_read_back_as_it_stands(table: Table) -> None:
    table.plot_all()
    for value in correctable(table):
        assert word(value.title)
        if value.form not in (ValueForm.POSE, ValueForm.FLAG, ValueForm.CHOICE):
            assert text(f"battle.form_{value.form}")
        if value.form is not ValueForm.POSE and value.now:
            written = Correction(what=value.key, value=value.now, reason="why")
            assert read_value(written, [value]) is not None


def test_a_value_set_to_what_it_is_changes_nothing(table: Table) -> None:
    def view() -> object:
        return table.ann.view()["battle"]["ships"]

    battle = running_in(table.app).session.moment.battle
    assert battle is not None
    before = view()
    for ship in ("Hood", None):
        for value in battle.correctable(ship):
            if value.now:
                body = {"ship": ship, "what": value.key, "value": value.now, "reason": "as it is"}
                assert table.uma.post("/api/battle/correct", body).status_code == 200, body
    assert view() == before


def test_values_are_read_as_they_are_written(table: Table) -> None:
    values = correctable(table)

    def read(what: str, value: str) -> object:
        return read_value(Correction(what=what, value=value, reason="why"), values)

    assert read("turrets_lost", "A: 1.5, B: 0") == {"A": 1.5, "B": 0}
    assert read("turrets_lost", "A 1.5 B 0") == {"A": 1.5, "B": 0}
    assert read("secondaries_lost", "P1, S1") == ["P1", "S1"]
    assert read("turrets_lost", "A 1.5, B 0") == {"A": 1.5, "B": 0}
    assert read("turrets_out", "") == []
    assert read("secondaries_lost", "P1 S1") == ["P1", "S1"]
    assert read("sunk", "yes") is True
    assert read("hull_lost", "2,25") == 2.25
    assert read("visibility", "x") == "X"
    assert read("visibility", "7") == 7
    assert read("ammunition_by_turret", "yes") is True
    wrong = (
        *(
            ("turrets_lost", "A"),
            ("turrets_lost", ""),
            ("sunk", "perhaps"),
            ("speed", "x"),
            ("size", "1"),
        ),
        *(("visibility", "9"), ("ammunition_by_turret", "1")),
    )
    for what, value in wrong:
        with pytest.raises(ValueError, match="correction"):
            read(what, value)


SECRET_PATHS = (
    *OWN_PAGES,
    "/battle/story/list",
    "/battle/plot/Hood",
    "/battle/plot/Hood/part",
    "/battle/plot/Bismarck",
    "/battle/plot/Bismarck/part?at=6&notation=follow&speed=9&follows=Hood",
    "/battle/correct",
    "/table",
    "/ships",
    "/log",
    "/sheets",
    "/sheet/Hood",
    "/report",
    "/host",
    "/api/view",
    "/api/battle/story",
    "/api/battle/plot?ship=Hood&speed=9&notation=follow&follows=Hood",
    "/api/battle/plot?ship=Prince of Wales&speed=9&notation=follow&follows=Hood",
    "/api/battle/move",
)


def test_no_page_tells_the_other_side_what_is_written(table: Table) -> None:
    ends = table.ann.get(f"/api/battle/plot?ship=Hood&speed=9&notation={CANARY}").get_json()
    # Cut, not rounded: so it is found in a figure however many places are written.
    place = str(ends["plot"]["end"]["x"])[:9]
    canaries = [CANARY, place]
    table.plot(table.ann, "Hood", notation=CANARY)
    table.play(table.ann, "plot", ship="Prince of Wales", speed=9, notation=PLOT)
    assert CANARY in words(table.ann, "/battle/now")
    own = f"/api/battle/plot?ship=Hood&speed=9&notation={CANARY}"
    assert place in table.ann.get(own).text
    for committed in (False, True):
        if committed:
            table.play(table.ann, "commit")
        for phone in (table.bob, table.wim, table.host):
            for path in SECRET_PATHS:
                answer = phone.get(path).text
                assert not [each for each in (*canaries, PLOT) if each in answer], path
    table.ann.post("/api/battle/undo")
    table.bob.post("/api/battle/undo/ask", {"after": 1})
    for path in SECRET_PATHS:
        assert CANARY not in table.bob.get(path).text


def test_looking_on_is_not_umpiring(table: Table) -> None:
    """For the rules no side means the umpire; who only looks on must never be taken for one."""
    table.plot(table.ann, "Hood")
    path = "/api/battle/plot?ship=Prince of Wales&speed=9&notation=follow&follows=Hood"
    assert table.ann.get(path).status_code == 200
    for phone in (table.host, table.wim):
        assert phone.get(path).status_code == 403
        assert phone.get("/api/battle/fire?ship=Hood").status_code == 403
        assert phone.get("/api/battle/move").status_code == 403
