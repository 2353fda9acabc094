"""The story of a battle: one line for each thing that happened, and folded beneath it how.

It is made from events, by the ships' true names at first (`true_story`), and then shown to a viewer
as far as that viewer may know it (`story`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Final

from combat.event_reports import events_of, modifier_lines, umpire_line
from combat.events import Departed, Event, Sunk, UmpireRolled
from combat.optional_rules import optional_rules
from combat.participants import Seat
from combat.previews import Line
from combat.rulebook import Place
from combat.rulebooks.bismarck_advanced.combat_tables import CombatTables
from combat.rulebooks.bismarck_advanced.fire.effect_messages import (
    begun,
    effect_message,
    effects_message,
    in_boxes,
)
from combat.rulebooks.bismarck_advanced.fire.events import (
    AmmunitionSpent,
    DirectorOut,
    Fired,
    GunsJammed,
    HitScored,
    HullHit,
    HullMark,
    NoEffect,
    PlotOut,
    RadarOut,
    SecondaryOut,
    TorpedoesRan,
    TorpedoStruck,
    TurretDestroyed,
    TurretHit,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import (
    hit_lines,
    hits_message,
    hits_of,
    why_no_dice,
)
from combat.rulebooks.bismarck_advanced.fire.fire_report import story as fire_lines
from combat.rulebooks.bismarck_advanced.fire.odds import hit_odds_of
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fire.sightlines import AgreedLine
from combat.rulebooks.bismarck_advanced.fire.torpedo_report import roll_of_torpedoes
from combat.rulebooks.bismarck_advanced.fire.torpedoes import torpedo_odds
from combat.rulebooks.bismarck_advanced.guided_battle.agreements import story_message
from combat.rulebooks.bismarck_advanced.guided_battle.corrections import with_options
from combat.rulebooks.bismarck_advanced.guided_battle.events import (
    BattleBegan,
    BattleEnded,
    Collided,
    Corrected,
    FireResolved,
    LeftThePlay,
    LineSettled,
    Moved,
    NobodyFired,
    PlacedByAgreement,
    PlotOpened,
    RateReduced,
    Refuelled,
    RepairedInPort,
    RepairTried,
    Revealed,
    RevealedBy,
    ShipEntered,
    Sight,
    Slowed,
    StepBegan,
    StrikeFlown,
    StrikeOrdered,
    TorpedoesLaunched,
)
from combat.rulebooks.bismarck_advanced.guided_battle.hidden_names import KnownNames
from combat.rulebooks.bismarck_advanced.guided_battle.sheet_marks import Conditions
from combat.rulebooks.bismarck_advanced.phases import Segment
from combat.story_entries import (
    Entry,
    FireDocument,
    HitDocument,
    MoveDocument,
    Rounds,
    VolleyDocument,
)
from tabletop.messages import Message, ShipRef, Value
from tabletop.table import Pose

_BY_SHIP: Final = frozenset({"plot", "move", "torpedo"})
"""Entries that are told ship by ship; their order must not give a hidden ship away."""
_FIRES: Final = frozenset({"fire", "torpedo"})
_SEGMENTS: Final = (Segment.INITIAL, Segment.SECOND)
_REVEALED: Final = {
    RevealedBy.FIRED: "advanced.story.revealed",
    RevealedBy.CLOSED: "advanced.story.revealed",
    RevealedBy.OWN_SIDE: "advanced.story.revealed_by_own_side",
    RevealedBy.SUNK: "advanced.story.revealed_as_she_sinks",
    RevealedBy.AIR: "advanced.story.revealed_from_the_air",
}


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """An entry of the story by true names, and what of it some may not know yet."""

    entry: Entry
    exposes: tuple[str, ...] = ()
    """Ships whose identity the entry gives away; those who may not know see `veiled`."""
    hidden_line: Line | None = None
    """The line for them; the entry's own, with numbers for names, where None."""
    hidden_children: tuple[Line, ...] = ()
    only: str | None = None
    """The one side that may know at all; None is everybody."""
    plot_of: str | None = None
    """The side whose plots it tells of: others see `hidden_line` while those are sealed (57.6)."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What the odds of a fire are worked out with."""

    combat_tables: CombatTables
    options: Options = field(default_factory=Options)
    """Those of the moment: an umpire may change them in mid-battle."""


