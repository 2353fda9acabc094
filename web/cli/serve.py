"""`dreyer serve`: the table server, for this machine only until it is shared."""

import argparse
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.cli.commands import Commands, add_parser, help_text
from web.strings import LANGUAGE, text, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from web.data_folder import DataFolder
    from web.http.context import ServerContext
    from web.scenes import SceneSource

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080
_EVERYWHERE: Final = frozenset({"0.0.0.0", "::", "*", ""})  # noqa: S104  # Only compared with.
_WAKE_SECONDS: Final = 0.5
_MOST_CAMERAS: Final = 2


def add_command(commands: Commands) -> None:
    """Add `serve` to the command line."""
    parser = add_parser(commands, "serve")
    parser.add_argument(
        "--share",
        action="store_true",
        help=help_text("command.help.serve.share"),
    )
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        help=help_text("command.help.serve.host", default=DEFAULT_HOST),
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=help_text("command.help.serve.port", default=DEFAULT_PORT),
    )
    table = parser.add_mutually_exclusive_group()
    table.add_argument(
        "--demo",
        action="store_true",
        help=help_text("command.help.serve.demo"),
    )
    table.add_argument(
        "--scene",
        type=Path,
        metavar="SCENE.toml",
        help=help_text("command.help.serve.scene"),
    )
    camera = parser.add_mutually_exclusive_group()
    camera.add_argument(
        "--camera",
        action="append",
        metavar="SOURCE",
        help=help_text("command.help.serve.camera"),
    )
    camera.add_argument(
        "--no-camera", action="store_true", help=help_text("command.help.serve.no_camera")
    )
    parser.add_argument(
        "--no-browser", action="store_true", help=help_text("command.help.serve.no_browser")
    )
    parser.add_argument(
        "--language",
        default=None,
        metavar="CODE|FILE",
        help=help_text("command.help.serve.language"),
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=help_text("command.help.serve.data"),
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    # All that is imported and read for the start stays until the end: to search it for garbage
    # over and over would take a fifth of the start.
    gc.disable()
    try:
        return _serve(options)
    finally:
        gc.enable()


def _serve(options: argparse.Namespace) -> int:
    if len(options.camera or ()) > _MOST_CAMERAS:
        raise DreyerError("command.cameras", most=_MOST_CAMERAS)
    # Imported late, because the other commands do not need the server's libraries.
    from web import create_app
    from web.data_folder import DataFolder, EditedScene
    from web.http.server import serve
    from web.owner.cards.files import readable_library_in
    from web.owner.tables.files import default_data_folder
    from web.scenes import scene_file
    from web.server.listeners import listen

    _be_quiet()
    scene = None
    if options.scene is not None:
        # The scene's ships may be on the players' cards; a bad card file is reported when the table
        # is opened.
        folder = options.data or default_data_folder()
        scene = scene_file(options.scene, readable_library_in(folder, lambda _: None))
        scene()  # A wrong file is reported before anything is opened.
    everywhere = options.host in _EVERYWHERE
    alone = not everywhere and _is_this_machine(options.host)
    # A network address is served in addition to this machine's own, where the host's page is.
    with (
        listen(options.host if everywhere or alone else DEFAULT_HOST, options.port) as door,
        closing(DataFolder(options.data or default_data_folder())) as folder,
    ):
        server_context = _table(options, folder, scene)
        language = options.language or LANGUAGE.get()
        app = create_app(scene, host=options.host, server_context=server_context, language=language)
        own = _in_url(options.host if alone else DEFAULT_HOST)
        address = f"http://{own}:{door.getsockname()[1]}/"
        try:
            with (
                _ended_by_a_signal() as ended,
                serve(app, server_context, door, everywhere=everywhere),
            ):
                gc.freeze()
                gc.enable()
                print(text("host.terminal.ready", address=address), flush=True)
                if options.share and alone:
                    _share(server_context)
                elif not (alone or everywhere):
                    server_context.sharing.switch(on=True, address=_in_figures(options.host))
                if not options.no_browser:
                    threading.Thread(target=open_browser, args=(address,), daemon=True).start()
                chores = [_Announcer(server_context).news]
                if options.scene is not None:
                    chores.append(EditedScene(server_context.session, options.scene).reload)
                _until(ended, chores)
        finally:
            server_context.fairness.stop()
            server_context.captains.close()
            server_context.cameras.close()
            server_context.session.close()
    return 0


def _table(
    options: argparse.Namespace, folder: "DataFolder", scene: "SceneSource | None"
) -> "ServerContext":
    """The session and its camera."""
    from web.camera.table_access import SessionTable
    from web.camera.table_cameras import TableCameras
    from web.data_folder import battles_in
    from web.http.context import ServerContext

    battles = battles_in(folder, demo=options.demo, scene=scene, say=_warn)
    session = battles.session
    cameras = TableCameras(folder.path, SessionTable(session), session.update_camera)
    if options.camera:
        cameras.first.start(options.camera[0])
        if len(options.camera) > 1:
            cameras.second.start(options.camera[1])
        else:
            cameras.second.resume()
    elif options.no_camera or scene is not None:
        pass
    elif options.demo:
        cameras.first.start("demo", keep=False)
    else:
        cameras.resume()
        if not cameras.first.memory.setup.source and session.moment.state.demo:
            cameras.first.start("demo", keep=False)
    return ServerContext(session, watched=cameras, data_folder=folder.path, kept=battles)


def _warn(message: Message) -> None:
    print(words(message), file=sys.stderr, flush=True)


def _share(server_context: "ServerContext") -> None:
    """Share from the start; without a network the host can do it later on the page."""
    from web.server.sharing import CannotShare

    try:
        server_context.sharing.switch(on=True)
    except CannotShare as error:
        _warn(Message("host.terminal.not_shared", reason=error.message))


class _Announcer:
    """Prints how phones connect, whenever that changes."""

    def __init__(self, server_context: "ServerContext") -> None:
        self._running = server_context
        self._announced = ""

    def news(self) -> Message | None:
        """The text to print; None if nothing has changed."""

        now = self._running.join_link
        link = now.link if now.shared else ""
        if link == self._announced:
            return None
        self._announced = link
        return _how_to_join(now.address, self._running.session.seats.code, link)


@contextmanager
def _ended_by_a_signal() -> "Iterator[threading.Event]":
    """An event that is set by Ctrl-C or SIGTERM.

    A second Ctrl-C ends the program at once.
    """
    ended = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield ended
        return
    before = {which: signal.getsignal(which) for which in (signal.SIGINT, signal.SIGTERM)}

    def end(*_: object) -> None:
        ended.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for which, handler in before.items():
        # A shell's background job ignores Ctrl-C, which is meant for another process.
        if handler is not signal.SIG_IGN:
            signal.signal(which, end)
    try:
        yield ended
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)


