"""The limits of connections: who gives way to whom, and whose place nobody can take."""

from dataclasses import dataclass, field

import pytest

from web.server.connections import (
    CALLERS,
    CALLERS_EACH,
    STRANGERS,
    STRANGERS_EACH,
    STRANGERS_THIS_MACHINE,
    Connection,
    Connections,
)


@dataclass
class Crowd:
    """Connections, and those that were closed to make room."""

    closed: list[Connection] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.all = Connections(lambda: self.now)

    def new(self, network: str = "10.0.0.1", *, this_machine: bool = False) -> Connection:
        def close() -> None:
            self.closed.append(made)

        made = Connection(network, close, this_machine)
        return made

    def stranger(self, network: str = "10.0.0.1") -> Connection:
        made = self.new(network)
        assert self.all.admit(made)
        return made

    def phone(self, caller: str, network: str = "10.0.0.1") -> Connection:
        made = self.stranger(network)
        self.all.begin_request(made)
        assert self.all.identify(made, caller)
        self.all.end_request(made)
        return made


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


def test_a_stranger_too_many_takes_the_place_of_the_longest_waiting(crowd: Crowd) -> None:
    idle = [crowd.stranger() for _ in range(STRANGERS_EACH)]
    crowd.stranger()
    assert crowd.closed == idle[:1]
    assert len(crowd.all) == STRANGERS_EACH


def test_this_machine_has_more_places_and_leaves_some_to_the_others(crowd: Crowd) -> None:
    for _ in range(STRANGERS_THIS_MACHINE + 1):
        assert crowd.all.admit(crowd.new("127.0.0.1", this_machine=True))
    assert len(crowd.closed) == 1
    for network in ("10.0.0.2", "10.0.0.3"):
        for _ in range(STRANGERS_EACH):
            crowd.stranger(network)
    assert len(crowd.closed) == 1


def test_strangers_of_many_networks_have_a_limit_together(crowd: Crowd) -> None:
    idle = [crowd.stranger(f"10.0.1.{number}") for number in range(STRANGERS)]
    crowd.stranger("10.0.2.1")
    assert crowd.closed == idle[:1]
    assert len(crowd.all) == STRANGERS


def test_who_has_waited_longest_goes_by_the_last_request(crowd: Crowd) -> None:
    idle = [crowd.stranger() for _ in range(STRANGERS_EACH)]
    crowd.all.begin_request(idle[0])
    crowd.all.end_request(idle[0])
    crowd.stranger()
    assert crowd.closed == [idle[1]]


def test_requests_in_progress_are_never_closed(crowd: Crowd) -> None:
    for each in [crowd.stranger() for _ in range(STRANGERS_EACH)]:
        crowd.all.begin_request(each)
    assert not crowd.all.admit(crowd.new())
    assert crowd.closed == []
    assert crowd.all.admit(crowd.new("10.0.0.2"))


def test_seated_phones_keep_their_connections_and_find_room_for_new_ones(crowd: Crowd) -> None:
    phones = [crowd.phone(f"s{number}") for number in range(40)]
    for number in range(3 * STRANGERS):
        crowd.all.admit(crowd.new(f"10.0.1.{number}"))
    assert not set(phones) & set(crowd.closed)
    # Each from the address of strangers, too: they have a place as soon as they show their cookie.
    more = [crowd.phone(f"s{number}") for number in range(40)]
    assert not set(more) & set(crowd.closed)


def test_one_caller_has_so_many_and_gives_way_to_nobody_else(crowd: Crowd) -> None:
    other = crowd.phone("s2")
    own = [crowd.phone("s1") for _ in range(CALLERS_EACH + 2)]
    assert crowd.closed == own[:2]
    assert crowd.all.count("s1") == CALLERS_EACH
    assert crowd.all.count("s2") == 1
    assert other not in crowd.closed


def test_when_all_callers_together_have_too_many_the_largest_gives_way(crowd: Crowd) -> None:
    greedy = [crowd.phone("greedy") for _ in range(CALLERS_EACH)]
    for number in range(CALLERS - CALLERS_EACH):
        crowd.phone(f"s{number}")
    crowd.phone("newcomer")
    assert crowd.closed == greedy[:1]


def test_a_closed_connection_makes_room(crowd: Crowd) -> None:
    full = [crowd.stranger() for _ in range(STRANGERS_EACH)]
    crowd.all.remove(full[0])
    crowd.stranger()
    assert crowd.closed == []


def test_how_long_it_has_waited(crowd: Crowd) -> None:
    crowd.now = 5.0
    one = crowd.stranger()
    crowd.now = 12.0
    assert crowd.all.waited_seconds(one) == 7.0
    crowd.all.begin_request(one)
    assert crowd.all.waited_seconds(one) == 0.0
    crowd.all.end_request(one)
    crowd.now = 13.0
    assert crowd.all.waited_seconds(one) == 1.0
