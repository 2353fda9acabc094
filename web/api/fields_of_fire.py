"""The fields of fire of a ship, for the chart and for scripts."""

from typing import Annotated

from pydantic import Field, RootModel

from web.api.reading import Line
from web.api.route import Answer, Call, Needs, Query, route
from web.checks.fields_of_fire import FieldsView, fields_view


class ShipQuery(Query):
    """Whose fields of fire."""

    ship: Annotated[Line, Field(min_length=1, max_length=40)]


class SeenFields(RootModel[FieldsView]):
    """A ship's fields of fire as you may see them."""


@route(
    "GET",
    "/api/fields-of-fire",
    "The areas that a ship can fire into, battery by battery",
    needs=Needs.LOOK,
    query=ShipQuery,
    answer=SeenFields,
    faults=(404,),
    tag="pairs",
)
def fields(call: Call, query: ShipQuery) -> Answer:
    """Polygons in yards; where measuring is not free there are none."""
    return SeenFields(fields_view(call.session, call.caller, query.ship))
