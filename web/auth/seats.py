"""Seats: the code that lets phones join, seats with PINs, and rights.

A browser is identified by a random token in its cookie, of which only the hash is stored. The
machine's own user is the host, who may take a seat as well.
"""

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.journal.store import DamagedStore, SeatRow, SessionRow, Store, StoreFault

HOST_NAME: Final = "Host"
"""The name of the host without a seat, in journals."""
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without 0, O, 1 and I, which are confused when a code is read out."""
CODE_LENGTH: Final = 6
PIN_LENGTH: Final = 4
MOST_SEATS: Final = 60
MOST_NEWCOMERS: Final = 8
NEWCOMERS_EACH_NETWORK: Final = 3
"""The most people who ask for a seat during a battle, in all and from one network."""
SEATS_EACH_NETWORK: Final = 12
"""The most seats that one network has taken since the start; a family may share a tablet."""
SEATS_THIS_MACHINE: Final = 42
"""As many from this machine's own addresses, where scripts may play whole sides."""
SESSIONS_EACH: Final = 100
"""The most browsers that hold one seat, or that are the host's without a seat; the one that began
first is forgotten, and its PIN still works."""
SESSION_DAYS: Final = 30
"""A browser that sends no request for so long is forgotten; its PIN still works."""
LONGEST_NAME: Final = 24
_PIN_COST: Final = 2**12
_CODE: Final = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")
_SEAT_ID: Final = re.compile(r"s[0-9]{1,9}")
_PIN_HASH: Final = re.compile(r"[0-9a-f]{32}:[0-9a-f]{64}")


class Role(StrEnum):
    """The role of a seat."""

    PLAYER = "player"
    UMPIRE = "umpire"
    ONLOOKER = "onlooker"


class Right(StrEnum):
    """The right that an action requires."""

    PLAY = "play"
    """A player, an umpire or the host."""
    HOST = "host"


class Forbidden(DreyerError):
    """The caller may not do this; the message says who may."""


class NotSeated(DreyerError):
    """The caller has no seat."""


class WrongKey(DreyerError):
    """A wrong code or PIN; the guard counts these."""

    def __init__(self, message: Message, field: str) -> None:
        self.field = field
        super().__init__(message.code, **dict(message.params))


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat at the table."""

    id: str
    name: str
    role: Role
    side: str | None


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who asks for a seat during a battle and has not been admitted yet."""

    id: str
    token: str
    """The hash of the browser's cookie."""
    row: SeatRow
    """The seat as it will be."""
    origin: "SeatOrigin"
    agreed: frozenset[str] = frozenset()
    """The sides that have agreed."""

    @property
    def seat(self) -> Seat:
        """The seat as it will be."""
        return _seat(self.row)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: a browser, possibly the host's, possibly with a seat."""

    token: str
    """The hash of the cookie; empty without one."""
    host: bool = False
    seat: Seat | None = None

    @property
    def known(self) -> bool:
        """Whether this caller may see the table."""
        return self.host or self.seat is not None

    @property
    def name(self) -> str:
        """The caller's name in the log."""
        return self.seat.name if self.seat else HOST_NAME if self.host else "Nobody"

    @property
    def is_umpire(self) -> bool:
        """Whether this caller is an umpire."""
        return self.seat is not None and self.seat.role is Role.UMPIRE

    @property
    def may_play(self) -> bool:
        """Whether this caller may change the table."""
        return self.host or (self.seat is not None and self.seat.role is not Role.ONLOOKER)

    def has(self, right: Right) -> bool:
        """Whether this caller has the right."""
        return self.host if right is Right.HOST else self.may_play

    def must_be_known(self) -> None:
        """Raise NotSeated for a caller without a seat."""
        if not self.known:
            raise NotSeated(
                "join.fault.not_seated",
            )

    def must(self, right: Right) -> None:
        """Raise Forbidden if the caller does not have the right."""
        self.must_be_known()
        if right is Right.HOST and not self.has(right):
            raise Forbidden("join.fault.host_only")
        if not self.has(right):
            raise Forbidden("join.fault.onlooker")


NOBODY: Final = Caller("")


@dataclass(frozen=True, slots=True)
class SeatOrigin:
    """Where a seat was taken from."""

    network: str = ""
    this_machine: bool = True


_UNKNOWN_ORIGIN: Final = SeatOrigin()


def _today() -> int:
    """The number of the day, by this machine's clock."""
    return date.today().toordinal()  # Days of this machine are meant.