def story(
    events: Iterable[Event],
    seat: Seat,
    names: KnownNames,
    odds: Odds,
    sealed: Place | None,
) -> tuple[Entry, ...]:
    """What has happened, as a seat may know it, from the events of a battle since its beginning.

    The plots of the segment that is `sealed` are known to their own side alone.
    """
    told: Iterable[StoryEntry] = true_story(events, odds)
    if names.own is not None:
        told, names = in_fog(tuple(told), names.own), names.in_story
    entries = (
        seen(_unsealed(each, seat, sealed), names)
        for each in told
        if each.only is None or seat.may_act_for(each.only)
    )
    return _in_order(entries) if names.labels else tuple(entries)


def told_corrections(events: Sequence[Event], names: KnownNames) -> tuple[Entry, ...]:
    """What an umpire has set right, among the events of one action, as a viewer may know it."""
    told: Iterable[StoryEntry] = map(_correction_of_ship, events_of(Corrected, events))
    if names.own is not None:
        told, names = in_fog(tuple(told), names.own), names.in_story
    return tuple(seen(each, names) for each in told)


def _correction_of_ship(event: Corrected) -> StoryEntry:
    """A correction with the ship that it is about."""
    told = _corrected(event)
    ships = () if event.ship is None else (event.ship,)
    return replace(told, entry=replace(told.entry, ships=ships))


def in_fog(told: Sequence[StoryEntry], own: frozenset[str]) -> Iterator[StoryEntry]:
    """In fog of war: what concerns a viewer's own ships, and what sank under their fire.

    What others do is seen on the chart while it is in sight. Where own ships stand tells how others
    lie, and an enemy's ledger how far off she is.
    """
    fought: set[tuple[int, int, str]] = set()
    for each in told:
        entry = each.entry
        here, named = (entry.round_number, entry.segment), entry.ships or _ships_in(entry.line.text)
        concerned = not own.isdisjoint(named)
        if concerned and entry.kind in _FIRES:
            fought |= {(*here, ship) for ship in entry.ships}
        if entry.kind == "move" or not (
            concerned
            or not named
            or (entry.kind == "sunk" and all((*here, ship) in fought for ship in named))
        ):
            continue
        if entry.kind in _FIRES and entry.ships and entry.ships[0] not in own:
            each = replace(
                each,
                entry=replace(
                    entry,
                    line=each.hidden_line or entry.line,
                    children=each.hidden_children,
                    document=None,
                ),
            )
        yield each


def _ships_in(value: Value) -> tuple[str, ...]:
    """The ships that a message names."""
    if isinstance(value, ShipRef):
        return (value.id,)
    parts: Iterable[Value] = ()
    if isinstance(value, Message):
        parts = (each for _, each in value.params)
    elif isinstance(value, tuple):
        parts = value
    return tuple(ship for part in parts for ship in _ships_in(part))


def _unsealed(told: StoryEntry, seat: Seat, sealed: Place | None) -> StoryEntry:
    """An entry without what is sealed to a seat."""
    entry = told.entry
    here = Place(entry.round_number, entry.segment) == sealed
    if told.plot_of is None or not here or seat.may_act_for(told.plot_of):
        return told
    line = told.hidden_line or entry.line
    return replace(told, entry=replace(entry, line=line, children=told.hidden_children))


