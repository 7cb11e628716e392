"""Webhook requests: for programs in the format of Standard Webhooks, and in the formats of Discord, Slack and Matrix.

Names come from players, so markup and mentions in them are escaped for chats.
"""

import json
import re
from datetime import UTC, datetime
from urllib.parse import quote

from standardwebhooks import Webhook

from cadogan.server.news.items import RenderedItem
from cadogan.server.news.requests import Outgoing
from cadogan.wire.webhooks import WebhookFormat

SECRET_PREFIX = "whsec_"
_DISCORD_MARKS = re.compile(r"([\\`*_~|>#\[\]()<@-])")


def make_request(
    format: WebhookFormat, url: str, secret: str, delivery: str, now: int, kind: str, rendered: RenderedItem
) -> Outgoing:
    """Return the request for a news item. `secret` is the webhook's secret; for Matrix, the access token.

    `delivery` is its id, which is the same for every retry; `now` is in milliseconds since 1970.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "cadogan-webhook"}
    match format:
        case "discord":
            body = {"content": _DISCORD_MARKS.sub(r"\\\1", rendered.text)[:2000], "allowed_mentions": {"parse": []}}
            return Outgoing("POST", url, headers, _json(body))
        case "slack":
            text = rendered.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return Outgoing("POST", url, headers, _json({"text": text}))
        case "matrix":
            headers["Authorization"] = f"Bearer {secret}"
            address = f"{url.rstrip('/')}/{quote(delivery, safe='')}"
            return Outgoing("PUT", address, headers, _json({"msgtype": "m.notice", "body": rendered.text}))
        case "standard":
            sent = _json({"type": kind.replace("_", "."), "timestamp": rendered.data["at"], "data": rendered.data})
            signed_at = datetime.fromtimestamp(now // 1000, UTC)
            headers |= {
                "webhook-id": delivery,
                "webhook-timestamp": str(now // 1000),
                "webhook-signature": Webhook(secret).sign(delivery, signed_at, sent.decode()),
            }
            return Outgoing("POST", url, headers, sent)


def _json(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