def _until(ended: threading.Event, chores: "Sequence[Callable[[], Message | None]]") -> None:
    """Print announcements until the end."""
    while not ended.is_set():
        for message in filter(None, (look() for look in chores)):
            print(words(message), flush=True)
        ended.wait(_WAKE_SECONDS)


def _how_to_join(address: str, code: str, link: str) -> Message:
    from web.server.network import qr_text

    if not link:
        return Message("host.terminal.no_longer_shared")
    drawn = qr_text(link, coloured=sys.stdout.isatty())
    return Message("host.terminal.join", qr=drawn, address=address, code=code, link=link)


def _be_quiet() -> None:
    """Do not log phones that disconnect in the middle of a response."""
    logging.getLogger("tornado").setLevel(logging.CRITICAL)


def _port(typed: str) -> int:
    if typed.isascii() and typed.isdigit() and int(typed) <= 65535:
        return int(typed)
    raise argparse.ArgumentTypeError(str(text("command.port", found=typed)))


def _is_this_machine(host: str) -> bool:
    """Whether an address is a loopback address; an unknown name is reported later."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return True
    return all(ipaddress.ip_address(entry[4][0]).is_loopback for entry in found)


def _in_figures(host: str) -> str:
    """An address of this machine in numeric form."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return str(min(found, key=lambda entry: entry[0] != socket.AF_INET)[4][0])


def _in_url(host: str) -> str:
    """The host in the URL; a server on all addresses is reached at the loopback address."""
    if host in _EVERYWHERE:
        return DEFAULT_HOST
    return f"[{host}]" if ":" in host else host


def _has_display() -> bool:
    """Whether a browser can be opened."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open a page in the browser of this machine, where there is one."""
    if not _has_display():
        return
    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        # The address is on the terminal, so a browser that does not start is not an error.
        return
