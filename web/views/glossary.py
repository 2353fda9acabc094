"""Every term that pages explain, in the order of the glossary.

The words are in `web/strings/<language>/terms.toml`: `name`, what it is called; `forms`, the words
that stand for it in a text, with a comma between; `text`, what it means in a sentence or two.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from web.strings import text

ADVANCED: Final = "bismarck-advanced"
GRAND_FLEETS: Final = "grand-fleets"


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the rules, or of the table."""

    key: str
    rules: tuple[str, ...] = ()
    """The numbers of the rulebook's rules that it explains, with all that begin so: 57 has 57.3."""

    @property
    def name(self) -> str:
        """What it is called."""
        return str(text(f"terms.{self.key}.name"))

    @property
    def forms(self) -> tuple[str, ...]:
        """The words that stand for it in a text; # is a number."""
        forms = (each.strip() for each in str(text(f"terms.{self.key}.forms")).split(","))
        return tuple(each for each in forms if each)

    @property
    def meaning(self) -> str:
        """What it means, in a sentence or two."""
        return str(text(f"terms.{self.key}.text"))


@dataclass(frozen=True, slots=True)
class Chapter:
    """Terms that belong together."""

    key: str
    terms: tuple[Term, ...]
    rulebook: str = ""
    """The only rulebook that has them; empty for what every table has."""

    @property
    def title(self) -> str:
        """What it is called."""
        return str(text(f"terms.chapter.{self.key}"))


CHAPTERS: Final = (
    Chapter(
        "table",
        (
            Term("range"),
            Term("line_of_sight"),
            Term("close_call"),
            Term("measuring"),
            Term("sealed"),
            Term("umpire"),
            Term("base_six"),
            Term("expected_hits"),
            Term("provenance"),
        ),
    ),
    Chapter(
        "sequence",
        (
            Term("round", ("56",)),
            Term("segment"),
            Term("plot", ("57", "56.1", "56.5")),
            Term("move_step", ("56.2", "56.6")),
            Term("designate", ("56.3", "56.7", "61")),
            Term("resolve", ("56.4", "56.8", "62")),
            Term("mark_step", ("64.1",)),
            Term("commit"),
        ),
        ADVANCED,
    ),
    Chapter(
        "movement",
        (
            Term("movement_factor", ("58", "58.1", "58.3")),
            Term("speed", ("58.2", "58.4", "58.5", "58.6", "58.7", "58.8")),
            Term("notation", ("57.5",)),
            Term("full_turn", ("57.2", "67.2")),
            Term("short_turn", ("57.3", "57.4")),
            Term("follow", ("57.7",)),
            Term("plots_sealed", ("57.6",)),
            Term("weaving", ("67.3", "67.31")),
            Term("salvo_chasing", ("67.32", "67.33", "67.34")),
            Term("smoke_cover", ("67.6", "67.64")),
            Term("smoke_front", ("67.65",)),
            Term("collision", ("59",)),
            Term("withdrawal", ("66",)),
        ),
        ADVANCED,
    ),
    Chapter(
        "gunfire",
        (
            Term("range_band", ("61.5", "62.41")),
            Term("quadrant", ("60", "60.4", "61.4")),
            Term("aspect"),
            Term("turret", ("60.2", "60.3", "61.2")),
            Term("gunnery_factor", ("62.4", "62.42", "62.43")),
            Term("row", ("62.44",)),
            Term("modifier", ("62.5",)),
            Term("targeting", ("62.53",)),
            Term("simultaneous", ("62.2",)),
            Term("order_of_fire", ("62.3",)),
            Term("blocked", ("67.5",)),
            Term("rate_of_fire", ("67.4", "67.41")),
            Term("held_back", ("67.42",)),
            Term("ammunition", ("65",)),
            Term("jam", ("71",)),
            Term("visibility", ("55.22",)),
        ),
        ADVANCED,
    ),
    Chapter(
        "damage",
        (
            Term("hit_location", ("63", "63.2")),
            Term("penetration", ("63.3", "63.4", "63.5", "63.6")),
            Term("boxes", ("64", "64.2", "64.3", "64.33")),
            Term("hull", ("64.6", "64.8")),
            Term("superstructure", ("64.5",)),
            Term("turret_damage", ("64.31", "64.32", "64.35", "64.4")),
            Term("control", ("64.7", "64.71", "64.73")),
            Term("conning_tower", ("64.72",)),
            Term("torpedo", ("69",)),
            Term("torpedo_due", ("69.4",)),
            Term("launch_marker", ("69.5", "69.6", "69.7")),
            Term("destroyer", ("70", "23.13", "23.14")),
            Term("repair", ("68", "40", "19.3", "20.6", "17.2")),
            Term("air_strike", ("9.14", "27", "37")),
        ),
        ADVANCED,
    ),
    Chapter(
        "set_up",
        (
            Term("starting_range", ("55", "55.2")),
            Term("hidden", ("67.1", "61.6", "55.11", "55.28")),
            Term("formation", ("55.1", "55.111", "55.112", "55.113", "55.114")),
            Term("conversion", ("72",)),
        ),
        ADVANCED,
    ),
    Chapter(
        "fleets",
        (
            Term("division"),
            Term("initiative"),
            Term("out_of_command"),
            Term("speed_marker"),
            Term("attack_dice"),
            Term("damage_check"),
            Term("victory_points"),
        ),
        GRAND_FLEETS,
    ),
)


def chapters_of(rulebook: str) -> tuple[Chapter, ...]:
    """What the glossary has for a rulebook; all of it for none."""
    return tuple(each for each in CHAPTERS if not rulebook or each.rulebook in ("", rulebook))


def terms_of(rulebook: str) -> Iterator[Term]:
    """The terms that a rulebook's pages explain."""
    for chapter in chapters_of(rulebook):
        yield from chapter.terms


def rule_numbers(rulebook: str) -> Mapping[str, str]:
    """The keys of the terms by the numbers of the rules, for one rulebook."""
    return {rule: term.key for term in terms_of(rulebook) for rule in term.rules if rulebook}


def term_of_rule(rulebook: str, number: str) -> str | None:
    """The key of the term that explains a rule: that of the longest number that it begins with."""
    rules = rule_numbers(rulebook)
    while number:
        if number in rules:
            return rules[number]
        number = number[:-1].rstrip(".")
    return None
