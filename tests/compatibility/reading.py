"""What the recorded files are compared with: the one place that reads the application.

Where an interface changes, only this module is to change, and `playing.py` where it is one that is
played through; the recorded files never do.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask

from combat.actions import Action
from combat.dice import TypedDice
from combat.free_play import FreeRulebook, FreeState
from combat.participants import Ship
from combat.previews import Forbidden
from combat.provenance import Provenance
from combat.record_sheets import PartDetails
from combat.rulebooks import NAMES, get_ruleset
from combat.shot_file import ShotForm, resolve_shot
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tests.plain import plain
from tests.web.phones import Phone, fresh_app, host_of, running_in, seated
from web.auth.seats import Caller, Role, Seat
from web.battle.report.report import battle_report
from web.cli import main
from web.data_folder import DataFolder, battles_in
from web.games.free_game import FreeGame
from web.http.context import ServerContext
from web.owner.cards.files import write_cards
from web.owner.tables.files import effective_tables

Json = dict[str, Any]
DATA = Path(__file__).with_name("data")
ADDED_RULESETS = frozenset({"bismarck-battle-board"})
"""Rulebooks that were not there then."""
RECORDED_RULESETS = tuple(name for name in NAMES if name not in ADDED_RULESETS)


# The command line


def run_command(arguments: list[str]) -> int:
    """The exit code of `dreyer` with these arguments; what it says goes to the usual places."""
    try:
        return main(arguments)
    except SystemExit as left:
        return int(left.code or 0)


_ADDED_TO_A_STATE = frozenset(
    (
        *("turrets_spent", "torpedoes_fired", "jammed_guns", "rounds_of_fire", "sunk"),
        *("hull_solid", "turrets_solid", "secondaries_solid", "rudder_solid"),
    )
)
"""Keys of the Advanced Game's [firer.state] and [target.state] that were not there then."""


