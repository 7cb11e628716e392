"""The endpoints of webhooks."""

from cadogan.wire import webhooks as wire
from cadogan.wire.endpoint import API, Endpoint

WEBHOOKS = f"{API}/house/webhooks"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        WEBHOOKS,
        "list_webhooks",
        "List the webhooks",
        response=wire.Webhooks,
        role="host",
    ),
    Endpoint(
        "POST",
        WEBHOOKS,
        "add_webhook",
        "Send news to an address",
        request=wire.NewWebhook,
        response=wire.MadeWebhook,
        refusals=("too_many",),
        role="host",
    ),
    Endpoint(
        "DELETE",
        f"{WEBHOOKS}/{{id}}",
        "remove_webhook",
        "Send no news there any more",
        response=wire.Webhooks,
        refusals=("not_found",),
        role="host",
    ),
    Endpoint(
        "GET",
        f"{WEBHOOKS}/{{id}}/deliveries",
        "list_deliveries",
        "Show what was sent to a webhook, and what became of it",
        response=wire.Deliveries,
        refusals=("not_found",),
        role="host",
    ),
    Endpoint(
        "POST",
        f"{WEBHOOKS}/{{id}}/deliveries",
        "try_webhook",
        "Send a test to a webhook",
        response=wire.Deliveries,
        refusals=("not_found",),
        role="host",
    ),
)
