"""What the server says of itself: that it is ready, and its API as OpenAPI.

The description is built from the very declarations that make the routes, and from the types that
they take and serve. Not by a library: flask-openapi3 takes no dataclasses; spectree does, but it
describes a nested type anew for every route that has it, reads a body before it is known who sends
it, and lets keys pass that come twice.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from flask import Response, jsonify
from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode, JsonSchemaValue

from tabletop.schema import adapter_of, keys_of
from tabletop.schema import document as schema_document
from web.api.all_routes import all_routes
from web.api.models import FaultAnswer
from web.api.route import Call, Needs, Route, Routes

routes: Final = Routes()

Refs = Mapping[tuple[object, JsonSchemaMode], JsonSchemaValue]
"""The names of the described types, by type and direction."""
_REQUEST: Final = "validation"
_RESPONSE: Final = "serialization"
_PLACE: Final = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")
_REF: Final = "#/components/schemas/{model}"
_FAULTS: Final = {
    400: "What was sent is wrong; the message says what and how to put it right",
    401: "Take a seat first",
    403: "Not from this page or not for this seat",
    404: "There is none of this name or number",
    409: "Not as things stand",
    413: "Too large",
    415: "Not of the kind that is expected",
    429: "Too many wrong tries; wait as long as Retry-After says",
    503: "Not just now; try again after Retry-After",
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key and body, a request acts once.",
    "schema": {"type": "string", "minLength": 8, "maxLength": 100, "pattern": "^[!-~]+$"},
}
_ORIGIN: Final = {
    "name": "Origin",
    "in": "header",
    "required": True,
    "description": "The table's own address, as in the Host header, such as http://localhost:8080.",
    "schema": {"type": "string", "pattern": "^https?://[!-~]+$"},
}
_DESCRIPTION: Final = (
    "The table server of Dreyer Table. Distances are yards, headings degrees clockwise from the "
    "table's far edge, coordinates from its near left corner. Writes are JSON, carry the table's "
    "own address as Origin, and may be repeated with the same Idempotency-Key. A browser is known "
    "by the cookie that /, /api/join and /api/return set."
)


_TAGS: Final = [
    {
        "name": "battle",
        "description": (
            "A battle from end to end: the host, who holds the cookie of / on the server's own "
            "machine, begins a scenario (GET /api/battles/scenarios, POST /api/battles/scenario). "
            "Each player takes a seat (POST /api/join; the host's view has the code). From then "
            "on GET /api/view is the whole truth for that seat, and battle.step.kind says what "
            "POST /api/battle/play takes: plot for each ship and commit; move; designate for each "
            "ship that fires and commit; dice while battle.wanted asks for some, or POST "
            "/api/battle/roll; between the jams and the first die of a fire, reduce for each ship "
            "that fires with fewer guns, and commit; mark; then the next segment. It ends when a "
            "side has no ship left, or with end from both sides. GET /api/live announces every "
            "change."
        ),
    },
    {
        "name": "battles",
        "description": "Scenarios and kept battles: begin, resume, export, import.",
    },
]
"""The introduction of the API's description."""


@schema_document
class Healthy:
    """The server is ready."""

    status: Literal["ok"] = "ok"


@routes.route(
    "GET",
    "/healthz",
    "Whether the server is ready, for scripts",
    needs=Needs.NOBODY,
    tag="about",
)
def health(call: Call) -> Healthy:  # noqa: ARG001
    """Answers if the server is ready."""
    return Healthy()


@routes.route(
    "GET",
    "/openapi.json",
    "This description",
    needs=Needs.NOBODY,
    tag="about",
)
def openapi(call: Call) -> Response:  # noqa: ARG001
    """OpenAPI 3.1."""
    return jsonify(document(all_routes()))


@cache
def document(routes: tuple[Route, ...]) -> JsonSchemaValue:
    """The description of these routes."""
    refs, schemas = _described(routes)
    paths: dict[str, JsonSchemaValue] = {}
    for declared in routes:
        operation = _operation(declared, refs)
        paths.setdefault(_path(declared), {})[declared.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dreyer Table", "version": "1", "description": _DESCRIPTION},
        "tags": _TAGS,
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"cookie": {"type": "apiKey", "in": "cookie", "name": "dreyer"}},
        },
    }


