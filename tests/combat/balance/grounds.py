"""What the tests of captains and of balance fight: a mirrored battle, and the smallest shipped."""

from combat.balance.plan import Plan, Sweep, plan_of
from combat.rulebooks import get_ruleset

TUTORIAL = "tutorial.toml"
MIRRORED = """
title = "Mirrored"
[scenario]
date = "1941"
story = "Two a side, of the same types, from the same places."
victory = "Whoever loses less."
audience = "Captains."
starting_range_yards = 16000
[[ship]]
name = "Red Flag"
type = "Scharnhorst"
side = "german"
x = 5000
y = 4000
heading = 90
[[ship]]
name = "Red Second"
type = "Prinz Eugen"
side = "german"
x = 3500
y = 4000
heading = 90
[[ship]]
name = "Blue Flag"
type = "Scharnhorst"
side = "british"
x = 5000
y = 20000
heading = 90
[[ship]]
name = "Blue Second"
type = "Prinz Eugen"
side = "british"
x = 3500
y = 20000
heading = 90
"""


def shipped(source: str = TUTORIAL) -> bytes:
    return get_ruleset("bismarck-advanced").scenario_files[source]


def tutorial_plan(
    battles: int = 4,
    seed: int = 3,
    vary: str | None = None,
    captains: tuple[str, ...] = ("quick",),
) -> Plan:
    """Battles of two ships."""
    sweep = None if vary is None else Sweep.read(vary)
    return plan_of(shipped(), TUTORIAL, battles=battles, seed=seed, captains=captains, sweep=sweep)


def mirrored_plan(battles: int, seed: int, *captains: str) -> Plan:
    return plan_of(
        MIRRORED.encode(), "mirrored.toml", battles=battles, seed=seed, captains=captains
    )
