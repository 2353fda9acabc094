"""The fields of fire of a ship on the table, for callers who may measure."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import ConfigDict

from combat.actions import ActionOffer
from combat.participants import Ship
from combat.rulebook_info import Ruleset
from tabletop.errors import UnknownName
from tabletop.fields_of_fire import Area, FieldOfFire, Outline, Reach, Ring, fields_of_fire
from tabletop.messages import Message
from web.auth.seats import Caller
from web.checks.access import tables_of
from web.session import Session
from web.strings import words
from web.table.free_battle import FreeBattle, free_battle, guided_battle, with_ships
from web.table.moment import Moment
from web.views.battle import seat_seen
from web.views.fog import seen_moment
from web.views.table import Measure, may_measure


@dataclass(frozen=True, slots=True)
class BandArea:
    """The part of a field of fire in one range band, in whole yards."""

    title: str
    outer_yards: float
    clear: Area
    """In sight without smoke."""
    through_smoke: Area
    """In sight only through smoke."""


@dataclass(frozen=True, slots=True)
class BatteryField:
    """The field of fire of one battery."""

    battery: str
    title: str
    bands: tuple[BandArea, ...]


@dataclass(frozen=True, slots=True)
class FieldsView:
    """The fields of fire of a ship as a caller may see them."""

    # Its description, and that of all within, is closed and has the words of these fields.
    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    seq: int
    """The number of the table's state."""
    ship: str
    measure: Measure
    """yes, declare or no; there are fields only with yes."""
    batteries: tuple[BatteryField, ...]
    """Empty if she cannot fire, or if the caller may not know her type."""


def fields_view(session: Session, caller: Caller, ship: str) -> FieldsView:
    """The fields of fire of a ship, as a caller may know them."""
    moment = seen_moment(session.moment, caller)
    if ship not in moment.ships:
        raise UnknownName(Message("errors.where.this_table"), "ship", ship, moment.ships)
    moment.must_be_in_play(ship)
    measure = may_measure(moment, caller)
    found: tuple[BatteryField, ...] = ()
    if measure is Measure.YES and moment.scene is not None:
        found = _batteries(moment, caller, moment.scene.ruleset, ship)
    return FieldsView(moment.seq, ship, measure, found)


def _batteries(
    moment: Moment, caller: Caller, ruleset: Ruleset, ship: str
) -> tuple[BatteryField, ...]:
    known = _known(moment, caller, ruleset, ship)
    if known is None or moment.scene is None:
        return ()
    battle, as_known = known
    marks = battle.state.firing[as_known.id]
    reaches = battle.rulebook.reaches(as_known, marks)
    offers = {offer.kind: offer for offer in battle.rulebook.offers(as_known.type)}
    fields = fields_of_fire(moment.scene.table, ruleset.table_rules, ship, reaches)
    return tuple(
        _battery(field, reach, offers[reach.battery], ruleset)
        for field, reach in zip(fields, reaches, strict=True)
        if reach.arc.quadrants
    )


def _known(
    moment: Moment, caller: Caller, ruleset: Ruleset, name: str
) -> tuple[FreeBattle, Ship] | None:
    """A ship as the caller may know her, and her battle; None if she is hidden."""
    if ruleset.rulebook is None:
        return None
    tables, guided = tables_of(ruleset.name), guided_battle(moment, ruleset)
    if guided is not None:
        seat = seat_seen(guided, caller)
        battle = free_battle(moment, ruleset, tables, seat)
        # A model has the ship's name, or her number in hidden play.
        models = guided.rulebook.models(guided.state, seat)
        ids = {ship for ship, model in models.items() if model == name}
        return next(((battle, ship) for ship in battle.state.ships if ship.id in ids), None)
    now = moment.ships[name]
    if now.ship is None or ruleset.ships.find(now.ship.name) is None:
        return None
    ship = Ship(name, name, now.piece.side, now.ship.name)
    return with_ships(free_battle(moment, ruleset, tables), [ship]), ship


def _battery(
    field: FieldOfFire, reach: Reach, offer: ActionOffer, ruleset: Ruleset
) -> BatteryField:
    titles = {band.name: words(band.title) for band in (*ruleset.segments, *offer.bands)}
    return BatteryField(
        reach.battery,
        words(offer.title),
        tuple(
            BandArea(
                titles.get(band.name, band.name),
                band.outer_yards,
                _in_whole_yards(band.clear),
                _in_whole_yards(band.through_smoke),
            )
            for band in field.bands
        ),
    )


def _in_whole_yards(area: Area) -> Area:
    def ring(places: Ring) -> Ring:
        return tuple((round(x), round(y)) for x, y in places)

    return tuple(
        Outline(ring(each.outer), tuple(ring(hole) for hole in each.holes)) for each in area
    )
