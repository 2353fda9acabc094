"""A whole fight with a seed, told line by line; every ship carries her marks from step to step."""

import random
from pathlib import Path
from typing import Any

from combat.dice import RolledDice
from combat.report import Facts, Forbidden
from combat.rulesets.grand_fleets import load
from combat.rulesets.grand_fleets.fire import GrandFleetsFire
from tabletop.arcs import Quadrant
from tabletop.fields import Fields, parse_toml

FOLDER = Path(__file__).parent / "golden"
_STEP = ("by", "at", "battery", "range", "quadrant", "aspect", "turn", "conditions")


def fought() -> str:
    fire, tables = GrandFleetsFire(), load().tables
    document = parse_toml((FOLDER / "fight.toml").read_bytes(), "fight.toml")
    fields = Fields(document, "fight.toml", ("seed", "ships", "step"))
    types = document["ships"]
    assert isinstance(types, dict)
    dice = RolledDice(random.Random(fields.integer("seed", least=0, most=9999)))
    marks: dict[str, Any] = {}
    lines: list[str] = []
    for step in fields.tables("step", _STEP):
        by, at = step.text("by"), step.text("at") if "at" in step else ""
        more = step.value("conditions", "") if "conditions" in step else {}
        assert isinstance(more, dict)
        turn = str(step.integer("turn", 0, least=0, most=9))
        facts = Facts(
            firer=by,
            firer_type=types[by],
            target=at,
            target_type=types.get(at, ""),
            range_yards=step.number("range", 0.0),
            quadrant=Quadrant(step.choice("quadrant", list(Quadrant), "port")),
            aspect=Quadrant(step.choice("aspect", list(Quadrant), "port")),
            battery=step.text("battery"),
            conditions=(*more.items(), ("conditions.turn", turn)),
        )
        states = {"firer": marks.get(by, {}), "target": marks.get(at, {})}
        try:
            report = fire.resolve(fire.shot(facts, states), dice, tables)
        except Forbidden as refusal:
            lines.append(f"Refused: {refusal.reason} ({refusal.rule})")
            continue
        marks |= {name: report.after[role] for role, name in (("firer", by), ("target", at))
                  if role in report.after}  # fmt: skip
        lines += [f"{'  ' * line.depth}{line.text} ({line.reference})" for line in report.story]
    lines += [f"{name}: {state}" for name, state in marks.items()]
    return "\n".join(lines) + "\n"


def test_the_fight_is_told_as_it_was() -> None:
    assert fought() == (FOLDER / "fight.txt").read_text(encoding="utf-8")
