"""What a battle in which ships act in turn asks of one caller now.

It is made from the caller's view and from the models on the table.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from combat.guided_play import OrderedKind, OrderedView, StepKind
from combat.story_entries import Entry
from combat.views import (
    ActorView,
    DeclaredShotView,
    DivisionPlacingCheck,
    DivisionView,
    DraftFault,
    OrderedShipView,
    ScoreView,
    ShipMoveCheck,
)
from tabletop.messages import NO_WORDS
from tabletop.table import Pose
from web.actions.battle import acting_side
from web.auth.seats import Caller, Seat
from web.battle.fire.resolution import DiceRequest, dice_request, sides_of
from web.battle.ordered.fire import proposed_fire
from web.battle.ordered.moves import has_moved, straight_ahead
from web.battle.report.story import story_for
from web.drawing.plot_map import Way
from web.games.guided_game import GuidedGame
from web.strings import sentence, text, words
from web.views.turn import (
    PageAction,
    SeatKind,
    SidePlayers,
    parties_of,
    play,
    seat_of,
)

_MOST_TOLD = 6
"""How many entries of the story stand on the page."""


@dataclass(frozen=True, slots=True)
class DicePad:
    """The dice that are wanted."""

    asked: DiceRequest | None
    may_enter: bool
    yours_left: int
    """How many rolls that may be made now are the caller's."""
    open_rolls: tuple[str, ...]
    """What the rolls that may be made now are known by."""


@dataclass(frozen=True, slots=True)
class ShipCard:
    """A ship that may act, or that is shown with what can be done with her."""

    ship: OrderedShipView
    words: str = ""
    href: str = ""
    acts: tuple[PageAction, ...] = ()
    faults: tuple[DraftFault, ...] = ()


@dataclass(frozen=True, slots=True)
class ActorCard:
    """A division, or a ship out of command, that acts now or later."""

    actor: ActorView
    yours: bool
    """Whether the caller acts for it now."""
    division: DivisionView | None
    ships: tuple[ShipCard, ...]
    acts: tuple[PageAction, ...] = ()
    others: tuple[PageAction, ...] = ()
    """What stands beside the first thing to do without being it."""
    faults: tuple[DraftFault, ...] = ()
    silent: bool = False
    """Whether none of its ships has an enemy to fire at."""


@dataclass(frozen=True, slots=True)
class CommandCard:
    """A division in the Command Phase."""

    division: DivisionView
    ships: tuple[ShipCard, ...]


@dataclass(frozen=True, slots=True)
class FlagCard:
    """A division that wants a new flagship."""

    division: str
    side: str
    choices: tuple[PageAction, ...]
    """None for callers who do not choose."""


@dataclass(frozen=True, slots=True)
class DeclaredCard:
    """A declared fire, and the button that has it resolved next."""

    shot: DeclaredShotView
    act: PageAction | None


@dataclass(frozen=True, slots=True)
class OrderedTurn:
    """The content of the current step's page for one caller."""

    seat: SeatKind
    primary: PageAction | None
    others: tuple[PageAction, ...]
    waiting: bool
    """Whether another side acts."""
    parties: tuple[SidePlayers, ...]
    scores: Mapping[str, ScoreView]
    actors: tuple[ActorCard, ...]
    """Those that act now."""
    later: tuple[ActorView, ...]
    command: tuple[CommandCard, ...]
    flags: tuple[FlagCard, ...]
    declared: tuple[DeclaredCard, ...]
    dice: DicePad
    told: tuple[Entry, ...]
    """What has happened lately, the newest first."""
    ways: tuple[Way, ...]
    """Where the models of those that move now have gone."""


def ordered_turn(
    battle: GuidedGame,
    caller: Caller,
    view: OrderedView,
    seats: Iterable[Seat],
    models: Mapping[str, Pose],
    *,
    measures: bool,
    is_present: Callable[[str], bool] | None = None,
) -> OrderedTurn:
    """What the caller has to do, from the caller's view and the models on the table."""
    people = tuple(seats)
    seat = seat_of(battle, caller)
    plays = seat is not SeatKind.WATCHER
    maker = _Cards(battle, caller if plays else None, view, models, measures=measures)
    actors = tuple(maker.actors())
    flags = tuple(maker.flags())
    mine = () if not plays else (view.you,) if seat is SeatKind.PLAYER else view.sides
    kind = view.step.kind
    open_sides = [side for side in mine if side in view.step.waiting_for]
    primary, others = maker.next(actors, commands=bool(open_sides))
    sides = sides_of(battle, caller, people)
    mine_next = (each for each in view.all_wanted if each.side is None or each.side in sides)
    asked = dice_request(battle, caller, view, people, next(mine_next, view.wanted))
    return OrderedTurn(
        seat=seat,
        primary=primary if plays or kind is StepKind.ENDED else None,
        others=others,
        waiting=plays and bool(view.step.waiting_for) and not open_sides and asked is None,
        parties=parties_of(view, people, is_present),
        scores={each.side: each for each in view.score},
        actors=actors,
        later=tuple(each for each in view.order if not each.now),
        command=tuple(maker.command()) if kind is StepKind.COMMAND else (),
        flags=flags,
        declared=tuple(maker.declared()),
        dice=DicePad(
            asked,
            plays,
            sum(each.side in sides for each in view.all_wanted),
            tuple(each.roll for each in view.all_wanted),
        ),
        told=tuple(_told(battle, caller)),
        ways=tuple(maker.ways()),
    )


