"""The link and QR code with which phones join the table."""

from urllib.parse import quote

from web.http.context import ServerContext
from web.views.table import JoinLink


def join_link(server_context: ServerContext) -> JoinLink:
    """The current link, which follows the machine's address."""
    shared = server_context.sharing.now
    code = server_context.session.seats.code
    return JoinLink(
        shared=shared.reachable,
        address=shared.url,
        link=f"{shared.url}/join?code={quote(code)}",
        networks=shared.networks,
    )
