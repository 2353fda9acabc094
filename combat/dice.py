"""Dice: rolled by the program or typed in from the table, always passed in.

Two dice are read as a pair, coloured then white, tens then units: 11 to 66 in base six. Sums are
done on the index 1 to 36 and may leave that span; a row label turns an index back into dice.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tabletop.errors import DreyerError, shorten

FACES = 6
LAST_INDEX = FACES * FACES
TEN_SIDES = 10
"""A ten-sided die shows 0 to 9; what a nought stands for is the rulebook's affair."""


class BadDice(DreyerError):
    """Dice that are not dice, too few of them, or too many."""


class RanOut(BadDice):
    """Typed dice that end before the roll does; it says which dice come next, and for what."""

    def __init__(self, given: int, wanted: str, purpose: str) -> None:
        self.wanted = wanted
        """pair, die or ten_sided."""
        self.purpose = purpose
        super().__init__(
            f"dice: too few: {given} given, number {given + 1} is for {purpose} ({_KINDS[wanted]})"
        )


_MOST_QUOTED: Final = 20
_KINDS = {"pair": "a pair", "die": "one die", "ten_sided": "one ten-sided die"}


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two dice read as one number in base six."""

    coloured: int
    white: int

    def __post_init__(self) -> None:
        if not (1 <= self.coloured <= FACES and 1 <= self.white <= FACES):
            raise BadDice(f"dice show 1 to 6, got {self.coloured} and {self.white}")

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


class Dice(Protocol):
    """Where dice come from; each roll says what it is for."""

    def pair(self, purpose: str) -> Pair:
        """Roll two dice, coloured and white."""
        ...

    def die(self, purpose: str) -> int:
        """Roll one die."""
        ...

    def ten_sided(self, purpose: str) -> int:
        """Roll one ten-sided die, 0 to 9."""
        ...

    def choice(self, count: int, purpose: str) -> Choice:
        """Choose one of several things in equal shares."""
        ...


class _Thrown(ABC):
    """Dice that really fall, one after the other."""

    @abstractmethod
    def die(self, purpose: str) -> int:
        """Roll one die."""

    def choice(self, count: int, purpose: str) -> Choice:
        """One of at most six things in equal shares of a die.

        A die that falls outside the equal shares is rolled again; a choice of one takes no die.
        """
        if not 1 <= count <= FACES:
            raise BadDice(f"one die chooses among 1 to {FACES} things, not {count}")
        if count == 1:
            return Choice(0, ())
        share = FACES // count
        rolls = [self.die(purpose)]
        while rolls[-1] > share * count:
            rolls.append(self.die(purpose))
        return Choice((rolls[-1] - 1) // share, tuple(rolls))


class RolledDice(_Thrown):
    """Dice that the program rolls, from a random source that it is given."""

    by_server: Final = True

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def pair(self, purpose: str) -> Pair:  # noqa: ARG002 - a roll is a roll
        """Roll two dice."""
        return Pair(self._source.randint(1, FACES), self._source.randint(1, FACES))

    def die(self, purpose: str) -> int:  # noqa: ARG002 - a roll is a roll
        """Roll one die."""
        return self._source.randint(1, FACES)

    def ten_sided(self, purpose: str) -> int:  # noqa: ARG002 - a roll is a roll
        """Roll one ten-sided die."""
        return self._source.randrange(TEN_SIDES)


class TypedDice(_Thrown):
    """Dice that a player rolled and typed in: "34 12 5", a pair by two digits, a die by one."""

    def __init__(self, text: str) -> None:
        self._tokens = text.replace(",", " ").split()
        self._used: list[str] = []
        for number, token in enumerate(self._tokens, start=1):
            if not re.fullmatch(r"[0-9]|[1-6]{2}", token):
                raise BadDice(
                    f"dice: number {number} is {shorten(token)}; write a pair as two digits "
                    "from 1 to 6, a die as one, a ten-sided die as 0 to 9, such as 34 12 5"
                )

    def pair(self, purpose: str) -> Pair:
        """The next two dice."""
        token = self._next(purpose, 2, "pair")
        return Pair(int(token[0]), int(token[1]))

    def die(self, purpose: str) -> int:
        """The next die."""
        token = self._next(purpose, 1, "die")
        if not 1 <= int(token) <= FACES:
            raise BadDice(f"dice: {purpose}: expected one die from 1 to {FACES}, got {token}")
        return int(token)

    def ten_sided(self, purpose: str) -> int:
        """The next ten-sided die."""
        return int(self._next(purpose, 1, "ten_sided"))

    def finish(self) -> None:
        """Complain of dice that nothing asked for."""
        used, given = len(self._used), len(self._tokens)
        if used < given:
            purposes = ", ".join(self._used[:_MOST_QUOTED]) + ", …" * (used > _MOST_QUOTED)
            needed = f"{used} needed ({purposes})" if used else "none needed"
            extra = " ".join(self._tokens[used : used + _MOST_QUOTED])
            more = " …" if given > used + _MOST_QUOTED else ""
            raise BadDice(f"dice: too many: {given} given, {needed}; leave out {extra}{more}")

    def _next(self, purpose: str, digits: int, wanted: str) -> str:
        used = len(self._used)
        if used == len(self._tokens):
            raise RanOut(used, wanted, purpose)
        token = self._tokens[used]
        if len(token) != digits:
            raise BadDice(
                f"dice: number {used + 1} is for {purpose}: expected {_KINDS[wanted]}, got {token}"
            )
        self._used.append(purpose)
        return token


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that fell: their value as it would be typed in, and what they were for."""

    value: str
    purpose: str
    side: str | None = None
    """Whose roll it was."""
    by_server: bool = False
    """Whether the program rolled it; never set from what a player sends."""


