"""Seats: who gets in with which code and PIN, and what each may do."""

from pathlib import Path

import pytest

from tabletop.errors import DreyerError
from web.auth.seats import (
    CODE_LETTERS,
    NOBODY,
    Caller,
    Forbidden,
    NotSeated,
    Right,
    Role,
    Seats,
    WrongKey,
)
from web.journal.store import Store


@pytest.fixture
def seats() -> Seats:
    return Seats(Store(None))


def join(seats: Seats, name: str = "Ann", **more: object) -> tuple[Caller, str]:
    given = {"role": Role.PLAYER, "side": "british", "pin": "1234", "code": seats.code, **more}
    _, cookie = seats.join(
        None,
        str(given["code"]),
        name,
        Role(str(given["role"])),
        given["side"],  # type: ignore[arg-type]
        str(given["pin"]),
    )
    return seats.caller(cookie), cookie


def test_a_seat_is_held_by_its_cookie_alone(seats: Seats) -> None:
    ann, cookie = join(seats)
    assert ann.seat is not None
    assert (ann.seat.name, ann.seat.side, ann.host) == ("Ann", "british", False)
    assert seats.caller(cookie + "x").seat is None
    assert seats.caller(None) == NOBODY


def test_codes_can_be_called_across_the_room(seats: Seats) -> None:
    assert not set("0O1I") & set(CODE_LETTERS)
    spoken = f" {seats.code[:3].lower()}-{seats.code[3:]} "
    join(seats, code=spoken)


def test_a_wrong_code_lets_nobody_in(seats: Seats) -> None:
    with pytest.raises(WrongKey, match="code"):
        join(seats, code="AAAAAA" if seats.code != "AAAAAA" else "BBBBBB")
    assert list(seats) == []


def test_a_renewed_code_makes_the_old_one_worthless(seats: Seats) -> None:
    old = seats.code
    assert seats.renew_code() != old
    with pytest.raises(WrongKey):
        join(seats, code=old)


def test_name_and_pin_bring_a_player_back_on_another_phone(seats: Seats) -> None:
    ann, _ = join(seats)
    seat, cookie = seats.reclaim(None, seats.code, "ann", "1234")
    assert seat == ann.seat
    assert seats.caller(cookie).seat == seat


@pytest.mark.parametrize(("name", "pin"), [("Ann", "4321"), ("Bob", "1234")])
def test_a_wrong_name_and_a_wrong_pin_are_answered_alike(seats: Seats, name: str, pin: str) -> None:
    join(seats)
    with pytest.raises(WrongKey, match=r"join\.fault\.wrong_pin"):
        seats.reclaim(None, seats.code, name, pin)


@pytest.mark.parametrize("pin", ["123", "12345", "12a4", "١٢٣٤", ""])
def test_a_pin_is_four_figures(seats: Seats, pin: str) -> None:
    with pytest.raises(DreyerError, match=r"join\.fault\.pin"):
        join(seats, pin=pin)


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u202eb", "a\x00b"])
def test_odd_names_are_refused_in_words(seats: Seats, name: str) -> None:
    with pytest.raises(DreyerError, match="name"):
        join(seats, name)


def test_a_name_is_taken_once_whatever_its_letters(seats: Seats) -> None:
    join(seats, "Ann")
    with pytest.raises(DreyerError, match=r"join\.fault\.name_taken"):
        join(seats, "  aNN ")


def test_a_locked_table_takes_nobody_new_but_old_friends(seats: Seats) -> None:
    join(seats)
    seats.lock(True)
    with pytest.raises(Forbidden, match="locked"):
        join(seats, "Bob")
    seats.reclaim(None, seats.code, "Ann", "1234")


def test_a_released_seat_is_out_and_its_pin_worthless(seats: Seats) -> None:
    ann, cookie = join(seats)
    assert ann.seat is not None
    seats.release(ann.seat.id)
    assert seats.caller(cookie).seat is None
    with pytest.raises(WrongKey):
        seats.reclaim(None, seats.code, "Ann", "1234")
    with pytest.raises(DreyerError, match=r"join\.fault\.no_such_seat"):
        seats.release(ann.seat.id)
    again, _ = join(seats, "Ann")
    assert again.seat is not None
    assert again.seat.id != ann.seat.id


def test_leaving_keeps_the_seat_for_the_pin(seats: Seats) -> None:
    ann, cookie = join(seats)
    seats.leave(ann)
    assert seats.caller(cookie).seat is None
    assert seats.reclaim(cookie, seats.code, "Ann", "1234")[0] == ann.seat


def test_joining_takes_a_fresh_cookie_and_keeps_the_host(seats: Seats) -> None:
    cookie = seats.host_cookie(None)
    assert seats.host_cookie(cookie) == cookie
    _, seated = seats.join(cookie, seats.code, "Ann", Role.PLAYER, "british", "1234")
    assert seated != cookie
    assert seats.caller(seated).host
    _, planted = seats.join("planted", seats.code, "Bob", Role.PLAYER, "german", "1234")
    assert planted != "planted"
    assert seats.caller("planted").seat is None


def test_seats_and_code_survive_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.sqlite")
    seats = Seats(store)
    ann, cookie = join(seats)
    seats.lock(True)
    store.close()
    again = Seats(Store(tmp_path / "table.sqlite"))
    assert (again.code, again.locked) == (seats.code, True)
    assert again.caller(cookie) == ann


def test_no_cookie_and_no_pin_stand_in_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "table.sqlite")
    _, cookie = join(Seats(store), pin="7391")
    store.close()
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert cookie.encode() not in content
    assert b"7391" not in content


@pytest.mark.parametrize(
    ("role", "host", "play", "hosting"),
    [
        (Role.PLAYER, False, True, False),
        (Role.UMPIRE, False, True, False),
        (Role.ONLOOKER, False, False, False),
        (Role.ONLOOKER, True, True, True),
        (None, True, True, True),
    ],
)
def test_rights(seats: Seats, role: Role | None, host: bool, play: bool, hosting: bool) -> None:
    seat = join(seats, role=role)[0].seat if role else None
    caller = Caller("t", host, seat)
    assert (caller.has(Right.PLAY), caller.has(Right.HOST)) == (play, hosting)
    for right, allowed in ((Right.PLAY, play), (Right.HOST, hosting)):
        if allowed:
            caller.must(right)
        else:
            with pytest.raises(Forbidden):
                caller.must(right)


def test_nobody_has_no_right_at_all() -> None:
    with pytest.raises(NotSeated, match=r"join\.fault\.not_seated"):
        NOBODY.must(Right.PLAY)


def test_a_player_needs_a_side(seats: Seats) -> None:
    with pytest.raises(DreyerError, match="side"):
        join(seats, side=None)
