"""The fields of fire of a ship, for the chart and for scripts."""

from typing import Final

from tabletop.schema import document
from web.api.route import Call, Needs, Routes
from web.checks.fields_of_fire import FieldsView, fields_view
from web.journal.fields import Name

routes: Final = Routes()


@document
class ShipQuery:
    """The ship."""

    ship: Name


@routes.route(
    "GET",
    "/api/fields-of-fire",
    "The areas that a ship can fire into, battery by battery",
    needs=Needs.LOOK,
    faults=(404,),
    tag="pairs",
)
def fields(call: Call, query: ShipQuery) -> FieldsView:
    """Polygons in yards; none if measuring is restricted."""
    return fields_view(call.session, call.caller, query.ship)
