"""The description of the API: complete, true to the routes, and valid."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.web.phones import Phone, host_of, rules_of
from web.api.all_routes import all_routes
from web.api.openapi import document
from web.api.route import Needs, Route


@pytest.fixture
def described(app: Flask) -> dict[str, Any]:
    response = Phone(app).get("/openapi.json")
    assert response.status_code == 200
    found: dict[str, Any] = response.get_json()
    return found


def test_it_is_openapi(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    assert described["info"]["title"] == "Dreyer Table"


def test_every_route_of_the_api_is_described_and_nothing_else(
    app: Flask, described: dict[str, Any]
) -> None:
    """Under /api/ no route exists that was not declared."""
    told = {
        (method.upper(), path) for path, methods in described["paths"].items() for method in methods
    }
    there = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in rules_of(app)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") or rule.endpoint.startswith("api.")
    }
    assert told == there


def test_references_lead_somewhere(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            target = node.get("$ref")
            if target is not None:
                assert target.removeprefix("#/components/schemas/") in schemas
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(described)


def test_operation_names_are_unique(described: dict[str, Any]) -> None:
    names = [
        operation["operationId"]
        for methods in described["paths"].values()
        for operation in methods.values()
    ]
    assert len(names) == len(set(names))


def test_bodies_leave_no_room(described: dict[str, Any]) -> None:
    """Every object is closed, every text and list has an end, every number its bounds."""
    schemas = described["components"]["schemas"]
    bodies = [
        content["schema"]
        for methods in described["paths"].values()
        for operation in methods.values()
        for kind, content in operation.get("requestBody", {}).get("content", {}).items()
        if kind == "application/json"
    ]
    assert bodies
    for body in bodies:
        for ref in body.get("oneOf", [body]):
            name = ref.get("$ref", "").rpartition("/")[2]
            shape = schemas[name] if name else ref
            assert shape["additionalProperties"] is False
            inner = shape.get("properties", {}).get("data", {}).get("properties", {})
            for field, schema in {**shape.get("properties", {}), **inner}.items():
                for each in schema.get("anyOf", [schema]):
                    closed = {"enum", "const", "pattern"} & set(each)
                    if each.get("type") == "string" and not closed:
                        assert "maxLength" in each, (name, field)
                    if each.get("type") == "array":
                        assert "maxItems" in each, (name, field)


@pytest.mark.parametrize("declared", all_routes(), ids=lambda each: f"{each.method} {each.path}")
def test_rights_are_described_as_they_are(app: Flask, declared: Route) -> None:
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", declared.path)
    operation = document(all_routes())["paths"][path][declared.method.lower()]
    assert ("security" in operation) is (declared.needs is not Needs.NOBODY)
    if declared.needs is Needs.NOBODY:
        return
    concrete = re.sub(r"<(?:\w+:)?(\w+)>", "1", declared.path)
    response = Phone(app).send(declared.method, concrete, {} if declared.writes else None)
    assert response.status_code == 401
    assert "image" not in (response.mimetype or "")


def test_summaries_are_sentences_for_people(described: dict[str, Any]) -> None:
    for methods in described["paths"].values():
        for operation in methods.values():
            assert re.match(r"[A-Z]", operation["summary"])
            assert len(operation["summary"]) < 90


def test_what_scripts_rely_on_has_an_id_that_stays(app: Flask) -> None:
    paths = host_of(app).get("/openapi.json").get_json()["paths"]
    ids = {way["operationId"] for ways in paths.values() for way in ways.values()}
    assert {"join", "begin", "act", "dice", "undo", "view", "export", "import"} <= ids
    assert {"act_free", "undo_free", "view_free"} <= ids