class RecordedDice(_Thrown):
    """Dice of another source, with a record of every roll."""

    def __init__(self, source: Dice, side: str | None = None) -> None:
        self._source = source
        self._side = side
        self._rolls: list[Roll] = []

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll so far."""
        return tuple(self._rolls)

    def pair(self, purpose: str) -> Pair:
        """Roll two dice."""
        rolled = self._source.pair(purpose)
        self._note(str(rolled), purpose)
        return rolled

    def die(self, purpose: str) -> int:
        """Roll one die."""
        rolled = self._source.die(purpose)
        self._note(str(rolled), purpose)
        return rolled

    def ten_sided(self, purpose: str) -> int:
        """Roll one ten-sided die."""
        rolled = self._source.ten_sided(purpose)
        self._note(str(rolled), purpose)
        return rolled

    def _note(self, value: str, purpose: str) -> None:
        by_server = getattr(self._source, "by_server", False)
        self._rolls.append(Roll(value, purpose, self._side, by_server))


class KeptDice(_Thrown):
    """Rolls that an undo took back are read again for the same purposes; then others follow."""

    def __init__(self, kept: Sequence[Roll], source: Dice) -> None:
        self._kept = list(kept)
        self._source = source
        self.by_server = False
        """Whether the last roll was the program's."""

    def pair(self, purpose: str) -> Pair:
        """The next two dice."""
        kept = self._next(purpose)
        return Pair(int(kept[0]), int(kept[1])) if kept else self._source.pair(purpose)

    def die(self, purpose: str) -> int:
        """The next die."""
        kept = self._next(purpose)
        return int(kept) if kept else self._source.die(purpose)

    def ten_sided(self, purpose: str) -> int:
        """The next ten-sided die."""
        kept = self._next(purpose)
        return int(kept) if kept else self._source.ten_sided(purpose)

    def _next(self, purpose: str) -> str:
        if self._kept and self._kept[0].purpose == purpose:
            roll = self._kept.pop(0)
            self.by_server = roll.by_server
            return roll.value
        # Another roll than the one they fell for: the rest of them mean nothing here.
        self._kept.clear()
        self.by_server = getattr(self._source, "by_server", False)
        return ""


class TypedThenRolled(_Thrown):
    """Dice that a player typed, and after the last of them dice of another source."""

    def __init__(self, typed: Sequence[str], source: Dice) -> None:
        self._typed = TypedDice(" ".join(typed))
        self._left = len(typed)
        self._source = source
        self.by_server = False
        """Whether the last roll was the program's."""

    def pair(self, purpose: str) -> Pair:
        """The next two dice."""
        return self._next().pair(purpose)

    def die(self, purpose: str) -> int:
        """The next die."""
        return self._next().die(purpose)

    def ten_sided(self, purpose: str) -> int:
        """The next ten-sided die."""
        return self._next().ten_sided(purpose)

    def finish(self) -> None:
        """Complain of typed dice that nothing asked for."""
        self._typed.finish()

    def _next(self) -> Dice:
        if self._left:
            self._left -= 1
            return self._typed
        self.by_server = getattr(self._source, "by_server", False)
        return self._source
