"""All that is looked at, for the command and for the host's page."""

from pathlib import Path

from tabletop.errors import DreyerError
from tabletop.messages import Message
from web.doctor.eyes import examine_camera, examine_print, stored_setup
from web.doctor.findings import Examination
from web.doctor.program import examine_packages, examine_python
from web.doctor.reachability import examine_firewall, examine_network, examine_port
from web.doctor.storage import examine_data, examine_disk, examine_permissions
from web.server.ports import Listener, listener_at
from web.version import own_version


def examine(
    folder: Path,
    port: int,
    *,
    is_server: bool = False,
    camera_trouble: Message | None = None,
    camera_source: str = "",
) -> Examination:
    """Examine this machine for a table with this data folder at this port.

    `is_server` says that this very program serves it; `camera_source` is what it looks through,
    `camera_trouble` why it sees nothing.
    """
    found = stored_setup(folder)
    setup = None if isinstance(found, DreyerError) else found
    # Another table of this program may have the camera: then it is not opened.
    taken = not is_server and listener_at(port) is Listener.THIS_PROGRAM
    return Examination(
        own_version(),
        (
            examine_python(),
            examine_packages(),
            examine_data(folder),
            examine_permissions(folder),
            examine_disk(folder),
            examine_port(port, is_ours=is_server),
            examine_network(),
            examine_firewall(port),
            examine_camera(
                setup,
                trouble=camera_trouble,
                watched=camera_source or (setup.source if taken and setup else ""),
            ),
            examine_print(found),
        ),
    )
