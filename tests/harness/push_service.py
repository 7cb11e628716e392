"""A push service for tests: a real TLS server in this process, and devices that decrypt its notifications.

It checks the sender (VAPID, RFC 8292) and decrypts the body (RFC 8291, RFC 8188) itself, without the libraries with
which the server encrypts and signs.
"""

import asyncio
import hmac
import ipaddress
import json
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from tests.harness.patience import soon

ZONE = "Europe/Budapest"


@dataclass
class Arrived:
    """A received notification: the device's path, its content, its sender, and the request's headers."""

    path: str
    shown: dict[str, Any]
    claims: dict[str, Any]
    key: str
    headers: dict[str, str]


class Device:
    """A browser that has subscribed at the push service, with its keys."""

    def __init__(self, url: str, path: str, private_key: int | None = None, secret: bytes = bytes(range(16))) -> None:
        self.path = path
        self.endpoint = url + path
        self._secret = secret
        self._key = (
            ec.generate_private_key(ec.SECP256R1())
            if private_key is None
            else ec.derive_private_key(private_key, ec.SECP256R1())
        )

    @property
    def point(self) -> bytes:
        """The public key, uncompressed."""
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, *topics: str, **others: Any) -> dict[str, Any]:
        """Return the subscription to these topics that its page sends to the server."""
        keys = {"p256dh": encode(self.point), "auth": encode(self._secret)}
        return {"endpoint": self.endpoint, **keys, "topics": [*topics], "time_zone": ZONE, **others}

    def decrypt(self, body: bytes) -> bytes:
        """Decrypt an aes128gcm body of one record for this device."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        extracted = hmac.digest(self._secret, shared, sha256)
        keyed = hmac.digest(extracted, b"WebPush: info\0" + self.point + sender + b"\x01", sha256)
        seed = hmac.digest(salt, keyed, sha256)
        key = hmac.digest(seed, b"Content-Encoding: aes128gcm\0\x01", sha256)[:16]
        nonce = hmac.digest(seed, b"Content-Encoding: nonce\0\x01", sha256)[:12]
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return padded[:-1]


@dataclass
class PushService:
    """Received notifications, and the next responses; after the last it is 201. While `silent`, it never responds.

    `asked` counts all requests.
    """

    url: str = ""
    devices: dict[str, Device] = field(default_factory=dict)
    arrived: list[Arrived] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    retry_after: str = ""
    asked: int = 0
    silent: asyncio.Event | None = None
    _requests: asyncio.Queue[None] = field(default_factory=asyncio.Queue)
    _untaken: asyncio.Queue[Arrived] = field(default_factory=asyncio.Queue)

    async def next(self) -> Arrived:
        """Wait for the oldest notification that was not returned yet, and return it."""
        return await asyncio.wait_for(self._untaken.get(), soon())

    async def next_request(self) -> None:
        """Wait for a request that was not waited for yet, whether answered or not."""
        await asyncio.wait_for(self._requests.get(), soon())

    def device(self, name: str) -> Device:
        """Return a new device that has subscribed here."""
        return self.devices.setdefault(f"/send/{name}", Device(self.url, f"/send/{name}"))

    async def answer(self, request: web.Request) -> web.Response:
        """Receive a notification and respond. A request that violates the standards gets 400."""
        self.asked += 1
        self._requests.put_nowait(None)
        if self.silent is not None:
            await self.silent.wait()
        answer = self.answers.pop(0) if self.answers else 201
        if answer == 201:
            device, headers = self.devices[request.path], dict(request.headers)
            claims, key = check_vapid(headers["Authorization"])
            assert claims["aud"] == self.url
            assert headers["Content-Encoding"] == "aes128gcm"
            shown = json.loads(device.decrypt(await request.read()))
            self.arrived.append(Arrived(request.path, shown, claims, key, headers))
            self._untaken.put_nowait(self.arrived[-1])
        return web.Response(status=answer, headers={"Retry-After": self.retry_after} if self.retry_after else None)


def check_vapid(authorization: str) -> tuple[dict[str, Any], str]:
    """Return the claims of a sender and its key. Raises InvalidSignature, or AssertionError for another form."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    header, claims = (json.loads(decode(part)) for part in signed.split("."))
    assert header["alg"] == "ES256"
    raw = decode(signature)
    encoded = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
    public.verify(encoded, signed.encode(), ec.ECDSA(hashes.SHA256()))
    return claims, parts["k"]


def encode(raw: bytes) -> str:
    """Write bytes in base64url, without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Read bytes in base64url, without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """Start a push service, and stop it at the end. `folder` gets its certificate, `certificate.pem`."""
    made = PushService()
    app = web.Application()
    app.router.add_post("/{path:.*}", made.answer)
    server = TestServer(app, scheme="https")
    await server.start_server(ssl=_make_certificate(folder))
    made.url = str(server.make_url("")).rstrip("/")
    try:
        yield made
    finally:
        if made.silent is not None:
            made.silent.set()
        await server.close()


def _make_certificate(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push service")])
    now = datetime.now(UTC)
    local = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(local, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context
