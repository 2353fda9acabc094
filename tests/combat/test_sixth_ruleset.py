"""A rulebook that nobody has heard of, written into a temporary folder, plugs in as it is.

Nothing but the registry learns of it; commands, pages and the calculator take it like the others.
"""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rulebooks import registered
from tests.web.phones import host_of
from web import create_app
from web.cli import main

NAME = "battle-of-the-bathtub"
TABLE_TOML = """
title = "Battle of the Bathtub"
source = "Battle of the Bathtub (nobody, never), all of it"
needs_table = false
missing = ["the soap"]
[scale]
yards_per_inch = 1
provenance = "printed"
reference = "1"
[base]
length_inches = 1
width_inches = 1
provenance = "printed"
reference = "1"
[measure]
from = "centre"
provenance = "printed"
reference = "1"
[arcs]
bow_half_width_deg = 45
stern_half_width_deg = 45
provenance = "printed"
reference = "1"
[sight]
provenance = "printed"
reference = "1"
[[phase]]
title = "Splashing"
reference = "1"
rolls = ["splash"]
[[phase]]
title = "Drying"
reference = "5"
"""
SHIPS_TOML = """
[[ship]]
name = "Duck"
class = "DD"
nation = "Nursery"
[[ship]]
name = "Sponge"
class = "BB"
nation = "Kitchen"
"""
SPLASH_CSV = """row,column,value,provenance,reference
1,hits,0,printed,2
2,hits,0,printed,2
3,hits,0,printed,2
4,hits,1,printed,2
5,hits,1,printed,2
6,hits,2,printed,2
"""
EXAMPLES_TOML = """
[shot.splash]
firer = { name = "Duck" }
target = { name = "Sponge" }
fire = { battery = "splash" }
[[case]]
rule = "2"
source = "example"
what = "a six makes two hits"
kind = "hits"
given = { shot = "splash", dice = "6" }
expected = 2
"""
MODULE = """
from dataclasses import replace
from pathlib import Path

from combat.adding_up import odds_of
from combat.attack_rules import AttackRules, Strength
from combat.case_file import replay_cases, shots_in
from combat.dice import TypedDice
from combat.forecast import Forecast
from combat.modifiers import Ledger, Modifier
from combat.provenance import Provenance
from combat.report import BatteryInfo, Condition, Forbidden, Line, Report, Takes
from combat.ruleset import load_ruleset
from combat.shot_layout import Layout
from combat.record_sheets import RecordSheet, SheetPart
from combat.tables import TableSet, read_table
from combat.tablespec import TableSpec, every, whole

NAME = "battle-of-the-bathtub"
HERE = Path(__file__).parent
HULL = 6
SPEC = TableSpec(
    "splash", "Splash Table", tuple("123456"), ("hits",), every(whole(0, 9, "hits"))
)
LAYOUT = Layout(
    NAME,
    state=[Condition("soaked", "soaked", Takes.NUMBER, "0", "3", 0, HULL)],
    fire=[
        Condition(
            "battery", "weapon", Takes.CHOICE, "splash", "1",
            choices=(("splash", "Splash"),), asked=False,
        )
    ],
    conditions=[Condition("bubbles", "bubbles", Takes.FLAG, "false", "4")],
)


class Splashing(AttackRules):
    layout = LAYOUT

    def read(self, said, tables):
        return said

    def target_of(self, attack):
        return attack.word("target.name"), attack.number("target.state.soaked")

    def batteries(self, ship_type):
        return (BatteryInfo("splash", "Splash", 1),) if ship_type else ()

    def strength(self, attack, tables):
        if attack.number("firer.state.soaked") >= HULL:
            raise Forbidden("she is under water", "3")
        bubbles = -1 if attack.flag("conditions.bubbles") else 0
        line = Modifier("bubbles", bubbles, "Bubbles", "4", Provenance.PRINTED)
        return Strength(1, "1", Ledger((line,)), Provenance.PRINTED)

    def _hits(self, attack, dice, tables):
        die = dice.die("the splash") + self.strength(attack, tables).ledger.total
        return tables["splash"].integer(str(max(1, die)), "hits")

    def play(self, attack, dice, tables):
        hits = self._hits(attack, dice, tables)
        soaked = min(HULL, attack.number("target.state.soaked") + hits)
        story = (Line("Duck splashes", "1"), Line(f"{hits} hits", "2", 1))
        document = {"hits": hits, "provenance": "printed"}
        return Report(document, story, {"target": {"soaked": soaked}})

    def odds(self, attacks, tables):
        hits = odds_of(lambda dice: self._hits(attacks[0], dice, tables))
        return Forecast(hits, {"hit": 1 - hits.get(0, 0)}, {})


def sheet(name, ship_type, side, marks, tables):
    part = SheetPart("hull", "hull", "Hull", HULL, marks.get("soaked", 0), "boxes", "")
    house, funnels = (0.4, 0.6), ()
    return RecordSheet(
        name, ship_type, "DD", side, "in action", 0.0, "", 0.1, house, funnels, "both", (part,)
    )


def cases(tables):
    data, fire = (HERE / "examples.toml").read_bytes(), Splashing()
    shots = shots_in(data, "examples.toml", LAYOUT.read_fields)

    def hits(given):
        dice = TypedDice(given.text("dice"))
        return fire.play(shots[given.text("shot")], dice, tables).document["hits"]

    return replay_cases(NAME, data, "examples.toml", {"hits": (hits, ("shot", "dice"))})


def load():
    table = read_table((HERE / "tables" / "splash.csv").read_bytes(), "splash.csv", SPEC)
    ruleset = load_ruleset(NAME, HERE)
    tables = TableSet(NAME, [table])
    return replace(ruleset, tables=tables, fire=Splashing(), sheet=sheet, cases=cases)
"""


