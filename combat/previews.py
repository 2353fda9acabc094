"""Types shared by all rulebooks for refusals, reports and previews of an action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from combat.modifiers import Modifier
from combat.provenance import Provenance
from tabletop.errors import DreyerError
from tabletop.messages import NO_WORDS, Message
from tabletop.places import PlaceLike


class Forbidden(DreyerError):
    """An action that the rules forbid, with the rule."""

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
"""The default shown for a required key."""


@dataclass(frozen=True, slots=True)
class ShotKey:
    """The description of one key of a shot file."""

    name: str
    """The key with its table: "conditions.visibility"."""
    takes: Message
    default: Message
    """REQUIRED if there is none."""
    meaning: Message


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report, with its rule and indentation."""

    text: Message
    reference: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class RangeBand:
    """A band of ranges with its title, up to and including its limit."""

    name: str
    title: Message
    upper_yards: float


@dataclass(frozen=True, slots=True)
class MountInfo:
    """One mount of a battery, and whether it can fire at this target."""

    name: str
    guns: int
    """The guns that can fire; all its guns if it does not bear."""
    bears: bool
    title: Message = NO_WORDS
    """Its title; empty if that is its name."""


@dataclass(frozen=True, slots=True)
class Preview:
    """An action before any die is rolled: its mounts, its strength and every modifier."""

    battery: str
    mounts: tuple[MountInfo, ...]
    factor: int | None
    """The strength with which its table is entered; None if the action is forbidden."""
    factor_reference: Message
    ledger: tuple[Modifier, ...]
    total: int
    """The sum of the ledger, which is added to the dice."""
    provenance: Provenance
    """The worst provenance of the ledger's values."""
    forbidden: Message | None = None
    """Why the rules forbid it; None if they allow it."""
    rule: str = ""
    """The rule that forbids it."""
    factor_label: Message = NO_WORDS
    """The label of the factor; empty for the page's default."""
    total_label: Message = NO_WORDS
    """The label of the sum; empty for the page's default."""

    @classmethod
    def refused(cls, battery: str, mounts: tuple[MountInfo, ...], error: Forbidden) -> "Preview":
        """The preview of a forbidden action."""
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
        """The guns of the battery that can fire at all."""
        return sum(mount.guns for mount in self.mounts)

    @property
    def guns_bearing(self) -> int:
        """The guns that can fire at the target."""
        return sum(mount.guns for mount in self.mounts if mount.bears)
