"""Movement plots as they are written on the record sheet: read, checked and turned into steps.

    3Ll         three factors straight, a full and a short turn to port (57.52)
    LL1R1 C     turns either way, chasing salvoes (67.32)
    2R+ SF      a cruiser's turn on the wider arc (67.23), laying a smoke front (67.63)
    l⅓2r12°     short turns of a third of a full one and of 12 degrees (57.3); l is half of one
    follow      in the wake of the ship ahead (57.7)

Where a keyboard lacks the signs, ‡ may be written #, ⅓ 1/3 and 12° 12d. Spaces and commas may stand
anywhere. The empty plot is that of a ship that stays where she is.
"""

import math
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache, reduce
from typing import Final

from combat.rulebooks.bismarck_advanced.editions import CURRENT, Edition
from combat.rulebooks.bismarck_advanced.movement.evolution import (
    Evolution,
    EvolutionReading,
    judge_turns,
)
from combat.rulebooks.bismarck_advanced.movement.handling import (
    DOUBLE_DAGGER,
    DOUBLE_DAGGERS,
    MOVEMENT,
    PLUS,
    MovementRules,
)
from combat.rulebooks.bismarck_advanced.movement.short_turns import (
    DEGREE_SIGN,
    OTHER_DEGREE_SIGNS,
    PARTS,
    Amount,
    Degrees,
    Part,
    share,
)
from combat.ships import ShipClass
from tabletop.errors import BadPlot, DreyerError
from tabletop.messages import Message
from tabletop.movement import Step, Straight, Turn

FOLLOW: Final = "follow"


class TurnSide(StrEnum):
    """The side that a ship turns to."""

    LEFT = "L"
    RIGHT = "R"


class PlotNote(StrEnum):
    """What a ship does besides moving, in the order of the notation."""

    CHASE = "C"
    SMOKE_COVER = "SC"
    SMOKE_FRONT = "SF"


@dataclass(frozen=True, slots=True)
class StraightMove:
    """Factors straight ahead (57.521)."""

    factors: int
    position: int = field(default=0, compare=False, repr=False)
    """The index of the order in the plot's text."""

    def __str__(self) -> str:
        return str(self.factors)


@dataclass(frozen=True, slots=True)
class Helm:
    """One factor of turning, full or short (57.522, 57.523)."""

    side: TurnSide
    short: bool = False
    mark: str = ""
    """The choice of a wider arc: nothing, +, ‡ or both (67.23)."""
    amount: Amount | None = None
    """How much of the full turn a short one turns (57.3); None where it is a full turn, and where
    an edition has it end wherever the model stops."""
    position: int = field(default=0, compare=False, repr=False)
    mark_position: int = field(default=0, compare=False, repr=False)
    amount_position: int = field(default=0, compare=False, repr=False)

    @property
    def factors(self) -> int:
        """A short turn costs a whole factor too (58.4)."""
        return 1

    def __str__(self) -> str:
        letter = self.side.lower() if self.short else self.side.value
        return letter + self.mark + self.amount_text

    @property
    def amount_text(self) -> str:
        """The amount as it is written; nothing for the usual part of a short turn."""
        return "" if self.amount in (None, MOVEMENT.short_turn_part) else str(self.amount)


Order = StraightMove | Helm


