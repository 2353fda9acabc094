"""The effect of one hit: rules 63 and 64, in their order.

`resolve_hit` follows the rules: roll the location (63.2), find the armour at this range and aspect
(63.3, 63.4), compare it with the shell (63.5, 63.6), mark the damage (64), and use the special
tables where the Damage Table says so (63.7).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from combat.dice import FACES, Dice, Pair
from combat.events import Event, Sunk
from combat.provenance import Provenance
from combat.rulebooks.bismarck_advanced.combat_tables import (
    CombatTables,
    DamageRow,
    Effect,
    EffectKind,
    Location,
    Mark,
)
from combat.rulebooks.bismarck_advanced.fire.effect_messages import (
    effect_message,
    effects_message,
)
from combat.rulebooks.bismarck_advanced.fire.events import (
    CommandHit,
    CourseHeld,
    DirectorOut,
    HullHit,
    HullMark,
    NoEffect,
    NoEffectReason,
    PlotOut,
    RadarOut,
    RudderHit,
    SecondaryOut,
    SpeedHeld,
    SpeedLost,
    SuperstructureHit,
    TurretDestroyed,
    TurretHit,
    TurretOut,
)
from combat.rulebooks.bismarck_advanced.fleet.vessel import LostTurrets, RudderFault, Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import ArmourCode, SecondaryTurret, Warship
from combat.rulebooks.bismarck_advanced.guns import GunType, RangeBand
from tabletop.arcs import Quadrant
from tabletop.messages import Message


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell: its gun, the range, and the target's quadrant that the firer lies in."""

    gun: GunType
    band: RangeBand
    aspect: Quadrant

    @property
    def end_on(self) -> bool:
        """63.2: from the bow or stern quadrant, the other section and the right-hand belt count."""
        return not self.aspect.is_broadside


THE_HIT: Final = Message("advanced.hit_number.only")


@dataclass(frozen=True, slots=True)
class HitReport:
    """One hit, step by step."""

    dice: tuple[str, ...]
    location: Location | None
    """None if the Damage Table is not consulted (70.2)."""
    place: Message
    """The location in words, with the turret's name."""
    armour: ArmourCode | None
    armour_inches: int | None
    penetration_inches: int | None
    penetrated: bool
    results: tuple[Event, ...]
    """Its events, without ships."""
    reference: str
    provenance: Provenance

    @property
    def effects(self) -> tuple[Message, ...]:
        """Its effects, one by one."""
        return tuple(map(effect_message, self.results))

    @property
    def effect(self) -> Message:
        """Its effects as one message."""
        return effects_message(self.results)


