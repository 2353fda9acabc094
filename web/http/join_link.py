"""How phones come to this table: link and codes, as the host's page shows them."""

from urllib.parse import quote

from web.http.context import Running
from web.views.table import Joining


def joining(running: Running) -> Joining:
    """The link at this moment; it follows the machine's address."""
    shared = running.sharing.now
    code = running.session.seats.code
    return Joining(
        shared=shared.reachable,
        address=shared.url,
        link=f"{shared.url}/join?code={quote(code)}",
        networks=shared.networks,
    )
