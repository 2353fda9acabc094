"""Sources of dice: rolled by the program, typed by players, or replayed.

Two dice are read as a pair, coloured then white, as tens and units: 11 to 66 in base six.
Modifiers are added to the pair's index, 1 to 36; the sum may leave that range.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.places import shorten

FACES = 6
LAST_INDEX = FACES * FACES
TEN_SIDES = 10
"""A ten-sided die shows 0 to 9; rulebooks differ in whether 0 means ten."""
UNKNOWN_PURPOSE: Final = NO_WORDS
"""The purpose of a roll whose purpose was not recorded."""


class DiceKind(StrEnum):
    """The dice of one roll."""

    PAIR = "pair"
    DIE = "die"
    TEN_SIDED = "ten_sided"


class BadDice(DreyerError):
    """Typed dice that are invalid, too few or too many."""


class OutOfDice(BadDice):
    """Too few dice; `wanted` and `purpose` are those of the next roll."""

    def __init__(self, given: int, wanted: DiceKind, purpose: Message) -> None:
        self.wanted = wanted
        self.purpose = purpose
        super().__init__(
            "dice.too_few",
            given=given,
            number=given + 1,
            purpose=purpose,
            expected=_expected(wanted),
        )


_MOST_QUOTED: Final = 20


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two dice read as one number in base six."""

    coloured: int
    white: int

    def __post_init__(self) -> None:
        if not (1 <= self.coloured <= FACES and 1 <= self.white <= FACES):
            raise BadDice("dice.no_such_pair", coloured=self.coloured, white=self.white)

    @classmethod
    def of_index(cls, index: int) -> "Pair":
        """The pair of an index from 1 (11) to 36 (66)."""
        return cls(*(digit + 1 for digit in divmod(index - 1, FACES)))

    @property
    def index(self) -> int:
        """1 for 11 up to 36 for 66; modifiers are added to this."""
        return FACES * (self.coloured - 1) + self.white

    def __str__(self) -> str:
        return f"{self.coloured}{self.white}"


