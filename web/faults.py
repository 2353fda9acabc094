"""Errors of requests, as status and message."""

from dataclasses import dataclass
from http import HTTPStatus

from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from tabletop.errors import BadField, DreyerError, UnknownKey, UnknownName
from tabletop.messages import Message
from web.auth.attempts import TooMany
from web.auth.seats import Forbidden, NotSeated, WrongKey
from web.journal.store import StoreFault
from web.strings import sentence, text, words


class Fault(DreyerError):
    """A request that cannot be answered, with its HTTP status."""

    def __init__(
        self, status: int, message: Message, *, field: str | None = None, wait: int | None = None
    ) -> None:
        self.status = status
        self.field = field
        self.wait = wait
        """Seconds after which to try again."""
        super().__init__(message.code, **dict(message.params))


@dataclass(frozen=True, slots=True)
class FaultResponse:
    """An error for the client: status, one sentence, the field, and when to retry."""

    status: int
    message: str
    field: str | None = None
    wait: int | None = None

    def as_json(self) -> dict[str, object]:
        """The body of the API's response."""
        return {"error": {"message": self.message, "field": self.field}}


def fault_response(error: Exception) -> FaultResponse:
    """The client's error for an exception."""
    if isinstance(error, DreyerError):
        return _own_fault(error)
    if isinstance(error, RequestEntityTooLarge):
        return FaultResponse(413, str(text("api.fault.larger_than_the_table")))
    if isinstance(error, HTTPException):
        return _http_fault(error)
    return FaultResponse(500, str(text("api.fault.broken")))


def _own_fault(error: DreyerError) -> FaultResponse:
    if isinstance(error, Fault):
        return FaultResponse(error.status, sentence(words(error)), error.field, error.wait)
    message = sentence(words(error))
    if isinstance(error, TooMany):
        return FaultResponse(429, message, wait=error.seconds)
    if isinstance(error, StoreFault):
        # Nothing was changed; the message has the remedy.
        return FaultResponse(503, sentence(words(error.without_folder)), wait=10)
    if isinstance(error, WrongKey):
        return FaultResponse(403, message, error.field)
    if isinstance(error, BadField):
        return FaultResponse(
            400, message if error.place else _of_request(error), error.field or None
        )
    return FaultResponse(_STATUS.get(type(error), 400), message)


def _of_request(error: BadField) -> str:
    """The message about a wrong request, with the fields' labels on the page."""
    if not error.field or isinstance(error, UnknownKey):
        return sentence(words(error))
    name, unit = error.field, ""
    for suffix in _UNITS:
        if name.endswith(f"_{suffix}"):
            name, unit = name.removesuffix(f"_{suffix}"), f" ({suffix})"
    return words(error.called(f"{sentence(name.replace('_', ' '))}{unit}"))


_UNITS = ("yards", "inches", "mm")


def _http_fault(error: HTTPException) -> FaultResponse:
    status = error.code or 500
    if status == 404:
        return FaultResponse(404, str(text("api.fault.nothing_here")))
    if status == 405:
        return FaultResponse(405, str(text("api.fault.method")))
    message = (
        error.description or HTTPStatus(status).description or str(text("api.fault.unanswered"))
    )
    return FaultResponse(status, message)


_STATUS = {
    UnknownName: 404,
    NotSeated: 401,
    Forbidden: 403,
}
