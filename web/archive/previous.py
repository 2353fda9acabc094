"""A battle that has ended, whose ships continue in a following one."""

from dataclasses import dataclass

from combat.guided_actions import BattleOptions, EarlierBattles, StartingMarks
from combat.guided_play import Survivor
from combat.participants import UMPIRE
from combat.sides import Sides
from combat.weather import Visibility
from tabletop.errors import DreyerError
from tabletop.messages import ShipRef
from tabletop.scale import Scale
from web.table.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousBattle:
    """The data of an ended battle for the following one."""

    id: str
    title: str
    ruleset: str
    survivors: tuple[Survivor, ...]
    """All its ships, including those that do not continue."""
    follows: EarlierBattles
    """For the next battle."""
    sides: Sides
    yards_per_inch: float
    width_inches: float
    height_inches: float
    visibility: Visibility
    night: bool
    options: BattleOptions

    @property
    def going_on(self) -> tuple[Survivor, ...]:
        """The ships that may take part in the following battle."""
        return tuple(each for each in self.survivors if each.goes_on)

    def carried(self, name: str, type_: str) -> StartingMarks | None:
        """A ship's marks for the following battle; None if she is undamaged.

        Sunk ships have none.
        """
        found = next((each for each in self.survivors if each.name == name), None)
        if found is None:
            return None
        if not found.goes_on:
            raise DreyerError(
                "battles.plan.does_not_go_on",
                ship=ShipRef(name),
                why=found.why,
                rule=found.rule,
            )
        if found.type != type_:
            raise DreyerError("battles.plan.other_type", ship=ShipRef(name), type=found.type)
        return found.marks


def previous_battle(id_: str, moment: Moment) -> PreviousBattle:
    """The battle of a moment. Raises DreyerError if none has ended."""
    state, battle = moment.state, moment.battle
    if battle is None:
        raise DreyerError("battles.plan.nothing_fought", title=state.title)
    conditions = battle.view(UMPIRE).conditions
    inches = Scale(state.yards_per_inch).inches_from_yards
    return PreviousBattle(
        id=id_,
        title=state.title,
        ruleset=state.ruleset,
        survivors=battle.rulebook.survivors(battle.state),
        follows=battle.rulebook.next_of(battle.state),
        sides=state.sides,
        yards_per_inch=state.yards_per_inch,
        width_inches=inches(state.width_yards),
        height_inches=inches(state.height_yards),
        visibility=conditions.visibility,
        night=conditions.night,
        options=battle.rulebook.options(battle.state),
    )
