"""Actions of a battle as buttons send them, and as a rulebook checks them beforehand."""

from collections.abc import Mapping

from combat.guided_actions import BattleAction
from combat.guided_play import OrderedKind
from combat.views import ActionCheck
from tabletop.messages import Message
from tabletop.table import Pose
from web.games.guided_game import GuidedGame


def action_of(
    battle: GuidedGame, kind: OrderedKind, side: str | None, **data: object
) -> BattleAction:
    """An action of the battle's rulebook, as a request has it."""
    return battle.rulebook.schemas.action.read({"kind": kind, "side": side, **data})


def fault_of(battle: GuidedGame, kind: OrderedKind, side: str | None, **data: object) -> Message:
    """Why an action is not allowed now; no words where it is."""
    return battle.check(action_of(battle, kind, side, **data), ActionCheck).fault


def pose_data(pose: Pose) -> dict[str, float]:
    """A place as a request has it."""
    return {"x": pose.x_yards, "y": pose.y_yards, "heading": pose.heading_deg % 360}


def poses_data(poses: Mapping[str, Pose]) -> dict[str, dict[str, float]]:
    """Places by ship as a request has them."""
    return {ship: pose_data(pose) for ship, pose in poses.items()}
