"""Pictures over HTTP: the endless multipart answer of a phone or network camera, taken apart."""

import base64
import contextlib
import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Final, Protocol

from tabletop.errors import DreyerError
from tabletop.messages import Message

LARGEST_PICTURE_BYTES: Final = 32_000_000
_LONGEST_HEAD: Final = 16_384
_CHUNK: Final = 65_536
_STREAM: Final = "multipart/x-mixed-replace"


class BrokenStream(DreyerError):
    """A stream that cannot be opened, or that does not send what it should."""


class Readable(Protocol):
    """Gives what has come in so far, at most so many bytes; nothing at the end."""

    def read1(self, size: int = ..., /) -> bytes:
        """The next bytes."""


class Answer:
    """An open HTTP answer with pictures in it: a stream of them, or one."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.content_type = response.headers.get_content_type()
        boundary = response.headers.get_param("boundary")
        self.boundary = boundary if isinstance(boundary, str) else ""

    @property
    def is_stream(self) -> bool:
        """Whether picture follows picture without asking again."""
        return self.content_type == _STREAM

    def pictures(self) -> Iterator[bytes]:
        """The pictures as they come, still encoded."""
        if self.is_stream:
            yield from parts(self._response, self.boundary)
        else:
            data = self._response.read(LARGEST_PICTURE_BYTES + 1)
            if len(data) > LARGEST_PICTURE_BYTES:
                raise _too_large()
            yield data

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError):
            self._response.close()


def open_answer(url: str, timeout_seconds: float) -> Answer:
    """Ask the camera for its pictures; a BrokenStream says what is wrong and what to do."""
    request = _request(url)
    opener = urllib.request.OpenerDirector()
    # Only http and https, and never through a proxy: the camera is in the same house.
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    host = urllib.parse.urlsplit(url).hostname
    try:
        response = opener.open(request, timeout=timeout_seconds)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(url, error.code) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise BrokenStream("vision.stream.silent", host=host, reason=_reason(error)) from None
    if response is None:
        raise BrokenStream("vision.stream.not_http", address=shown(url))
    answer = Answer(response)
    if not (answer.is_stream or answer.content_type.startswith("image/")):
        answer.close()
        raise BrokenStream(
            "vision.stream.no_pictures", address=shown(url), content_type=answer.content_type
        )
    return answer


def shown(url: str) -> str:
    """The address as it may be shown: without the password."""
    pieces = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(pieces._replace(netloc=pieces.netloc.rpartition("@")[2]))


def _request(url: str) -> urllib.request.Request:
    try:
        pieces = urllib.parse.urlsplit(url)
        usable = pieces.scheme in ("http", "https") and pieces.hostname
        _ = pieces.port
    except ValueError:
        usable = None
    if not usable or any(letter.isspace() for letter in url):
        raise BrokenStream("vision.stream.no_address", address=url)
    request = urllib.request.Request(shown(url))  # noqa: S310 - http or https, checked above.
    if pieces.username is not None:
        user = urllib.parse.unquote(pieces.username)
        password = urllib.parse.unquote(pieces.password or "")
        token = base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    return request


def _refused(url: str, code: int) -> BrokenStream:
    if code in (401, 403):
        return BrokenStream("vision.stream.password", address=shown(url))
    if code == 404:
        return BrokenStream("vision.stream.nothing_there", address=shown(url))
    return BrokenStream("vision.stream.error", address=shown(url), status=code)


def _reason(error: Exception) -> Message | str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return Message("vision.stream.timeout")
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror.lower()
    return " ".join(str(reason).split()) or type(error).__name__


def _too_large() -> BrokenStream:
    return BrokenStream("vision.stream.large", most=LARGEST_PICTURE_BYTES)


def parts(source: Readable, boundary: str) -> Iterator[bytes]:
    """The bodies of a multipart stream, one by one, until it ends.

    Cameras differ: some send a length with each part and some do not, some put the dashes into
    the boundary that they announce, and one without any boundary can still be told apart by
    where its parts' heads begin.
    """
    mark = b"--" + boundary.strip('"').lstrip("-").encode("latin-1", "replace")
    buffer = bytearray()

    def fill() -> bool:
        data = source.read1(_CHUNK)
        buffer.extend(data)
        return bool(data)

    while True:
        start = buffer.find(mark)
        end = buffer.find(b"\r\n\r\n", start) if start >= 0 else -1
        while end < 0:
            if len(buffer) > _LONGEST_HEAD:
                raise BrokenStream("vision.stream.no_parts")
            if not fill():
                return
            start = buffer.find(mark)
            end = buffer.find(b"\r\n\r\n", start) if start >= 0 else -1
        length = _length(bytes(buffer[start:end]))
        del buffer[: end + 4]
        if length is None:
            searched = 0
            while (found := buffer.find(b"\r\n" + mark, searched)) < 0:
                # The mark may lie across two chunks.
                searched = max(0, len(buffer) - len(mark) - 2)
                if len(buffer) > LARGEST_PICTURE_BYTES:
                    raise _too_large()
                if not fill():
                    return
            length = found
        if length > LARGEST_PICTURE_BYTES:
            raise _too_large()
        while len(buffer) < length:
            if not fill():
                return
        body = bytes(buffer[:length])
        del buffer[:length]
        if body:
            yield body


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None
