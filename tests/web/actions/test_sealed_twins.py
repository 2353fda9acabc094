"""Two tables that differ in what one side has written: every other seat is told the same."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

import pytest

from tests.web.data_folders import play
from tests.web.every_answer import Asked, addresses, differences, told
from tests.web.phones import Phone, fresh_app, host_of, seated
from web.data_folder import table_in_memory
from web.http.context import ServerContext
from web.live import Streams
from web.scenes import demo_scene
from web.session import Session

SHIPS = {"british": ("Quagga", "Okapi"), "german": ("Zwartkop", "Springbok")}


@pytest.fixture(autouse=True)
def everybody_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose phone was heard of lately depends on how fast the machine is."""
    monkeypatch.setattr(Session, "is_present", lambda *_: True)


class Table:
    """A battle of two ships a side, near enough for torpedoes, with every kind of seat."""

    def __init__(self) -> None:
        context = ServerContext(table_in_memory(demo_scene), streams=Streams(life_seconds=0.0))
        self.app = fresh_app(context)
        # The host is told the code, which would differ.
        context.session.seats.code = "ABCDEF"
        self.host = host_of(self.app)
        self.ann, self.bob = seated(self.app), seated(self.app, "Bob", side="german")
        self.umpire = seated(self.app, "Uma", role="umpire", side=None)
        self.others = {
            "enemy": self.bob,
            "neutral": seated(self.app, "Nia", side="neutral"),
            "onlooker": seated(self.app, "Wim", role="onlooker", side=None),
            "host": self.host,
            "stranger": Phone(self.app, "192.168.1.66"),
        }
        body = {
            "title": "Sealed",
            "ships": [
                {"name": name, "type": type_, "side": side, "place": {"x": x, "y": y, "heading": 0}}
                for name, type_, side, x, y in (
                    ("Quagga", "Hood", "british", 20_000, 4_000),
                    ("Okapi", "Norfolk", "british", 20_000, 2_000),
                    ("Zwartkop", "Bismarck", "german", 17_000, 4_000),
                    ("Springbok", "Prinz Eugen", "german", 17_000, 2_000),
                )
            ],
        }
        answer = self.host.post("/api/battles", body)
        assert answer.status_code == 200, answer.text
        self.id = answer.get_json()["id"]

    @property
    def step(self) -> str:
        return str(self.umpire.view()["battle"]["step"]["kind"])

    def ask(self, seat: str, pages: Container[str] | None = None) -> dict[str, bytes]:
        """All that a seat is told now, or these pages of it."""
        phone = self.umpire if seat == "umpire" else self.others[seat]
        # Whoever has no ship in it asks about the one whose secrets they are, and about an enemy.
        own = SHIPS["german"] if seat == "enemy" else ()
        others = SHIPS["british"] if seat == "enemy" else ("Okapi", "Zwartkop")
        asked = Asked(own, others, self.id, {"speed": 8, "notation": "4"})
        paths = addresses(self.app, asked)
        return told(phone, (path for path in paths if pages is None or path in pages))

    def commit(self, *phones: Phone) -> None:
        for phone in phones:
            play(phone, "commit")

    def plot(self, side: str, **plots: Mapping[str, object]) -> None:
        """Plots of a side's ships, straight ahead unless it is said otherwise."""
        phone, first = (self.ann, self.bob)[side == "german"], self.segment == 1
        for ship in SHIPS[side]:
            speed = {"speed": 8} if first else {}
            play(phone, "plot", ship=ship, **{**speed, "notation": "4", **plots.get(ship, {})})

    def roll(self) -> None:
        """All dice that are wanted, typed by the umpire."""
        while self.step == "resolve":
            wanted = self.umpire.view()["battle"]["wanted"]
            play(self.umpire, "dice", values=["11" if wanted["kind"] == "pair" else "1"])

    @property
    def segment(self) -> int:
        return int(self.umpire.view()["battle"]["step"]["segment"])

    def to_fire(self) -> None:
        """All straight ahead, up to the designation of fire."""
        self.plot("british")
        self.plot("german")
        self.commit(self.ann, self.bob)
        play(self.bob, "move")

    def open_fire(self) -> None:
        """Every side commits its fire and its rates as they are."""
        for step in ("designate", "reduce"):
            if self.step == step:
                self.commit(self.ann, self.bob)


# What is played, twice: once with the one secret and once with the other. It yields the moments at
# which nobody else may see a difference.

Moments = Iterator[str]


