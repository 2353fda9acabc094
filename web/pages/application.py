"""The application: modules that answer addresses are imported when one is first asked for.

Importing all of them would take several times as long as all else at the start.
"""

import threading
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flask import Flask
from werkzeug.routing import PathConverter, Rule

from tabletop.schema import PARSING
from web.http.addresses import Address, Heads, head_of

if TYPE_CHECKING:
    from flask import Request
    from flask.templating import Environment
    from werkzeug.routing import MapAdapter


class ShipName(PathConverter):
    """A ship's name in an address: it may contain slashes, but not end with what follows a name."""

    regex = r"(?!.*/(?:place|follow|lift|side|part|ships)$)[^/].*?"


class _Rule(Rule):
    """A rule whose OPTIONS Flask answers."""

    provide_automatic_options = True


class Application(Flask):
    """Flask with addresses that are known by their heads until one of them is asked for."""

    url_rule_class = _Rule

    def __init__(self, import_name: str, modules: Heads) -> None:
        super().__init__(import_name)
        self.url_map.converters["ship"] = ShipName
        self.context_processor(_frame)
        self._modules = modules
        self._imported: set[str] = set()
        self._importing = threading.Lock()

    def create_url_adapter(self, request: "Request | None") -> "MapAdapter | None":
        """The addresses that a request is compared with."""
        if request is not None:
            head = head_of(request.path)
            self._import(name for name, heads in self._modules.items() if head in heads)
        return super().create_url_adapter(request)

    def url_for(self, endpoint: str, **values: Any) -> str:
        """The address of a page, perhaps of one that nobody has asked for yet."""
        name = endpoint.partition(".")[0]
        self._import(each for each in self._modules if each == f"{__package__}.{name}")
        return super().url_for(endpoint, **values)

    def create_jinja_environment(self) -> "Environment":
        """The environment of the templates, made for the first page."""
        from web.pages import frame

        environment = super().create_jinja_environment()
        frame.set_up(environment)
        return environment

    def import_all(self) -> None:
        """Import every module, as after requests for all addresses."""
        self._import(self._modules)

    def _import(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self._imported:
                continue
            with self._importing:
                if name not in self._imported:
                    self._add(import_module(name).routes.addresses())
                    self._imported.add(name)

    def _add(self, addresses: Iterable[Address]) -> None:
        for each in addresses:
            # Flask's own ways to add an address are closed from the first request on.
            rule = _Rule(each.path, endpoint=each.endpoint, methods=[each.method, "OPTIONS"])
            with PARSING:
                self.url_map.add(rule)
            if self.view_functions.setdefault(each.endpoint, each.view) is not each.view:
                raise ValueError(f"two views are called {each.endpoint}")


def _frame() -> dict[str, object]:
    from web.pages.frame import variables

    return variables()