@pytest.fixture(autouse=True)
def bathtub(tmp_path: Path) -> Iterator[None]:
    """The folder, and the one line in the registry."""
    folder = tmp_path / "bathtub"
    for name, text in {
        "table.toml": TABLE_TOML,
        "ships/ships.toml": SHIPS_TOML,
        "tables/splash.csv": SPLASH_CSV,
        "examples.toml": EXAMPLES_TOML,
        "__init__.py": MODULE,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("bathtub", folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with registered(NAME, module.load):
        yield


def said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_the_commands_know_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = said(capsys, "rulesets")["rulesets"]
    assert isinstance(listed, list)
    assert NAME in [each["name"] for each in listed]
    assert said(capsys, "verify", NAME)["passed"] == 1
    assert said(capsys, "tables", NAME)["tables"]
    shot = tmp_path / "shot.toml"
    shot.write_text(
        f'ruleset = "{NAME}"\nfirer = {{ name = "Duck" }}\ntarget = {{ name = "Sponge" }}\n',
        encoding="utf-8",
    )
    assert said(capsys, "resolve", str(shot), "--dice", "6")["hits"] == 2
    assert said(capsys, "forecast", str(shot))["hits"] == {
        "0": pytest.approx(1 / 2),
        "1": pytest.approx(1 / 3),
        "2": pytest.approx(1 / 6),
    }


def test_the_pages_know_it() -> None:
    host = host_of(create_app())
    page = host.get(f"/calculator?ruleset={NAME}").text
    assert "Battle of the Bathtub" in page
    assert "the soap" in page
    body = {"ruleset": NAME, "said": {"firer": "Duck", "target": "Sponge"}, "dice": ["6"]}
    assert host.post("/api/attacks", body).status_code == 200
    fight = host.get(f"/attacks?ruleset={NAME}").text
    assert "2 hits" in fight
    assert "4 / 6" in fight
    assert "Drying" in fight, "a phase of its turn"
