"""The API of attacks on the calculator: roll one, take the last back, next round, clean sheets."""

import secrets
from typing import Annotated, Final

from pydantic import Field

from web.api.acting import acts
from web.api.reading import Line
from web.api.route import Model
from web.attacks.actions import MakeAttack, NewFight, NextRound, UndoAttack
from web.checks.room import tables_of

_CHANCE: Final = secrets.SystemRandom()
_Name = Annotated[Line, Field(min_length=1, max_length=40)]
_Key = Annotated[Line, Field(min_length=1, max_length=60)]
_Value = Annotated[Line, Field(max_length=60)]
_Dice = Annotated[str, Field(pattern="^[0-9]{1,2}$")]


class OfARuleset(Model):
    """Which fight is meant."""

    ruleset: _Name


class Attacking(OfARuleset):
    """The attack on the calculator: its answers, and the dice that fell for it."""

    said: Annotated[dict[_Key, _Value], Field(max_length=60)]
    dice: Annotated[list[_Dice], Field(default_factory=list, max_length=400)]
    roll: bool = False


def attack(ruleset: str, said: dict[str, str], dice: list[str], roll: bool) -> MakeAttack:
    """What came of it stands in the log and on the sheets."""
    return MakeAttack(ruleset, said, tuple(dice), roll, tables_of, _CHANCE)


acts("POST", "/api/attacks", "Roll the attack on the calculator", attack,
     body=Attacking, tag="attacks")  # fmt: skip
acts("POST", "/api/attacks/undo", "Take back the last attack; its dice are kept", UndoAttack,
     body=OfARuleset, tag="attacks")  # fmt: skip
acts("POST", "/api/attacks/round", "Go on to the next round of a fight", NextRound,
     body=OfARuleset, tag="attacks")  # fmt: skip
acts("POST", "/api/attacks/end", "Clean sheets: begin a new fight on the calculator", NewFight,
     body=OfARuleset, tag="attacks")  # fmt: skip
