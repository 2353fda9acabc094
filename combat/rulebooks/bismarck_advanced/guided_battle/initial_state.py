"""The battle that a setup describes: sides, ships and their places, weather, hidden play (55)."""

from dataclasses import replace

from combat.previews import Forbidden
from combat.rulebooks.bismarck_advanced.editions import Edition
from combat.rulebooks.bismarck_advanced.engagement.engagement import Combatant, Engagement
from combat.rulebooks.bismarck_advanced.fire.options import Options
from combat.rulebooks.bismarck_advanced.fleet.vessel import Vessel
from combat.rulebooks.bismarck_advanced.fleet.warships import Warship
from combat.rulebooks.bismarck_advanced.free_play.ship_state import vessel_with
from combat.rulebooks.bismarck_advanced.free_play.state_checks import check_starting_state
from combat.rulebooks.bismarck_advanced.guided_battle.setup import AdvancedSetup, SetupShip
from combat.rulebooks.bismarck_advanced.guided_battle.state import AdvancedState
from combat.rulebooks.bismarck_advanced.movement.smoke import LaidFront, Smoke
from combat.rulebooks.bismarck_advanced.movement.speed import SpeedRecord
from combat.rulebooks.bismarck_advanced.setup.hidden_ships import Identity, numbered
from combat.ships import ShipList
from combat.shot_file import found_in
from combat.sides import FEWEST_SIDES, MOST_IN_BATTLE
from combat.weather import NO_VISIBILITY, Visibility
from tabletop.errors import BadField, DreyerError, UnknownName
from tabletop.messages import Message, ShipRef
from tabletop.places import DocumentPlace, shorten
from tabletop.table import Base, Table


def begin(
    setup: AdvancedSetup, warships: ShipList[Warship], usual_base: Base, edition: Edition
) -> AdvancedState:
    """The battle at its first movement plot."""
    options = setup.options
    combatants = tuple(
        _combatant(ship, warships, usual_base, edition, by_turret=options.ammunition_by_turret)
        for ship in setup.ships
    )
    _check_sides(setup)
    engagement = Engagement(
        combatants,
        visibility=setup.visibility,
        night=setup.night,
        starting_range_yards=setup.starting_range_yards,
        allies=frozenset(map(frozenset, setup.allies)),
        order_of_fire=setup.order_of_fire,
        options=options,
    )
    check_visibility(engagement)
    # Fronts that lie on the table already stand as long as any laid in the first move (67.653).
    fronts = tuple(LaidFront(None, None, front, engagement.phase) for front in setup.smoke)
    engagement = replace(engagement, smoke=Smoke(fronts))
    # The table refuses two ships of one name.
    Table(engagement.table.models)
    identities = _identities(setup.ships) if setup.hidden else {}
    return AdvancedState(
        title=setup.title,
        sides=setup.sides,
        engagement=engagement,
        phase=engagement.phase,
        identities=identities,
        numbers={name: identity.number for name, identity in identities.items()},
        follows=setup.follows,
    )


def check_visibility(battle: Engagement) -> None:
    """Raise Forbidden at a visibility at which nobody attacks."""
    if not attack_allowed(battle.visibility, battle.options):
        raise Forbidden(Message("advanced.set_up.visibility_x"), "55.22")


def attack_allowed(visibility: Visibility, options: Options) -> bool:
    """55.22: no attack at visibility X, unless the players have agreed to fight all the same."""
    return visibility != NO_VISIBILITY or options.fight_at_visibility_x


def check_states(setup: AdvancedSetup, warships: ShipList[Warship]) -> None:
    """Raise BadField for a ship that cannot begin with the marks that are stated for her."""
    for ship in setup.ships:
        if ship.state is not None:
            with found_in(_place_of(ship)):
                check_starting_state(ship.state, _warship(ship, warships))


def _combatant(
    ship: SetupShip,
    warships: ShipList[Warship],
    usual_base: Base,
    edition: Edition,
    *,
    by_turret: bool,
) -> Combatant:
    vessel = Vessel.fresh(_warship(ship, warships), ship.name, ammunition_by_turret=by_turret)
    if ship.state is not None:
        with found_in(_place_of(ship)):
            vessel = vessel_with(ship.state, vessel)
        if by_turret and edition.ammunition_spent_before_is_shared:
            vessel = vessel.with_equal_shares()
    return Combatant(
        vessel=vessel,
        side=ship.side,
        pose=ship.pose,
        base=ship.base or usual_base,
        record=SpeedRecord(vessel.movement_factor),
    )


def _warship(ship: SetupShip, warships: ShipList[Warship]) -> Warship:
    return warships.named(ship.type or ship.name, _place_of(ship))


def _place_of(ship: SetupShip) -> DocumentPlace:
    return DocumentPlace(f"setup, {ship.name}")


def _check_sides(setup: AdvancedSetup) -> None:
    sides, present = setup.sides, dict.fromkeys(ship.side for ship in setup.ships)
    if len(set(sides)) != len(sides) or not FEWEST_SIDES <= len(sides) <= MOST_IN_BATTLE:
        expected = Message("advanced.expected.sides", least=FEWEST_SIDES, most=MOST_IN_BATTLE)
        raise BadField("setup", "sides", expected, shorten(", ".join(sides)))
    for side in present:
        if side not in sides:
            expected = Message("advanced.expected.sides_of_ships", side=side)
            raise BadField("setup", "sides", expected, shorten(", ".join(sides)))
    for side in sides:
        if side not in present:
            raise DreyerError("advanced.set_up.no_ship", side=side)
    for key, named in (
        ("allies", [side for pair in setup.allies for side in pair]),
        ("order_of_fire", setup.order_of_fire),
    ):
        for side in named:
            if side not in sides:
                raise UnknownName(Message("errors.where.setup"), f"side_in_{key}", side, sides)


def _identities(ships: tuple[SetupShip, ...]) -> dict[str, Identity]:
    """55.28, 67.11: all ships begin face down, by numbers that are given or drawn (61.6)."""
    numbers = {}
    for ship in ships:
        if ship.number is None:
            raise DreyerError("advanced.set_up.no_number", ship=ShipRef(ship.name))
        numbers[ship.name] = ship.number
    identities = {identity.name: identity for identity in numbered(numbers)}
    for identity in identities.values():
        if identity.label in numbers:
            raise DreyerError("advanced.set_up.named_as_number", name=identity.label)
    return identities
