"""Whole battles in a real chromium: two phones, an umpire and a television; then the next battle.

Both players tap what their page offers until the battle is over. After each step every screen is
asked for what it has to show, all that the server answers is searched for secrets, and taps are
counted.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import hypot
from typing import Any, Final
from urllib.parse import unquote

import pytest
from flask import Flask, Response, g, request
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from combat.guided_play import Step, StepKind
from combat.participants import SPECTATOR, UMPIRE, Seat, ShipStatus
from combat.views import ReachedPlace
from tabletop.messages import NO_WORDS
from tests.web.battles import advanced_state
from tests.web.browser.looks import PHONE, Size
from tests.web.browser.served import PATIENCE_MS, Server
from tests.web.phones import host_of
from web import create_app
from web.http import guard
from web.http.context import ServerContext
from web.strings import words
from web.table.moment import Moment
from web.views.happenings import happenings

pytestmark = [pytest.mark.browser, pytest.mark.soak]

LAPTOP, ROOM = (1280, 800), (1920, 1080)
TYPES = {
    "british": (
        *("Hood", "Prince of Wales", "Renown", "Repulse"),
        *("Rodney", "Nelson", "Norfolk", "Suffolk"),
    ),
    "german": (
        *("Bismarck", "Tirpitz", "Scharnhorst", "Gneisenau"),
        *("Prinz Eugen", "Admiral Hipper", "Admiral Scheer", "Köln"),
    ),
}  # fmt: skip
NAMES = {
    "british": ("Quagga", "Okapi", "Impala", "Wombat", "Narwhal", "Tapir", "Gaur", "Zebu"),
    "german": ("Zwartkop", "Springbok", "Xerus", "Jerboa", "Axolotl", "Vicuna", "Kudu", "Uakari"),
}
"""Names that cannot stand anywhere by accident."""
NEXT_NAMES = {"british": ("Ptarmigan",), "german": ("Lapwing",)}
IN_A_COLUMN: Final = 4
GOAL_OF_EIGHT: Final = 25
"""Taps of a player in a segment, own dice left out. Plots are longer here than players write them,
so the goal of two a side is for test_taps.py."""
MOST_SEGMENTS = {2: 60, 8: 20}
"""A battle that lasts longer is ended by both players."""
BESIDE: Final = 80
"""Signs either side of a secret in a page, to say where it stands."""
SHORT: Final = 3
"""A plot of so few signs may stand somewhere by accident."""
DICE_AHEAD: Final = 16
FIGHTING_YARDS: Final = 7_000
STEP_YARDS: Final = 1_500
SEEN_MS: Final = 30_000

IN_THE_PAGE = """
addEventListener("click", (event) => {
  if (!event.isTrusted) { return; }
  sessionStorage.setItem("test-taps", Number(sessionStorage.getItem("test-taps") ?? 0) + 1);
}, true);
addEventListener("DOMContentLoaded", () => {
  const cards = document.querySelector("#salvos [data-cards]");
  if (!cards) { return; }
  new MutationObserver((changes) => {
    const shown = JSON.parse(sessionStorage.getItem("test-cards") ?? "[]");
    for (const { addedNodes } of changes) {
      for (const { dataset } of addedNodes) {
        if (dataset?.n) { shown.push([Number(dataset.n), dataset.news ?? "salvo"]); }
      }
    }
    sessionStorage.setItem("test-cards", JSON.stringify(shown));
  }).observe(cards, { childList: true });
});
"""
ASKED = "document.querySelector('.asked')?.innerText"
POST = """async ([path, body]) => (await fetch(path, {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
})).status"""


def battle_of(count: int, names: Mapping[str, tuple[str, ...]], **more: object) -> dict[str, Any]:
    """So many ships a side, in columns of four that steam side by side."""
    ships = []
    for side, x, outward in (("british", 20_000, -1), ("german", 31_000, 1)):
        for number, name in enumerate(names[side][:count]):
            column, place = divmod(number, IN_A_COLUMN)
            at = {"x": x + outward * 1_800 * column, "y": 14_000 - 1_400 * place, "heading": 0}
            ships.append({"name": name, "type": TYPES[side][number], "side": side, "place": at})
    return {"title": f"{count} a side", "visibility": 8, "ships": ships, **more}


def is_called(step: Step, side: str) -> bool:
    """Whether a step waits for a side, or for anybody."""
    return side in step.waiting_for or not step.waiting_for


@dataclass
class Secrets:
    """Watches all that the server answers for what the one who is answered must not know."""

    context: ServerContext
    plots: dict[str, tuple[str, tuple[int, int]]] = field(default_factory=dict)
    """The side of each plot with a canary in it, and its round and segment."""
    written: set[str] = field(default_factory=set)
    """All plots that were typed."""
    past: set[str] = field(default_factory=set)
    """Names of an earlier battle."""
    read: set[str] = field(default_factory=set)
    """The plots that were in an answer to their own side, as they have to be."""
    leaks: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    answered: Counter[str] = field(default_factory=Counter)

    @property
    def moment(self) -> Moment:
        return self.context.session.moment

    def note(self, plot: str, side: str, key: tuple[int, int]) -> None:
        """A plot is a canary where nobody has written one like it, for the story has those."""
        if plot in self.written:
            self.plots.pop(plot, None)
        elif len(plot) > SHORT:
            self.plots[plot] = side, key
        self.written.add(plot)

    def kept_from(self, side: str | None) -> frozenset[str]:
        """What somebody of this side, or of none, may not read now."""
        battle = self.moment.battle
        if battle is None:
            return frozenset(self.past)
        step, state = battle.step, advanced_state(battle)
        now = (step.round_number, step.segment)
        sealed = {
            plot
            for plot, (owner, written) in self.plots.items()
            if owner != side and written == now and not battle.is_over
        }
        hidden = {
            name
            for name, identity in state.identities.items()
            if identity.is_hidden and state.engagement[name].side != side and not battle.is_over
        }
        return frozenset(sealed | hidden | self.past)

    def dice_ahead(self) -> str:
        """The dice that come next, as they would stand in a list without its commas."""
        chance = random.Random()
        chance.setstate(self.context.chance.getstate())
        return "".join(str(chance.randint(1, 6)) for _ in range(DICE_AHEAD))

    def attach(self, app: Flask) -> None:
        """Look at every answer of an application."""

        @app.before_request
        def before() -> None:
            caller = guard.caller()
            # A television on the host's own machine is asked for like any other.
            television = request.path.startswith(("/tv", "/api/television"))
            side = caller.seat.side if caller.seat and not television else None
            sees_all = caller.is_umpire or caller.host
            g.watched = television or (caller.known and not sees_all)
            g.side, g.kept = side, self.kept_from(side)
            g.dice = self.dice_ahead()

        @app.after_request
        def after(response: Response) -> Response:
            if response.status_code >= 500:
                self.broken.append(f"{response.status_code} {request.path}")
            readable = not response.is_streamed and not response.direct_passthrough
            if readable and g.get("watched") and request.endpoint != "static":
                self.look(response, g.kept & self.kept_from(g.side))
            return response

    def look(self, response: Response, kept: frozenset[str]) -> None:
        """Search an answer."""
        side, told = str(g.side), response.get_data()
        self.answered[side] += len(told)
        if response.content_encoding or not (response.mimetype or "").startswith(
            ("text/", "application/json")
        ):
            return
        text = told.decode()
        # Where own ships may go is told with every notation that leads there.
        self.read |= {
            each for each, (owner, _) in self.plots.items() if owner == side and each in text
        }
        reach = request.path == "/api/battle/reach"
        self.leaks += [
            f"{each!r} to {side} at {request.path}"
            for each in kept
            if each in text and not (reach and each in self.plots)
        ]
        if g.dice in re.sub(r"[^0-9]+", "", text):
            self.leaks.append(f"dice to come to {side} at {request.path}")


@dataclass
class Screen:
    """A page that somebody looks at."""

    name: str
    page: Page
    seat: Seat
    """Whose view of the battle it shows."""

    @property
    def cards(self) -> set[tuple[int, str]]:
        """What it has shown as it happened: the number of the action, and what it was."""
        found = self.page.evaluate("JSON.parse(sessionStorage.getItem('test-cards') ?? '[]')")
        return {(n, what) for n, what in found}

    @property
    def taps(self) -> int:
        return int(self.page.evaluate("Number(sessionStorage.getItem('test-taps') ?? 0)"))

    def shows(self, selector: str, text: str) -> None:
        expect(self.page.locator(selector).first, self.name).to_contain_text(text, timeout=SEEN_MS)


class Player:
    """Somebody with a phone who taps what the page offers."""

    def __init__(self, screen: Screen, side: str, secrets: Secrets, seed: int) -> None:
        self.screen, self.side, self.secrets = screen, side, secrets
        self.page, self.chance = screen.page, random.Random(seed)
        self.taps: Counter[tuple[int, int]] = Counter()
        """By round and segment, own dice left out."""

    def play(self, step: StepKind, key: tuple[int, int]) -> None:
        """Do what this step asks of the side."""
        before = self.screen.taps
        for _ in range(60):
            if not self._act(step):
                break
        else:
            pytest.fail(f"{self.screen.name} does not come to the end of {step}")
        if step is not StepKind.RESOLVE:
            self.taps[key] += self.screen.taps - before

    def _act(self, step: StepKind) -> bool:
        """One tap or a page of taps; False once there is nothing to do."""
        self._look_at_cards()
        path = unquote(self.page.url).split("/", 3)[-1]
        if path.startswith("battle/plot/"):
            self._plot(path.removeprefix("battle/plot/").split("?")[0])
        elif path.startswith("battle/fire"):
            self._aim()
        elif path.startswith("battle/dice"):
            return self._roll()
        else:
            return self._tap_what_is_next(step)
        return True

    def _look_at_cards(self) -> None:
        """Have a look at each card; a phone's cards go with Escape."""
        for _ in range(80):
            if not self.page.evaluate("Boolean(document.querySelector('#salvos .salvo-card'))"):
                return
            self.page.keyboard.press("Escape")

    def _tap_what_is_next(self, step: StepKind) -> bool:
        battle = self.secrets.moment.battle
        assert battle is not None
        if battle.step.kind is not step or not is_called(battle.step, self.side):
            return False
        if step is StepKind.PLOT and self._same_again():
            return True
        primary = self.page.locator(".battle-foot .btn.primary")
        expect(primary).to_be_visible()
        if primary.get_attribute("href"):
            self._leave(primary)
            return True
        self._settle(primary, step)
        return True

    def _same_again(self) -> bool:
        """In every other round the plots of the second segment are those of the first."""
        battle = self.secrets.moment.battle
        assert battle is not None
        again = self.page.get_by_role("button", name=re.compile("^Same again"))
        if battle.step.segment != 2 or battle.step.round_number % 2 or again.count() == 0:
            return False
        again.first.click()
        # Whoever cannot repeat her plot is plotted next.
        expect(again).to_have_count(0)
        return True

    def _settle(self, button: Any, step: StepKind) -> None:
        """Tap a button, and wait until the server has taken it."""
        button.click()
        for _ in range(600):
            battle = self.secrets.moment.battle
            assert battle is not None
            if battle.step.kind is not step or not is_called(battle.step, self.side):
                return
            self.page.wait_for_timeout(50)
        pytest.fail(f"{self.screen.name}: {step} was not settled")

    def _leave(self, element: Any) -> None:
        here = self.page.url
        element.click()
        self.page.wait_for_url(lambda url: url != here)

    def _plot(self, ship: str) -> None:
        expect(self.page.locator("#notation")).to_be_enabled()
        field = self.page.locator("#speed")
        speed = int(field.input_value()) if field.count() and field.input_value() else None
        for place in self._places(ship, speed):
            for _ in self.page.locator("#notation").input_value():
                self.page.locator("[data-cut]").click()
            if field.count() and place.speed is not None and place.speed != speed:
                field.fill(str(place.speed))
            self._note(place.notation)
            for sign in place.notation:
                self.page.locator(f"[data-put='{sign}']").first.click()
            save = self.page.locator("#save")
            expect(save).to_be_visible()
            self._leave(save)
            return
        pytest.fail(f"no plot for {ship}")

    def _note(self, notation: str) -> None:
        battle = self.secrets.moment.battle
        assert battle is not None
        key = battle.step.round_number, battle.step.segment
        self.secrets.note(notation, self.side, key)

    def _places(self, ship: str, speed: int | None) -> Iterator[ReachedPlace]:
        """Plots that bring her to fighting range, of those alike such as nobody has written yet."""
        battle = self.secrets.moment.battle
        assert battle is not None
        places = [
            each
            for each in battle.plotted.reached_places(battle.state, ship, self.side)
            if re.fullmatch("[0-9lrLR]*", each.notation)
        ]
        enemies = [
            each.pose
            for each in battle.plotted_view(UMPIRE).ships
            if each.side != self.side and each.in_action and each.pose is not None
        ]

        def worth(place: ReachedPlace) -> tuple[bool, float, bool, bool, float]:
            ranges = [
                hypot(place.end.x_yards - e.x_yards, place.end.y_yards - e.y_yards) for e in enemies
            ]
            off = abs(min(ranges, default=0.0) - FIGHTING_YARDS)
            same_speed = speed is None or place.speed in (None, speed)
            is_new = place.notation not in self.secrets.written
            return not same_speed, off // STEP_YARDS, len(place.notation) > 5, not is_new, off

        return iter(sorted(places, key=worth))

    def _aim(self) -> None:
        """Fire at what is proposed; a ship alone, at the first target that her guns bear on."""
        save, hold = self.page.locator("[data-key=save]"), self.page.locator("[data-key=hold]")
        expect(save.or_(hold).first).to_be_visible()
        bear = self.page.locator("[data-all]:visible")
        if save.count() == 0 and bear.count():
            bear.first.click()
            expect(save).to_be_visible()
        self._leave(save if save.count() else hold)

    def _roll(self) -> bool:
        """Own dice: all of them by the app."""
        on = self.page.locator(".resolving > .btn.primary, .empty .btn.primary")
        rest = self.page.locator("[data-key=rest], [data-key=roll]")
        expect(on.or_(self.page.locator(".dice-foot")).first).to_be_visible()
        if on.count():
            self._leave(on.first)
            return True
        if rest.count() == 0:
            return False
        asked = self.page.evaluate(ASKED)
        button = self.page.locator("[data-key=rest]")
        if button.count():
            button.click()
            self.page.locator("#ask [value=yes]").click()
        else:
            self.page.locator("[data-key=roll]").click()
        for _ in range(400):
            self._look_at_cards()
            if self.page.evaluate(ASKED) != asked:
                return True
            self.page.wait_for_timeout(50)
        pytest.fail(f"{self.screen.name}: {asked} was not rolled")