def described(document: Json) -> list[str]:
    """The keys of a shot file, without those that were added since."""
    names = [key["name"] for key in document["keys"]]
    advanced = "firer.state.rudder_faults" in names
    return sorted(
        name
        for name in names
        if not (advanced and ".state." in name and name.rpartition(".")[2] in _ADDED_TO_A_STATE)
    )


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of a shot: its document and the marks afterwards, or the refusal."""

    document: Json | None = None
    marks: dict[str, "ShipMarks"] = field(default_factory=dict)
    """By role."""
    rule: str | None = None
    """The rule that forbids it; None where it is allowed, or wrong for another reason."""


RECORDED_EDITION = 1
"""The edition of every rulebook in version 0.1.0, which knew no other."""
ADDED_KEYS = {
    "bismarck-advanced": {
        "edition",
        "options.every_held_back_gun_counts",
        "options.ammunition_by_turret",
        "conditions.antiaircraft",
        "conditions.bomber",
        "conditions.in_port",
        "conditions.planes",
        "conditions.zones_to_base",
    },
    "chase-of-the-bismarck": {
        "edition",
        "conditions.attackers",
        "conditions.convoy",
        "conditions.center_line",
        "conditions.heads_for_port",
        "conditions.line",
        "conditions.location",
        "conditions.shadowed",
        "conditions.spotted",
        "conditions.task_force",
        "conditions.fog",
        "conditions.in_port",
        "conditions.mends",
        "conditions.moves",
        "conditions.prize",
        "conditions.weather",
        *(
            f"{role}.state.{key}"
            for role in ("firer", "target")
            for key in (
                "escort",
                "zone",
                "position",
                "attacker",
                "visibility",
                "began",
                "fired",
                "torpedoes_assigned",
                "moved",
                "held_up",
                "tried_to_enter",
                "tried_to_abort",
                "convoy_points",
                "convoys_found",
                "convoys_sunk",
                "merchants_sunk",
            )
        ),
    },
    "arctic-disaster": {
        "edition",
        "conditions.agreed",
        "conditions.areas",
        "conditions.convoy",
        "conditions.convoy_area",
        "conditions.group",
        "conditions.leaver",
        "conditions.mover",
        "conditions.squares",
        "conditions.to_area",
        *(
            f"{role}.state.{key}"
            for role in ("firer", "target")
            for key in (
                "area",
                "group",
                "convoy",
                "fog",
                "began",
                "moved",
                "smoke_area",
                "fired_main",
                "fired_secondary",
                "first_firer",
                "air_attacked",
                "supported",
                "hindrance",
                "steps_taken",
                "supporters",
                "asked_to_end",
                "in_segments",
                "launched",
                "left",
                "main_target",
                "secondary_target",
                "submerged",
            )
        ),
    },
    "grand-fleets": {"firer.state.moved", "target.state.moved"},
}
"""Keys of a shot file that came with a later edition."""
ADDED_MARKS = {"moved"}
"""Marks that version 0.1.0 did not have; a fight of that time is played again and gets them."""


FILLED_SINCE = {"chase-of-the-bismarck", "arctic-disaster"}
"""Rulebooks with numbers that version 0.1.0 listed as missing."""


def in_recorded_edition(shot_file: str) -> str:
    """A shot file of version 0.1.0 as it is written today: the edition did not stand there."""
    return f"edition = {RECORDED_EDITION}\n{shot_file}"


def listed_in_recorded_edition(found: Json, ruleset: str, data_folder: Path) -> Json:
    """A list of tables with cells and checksum of version 0.1.0's, with an owner's values."""
    tables = effective_tables(ruleset, data_folder, RECORDED_EDITION)
    listed = []
    recorded = {table.name: table for table in tables}
    for each in found["tables"]:
        # A table that came with a later edition.
        if each["name"] not in recorded:
            continue
        table = recorded[each["name"]]
        counts = table.counts
        assert sum(counts.values()) == len(table.rows) * len(table.columns)
        # Edition 1 has no readings of a third party, and then they are not listed.
        assert not counts.pop(Provenance.THIRD_PARTY)
        listed.append({**each, "rows": len(table.rows), "cells": counts})
    return {**found, "tables": listed, "checksum": tables.checksum}


ADDED_TABLES = ("(bomber_hits)",)
"""How a list of what is missing names tables that the rulebook has got since."""


def without_what_is_missing_now(document: Json) -> Json:
    """A list of rulebooks without what those lack whose tables have been filled or added since."""
    listed = []
    for each in document["rulesets"]:
        kept = [
            words for words in each["missing"] if not any(name in words for name in ADDED_TABLES)
        ]
        rest = {key: value for key, value in each.items() if key != "missing"}
        listed.append(rest if each["name"] in FILLED_SINCE else {**rest, "missing": kept})
    return {**document, "rulesets": listed}


def resolve(shot: Json, dice: str) -> Resolved:
    """One shot resolved with typed dice, as `dreyer resolve` does it in the recorded edition."""
    found = get_ruleset(shot["ruleset"]).of_edition(RECORDED_EDITION)
    assert found.rulebook is not None
    rulebook, typed = found.rulebook(found.tables), TypedDice(dice)
    try:
        read = ShotForm(rulebook).read(shot, "shot.toml")
        outcome = resolve_shot(rulebook, read, typed)
        typed.finish()
    except Forbidden as error:
        return Resolved(rule=error.rule)
    except DreyerError:
        return Resolved()
    marks = {ship.side: ship_marks(rulebook, outcome.state, ship) for ship in read.state.ships}
    return Resolved(plain(rulebook.document(outcome.events)), marks)


@dataclass(frozen=True, slots=True)
class ShipMarks:
    """A ship's marks, and what an undamaged ship of her type has."""

    found: Json
    unmarked: Json


def ship_marks(rulebook: FreeRulebook[Any], state: FreeState[Any], ship: Ship) -> ShipMarks:
    """The marks of one ship."""
    return ShipMarks(
        rulebook.state_document(ship, state.marks[ship.id]),
        rulebook.state_document(ship, rulebook.fresh(ship)),
    )


