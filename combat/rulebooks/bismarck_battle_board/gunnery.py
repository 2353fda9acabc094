"""Guns on the battle board: what bears, how many shots, and what each does (9.6 to 9.8)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from combat.dice import Dice
from combat.free_play import Attempt
from combat.previews import Forbidden
from combat.rulebooks.bismarck_battle_board.actions import Gunfire, Level, Marks, Reduction, Sector
from combat.rulebooks.bismarck_battle_board.attack import (
    USUAL_HEXES,
    hexes_apart,
    in_naval_combat,
    needs_ammunition,
    strength,
)
from combat.rulebooks.bismarck_battle_board.board import LAST_A, range_limit, sector_of
from combat.rulebooks.bismarck_battle_board.damage import MISS, Damage, cell_message, terms_of
from combat.rulebooks.bismarck_battle_board.events import SectionReduced
from combat.rulebooks.bismarck_battle_board.vessel import Vessel
from combat.rulebooks.bismarck_battle_board.volley import Opening, Resolved, Volley
from combat.rulebooks.bismarck_data.rolls import Throw, read, sum_row
from combat.rulebooks.bismarck_data.table_files import SECTIONS
from combat.ships import plain_name
from combat.strength import Strength
from combat.tables import Cell, TableSet
from tabletop.messages import Message, ShipRef

_SECONDARIES: Final = ("port", "starboard")
_FAULTY: Final = frozenset(map(plain_name, ("King George V", "Prince of Wales", "Tirpitz")))
"""Ships whose turrets may fail (9.83; the Tirpitz by 48.2)."""
_SPECIAL_A: Final = frozenset(map(plain_name, ("Scharnhorst", "Gneisenau", "Admiral Scheer")))
"""They take Special Damage A by day and by night (51.7)."""
_SPECIAL_A_BY_DAY: Final = frozenset(map(plain_name, ("Hood", "Repulse", "Renown")))
_LAST_UNHARMED: Final = 3
"""The highest die at which faulty turrets all fire; the second die below it is the bow's (9.83)."""
_LAST_PORT: Final = 3
_LAST_BOW: Final = 2
"""The highest die that turns a stern hit on the Rodney into a bow hit (9.81)."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How two ships lie to each other as one fires at the other."""

    hexes: int
    sector: Sector
    """Of the firer, in which the target lies."""
    aspect: Sector
    """Of the target, in which the firer lies."""

    @property
    def range(self) -> str:
        """The range: A or B (9.61)."""
        return "A" if self.hexes <= LAST_A else "B"


def aim_of(attack: Attempt[Gunfire, Vessel]) -> Aim:
    """How they lie: as stated, as they stand on the board, or broadside to broadside."""
    action, one, other = attack.action, attack.actor.place, attack.victim.place
    seen, shown = Sector.STARBOARD, Sector.STARBOARD
    if one is not None and other is not None and one.hex != other.hex:
        seen, shown = sector_of(one, other), sector_of(other, one)
    return Aim(
        hexes_apart(attack, action.hexes, USUAL_HEXES),
        action.sector or seen,
        action.shown_side or shown,
    )


