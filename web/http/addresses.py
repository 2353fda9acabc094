"""Addresses, and what answers them, as the modules of pages and of the API declare them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    View = Callable[..., ResponseReturnValue]

AnyView = TypeVar("AnyView", bound="View")
Heads = Mapping[str, tuple[str, ...]]
"""Modules, each with the beginnings of the addresses that it answers (see `head_of`)."""


@dataclass(frozen=True, slots=True)
class Address:
    """One method at one address, and what answers it."""

    method: str
    path: str
    endpoint: str
    view: "View"


class Pages:
    """The pages of one module, with their addresses; endpoints begin with the module's name."""

    def __init__(self, module: str) -> None:
        self._name = module.rpartition(".")[2]
        self._addresses: list[Address] = []

    def addresses(self) -> Sequence[Address]:
        """All of them, in their order."""
        return self._addresses

    def get(self, path: str) -> Callable[[AnyView], AnyView]:
        """Declare what answers GET at an address."""

        def declare(view: AnyView) -> AnyView:
            endpoint = f"{self._name}.{view.__name__}"
            self._addresses.append(Address("GET", path, endpoint, view))
            return view

        return declare


def head_of(path: str) -> str:
    """The beginning of an address: its first part, or two parts under /api."""
    parts = [each for each in path.split("/") if each]
    return "/".join(parts[: 2 if parts[:1] == ["api"] else 1])
