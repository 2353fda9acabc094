"""Actions and set-ups as journals, exports and requests have them.

A journal has an action by its own fields. Requests, and journals of version 0.1.0, name an action's
kind, its side and its data, and some fields of the data otherwise: `_fields` knows how.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field

from combat.rulesets.bismarck_advanced.flow.actions import AdvancedAction
from combat.rulesets.bismarck_advanced.flow.setup import AdvancedSetup
from combat.schema import Schema
from tabletop.errors import BadField, DreyerError
from tabletop.fields import describe_value

_ACTIONS: Final[Schema[AdvancedAction]] = Schema(
    Annotated[AdvancedAction, Field(discriminator="kind")], "action"
)
_SETUP: Final[Schema[AdvancedSetup]] = Schema(AdvancedSetup, "setup")
_FOR_SIDE: Final = ("commit", "uncommit")


def read_action(document: object) -> AdvancedAction:
    """The action that an entry of a journal or an export has."""
    return _ACTIONS.read(document)


def read_request(kind: str, data: Mapping[str, Any], side: str | None) -> AdvancedAction:
    """The action that a side asks for, or that an entry of version 0.1.0 has."""
    return _ACTIONS.read(_fields(kind, data, side))


def write_action(action: AdvancedAction) -> dict[str, Any]:
    """An action as a journal keeps it."""
    side = {} if action.side is None else {"side": action.side}
    return {"kind": action.kind, **side, **_ACTIONS.write(action)}


def read_setup(document: object) -> AdvancedSetup:
    """The set-up that a document describes; without sides, they are those of the ships."""
    setup = _SETUP.read(document)
    present = tuple(dict.fromkeys(ship.side for ship in setup.ships))
    return setup if setup.sides else replace(setup, sides=present)


def _fields(kind: str, data: Mapping[str, Any], side: str | None) -> dict[str, Any]:
    """The fields of an action as it has them."""
    found: dict[str, Any] = dict(data)
    if "kind" in found:
        raise DreyerError(f"{kind}: unknown key 'kind': it is said once, beside the data")
    acts_for = found.pop("side", None)
    if kind in _FOR_SIDE and acts_for is not None:
        found["for_side"] = acts_for
    elif kind == "move" and isinstance(found.get("accept"), bool):
        found["accept_all"] = found.pop("accept")
    elif kind == "correct" and found.get("ship") is None and "values" in found:
        found["conditions"] = found.pop("values")
    elif kind == "rule" and found.get("next") is not None:
        following = found.pop("next")
        if not isinstance(following, Mapping):
            raise BadField("rule", "next", "an object", describe_value(following))
        kind = "roll_next"
        found.pop("who", None)
        found |= following
    return {**found, "kind": kind, "side": side}
