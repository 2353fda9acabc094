"""What the other side never sees: drafts, designations, aims, and who is face down."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from combat.guided_play import StepKind
from combat.participants import SPECTATOR, UMPIRE, Seat
from tabletop.errors import DreyerError
from tests.combat.bismarck_advanced.guided_battle.driver import (
    BATTLE,
    Event,
    Game,
    apply,
    check_fire,
    check_plot,
    event,
    fire_draft,
    line_up,
    plot_draft,
)
from tests.plain import plain
from web.strings import words

# Ships whose names, types and numbers cannot stand anywhere by accident.
CANARIES = ("Zwartkop", "Quagga")
TYPES = ("Scharnhorst", "Köln")
WORDS = (*CANARIES, *TYPES, '"CL"', "'CL'", "light cruiser", "light_cruiser")


def hidden_setup() -> dict[str, Any]:
    """Two ships a side, all face down; the Germans' names are canaries."""
    setup = line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, 2_000, 0),
        ("Zwartkop", "german", 7_000, 0, 0),
        ("Quagga", "german", 7_000, 2_000, 0),
        hidden=True,
    )
    for ship, kind, number in zip(
        setup["ships"], ("Hood", "Norfolk", *TYPES), (11, 12, 42, 41), strict=True
    ):
        ship["type"], ship["number"] = kind, number
    return setup


def probes() -> Iterator[Event]:
    """Events by which a curious player might learn a name from an error."""
    for name in (*CANARIES, *TYPES, "Ship 41", "Ship 42", "Ship 43", "Bismarck"):
        yield event("plot", "british", ship=name, notation="4", speed=8)
        yield event("plot", "british", ship="Norfolk", notation="4", speed=8, torpedo=name)
        yield event("plot", "british", ship="Norfolk", notation="follow", speed=8, follows=name)
        yield event("designate", "british", ship="Hood", orders=[{"target": name}])
        yield event("designate", "british", ship=name, orders=[{"target": "Hood"}])
        secondary = {"target": name, "battery": "secondary", "turrets": ["S1"], "guns": 9}
        yield event("designate", "british", ship="Hood", orders=[secondary])
        yield event("move", "british", poses={name: {"x": 0, "y": 0, "heading": 0}})
        yield event("withdraw", "british", ship=name)
        yield event("reveal", "british", ship=name)
        yield event("repair", "british", ship=name, part="hull")
    yield event("commit", "british")
    yield event("dice", "british", values=["99"])


def said(value: object) -> str:
    """A value in words, and as it is: the codes and values of its messages among it."""
    return json.dumps(plain(value), ensure_ascii=False) + repr(value)


def heard(game: Game, side: str) -> Iterator[str]:
    """Everything the engine can be made to say to a side."""
    state = game.state
    yield said(BATTLE.view(state, Seat(side)))
    yield said(game.story(Seat(side)))
    yield said(BATTLE.salvos(state, game.happened, Seat(side)))
    yield said(BATTLE.step(state)) + said(BATTLE.sequence(state))
    for probe in probes():
        asked = json.dumps(probe)
        try:
            after = apply(state, probe)
        except DreyerError as error:
            # What he has written himself he may hear again; a cause would speak in any log.
            told = f"{words(error)} {vars(error)} {error!r} {error.__cause__}"
            yield _without_his_own_words(told, asked)
        else:
            if after.kind is state.kind:
                yield said(BATTLE.view(after, Seat(side)))
    for own in state.fleet(side):
        if state.kind is StepKind.DESIGNATE:
            options = BATTLE.fire_options(state, side, own.name)
            yield said(options)
            for option in options:
                order = {"orders": [{"target": option.target}]}
                checked = check_fire(state, fire_draft(side, own.name, order))
                yield said(checked)
        if state.kind is StepKind.PLOT:
            for target in ("Ship 41", "Ship 42"):
                draft = {"speed": 8, "notation": "4", "torpedo": target}
                yield said(check_plot(state, plot_draft(side, own.name, draft)))
    for label in ("Ship 41", "Ship 42"):
        try:
            BATTLE.sheet(state, label, Seat(side))
        except DreyerError as error:
            yield f"{words(error)} {error}"


def _without_his_own_words(text: str, asked: str) -> str:
    for word in WORDS:
        if word in asked:
            text = text.replace(word, "")
    return text


def assert_silent(game: Game, side: str = "british") -> None:
    for text in heard(game, side):
        for word in WORDS:
            assert word not in text, f"{word} in {text[:300]}"


