"""What an examination has found: a topic, how bad it is, the words and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tabletop.messages import Message
from web.strings import words


class Topic(StrEnum):
    """What is examined, in the order of the page."""

    PYTHON = "python"
    PACKAGES = "packages"
    DATA = "data"
    PERMISSIONS = "permissions"
    DISK = "disk"
    PORT = "port"
    NETWORK = "network"
    FIREWALL = "firewall"
    CAMERA = "camera"
    PRINT = "print"


class Grade(StrEnum):
    """How bad it is, from good to bad."""

    GOOD = "good"
    NOTE = "note"
    """Nothing is wrong, but the host may want to know."""
    WARNING = "warning"
    """Something will not work for some."""
    FAULT = "fault"
    """The table does not work."""


GRADES: Final = tuple(Grade)

Figure = str | int | float | bool | None | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    topic: Topic
    grade: Grade
    message: Message
    remedy: Message | None = None
    details: Mapping[str, Figure] = field(default_factory=dict)
    """The figures behind it, for `--json`."""

    def document(self) -> dict[str, object]:
        """The finding as JSON."""
        return {
            "topic": str(self.topic),
            "grade": str(self.grade),
            "code": self.message.code,
            "message": words(self.message),
            "remedy": None if self.remedy is None else words(self.remedy),
            "details": {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in self.details.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Examination:
    """All findings."""

    version: str
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> Grade:
        """The worst grade."""
        return max((finding.grade for finding in self.findings), key=GRADES.index)

    def document(self) -> dict[str, object]:
        """The examination as JSON."""
        return {
            "version": self.version,
            "worst": str(self.worst),
            "findings": [finding.document() for finding in self.findings],
        }