# Journals and exports


@contextmanager
def opened(folder: Path) -> Iterator[Flask]:
    """The server on a data folder, until it is let go."""
    data = DataFolder(folder)
    battles = battles_in(data, demo=False, scene=None)
    try:
        yield fresh_app(ServerContext(battles.session, data_folder=folder, kept=battles))
    finally:
        battles.session.close()
        data.close()


@contextmanager
def journal_opened(journal: Path, folder: Path) -> Iterator[Flask]:
    """The server with a copy of this journal on its table."""
    (folder / "battles").mkdir(parents=True)
    shutil.copy(journal, folder / "battles" / "recorded.db")
    with opened(folder) as app:
        _resume(app, "recorded")
        yield app


@contextmanager
def export_opened(export: Path, folder: Path) -> Iterator[Flask]:
    """The server with this export taken in and laid on its table."""
    with opened(folder) as app:
        headers = {"Content-Type": "application/octet-stream"}
        data = export.read_bytes()
        taken = host_of(app).send("POST", "/api/battles/import", headers=headers, data=data)
        assert taken.status_code == 200, taken.text
        _resume(app, taken.get_json()["id"])
        yield app


def _resume(app: Flask, id_: str) -> None:
    answer = host_of(app).post(f"/api/battles/kept/{id_}/resume")
    assert answer.status_code == 200, answer.text


def people(app: Flask) -> dict[str, Phone]:
    """An umpire and a player of each side, newly seated."""
    found = {}
    for name, role, side in (
        ("umpire", "umpire", None),
        ("british", "player", "british"),
        ("german", "player", "german"),
    ):
        found[name] = seated(app, f"Reader {name}", role=role, side=side)
    return found


# A guided battle


def battle_seen(app: Flask) -> Json:
    """The battle on the table as the umpire and each side see it."""
    return {name: seen_by(phone, whole=name == "umpire") for name, phone in people(app).items()}


def seen_by(phone: Phone, *, whole: bool) -> Json:
    """The battle as one of them sees it; the whole with every record sheet."""
    battle = phone.view()["battle"]
    step, wanted = battle["step"], battle["wanted"]
    sheets = {ship["id"]: _sheet(phone, ship["id"]) for ship in battle["ships"]}
    story = _get(phone, "/api/battle/story")["story"]
    return {
        "step": {key: step[key] for key in ("kind", "round_number", "segment", "waiting_for")},
        "wanted": wanted and {key: wanted[key] for key in ("kind", "number", "side", "purpose")},
        **{key: battle[key] for key in _OF_A_BATTLE},
        "repairs": battle["repairs"] and _repairs(battle["repairs"]),
        "torpedo_markers": [_marker(each) for each in battle["torpedo_markers"]],
        "undo_request": _request(battle["undo"]["request"]),
        "ships": {ship["id"]: _ship(ship) for ship in battle["ships"]},
        "story_length": len(story),
        "story": [
            [
                line["text"]
                for line in (entry["line"], *entry["children"])
                # Version 0.1.0 did not say who had entered the dice.
                if not line["text"].startswith("The umpire entered ")
            ]
            for entry in story
        ],
        # The sheets that a side may see are the same as the umpire's.
        "sheets": sheets if whole else sorted(name for name, sheet in sheets.items() if sheet),
    }


def _request(request: Json | None) -> Json | None:
    """Who asks to go back, with the keys of then."""
    later = ("n", "steps", "back_to", "undone", "drafts", "retype")
    return request and {key: value for key, value in request.items() if key not in later}


def _ship(ship: Json) -> Json:
    """A ship with the keys of then; what she does not have was left out, and is null now."""
    kept = _without({"speeds": None, "withdrawal": None, "torpedoes": None}, ship)
    # Version 0.1.0 named what is wrong with a ship in the glance alone.
    kept.pop("conditions")
    if ship["glance"] is not None:
        kept["glance"] = f"{ship['name']}: {ship['glance']}"
    return {**kept, "base": _without({"bridge_offset": 0.0}, ship["base"])}