class _HitLog:
    """Dice that record the rolls, effects and provenance of a hit."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.fallen: list[str] = []
        self.results: list[Event] = []
        self.certainty: list[Provenance] = []

    def pair(self, purpose: Message) -> Pair:
        pair = self._dice.pair(purpose)
        self.fallen.append(str(pair))
        return pair

    def die(self, purpose: Message) -> int:
        die = self._dice.die(purpose)
        self.fallen.append(str(die))
        return die

    def choice(self, count: int, purpose: Message) -> int:
        choice = self._dice.choice(count, purpose)
        self.fallen.extend(map(str, choice.rolls))
        return choice.index

    def note(self, result: Event) -> None:
        self.results.append(result)


def resolve_hit(
    shell: Shell,
    target: Vessel,
    dice: Dice,
    combat_tables: CombatTables,
    *,
    hit: Message = THE_HIT,
    radar_lost_with_superstructure: bool = False,
    lost_before: LostTurrets | None = None,
    row: DamageRow | None = None,
    spare_dice: bool = False,
) -> tuple[Vessel, HitReport]:
    """Resolve one hit; returns the ship after it and the report.

    `lost_before` are her turrets destroyed before this segment; None for those destroyed now.
    `row` is the Damage Table's row, where it is known; otherwise it is rolled for.
    With `spare_dice` no die is rolled that cannot change anything.
    """
    log = _HitLog(dice)
    if spare_dice and target.is_sunk:
        return target, _hit_on_sunk_ship()
    quarters = combat_tables.shell_quarters(shell.gun)
    log.certainty.append(combat_tables.provenance("shell_size", shell.gun, "quarters"))
    if target.warship.is_destroyer:
        return _destroyer_hit(target, quarters, log)

    if row is None:
        roll = log.pair(Message("advanced.roll.location", hit=hit))
        row = combat_tables.damage_row(end_on=shell.end_on, roll=roll)
    location, code = _place_and_armour(row, shell, target.warship)
    armour = target.warship.armour.inches(code, shell.band, shell.end_on)
    penetration, certainty = combat_tables.penetration(shell.gun, shell.band)
    log.certainty += [row.provenance[shell.band.group], certainty]
    # 63.6: without armour there is nothing to penetrate. 63.5: equal or better penetrates.
    penetrated = armour is None or (penetration is not None and penetration >= armour)

    marker = _Marker(shell, quarters, penetrated, row, combat_tables, log, hit, spare_dice)
    after, place, gone = marker.at_location(
        target,
        location,
        lost_before or target.lost_turrets,
        radar_lost=radar_lost_with_superstructure,
    )
    # 64.31 with card note 2: without penetration there is no hull hit. 64.43: nor on a wreck.
    conditional = combat_tables.edition.hull_hit_besides_needs_penetration
    if row.mark is Mark.HULL_HIT_ALSO and (not conditional or (penetrated and not gone)):
        after = after.hull_marked(quarters)
        log.note(HullHit(quarters=quarters, why=HullMark.BESIDES))
    if after.is_sunk and not target.is_sunk:
        log.note(Sunk(rule="64.8"))
    if not penetrated and not log.results:
        log.note(NoEffect(why=NoEffectReason.ARMOUR_HELD, rule="63.5"))
    return after, HitReport(
        dice=tuple(log.fallen),
        location=location,
        place=place,
        armour=None if code is ArmourCode.NONE else code,
        armour_inches=armour,
        penetration_inches=penetration,
        penetrated=penetrated,
        results=tuple(log.results),
        reference="63, 64",
        provenance=Provenance.worst(log.certainty),
    )


def _hit_on_sunk_ship() -> HitReport:
    """64.8: a ship that is sunk already has nothing left to mark, and nothing is rolled."""
    return HitReport(
        dice=(),
        location=None,
        place=Message("advanced.place.sunk_ship"),
        armour=None,
        armour_inches=None,
        penetration_inches=None,
        penetrated=False,
        results=(NoEffect(why=NoEffectReason.SUNK_ALREADY, rule="64.8"),),
        reference="64.8",
        provenance=Provenance.PRINTED,
    )


def _destroyer_hit(target: Vessel, quarters: int, log: _HitLog) -> tuple[Vessel, HitReport]:
    """70.2: every hit marks a destroyer's one box; the Damage Table is never consulted."""
    after = target.hull_marked(quarters)
    log.note(HullHit(quarters=quarters, rule="70.2"))
    if after.is_sunk and not target.is_sunk:
        log.note(Sunk(rule="70.2"))
    report = HitReport(
        dice=(),
        location=None,
        place=Message("advanced.place.hull"),
        armour=None,
        armour_inches=None,
        penetration_inches=None,
        penetrated=True,
        results=tuple(log.results),
        reference="70.2",
        provenance=Provenance.worst(log.certainty),
    )
    return after, report


def _place_and_armour(
    row: DamageRow, shell: Shell, warship: Warship
) -> tuple[Location, ArmourCode]:
    """The location of the hit and its armour at this range (63.3, 63.4).

    9.81: a stern turret hit from astern on a ship without one counts as a secondary hit.
    """
    no_stern = row.location is Location.STERN_TURRET and not warship.stern_turrets
    if no_stern and shell.aspect is Quadrant.STERN:
        return Location.SECONDARY, ArmourCode.SECONDARY
    return row.location, row.armour[shell.band.group]


def _secondaries_on(warship: Warship, side: str) -> Sequence[SecondaryTurret]:
    return [turret for turret in warship.secondaries if turret.side in (side, "both")]


def _hull_boxes(effects: Sequence[Effect]) -> int:
    """The hull boxes among the effects of a special table."""
    return sum(effect.amount for effect in effects if effect.kind is EffectKind.HULL)