def plots(table: Table, *, other: bool) -> Moments:
    """A note and torpedoes, until the segment ends."""
    secret: dict[str, Mapping[str, object]] = {
        "Quagga": {"notation": "1RLR" if other else "1RLR C", "speed": 7},
        "Okapi": {"torpedo": SHIPS["german"][other]},
    }
    table.plot("british", **secret)
    yield "drafted"
    table.commit(table.ann)
    yield "committed"
    table.plot("german")
    table.commit(table.bob)
    yield "to move"
    play(table.bob, "move")
    yield "moved"
    play(table.bob, "designate", ship="Zwartkop", orders=[{"target": "Okapi"}])
    table.open_fire()
    yield "to roll"


def columns(table: Table, *, other: bool) -> Moments:
    """Who follows her leader, or has the same plot of her own, until the segment ends."""
    column = {"Okapi": {} if other else {"notation": "follow", "follows": "Quagga"}}
    table.plot("british", **column)
    yield "drafted"
    table.plot("german")
    table.commit(table.ann, table.bob)
    yield "to move"
    play(table.bob, "move")
    yield "moved"
    table.open_fire()
    table.roll()
    assert table.segment == 2


def again(table: Table, *, other: bool) -> Moments:
    """The same again as a column in one tap, or other plots, in a later segment."""
    table.plot("british", Okapi={"notation": "follow", "follows": "Quagga"})
    table.plot("german")
    table.commit(table.ann, table.bob)
    play(table.bob, "move")
    table.open_fire()
    table.roll()
    follow = {"ship": "Okapi", "notation": "follow", "follows": "Quagga"}
    fast = {"ship": "Quagga", "notation": "4"}
    slow = {"ship": "Quagga", "notation": "1R2"}, {"ship": "Okapi", "notation": "4"}
    play(table.ann, "orders", plots=[*slow] if other else [fast, follow])
    yield "drafted"
    table.commit(table.ann)
    yield "committed"


def fires(table: Table, *, other: bool) -> Moments:
    """At whom fire is designated, until all have committed."""
    table.to_fire()
    play(table.ann, "designate", ship="Quagga", orders=[{"target": SHIPS["german"][other]}])
    yield "drafted"
    table.commit(table.ann)
    yield "committed"


def rates(table: Table, *, other: bool) -> Moments:
    """How many guns of a turret fire, until all have committed."""
    table.to_fire()
    for phone, ship, target in (
        (table.ann, "Quagga", "Zwartkop"),
        (table.bob, "Zwartkop", "Okapi"),
    ):
        play(phone, "designate", ship=ship, orders=[{"target": target}])
    table.commit(table.ann, table.bob)
    assert table.step == "reduce"
    rate = {"target": "Zwartkop", "guns": {"A": 1} if other else {"B": 1}}
    play(table.ann, "reduce", ship="Quagga", rates=[rate])
    yield "drafted"
    table.commit(table.ann)
    yield "committed"


Play = Callable[..., Moments]
_PLAYS: tuple[Play, ...] = (plots, columns, again, fires, rates)
_SAMPLE = {"/api/view", "/battle/now", "/battle/dice/part", "/report/part"}


OTHERS = ("enemy", "neutral", "onlooker", "host", "stranger")
Told = dict[str, dict[str, bytes]]


def told_at(
    play_: Play,
    seats: Sequence[str],
    pages: Container[str] | None,
    moments: Container[str] | None,
    *,
    other: bool,
) -> Told:
    """All that these seats are told at one table, by moment and address."""
    table = Table()
    found: Told = {seat: {} for seat in seats}
    for moment in play_(table, other=other):
        if moments is not None and moment not in moments:
            continue
        for seat in seats:
            asked = {"/api/view"} if seat == "umpire" else pages
            for path, text in table.ask(seat, asked).items():
                where = f"{moment}: {path.replace(table.id, '')}"
                found[seat][where] = text.replace(table.id.encode(), b"")
    return found


def assert_alike(
    play_: Play,
    seats: Sequence[str],
    pages: Container[str] | None = None,
    moments: Container[str] | None = None,
) -> None:
    """Nobody is told a difference but an umpire, which shows that it would be found."""
    one, two = (
        told_at(play_, (*seats, "umpire"), pages, moments, other=each) for each in (False, True)
    )
    assert [each for seat in seats for each in differences(one[seat], two[seat])] == []
    assert differences(one["umpire"], two["umpire"])


def test_what_is_sealed_is_told_to_nobody_else() -> None:
    assert_alike(plots, ("enemy",), _SAMPLE, ("committed", "to roll"))


@pytest.mark.soak
@pytest.mark.parametrize("play_", _PLAYS)
def test_no_answer_tells_anything_of_what_is_sealed(play_: Play) -> None:
    assert_alike(play_, OTHERS)
