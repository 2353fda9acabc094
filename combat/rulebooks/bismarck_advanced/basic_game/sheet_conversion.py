"""Conversion of a ship's marks between the Basic and the Advanced Game (72.2, 72.3).

Each kind of mark is converted separately and rounded down in both directions, so converting there
and back may lose marks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Final

from combat.conversions import BoxRow, ConversionLine, MarkKey
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.basic_game.hit_record_pad import (
    Pad,
    secondaries,
    turret_sections,
)
from combat.rulebooks.bismarck_advanced.basic_game.marks import BasicMarks
from combat.rulebooks.bismarck_advanced.conversion import Rate, from_advanced, to_advanced, worth
from combat.rulebooks.bismarck_advanced.fleet.vessel import QUARTERS
from combat.rulebooks.bismarck_advanced.fleet.warships import (
    HullSide,
    SecondaryTurret,
    Turret,
    Warship,
)
from combat.rulebooks.bismarck_advanced.free_play.ship_state import ShipState
from combat.rulebooks.bismarck_advanced.guns import Battery
from combat.tables import TableSet
from tabletop.errors import BadField
from tabletop.messages import NO_WORDS, Message
from tabletop.places import PlaceLike
from tabletop.schema import bounds

RULE: Final = "72.2"
ROUNDED_RULE: Final = "72.2, 72.3"
_SOLID: Final = ("hull_solid", "turrets_solid", "secondaries_solid", "rudder_solid")
_TORPEDO_RULE: Final = "19.3"
_NO_EVASION: Final = 99
CONVERTED: Final = (
    "hull_lost",
    "sunk",
    "turrets_lost",
    "secondaries_lost",
    "movement_factors_lost",
    "ammunition",
    "torpedoes_fired",
)
"""The marks of the Advanced Game that have a counterpart on the pad."""
ENDING: Final = ("turrets_out", "turrets_spent", "jammed_guns", "rounds_of_fire")
"""Marks that end with the battle, such as jams (71.4)."""
NOT_BESIDE: Final = (*CONVERTED, *ENDING)


def kept_beside(state: ShipState) -> ShipState:
    """The marks without a counterpart on the pad: fire control, rudder and others."""
    unmarked = ShipState()
    return replace(state, **{name: getattr(unmarked, name) for name in NOT_BESIDE})


def _solid_within(
    beside: ShipState, hull: int, turrets: Mapping[str, float], secondaries_lost: Sequence[str]
) -> ShipState:
    """Only a marked box can be solid (40.3)."""
    turrets_solid = {
        name: min(boxes, ceil(turrets.get(name, 0.0)))
        for name, boxes in (beside.turrets_solid or {}).items()
        if turrets.get(name)
    }
    solid = tuple(name for name in beside.secondaries_solid or () if name in secondaries_lost)
    return replace(
        beside,
        hull_solid=min(beside.hull_solid or 0, hull) or None,
        turrets_solid=turrets_solid or None,
        secondaries_solid=solid or None,
    )


def beside_words(beside: ShipState) -> tuple[Message, ...]:
    """The marks kept beside, in words."""
    messages = []
    if beside.superstructure_lost:
        messages.append(
            Message("advanced.convert.beside.superstructure", n=beside.superstructure_lost)
        )
    if beside.director_destroyed:
        messages.append(Message("advanced.convert.beside.director"))
    if beside.plot_destroyed:
        messages.append(Message("advanced.convert.beside.plot"))
    if beside.radar_lost:
        messages.append(Message("advanced.convert.beside.radar"))
    if beside.command_modifier:
        messages.append(
            Message("advanced.convert.beside.conning_tower", modifier=beside.command_modifier)
        )
    if beside.rudder_faults:
        faults = tuple(Message(f"advanced.rudder_fault.{each}") for each in beside.rudder_faults)
        messages.append(Message("advanced.convert.beside.rudder", faults=faults))
    if any(getattr(beside, name) for name in _SOLID):
        messages.append(Message("advanced.convert.beside.solid"))
    return tuple(messages)


@dataclass(frozen=True, slots=True)
class SheetConversion:
    """The conversion of one ship."""

    warship: Warship
    pad: Pad
    tables: TableSet

    # What may be marked

    def mark_keys(self) -> tuple[MarkKey, ...]:
        """The marks that she can have on the pad."""
        bow, stern = turret_sections(self.warship)
        evasion = self.pad.evasion
        if evasion is None:
            evasion = self._other(Rate.EVASION_FACTOR, self.warship.movement_factor)
        found = (
            self._key("midships_hits", "9.71", self.pad.midships),
            self._key("bow_hits", "9.71", self._most_turret_hits(bow, self.pad.bow)),
            self._key("stern_hits", "9.71, 9.81", self._most_turret_hits(stern, self.pad.stern)),
            self._key("port_secondary_hits", "9.716", self._most_secondary_hits(HullSide.PORT)),
            self._key(
                "starboard_secondary_hits", "9.716", self._most_secondary_hits(HullSide.STARBOARD)
            ),
            self._key("evasion_lost", "9.72", min(_NO_EVASION, evasion)),
            self._key("ammunition_spent", "20", self._most_ammunition()),
            self._key("torpedoes_fired", _TORPEDO_RULE, int(self.pad.torpedoes), is_flag=True),
        )
        return tuple(key for key in found if key.most)

    def check(self, marks: BasicMarks, place: PlaceLike) -> None:
        """Raise BadField for more marks than she has boxes."""
        most = {key.key: key.most for key in self.mark_keys()}
        for name in BasicMarks.__dataclass_fields__:
            value = getattr(marks, name)
            if int(value) > most.get(name, 0):
                is_flag = isinstance(value, bool)
                expected = (
                    Message("advanced.convert.no_torpedoes")
                    if is_flag
                    else bounds("whole", least=0, most=most.get(name, 0))
                )
                raise BadField(place, name, expected, str(value).lower())

    def _most_turret_hits(self, turrets: Sequence[Turret], boxes: int) -> int:
        # On the pad a heavy turret has more boxes than hits that destroy it here (72.2).
        return max(boxes, ceil(len(turrets) / worth(Rate.TURRET_HIT, self.tables)))

    def _most_secondary_hits(self, side: HullSide) -> int:
        turrets = len(secondaries(self.warship, side))
        pad = self.pad.port if side is HullSide.PORT else self.pad.starboard
        return max(pad, ceil(turrets / worth(Rate.SECONDARY_HIT, self.tables)))

    def _most_ammunition(self) -> int:
        if not self.pad.counts_ammunition:
            return 0
        rounds = sum(self._full(battery) for battery in Battery)
        worth_of_rounds = ceil(rounds / worth(Rate.AMMUNITION_FACTOR, self.tables))
        factors = self.pad.ammunition
        if factors is None:
            return worth_of_rounds
        if factors.provenance is Provenance.RECONSTRUCTED:
            # The players' own pad may have more than our reconstruction of it.
            return max(int(factors.value), worth_of_rounds)
        return int(factors.value)

    def _key(self, key: str, rule: str, most: int, *, is_flag: bool = False) -> MarkKey:
        return MarkKey(key, Message(f"advanced.convert.mark.{key}"), rule, most, is_flag)

    # To the Advanced Game

    def to_advanced(
        self, marks: BasicMarks, beside: ShipState
    ) -> tuple[ShipState, tuple[ConversionLine, ...]]:
        """Her sheet here, and a line for every kind of mark."""
        hull = min(self._here(Rate.MIDSHIPS_BOX, marks.midships_hits), self.warship.hull_boxes)
        sinks = hull == self.warship.hull_boxes
        lines = [
            self._line(
                "midships",
                Rate.MIDSHIPS_BOX,
                (marks.midships_hits, "midships_hits"),
                (hull, "hull_boxes"),
                exact=marks.midships_hits * worth(Rate.MIDSHIPS_BOX, self.tables),
                remark=Message("advanced.convert.remark.sunk") if sinks else NO_WORDS,
            )
        ]
        turrets, turret_lines = self._turrets_hit(marks)
        secondaries_lost, secondary_lines = self._secondaries_hit(marks)
        factors, speed_line = self._speed_lost(marks)
        ammunition, ammunition_lines = self._ammunition_left(marks)
        lines += (*turret_lines, *secondary_lines, speed_line, *ammunition_lines)
        lines += self._torpedoes(marks.torpedoes_fired)
        state = replace(
            _solid_within(kept_beside(beside), hull, turrets, secondaries_lost),
            hull_lost=float(hull),
            turrets_lost=turrets,
            secondaries_lost=tuple(sorted(secondaries_lost)),
            movement_factors_lost=factors,
            ammunition=ammunition,
            torpedoes_fired=marks.torpedoes_fired or None,
        )
        return state, tuple(lines)

    def _turrets_hit(self, marks: BasicMarks) -> tuple[dict[str, float], list[ConversionLine]]:
        """The boxes that turrets have lost, by name.

        One hit is half a turret; hits are applied turret by turret, from the bow aft.
        """
        lost: dict[str, float] = {}
        lines: list[ConversionLine] = []
        bow, stern = turret_sections(self.warship)
        hit = worth(Rate.TURRET_HIT, self.tables)
        sections = (("bow", marks.bow_hits, bow), ("stern", marks.stern_hits, stern or bow))
        for part, hits, turrets in sections:
            if not turrets:
                continue
            left = hits * hit
            exact, marked = Fraction(0), []
            for turret in turrets:
                before = Fraction(lost.get(turret.name, 0.0)) / turret.boxes
                share = min(1 - before, left)
                left -= share
                exact += share * turret.boxes
                boxes = Fraction(floor((before + share) * turret.boxes * QUARTERS), QUARTERS)
                if share:
                    lost[turret.name] = float(boxes)
                    marked.append((turret, boxes, boxes - before * turret.boxes))
            lines.append(
                self._line(
                    part,
                    Rate.TURRET_HIT,
                    (hits, f"{part}_hits"),
                    (sum((more for _, _, more in marked), Fraction(0)), "turret_boxes"),
                    exact=exact,
                    words=tuple(self._turret_words(turret, boxes) for turret, boxes, _ in marked),
                    remark=_no_room(floor(left / hit)),
                )
            )
        return lost, lines

    @staticmethod
    def _turret_words(turret: Turret, boxes: Fraction) -> Message:
        if boxes == turret.boxes:
            return Message("advanced.convert.turret_destroyed", turret=turret.name)
        return Message(
            "advanced.convert.turret_boxes",
            turret=turret.name,
            boxes=float(boxes),
            whole=turret.boxes,
        )

    def _secondaries_hit(self, marks: BasicMarks) -> tuple[list[str], list[ConversionLine]]:
        """The names of the secondary turrets that are lost."""
        lost: list[str] = []
        lines: list[ConversionLine] = []
        for part, side, hits in (
            ("port_secondary", HullSide.PORT, marks.port_secondary_hits),
            ("starboard_secondary", HullSide.STARBOARD, marks.starboard_secondary_hits),
        ):
            reached = secondaries(self.warship, side)
            if not reached:
                continue
            wanted = self._here(Rate.SECONDARY_HIT, hits)
            taken = [each.name for each in reached if each.name not in lost][:wanted]
            lost += taken
            lines.append(
                self._line(
                    part,
                    Rate.SECONDARY_HIT,
                    (hits, "secondary_hits"),
                    (len(taken), "secondary_turrets"),
                    exact=hits * worth(Rate.SECONDARY_HIT, self.tables),
                    words=tuple(
                        Message("advanced.convert.turret_destroyed", turret=name) for name in taken
                    ),
                    remark=_no_room(wanted - len(taken)),
                )
            )
        return lost, lines

    def _speed_lost(self, marks: BasicMarks) -> tuple[int, ConversionLine]:
        """The movement factors that are lost."""
        speed = self._here(Rate.EVASION_FACTOR, marks.evasion_lost)
        factors = min(speed, self.warship.movement_factor)
        line = self._line(
            "evasion",
            Rate.EVASION_FACTOR,
            (marks.evasion_lost, "evasion_factors"),
            (factors, "movement_factors"),
            exact=marks.evasion_lost * worth(Rate.EVASION_FACTOR, self.tables),
        )
        return factors, line

    def _ammunition_left(self, marks: BasicMarks) -> tuple[dict[str, int], list[ConversionLine]]:
        """The rounds of the batteries that have fired.

        The pad does not say which guns did: the main guns' ammunition is used first.
        """
        ammunition: dict[str, int] = {}
        if not self.pad.counts_ammunition:
            return ammunition, []
        spent = left = self._here(Rate.AMMUNITION_FACTOR, marks.ammunition_spent)
        for battery in Battery:
            taken = min(left, self._full(battery))
            if taken:
                ammunition[battery.value] = self._full(battery) - taken
            left -= taken
        line = self._line(
            "ammunition",
            Rate.AMMUNITION_FACTOR,
            (marks.ammunition_spent, "ammunition_factors"),
            (spent - left, "rounds"),
            exact=marks.ammunition_spent * worth(Rate.AMMUNITION_FACTOR, self.tables),
        )
        return ammunition, [line]

    def _torpedoes(self, fired: bool) -> Iterator[ConversionLine]:
        if self.pad.torpedoes:
            words = Message("advanced.convert.torpedoes_fired")
            yield ConversionLine(
                part="torpedoes",
                title=Message("advanced.convert.part.torpedoes"),
                before=int(fired),
                after=int(fired),
                before_words=words,
                after_words=words,
                rule=_TORPEDO_RULE,
                rounded=False,
            )

    # To the Basic Game

    def to_basic(
        self, state: ShipState, *, sunk: bool
    ) -> tuple[BasicMarks, tuple[ConversionLine, ...]]:
        """Her marks on the pad, and a line for every kind of mark."""
        hull = Fraction(state.hull_lost)
        sunk = sunk or hull >= self.warship.hull_boxes
        exact = hull / worth(Rate.MIDSHIPS_BOX, self.tables)
        midships = self.pad.midships if sunk else min(floor(exact), self.pad.midships)
        lines = [
            self._line(
                "midships",
                Rate.MIDSHIPS_BOX,
                (hull, "hull_boxes"),
                (midships, "midships_hits"),
                # 9.714, 64.8: a ship is sunk in both games or in neither.
                exact=Fraction(midships) if sunk else exact,
                remark=Message("advanced.convert.remark.sunk") if sunk else NO_WORDS,
            )
        ]
        bow_turrets, stern_turrets = turret_sections(self.warship)
        bow, bow_lines = self._turrets_lost(state, "bow", bow_turrets, self.pad.bow)
        stern, stern_lines = self._turrets_lost(state, "stern", stern_turrets, self.pad.stern)
        port, starboard, secondary_lines = self._secondaries_lost(state)
        evasion, evasion_line = self._evasion_lost(state)
        ammunition, ammunition_lines = self._rounds_spent(state)
        lines += (*bow_lines, *stern_lines, *secondary_lines, evasion_line, *ammunition_lines)
        lines += self._torpedoes(bool(state.torpedoes_fired))
        lines += self._ending_with_battle(state)
        marks = BasicMarks(
            midships_hits=midships,
            bow_hits=bow,
            stern_hits=stern,
            port_secondary_hits=port,
            starboard_secondary_hits=starboard,
            evasion_lost=evasion,
            ammunition_spent=ammunition,
            torpedoes_fired=bool(state.torpedoes_fired),
        )
        return marks, tuple(lines)

    def _turrets_lost(
        self, state: ShipState, part: str, turrets: Sequence[Turret], boxes: int
    ) -> tuple[int, list[ConversionLine]]:
        """The hits on the turrets of a section."""
        if not turrets:
            return 0, []
        lost = [(turret, Fraction(state.turrets_lost.get(turret.name, 0.0))) for turret in turrets]
        parts = sum((boxes_lost / turret.boxes for turret, boxes_lost in lost), Fraction(0))
        exact = parts / worth(Rate.TURRET_HIT, self.tables)
        hits = min(floor(exact), boxes)
        line = self._line(
            part,
            Rate.TURRET_HIT,
            (sum((each for _, each in lost), Fraction(0)), "turret_boxes"),
            (hits, f"{part}_hits"),
            exact=exact,
            given=tuple(self._turret_words(turret, each) for turret, each in lost if each),
            remark=_all_marked(floor(exact), boxes),
        )
        return hits, [line]

    def _secondaries_lost(self, state: ShipState) -> tuple[int, int, list[ConversionLine]]:
        """The hits on the secondary turrets of the port and the starboard side."""
        lines: list[ConversionLine] = []
        lost = [each for each in self.warship.secondaries if each.name in state.secondaries_lost]
        by_side: dict[HullSide, list[SecondaryTurret]] = {
            side: [each for each in lost if each.side is side] for side in _PAD_SIDES
        }
        boxes = {HullSide.PORT: self.pad.port, HullSide.STARBOARD: self.pad.starboard}
        for turret in lost:
            if turret.side is HullSide.BOTH:
                # It can be hit from either side (64.41): the first side with a free box is taken.
                free = [side for side in _PAD_SIDES if len(by_side[side]) < boxes[side]]
                by_side[free[0] if free else HullSide.PORT].append(turret)
        hits = []
        for side, turrets in by_side.items():
            exact = len(turrets) / worth(Rate.SECONDARY_HIT, self.tables)
            hits.append(min(floor(exact), boxes[side]))
            if not secondaries(self.warship, side):
                continue
            lines.append(
                self._line(
                    f"{side.value}_secondary",
                    Rate.SECONDARY_HIT,
                    (len(turrets), "secondary_turrets"),
                    (hits[-1], "secondary_hits"),
                    exact=exact,
                    given=tuple(
                        Message("advanced.convert.turret_destroyed", turret=each.name)
                        for each in turrets
                    ),
                    remark=_all_marked(floor(exact), boxes[side]),
                )
            )
        port, starboard = hits
        return port, starboard, lines

    def _evasion_lost(self, state: ShipState) -> tuple[int, ConversionLine]:
        """The evasion factors that are lost."""
        exact = state.movement_factors_lost / worth(Rate.EVASION_FACTOR, self.tables)
        whole = self.pad.evasion or _NO_EVASION
        lost = min(floor(exact), whole)
        line = self._line(
            "evasion",
            Rate.EVASION_FACTOR,
            (state.movement_factors_lost, "movement_factors"),
            (lost, "evasion_factors"),
            exact=exact,
            remark=_all_marked(floor(exact), whole),
        )
        return lost, line

    def _rounds_spent(self, state: ShipState) -> tuple[int, list[ConversionLine]]:
        """The ammunition factors that are spent."""
        spent = sum(
            self._full(battery) - state.ammunition.get(battery, self._full(battery))
            for battery in Battery
        )
        if not self.pad.counts_ammunition:
            if not spent:
                return 0, []
            unlimited = self._line(
                "ammunition",
                Rate.AMMUNITION_FACTOR,
                (spent, "rounds"),
                (0, "ammunition_factors"),
                exact=Fraction(0),
                remark=Message("advanced.convert.remark.unlimited"),
            )
            return 0, [replace(unlimited, rule="20.7")]
        exact = spent / worth(Rate.AMMUNITION_FACTOR, self.tables)
        pad = self.pad.ammunition
        whole = floor(exact) if pad is None else int(pad.value)
        factors = min(floor(exact), whole)
        line = self._line(
            "ammunition",
            Rate.AMMUNITION_FACTOR,
            (spent, "rounds"),
            (factors, "ammunition_factors"),
            exact=exact,
            remark=_all_marked(floor(exact), whole),
        )
        if pad is not None and factors < floor(exact):
            line = replace(
                line,
                rule=f"{line.rule}, 20.1",
                provenance=Provenance.worst((line.provenance, pad.provenance)),
            )
        return factors, [line]

    def _ending_with_battle(self, state: ShipState) -> Iterator[ConversionLine]:
        out = dict.fromkeys((*state.turrets_out, *(state.jammed_guns or {})))
        if out:
            yield ConversionLine(
                part="turrets_out",
                title=Message("advanced.convert.part.turrets_out"),
                before=len(out),
                after=0,
                before_words=Message("advanced.convert.listed", parts=tuple(out)),
                after_words=Message("advanced.convert.nothing"),
                rule="71.4",
                rounded=False,
                remark=Message("advanced.convert.remark.ends"),
            )

    # The pad

    def boxes(self, marks: BasicMarks) -> tuple[BoxRow, ...]:
        """Her rows of the pad with these marks."""
        pad = self.pad
        rows = [
            _row("midships", pad.midships, marks.midships_hits),
            _row("bow", pad.bow, marks.bow_hits),
            _row("stern", pad.stern, marks.stern_hits),
            _row("port_secondary", pad.port, marks.port_secondary_hits),
            _row("starboard_secondary", pad.starboard, marks.starboard_secondary_hits),
        ]
        if pad.torpedoes:
            rows.append(_row("torpedoes", 1, int(marks.torpedoes_fired)))
        lost = marks.evasion_lost
        evasion = (
            Message("advanced.convert.amount.evasion_factors", n=lost)
            if pad.evasion is None
            else Message("advanced.convert.left", left=pad.evasion - lost, whole=pad.evasion)
        )
        rows.append(BoxRow("evasion", _title("evasion"), 0, lost, evasion))
        if pad.counts_ammunition:
            spent = marks.ammunition_spent
            words = Message("advanced.convert.amount.ammunition_factors", n=spent)
            if pad.ammunition is not None:
                # Players may have marked more than our reconstruction of the pad has.
                whole = max(int(pad.ammunition.value), spent)
                words = Message("advanced.convert.left", left=whole - spent, whole=whole)
            rows.append(BoxRow("ammunition", _title("ammunition"), 0, spent, words))
        return tuple(rows)

    # Helpers

    def _here(self, rate: Rate, count: int) -> int:
        return to_advanced(rate, count, self.tables)

    def _other(self, rate: Rate, count: int) -> int:
        return from_advanced(rate, count, self.tables)

    def _full(self, battery: Battery) -> int:
        return self.warship.ammunition[battery] or 0

    def _line(
        self,
        part: str,
        rate: Rate,
        before: tuple[int | Fraction, str],
        after: tuple[int | Fraction, str],
        *,
        exact: Fraction,
        given: tuple[Message, ...] = (),
        words: tuple[Message, ...] = (),
        remark: Message = NO_WORDS,
    ) -> ConversionLine:
        unit = Fraction(1, QUARTERS) if after[1] == "turret_boxes" else Fraction(1)
        rounded = exact % unit != 0
        return ConversionLine(
            part=part,
            title=_title(part),
            before=_plain(before[0]),
            after=_plain(after[0]),
            before_words=_amount(before, given),
            after_words=_amount(after, words),
            rule=ROUNDED_RULE if rounded else RULE,
            rounded=rounded,
            remark=remark,
            provenance=self._provenance(rate),
        )

    def _provenance(self, rate: Rate) -> Provenance:
        return self.tables["conversions"].cell(rate, "value").provenance


_PAD_SIDES: Final = (HullSide.PORT, HullSide.STARBOARD)


def _title(part: str) -> Message:
    return Message(f"advanced.convert.part.{part}")


def _plain(number: int | Fraction) -> float:
    return int(number) if number == int(number) else float(number)


def _amount(count: tuple[int | Fraction, str], named: tuple[Message, ...]) -> Message:
    amount = Message(f"advanced.convert.amount.{count[1]}", n=_plain(count[0]))
    if not named:
        return amount
    return Message("advanced.convert.amount_of", amount=amount, parts=named)


def _no_room(hits: int) -> Message:
    return Message("advanced.convert.remark.no_room", n=hits) if hits > 0 else NO_WORDS


def _all_marked(hits: int, boxes: int) -> Message:
    return Message("advanced.convert.remark.all_marked", n=boxes) if hits > boxes else NO_WORDS


def _row(part: str, boxes: int, marked: int) -> BoxRow:
    # Players may have marked more boxes than our reconstruction of the pad has.
    boxes = max(boxes, marked)
    words = Message("advanced.convert.boxes_marked", marked=marked, whole=boxes)
    return BoxRow(part, _title(part), boxes, marked, words)