class TestFaceDown:
    def test_no_name_is_heard_until_guns_give_it_away(self) -> None:
        game = Game.begin(hidden_setup())
        assert_silent(game)
        for _ in range(2):
            game.plot_all()
            assert_silent(game)
            game.do("commit", "german")
            assert_silent(game)
            game.do("commit", "british")
            assert_silent(game)
            game.do("move")
            assert_silent(game)
            game.do("designate", "british", ship="Hood", orders=[{"target": "Ship 42"}])
            game.do("commit", "german")
            assert_silent(game)
            game.do("commit", "british")
            assert_silent(game)
            game.fire_as_designated()
            while BATTLE.dice_wanted(game.state) is not None:
                assert_silent(game)
                wanted = BATTLE.dice_wanted(game.state)
                assert wanted is not None
                value = "11" if wanted.kind == "pair" else "6"
                game.do("dice", "british", values=[value])
            assert_silent(game)
            game.mark()
        # One of them fires: her name is out, the other's is not.
        game.move_all()
        game.do("designate", "german", ship="Zwartkop", orders=[{"target": "Hood"}])
        assert_silent(game)
        game.commit()
        seen = json.dumps(plain(BATTLE.view(game.state, Seat("british"))))
        assert "Zwartkop" in seen
        assert "Quagga" not in seen

    def test_their_own_side_and_the_umpire_know_them(self) -> None:
        state = Game.begin(hidden_setup()).state
        assert "Zwartkop" in json.dumps(plain(BATTLE.view(state, Seat("german"))))
        assert "Zwartkop" in json.dumps(plain(BATTLE.view(state, UMPIRE)))
        bystander = json.dumps(plain(BATTLE.view(state, SPECTATOR)))
        assert "Zwartkop" not in bystander
        assert "Hood" not in bystander

    def test_the_order_of_hidden_ships_is_that_of_their_numbers(self) -> None:
        view = BATTLE.view(Game.begin(hidden_setup()).state, Seat("british"))
        hidden = [ship.id for ship in view.ships if ship.hidden]
        assert hidden == ["Ship 41", "Ship 42"]

    def test_a_move_into_a_nearer_segment_turns_a_ship_up(self) -> None:
        setup = hidden_setup()
        for ship in setup["ships"][2:]:
            ship["pose"] = {"x": 9_000, "y": ship["pose"]["y"], "heading": 270}
        game = Game.begin(setup)
        game.move_all()
        assert "Zwartkop" in json.dumps(plain(BATTLE.view(game.state, Seat("british"))))
        told = [words(entry.line.text) for entry in game.story(Seat("british"))]
        assert any("Ship 42 is revealed: Zwartkop" in text for text in told)

    def test_a_player_may_turn_his_own_ship_up(self) -> None:
        game = Game.begin(hidden_setup())
        with pytest.raises(DreyerError, match=r"advanced\.order\.not_yours"):
            game.do("reveal", "british", ship="Ship 42")
        game.do("reveal", "german", ship="Zwartkop")
        seen = json.dumps(plain(BATTLE.view(game.state, Seat("british"))))
        assert "Zwartkop" in seen
        assert "Quagga" not in seen

    def test_numbers_are_drawn_by_whoever_sets_up(self) -> None:
        setup = hidden_setup()
        del setup["ships"][0]["number"]
        with pytest.raises(DreyerError, match=r"advanced\.set_up\.no_number"):
            BATTLE.begin(BATTLE.schemas.setup.read(setup))
        setup["ships"][0]["number"] = 12
        with pytest.raises(DreyerError, match=r"advanced\.hidden\.one_number"):
            BATTLE.begin(BATTLE.schemas.setup.read(setup))


def two_sides() -> dict[str, Any]:
    return line_up(
        ("Hood", "british", 0, 0, 0),
        ("Norfolk", "british", 0, 2_000, 0),
        ("Bismarck", "german", 7_000, 0, 0),
        ("Prinz Eugen", "german", 7_000, 2_000, 0),
    )


PLOTS: list[dict[str, Any]] = [
    {"speed": 8, "notation": "4"},
    {"speed": 9, "notation": "2 R,1 l"},
    {"speed": 7, "notation": "1LR L C"},
    {"speed": 8, "notation": "SC 4"},
    {"speed": 8, "notation": "4 SF", "smoke_side": "port"},
]
FIRES: list[list[dict[str, Any]]] = [
    [],
    [{"target": "Bismarck"}],
    [{"target": "Prinz Eugen", "turrets": ["A"]}],
    [{"target": "Bismarck", "battery": "secondary"}],
]