@dataclass(frozen=True, slots=True)
class _TurretFate:
    """What is left of a turret that a hit may strike."""

    destroyed: bool
    lost_before: bool
    """Whether it was destroyed before this segment."""


_NO_TURRET: Final = _TurretFate(destroyed=True, lost_before=False)
"""What a hit strikes on a side without turrets."""


def _main_fates(ship: Vessel, numbers: Sequence[int], lost: LostTurrets) -> Sequence[_TurretFate]:
    return [_TurretFate(ship.turrets[number].destroyed, number in lost.main) for number in numbers]


def _secondary_fates(
    ship: Vessel, turrets: Sequence[SecondaryTurret], lost: LostTurrets
) -> Sequence[_TurretFate]:
    return [
        _TurretFate(ship.secondary_lost(turret), turret.name in lost.secondary)
        for turret in turrets
    ]


@dataclass(frozen=True, slots=True)
class _Marker:
    """Marks the damage of one hit (64)."""

    shell: Shell
    quarters: int
    penetrated: bool
    row: DamageRow
    combat_tables: CombatTables
    log: _HitLog
    hit: Message
    spare_dice: bool = False

    def at_location(
        self, ship: Vessel, location: Location, lost: LostTurrets, *, radar_lost: bool
    ) -> tuple[Vessel, Message, bool]:
        """The ship after the hit, the place, and whether it was a turret that was lost before."""
        match location:
            case Location.BOW_TURRET | Location.STERN_TURRET:
                involved = self.turrets_involved(ship, location, lost)
                fates = _main_fates(ship, involved, lost)
                if len(involved) > 1 and self._are_alike(ship, fates):
                    self._note_gone(fates, NoEffectReason.TURRETS_GONE)
                    return ship, Message(f"advanced.place.{location}"), fates[0].lost_before
                number = self.choose_turret(involved)
                return *self.turret(ship, location, number), number in lost.main
            case Location.SECONDARY:
                place = Message("advanced.place.secondary")
                if self.spare_dice and not self.penetrated:
                    # 63.5: whichever it is, the armour of all is the same and has held.
                    return ship, place, False
                mounts = self.secondaries_involved(ship, lost)
                fates = _secondary_fates(ship, mounts, lost)
                if len(mounts) > 1 and self._are_alike(ship, fates):
                    self._note_gone(fates, NoEffectReason.SECONDARIES_GONE)
                    return ship, place, fates[0].lost_before
                turret = self.choose_secondary(mounts)
                gone = turret is not None and turret.name in lost.secondary
                return *self.secondary(ship, turret), gone
            case Location.SUPERSTRUCTURE:
                return *self.superstructure(ship, radar_lost=radar_lost), False
            case _:
                return *self.only_if_penetrated(ship, location), False

    def turret(
        self, ship: Vessel, location: Location, number: int | None
    ) -> tuple[Vessel, Message]:
        """64.31–64.32: a penetrated turret is destroyed, others lose boxes."""
        if number is None:
            self.log.note(NoEffect(why=NoEffectReason.NO_SUCH_TURRET))
            return ship, Message(f"advanced.place.{location}")
        name = ship.warship.turrets[number].name
        if ship.turrets[number].destroyed:
            self.log.note(NoEffect(why=NoEffectReason.TURRET_GONE, turret=name, rule="64.43"))
        elif self.penetrated:
            ship = ship.turret_destroyed(number)
            self.log.note(TurretDestroyed(turret=name, rule="64.32"))
        else:
            ship = self._turret_holds(ship, number, name)
        return ship, Message("advanced.place.turret", turret=name)

    def _turret_holds(self, ship: Vessel, number: int, name: str) -> Vessel:
        ship = ship.turret_marked(number, self.quarters)
        self.log.note(TurretHit(turret=name, quarters=self.quarters))
        if ship.turrets[number].destroyed:
            self.log.note(TurretDestroyed(turret=name, rule="64.32"))
        elif self.row.mark is Mark.SPECIAL_IF_NOT_PENETRATED:
            purpose = Message("advanced.roll.main_gun", hit=self.hit)
            ship = self._by_table(ship, "main_gun", purpose, turret=number)
        return ship

    def _are_alike(self, ship: Vessel, fates: Sequence[_TurretFate]) -> bool:
        """Whether no turret is rolled for: all are destroyed (64.43), or she sinks by it anyhow."""
        if not self.spare_dice:
            return False
        if self.row.mark is Mark.HULL_HIT_ALSO and self.penetrated:
            # 64.31: the hull is hit as well, but for a turret that was destroyed before.
            if len({fate.lost_before for fate in fates}) > 1:
                return False
            if not fates[0].lost_before and ship.hull_marked(self.quarters).is_sunk:
                return True
        return all(fate.destroyed for fate in fates)

    def _note_gone(self, fates: Sequence[_TurretFate], why: NoEffectReason) -> None:
        if all(fate.destroyed for fate in fates):
            self.log.note(NoEffect(why=why, rule="64.43"))

    def secondaries_involved(self, ship: Vessel, lost: LostTurrets) -> Sequence[SecondaryTurret]:
        """64.4: the secondary turrets on the side of the firer."""
        aspect = self.shell.aspect
        if aspect.is_broadside:
            return _secondaries_on(ship.warship, aspect.value)
        # 9.716: from ahead or astern either side may be hit.
        sides = [_secondaries_on(ship.warship, side) for side in ("port", "starboard")]
        either = [*sides[0], *(turret for turret in sides[1] if turret not in sides[0])]
        fates = _secondary_fates(ship, either, lost)
        if not all(sides):
            fates = [*fates, _NO_TURRET]
        if self._are_alike(ship, fates):
            return either
        # Turrets that bear to both sides, and those that are gone, may be the same on either.
        port, starboard = (
            Counter(
                fate if fate.destroyed else turret.name
                for turret, fate in zip(side, _secondary_fates(ship, side, lost), strict=True)
            )
            for side in sides
        )
        if self.spare_dice and port == starboard:
            return sides[0]
        return sides[self.log.choice(2, Message("advanced.roll.side", hit=self.hit))]

    def choose_secondary(self, involved: Sequence[SecondaryTurret]) -> SecondaryTurret | None:
        """64.4, 64.41: at random among the secondary turrets involved, destroyed ones included."""
        if not involved:
            return None
        purpose = Message("advanced.roll.turret", hit=self.hit)
        return involved[self.log.choice(len(involved), purpose)]

    def secondary(self, ship: Vessel, turret: SecondaryTurret | None) -> tuple[Vessel, Message]:
        """64.35: a penetrated secondary turret is destroyed."""
        if turret is None:
            self.log.note(NoEffect(why=NoEffectReason.NO_SECONDARY))
            return ship, Message("advanced.place.secondary")
        place = Message("advanced.place.secondary_turret", turret=turret.name)
        if ship.secondary_lost(turret):
            self.log.note(
                NoEffect(why=NoEffectReason.SECONDARY_GONE, turret=turret.name, rule="64.43")
            )
        elif self.penetrated:
            ship = replace(ship, secondaries_lost=ship.secondaries_lost | {turret.name})
            self.log.note(SecondaryOut(turret=turret.name))
        return ship, place

    def superstructure(self, ship: Vessel, *, radar_lost: bool) -> tuple[Vessel, Message]:
        """64.5: superstructure boxes, and hull boxes once they are all marked."""
        place = Message("advanced.place.superstructure")
        if not self.penetrated:
            return ship, place
        after = ship.superstructure_marked(self.quarters)
        here = after.superstructure_lost - ship.superstructure_lost
        if here:
            self.log.note(SuperstructureHit(quarters=here))
        if here < self.quarters:
            self.log.note(HullHit(quarters=self.quarters - here, why=HullMark.OVERFLOW))
        if radar_lost and after.has_radar:
            after = replace(after, radar_lost=True)
            self.log.note(RadarOut())
        return after, place

    def only_if_penetrated(self, ship: Vessel, location: Location) -> tuple[Vessel, Message]:
        """Locations without turrets: damaged only if penetrated."""
        place = Message(f"advanced.place.{location}")
        if not self.penetrated:
            return ship, place
        if location is Location.HULL:
            self.log.note(HullHit(quarters=self.quarters))
            return ship.hull_marked(self.quarters), place
        if location is Location.SPEED:
            return self._lose_speed_by_table(ship), place
        if location in (Location.DIRECTOR, Location.PLOT):
            return self._fire_control(ship, location), place
        purpose = Message("advanced.roll.place", place=place, hit=self.hit)
        return self._by_table(ship, location, purpose), place

    def turrets_involved(
        self, ship: Vessel, location: Location, lost: LostTurrets
    ) -> Sequence[int]:
        """64.4: the numbers of the main turrets that a hit may strike, destroyed ones included."""
        warship = ship.warship
        bow = [ship.turret_number(turret.name) for turret in warship.bow_turrets]
        if location is Location.BOW_TURRET:
            return bow
        if warship.stern_turrets:
            return [ship.turret_number(turret.name) for turret in warship.stern_turrets]
        # 9.81: on 1 or 2 one of the bow turrets, otherwise the third, if she has one.
        third = [number for number in range(len(warship.turrets)) if number not in bow]
        either = [*bow, *third]
        if not third or self._are_alike(ship, _main_fates(ship, either, lost)):
            return either
        on_third = self.log.die(Message("advanced.roll.stern_turret", hit=self.hit)) > 2
        return third if on_third else bow

    def choose_turret(self, involved: Sequence[int]) -> int | None:
        """64.4: at random among the turrets involved."""
        if not involved:
            return None
        purpose = Message("advanced.roll.turret", hit=self.hit)
        return involved[self.log.choice(len(involved), purpose)]

    def _fire_control(self, ship: Vessel, location: Location) -> Vessel:
        """64.71, 64.73: destroyed only if the special table says so, and only once."""
        director = location is Location.DIRECTOR
        if ship.director_destroyed if director else ship.plot_destroyed:
            self.log.note(NoEffect(why=NoEffectReason.CONTROL_GONE, rule="64.73"))
            return ship
        table = "special_a" if director else "special_b"
        die = self._consult(table, Message("advanced.roll.special", hit=self.hit), "fire_control")
        if not self.combat_tables.destroys_fire_control(table, die):
            self.log.note(NoEffect(why=NoEffectReason.CONTROL_SPARED, rule="64.71"))
            return ship
        return self._apply(ship, (Effect(EffectKind(location.value)),))

    def _lose_speed_by_table(self, ship: Vessel) -> Vessel:
        if self.spare_dice and not ship.movement_factor:
            self.log.note(NoEffect(why=NoEffectReason.STOPPED_ALREADY, rule="58.2"))
            return ship
        die = self._consult("speed_loss", Message("advanced.roll.speed_loss", hit=self.hit))
        return self._apply(ship, (Effect(EffectKind.SPEED, self.combat_tables.speed_loss(die)),))

    def _by_table(
        self, ship: Vessel, table: str, purpose: Message, *, turret: int | None = None
    ) -> Vessel:
        """What a special table brings (63.7); its die is spared where it cannot change anything."""
        results = [self.combat_tables.effects(table, die) for die in range(1, FACES + 1)]
        if self.spare_dice:
            least = self.quarters * min(map(_hull_boxes, results))
            if least and ship.hull_marked(least).is_sunk:
                # 64.8: she sinks whatever it shows.
                self.log.note(HullHit(quarters=least))
                return ship.hull_marked(least)
            if all(self._is_idle(effect, ship, turret) for result in results for effect in result):
                self.log.note(NoEffect(why=NoEffectReason.NOTHING_NEW))
                return ship
        die = self._consult(table, purpose)
        return self._apply(ship, results[die - 1], turret=turret)

    def _is_idle(self, effect: Effect, ship: Vessel, turret: int | None) -> bool:
        """Whether the ship has already what one effect of a special table would bring."""
        match effect.kind:
            case EffectKind.SPEED | EffectKind.SPEED_TABLE:
                return not ship.movement_factor
            case EffectKind.DIRECTOR:
                return ship.director_destroyed
            case EffectKind.PLOT:
                return ship.plot_destroyed
            case EffectKind.OUT | EffectKind.JAMMED:
                return turret is None or ship.turrets[turret].out_for_battle
            case EffectKind.STEADY:
                return ship.steady_for_phases > 0
            case EffectKind.NO_PORT | EffectKind.NO_STARBOARD | EffectKind.NO_TURNS:
                return RudderFault(effect.kind.value) in ship.helm
            case EffectKind.HARD_OVER:
                return self._hard_over in ship.helm
            case EffectKind.TURRET:
                return all(state.destroyed for state in ship.turrets)
            case _:
                # Hull boxes and modifiers add up, and the two rounds at one speed begin anew.
                return False

    @property
    def _hard_over(self) -> RudderFault:
        """The rudder jams towards the side that was hit; end-on hits jam it to starboard."""
        to_port = self.shell.aspect is Quadrant.PORT
        return RudderFault.HARD_TO_PORT if to_port else RudderFault.HARD_TO_STARBOARD

    def _consult(self, table: str, purpose: Message, column: str = "result") -> int:
        """Roll the die of a special table, and record the provenance of its row."""
        die = self.log.die(purpose)
        self.log.certainty.append(self.combat_tables.provenance(table, str(die), column))
        return die

    def _apply(
        self, ship: Vessel, effects: tuple[Effect, ...], *, turret: int | None = None
    ) -> Vessel:
        """Apply and record the effects of a special table."""
        if not effects:
            self.log.note(NoEffect(why=NoEffectReason.NOTHING_MORE))
        for effect in effects:
            if self.spare_dice and ship.is_sunk:
                # 64.8: nothing more is rolled for.
                break
            ship = self._apply_one(ship, effect, turret)
        return ship

    def _apply_one(self, ship: Vessel, effect: Effect, turret: int | None) -> Vessel:
        kind, amount, note = effect.kind, effect.amount, self.log.note
        if kind is EffectKind.HULL:
            note(HullHit(quarters=self.quarters * amount))
            return ship.hull_marked(self.quarters * amount)
        if kind is EffectKind.SPEED:
            note(SpeedLost(factors=amount))
            return ship.slowed(amount)
        if kind is EffectKind.SPEED_TABLE:
            return self._lose_speed_by_table(ship)
        if kind is EffectKind.DIRECTOR:
            note(DirectorOut())
            return replace(ship, director_destroyed=True)
        if kind is EffectKind.PLOT:
            note(PlotOut())
            return replace(ship, plot_destroyed=True)
        if kind is EffectKind.TURRET:
            return self._destroy_any_turret(ship)
        if kind in (EffectKind.OUT, EffectKind.JAMMED) and turret is not None:
            state = ship.turrets[turret]
            name = ship.warship.turrets[turret].name
            if kind is EffectKind.JAMMED:
                note(TurretOut(turret=name, phases=None))
                return ship.with_turret(turret, replace(state, out_for_battle=True))
            note(TurretOut(turret=name, phases=amount))
            return ship.turret_out(turret, amount)
        return self._hamper(ship, effect)

    def _hamper(self, ship: Vessel, effect: Effect) -> Vessel:
        """Rudder and conning tower damage, which accumulates (64.72, 64.73)."""
        kind, amount, note = effect.kind, effect.amount, self.log.note
        if kind is EffectKind.STEADY:
            note(CourseHeld())
            return replace(ship, steady_for_phases=max(ship.steady_for_phases, 1))
        if kind is EffectKind.NO_SPEED_CHANGE:
            note(SpeedHeld())
            # The current round counts as the first of the two.
            return replace(ship, held_speed_rounds=2)
        if kind is EffectKind.MODIFIER:
            note(CommandHit(modifier=amount))
            return replace(ship, command_modifier=ship.command_modifier + amount)
        helm = self._hard_over if kind is EffectKind.HARD_OVER else RudderFault(kind.value)
        note(RudderHit(fault=helm))
        return replace(ship, helm=ship.helm | {helm})

    def _destroy_any_turret(self, ship: Vessel) -> Vessel:
        count = len(ship.turrets)
        if not count:
            return ship
        if self.spare_dice and all(state.destroyed for state in ship.turrets):
            self.log.note(NoEffect(why=NoEffectReason.TURRETS_GONE, rule="64.43"))
            return ship
        number = self.log.choice(count, Message("advanced.roll.any_turret", hit=self.hit))
        name = ship.warship.turrets[number].name
        if ship.turrets[number].destroyed:
            self.log.note(NoEffect(why=NoEffectReason.TURRET_GONE, turret=name, rule="64.43"))
            return ship
        self.log.note(TurretDestroyed(turret=name))
        return ship.turret_destroyed(number)
