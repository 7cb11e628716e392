"""The HTTP bodies for webhooks, which send news of a server to other programs."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Count, Moment, Value

Topic = Annotated[
    Literal[
        "day_opened",
        "day_closed",
        "day_reviewed",
        "race_started",
        "race_ended",
        "evening_started",
        "evening_ended",
        "report_made",
        "findings_made",
    ],
    Meta(
        description="What is told. `day_reviewed` comes when the analyses of a closed day are complete. "
        "Of races and evenings, only those that everybody may join; `evening_ended` comes with the final standing. "
        "`report_made` and `findings_made` are "
        "for hosts: somebody has reported something, the copy detector has found something. They name nobody."
    ),
]
WebhookFormat = Annotated[
    Literal["standard", "discord", "slack", "matrix"],
    Meta(description="Whom the requests are for: a program (Standard Webhooks), or one of these chats."),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*\Z")
]
Address = Annotated[
    str,
    Meta(
        max_length=500,
        pattern=r"^https?://[!-~]+\Z",
        description="Where the requests go. The addresses of Discord and Slack are secrets, and are never shown again.",
    ),
]
DeliveryState = Annotated[
    Literal["waiting", "delivered", "failed"],
    Meta(description="`waiting` is sent again later, unless it was never sent; `failed` is given up."),
]
Problem = Annotated[
    Literal["inside", "unreachable", "too_slow", "redirected", "status"],
    Meta(
        description="Why it did not arrive: the address is in the host's own network, nobody answers, too late, the "
        "answer names another address, the answer's status is an error."
    ),
]


class NewWebhook(Value, frozen=True, kw_only=True):
    """Send news to a URL. `token` is only for Matrix: the access token of the sending account."""

    name: Name
    url: Address
    format: WebhookFormat = "standard"
    topics: Annotated[list[Topic], Meta(min_length=1, max_length=9)]
    language: Annotated[
        str, Meta(max_length=35, description="That of the texts for chats; English, if there are none in it.")
    ] = "en"
    token: Annotated[str, Meta(max_length=500, pattern=r"^[!-~]*\Z")] = ""


class Webhook(Value, frozen=True, kw_only=True):
    """A webhook without its secrets. `host` is the host name in its URL."""

    id: str
    name: str
    host: str
    format: WebhookFormat
    topics: list[Topic]
    language: str = "en"
    created_at: Moment
    waiting: Annotated[Count, Meta(description="How many deliveries have not arrived yet.")] = 0


class MadeWebhook(Webhook, frozen=True, kw_only=True):
    """A new webhook. `secret` signs its requests, and is shown only once; a chat has none."""

    secret: str = ""


class Webhooks(Value, frozen=True, kw_only=True):
    """All webhooks, the latest first."""

    webhooks: list[Webhook]


class Delivery(Value, frozen=True, kw_only=True):
    """A sent or queued request. `status` is that of the last answer, and `next_at` the time of the next retry."""

    id: str
    event: str
    about: str
    created_at: Moment
    state: DeliveryState
    attempts: Count
    status: int | None = None
    problem: Problem | None = None
    next_at: Moment | None = None


class Deliveries(Value, frozen=True, kw_only=True):
    """The last deliveries of a webhook, the latest first."""

    deliveries: list[Delivery]