class _Cards:
    """Makes the cards of a page for one caller; without one, for somebody who only watches."""

    def __init__(
        self,
        battle: GuidedGame,
        caller: Caller | None,
        view: OrderedView,
        models: Mapping[str, Pose],
        *,
        measures: bool,
    ) -> None:
        self._battle, self._view, self._models = battle, view, models
        self._measures = measures
        self._caller = caller
        self._plays = caller is not None
        self._side = None if caller is None else acting_side(battle, caller)
        self._ships = {ship.id: ship for ship in view.ships}
        self._divisions = {each.name: each for each in view.divisions}
        self._kinds = {action.kind for action in view.actions}
        self._moves: dict[str, ShipMoveCheck] = {}

    def actors(self) -> Iterator[ActorCard]:
        for actor in self._view.order:
            if not actor.now:
                continue
            yours = self._plays and all(self._ships[ship].yours for ship in actor.ships)
            division = self._divisions.get(actor.name)
            ships = tuple(ShipCard(self._ships[ship]) for ship in actor.ships)
            if not yours:
                yield ActorCard(actor, yours, division, ships)
            elif OrderedKind.PLACE_DIVISION in self._kinds:
                yield self._placing(actor, division, ships)
            elif OrderedKind.MOVE_SHIP in self._kinds:
                yield self._moving(actor, division)
            else:
                yield self._firing(actor, division)

    def _placing(
        self, actor: ActorView, division: DivisionView | None, ships: tuple[ShipCard, ...]
    ) -> ActorCard:
        poses = {ship: self._models[ship] for ship in actor.ships if ship in self._models}
        check = self._battle.check(
            self._battle.ordered.placing_of(actor.name, poses, self._side), DivisionPlacingCheck
        )
        acts: tuple[PageAction, ...] = ()
        if check.legal:
            words_ = _words("place", division=actor.name)
            acts = (play(words_, OrderedKind.PLACE_DIVISION, division=actor.name),)
        return ActorCard(actor, True, division, ships, acts, faults=check.faults)

    def _moving(self, actor: ActorView, division: DivisionView | None) -> ActorCard:
        cards = []
        for name in actor.ships:
            check = self._move(name)
            elsewhere = has_moved(check)
            cards.append(
                ShipCard(
                    self._ships[name],
                    move_words(check) if elsewhere else _words("not_moved"),
                    f"/battle/move/{quote(name)}",
                    faults=check.faults if elsewhere else (),
                )
            )
        checks = [self._move(name) for name in actor.ships]
        moved = [check for check in checks if has_moved(check)]
        acts: tuple[PageAction, ...] = ()
        if moved and len(checks) > 1 and all(check.legal for check in checks):
            still = [check.ship for check in checks if not has_moved(check)]
            acts = (
                play(
                    _words("move_as_models", n=len(checks)),
                    OrderedKind.MOVE_DIVISION,
                    confirm=_words("stops_sure", ships=", ".join(still)) if still else "",
                    division=actor.name,
                ),
            )
        others: tuple[PageAction, ...] = ()
        if not moved and self._caller is not None:
            ahead = straight_ahead(self._battle, self._caller, self._view, actor)
            others = () if ahead is None else (ahead,)
        return ActorCard(actor, True, division, tuple(cards), acts, others)

    def _firing(self, actor: ActorView, division: DivisionView | None) -> ActorCard:
        able = self._battle.may_fire(actor.ships)
        cards = tuple(
            ShipCard(
                self._ships[name],
                sentence(self._ships[name].glance or NO_WORDS)
                if name in able or not self._measures
                else _words("nobody_in_reach"),
                f"/battle/fire/{quote(name)}",
            )
            # Who has an enemy to fire at comes first.
            for name in sorted(actor.ships, key=lambda name: name not in able)
        )
        alone = actor.ships[0] if len(actor.ships) == 1 else None
        if alone is not None:
            hold = play(_words("hold", ship=alone), OrderedKind.HOLD_FIRE, ship=alone)
        else:
            hold = play(
                _words("hold_all", n=len(actor.ships)),
                OrderedKind.HOLD_FIRE,
                division=actor.name,
            )
        return ActorCard(actor, True, division, cards, (hold,), silent=not able)

    def _as_proposed(self, name: str) -> PageAction | None:
        """Fire at what is nearest, where the caller may measure and nothing is doubtful."""
        options = self._battle.fire_options(self._side, name) if self._measures else ()
        fire = proposed_fire(options)
        if fire is None:
            return None
        shots, targets = fire
        said = _words("fire_proposed", ship=name, targets=", ".join(targets))
        return play(said, OrderedKind.DECLARE_FIRE, ship=name, shots=shots)

    def declared(self) -> Iterator[DeclaredCard]:
        chooses = self._plays and OrderedKind.FIRE_NEXT in self._kinds
        for shot in self._view.declared:
            act = None
            if chooses and shot.may_be_next and self._ships[shot.firer].yours:
                act = play(
                    _words("fire_next"),
                    OrderedKind.FIRE_NEXT,
                    ship=shot.firer,
                    battery=shot.battery,
                    target=shot.target,
                )
            yield DeclaredCard(shot, act)

    def _move(self, name: str) -> ShipMoveCheck:
        if name not in self._moves:
            pose = self._models.get(name, self._ships[name].pose)
            action = self._battle.ordered.move_of(name, pose, self._side)
            self._moves[name] = self._battle.check(action, ShipMoveCheck)
        return self._moves[name]

    def ways(self) -> Iterator[Way]:
        for name, check in self._moves.items():
            if has_moved(check):
                yield Way(name, check.points, check.end)

    def flags(self) -> Iterator[FlagCard]:
        for flag in self._view.flags:
            mine = self._plays and any(self._ships[ship].yours for ship in flag.heirs)
            choices = (play(ship, OrderedKind.TAKE_FLAG, ship=ship) for ship in flag.heirs)
            yield FlagCard(flag.division, flag.side, tuple(choices) if mine else ())

    def command(self) -> Iterator[CommandCard]:
        sets = OrderedKind.SET_COMMAND in self._kinds
        for division in self._view.divisions:
            cards = []
            for name in division.ships:
                ship = self._ships[name]
                if not ship.in_action:
                    continue
                acts: tuple[PageAction, ...] = ()
                if sets and ship.yours and self._plays:
                    key = "set_out" if ship.in_command else "set_in"
                    acts = (
                        play(_words(key), OrderedKind.SET_COMMAND, ship=name, out=ship.in_command),
                    )
                cards.append(ShipCard(ship, acts=acts))
            if cards:
                yield CommandCard(division, tuple(cards))

    def next(
        self, actors: tuple[ActorCard, ...], *, commands: bool
    ) -> tuple[PageAction | None, tuple[PageAction, ...]]:
        """The first thing to do, and what else there is."""
        view, kind = self._view, self._view.step.kind
        if kind is StepKind.ENDED:
            return (
                PageAction(str(text("battle.report")), href="/report"),
                (
                    PageAction(str(text("battle.sheets")), href="/sheets"),
                    PageAction(str(text("battle.battles")), href="/battles"),
                ),
            )
        if view.flags or view.wanted:
            return None, ()
        mine = next((card for card in actors if card.yours), None)
        if mine is not None:
            first = mine.ships[0]
            if kind is StepKind.COMBAT:
                if mine.silent and self._measures:
                    return mine.acts[0], ()
                choose = PageAction(_words("fire_ship", ship=first.ship.id), href=first.href)
                proposed = self._as_proposed(first.ship.id)
                if proposed is None:
                    return choose, mine.acts
                return proposed, (choose, *mine.acts)
            if mine.acts:
                return mine.acts[0], mine.acts[1:]
            if mine.faults:
                return PageAction(_words("put_right"), href="/ships"), ()
            move = PageAction(_words("move_this", ship=first.ship.id), href=first.href)
            return move, mine.others
        if kind is StepKind.COMMAND and commands and OrderedKind.COMMAND_DONE in self._kinds:
            return play(_words("command_done"), OrderedKind.COMMAND_DONE), ()
        return None, ()


def move_words(check: ShipMoveCheck) -> str:
    """A move in a line: how far, whether she turned, and the marker that it brings."""
    key = "reading_turn" if check.turned else "reading"
    told = _words(key, yards=f"{check.yards:,}", most=f"{check.limit_yards:,}")
    marker = words(check.marker)
    return f"{told} · {marker}" if marker else told


def _told(battle: GuidedGame, caller: Caller) -> Iterator[Entry]:
    yield from list(reversed(story_for(battle, caller)))[:_MOST_TOLD]


def _words(key: str, /, **values: object) -> str:
    return str(text(f"battle.ordered.{key}", **values))
