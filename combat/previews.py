"""What every rulebook says of an action in the same words: why not, line by line, beforehand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from combat.modifiers import Modifier
from combat.provenance import Provenance
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.places import PlaceLike


class Forbidden(DreyerError):
    """A fire that the rules do not allow, with the rule that says so."""

    def __init__(self, reason: Message, rule: str, source: PlaceLike = "") -> None:
        self.reason = reason
        self.rule = rule
        if source:
            super().__init__("errors.forbidden_in", source=source, reason=reason, rule=rule)
        else:
            super().__init__("errors.forbidden", reason=reason, rule=rule)


DocumentValue: TypeAlias = (
    "str | int | float | bool | Message"
    " | Sequence[DocumentValue] | Mapping[str, DocumentValue] | None"
)
"""A value of a document for scripts: JSON, with messages that become words where it is printed."""
Document: TypeAlias = Mapping[str, DocumentValue]
"""A document for scripts, by its keys; which there are depends on the rulebook and the action."""
REQUIRED: Final = Message("schema.shot.required")
"""The default of a key that must be there."""


@dataclass(frozen=True, slots=True)
class ShotKey:
    """One key of a shot file: where it stands, what it takes, and what it is without it."""

    name: str
    """With its table in front: "conditions.visibility"."""
    takes: Message
    default: Message
    """REQUIRED where there is none."""
    meaning: Message


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a report in words, with the rule it follows and its indent."""

    text: Message
    reference: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class RangeBand:
    """A band of ranges as players read it, up to and including its limit."""

    name: str
    title: Message
    upper_yards: float


@dataclass(frozen=True, slots=True)
class MountInfo:
    """One mount of a battery, and whether it can fire at this target."""

    name: str
    guns: int
    """How many of its guns can fire; all it has where it does not bear."""
    bears: bool
    title: Message = NO_WORDS
    """What players call it; no words where that is its name."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A fire before any die is thrown: what bears, how strong it is, and every modifier."""

    battery: str
    mounts: tuple[MountInfo, ...]
    factor: int | None
    """The strength that its table is entered with; None where the fire is forbidden."""
    factor_reference: Message
    ledger: tuple[Modifier, ...]
    total: int
    """The sum of the ledger: what is added to the dice."""
    provenance: Provenance
    """The least certain of the ledger's values."""
    forbidden: Message | None = None
    """Why the rules do not allow it; None where they do."""
    rule: str = ""
    """The rule that forbids it."""
    factor_label: Message = NO_WORDS
    """What players call the factor; empty where a page's own word will do."""
    total_label: Message = NO_WORDS
    """What players call the sum of the ledger."""

    @classmethod
    def refused(cls, battery: str, mounts: tuple[MountInfo, ...], error: Forbidden) -> "Preview":
        """A fire that the rules do not allow."""
        return cls(
            battery=battery,
            mounts=mounts,
            factor=None,
            factor_reference=NO_WORDS,
            ledger=(),
            total=0,
            provenance=Provenance.PRINTED,
            forbidden=error.reason,
            rule=error.rule,
        )

    @property
    def guns(self) -> int:
        """All the guns of the battery that could fire into some quadrant."""
        return sum(mount.guns for mount in self.mounts)

    @property
    def guns_bearing(self) -> int:
        """How many guns can fire at the target."""
        return sum(mount.guns for mount in self.mounts if mount.bears)
