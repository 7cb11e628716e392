"""The table of all HTTP endpoints. The OpenAPI document is made from it, and the server's routes must match it."""

from cadogan.wire.endpoint import Endpoint
from cadogan.wire.endpoints import (
    account,
    analysis,
    documents,
    games,
    history,
    house,
    house_profile,
    house_schedule,
    mail,
    notifications,
    oidc,
    passkeys,
    players,
    races,
    reports,
    reviews,
    talk,
    webhooks,
)

ENDPOINTS: tuple[Endpoint, ...] = (
    *account.ENDPOINTS,
    *passkeys.ENDPOINTS,
    *oidc.ENDPOINTS,
    *mail.ENDPOINTS,
    *notifications.ENDPOINTS,
    *games.ENDPOINTS,
    *analysis.ENDPOINTS,
    *reviews.ENDPOINTS,
    *players.ENDPOINTS,
    *talk.ENDPOINTS,
    *races.ENDPOINTS,
    *house.ENDPOINTS,
    *house_profile.ENDPOINTS,
    *history.ENDPOINTS,
    *house_schedule.ENDPOINTS,
    *webhooks.ENDPOINTS,
    *reports.ENDPOINTS,
    *documents.ENDPOINTS,
)
