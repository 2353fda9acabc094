"""Actions and set-ups as journals, exports and requests have them.

The stored shape of an action is an envelope, `{"kind", "side", "data": {…}}`, whose data are the
action's fields, some of them under older names. `fields_of` turns it into the action's own fields
and `_envelope` back: no other place knows the envelope or an older name.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field

from combat.battle_actions import DiceSource, EnterDice
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
_ROLL_NEXT: Final = ("firer", "target", "battery")


def read_action(document: object) -> AdvancedAction:
    """The action that an entry of a journal or an export describes."""
    return _ACTIONS.read(fields_of(document))


def read_request(kind: str, data: Mapping[str, Any], side: str | None) -> AdvancedAction:
    """The action that a side asks for: it cannot say that the server rolled its dice."""
    action = read_action({"kind": kind, "side": side, "data": data})
    if isinstance(action, EnterDice) and action.how is not DiceSource.TYPED:
        raise BadField("dice", "how", "nothing: the server says how dice came in", action.how)
    if isinstance(action, EnterDice) and action.rolls:
        raise BadField("dice", "rolls", "nothing: the server says what dice are for", "a list")
    return action


def write_action(action: AdvancedAction) -> dict[str, Any]:
    """An action as a journal keeps it."""
    return _envelope({**_ACTIONS.write(action), "kind": action.kind, "side": action.side})


def read_setup(document: object) -> AdvancedSetup:
    """The set-up that a document describes; without sides, they are those of the ships."""
    setup = _SETUP.read(document)
    present = tuple(dict.fromkeys(ship.side for ship in setup.ships))
    return setup if setup.sides else replace(setup, sides=present)


def fields_of(document: object) -> dict[str, Any]:
    """The fields of an action, from the envelope that journals and exports of version 1 have."""
    if not isinstance(document, Mapping):
        raise BadField("action", "action", "an object", describe_value(document))
    kind, data = document.get("kind"), document.get("data")
    if data is not None and not isinstance(data, Mapping):
        raise BadField("action", "data", "an object", describe_value(data))
    found: dict[str, Any] = dict(data or {})
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
    return {**found, "kind": kind, "side": document.get("side")}


def _envelope(written: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope of an action's fields: `fields_of`, backwards."""
    data = {key: value for key, value in written.items() if key not in ("kind", "side")}
    kind = written["kind"]
    if "for_side" in data:
        data["side"] = data.pop("for_side")
    if "accept_all" in data:
        data["accept"] = data.pop("accept_all")
    if "conditions" in data:
        data["values"] = data.pop("conditions")
    if kind == "roll_next":
        kind = "rule"
        following = {key: data.pop(key) for key in _ROLL_NEXT if key in data}
        data["next"] = following
    return {"kind": kind, "side": written["side"], "data": data}
