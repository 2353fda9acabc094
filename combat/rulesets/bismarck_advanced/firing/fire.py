"""One fire from a shot file: resolved, told, and forecast."""

from collections.abc import Iterator, Sequence

from combat.dice import Dice
from combat.forecast import Forecast
from combat.report import (
    BatteryInfo,
    Condition,
    Facts,
    Line,
    Preview,
    Report,
    ShotFile,
    ShotKey,
    States,
    naming,
)
from combat.rulesets.bismarck_advanced.card import Card
from combat.rulesets.bismarck_advanced.firing.damage import HitReport
from combat.rulesets.bismarck_advanced.firing.gunnery import FireReport, resolve_fire
from combat.rulesets.bismarck_advanced.firing.odds import forecast_segment
from combat.rulesets.bismarck_advanced.firing.preview import (
    batteries_of,
    conditions_for,
    preview_shot,
    write_shot,
)
from combat.rulesets.bismarck_advanced.firing.shot import (
    Shot,
    check_allowed,
)
from combat.rulesets.bismarck_advanced.firing.shotfile import SHOT_KEYS, marks_of, read_shot
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tabletop.rules import TableRules


class AdvancedFire:
    """What the Advanced Game can do with a shot file."""

    def __init__(self, rules: TableRules) -> None:
        self._rules = rules

    @property
    def shot_keys(self) -> tuple[ShotKey, ...]:
        """Every key that its shot files may have."""
        return SHOT_KEYS

    def resolve(self, file: ShotFile, dice: Dice, tables: TableSet) -> Report:
        """Resolve the fire in a shot file with these dice."""
        shot, options = read_shot(file.data, file.source, self._rules)
        with naming(file):
            report = resolve_fire(shot, dice, Card.of(tables), options=options)
        after = {"firer": marks_of(report.firer_after), "target": marks_of(report.target_after)}
        return Report(as_document(report), tuple(as_story(report)), after)

    def forecast(self, files: Sequence[ShotFile], tables: TableSet) -> Forecast:
        """The exact odds of all the fires in some shot files, at one target."""
        shots: list[Shot] = []
        options = None
        for file in files:
            shot, options = read_shot(file.data, file.source, self._rules)
            with naming(file):
                check_allowed(shot)
            if shots and shot.target != shots[0].target:
                raise DreyerError(
                    f"{file.source}: target: expected {shots[0].target.name} in the same state as "
                    f"in {files[0].source}, got {shot.target.name}"
                )
            shots.append(shot)
        return forecast_segment(shots, Card.of(tables), options)

    def batteries(self, ship_type: str) -> tuple[BatteryInfo, ...]:
        """The batteries of a known ship, heaviest first; none for a ship it does not know."""
        return batteries_of(ship_type)

    def conditions(self, firer_type: str, target_type: str) -> tuple[Condition, ...]:
        """What a page may ask besides the facts."""
        return conditions_for(firer_type, target_type)

    def shot(self, facts: Facts, states: States | None = None) -> ShotFile:
        """The shot file of these facts and marks; what is not said is as usual."""
        return write_shot(facts, states)

    def preview(self, file: ShotFile, tables: TableSet) -> Preview:
        """The fire in a shot file before any die is thrown; a forbidden one says why."""
        shot, _ = read_shot(file.data, file.source, self._rules)
        return preview_shot(shot, Card.of(tables))


def as_document(report: FireReport) -> dict[str, object]:
    """A fire with the keys that scripts rely on."""
    return {
        "gunnery_factor": report.gunnery_factor,
        "segment": report.shot.sightline.band,
        "modifiers": [
            {
                "number": modifier.number,
                "value": modifier.value,
                "label": modifier.label,
                "reference": modifier.reference,
                "provenance": modifier.provenance,
            }
            for modifier in report.ledger
        ],
        "modifier_total": report.ledger.total,
        "dice": None if report.dice is None else str(report.dice),
        "row": report.row,
        "hits": report.hits,
        "hit_results": [_hit_document(hit) for hit in report.hit_reports],
        "ammunition": {"spent": report.ammunition_spent, "remaining": report.ammunition_left},
        "provenance": report.provenance,
    }


def _hit_document(hit: HitReport) -> dict[str, object]:
    return {
        "dice": " ".join(hit.dice),
        "location": hit.location,
        "place": hit.place,
        "armour": hit.armour,
        "armour_inches": hit.armour_inches,
        "penetration_inches": hit.penetration_inches,
        "penetrated": hit.penetrated,
        "effect": hit.effect,
        "provenance": hit.provenance,
    }


def as_story(report: FireReport) -> Iterator[Line]:
    """A fire in words: who, the ledger, the roll, and each hit as a short story."""
    shot = report.shot
    band = (shot.sightline.band or "").replace("_", " ")
    yield Line(
        f"{shot.firer.name} fires {report.guns} {shot.battery} gun{'s' * (report.guns != 1)} "
        f"at {shot.target.name}, "
        f"{shot.sightline.range_yards:,.0f} yards, {band} range",
        "61.1",
    )
    yield Line(f"Gunnery factor {report.gunnery_factor}", "62.43", 1)
    for modifier in report.ledger:
        if modifier.value:
            mark = modifier.number if isinstance(modifier.number, int) else "·"
            yield Line(f"{mark:>2} {modifier.value:+3d}  {modifier.label}", modifier.reference, 1)
    if report.dice is None:
        yield Line("A factor of 0 cannot hit and takes no dice", "62.43", 1)
    else:
        hits = {0: "miss", 1: "1 hit"}.get(report.hits, f"{report.hits} hits")
        yield Line(
            f"Roll {report.dice} {report.ledger.total:+d}: row {report.row}, {hits}", "62.44", 1
        )
    for number, hit in enumerate(report.hit_reports, start=1):
        yield Line(f"Hit {number}: {describe_hit(hit)}", hit.reference, 1)
    yield Line(
        f"Ammunition: {report.ammunition_spent} spent, {report.ammunition_left} left", "65", 1
    )


def describe_hit(hit: HitReport) -> str:
    """One hit in a sentence: where, against what armour, with what effect."""
    if hit.armour is None:
        return f"{hit.place}: {hit.effect}"
    if hit.armour_inches is None:
        armour = "unarmoured"
    else:
        shell = "no penetration" if hit.penetration_inches is None else (
            f'{hit.penetration_inches}" penetration'
        )  # fmt: skip
        armour = f'{shell} against {hit.armour_inches}"'
    return f"{hit.place}, {armour}: {hit.effect}"