def _marker(marker: Json) -> Json:
    no_doubt = {"position_sigma": 0.0, "heading_sigma": 0.0}
    return {**marker, "place": _without(no_doubt, marker["place"])}


def _repairs(repairs: Json) -> Json:
    """Ports and refuelling were not there then."""
    kept = ("stays", "tries", "prospects")
    ships = {name: {key: ship[key] for key in kept} for name, ship in repairs["ships"].items()}
    return {**repairs, "ships": ships}


def _without(unsaid: Json, found: Json) -> Json:
    """All of it but the keys that were not there then, where they say nothing."""
    return {key: value for key, value in found.items() if key not in unsaid or value != unsaid[key]}


_OF_A_BATTLE = (
    *("title", "sides", "conditions", "committed", "wants_to_end", "ending", "smoke"),
    *("plots", "fires", "agreed", "designations", "dice_kept"),
)


def _sheet(phone: Phone, ship: str) -> Json | None:
    answer = phone.get("/api/battle/sheet", query_string={"ship": ship})
    if answer.status_code != 200:
        return None
    found: Json = answer.get_json()["sheet"]
    # The glance began with her name then.
    glance = f"{found['ship']}: {found['glance']}"
    return {**found, "glance": glance, "parts": [_part(each) for each in found["parts"]]}


def _part(part: Json) -> Json:
    """A part of a sheet with the details of then: those that her kind had, or that say anything."""
    then = _DETAILS[part["kind"]]
    new = {key: value for key, value in _NO_DETAILS.items() if key not in then}
    return {**part, "details": _without(new, part["details"])}


_NO_DETAILS: Json = plain(PartDetails())
_DETAILS = {
    "hull": ("belt", "boxes", "deck", "solid_boxes", "third"),
    "superstructure": ("boxes",),
    "turret": (
        *("ammunition", "arcs", "armour", "boxes", "can_fire", "crown", "guns", "jammed_guns"),
    ),
    "secondary": ("arcs", "armour", "guns"),
    "director": ("armour",),
    "plot": ("armour",),
    "radar": (),
    "conning_tower": ("armour", "modifier"),
    "rudder": ("armour", "faults"),
    "speed": ("previous", "speed"),
    "ammunition": ("by_turret", "spent"),
    "torpedoes": (),
}
"""What version 0.1.0 said of each kind of part, whether there was any of it or not."""


def _get(phone: Phone, path: str) -> Json:
    answer = phone.get(path)
    assert answer.status_code == 200, answer.text
    found: Json = answer.get_json()
    return found


def report_seen(app: Flask) -> Json:
    """The report: who fired at whom in each segment and hit how often, and the luck of each."""
    battle = running_in(app).session.moment.battle
    assert battle is not None
    report = battle_report(battle, Caller("u", seat=Seat("s9", "Reader", Role.UMPIRE, None)))
    host = host_of(app)
    return {
        "pages": {
            path: host.get(path).status_code for path in ("/report", "/report.html", "/report.pdf")
        },
        "segments": [
            {"key": list(each.key), "fires": [[f.firer, f.target, f.hits] for f in each.fires]}
            for each in report.segments
        ],
        "luck": [
            {"side": luck.side, "actual": list(luck.actual), "expected": list(luck.expected)}
            for luck in report.luck
        ],
    }


def ordered_battle_seen(app: Flask) -> Json:
    """A battle in which ships act in turn, as everybody sees it, with the record sheets of all."""
    umpire = seated(app, "Reader umpire", role="umpire", side=None)
    battle = umpire.view()["battle"]
    guided = running_in(app).session.moment.battle
    assert guided is not None
    return {
        "step": {key: battle["step"][key] for key in ("kind", "waiting_for")},
        "wanted": [[each["kind"], each["side"]] for each in battle["all_wanted"]],
        **{key: battle[key] for key in ("title", "round", "sides", "divisions", "order")},
        **{key: battle[key] for key in ("score", "flags", "declared")},
        "ended": bool(battle["ending"]),
        "ships": {
            ship["id"]: {key: ship[key] for key in _OF_AN_ORDERED_SHIP} for ship in battle["ships"]
        },
        "sheets": {
            ship["id"]: _get(umpire, f"/api/battle/sheet?ship={ship['id']}")["sheet"]["parts"]
            for ship in battle["ships"]
        },
        "actions": [
            [entry.action.kind, [roll.value for roll in entry.rolls]]
            for entry in guided.record.events
        ],
    }


