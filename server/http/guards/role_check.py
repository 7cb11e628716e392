"""Authorization: the one place where the roles of the table of endpoints are enforced."""

from aiohttp import web

from cadogan.server.core.errors import ConfirmationNeeded, Forbidden
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import current_session, require_player
from cadogan.wire.endpoint import ROLES, Endpoint


async def check_role(request: web.Request, endpoint: Endpoint) -> None:
    """Check that the current player has the role that the endpoint needs, and a confirmed session if it needs that.

    Raises Unauthorized, Forbidden and ConfirmationNeeded.
    """
    if endpoint.role is None:
        return
    player = await require_player(request)
    if not endpoint.is_for_house and not endpoint.confirmed:
        return
    standing = await server_of(request).house.roles.standing(player.id, current_session(request))
    if ROLES.index(standing.role) < ROLES.index(endpoint.role):
        if endpoint.role == "host":
            raise Forbidden("Only hosts may do this.")
        raise Forbidden("Only moderators and hosts may do this.")
    if endpoint.confirmed and not standing.confirmed:
        raise ConfirmationNeeded("Confirm that it is you before this.")