def _as_told(phase: Sequence[StoryEntry], order: Sequence[str]) -> tuple[StoryEntry, ...]:
    """What came of a phase with its fires in the order of 62.3, however they were rolled."""
    places = {ship: place for place, ship in enumerate(order)}
    fires = [told for told in phase if told.entry.kind == "fire"]
    fires.sort(key=lambda told: places.get(told.entry.ships[0], 0))
    next_fire = iter(fires)
    return tuple(next(next_fire) if told.entry.kind == "fire" else told for told in phase)


def _in_order(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    ordered: list[Entry] = []
    for (kind, *_), run in groupby(entries, key=lambda e: (e.kind, e.round_number, e.segment)):
        same = list(run)
        if kind in _BY_SHIP:
            same.sort(key=lambda entry: (entry.ships, entry.line.text.code))
        ordered += same
    return tuple(ordered)


def seen(true: StoryEntry, names: KnownNames) -> Entry:
    """An entry as a viewer may read it."""
    entry = true.entry
    if not names.labels:
        return entry
    if any(names.hides(name) for name in true.exposes):
        entry = replace(
            entry,
            line=true.hidden_line or entry.line,
            children=true.hidden_children,
            document=None,
        )
    return replace(
        entry,
        line=names.line(entry.line),
        children=tuple(map(names.line, entry.children)),
        ships=tuple(map(names, entry.ships)),
        document=names.document(entry.document),
    )


def true_story(events: Iterable[Event], odds: Odds) -> Iterator[StoryEntry]:
    """The story by true names, each entry with the segment that it belongs to."""
    return _StoryBuilder(odds).entries(events)


@dataclass(slots=True)
class _StoryBuilder:
    """Goes through the events of a battle in their order."""

    odds: Odds
    sides: dict[str, str] = field(default_factory=dict)
    """By ship."""
    place: tuple[int, int] = (1, 1)
    """The round and the segment being played."""
    headed: tuple[int, int] | None = None
    """The place of the last heading."""
    fire: list[Event] = field(default_factory=list)
    """The events of the fire or salvo that is being told."""
    phase: list[StoryEntry] = field(default_factory=list)
    """What came of a combat phase: it is told when all of it counts (62.2)."""

    def entries(self, events: Iterable[Event]) -> Iterator[StoryEntry]:
        for event in events:
            for each in self._entries_of(event):
                round_number, segment = self.place
                entry = replace(each.entry, round_number=round_number, segment=segment)
                yield replace(each, entry=entry)

    def _entries_of(self, event: Event) -> Iterable[StoryEntry]:
        match event:
            case ShipEntered(ship=str() as ship, side=side):
                self.sides[ship] = side
            case StepBegan(round_number=round_number, segment=segment):
                self.place = round_number, segment
                if self.place != self.headed:
                    self.headed = self.place
                    return (_segment(event),)
            case Fired() | TorpedoesRan():
                self._end_fire()
                self.fire.append(event)
            case AmmunitionSpent():
                self.fire.append(event)
                self._end_fire()
            case TorpedoStruck():
                self.fire.append(event)
            case GunsJammed():
                self.phase.append(jam_entry(event))
            case UmpireRolled():
                self._end_fire()
                return self._by_umpire(umpire_line(event))
            case RateReduced():
                self.phase.append(_rate_reduced(event))
            case Slowed(rule="58.8"):
                self._end_fire()
                self.phase.append(_slowed(event, self.sides[event.ship or ""]))
            case FireResolved(sunk=sunk, order=order):
                self._end_fire()
                phase, self.phase = self.phase, []
                return (*_as_told(phase, order), *map(_sunk, sunk))
            case BattleBegan(options=options):
                chosen = dict.fromkeys(options, True)
                self.odds = replace(self.odds, options=Options(**chosen))
                return _at_once(event)
            case Corrected(conditions=conditions):
                # Fire that is under way is resolved anew.
                self.fire, self.phase = [], []
                if conditions is not None:
                    changed = with_options(self.odds.options, conditions)
                    self.odds = replace(self.odds, options=changed)
                told = (
                    conditions
                    if self.odds.combat_tables.edition.correction_tells_its_values
                    else None
                )
                return (_corrected(event), *_set_to(told))
            case BattleEnded(reason=reason, rule=rule):
                # Damage of a phase that was broken off has never counted.
                self.fire, self.phase = [], []
                return (_line("end", reason, rule),)
            case Moved() | TorpedoesLaunched() | PlacedByAgreement():
                return _of_side(event, self.sides[event.ship or ""])
            case _ if self.fire and isinstance(self.fire[0], Fired):
                self.fire.append(event)
            case _:
                return _at_once(event)
        return ()

    def _by_umpire(self, line: Line) -> Iterable[StoryEntry]:
        """The fire, salvo or jam before it is told with a line more; all else was told already."""
        if not self.phase:
            return (StoryEntry(Entry("dice", replace(line, depth=0))),)
        told = self.phase.pop()
        entry = replace(told.entry, children=(*told.entry.children, line))
        seen_by_all = (*told.hidden_children, line)
        self.phase.append(replace(told, entry=entry, hidden_children=seen_by_all))
        return ()

    def _end_fire(self) -> None:
        """A fire is told with all that its hits did."""
        if not self.fire:
            return
        first, *_ = events = tuple(self.fire)
        self.fire = []
        if isinstance(first, Fired):
            self.phase.append(fire_entry(events, odds=self.odds))
        else:
            self.phase.append(torpedo_entry(events, odds=self.odds))


def _at_once(event: Event) -> Iterator[StoryEntry]:
    """What one event alone tells; nothing where it is nobody's business, or not worth a line."""
    match event:
        case BattleBegan(follows=follows):
            yield _began(event)
            yield from _options_on(event)
            if follows is not None:
                yield _line("begin", Message("advanced.story.next_battle", **asdict(follows)), "68")
        case PlotOpened():
            yield _plot(event)
        case Collided(ship=str() as ship, target=str() as target):
            collide = Message(
                "advanced.story.collision", first=ShipRef(ship), second=ShipRef(target)
            )
            yield _line("collision", collide, event.rule, ship, target)
        case Revealed(ship=str() as ship) if event.by in _REVEALED:
            yield _revealed(event, ship)
        case NobodyFired():
            yield _line("fire", Message("advanced.story.nobody_fires"), event.rule)
        case LineSettled(ship=str() as ship, target=str() as target):
            agreed = story_message(AgreedLine(ship, target, event.figures, event.reason, event.who))
            yield _line("rule", agreed, "", ship, target)
        case Departed(ship=str() as ship):
            withdraws = Message("advanced.story.withdraws", ship=ShipRef(ship))
            yield _line("withdraw", withdraws, event.rule, ship)
        case LeftThePlay(why=why):
            yield _line("end", why, event.rule)
        case StrikeOrdered(target=str() as target):
            bombers = Message(f"advanced.bomber.{event.bomber}", n=event.planes)
            if event.zones_to_base is not None:
                bombers = Message("advanced.bomber.land_based")
            ordered = Message(
                f"advanced.story.strike_ordered{'_in_port' if event.in_port else ''}",
                bombers=bombers,
                target=ShipRef(target),
                antiaircraft=event.antiaircraft,
            )
            yield _line("air", ordered, event.rule, target)
            if event.stopped_by_fighters:
                held = Message("advanced.story.fighters", n=event.stopped_by_fighters)
                yield _line("air", held, "28.82", target)
        case StrikeFlown():
            yield _strike(event)
        case RepairTried(ship=str() as ship):
            repair = Message(
                "advanced.story.repair",
                ship=ShipRef(ship),
                section=event.section,
                die=event.die,
                result=event.result,
            )
            yield _line("repair", repair, event.rule, ship)
        case RepairedInPort(ship=str() as ship) | Refuelled(ship=str() as ship):
            done = Message("advanced.story.in_port", ship=ShipRef(ship), result=event.result)
            yield _line("repair", done, event.rule, ship)


def _strike(event: StrikeFlown) -> StoryEntry:
    """An air strike with every roll."""
    target = event.target or ""
    told = Message(
        "advanced.story.strike",
        bombers=Message(f"advanced.bomber.{event.bomber}", n=event.planes),
        target=ShipRef(target),
        stopped=event.stopped,
        lost=event.lost,
        hits=event.hits,
        hull=event.hull_boxes,
        factors=event.movement_factors,
    )
    steps = tuple(Line(step.words, step.rule, 1) for step in event.steps)
    return StoryEntry(Entry("air", Line(told, event.rule), steps, ships=(target,)))


def _line(kind: str, message: Message, reference: str, *ships: str) -> StoryEntry:
    """Anything that needs no more than a line."""
    return StoryEntry(Entry(kind, Line(message, reference), ships=ships))


def _began(event: BattleBegan) -> StoryEntry:
    code = "advanced.story.begins_by_night" if event.night else "advanced.story.begins"
    return _line("begin", Message(code, title=event.title, visibility=event.visibility), event.rule)


def _options_on(event: BattleBegan) -> Iterator[StoryEntry]:
    """The optional rules that it is played with."""
    for each in optional_rules(Options()):
        if each.key in event.options:
            yield _line("begin", Message("advanced.story.option_on", option=each.title), each.rule)


def _segment(event: StepBegan) -> StoryEntry:
    """The heading of a segment."""
    code = f"advanced.story.segment.{_SEGMENTS[event.segment - 1]}"
    return _line("segment", Message(code, round_number=event.round_number), event.rule)


def _plot(event: PlotOpened) -> StoryEntry:
    """A plot as it lies open: speed and notation (56.1, 56.5)."""
    name = event.ship or ""
    ship, speed, plot = ShipRef(name), event.speed, event.notation
    if event.follows is not None:
        ahead = ShipRef(event.follows)
        message = Message("advanced.story.follows", ship=ship, speed=speed, plot=plot, ahead=ahead)
    elif plot:
        message = Message("advanced.story.plot", ship=ship, speed=speed, plot=plot)
    else:
        message = Message("advanced.story.stays", ship=ship, speed=speed)
    children = [Line(Message(f"advanced.story.evolution.{event.evolution}"), "67.3", 1)]
    if event.smoke_cover:
        children.append(Line(Message("advanced.story.smoke_cover"), "67.64", 1))
    if event.smoke_front is not None:
        front = Message(f"advanced.story.smoke_front.{event.smoke_front}")
        children.append(Line(front, "67.65", 1))
    return StoryEntry(
        Entry("plot", Line(message, event.rule), tuple(children), ships=(name,)),
        exposes=(name,),
        hidden_line=Line(Message("advanced.story.moves", ship=ship), event.rule),
    )


def _of_side(
    event: Moved | TorpedoesLaunched | PlacedByAgreement, side: str
) -> Iterator[StoryEntry]:
    """What tells whose a ship is, or is her own side's affair in part."""
    name = event.ship or ""
    ship = ShipRef(name)
    if isinstance(event, Moved):
        sights = tuple(map(_sight, event.sights))
        stands = Message("advanced.story.stands", ship=ship, sights=sights)
        # Where she stands is for everybody to see, and for the maps of the report.
        pose = Pose(
            event.x_yards,
            event.y_yards,
            event.heading_deg,
            event.position_sigma_yards,
            event.heading_sigma_deg,
        )
        document = MoveDocument(name, side, pose)
        line = Line(stands, event.rule)
        yield StoryEntry(Entry("move", line, ships=(name,), document=document))
        return
    if isinstance(event, PlacedByAgreement):
        # How far that is from her plot would tell what was plotted (57.6).
        agreed = Message("advanced.story.stands_by_agreement", ship=ship, why=event.why)
        told = Message("advanced.story.stands_agreed", ship=ship)
        yield StoryEntry(
            Entry("move", Line(agreed, event.rule), ships=(name,)),
            hidden_line=Line(told, event.rule),
            plot_of=side,
        )
        return
    yield _line("torpedo", Message("advanced.story.launches", ship=ship), event.rule, name)
    aim = Message(
        "advanced.story.torpedoes_aimed",
        ship=ship,
        target=ShipRef(event.target or ""),
        range_yards=event.range_yards,
        due=event.due.message,
    )
    yield replace(_line("torpedo", aim, "69.4", name), only=side)


def _sight(enemy: Sight) -> Message:
    """How far off an enemy is and where."""
    code = "advanced.story.sight_blocked" if enemy.blocked else "advanced.story.sight"
    return Message(
        code,
        ship=ShipRef(enemy.target),
        range_yards=enemy.range_yards,
        quadrant=Message(f"advanced.quadrant.{enemy.quadrant}"),
    )


def _revealed(event: Revealed, ship: str) -> StoryEntry:
    why = {"why": event.why} if event.why else {}
    message = Message(_REVEALED[event.by], label=event.label, ship=ShipRef(ship), **why)
    return _line("reveal", message, event.rule, ship)


def _slowed(event: Slowed, side: str) -> StoryEntry:
    name, ship = event.ship or "", ShipRef(event.ship or "")
    slows = Message("advanced.story.slows_to", ship=ship, was=event.was, speed=event.speed)
    return StoryEntry(
        Entry("slowed", Line(slows, event.rule), ships=(name,)),
        exposes=(name,),
        hidden_line=Line(Message("advanced.story.slows", ship=ship), event.rule),
        plot_of=side,
    )


def _sunk(name: str) -> StoryEntry:
    return _line("sunk", Message("advanced.story.sunk", ship=ShipRef(name)), "64.8", name)


def _corrected(event: Corrected) -> StoryEntry:
    values: tuple[Value, ...] = event.changes or event.values
    reason = event.reason
    if event.ship is None:
        message = Message("advanced.story.corrected_battle", values=values, reason=reason)
        return _line("correct", message, event.rule)
    ship = ShipRef(event.ship)
    message = Message("advanced.story.corrected_ship", ship=ship, values=values, reason=reason)
    # What the values are is hers alone while she is hidden.
    seen_by_all = Message("advanced.story.corrected_hidden", ship=ship, reason=reason)
    told = _line("correct", message, event.rule)
    return replace(told, exposes=(event.ship,), hidden_line=Line(seen_by_all, event.rule))


def _set_to(conditions: Conditions | None) -> Iterator[StoryEntry]:
    """What the umpire has set for the whole battle."""
    if conditions is None:
        return
    if conditions.visibility is not None:
        level = Message("advanced.story.set_visibility", visibility=conditions.visibility)
        yield _line("correct", level, "55.22")
    if conditions.night is not None:
        hour = "night" if conditions.night else "day"
        yield _line("correct", Message(f"advanced.story.set_{hour}"), "55.22")
    if conditions.starting_range_yards is not None:
        yards = conditions.starting_range_yards
        yield _line("correct", Message("advanced.story.set_range", yards=yards), "66")
    for each in optional_rules(Options()):
        on = getattr(conditions, each.key)
        if on is not None:
            code = "advanced.story.option_on" if on else "advanced.story.option_off"
            yield _line("correct", Message(code, option=each.title), each.rule)


def jam_entry(event: GunsJammed) -> StoryEntry:
    """A roll for jams (71.2)."""
    name = event.ship or ""
    rolled = Message("advanced.story.jam", ship=ShipRef(name), dice=event.dice, result=event.result)
    return _line("jam", rolled, event.rule, name)


def _rate_reduced(event: RateReduced) -> StoryEntry:
    """A fire with fewer guns than it was designated with (67.41)."""
    firer, target = event.ship or "", event.target or ""
    reduced = Message(
        "advanced.story.rate_reduced",
        firer=ShipRef(firer),
        target=ShipRef(target),
        battery=Message(f"advanced.battery.{event.battery}"),
        n=event.firing,
        bearing=event.firing + event.held_back,
        turrets=tuple(
            Message("advanced.story.turret_rate", turret=name, n=guns)
            for name, guns in event.guns.items()
        ),
    )
    return _line("rate", reduced, event.rule, firer, target)


def fire_entry(
    events: Sequence[Event], *, complete: bool = True, odds: Odds | None = None
) -> StoryEntry:
    """One fire: the line, its ledger and hits beneath it, and its figures.

    With the odds that it had, the document tells how lucky it was.

    To whoever may not know the target, the ledger stays folded away for good: her class and speed
    are in it. The hits are his: he has rolled them, and armour is stated aloud (63.4).
    """
    (fired,) = (event for event in events if isinstance(event, Fired))
    firer, target = fired.ship or "", fired.target or ""
    salvo = Message(
        "advanced.story.salvo",
        firer=ShipRef(firer),
        target=ShipRef(target),
        n=fired.guns,
        battery=Message(f"advanced.battery.{fired.battery}"),
    )
    total = sum(modifier.value for modifier in fired.modifiers)
    if fired.dice is None:
        message, rule = Message("advanced.story.factor", salvo=salvo, factor=fired.factor), "62.43"
        if complete and fired.sunk_before:
            message, rule = Message("advanced.story.sunk_before", salvo=salvo), "64.8"
        elif complete and fired.factor:
            message, rule = Message("advanced.story.hopeless", salvo=salvo), "62.44"
        elif complete:
            message = Message("advanced.story.too_little", salvo=salvo)
        line, hidden_line = Line(message, rule), Line(salvo, rule)
        if complete and fired.factor:
            # That nobody rolls is seen by all.
            hidden_line = line
    else:
        dice, hits = fired.dice, hits_message(fired.hits)
        message = Message(
            "advanced.story.fire",
            salvo=salvo,
            factor=fired.factor,
            dice=dice,
            total=total,
            row=fired.row,
            hits=hits,
        )
        line = Line(message, "62.44")
        hidden_line = Line(
            Message("advanced.story.fire_seen", salvo=salvo, dice=dice, hits=hits), "62.44"
        )
    _, *children = fire_lines(events)
    if not complete and fired.dice is None:
        # No dice have fallen yet, which is not the same as a fire that takes none.
        children = [child for child in children if child.text != why_no_dice(fired).text]
    chances = None
    if odds is not None and not fired.sunk_before:
        chances = hit_odds_of(fired.factor, total, odds.combat_tables, odds.options)
    entry = Entry(
        "fire",
        line,
        tuple(children),
        ships=(firer, target),
        document=_fire_document(fired, events, chances),
        complete=complete,
    )
    hit_children = tuple(hit_lines(events))
    return StoryEntry(
        entry, exposes=(target,), hidden_line=hidden_line, hidden_children=hit_children
    )


def _fire_document(
    fired: Fired, events: Sequence[Event], odds: Mapping[int, float] | None
) -> FireDocument:
    (spent,) = (event for event in events if isinstance(event, AmmunitionSpent))
    return FireDocument(
        firer=fired.ship or "",
        target=fired.target or "",
        battery=fired.battery.value,
        title=Message(f"advanced.guns.{fired.battery}"),
        guns=fired.guns,
        turrets=fired.turrets,
        range_yards=fired.range_yards,
        segment=fired.band,
        multiplier=fired.multiplier,
        multiplier_rule="62.42",
        gunnery_factor=fired.factor,
        modifiers=fired.modifiers,
        modifier_total=sum(modifier.value for modifier in fired.modifiers),
        dice=fired.dice,
        row=fired.row,
        hits=fired.hits,
        hit_results=tuple(_hit_document(hit, results) for hit, results in hits_of(events)),
        ammunition=Rounds(spent.spent, spent.left),
        provenance=fired.provenance,
        hit_odds=odds,
        expected_hits=None if odds is None else _mean(odds),
    )


def _hit_document(hit: HitScored, results: Sequence[Event]) -> HitDocument:
    # The turret that was struck is a part of the sheet by its name, all else by its kind.
    turret, effect = dict(hit.place.params).get("turret"), effects_message(results)
    return HitDocument(
        dice=hit.dice,
        location=hit.location,
        part=str(turret or hit.location or "hull"),
        place=hit.place,
        armour=hit.armour,
        armour_inches=hit.armour_inches,
        penetration_inches=hit.penetration_inches,
        penetrated=hit.penetrated,
        effect=effect,
        outcome=_outcome(results[-1]) if results else effect,
        provenance=hit.provenance,
    )


def _outcome(event: Event) -> Message:
    """What the last die of a hit decided, without the rule numbers that the effect cites."""
    match event:
        case HullHit(why=HullMark.OVERFLOW):
            return effect_message(HullHit(quarters=event.quarters))
        case SecondaryOut(turret=turret):
            return Message("advanced.outcome.secondary_out", turret=turret)
        case TurretHit(turret=turret, quarters=quarters):
            return Message(
                "advanced.outcome.turret_holds",
                turret=turret,
                n=begun(quarters),
                boxes=in_boxes(quarters),
            )
        case TurretDestroyed(turret=turret):
            return Message("advanced.effect.turret_destroyed", turret=turret)
        case Sunk():
            return Message("advanced.outcome.sunk")
        case RadarOut() | DirectorOut() | PlotOut():
            return Message(f"advanced.outcome.{event.kind}")
        case NoEffect(why=why, turret=turret):
            return Message(f"advanced.outcome.{why}", turret=turret)
    return effect_message(event)


def _mean(odds: Mapping[int, float]) -> float:
    return sum(hits * chance for hits, chance in odds.items())


def torpedo_entry(events: Sequence[Event], *, odds: Odds | None = None) -> StoryEntry:
    """A salvo of torpedoes that has arrived (69); with its odds it tells how lucky it was."""
    (ran,) = (event for event in events if isinstance(event, TorpedoesRan))
    launcher, receiver = ran.ship or "", ran.target or ""
    total = sum(modifier.value for modifier in ran.modifiers)
    roll = roll_of_torpedoes(ran)
    struck = (event for event in events if isinstance(event, TorpedoStruck))
    damage = tuple(Line(each.effect, each.rule, 1) for each in struck)
    reception = Line(ran.reception, ran.reception_rule, 1)
    chances = None
    if odds is not None and not ran.sunk_before:
        chances = torpedo_odds(ran.column, total, odds.combat_tables.tables)
    entry = Entry(
        "torpedo",
        Line(_torpedoes(launcher, receiver, roll), ran.rule),
        (reception, *modifier_lines(ran.modifiers), *damage),
        ships=(launcher, receiver),
        document=None
        if chances is None
        else VolleyDocument(
            firer=launcher,
            target=receiver,
            shots=ran.torpedoes,
            hits=ran.hits,
            hit_odds=chances,
            expected_hits=_mean(chances),
        ),
    )
    result = roll
    if ran.dice is not None:
        hits = hits_message(ran.hits)
        result = Message("advanced.story.roll_seen", dice=ran.dice, hits=hits)
    hidden_line = Line(_torpedoes(launcher, receiver, result), ran.rule)
    return StoryEntry(entry, exposes=(receiver,), hidden_line=hidden_line, hidden_children=damage)


def _torpedoes(launcher: str, receiver: str, result: Message) -> Message:
    return Message(
        "advanced.story.torpedoes",
        ship=ShipRef(launcher),
        target=ShipRef(receiver),
        result=result,
    )