_OF_AN_ORDERED_SHIP = (
    *("side", "type", "status", "pose", "division", "flagship", "in_command", "on_table"),
    *("acted", "may_act", "points"),
)


# A table without a battle


def table_seen(app: Flask) -> Json:
    """The table as its host sees it: ships, smoke, what was settled, every pair, and the log."""
    host = host_of(app)
    view = host.view()
    standing = [ship["name"] for ship in view["ships"] if ship["placed"]]
    pairs = {}
    for firer in standing:
        for target in standing:
            if firer != target:
                pairs[f"{firer} at {target}"] = _pair(host, firer, target)
    return {
        "table": view["table"],
        "ships": [{key: ship[key] for key in _OF_A_SHIP} for ship in view["ships"]],
        "smoke": view["smoke"],
        "premeasure": view["premeasure"],
        "declared": view["declared"],
        "pairs": pairs,
        "log": log_seen(app),
    }


def _pair(phone: Phone, firer: str, target: str) -> Json:
    answer = phone.get("/api/check", query_string={"firer": firer, "target": target})
    found = answer.get_json()
    fire = found.get("fire")
    return {
        **{key: found.get(key) for key in _OF_A_PAIR},
        "fire": fire and {key: fire.get(key) for key in _OF_A_FIRE},
    }


_OF_A_PAIR = (
    *("range_yards", "range_sigma_yards", "segment", "bearing_deg", "relative_bearing_deg"),
    *("quadrant", "aspect", "blocked", "smoke", "blockers", "close_calls", "settled", "ruling"),
)
_OF_A_FIRE = ("forbidden", "rule", "factor", "guns", "guns_bearing")
_OF_A_SHIP = (
    *("name", "type", "side", "placed", "x", "y", "heading", "length_yards", "width_yards"),
    *("source", "state", "follows", "note"),
)


def log_seen(app: Flask) -> list[str]:
    """The whole log, oldest line first, without times and without who reads it."""
    host = host_of(app)
    lines: list[Json] = []
    page = _get(host, "/api/log")
    while True:
        lines = [*page["log"], *lines]
        if not page["more"]:
            break
        page = _get(host, f"/api/log?before={lines[0]['n']}")
    return [f"{line['who']}: {_as_then(line['text'])}" for line in lines]


_WORDS_SINCE = (
    (r"put (.+) where the battle has them", r"placed \1"),
    (r"The umpire corrects .+ \(.+\): (.+)", r"corrected a value: \1"),
)
"""Lines of the log that say the same, or more, in other words than version 0.1.0 did."""


def _as_then(line: str) -> str:
    for now, then in _WORDS_SINCE:
        line = re.sub(rf"^{now}$", then, line)
    return line


# A data folder


def folder_seen(app: Flask) -> Json:
    """What a data folder keeps beside its journals: seats, battles, the owner's files."""
    host = host_of(app)
    battles = _get(host, "/api/battles")["battles"]
    server_context = running_in(app)
    return {
        "seats": [[seat["name"], seat["role"], seat["side"]] for seat in host.view()["seats"]],
        "battles": sorted(
            [each["id"], each["title"], each["step"], each["round"], each["ships"], each["open"]]
            for each in battles
        ),
        "checksums": {
            name: _recorded_tables(name, server_context).checksum for name in RECORDED_RULESETS
        },
        "own_cards": [
            tomllib.loads(write_cards("grand-fleets", [card]).decode())
            for card in server_context.cards.now("grand-fleets")
        ],
    }


