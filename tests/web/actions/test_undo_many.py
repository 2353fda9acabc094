"""Many steps back in a row: no die is ever used for another shot than the one it was rolled for."""

import random
from collections import defaultdict

import pytest

from combat.dice import RolledDice
from combat.guided_actions import RollDice
from combat.guided_play import StepKind
from tests.web.actions.test_battle import (
    ANN,
    BOB,
    HOST,
    UMA,
    battle,
    play,
    plot_all,
    step,
)
from web.actions.battle import AskUndo, BeginBattle, Play, RollKept
from web.actions.table import ClearSmoke
from web.data_folder import table_in_memory
from web.faults import Fault
from web.scenes import demo_scene
from web.session import Session

STEPS = 80


def designate(session: Session, source: random.Random) -> None:
    """Both sides fire with some of their turrets, and commit."""
    for caller, ship, target, turrets in (
        (ANN, "Hood", "Bismarck", ("A", "B")),
        (BOB, "Bismarck", "Hood", ("A", "B", "X")),
    ):
        chosen = turrets[: source.choice((1, len(turrets)))]
        order = {"target": target, "turrets": chosen}
        play(session, caller, "designate", ship=ship, orders=[order])
        play(session, caller, "commit")


def take_step(session: Session, source: random.Random) -> None:
    """Whatever is next in the battle, or some steps back."""
    events = battle(session).record.events
    if events and source.random() < 0.25:
        back = source.choice(events[-8:]).n - 1
        known = [battle(session).record.begun, *(each.n for each in events)]
        session.act(UMA, AskUndo(max(n for n in known if n <= back)))
        return
    match step(session):
        case StepKind.PLOT if events:
            # Half of the plots, or the segment after: to anywhere before.
            known = [battle(session).record.begun, *(each.n for each in events[:-1])]
            session.act(UMA, AskUndo(source.choice(known)))
        case StepKind.PLOT:
            plot_all(session)
        case StepKind.MOVE:
            play(session, ANN, "move")
        case StepKind.DESIGNATE:
            for side, caller in (("british", ANN), ("german", BOB)):
                if side not in battle(session).step.waiting_for:
                    play(session, caller, "uncommit")
            designate(session, source)
        case StepKind.REDUCE:
            for side, caller in (("british", ANN), ("german", BOB)):
                if side in battle(session).step.waiting_for:
                    play(session, caller, "commit")
        case StepKind.RESOLVE:
            caller = source.choice((ANN, BOB))
            mine = "british" if caller is ANN else "german"
            wanted = battle(session).rulebook.all_wanted(battle(session).state)
            if any(each.side == mine for each in wanted):
                dice = RolledDice(random.Random(source.random()))
                try:
                    session.act(caller, Play(RollDice(only=True), dice))
                except Fault:
                    # Its dice fell before the step back, and are read again.
                    session.act(caller, RollKept())


@pytest.mark.parametrize("seed", range(4))
def test_dice_stay_with_their_very_shots_through_many_steps_back(seed: int) -> None:
    source, session = random.Random(seed), table_in_memory(demo_scene)
    session.act(HOST, ClearSmoke(1))
    session.act(HOST, BeginBattle())
    rolled, seen, again = defaultdict[object, set[tuple[int, ...]]](set), set[int](), 0
    for _ in range(STEPS):
        take_step(session, source)
        for each in battle(session).record.events:
            for roll in each.rolls if each.n not in seen else ():
                shot = (each.place, roll.purpose)
                if roll.again:
                    # Only what was rolled for the very same purpose of the very same shot.
                    again += 1
                    assert roll.faces in rolled[shot]
                rolled[shot].add(roll.faces)
                # A shot has one roll for one purpose, however often it was taken back.
                assert len(rolled[shot]) == 1, shot
            seen.add(each.n)
    assert again > 0
    session.close()
