"""Access to the check of a pair, for the page, the API and the proof."""

import math
from dataclasses import dataclass, replace

from combat.scene_file import Scene
from combat.tables import TableSet
from tabletop.errors import DreyerError
from tabletop.survey import Survey, survey
from tabletop.table import Table
from web.auth.seats import Caller
from web.camera.measurement import Unmeasured, sigma_parts
from web.checks.battle_fire import DesignationLink, designation_link
from web.checks.pair_check import Check, CheckContext, check_pair
from web.http.context import server_context
from web.journal.events import Premeasure
from web.session import Session
from web.strings import text
from web.table.free_battle import free_battle
from web.table.moment import Moment, ShipNow, ShipNowState, ShipSource
from web.table.survey_text import sigma_text
from web.views.fog import seen_moment
from web.views.table import Measure, may_measure, may_measure_pair, standing_declarations

_SECONDS_IN_WORDS = 90
_WORTH_WHILE = 0.75
"""A remedy is told if it makes the uncertainty at most this share of what it is."""


@dataclass(frozen=True, slots=True)
class ShipNote:
    """A warning about a ship's figures."""

    words: str
    icon: str
    doubt: bool


@dataclass(frozen=True, slots=True)
class PairAccess:
    """A pair as a caller may see it."""

    moment: Moment
    caller: Caller
    firer: str
    target: str
    measure: Measure
    """yes, declare or no."""

    @property
    def may_show(self) -> bool:
        """Whether this umpire can show the result to the players."""
        if not self.caller.is_umpire or self.moment.state.premeasure is Premeasure.OPEN:
            return False
        declared = standing_declarations(self.moment)
        return not {(self.firer, self.target), (self.target, self.firer)} & declared.keys()

    def check(self, battery: str = "") -> tuple[CheckContext, Check]:
        """The check; only if measuring is allowed."""
        if self.measure is not Measure.YES:
            raise DreyerError(
                "check.pair.not_measured",
            )
        context = check_context(self.moment)
        check = check_pair(
            context,
            self.firer,
            self.target,
            battery=battery,
            decisions=self.moment.decisions(self.firer, self.target),
            ruling=self.moment.ruling(self.firer, self.target),
        )
        here = self.fire_here
        return context, here.with_battle_state(check, battery) if here else check

    @property
    def fire_here(self) -> DesignationLink | None:
        """What this caller may designate for the pair in a battle."""
        return designation_link(self.moment, self.caller, self.firer, self.target)

    def proof(self) -> tuple[Scene, Survey]:
        """The scene of the proof: the whole table, or only the pair and what is between."""
        context = check_context(self.moment)
        if may_measure(self.moment, self.caller) is Measure.YES:
            return context.scene, context.survey
        # Rings about the firer would show the ranges of other ships.
        blockers = context.survey[self.firer, self.target].blockers
        shown = {self.firer, self.target, *(blocker.name for blocker in blockers)}
        table = context.scene.table
        models = tuple(model for model in table.models if model.name in shown)
        scene = replace(context.scene, table=Table(models, table.smoke))
        return scene, survey(scene.table, scene.ruleset.table_rules, context.survey.limits)


def pair_access(session: Session, caller: Caller, firer: str, target: str) -> PairAccess:
    """A pair as a caller may see it; both ships must be on the table."""
    moment = seen_moment(session.moment, caller)
    return PairAccess(
        moment, caller, firer, target, may_measure_pair(moment, caller, firer, target)
    )


def check_context(moment: Moment) -> CheckContext:
    """The context of checks at this moment."""
    if moment.scene is None or moment.survey is None:
        raise DreyerError("table.fault.empty")
    ruleset = moment.scene.ruleset
    playable = ruleset.rulebook is not None
    battle = free_battle(moment, ruleset, tables_of(ruleset.name)) if playable else None
    return CheckContext(moment.scene, moment.survey, battle)


def tables_of(ruleset: str) -> TableSet:
    """The current tables; a battle keeps those of its beginning."""
    battle = server_context().session.moment.battle
    if battle is not None and battle.tables.ruleset == ruleset:
        return battle.tables
    return server_context().owner.tables(ruleset)


def ship_notes(session: Session, ships: tuple[ShipNow, ...]) -> list[ShipNote]:
    """Warnings about these ships' figures."""
    notes = []
    moving = [now.piece.name for now in ships if now.state is ShipNowState.MOVING]
    if len(moving) == 1:
        notes.append(ShipNote(str(text("check.moving", name=moving[0])), "turn", doubt=False))
    elif moving:
        names = str(text("check.moving_and")).join(moving)
        notes.append(ShipNote(str(text("check.moving_all", names=names)), "turn", doubt=False))
    for now in ships:
        name = now.piece.name
        placement = now.piece.placement
        if now.state is ShipNowState.STALE:
            notes.append(
                ShipNote(_last_seen(name, session.now() - (now.seen_at or 0)), "eye", True)
            )
        elif placement and placement.reason and now.source is not ShipSource.CAMERA:
            words = text("check.placed_by_hand", name=name, reason=placement.reason)
            notes.append(ShipNote(str(words), "hand", doubt=False))
    return notes


def narrower_note(
    moment: Moment, ships: tuple[ShipNow, ...], range_sigma_yards: float
) -> ShipNote | None:
    """What to measure so that the range between these ships gets surest, if it is worth while."""
    parts = sigma_parts(server_context().camera_thread)
    found = [parts[now.piece.name] for now in ships if now.is_sensed and now.piece.name in parts]
    if moment.scene is None:
        return None
    yards = moment.scene.scale.yards_from_mm(1.0)
    narrower: dict[Unmeasured, float] = {}
    for what in Unmeasured:
        each = [of_ship[what] for of_ship in found if what in of_ship]
        gain = yards**2 * sum(part.now_mm**2 - part.measured_mm**2 for part in each)
        least = yards * math.hypot(*(part.measured_mm for part in each))
        narrower[what] = max(math.sqrt(max(range_sigma_yards**2 - gain, 0.0)), least)
    best = min(narrower, key=lambda what: narrower[what])
    if narrower[best] > _WORTH_WHILE * range_sigma_yards:
        return None
    now, then = sigma_text(range_sigma_yards), sigma_text(narrower[best])
    return ShipNote(str(text(f"check.narrower_{best}", now=now, then=then)), "camera", doubt=False)


def _last_seen(name: str, seconds: float) -> str:
    if seconds < _SECONDS_IN_WORDS:
        return str(text("check.stale", name=name, n=max(1, round(seconds))))
    return str(text("check.stale_minutes", name=name, n=round(seconds / 60)))
