"""What every screen shows when it happens: salvos and announcements, each seat's own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from combat.announcements import News
from combat.participants import SPECTATOR, UMPIRE, Seat
from combat.salvos import Weapon
from tests.web.battle.test_sheet_drawing import hidden_ships
from tests.web.battles import BRITISH, GERMAN, Fought
from tests.web.battles import UMPIRE as UMPIRE_CALLER
from tests.web.fleets import Players, begin, line_ahead
from tests.web.free.fights import fight_in
from tests.web.phones import Phone, host_of, running_in, seated
from web import create_app
from web.actions.battle import AskUndo
from web.auth.seats import Caller
from web.http.context import ServerContext
from web.views.fog import log_seen
from web.views.happenings import free_happenings, happened, happenings

SEATS = (Seat("british"), Seat("german"), SPECTATOR, UMPIRE)
NAMES = {"british": ("Hood", "Prince of Wales"), "german": ("Bismarck", "Prinz Eugen")}


@pytest.fixture
def fought(tmp_path: Path) -> Iterator[Fought]:
    fought = Fought(tmp_path / "t.db", seed=3)
    yield fought
    fought.session.close()


def test_a_fire_is_shown_once_its_last_die_has_fallen(fought: Fought) -> None:
    fought.move()
    assert happened(fought.session.moment) == 0
    fought.fire(roll=False)
    fought.fire_as_designated()
    assert happenings(fought.battle, SPECTATOR) == ()
    fought.roll()
    shown = happenings(fought.battle, SPECTATOR)
    salvos = [each.salvo for each in shown if each.salvo is not None]
    pairs = {(salvo.firer, salvo.target) for salvo in salvos}
    # No roll of Prince of Wales could hit: nobody rolled for her fire.
    assert pairs == {
        ("Hood", "Bismarck"),
        ("Bismarck", "Hood"),
        ("Prinz Eugen", "Prince of Wales"),
    }
    for salvo in salvos:
        assert salvo.weapon is Weapon.GUNS
        assert (len(salvo.dice), len(salvo.dice[0])) == (1, 2)
        assert len(salvo.hit_results) == salvo.hits
    assert {each.round_number for each in shown} == {1}
    assert happened(fought.session.moment) == max(each.n for each in shown)
    # Nothing is hidden: everybody is shown the same.
    for seat in SEATS:
        assert happenings(fought.battle, seat) == shown


def test_only_what_came_later_is_shown(fought: Fought) -> None:
    fought.segments(1)
    shown = happenings(fought.battle, SPECTATOR)
    assert happenings(fought.battle, SPECTATOR, shown[-1].n) == ()
    first = shown[0].n
    assert happenings(fought.battle, SPECTATOR, first) == tuple(
        each for each in shown if each.n > first
    )


def test_what_is_undone_is_not_shown_any_more(fought: Fought) -> None:
    fought.move()
    moved = fought.battle.record.events[-1].n
    fought.fire()
    assert happened(fought.session.moment) > 0
    fought.session.act(UMPIRE_CALLER, AskUndo(moved))
    assert happened(fought.session.moment) == 0
    assert happenings(fought.battle, SPECTATOR) == ()


def test_hidden_ships_are_numbers_on_every_screen_but_their_own(tmp_path: Path) -> None:
    """A canary: their names are in what their own side and the umpire are shown, nowhere else."""
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    app = create_app(server_context=ServerContext(fought.session))
    app.config["TESTING"] = True
    phones = {side: seated(app, f"Of {side}", side=side) for side in NAMES}
    fought.move()
    for firer, target in (("Hood", "Bismarck"), ("Prince of Wales", "Prinz Eugen")):
        fought.do("designate", ship=firer, orders=[{"target": target}])
    fought.do("commit")
    fought.roll()
    targets = {
        each.salvo.target
        for each in happenings(fought.battle, Seat("british"))
        if each.salvo is not None
    }
    assert targets == {"Ship 1", "Ship 3"}
    assert all(
        each.salvo.range_yards is None
        for each in happenings(fought.battle, Seat("british"))
        if each.salvo is not None
    )

    def sent(phone: Phone, *paths: str) -> str:
        return "".join(phone.get(path).text for path in paths)

    private = ("/battle/happenings", "/api/battle/happenings")
    for side, phone in phones.items():
        told = sent(phone, *private)
        public = sent(phone, "/tv/happenings")
        for name in NAMES["german"]:
            assert (name in told) is (side == "german")
            assert name not in public
        # Whoever fires is turned up.
        assert "Hood" in public
    assert "Bismarck" not in sent(host_of(app), *private, "/tv/happenings")
    assert "Bismarck" in json.dumps(repr(happenings(fought.battle, UMPIRE)))
    fought.session.close()


def test_whoever_fires_is_announced_as_turned_up(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    fought.move()
    fought.do("designate", ship="Hood", orders=[{"target": "Bismarck"}])
    fought.do("commit")
    news = [each.news for each in happenings(fought.battle, Seat("german")) if each.news]
    assert {each.kind for each in news} == {News.TURNED_UP}
    assert news[-1].ship == "Hood"
    assert dict(news[-1].words.params)["label"] == "Ship 4"
    # Her own side has known her all along.
    assert [each.news for each in happenings(fought.battle, Seat("british"))] == []
    fought.session.close()


def test_a_fleet_battle_shows_its_salvos_and_who_sinks(app: Flask) -> None:
    begin(app, [*line_ahead("british", 3), *line_ahead("german", 3)])
    players = Players(app)
    while not running_in(app).session.moment.fates:
        assert players.step()
    battle = running_in(app).session.moment.battle
    assert battle is not None
    shown = happenings(battle, SPECTATOR)
    salvos = [each.salvo for each in shown if each.salvo is not None]
    assert salvos
    assert all(len(salvo.dice) == salvo.count for salvo in salvos)
    assert any(salvo.losses for salvo in salvos)
    (sunk,) = (each for each in shown if each.news and each.news.kind is News.SUNK)
    (name,) = running_in(app).session.moment.fates
    assert sunk.target_model == name
    last = [each for each in shown if each.n == sunk.n]
    assert last[0].salvo is not None
    assert last[0].salvo.sunk
    page = players.phones["british"].get("/battle/happenings").text
    assert f"{name} is sunk" in page
    assert page.count("<article") == 12
    assert players.phones["british"].view()["happened"] == shown[-1].n


def test_without_a_battle_nothing_is_shown(app: Flask) -> None:
    host = host_of(app)
    assert host.view()["happened"] == 0
    assert "<article" not in host.get("/battle/happenings").text
    assert "<article" not in host.get("/tv/happenings").text


def test_attacks_in_free_play_are_shown_while_no_battle_is_guided(app: Flask) -> None:
    fight = fight_in(app)
    session = running_in(app).session
    assert happened(session.moment) == 0
    fight.must("main", "Z28", "Norfolk", "9")
    free = session.moment.free.server_context
    assert free is not None
    (shown,) = free_happenings(free)
    assert shown.salvo is not None
    assert (shown.n, shown.salvo.dice) == (happened(session.moment), ("9",))
    assert shown.target_model == "Norfolk"
    page = host_of(app).get("/battle/happenings").text
    assert page.count("<article") == 1
    assert "Norfolk" in page
    assert free_happenings(free, shown.n) == ()
    fight.undo()
    assert happened(session.moment) == 0


def test_damage_that_can_be_seen_is_announced_once_and_drawn(fought: Fought) -> None:
    fought.do("correct", ship="Bismarck", values={"hull_lost": 6}, reason="hit")
    fought.do("correct", ship="Bismarck", values={"hull_lost": 7}, reason="hit")
    fought.do("correct", ship="Bismarck", values={"hull_lost": 11}, reason="hit")
    news = [each.news for each in happenings(fought.battle, SPECTATOR) if each.news]
    assert [(each.kind, each.ship) for each in news if each.kind is not News.CORRECTED] == [
        (News.BURNING, "Bismarck"),
        (News.LISTING, "Bismarck"),
    ]
    assert dict(fought.session.moment.conditions) == {"Bismarck": ("burning", "listing")}


def test_damage_of_a_hidden_ship_is_seen_by_her_own_side_alone(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    fought.do("correct", ship="Bismarck", values={"hull_lost": 6}, reason="hit")
    told = {seat: _kinds(fought, seat) for seat in SEATS}
    assert [told[seat].count(News.BURNING) for seat in SEATS] == [0, 1, 0, 1]
    assert dict(fought.session.moment.conditions) == {}
    fought.session.close()


def _kinds(fought: Fought, seat: Seat) -> list[News]:
    return [each.news.kind for each in happenings(fought.battle, seat) if each.news]


def _logged(fought: Fought, caller: Caller) -> str:
    """The newest line of the log, as a caller reads it."""
    return log_seen(fought.session, caller, most=1)[-1].text


def test_a_correction_is_told_from_what_to_what_with_its_reason(fought: Fought) -> None:
    fought.do("correct", ship="Bismarck", values={"hull_lost": 2.5}, reason="a hit was forgotten")
    for seat in SEATS:
        (shown,) = happenings(fought.battle, seat)
        assert shown.news is not None
        assert (shown.news.kind, shown.news.ship) == (News.CORRECTED, "Bismarck")
        assert shown.news.words.code == "advanced.story.corrected_ship"
        assert shown.news.words["reason"] == "a hit was forgotten"
        changes = shown.news.words["values"]
        assert isinstance(changes, tuple)
        assert [(str(each["was"]), str(each["now"])) for each in changes] == [("0", "2.5")]  # type: ignore[index,call-overload]
    assert "0 → 2.5" in _logged(fought, UMPIRE_CALLER)
    assert "a hit was forgotten" in _logged(fought, UMPIRE_CALLER)
    fought.do("correct", conditions={"visibility": 5}, reason="fog")
    assert [each.news.ship for each in happenings(fought.battle, SPECTATOR) if each.news] == [
        "Bismarck",
        None,
    ]


def test_what_was_corrected_of_a_hidden_ship_is_her_own_sides_to_know(tmp_path: Path) -> None:
    fought = Fought(tmp_path / "t.db", seed=4, hidden=hidden_ships())
    fought.do("correct", ship="Bismarck", values={"hull_lost": 2.5}, reason="a forgotten hit")
    codes = {}
    for seat in SEATS:
        (shown,) = happenings(fought.battle, seat)
        assert shown.news is not None
        codes[seat] = shown.news.words.code.rpartition(".")[2]
        knows = seat in (Seat("german"), UMPIRE)
        assert (shown.news.ship == "Bismarck") is knows
        assert ("Bismarck" in repr(shown)) is knows
    assert list(codes.values()) == ["corrected_hidden", "corrected_ship"] * 2
    callers = (BRITISH, GERMAN, UMPIRE_CALLER)
    assert [("2.5" in _logged(fought, caller)) for caller in callers] == [False, True, True]
    assert [("Bismarck" in _logged(fought, caller)) for caller in callers] == [False, True, True]
    fought.session.close()