def sections_bearing(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> dict[str, Cell]:
    """The gun sections that can fire at the target, with the cells that say so (9.63, 9.8)."""
    aim, firer = aim_of(attack), attack.actor
    table, found = tables["sectors"], {}
    for section in SECTIONS:
        like = section
        if section == "stern" and firer.cells["stern_fires"].value == "bow":
            like = "bow"
        cell = table.cell(aim.sector, like)
        bears = cell.value == "yes"
        if section == "stern" and _has_third_turret(firer):
            bears = aim.sector in (Sector.PORT, Sector.STARBOARD)
        if section in _SECONDARIES and aim.range != "A":
            bears = False
        if bears:
            found[section] = cell
    return found


def gun_strength(attack: Attempt[Gunfire, Vessel], tables: TableSet) -> Strength:
    """The shots of a ship, with every halving as it is made."""
    in_naval_combat(attack)
    action, firer, aim = attack.action, attack.actor, aim_of(attack)
    _check_order(attack)
    needs_ammunition(firer, action.level)
    radar = firer.cells["radar"].value == "yes"
    limit = range_limit(action.level, action.visibility, tables, night=action.night, radar=radar)
    if aim.hexes > limit:
        reason = Message("board.refused.out_of_range", hexes=aim.hexes, most=limit)
        raise Forbidden(reason, "9.61" if action.level is Level.BASIC else "18.1")
    bearing = sections_bearing(attack, tables)
    _check_third_turret(attack, tuple(bearing), firer.marks.reduced)
    salvos = _salvos(attack, tuple(bearing), firer.marks.reduced)
    if not sum(salvos.values()):
        sector = Message(f"board.sector.{aim.sector}")
        reason = Message("board.refused.no_guns", ship=ShipRef(firer.id), sector=sector)
        raise Forbidden(reason, "9.63")
    shots = _shots(salvos, aim, firer)
    cells = [*bearing.values(), *(firer.cells[section] for section in bearing)]
    if not shots:
        reason = Message("board.refused.no_shot", ship=ShipRef(firer.id))
        raise Forbidden(reason, "9.651")
    return strength(shots, "9.651" if aim.hexes > 1 else "9.652", "shots", (), cells)


def _check_order(attack: Attempt[Gunfire, Vessel]) -> None:
    """Forbidden where the defenders have begun: they fire after all who attack (9.62)."""
    firer = attack.actor
    if firer.place is None or not firer.marks.attacker:
        return
    for other in attack.fleet:
        if other.side != firer.side and other.place and other.has_fired:
            reason = Message("board.refused.defender_fired", ship=ShipRef(other.id))
            raise Forbidden(reason, "9.62")


def _designated(
    attack: Attempt[Gunfire, Vessel], bearing: tuple[str, ...], reduction: Reduction
) -> dict[str, int]:
    """The salvos of each section that are designated for this target (9.62, 9.82, 9.83)."""
    action, firer = attack.action, attack.actor
    wanted = {"bow": action.bow, "stern": action.stern}
    wanted |= dict.fromkeys(_SECONDARIES, action.secondary)
    chosen = dict[str, int]()
    for section in bearing:
        available = firer.salvos(section)
        if section == reduction.value:
            available //= 2
        if section == "stern" and _has_third_turret(firer):
            # The bow comes before it in SECTIONS, so what that fires here is known.
            near = firer.marks.bow_in_a_range or _bow_at_a_range(attack, chosen)
            available = _half_of_third(available) if near else available
        left = max(0, available - firer.fired(section))
        stated = wanted[section]
        chosen[section] = left if stated is None else min(left, stated)
    return chosen


def _bow_at_a_range(attack: Attempt[Gunfire, Vessel], chosen: Mapping[str, int]) -> bool:
    """Whether her bow turrets fire at this target, and it is in A range (9.82)."""
    return bool(chosen.get("bow")) and aim_of(attack).range == "A"


def _half_of_third(salvos: int) -> int:
    """The third turret at half strength; it can always fire at least one shot (9.82)."""
    return max(min(1, salvos), salvos // 2)


def _check_third_turret(
    attack: Attempt[Gunfire, Vessel], bearing: tuple[str, ...], reduction: Reduction
) -> None:
    """Forbidden where the third turret has fired too much for bow turrets in A range (9.82)."""
    firer = attack.actor
    if not _has_third_turret(firer):
        return
    near = _bow_at_a_range(attack, _designated(attack, bearing, reduction))
    if near and firer.fired("stern") > _half_of_third(firer.salvos("stern")):
        raise Forbidden(Message("board.refused.third_turret", ship=ShipRef(firer.id)), "9.82")


def _salvos(
    attack: Attempt[Gunfire, Vessel], bearing: tuple[str, ...], reduction: Reduction
) -> dict[str, int]:
    """The same, each section halved while she withdraws (9.98)."""
    firer, chosen = attack.actor, _designated(attack, bearing, reduction)
    if firer.marks.withdrawing:
        chosen = {section: ceil(count / 2) for section, count in chosen.items()}
    return chosen


def _has_third_turret(ship: Vessel) -> bool:
    """Whether her stern boxes are a third bow turret that fires to the sides only (9.81)."""
    return ship.cells["stern_fires"].value == "sides"


def _shots(salvos: dict[str, int], aim: Aim, firer: Vessel) -> int:
    """The shots of so many salvos: half of them beyond the next hex (9.651, 9.652)."""
    total = sum(salvos.values())
    if aim.hexes == 1:
        return total
    halved = total // 2
    # The third turret of the Rodney can always fire at least one shot (9.82).
    third = _has_third_turret(firer) and salvos.get("stern", 0)
    return max(halved, 1) if third else halved


@dataclass(frozen=True, slots=True)
class GunVolley(Volley):
    """The shots of one ship at another."""

    attack: Attempt[Gunfire, Vessel]
    tables: TableSet

    @property
    def at_once(self) -> bool:
        """All fire of a round is as if at one moment (9.713)."""
        return False

    def opening(self, dice: Dice) -> Opening:
        """Roll for the turrets of a ship that may fail, once in a round (9.83)."""
        firer, throws = self.attack.actor, list[Throw]()
        reduction, rolled = firer.marks.reduced, None
        if plain_name(firer.card.name) not in _FAULTY:
            reduction = Reduction.NONE
        elif reduction is Reduction.NOT_ROLLED:
            reduction = rolled = self._fault(dice, throws)
        bearing = tuple(sections_bearing(self.attack, self.tables))
        shots = _shots(_salvos(self.attack, bearing, reduction), aim_of(self.attack), firer)
        events: tuple[SectionReduced, ...] = ()
        if rolled in (Reduction.BOW, Reduction.STERN):
            events = (SectionReduced(ship=firer.id, rule="9.83", section=rolled.value),)
        return Opening(shots, tuple(throws), events, reduction=rolled)

    def _fault(self, dice: Dice, throws: list[Throw]) -> Reduction:
        purpose = Message("board.roll.fault")
        die = dice.die(purpose)
        whole = die <= _LAST_UNHARMED
        words = Message("board.result.no_fault" if whole else "board.result.fault")
        throws.append(read(purpose, "9.83", die, words))
        if whole:
            return Reduction.NONE
        purpose = Message("board.roll.fault_section")
        die = dice.die(purpose)
        section = Reduction.BOW if die <= _LAST_UNHARMED else Reduction.STERN
        throws.append(read(purpose, "9.83", die, Message(f"board.mount.{section}")))
        return section

    def resolve(self, dice: Dice, number: int, count: int) -> Resolved:
        """Roll one shot (9.66)."""
        aim, target = aim_of(self.attack), self.attack.victim
        shot = _Shot(dice, self.tables, target, aim, night=self.attack.action.night)
        purpose = Message("board.roll.shot", number=number, count=count)
        pair = dice.pair(purpose)
        cell = self.tables[f"fire_{aim.range.lower()}"].cell(sum_row(pair), aim.aspect.field)
        throw = read(purpose, "9.66", pair, cell_message(cell.value), cell)
        damage = shot.effect(cell.value)
        if cell.value != MISS:
            damage += Damage(hits=1)
        return Resolved((throw, *shot.throws), damage)

    def spent(self, marks: Marks, opening: Opening) -> Marks:
        """Salvos of this round, the turrets that failed, and ammunition (9.62, 9.83, 20)."""
        attack, firer = self.attack, self.attack.actor
        reduction = opening.reduction or marks.reduced
        bearing = tuple(sections_bearing(attack, self.tables))
        used = _designated(attack, bearing, reduction)
        fired = {
            f"{section}_salvos": getattr(marks, f"{section}_salvos") + count
            for section, count in used.items()
        }
        shots = marks.round_shots + opening.count
        near = marks.bow_in_a_range or _bow_at_a_range(attack, used)
        after = replace(marks, **fired, reduced=reduction, round_shots=shots, bow_in_a_range=near)
        cost = ammunition_cost(attack, bearing, shots)
        more = max(0, cost - marks.round_ammunition)
        if firer.ammunition is None or not more:
            return after
        spent = min(firer.number("ammunition"), marks.ammunition_spent + more)
        return replace(after, ammunition_spent=spent, round_ammunition=cost)


def ammunition_cost(attack: Attempt[Gunfire, Vessel], bearing: tuple[str, ...], shots: int) -> int:
    """The factors that so many shots of a round take (20.1, 20.2); none in the Basic Game.

    What is available are the salvos of the sections that fire in the round.
    """
    firer = attack.actor
    if attack.action.level is Level.BASIC or firer.ammunition is None:
        return 0
    firing = [each for each in SECTIONS if each in bearing or firer.fired(each)]
    return 2 if 2 * shots > sum(map(firer.salvos, firing)) else 1


class _Shot:
    """What one shot leads to, die by die."""

    def __init__(
        self, dice: Dice, tables: TableSet, target: Vessel, aim: Aim, *, night: bool
    ) -> None:
        self._dice = dice
        self._tables = tables
        self._target = target
        self._aim = aim
        self._night = night
        self.throws: list[Throw] = []

    def effect(self, cell: str) -> Damage:
        """What the terms of a cell do, in the order in which they stand."""
        total = Damage()
        for name, count in terms_of(cell):
            for _ in range(count if name in ("stern", "secondary") else 1):
                total += self._one(name, 1 if name in ("stern", "secondary") else count)
        return total

    def _one(self, name: str, count: int) -> Damage:
        match name:
            case "miss":
                return Damage()
            case "special_a" | "special_b":
                return self._special(name)
            case "secondary":
                return self._secondary()
            case "stern" if _has_third_turret(self._target):
                return self._third_turret()
        return Damage(**{name: count})

    def _special(self, name: str) -> Damage:
        """Special damage; some ships always take A (9.712, 9.84, 51.7, the note on the card)."""
        column = "A" if name == "special_a" or self._takes_a() else "B"
        purpose = Message("board.roll.special", table=column)
        pair = self._dice.pair(purpose)
        cell = self._tables["special_damage"].cell(sum_row(pair), column)
        self.throws.append(read(purpose, "9.712", pair, cell_message(cell.value), cell))
        return self.effect(cell.value)

    def _takes_a(self) -> bool:
        name = plain_name(self._target.card.name)
        by_day = name in _SPECIAL_A_BY_DAY and not self._night
        return self._target.is_cruiser or name in _SPECIAL_A or by_day

    def _secondary(self) -> Damage:
        """The side that is fired at; from ahead and astern either may be hit (9.716)."""
        aspect = self._aim.aspect
        if aspect in (Sector.PORT, Sector.STARBOARD):
            return Damage(**{aspect.value: 1})
        purpose = Message("board.roll.side")
        die = self._dice.die(purpose)
        side = "port" if die <= _LAST_PORT else "starboard"
        self.throws.append(read(purpose, "9.716", die, Message(f"board.mount.{side}")))
        return Damage(**{side: 1})

    def _third_turret(self) -> Damage:
        """A stern hit on a ship whose third turret stands with the stern turrets (9.81)."""
        if self._aim.aspect is Sector.STERN:
            return self._secondary()
        purpose = Message("board.roll.third_turret")
        die = self._dice.die(purpose)
        section = "bow" if die <= _LAST_BOW else "stern"
        words = Message(
            "board.result.bow_turret" if section == "bow" else "board.result.third_turret"
        )
        self.throws.append(read(purpose, "9.81", die, words))
        return Damage(**{section: 1})