@dataclass(frozen=True, slots=True)
class Plot:
    """One ship's orders for one segment, checked against her class's abilities."""

    ship_class: ShipClass
    orders: tuple[Order, ...] = ()
    notes: frozenset[PlotNote] = frozenset()
    follows: bool = False
    text: str = field(default="", compare=False)
    """The plot's text, for messages."""

    def __str__(self) -> str:
        move = FOLLOW if self.follows else "".join(map(str, self.orders))
        return " ".join(part for part in (move, *(n for n in PlotNote if n in self.notes)) if part)

    @property
    def factors(self) -> int | None:
        """The factors that it uses; None for a follower, who uses all her factors."""
        return None if self.follows else sum(order.factors for order in self.orders)

    @property
    def reading(self) -> EvolutionReading:
        """Whether she weaves or chases salvoes, and why; a follower's depends on her steps."""
        helms = [order for order in self._own_orders if isinstance(order, Helm)]
        left = sum(helm.side is TurnSide.LEFT for helm in helms)
        return judge_turns(left, len(helms) - left, chase=PlotNote.CHASE in self.notes)

    @property
    def evolution(self) -> Evolution:
        """Whether she weaves or chases salvoes."""
        return self.reading.evolution

    def steps(self, rules: MovementRules = MOVEMENT) -> tuple[Step, ...]:
        """The steps along the gauge.

        A short turn runs a part of its arc and costs the whole factor (57.3, 58.4).
        """
        return tuple(self._step(order, rules) for order in self._own_orders)

    def _step(self, order: Order, rules: MovementRules) -> Step:
        if isinstance(order, StraightMove):
            return Straight(order.factors * rules.factor_yards)
        full_deg = full_turn_deg(self.ship_class, order.mark, rules)
        angle_deg = full_deg if order.side is TurnSide.RIGHT else -full_deg
        if order.amount is None:
            least_fraction = 0.0 if order.short else 1.0
            return Turn(angle_deg, rules.factor_yards, least_fraction=least_fraction)
        fraction = share(order.amount, full_deg)
        run_yards = rules.factor_yards * fraction
        return Turn(angle_deg * fraction, run_yards, lost_yards=rules.factor_yards - run_yards)

    @property
    def _own_orders(self) -> tuple[Order, ...]:
        if self.follows:
            raise DreyerError("advanced.plot.no_own_steps")
        return self.orders


def full_turn_deg(ship_class: ShipClass, mark: str = "", rules: MovementRules = MOVEMENT) -> float:
    """The angle of one full factor on the arc of a mark."""
    return rules.turn_deg[rules.handling[ship_class].arc_by_mark[mark]]


def least_turn_deg(ship_class: ShipClass, mark: str = "", rules: MovementRules = MOVEMENT) -> int:
    """The least whole degrees of a short turn (57.3)."""
    return math.ceil(full_turn_deg(ship_class, mark, rules) * rules.short_turn_least - 1e-9)


@lru_cache(maxsize=512)
def parse_plot(text: str, ship_class: ShipClass, edition: Edition = CURRENT) -> Plot:
    """Parse a plot. Raises BadPlot with the position of the fault."""
    reader = _Reader(text, edition)
    reader.read()
    for order in reader.orders:
        if isinstance(order, Helm):
            _check_mark(text, order, ship_class, MOVEMENT)
            _check_amount(text, order, ship_class, MOVEMENT)
    for order, following in zip(reader.orders, reader.orders[1:], strict=False):
        if isinstance(order, Helm) and order.short and isinstance(following, Helm):
            raise BadPlot(
                text,
                order.position,
                Message("advanced.plot.short_turn", full=order.side),
                "57.4",
            )
    return Plot(ship_class, tuple(reader.orders), frozenset(reader.notes), reader.follows, text)


_TOKEN: Final = re.compile(
    rf"(?P<gap>[\s,]+)|(?P<follow>(?i:{FOLLOW}))|(?P<note>SC|SF|C)|(?P<turn>[LRlr])"
    rf"|(?P<part>[{''.join(Part)}]|[0-9]/[0-9])"
    rf"|(?P<degrees>[0-9]+ ?[{DEGREE_SIGN}{OTHER_DEGREE_SIGNS}])"
    rf"|(?P<number>[0-9]+)|(?P<mark>[{PLUS}{DOUBLE_DAGGERS}])"
)
_MOST_AHEAD: Final = 99
_MOST_DEGREES: Final = 999
_REMEDIES: Final = {
    "c": ("small_c", "67.32"),
    "s": ("small_s", "67.63"),
    "S": ("lone_s", "67.63"),
    "F": ("lone_f", "57.7"),
    "f": ("lone_f", "57.7"),
    "P": ("port", "57.522"),
    "p": ("port", "57.522"),
    "I": ("capital_i", "57.523"),
    "|": ("capital_i", "57.523"),
    "-": ("dash", "57.521"),
    "†": ("dagger", "67.23"),
    "/": ("slash", "57.3"),
    ".": ("point", "57.3"),
    DEGREE_SIGN: ("degrees", "57.3"),
    "º": ("degrees", "57.3"),
}
"""The probable meaning of an invalid character, and the rule."""