def base_six(index: int) -> str:
    """An index of 1 or more as a dice number, also beyond 66: 37 is 71."""
    tens, units = divmod(index - 1, FACES)
    return f"{tens + 1}{units + 1}"


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of one of several things chosen by a die, and the dice rolled for it."""

    index: int
    rolls: tuple[int, ...]


def _expected(kind: DiceKind) -> Message:
    return Message(f"dice.expected.{kind}")


class Dice(Protocol):
    """A source of dice. Every roll is given its purpose."""

    def pair(self, purpose: Message) -> Pair:
        """Roll two dice, coloured and white."""
        ...

    def die(self, purpose: Message) -> int:
        """Roll one die."""
        ...

    def ten_sided(self, purpose: Message) -> int:
        """Roll one ten-sided die, 0 to 9."""
        ...

    def choice(self, count: int, purpose: Message) -> Choice:
        """Choose one of `count` things with equal probability."""
        ...


class SixSidedDice(ABC):
    """A source that makes choices by rolling single six-sided dice."""

    @abstractmethod
    def die(self, purpose: Message) -> int:
        """Roll one die."""

    def choice(self, count: int, purpose: Message) -> Choice:
        """Choose one of at most six things with equal probability.

        A face that would make the shares unequal is rolled again. A choice of one needs no die.
        Raises BadDice for more than six.
        """
        if not 1 <= count <= FACES:
            raise BadDice("dice.too_many_choices", most=FACES, count=count)
        if count == 1:
            return Choice(0, ())
        share = FACES // count
        rolls = [self.die(purpose)]
        while rolls[-1] > share * count:
            rolls.append(self.die(purpose))
        return Choice((rolls[-1] - 1) // share, tuple(rolls))


class RolledDice(SixSidedDice):
    """Dice that the program rolls with a given random source."""

    by_server: Final = True

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def pair(self, purpose: Message) -> Pair:  # noqa: ARG002 - part of the protocol
        """Roll two dice."""
        return Pair(self._source.randint(1, FACES), self._source.randint(1, FACES))

    def die(self, purpose: Message) -> int:  # noqa: ARG002 - part of the protocol
        """Roll one die."""
        return self._source.randint(1, FACES)

    def ten_sided(self, purpose: Message) -> int:  # noqa: ARG002 - part of the protocol
        """Roll one ten-sided die."""
        return self._source.randrange(TEN_SIDES)


class TypedDice(SixSidedDice):
    """Dice that a player typed, such as "34 12 5": two digits are a pair, one is a die.

    Raises BadDice for anything else.
    """

    def __init__(self, text: str, *, by_umpire: bool = False) -> None:
        self._tokens = text.replace(",", " ").split()
        self.by_umpire: Final = by_umpire
        """Whether an umpire typed them for a side."""
        self._used: list[Message] = []
        for number, token in enumerate(self._tokens, start=1):
            if not re.fullmatch(r"[0-9]|[1-6]{2}", token):
                raise BadDice("dice.not_dice", number=number, found=shorten(token))

    def pair(self, purpose: Message) -> Pair:
        """The next two dice."""
        token = self._next(purpose, 2, DiceKind.PAIR)
        return Pair(int(token[0]), int(token[1]))

    def die(self, purpose: Message) -> int:
        """The next die."""
        token = self._next(purpose, 1, DiceKind.DIE)
        if not 1 <= int(token) <= FACES:
            raise BadDice("dice.wrong_face", purpose=purpose, most=FACES, found=token)
        return int(token)

    def ten_sided(self, purpose: Message) -> int:
        """The next ten-sided die."""
        return int(self._next(purpose, 1, DiceKind.TEN_SIDED))

    @property
    def count(self) -> int:
        """How many rolls were typed."""
        return len(self._tokens)

    def for_side(self) -> "TypedDice":
        """The same dice, none of them used yet, typed by an umpire for a side."""
        return TypedDice(" ".join(self._tokens), by_umpire=True)

    def finish(self) -> None:
        """Raise BadDice if dice are left over."""
        used, given = len(self._used), len(self._tokens)
        if used < given:
            extra = " ".join(self._tokens[used : used + _MOST_QUOTED])
            extra += " …" if given > used + _MOST_QUOTED else ""
            if not used:
                raise BadDice("dice.none_needed", given=given, extra=extra)
            more = ("…",) if used > _MOST_QUOTED else ()
            purposes = (*self._used[:_MOST_QUOTED], *more)
            raise BadDice("dice.too_many", given=given, used=used, purposes=purposes, extra=extra)

    def _next(self, purpose: Message, digits: int, wanted: DiceKind) -> str:
        used = len(self._used)
        if used == len(self._tokens):
            raise OutOfDice(used, wanted, purpose)
        token = self._tokens[used]
        if len(token) != digits:
            raise BadDice(
                "dice.wrong_kind_at",
                number=used + 1,
                purpose=purpose,
                expected=_expected(wanted),
                found=token,
            )
        self._used.append(purpose)
        return token


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice rolled together, and their purpose."""

    faces: tuple[int, ...]
    """Two are a pair, coloured and white; one is a die."""
    purpose: Message
    """It names the fire if several are resolved together. `UNKNOWN_PURPOSE` in journals of version
    0.1.0."""
    side: str | None = None
    """The side that rolled."""
    by_server: bool = False
    """Whether the program rolled it; never set from a request."""
    again: bool = field(default=False, compare=False)
    """Whether it was rolled before an undo and used again."""
    by_umpire: bool = False
    """Whether an umpire entered it for the side; never set from a request."""

    @property
    def value(self) -> str:
        """The roll as a player types it: "34", "5"."""
        return "".join(map(str, self.faces))

    @property
    def is_pair(self) -> bool:
        """Whether two dice were read together."""
        return len(self.faces) == 2


def faces_of(value: str) -> tuple[int, ...]:
    """The faces of a typed roll: the inverse of `Roll.value`."""
    return tuple(map(int, value))


def roll_once(dice: Dice, kind: DiceKind, purpose: Message, side: str | None = None) -> Roll:
    """Make one roll with a source, and record who rolled it."""
    match kind:
        case DiceKind.PAIR:
            pair = dice.pair(purpose)
            faces: tuple[int, ...] = (pair.coloured, pair.white)
        case DiceKind.DIE:
            faces = (dice.die(purpose),)
        case DiceKind.TEN_SIDED:
            faces = (dice.ten_sided(purpose),)
    return Roll(
        faces,
        purpose,
        side,
        by_server=getattr(dice, "by_server", False),
        again=getattr(dice, "again", False),
        by_umpire=getattr(dice, "by_umpire", False),
    )


