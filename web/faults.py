"""What can be wrong with a request, as status and words; pages and API each write their answer."""

from dataclasses import dataclass

from werkzeug.exceptions import HTTPException

from tabletop.errors import BadField, DreyerError, UnknownKey, UnknownName
from tabletop.messages import Message, verbatim
from web.auth.attempts import TooMany
from web.auth.seats import Forbidden, NotSeated, WrongKey
from web.journal.store import StoreFault
from web.strings import sentence, strings, text, words


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


class NeedsConsent(DreyerError):
    """Other sides must agree to an action before it is done."""

    def __init__(self, about: Message, sides: frozenset[str]) -> None:
        self.about = about
        """What they are to agree to, in words that tell no secret."""
        self.sides = sides
        super().__init__("consent.asked")


@dataclass(frozen=True, slots=True)
class FaultResponse:
    """The answer to a fault: status, one sentence, the field at fault, when to come again."""

    status: int
    message: str
    field: str | None = None
    wait: int | None = None

    def as_json(self) -> dict[str, object]:
        """The body of the API's response."""
        return {"error": {"message": self.message, "field": self.field}}


def fault_response(error: Exception) -> FaultResponse:
    """What is answered where an exception was raised."""
    if isinstance(error, DreyerError):
        return _of_dreyer_error(error)
    return _of_status(error.code or 500 if isinstance(error, HTTPException) else 500)


def _of_dreyer_error(error: DreyerError) -> FaultResponse:
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
        if not error.place and error.field and not isinstance(error, UnknownKey):
            message = sentence(error.called(field_label(error.field)))
        return FaultResponse(400, message, error.field or None)
    return FaultResponse(_STATUS.get(type(error), 400), message)


def field_label(key: str) -> Message:
    """A field of a request as players read it; one without a label by its key."""
    code = f"fields.{key}"
    return Message(code) if code in strings() else verbatim(key)


def _of_status(status: int) -> FaultResponse:
    """What a status means, in our own words: those of the library are English."""
    code = f"api.status.{status}"
    found = code if code in strings() else "api.status.other"
    return FaultResponse(status, str(text(found, status=status)))


_STATUS = {
    NeedsConsent: 409,
    UnknownName: 404,
    NotSeated: 401,
    Forbidden: 403,
}