class Evening:
    """Two players, an umpire and a television around a server, through one battle and the next."""

    def __init__(self, browser: Browser, server: Server, secrets: Secrets) -> None:
        self.browser, self.server, self.secrets = browser, server, secrets
        self.complaints: list[str] = []
        self.screens = {
            "Ann": self._seat("Ann", PHONE, "player", "british"),
            "Bob": self._seat("Bob", PHONE, "player", "german"),
            "Uma": self._seat("Uma", LAPTOP, "umpire", None),
            "television": self._television(),
        }
        self.players = [
            Player(self.screens["Ann"], "british", secrets, 1),
            Player(self.screens["Bob"], "german", secrets, 2),
        ]

    def _open(self, name: str, size: Size) -> Page:
        context = self.browser.new_context(
            base_url=self.server.address,
            viewport={"width": size[0], "height": size[1]},
            has_touch=size[0] < 500,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.add_init_script(IN_THE_PAGE)

        def hear(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.complaints.append(f"{name}: {message.text} ({message.location['url']})")

        page.on("console", hear)
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        return page

    def _seat(self, name: str, size: Size, role: str, side: str | None) -> Screen:
        page = self._open(name, size)
        page.goto("/join")
        seat = {"code": self.server.code, "name": name, "role": role, "side": side, "pin": "1234"}
        assert page.evaluate(POST, ["/api/join", seat]) == 200
        page.goto("/table")
        return Screen(name, page, Seat(side, umpire=role == "umpire"))

    def _television(self) -> Screen:
        page = self._open("television", ROOM)
        page.goto("/tv")
        if page.locator("#code").count():
            page.locator("#code").fill(self.server.code)
            page.get_by_role("button").click()
        page.wait_for_url("**/tv")
        expect(page.locator(".beside")).to_be_visible()
        return Screen("television", page, SPECTATOR)

    @property
    def others(self) -> Iterator[Screen]:
        """All screens but the television."""
        return (screen for name, screen in self.screens.items() if name != "television")

    @property
    def moment(self) -> Moment:
        return self.secrets.moment

    def begin(self, body: dict[str, Any]) -> None:
        """The host begins a battle, and it comes to every screen."""
        answer = host_of(self.server.app).post("/api/battles", body)
        assert answer.status_code == 200, answer.text
        for screen in self.others:
            expect(screen.page).to_have_url(re.compile("/battle$"))

    def see_step(self) -> None:
        """Every screen shows where the battle is, and calls whom it waits for."""
        battle = self.moment.battle
        assert battle is not None
        view = battle.view(SPECTATOR)
        title, place = words(view.step.title), words(view.step.place)
        for screen in self.others:
            # Whoever has rolled the last dice is still on the page of the dice, which leads on.
            if "/battle/dice" in screen.page.url:
                continue
            screen.shows(".now-head h2", title)
            screen.shows(".now-head .caption", place)
        self.screens["television"].shows("h1", title)
        self.screens["television"].shows(".beside .place", place)
        if view.step.kind is StepKind.RESOLVE:
            return
        for player in self.players:
            called = is_called(view.step, player.side)
            wanted = re.compile("^Your turn · " if called else "^(?!Your turn)")
            expect(player.page, player.screen.name).to_have_title(wanted, timeout=SEEN_MS)
        marks = self.screens["television"].page.locator(".sides .now")
        expect(marks).to_have_count(len(view.step.waiting_for), timeout=SEEN_MS)

    def search_pages(self) -> None:
        """No page has a secret in it."""
        for player in self.players:
            self._search(player.screen, self.secrets.kept_from(player.side), player.page.content())
        television = self.screens["television"]
        self._search(television, self.secrets.kept_from(None), television.page.content())

    def _search(self, screen: Screen, kept: frozenset[str], html: str) -> None:
        found = ((each, html.find(each)) for each in kept)
        self.secrets.leaks += [
            f"{each!r} on {screen.name}: {html[max(0, at - BESIDE) : at + BESIDE]}"
            for each, at in found
            if at >= 0
        ]

    def play(self, most_segments: int) -> None:
        """Play until the battle is over."""
        segments: set[tuple[int, int]] = set()
        while True:
            battle = self.moment.battle
            assert battle is not None
            step = battle.step
            if step.kind is StepKind.ENDED:
                return
            key = step.round_number, step.segment
            segments.add(key)
            if len(segments) > most_segments:
                self.agree_to_end()
                return
            self.see_step()
            for player in self.players:
                player.play(step.kind, key)
                self.search_pages()
            after = self.moment.battle
            assert after is not None
            now = after.step
            assert (now, after.state) != (step, battle.state), f"nobody can go on from {step}"

    def agree_to_end(self) -> None:
        """Both end it, by their buttons."""
        first, second = (player.page for player in self.players)
        for page in (first, second):
            page.goto("/battle")
        first.locator("[data-key=end]").click()
        first.locator("#ask [value=yes]").click()
        second.locator("[data-key=end-agree]").click()
        second.locator("#ask [value=yes]").click()
        expect(first.get_by_role("heading", name="Battle over")).to_be_visible()

    def see_end(self) -> None:
        """Every screen has shown every card and tells how it ended; the television replays it."""
        battle = self.moment.battle
        assert battle is not None
        view = battle.view(SPECTATOR)
        assert view.ending is not None
        ending = words(view.ending)[1:]
        for screen in self.others:
            if "/battle/dice" in screen.page.url:
                # Whoever rolled the last dice is told there, and led on.
                screen.shows(".resolving", ending)
                screen.page.locator(".resolving > .btn.primary").click()
            screen.shows(".now-hint", ending)
        self.screens["television"].shows(".ending", ending)
        expect(self.screens["television"].page.locator("dreyer-replay")).to_be_visible(
            timeout=180_000
        )
        for screen in self.screens.values():
            expect(screen.page.locator("#salvos"), screen.name).to_be_hidden(timeout=180_000)
            shown = {
                (each.n, each.news.kind.value if each.news else "salvo")
                for each in happenings(battle, screen.seat)
            }
            assert any(what == "ended" for _, what in shown)
            assert shown - screen.cards == set(), f"{screen.name} has not shown all"
        sunk = [ship for ship in view.ships if ship.status is ShipStatus.SUNK]
        for ship in sunk:
            self.screens["television"].shows(".sides", ship.id)
            for screen in self.others:
                expect(screen.page.locator(f"[data-key='glance-{ship.id}'].gone")).to_be_visible()

    def see_nothing_of_before(self) -> None:
        """The next battle is fresh on every screen."""
        television = self.screens["television"].page
        self.see_step()
        expect(television.locator("dreyer-replay")).to_be_hidden()
        expect(television.locator("dreyer-chart .vessel")).to_have_count(2)
        # A chart takes wrecks away with the next frame.
        expect(television.locator("dreyer-chart .wrecks > *")).to_have_count(0)
        for screen in self.screens.values():
            expect(screen.page.locator("#salvos")).to_be_hidden()
        self.search_pages()
        for screen in self.others:
            for path in ("/battle/story", "/log", "/sheets", "/table", "/report", "/battle"):
                screen.page.goto(path)
                self.search_pages()

    def close(self) -> None:
        for screen in self.screens.values():
            screen.page.context.close()


@pytest.fixture
def evening(browser: Browser) -> Iterator[Callable[[], Evening]]:
    opened: list[Evening] = []

    def open_() -> Evening:
        app = create_app()
        context = app.extensions["dreyer"]
        assert isinstance(context, ServerContext)
        context.chance = random.Random(7)
        secrets = Secrets(context)
        secrets.attach(app)
        opened.append(Evening(browser, Server(app), secrets))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
        each.server.stop()


@pytest.mark.parametrize(("count", "hidden"), [(2, True), (8, False)])
def test_a_whole_evening(
    evening: Callable[[], Evening], count: int, hidden: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    now = evening()
    numbers = {str(place): 11 + place for place in range(2 * count)}
    more = {"hidden": True, "numbers": numbers} if hidden else {}
    now.begin(battle_of(count, NAMES, **more))
    now.play(MOST_SEGMENTS[count])
    now.see_end()
    taps = sorted(taken for player in now.players for taken in player.taps.values())
    battle = now.moment.battle
    assert battle is not None
    with capsys.disabled():
        sys.stdout.write(
            f"\n{count} a side: {len(battle.history.segments)} segments; "
            f"{words(battle.view(UMPIRE).ending or NO_WORDS)}; "
            f"taps a player and segment: median {taps[len(taps) // 2]}, most {taps[-1]}, {taps}; "
            f"{dict(now.secrets.answered)} bytes searched, {len(now.secrets.plots)} plots\n"
        )
    assert now.secrets.leaks == []
    assert now.secrets.plots
    assert now.secrets.plots.keys() <= now.secrets.read
    now.begin(battle_of(1, NEXT_NAMES))
    now.secrets.past |= {name for names in NAMES.values() for name in names[:count]}
    now.see_nothing_of_before()
    assert sorted(set(now.secrets.leaks)) == []
    assert now.secrets.broken == []
    assert now.complaints == []
    assert count < 8 or taps[-1] <= GOAL_OF_EIGHT