class DiceByRoll(SixSidedDice):
    """A source that produces complete rolls, possibly from several other sources."""

    by_server = False
    """Whether the program made the last roll."""
    again = False
    """Whether the last roll was made before an undo."""
    by_umpire = False
    """Whether an umpire entered the last roll for a side."""

    @abstractmethod
    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll."""

    def pair(self, purpose: Message) -> Pair:
        """The next two dice."""
        coloured, white = self._faces(DiceKind.PAIR, purpose)
        return Pair(coloured, white)

    def die(self, purpose: Message) -> int:
        """The next die."""
        (face,) = self._faces(DiceKind.DIE, purpose)
        return face

    def ten_sided(self, purpose: Message) -> int:
        """The next ten-sided die."""
        (face,) = self._faces(DiceKind.TEN_SIDED, purpose)
        return face

    def _faces(self, kind: DiceKind, purpose: Message) -> tuple[int, ...]:
        roll = self.roll(kind, purpose)
        six = all(1 <= face <= FACES for face in roll.faces) or kind is DiceKind.TEN_SIDED
        if roll.is_pair != (kind is DiceKind.PAIR) or not six:
            raise BadDice(
                "dice.wrong_kind", purpose=purpose, expected=_expected(kind), found=roll.value
            )
        self.by_server, self.again, self.by_umpire = roll.by_server, roll.again, roll.by_umpire
        return roll.faces


class RecordedDice(DiceByRoll):
    """Dice of another source, with a record of every roll."""

    def __init__(self, source: Dice, side: str | None = None) -> None:
        self._source = source
        self._side = side
        self._rolls: list[Roll] = []

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll so far."""
        return tuple(self._rolls)

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next roll of the source."""
        self._rolls.append(roll_once(self._source, kind, purpose, self._side))
        return self._rolls[-1]


class ReplayedDice(DiceByRoll):
    """Earlier rolls in their order, regardless of purpose."""

    def __init__(self, rolls: Sequence[Roll]) -> None:
        self._rolls = tuple(rolls)
        self._used = 0

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next earlier roll. Raises OutOfDice after the last."""
        if self._used == len(self._rolls):
            raise OutOfDice(self._used, kind, purpose)
        self._used += 1
        return self._rolls[self._used - 1]

    def finish(self) -> None:
        """Raise BadDice if rolls are left over."""
        if self._used < len(self._rolls):
            extra = " ".join(roll.value for roll in self._rolls[self._used :])
            raise BadDice("dice.fell_for_nothing", extra=extra)


class KeptDice(DiceByRoll):
    """Rolls kept by an undo, used again for the same purpose; others come from a source.

    Rolls without a purpose are single digits from journals of version 0.1.0. They are used in
    their order for any purpose.
    """

    def __init__(self, kept: Sequence[Roll], source: Dice) -> None:
        self._kept = list(kept)
        self._source = source

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The roll kept for this purpose, or a new one."""
        used = kept_for(self._kept, kind, purpose)
        if not used:
            return roll_once(self._source, kind, purpose)
        for roll in used:
            self._kept.remove(roll)
        return replace(
            used[0], faces=tuple(face for roll in used for face in roll.faces), again=True
        )


def kept_for(kept: Sequence[Roll], kind: DiceKind, purpose: Message) -> tuple[Roll, ...]:
    """The kept rolls that make up a roll for this purpose; empty if it has to be rolled."""
    for roll in kept:
        if roll.purpose == purpose != UNKNOWN_PURPOSE:
            return (roll,)
    figures = 2 if kind is DiceKind.PAIR else 1
    unnamed = tuple(roll for roll in kept if roll.purpose == UNKNOWN_PURPOSE)[:figures]
    return unnamed if len(unnamed) == figures else ()


class TypedThenRolled(DiceByRoll):
    """Dice that a player typed, followed by dice of another source."""

    def __init__(self, typed: Sequence[str], source: Dice) -> None:
        self._typed = TypedDice(" ".join(typed))
        self._left = len(typed)
        self._source = source

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next typed roll, or a new one after the last."""
        if not self._left:
            return roll_once(self._source, kind, purpose)
        self._left -= 1
        return roll_once(self._typed, kind, purpose)

    def finish(self) -> None:
        """Raise BadDice if typed dice are left over."""
        self._typed.finish()


class SingleRollDice(DiceByRoll):
    """A single roll of another source."""

    def __init__(self, source: Dice) -> None:
        self._source = source
        self._used = 0

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """Make the roll. Raises OutOfDice the second time."""
        if self._used:
            raise OutOfDice(self._used, kind, purpose)
        self._used = 1
        return roll_once(self._source, kind, purpose)