class _Reader:
    """A parser that reads the characters of a plot into orders and notes."""

    def __init__(self, text: str, edition: Edition) -> None:
        self.text = text
        self._edition = edition
        self.orders: list[Order] = []
        self.notes: set[PlotNote] = set()
        self.follows = False
        self._markable = False
        """Whether a mark or an amount here belongs to the turn before it."""

    def read(self) -> None:
        position = 0
        while position < len(self.text):
            token = _TOKEN.match(self.text, position)
            if token is None:
                raise self._unreadable(position)
            self._take(token)
            position = token.end()

    def _take(self, token: re.Match[str]) -> None:
        written, position = token.group(), token.start()
        match token.lastgroup:
            case "gap":
                self._markable = self._markable and "," not in written
                return
            case "mark":
                self._take_mark(written, position)
                return
            case "part" | "degrees":
                self._take_amount(written, position)
                return
            case "note":
                self._take_note(PlotNote(written), position)
            case "follow":
                self._take_follow(position)
            case "turn":
                self._take_turn(written, position)
            case _:
                self._take_number(written, position)
        self._markable = token.lastgroup == "turn"

    def _take_follow(self, position: int) -> None:
        if self.follows or self.orders:
            raise self._bad(position, Message("advanced.plot.follow_alone"), "57.7")
        self.follows = True

    def _take_turn(self, written: str, position: int) -> None:
        self._check_leads(position)
        short = written.islower()
        part = MOVEMENT.short_turn_part if self._edition.short_turn_has_amount else None
        amount = part if short else None
        self.orders.append(Helm(TurnSide(written.upper()), short, amount=amount, position=position))

    def _take_number(self, written: str, position: int) -> None:
        self._check_leads(position)
        if written.startswith("0"):
            raise self._bad(position, Message("advanced.plot.zero"), "57.521")
        # Python refuses to parse thousands of digits, so their number is checked first.
        factors = int(written) if len(written) <= len(str(_MOST_AHEAD)) else _MOST_AHEAD + 1
        before = self.orders[-1] if self.orders else None
        if isinstance(before, StraightMove):
            # Two numbers in a row are one straight.
            self.orders.pop()
            ahead = StraightMove(before.factors + factors, before.position)
        else:
            ahead = StraightMove(factors, position)
        if ahead.factors > _MOST_AHEAD:
            too_far = Message("advanced.plot.too_far", most=_MOST_AHEAD)
            raise self._bad(position, too_far, "58.1")
        self.orders.append(ahead)

    def _check_leads(self, position: int) -> None:
        if self.follows:
            raise self._bad(position, Message("advanced.plot.follower_moves"), "57.7")

    def _take_mark(self, written: str, position: int) -> None:
        mark = PLUS if written == PLUS else DOUBLE_DAGGER
        helm = self.orders[-1] if self.orders else None
        if not self._markable or not isinstance(helm, Helm):
            stray = Message("advanced.plot.stray_mark", mark=written)
            raise self._bad(position, stray, "67.23")
        if mark in helm.mark:
            twice = Message("advanced.plot.mark_twice", mark=written)
            raise self._bad(position, twice, "67.23")
        if not helm.mark:
            marked = replace(helm, mark=mark, mark_position=position)
        else:
            # If both are present, the rarer one is reported.
            rarer = position if mark == DOUBLE_DAGGER else helm.mark_position
            marked = replace(helm, mark=PLUS + DOUBLE_DAGGER, mark_position=rarer)
        self.orders[-1] = marked

    def _take_amount(self, written: str, position: int) -> None:
        helm = self.orders[-1] if self.orders else None
        if not self._markable or not isinstance(helm, Helm):
            raise self._bad(position, Message("advanced.plot.stray_amount", amount=written), "57.3")
        if not helm.short:
            full = Message(
                "advanced.plot.full_turn_amount", amount=written, short=helm.side.lower()
            )
            raise self._bad(position, full, "57.3")
        if not self._edition.short_turn_has_amount:
            raise self._bad(position, Message("advanced.plot.no_amounts", amount=written), "57.3")
        if helm.amount_position:
            raise self._bad(position, Message("advanced.plot.amount_twice", amount=written), "57.3")
        amount = self._amount(written, position)
        self.orders[-1] = replace(helm, amount=amount, amount_position=position)

    def _amount(self, written: str, position: int) -> Amount:
        if written[-1] in DEGREE_SIGN + OTHER_DEGREE_SIGNS:
            digits = written[:-1].strip()
            # Python refuses to parse thousands of digits, so their number is checked first.
            readable = len(digits) <= len(str(_MOST_DEGREES))
            return Degrees(int(digits) if readable else _MOST_DEGREES)
        if written not in PARTS:
            unknown = Message("advanced.plot.unknown_part", amount=written, parts=tuple(Part))
            raise self._bad(position, unknown, "57.3")
        return PARTS[written]

    def _take_note(self, note: PlotNote, position: int) -> None:
        if note in self.notes:
            raise self._bad(position, Message("advanced.plot.note_twice", note=note), "")
        smoke = {PlotNote.SMOKE_COVER, PlotNote.SMOKE_FRONT}
        if note in smoke and smoke & self.notes:
            # 67.63 offers one or the other; no rule says how both would work in one move.
            raise self._bad(position, Message("advanced.plot.both_smokes"), "67.63")
        self.notes.add(note)

    def _unreadable(self, position: int) -> BadPlot:
        character = self.text[position]
        case, rule = _REMEDIES.get(character, ("unknown", "57.52"))
        return self._bad(
            position, Message(f"advanced.plot.character.{case}", character=character), rule
        )

    def _bad(self, position: int, reason: Message, rule: str) -> BadPlot:
        return BadPlot(self.text, position, reason, rule)


