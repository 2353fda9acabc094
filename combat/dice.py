"""Dice: rolled by the program or typed in from the table, always passed in.

Two dice are read as a pair, coloured then white, tens then units: 11 to 66 in base six. Sums are
done on the index 1 to 36 and may leave that span; a row label turns an index back into dice.
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
"""A ten-sided die shows 0 to 9; what a nought stands for is the rulebook's affair."""
UNKNOWN_PURPOSE: Final = NO_WORDS
"""The purpose of a roll of which only the dice are known."""


class DiceKind(StrEnum):
    """Which dice are read together."""

    PAIR = "pair"
    DIE = "die"
    TEN_SIDED = "ten_sided"


class BadDice(DreyerError):
    """Dice that are not dice, too few of them, or too many."""


class OutOfDice(BadDice):
    """Typed dice that end before the roll does; it says which dice come next, and for what."""

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
        """1 for 11 up to 36 for 66: what modifiers are added to."""
        return FACES * (self.coloured - 1) + self.white

    def __str__(self) -> str:
        return f"{self.coloured}{self.white}"


def base_six(index: int) -> str:
    """An index of 1 or more written as a dice number, past 66 too: 37 is 71."""
    tens, units = divmod(index - 1, FACES)
    return f"{tens + 1}{units + 1}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things chosen by a die, counted from 0, and every die it took."""

    index: int
    rolls: tuple[int, ...]


def _expected(kind: DiceKind) -> Message:
    return Message(f"dice.expected.{kind}")


class Dice(Protocol):
    """Where dice come from; each roll says what it is for."""

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
        """Choose one of several things in equal shares."""
        ...


class SixSidedDice(ABC):
    """Dice that really fall, one after the other."""

    @abstractmethod
    def die(self, purpose: Message) -> int:
        """Roll one die."""

    def choice(self, count: int, purpose: Message) -> Choice:
        """One of at most six things in equal shares of a die.

        A die that falls outside the equal shares is rolled again; a choice of one takes no die.
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
    """Dice that the program rolls, from a random source that it is given."""

    by_server: Final = True

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def pair(self, purpose: Message) -> Pair:  # noqa: ARG002 - a roll is a roll
        """Roll two dice."""
        return Pair(self._source.randint(1, FACES), self._source.randint(1, FACES))

    def die(self, purpose: Message) -> int:  # noqa: ARG002 - a roll is a roll
        """Roll one die."""
        return self._source.randint(1, FACES)

    def ten_sided(self, purpose: Message) -> int:  # noqa: ARG002 - a roll is a roll
        """Roll one ten-sided die."""
        return self._source.randrange(TEN_SIDES)


class TypedDice(SixSidedDice):
    """Dice that a player rolled and typed in: "34 12 5", a pair by two digits, a die by one."""

    def __init__(self, text: str) -> None:
        self._tokens = text.replace(",", " ").split()
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

    def finish(self) -> None:
        """Complain of dice that nothing asked for."""
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
    """Dice that fell together, and what they were for."""

    faces: tuple[int, ...]
    """Two are a pair, coloured and white; one is a die."""
    purpose: Message
    """With the fire it belongs to where several are resolved together; `UNKNOWN_PURPOSE` where the
    journal of version 0.1.0 kept none."""
    side: str | None = None
    """Whose roll it was."""
    by_server: bool = False
    """Whether the program rolled it; never set from what a player sends."""
    again: bool = field(default=False, compare=False)
    """Whether it fell before an undo and was read again."""

    @property
    def value(self) -> str:
        """As it would be typed in: "34", "5"."""
        return "".join(map(str, self.faces))

    @property
    def is_pair(self) -> bool:
        """Whether two dice were read together."""
        return len(self.faces) == 2


def faces_of(value: str) -> tuple[int, ...]:
    """The faces of a roll as it is typed in."""
    return tuple(map(int, value))


def roll_once(dice: Dice, kind: DiceKind, purpose: Message, side: str | None = None) -> Roll:
    """One roll of a source."""
    match kind:
        case DiceKind.PAIR:
            pair = dice.pair(purpose)
            faces: tuple[int, ...] = (pair.coloured, pair.white)
        case DiceKind.DIE:
            faces = (dice.die(purpose),)
        case DiceKind.TEN_SIDED:
            faces = (dice.ten_sided(purpose),)
    by_server, again = getattr(dice, "by_server", False), getattr(dice, "again", False)
    return Roll(faces, purpose, side, by_server, again)


class DiceByRoll(SixSidedDice):
    """Dice that come roll by roll, from one source or another."""

    by_server = False
    """Whether the program rolled the last of them."""
    again = False
    """Whether the last of them fell before an undo."""

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
        self.by_server, self.again = roll.by_server, roll.again
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
    """Rolls that were made earlier, in their order, whatever they are asked for now."""

    def __init__(self, rolls: Sequence[Roll]) -> None:
        self._rolls = tuple(rolls)
        self._used = 0

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next of them."""
        if self._used == len(self._rolls):
            raise OutOfDice(self._used, kind, purpose)
        self._used += 1
        return self._rolls[self._used - 1]

    def finish(self) -> None:
        """Complain of rolls that nothing asked for."""
        if self._used < len(self._rolls):
            extra = " ".join(roll.value for roll in self._rolls[self._used :])
            raise BadDice("dice.fell_for_nothing", extra=extra)


class KeptDice(DiceByRoll):
    """Rolls that an undo took back are read again for what they fell for; others are rolled.

    Rolls without a purpose are single figures that a journal of version 0.1.0 kept. They are read
    in their order, whatever they are asked for.
    """

    def __init__(self, kept: Sequence[Roll], source: Dice) -> None:
        self._kept = list(kept)
        self._source = source

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The roll that was kept for this, or a new one."""
        used = kept_for(self._kept, kind, purpose)
        if not used:
            return roll_once(self._source, kind, purpose)
        for roll in used:
            self._kept.remove(roll)
        return replace(
            used[0], faces=tuple(face for roll in used for face in roll.faces), again=True
        )


def kept_for(kept: Sequence[Roll], kind: DiceKind, purpose: Message) -> tuple[Roll, ...]:
    """Those of the kept rolls that are read for this one; none where it has to be rolled."""
    for roll in kept:
        if roll.purpose == purpose != UNKNOWN_PURPOSE:
            return (roll,)
    figures = 2 if kind is DiceKind.PAIR else 1
    unnamed = tuple(roll for roll in kept if roll.purpose == UNKNOWN_PURPOSE)[:figures]
    return unnamed if len(unnamed) == figures else ()


class TypedThenRolled(DiceByRoll):
    """Dice that a player typed, and after the last of them dice of another source."""

    def __init__(self, typed: Sequence[str], source: Dice) -> None:
        self._typed = TypedDice(" ".join(typed))
        self._left = len(typed)
        self._source = source

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The next that was typed, or a new one."""
        if not self._left:
            return roll_once(self._source, kind, purpose)
        self._left -= 1
        return roll_once(self._typed, kind, purpose)

    def finish(self) -> None:
        """Complain of typed dice that nothing asked for."""
        self._typed.finish()


class SingleRollDice(DiceByRoll):
    """One roll of another source, and no more."""

    def __init__(self, source: Dice) -> None:
        self._source = source
        self._used = 0

    def roll(self, kind: DiceKind, purpose: Message) -> Roll:
        """The roll."""
        if self._used:
            raise OutOfDice(self._used, kind, purpose)
        self._used = 1
        return roll_once(self._source, kind, purpose)