def _recorded_tables(ruleset: str, server_context: ServerContext) -> TableSet:
    """The tables of the recorded edition with the owner's values."""
    tables = get_ruleset(ruleset).of_edition(RECORDED_EDITION).tables
    return tables.with_overlay(server_context.owner.now(ruleset).overlay)


# Fights on the calculator


def fights_seen(app: Flask, recorded: Json) -> Json:
    """Every rulebook's fight: its round, the attacks that stand, the marks, the dice kept."""
    found = {}
    for ruleset in RECORDED_RULESETS:
        now = free_now(app, ruleset)
        found[ruleset] = {
            "round": now.state.round_number if now else 1,
            "attacks": attacks_seen(app, ruleset),
            "marks": marks_seen(app, ruleset, recorded[ruleset]["marks"]),
            "kept": [
                [ruleset, *_parts(each.action), [roll.value for roll in each.rolls]]
                for each in (now.game.taken_back if now else ())
            ],
        }
    return found


def free_now(app: Flask, ruleset: str) -> FreeGame | None:
    """The battle in free play of a rulebook."""
    return running_in(app).session.moment.free.of(ruleset)


def _parts(action: Action) -> tuple[str, str, str]:
    """Who acts, at whom, and with what."""
    return getattr(action, "by", ""), getattr(action, "at", ""), action.kind


def marks_seen(app: Flask, ruleset: str, recorded: Json) -> Json:
    """What is marked on each ship that takes part.

    Version 0.1.0 left out what was not marked; it is left out here where it was then.
    """
    now = free_now(app, ruleset)
    if now is None:
        return {}
    seen = {}
    for ship in now.state.ships:
        marks = ship_marks(now.rulebook, now.state, ship)
        then = recorded.get(ship.name, {})
        seen[ship.name] = {
            key: value
            for key, value in marks.found.items()
            if key in then or (key not in ADDED_MARKS and value != marks.unmarked[key])
        }
    return seen


def attacks_seen(app: Flask, ruleset: str) -> list[Json]:
    """The attacks that stand under a rulebook, the earliest first."""
    now = free_now(app, ruleset)
    if now is None:
        return []
    found = []
    for entry, round_number, played in now.actions():
        firer, target, battery = _parts(played.action)
        story = [line.text for line in now.story(played)]
        server = {roll.by_server for roll in played.rolls}
        found.append(
            {
                "round": round_number,
                "firer": firer,
                "target": target,
                "battery": battery,
                "dice": [roll.value for roll in played.rolls],
                "how": getattr(entry.event, "how", "rolled" if True in server else "typed"),
                "document": plain(now.rulebook.document(played.events)),
                "words": story[0],
                "outcome": story[-1] if story[-1] != story[0] else "",
                "who": entry.who,
                "story": story,
            }
        )
    return found


def board_seen(app: Flask, ruleset: str) -> Json:
    """A fight on a board: edition, round, the marks of all ships, the actions with their dice."""
    now = free_now(app, ruleset)
    assert now is not None
    return {
        "edition": now.record.edition,
        "round": now.state.round_number,
        "marks": {
            ship.name: now.rulebook.state_document(ship, now.state.marks[ship.id])
            for ship in now.state.ships
        },
        "actions": [
            {
                "round": round_number,
                "parts": list(_parts(played.action)),
                "dice": [roll.value for roll in played.rolls],
                "document": plain(now.rulebook.document(played.events)),
            }
            for _, round_number, played in now.actions()
        ],
        "kept": [[roll.value for roll in each.rolls] for each in now.game.taken_back],
    }


def fight_pages(app: Flask) -> dict[str, int]:
    """How the pages of every rulebook's fight are answered, by the addresses of then."""
    host = host_of(app)
    now = {"attacks": "fight", "calculator": "calculator"}
    return {
        f"/{then}?ruleset={name}": host.get(f"/{page}?ruleset={name}").status_code
        for name in RECORDED_RULESETS
        for then, page in now.items()
    }
