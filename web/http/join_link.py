"""How phones come to this table: link and codes, as the host's page shows them."""

from urllib.parse import quote

from web.http.context import ServerContext
from web.views.table import JoinLink


def join_link(server_context: ServerContext) -> JoinLink:
    """The link at this moment; it follows the machine's address."""
    shared = server_context.sharing.now
    code = server_context.session.seats.code
    return JoinLink(
        shared=shared.reachable,
        address=shared.url,
        link=f"{shared.url}/join?code={quote(code)}",
        networks=shared.networks,
    )