class Seats:
    """All seats of a table, stored in its file. Guarded by the session's lock."""

    def __init__(self, store: Store, today: Callable[[], int] = _today) -> None:
        """`today` gives the number of the day, by which sessions end."""
        self._store = store
        self._today = today
        self._rows = stored_seats(store)
        store.end_sessions(today() - SESSION_DAYS)
        self._sessions: dict[str, SessionRow] = {row.token: row for row in store.sessions()}
        self._networks: dict[str, str] = {}
        # Not stored: after a restart a newcomer asks again.
        self._newcomers: dict[str, Newcomer] = {}
        settings = store.settings()
        self.locked = settings.get("locked") == "yes"
        # A damaged code would let nobody in.
        code = settings.get("code", "")
        self.code = code if _CODE.fullmatch(code) else self.renew_code()

    def __iter__(self) -> Iterator[Seat]:
        return iter([_seat(row) for row in self._rows.values() if not row.free])

    def caller(self, cookie: str | None) -> Caller:
        """The caller with this cookie."""
        if not cookie:
            return NOBODY
        token = _digest(cookie)
        session = self._sessions.get(token)
        if session is None:
            return Caller(token)
        row = self._rows.get(session.seat or "")
        return Caller(token, session.host, _seat(row) if row and not row.free else None)

    def host_cookie(self, cookie: str | None) -> str:
        """The cookie of a browser on the host's own machine.

        A browser that was not the host's before gets a new cookie, so that a cookie set by an
        attacker is of no use.
        """
        known = self._sessions.get(_digest(cookie)) if cookie else None
        if cookie and known is not None and known.host:
            return cookie
        fresh = secrets.token_urlsafe(32)
        session = SessionRow(_digest(fresh), known.seat if known else None, True, self._today())
        try:
            self._save_session(session)
            if known is not None:
                self._end_session(known.token)
        except StoreFault:
            # On a full disk the host's page opens all the same; it is forgotten at the end.
            self._sessions[session.token] = session
        return fresh

    def join(
        self,
        cookie: str | None,
        code: str,
        name: str,
        role: Role,
        side: str | None,
        pin: str,
        origin: SeatOrigin = _UNKNOWN_ORIGIN,
    ) -> tuple[Seat, str]:
        """Take a new seat; returns it with its cookie."""
        row = self._new_row(cookie, code, name, role, side, pin, origin)
        return self._seat_row(row, origin), self._hold_seat(cookie, row.id)

    def join_screen(
        self,
        cookie: str | None,
        code: str,
        name_of: Callable[[int], str],
        origin: SeatOrigin = _UNKNOWN_ORIGIN,
    ) -> tuple[Seat, str]:
        """Take an onlooker's seat for a screen, under the first name that is free.

        Nobody knows its PIN: a screen that has forgotten its cookie takes a new seat.
        """
        name = self._free_name(name_of)
        return self.join(cookie, code, name, Role.ONLOOKER, None, _random_pin(), origin)

    def join_host(
        self,
        cookie: str,
        name_of: Callable[[int], str],
        origin: SeatOrigin = _UNKNOWN_ORIGIN,
        role: Role = Role.UMPIRE,
        side: str | None = None,
    ) -> Seat:
        """Give the host a seat, under the first name that is free.

        The cookie stays, as the host's other pages go on with it; the server has made it, and
        nobody else's is the host's.
        """
        session = self._sessions.get(_digest(cookie))
        if session is None or not session.host:
            raise Forbidden("join.fault.host_only")
        name = self._free_name(name_of)
        row = self._new_row(cookie, self.code, name, role, side, _random_pin(), origin)
        seat = self._seat_row(row, origin)
        self._save_session(replace(session, seat=row.id))
        return seat

    def _free_name(self, name_of: Callable[[int], str]) -> str:
        taken = {seat.name.casefold() for seat in self}
        names = (clean_name(name_of(n)) for n in range(1, MOST_SEATS + 2))
        return next(each for each in names if each.casefold() not in taken)

    def ask(
        self,
        cookie: str | None,
        code: str,
        name: str,
        role: Role,
        side: str | None,
        pin: str,
        origin: SeatOrigin = _UNKNOWN_ORIGIN,
    ) -> tuple[Newcomer, str]:
        """Ask for a new seat during a battle; returns the newcomer with their cookie."""
        row = self._new_row(cookie, code, name, role, side, pin, origin)
        self.withdraw(_digest(cookie) if cookie else "")
        same = [each for each in self._newcomers.values() if each.origin == origin]
        if len(self._newcomers) >= MOST_NEWCOMERS or len(same) >= NEWCOMERS_EACH_NETWORK:
            raise Forbidden("join.fault.too_many_asking")
        fresh = secrets.token_urlsafe(32)
        # Never that of another newcomer, nor of one before the server was started again.
        newcomer = Newcomer(f"n{secrets.token_hex(5)}", _digest(fresh), row, origin)
        self._newcomers[newcomer.id] = newcomer
        return newcomer, fresh

    @property
    def newcomers(self) -> tuple[Newcomer, ...]:
        """Those who ask for a seat, in order."""
        return tuple(self._newcomers.values())

    def newcomer_of(self, token: str) -> Newcomer | None:
        """The newcomer with this hash of a cookie."""
        return next((each for each in self._newcomers.values() if each.token == token), None)

    def admit(self, id_: str) -> tuple[Seat, Caller]:
        """Give a newcomer the seat; returns it with its caller."""
        newcomer = self._newcomer(id_)
        # The table may have filled up, or the name been taken, since they asked.
        self._check_room(newcomer.row.name, newcomer.origin)
        del self._newcomers[id_]
        row = replace(newcomer.row, id=self._new_id())
        seat = self._seat_row(row, newcomer.origin)
        self._save_session(SessionRow(newcomer.token, row.id, host=False))
        return seat, Caller(newcomer.token, seat=seat)

    def agree(self, id_: str, side: str) -> Newcomer:
        """Note that a side agrees to a newcomer."""
        newcomer = self._newcomer(id_)
        agreed = replace(newcomer, agreed=newcomer.agreed | {side})
        self._newcomers[id_] = agreed
        return agreed

    def refuse(self, id_: str) -> Newcomer:
        """Let a newcomer not in."""
        return self._newcomers.pop(self._newcomer(id_).id)

    def withdraw(self, token: str) -> None:
        """Forget the newcomer with this hash of a cookie, if there is one."""
        newcomer = self.newcomer_of(token)
        if newcomer is not None:
            del self._newcomers[newcomer.id]

    def _newcomer(self, id_: str) -> Newcomer:
        try:
            return self._newcomers[id_]
        except KeyError:
            raise DreyerError("join.fault.no_newcomer") from None

    def _new_row(
        self,
        cookie: str | None,
        code: str,
        name: str,
        role: Role,
        side: str | None,
        pin: str,
        origin: SeatOrigin,
    ) -> SeatRow:
        """A new seat as it will be stored, if it may be taken."""
        self.check_code(code)
        if self.locked:
            raise Forbidden("join.fault.locked")
        if self.caller(cookie).seat is not None:
            raise Forbidden("join.fault.one_seat")
        name = clean_name(name)
        self._check_room(name, origin)
        if role is Role.PLAYER and not side:
            raise DreyerError("join.fault.no_side")
        return SeatRow(
            id=self._new_id(),
            name=name,
            role=role,
            side=side if role is Role.PLAYER else None,
            pin=_pin_hash(check_pin(pin)),
        )

    def _check_room(self, name: str, origin: SeatOrigin) -> None:
        """Raise DreyerError if a name is taken, or if there is no seat left for an origin."""
        most = SEATS_THIS_MACHINE if origin.this_machine else SEATS_EACH_NETWORK
        taken = sum(self._networks.get(seat.id) == origin.network for seat in self)
        if origin.network and taken >= most:
            raise Forbidden("join.fault.too_many_seats")
        if any(seat.name.casefold() == name.casefold() for seat in self):
            raise DreyerError("join.fault.name_taken", name=name)
        if len(list(self)) >= MOST_SEATS:
            raise Forbidden("join.fault.no_seat")

    def _seat_row(self, row: SeatRow, origin: SeatOrigin) -> Seat:
        self._store.save_seat(row)
        self._rows[row.id] = row
        if origin.network:
            self._networks[row.id] = origin.network
        return _seat(row)

    def reclaim(self, cookie: str | None, code: str, name: str, pin: str) -> tuple[Seat, str]:
        """Take an existing seat again with its PIN, on this phone or another."""
        self.check_code(code)
        wanted = clean_name(name).casefold()
        row = next(
            (row for row in self._rows.values() if row.name.casefold() == wanted and not row.free),
            None,
        )
        # An unknown name takes as long as a wrong PIN and gets the same answer.
        matches = _pin_matches(check_pin(pin), row.pin if row else _NO_PIN)
        if row is None or not matches:
            raise WrongKey(Message("join.fault.wrong_pin"), "pin")
        return _seat(row), self._hold_seat(cookie, row.id)

    def leave(self, caller: Caller) -> None:
        """Leave a seat: the browser no longer holds it, but the PIN still works."""
        session = self._sessions.get(caller.token)
        if session is not None and session.seat is not None:
            if session.host:
                self._save_session(replace(session, seat=None))
            else:
                self._end_session(session.token)

    def touch(self, caller: Caller) -> None:
        """Note that a browser was here today; its session then goes on."""
        session = self._sessions.get(caller.token)
        if session is not None and session.day != self._today():
            self._save_session(session)

    def release(self, seat_id: str) -> Seat:
        """Remove a seat for good: its holder has no access and its name may be used again."""
        row = self._rows.get(seat_id)
        if row is None or row.free:
            raise DreyerError("join.fault.no_such_seat")
        freed = replace(row, free=True)
        self._store.save_seat(freed)
        self._rows[seat_id] = freed
        for session in list(self._sessions.values()):
            if session.seat == seat_id and not session.host:
                self._end_session(session.token)
        return _seat(row)

    def lock(self, on: bool) -> None:
        """Lock the table for new seats, or unlock it."""
        self._store.save_setting("locked", "yes" if on else "no")
        self.locked = on

    def renew_code(self) -> str:
        """Make a new code; the old one is no longer valid."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        self._store.save_setting("code", code)
        self.code = code
        return code

    def by_id(self) -> Mapping[str, Seat]:
        """The taken seats by id."""
        return {seat.id: seat for seat in self}

    def check_code(self, code: str) -> None:
        """Raise WrongKey for a wrong code."""
        typed = "".join(code.split()).replace("-", "").upper()
        if not hmac.compare_digest(typed.encode(), self.code.encode()):
            raise WrongKey(Message("join.fault.wrong_code"), "code")

    def _hold_seat(self, cookie: str | None, seat_id: str) -> str:
        # A seat always gets a new cookie, so that a cookie set by an attacker is of no use.
        before = self._sessions.get(_digest(cookie)) if cookie else None
        fresh = secrets.token_urlsafe(32)
        self._save_session(SessionRow(_digest(fresh), seat_id, host=bool(before and before.host)))
        if before is not None:
            self._end_session(before.token)
        return fresh

    def _save_session(self, session: SessionRow) -> None:
        session = replace(session, day=self._today())
        self._store.save_session(session)
        self._sessions[session.token] = session
        same = [each for each in self._sessions.values() if each.seat == session.seat]
        for old in same[: max(0, len(same) - SESSIONS_EACH)]:
            self._end_session(old.token)

    def _end_session(self, token: str) -> None:
        self._store.remove_session(token)
        self._sessions.pop(token, None)

    def _new_id(self) -> str:
        return f"s{1 + max((int(seat[1:]) for seat in self._rows), default=0)}"


def _random_pin() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def clean_name(name: str) -> str:
    """A player's name with single spaces. Raises DreyerError if it is not a usable name."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name:
        raise DreyerError("join.fault.no_name")
    if len(name) > LONGEST_NAME:
        raise DreyerError("join.fault.name_too_long", longest_name=LONGEST_NAME)
    if any(unicodedata.category(letter).startswith("C") for letter in name):
        raise DreyerError("join.fault.name_unseen")
    return name


