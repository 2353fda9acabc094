"""What can be wrong with a request, as status and words; pages and API tell it in their own way."""

import re
from dataclasses import dataclass
from http import HTTPStatus

from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from tabletop.errors import BadField, DreyerError, UnknownName
from web.auth.attempts import TooMany
from web.auth.seats import Forbidden, NotSeated, WrongKey
from web.journal.store import StoreFault


class Fault(DreyerError):
    """A request that cannot be answered, with the status that says so to programs."""

    def __init__(
        self, status: int, message: str, *, field: str | None = None, wait: int | None = None
    ) -> None:
        self.status = status
        self.field = field
        self.wait = wait
        """After how many seconds to try again."""
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Told:
    """A fault as it is told: status, one sentence, the field at fault, when to come again."""

    status: int
    message: str
    field: str | None = None
    wait: int | None = None

    def as_json(self) -> dict[str, object]:
        """The body of the API's answer."""
        return {"error": {"message": self.message, "field": self.field}}


def told(error: Exception) -> Told:
    """An exception as it is told."""
    if isinstance(error, DreyerError):
        return _told_ours(error)
    if isinstance(error, RequestEntityTooLarge):
        return Told(413, "This is larger than the table takes: send less")
    if isinstance(error, HTTPException):
        return _told_http(error)
    return Told(500, _BROKEN)


def _told_ours(error: DreyerError) -> Told:
    if isinstance(error, Fault):
        # Written as a sentence already, or beginning with the name of a field.
        return Told(error.status, str(error), error.field, error.wait)
    words = sentence(str(error))
    if isinstance(error, TooMany):
        return Told(429, words, wait=error.seconds)
    if isinstance(error, StoreFault):
        # Nothing was done and nothing is lost; the remedy stands in the words. Where the host
        # keeps the file is nobody else's business.
        return Told(503, sentence(_FOLDERS.sub("", str(error))), wait=10)
    if isinstance(error, WrongKey):
        return Told(403, words, error.field)
    if isinstance(error, BadField):
        return Told(400, words, error.field)
    return Told(_STATUS.get(type(error), 400), words)


def _told_http(error: HTTPException) -> Told:
    status = error.code or 500
    if status == 404:
        return Told(404, "There is nothing at this address.")
    if status == 405:
        return Told(405, "This address does not take that kind of request.")
    words = error.description or HTTPStatus(status).description or "This cannot be answered."
    return Told(status, words)


def sentence(text: str) -> str:
    """A message as a sentence: most begin small, since the command line puts its name before."""
    return text[:1].upper() + text[1:]


_FOLDERS = re.compile(r"^(?:[A-Za-z]:)?[^:]*[/\\]")
_STATUS = {
    UnknownName: 404,
    NotSeated: 401,
    Forbidden: 403,
}
_BROKEN = (
    "Something broke on our side; nothing that was entered is lost. "
    "Try again, and if it stays so, start the server anew."
)