def _check_mark(text: str, helm: Helm, ship_class: ShipClass, rules: MovementRules) -> None:
    arc_by_mark = rules.handling[ship_class].arc_by_mark
    if helm.mark in arc_by_mark:
        return
    wider = [
        Message("advanced.plot.wider_arc", mark=mark, arc=Message(f"advanced.arc.{arc}"))
        for mark, arc in arc_by_mark.items()
        if mark
    ]
    if not wider:
        reason = Message("advanced.plot.no_choice", mark=helm.mark, ship_class=ship_class)
        raise BadPlot(text, helm.mark_position, reason, "67.22")
    choice = reduce(lambda one, other: Message("advanced.plot.or", one=one, other=other), wider)
    reason = Message("advanced.plot.choice", mark=helm.mark, ship_class=ship_class, choice=choice)
    raise BadPlot(text, helm.mark_position, reason, "67.23")


def _check_amount(text: str, helm: Helm, ship_class: ShipClass, rules: MovementRules) -> None:
    """Raise for a short turn that is too small to see, or more than a full turn."""
    if helm.amount is None:
        return
    full_deg = full_turn_deg(ship_class, helm.mark, rules)
    amount = str(helm.amount)
    fraction = share(helm.amount, full_deg)
    if fraction < rules.short_turn_least - 1e-9:
        least = least_turn_deg(ship_class, helm.mark, rules)
        reason = Message("advanced.plot.amount_least", amount=amount, least=least)
    elif fraction > 1.0:
        most = math.floor(full_deg)
        reason = Message("advanced.plot.amount_most", amount=amount, most=most, full=helm.side)
    else:
        return
    raise BadPlot(text, helm.amount_position, reason, "57.3")
