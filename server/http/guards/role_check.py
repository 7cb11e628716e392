"""Who may ask for what: the one place where the roles of the table of endpoints are enforced."""

from aiohttp import web

from cadogan.server.core.errors import ConfirmationNeeded, Forbidden
from cadogan.server.http import app_keys
from cadogan.server.http.requests import current_session, require_player
from cadogan.wire.endpoint import ROLES, Endpoint


async def check_role(request: web.Request, endpoint: Endpoint) -> None:
    """Check that who asks has the role that the endpoint needs, and has confirmed that it is they if it needs that.

    Raises Unauthorized, Forbidden and ConfirmationNeeded.
    """
    if endpoint.role is None:
        return
    player = await require_player(request)
    if not endpoint.is_for_house and not endpoint.confirmed:
        return
    standing = await request.app[app_keys.ROLES].standing(player.id, current_session(request))
    if ROLES.index(standing.role) < ROLES.index(endpoint.role):
        if endpoint.role == "host":
            raise Forbidden("Only hosts may do this.")
        raise Forbidden("Only moderators and hosts may do this.")
    if endpoint.confirmed and not standing.confirmed:
        raise ConfirmationNeeded("Confirm that it is you before this.")
