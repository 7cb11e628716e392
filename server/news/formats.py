"""The requests that webhooks are: for programs by Standard Webhooks, and as Discord, Slack and Matrix want them.

Names come from players, so what would be markup or a mention in a chat is taken out of force.
"""

import base64
import hmac
import json
import re
from hashlib import sha256
from urllib.parse import quote

from cadogan.server.news.items import Told
from cadogan.server.news.requests import Outgoing
from cadogan.wire.webhooks import WebhookFormat

SECRET_PREFIX = "whsec_"
_DISCORD_MARKS = re.compile(r"([\\`*_~|>#\[\]()<@-])")


def make_request(
    format: WebhookFormat, url: str, secret: str, delivery: str, now: int, kind: str, told: Told
) -> Outgoing:
    """Return the request for a piece of news. `secret` is that of the webhook: for Matrix, the access token.

    `delivery` is its id, the same however often it is sent; `now` is in milliseconds since 1970.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "cadogan-webhook"}
    match format:
        case "discord":
            body = {"content": _DISCORD_MARKS.sub(r"\\\1", told.text)[:2000], "allowed_mentions": {"parse": []}}
            return Outgoing("POST", url, headers, _json(body))
        case "slack":
            text = told.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return Outgoing("POST", url, headers, _json({"text": text}))
        case "matrix":
            headers["Authorization"] = f"Bearer {secret}"
            address = f"{url.rstrip('/')}/{quote(delivery, safe='')}"
            return Outgoing("PUT", address, headers, _json({"msgtype": "m.notice", "body": told.text}))
        case "standard":
            body = {"type": kind.replace("_", "."), "timestamp": told.data["at"], "data": told.data}
            sent, seconds = _json(body), str(now // 1000)
            headers |= {
                "webhook-id": delivery,
                "webhook-timestamp": seconds,
                "webhook-signature": sign(secret, delivery, seconds, sent),
            }
            return Outgoing("POST", url, headers, sent)


def sign(secret: str, delivery: str, seconds: str, body: bytes) -> str:
    """Return the signature of Standard Webhooks: HMAC-SHA256 over the id, the time and the body, with dots between."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    digest = hmac.digest(key, f"{delivery}.{seconds}.".encode() + body, sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def _json(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
