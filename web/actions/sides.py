"""What the host does to the sides of a table: one more, another name or look, allies, one less."""

from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import with_config

from combat.participants import Side, SideColour, SideShape
from combat.sides import FEWEST_SIDES, LONGEST_NAME, MOST_SIDES, Sides, check_allies, key_of
from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message
from tabletop.schema import CONFIG
from web.actions.context import NO_CHANGE, ActionContext, Change, event_change
from web.auth.seats import Right
from web.journal.events import SidesSet
from web.journal.fields import SideKeys, SideLetter, SideName
from web.sides import side_name


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class AddSide:
    """One more side; letter, colour and shape are proposed where they are left out."""

    needs: ClassVar = Right.HOST
    name: SideName
    letter: SideLetter | None = None
    colour: SideColour | None = None
    shape: SideShape | None = None
    """Of its badge."""
    allies: SideKeys = ()
    """The keys of the sides that it fights together with."""

    def change(self, context: ActionContext) -> Change:
        """The sides with this one."""
        sides, name = context.state.sides, _clean(self.name)
        if len(sides) >= MOST_SIDES:
            raise DreyerError("sides.fault.too_many", most_sides=MOST_SIDES)
        _must_be_new(name, sides)
        side = sides.proposed(key_of(name), name, _letter(self.letter or ""))
        side = replace(
            side,
            colour=self.colour or side.colour,
            shape=self.shape or side.shape,
            allies=tuple(dict.fromkeys(self.allies)),
        )
        return _set(sides, side)


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class ChangeSide:
    """Another name, letter, colour, shape or other allies; what is left out stays as it is."""

    needs: ClassVar = Right.HOST
    key: str
    name: SideName | None = None
    letter: SideLetter | None = None
    colour: SideColour | None = None
    shape: SideShape | None = None
    """Of its badge."""
    allies: SideKeys | None = None
    """All of them; none ends every alliance."""

    def change(self, context: ActionContext) -> Change:
        """The sides with this one changed, unless nothing is."""
        sides = context.state.sides
        before = _side(sides, self.key)
        name = before.name
        if self.name is not None and _clean(self.name) != side_name(before):
            name = _clean(self.name)
            _must_be_new(name, sides.without(before.key))
        after = replace(
            before,
            name=name,
            letter=_letter(self.letter or "") or before.letter,
            colour=self.colour or before.colour,
            shape=self.shape or before.shape,
            allies=before.allies if self.allies is None else tuple(dict.fromkeys(self.allies)),
        )
        battle = context.battle
        if (
            set(after.allies) != set(before.allies)
            and battle is not None
            and not battle.is_over
            and before.key in battle.sides
        ):
            raise DreyerError("sides.fault.allies_fixed")
        return _set(sides, after) if after != before else NO_CHANGE


@with_config(CONFIG)
@dataclass(frozen=True, slots=True)
class RemoveSide:
    """Take a side away that has no ships and nobody sits at."""

    needs: ClassVar = Right.HOST
    key: str

    def change(self, context: ActionContext) -> Change:
        """The sides without it."""
        sides = context.state.sides
        side = _side(sides, self.key)
        ship = next((each for each in context.state.pieces.values() if each.side == side.key), None)
        if ship is not None:
            raise DreyerError("sides.fault.has_ships", side=side_name(side), ship=ship.name)
        if context.battle is not None and side.key in context.battle.sides:
            raise DreyerError("sides.fault.in_battle", side=side_name(side))
        if side.key in context.seated:
            raise DreyerError("sides.fault.seated", side=side_name(side))
        if len(sides) <= FEWEST_SIDES:
            raise DreyerError("sides.fault.too_few", fewest_sides=FEWEST_SIDES)
        return event_change(SidesSet(sides=sides.without(side.key)))


def _set(sides: Sides, side: Side) -> Change:
    check_allies(side, sides, side_name(side))
    return event_change(SidesSet(sides=sides.with_side(side)))


def _side(sides: Sides, key: str) -> Side:
    if key not in sides:
        raise UnknownName(Message("errors.where.this_table"), "side", key, sides.keys)
    return sides[key]


def _clean(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise DreyerError("sides.fault.name_length", longest_name=LONGEST_NAME)
    return name


def _letter(letter: str) -> str:
    letter = letter.strip()
    if len(letter) > 1 or not letter.isprintable():
        raise DreyerError("sides.fault.letter")
    return letter.upper()


def _must_be_new(name: str, sides: Sides) -> None:
    taken = {text.casefold() for side in sides for text in (side.key, side_name(side))}
    if name.casefold() in taken:
        raise DreyerError("sides.fault.name_taken", name=name)
