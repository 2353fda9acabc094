"""What models need of their markers: sizes by scale, lengths and decks by ship, and advice."""

from typing import TYPE_CHECKING, Final

from calibration.markers import SHIP_SIZE_MM
from calibration.model_pieces import CODE_MM, PLATE_MM, USUAL_LENGTH_M, MarkerForm, ModelScale
from combat.library import BUILT_IN
from combat.participants import Ship, Side
from combat.ships import ShipClass, ShipType, plain_name
from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.sides import side_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.code_size import CodeAdvice
    from web.drawing.model_markers import Deck

_LENGTHS_M: Final["Mapping[ShipClass, float]"] = {
    ShipClass.BATTLESHIP: 240.0,
    ShipClass.BATTLE_CRUISER: 250.0,
    ShipClass.POCKET_BATTLESHIP: 186.0,
    ShipClass.CARRIER: 240.0,
    ShipClass.HEAVY_CRUISER: 195.0,
    ShipClass.LIGHT_CRUISER: 175.0,
    ShipClass.DESTROYER: 112.0,
}
"""The usual length of a class; no rulebook's cards have the ships' own."""


def usual_code_mm(form: MarkerForm, scale: ModelScale) -> float:
    """The size of a code where nobody asks for another."""
    if form is MarkerForm.COUNTER:
        return SHIP_SIZE_MM
    return PLATE_MM if form is MarkerForm.PLATE else CODE_MM[scale]


def length_of(ship: ShipType) -> float:
    """How long a ship is in metres, by her class."""
    return _LENGTHS_M.get(ship.ship_class, USUAL_LENGTH_M)


def decks_of(ships: "Mapping[str, ShipType]", sides: "Mapping[str, Side]") -> dict[str, "Deck"]:
    """How each ship looks from above: her plan if a rulebook has one, else her silhouette."""
    return {name: _deck(ship, sides.get(name) or side_of(ship)) for name, ship in ships.items()}


def _deck(ship: ShipType, side: Side) -> "Deck":
    for ruleset in BUILT_IN:
        known = BUILT_IN.find_ship(ruleset.name, ship.name)
        if ruleset.rulebook is None or known is None:
            continue
        if plain_name(known.name) != plain_name(ship.name):
            continue
        rulebook = ruleset.rulebook(ruleset.tables)
        participant = Ship(ship.name, known.name, side.key, ship.name)
        try:
            sheet = rulebook.record_sheet(participant, rulebook.fresh(participant))
        except DreyerError:
            # Known by name from another rulebook, but without a card in this one.
            continue
        from web.drawing.ship_layout import lay_out

        plan = lay_out(sheet, side.shape.hull)
        if plan.turrets:
            return plan
    from web.drawing.silhouettes import silhouette_of

    return silhouette_of(ship, side)


def code_advice(advice: "CodeAdvice", tag_mm: float) -> Message:
    """Whether codes of this size suit a camera, and which would."""
    fit = "small" if tag_mm < advice.least_mm else "fair" if tag_mm < advice.good_mm else "good"
    return Message(
        f"camera.code_size.{fit}",
        size=tag_mm,
        pixels=tag_mm * advice.px_per_mm,
        least=advice.least_mm,
        good=advice.good_mm,
    )