def _described(routes: tuple[Route, ...]) -> tuple[Refs, JsonSchemaValue]:
    """Every request and response type, and the types they contain, by name."""
    wanted: dict[tuple[object, JsonSchemaMode], TypeAdapter[object]] = {
        (FaultAnswer, _RESPONSE): adapter_of(FaultAnswer)
    }
    for declared in routes:
        if declared.has_json:
            wanted[declared.body, _REQUEST] = declared.body_schema.adapter
        if declared.answer is not None:
            wanted[declared.answer, _RESPONSE] = declared.answer_schema.adapter
    inputs = [((type_, mode), mode, adapter) for (type_, mode), adapter in wanted.items()]
    found, definitions = TypeAdapter.json_schemas(inputs, ref_template=_REF)
    refs = {key: schema for (key, _), schema in found.items()}
    schemas: JsonSchemaValue = definitions.get("$defs", {})
    for declared in routes:
        if declared.has_json:
            _leave_out_address(declared, refs[declared.body, _REQUEST], schemas)
    return refs, schemas


def _leave_out_address(declared: Route, ref: JsonSchemaValue, schemas: JsonSchemaValue) -> None:
    """A body does not contain the parameters of the address."""
    places = {found["name"] for found in _PLACE.finditer(declared.path)} & {*keys_of(declared.body)}
    if not places:
        return
    schema = schemas[ref["$ref"].rpartition("/")[2]]
    schema["properties"] = {k: v for k, v in schema["properties"].items() if k not in places}
    schema["required"] = [key for key in schema.get("required", ()) if key not in places]


def _path(declared: Route) -> str:
    return _PLACE.sub(lambda found: f"{{{found['name']}}}", declared.path)


def _operation(declared: Route, refs: Refs) -> JsonSchemaValue:
    found: JsonSchemaValue = {
        "operationId": declared.operation,
        "summary": declared.summary,
        "tags": [declared.tag],
        "parameters": [*_places(declared), *_query(declared), *_headers(declared)],
        "responses": _responses(declared, refs),
    }
    if not found["parameters"]:
        del found["parameters"]
    if declared.needs is not Needs.NOBODY:
        found["security"] = [{"cookie": []}]
    if declared.takes:
        binary = {"schema": {"type": "string", "format": "binary"}}
        found["requestBody"] = {"required": True, "content": dict.fromkeys(declared.takes, binary)}
    elif declared.has_json:
        found["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": refs[declared.body, _REQUEST]}},
        }
    return found


def _places(declared: Route) -> list[JsonSchemaValue]:
    return [
        {
            "name": found["name"],
            "in": "path",
            "required": True,
            "schema": (
                {"type": "integer", "minimum": 0}
                if found["kind"] == "int"
                else {"type": "string", "minLength": 1}
            ),
        }
        for found in _PLACE.finditer(declared.path)
    ]


def _query(declared: Route) -> list[JsonSchemaValue]:
    if declared.query is None:
        return []
    schema = declared.query_schema.adapter.json_schema(ref_template=_REF)
    definitions = schema.pop("$defs", {})
    required = set(schema.get("required", ()))
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": _inlined(field, definitions),
        }
        for name, field in schema.get("properties", {}).items()
    ]


def _inlined(schema: object, definitions: JsonSchemaValue) -> object:
    """A schema without references, for queries."""
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str):
            name = target.rpartition("/")[2]
            return _inlined(definitions[name], definitions)
        found = {key: _inlined(value, definitions) for key, value in schema.items()}
        options = found.get("anyOf")
        if isinstance(options, list):
            # A query has no null: optional parameters are omitted.
            kept = [option for option in options if option != {"type": "null"}]
            if len(kept) == 1:
                found = {k: v for k, v in found.items() if k not in ("anyOf", "default")} | kept[0]
        return found
    return [_inlined(each, definitions) for each in schema] if isinstance(schema, list) else schema


def _headers(declared: Route) -> list[JsonSchemaValue]:
    return [_ORIGIN, _KEY] if declared.writes else []


def _responses(declared: Route, refs: Refs) -> JsonSchemaValue:
    schema: JsonSchemaValue = {"type": "object"}
    if declared.answer is not None:
        schema = refs[declared.answer, _RESPONSE]
    if declared.gives != "application/json":
        schema = {"type": "string"}
    statuses = {400, *declared.faults}
    if declared.needs is not Needs.NOBODY:
        statuses.add(401)
    if declared.needs in (Needs.PLAY, Needs.HOST):
        statuses.add(403)
    if declared.writes:
        statuses |= {403, 413}
        if declared.has_json or declared.takes:
            statuses.add(415)
    error_content = {"content": {"application/json": {"schema": refs[FaultAnswer, _RESPONSE]}}}
    return {
        "200": {
            "description": declared.summary,
            "content": {declared.gives: {"schema": schema}},
        },
        **{
            str(status): {"description": _FAULTS[status], **error_content}
            for status in sorted(statuses)
        },
    }