def check_pin(pin: str) -> str:
    """Raise DreyerError unless a PIN has four digits."""
    if len(pin) != PIN_LENGTH or not (pin.isascii() and pin.isdigit()):
        raise DreyerError("join.fault.pin", pin_length=PIN_LENGTH)
    return pin


def stored_seats(store: Store) -> dict[str, SeatRow]:
    """The stored seats by id. Raises DamagedStore if one of them cannot be a seat."""
    return {row.id: _checked(row, store) for row in store.seats()}


def _checked(row: SeatRow, store: Store) -> SeatRow:
    texts = (row.id, row.name, row.role, row.pin, row.side or "")
    sound = (
        all(isinstance(text, str) for text in texts)
        and _SEAT_ID.fullmatch(row.id) is not None
        and row.role in frozenset(Role)
        and _PIN_HASH.fullmatch(row.pin) is not None
        and bool(row.name)
    )
    if not sound:
        raise DamagedStore(store.name)
    return row


def _seat(row: SeatRow) -> Seat:
    return Seat(row.id, row.name, Role(row.role), row.side)


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()


def _pin_hash(pin: str) -> str:
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}:{_stretch(pin, salt).hex()}"


def _pin_matches(pin: str, kept: str) -> bool:
    salt, _, digest = kept.partition(":")
    return hmac.compare_digest(_stretch(pin, bytes.fromhex(salt)).hex(), digest)


def _stretch(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_PIN_COST, r=8, p=1, dklen=32)


_NO_PIN: Final = f"{bytes(16).hex()}:"
