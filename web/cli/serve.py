"""`dreyer serve`: the table server, for this machine unless told otherwise."""

import argparse
import errno
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from tabletop.errors import DreyerError

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080


def add_command(commands: Any) -> None:
    """Add `serve` to the command line."""
    parser = commands.add_parser(
        "serve",
        help="start the table server and open its page",
        description="Starts the table server on this machine and opens its page: the table as a "
        "chart, and the range, arcs and line of sight between any two ships.",
    )
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        help=f"the address to listen on (default {DEFAULT_HOST}: this machine alone)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=f"the port to listen on (default {DEFAULT_PORT}; 0 takes any that is free)",
    )
    table = parser.add_mutually_exclusive_group()
    table.add_argument(
        "--demo", action="store_true", help="show the demo battle, Denmark Strait (the default)"
    )
    table.add_argument(
        "--scene",
        type=Path,
        metavar="SCENE.toml",
        help="show your own table; edit the file and reload the page",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where battles will be kept; made if missing (nothing is kept in it yet)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    # Imported late: the other commands should not wait for the server's libraries.
    from waitress.server import create_server  # type: ignore[import-untyped]

    from web import create_app
    from web.scenes import scene_file

    if options.data is not None:
        _make_folder(options.data)
    source = None
    if options.scene is not None:
        source = scene_file(options.scene)
        source()  # A file that is wrong from the start is told here, where the user looks.
    listener = _listen(options.host, options.port)
    server = create_server(
        create_app(source, host=options.host), sockets=[listener], ident="dreyer"
    )
    address = f"http://{_in_url(options.host)}:{listener.getsockname()[1]}/"
    try:
        print(f"Dreyer Table is ready at {address} (Ctrl-C ends it)", flush=True)
        if not options.no_browser and _has_display():
            threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        listener.close()
    return 0


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number from 0 to 65535, got {text!r}")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror or error
        raise DreyerError(
            f"--data {path}: cannot be made a folder: {reason}; name another folder"
        ) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise DreyerError(f"--data {path}: cannot be written to; name another folder")


def _listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; every reason why it cannot be had names the remedy."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # A name with several addresses is served on the first of IPv4, as browsers expect it.
        family, _, _, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
        return socket.create_server(place[:2], family=family)
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            reason = f"port {port} is taken by another program: choose another with --port"
        elif number == errno.EACCES:
            reason = f"port {port} needs more rights: choose one above 1023 with --port"
        else:
            reason = (
                f"cannot listen on {host!r}: expected an address of this machine after --host, "
                f"such as {DEFAULT_HOST}"
            )
        raise DreyerError(reason) from None


def _in_url(host: str) -> str:
    """The host as the browser writes it; a server on all addresses is reached on this machine."""
    if host in ("0.0.0.0", "::", "*", ""):  # noqa: S104  # Only compared with, never bound to.
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _has_display() -> bool:
    """Whether opening a browser makes sense: not over a plain terminal line."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(address: str) -> None:
    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        # The address is on the terminal; a browser that does not start is no fault of the table.
        return
