"""The table of all HTTP endpoints. The OpenAPI document is made from it, and the server's routes must match it."""

from clients.wire.endpoint import Endpoint
from clients.wire.endpoints import account, analysis, documents, games, house, players, races

ENDPOINTS: tuple[Endpoint, ...] = (
    *account.ENDPOINTS,
    *games.ENDPOINTS,
    *analysis.ENDPOINTS,
    *players.ENDPOINTS,
    *races.ENDPOINTS,
    *house.ENDPOINTS,
    *documents.ENDPOINTS,
)