class TestDrafts:
    """The other side hears the same, whatever is written: so it can learn nothing from it."""

    @pytest.mark.parametrize("plot", PLOTS)
    def test_plots(self, plot: dict[str, Any]) -> None:
        game, other = Game.begin(two_sides()), Game.begin(two_sides())
        for one, secret in ((game, plot), (other, PLOTS[0])):
            one.do("plot", "british", ship="Hood", **secret)
            one.do("plot", "british", ship="Norfolk", speed=8, notation="4")
        self._same(game, other)
        for one in (game, other):
            one.do("commit", "british")
        self._same(game, other)
        assert game.state != other.state or plot == PLOTS[0]

    def test_torpedoes_and_followers(self) -> None:
        game, other = Game.begin(two_sides()), Game.begin(two_sides())
        game.do("plot", "british", ship="Norfolk", speed=8, notation="4", torpedo="Bismarck")
        other.do("plot", "british", ship="Norfolk", speed=8, notation="4", torpedo="Prinz Eugen")
        for one in (game, other):
            one.do("plot", "british", ship="Hood", speed=8, notation="4")
        self._same(game, other)
        for one in (game, other):
            for ship in ("Bismarck", "Prinz Eugen"):
                one.do("plot", "german", ship=ship, speed=8, notation="4")
            one.commit()
        # The markers lie there now; whom the torpedoes are for nobody knows.
        self._same(game, other)
        assert "advanced.story.launches" in repr(game.story(Seat("german")))
        for one in (game, other):
            one.do("move")
        self._same(game, other)
        assert BATTLE.view(game.state, Seat("british")).torpedo_markers[0].target == "Bismarck"
        assert BATTLE.view(game.state, Seat("german")).torpedo_markers[0].target is None

    @pytest.mark.parametrize("fire", FIRES)
    def test_designations(self, fire: list[dict[str, Any]]) -> None:
        game, other = Game.begin(two_sides()), Game.begin(two_sides())
        for one in (game, other):
            one.move_all()
        game.do("designate", "british", ship="Hood", orders=fire)
        self._same(game, other)
        for one in (game, other):
            one.do("commit", "british")
        self._same(game, other)
        game.do("uncommit", "british")
        assert BATTLE.view(game.state, Seat("british")).fires["Hood"] or not fire

    def _same(self, game: Game, other: Game) -> None:
        for side in ("german", None):
            assert BATTLE.view(game.state, Seat(side)) == BATTLE.view(other.state, Seat(side))
            assert game.story(Seat(side)) == other.story(Seat(side))

    def test_fire_lies_open_together(self) -> None:
        game = Game.begin(two_sides())
        game.move_all()
        game.do("designate", "british", ship="Hood", orders=[{"target": "Bismarck"}])
        game.commit()
        open_fire = BATTLE.view(game.state, Seat("german")).designations
        assert [(order.firer, order.target) for order in open_fire] == [("Hood", "Bismarck")]
        game.roll(random.Random(4))
        assert game.state.kind is StepKind.MARK


class TestGuessing:
    """A guess is answered alike whether it is right or wrong."""

    RIGHT, WRONG = "Scharnhorst", "Gneisenau"

    def _answer(self, truth: str, kind: str, **data: Any) -> tuple[type, str, str]:
        setup = hidden_setup()
        setup["ships"][2]["type"] = truth
        game = Game.begin(setup)
        if kind == "designate":
            game.move_all()
        with pytest.raises(DreyerError) as caught:
            game.do(kind, "british", **data)
        return type(caught.value), words(caught.value), str(vars(caught.value))

    @pytest.mark.parametrize(
        ("kind", "data"),
        [
            ("plot", {"ship": "{}"}),
            ("plot", {"ship": "Hood", "speed": 8, "notation": "{}"}),
            ("plot", {"ship": "Hood", "speed": 8, "notation": "4", "torpedo": "{}"}),
            ("plot", {"ship": "Hood", "speed": "{}", "notation": "4"}),
            ("plot", {"ship": "Hood", "{}": 1}),
            ("plot", {"ship": ["{}"]}),
            ("plot", {"ship": "Hood", "smoke_side": "{}"}),
            ("designate", {"ship": "Hood", "orders": [{"target": "{}"}]}),
            ("designate", {"ship": "Hood", "orders": [{"target": "Ship 41", "turrets": ["{}"]}]}),
            ("designate", {"ship": "Hood", "orders": [{"target": "Ship 41", "battery": "{}"}]}),
            ("dice", {"values": ["{}"]}),
            ("end", {"agree": "{}"}),
        ],
    )
    def test_in_an_error(self, kind: str, data: dict[str, Any]) -> None:
        def filled(value: Any, guess: str) -> Any:
            if isinstance(value, str):
                return value.replace("{}", guess)
            if isinstance(value, dict):
                return {filled(key, guess): filled(item, guess) for key, item in value.items()}
            if isinstance(value, list):
                return [filled(each, guess) for each in value]
            return value

        guess = filled(data, self.RIGHT)
        right, wrong = (self._answer(truth, kind, **guess) for truth in (self.RIGHT, self.WRONG))
        assert right == wrong

    def test_in_what_the_players_settle_in_words(self) -> None:
        game = Game.begin(hidden_setup())
        game.move_all()
        reason = f"is it {self.RIGHT} or {self.WRONG}?"
        ships = {"firer": "Hood", "target": "Ship 41"}
        game.do("rule", "british", **ships, blocked=True, reason=reason, who=self.RIGHT)
        for side in ("british", None):
            sees_all = side is None
            view = BATTLE.view(game.state, Seat(side, umpire=sees_all))
            assert view.agreed[0].reason == reason
            assert view.agreed[0].who == self.RIGHT
            assert reason in repr(game.story(Seat(side, umpire=sees_all)))
        (option,) = (
            each
            for each in BATTLE.fire_options(game.state, "british", "Hood")
            if each.target == "Ship 41"
        )
        assert option.agreed["reason"] == reason

    def test_in_the_title(self) -> None:
        setup = {**hidden_setup(), "title": f"{self.RIGHT} with Köln"}
        story = Game.begin(setup).story(Seat("british"))
        assert story[0].line.text["title"] == f"{self.RIGHT} with Köln"
