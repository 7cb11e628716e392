"""A software authenticator with passkeys: creates keys, and signs challenges as a browser on one site sends them."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT_AND_VERIFIED = 0b101
HAS_KEY = 0b1000000


@dataclass
class Authenticator:
    """An authenticator used at one origin. It counts how often its keys are used."""

    origin: str
    count: int = 0
    flags: int = PRESENT_AND_VERIFIED
    keys: dict[str, ec.EllipticCurvePrivateKey] = field(default_factory=dict)

    def make(self, challenge: dict[str, Any], name: str = "Phone") -> dict[str, Any]:
        """Respond to a challenge for a new passkey."""
        credential, key = token_bytes(16), ec.generate_private_key(ec.SECP256R1())
        self.keys[encode(credential)] = key
        place = key.public_key().public_numbers()
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: place.x.to_bytes(32, "big"), -3: place.y.to_bytes(32, "big")})
        attested = bytes(16) + len(credential).to_bytes(2, "big") + credential + cose
        data = self._authenticator_data(challenge["site"], self.flags | HAS_KEY) + attested
        return {
            "name": name,
            "credential": encode(credential),
            "client_data": self._client_data("webauthn.create", challenge),
            "attestation": encode(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        }

    def sign(self, challenge: dict[str, Any], credential: str | None = None) -> dict[str, Any]:
        """Respond to a challenge with a passkey, by default the latest."""
        credential = credential or list(self.keys)[-1]
        self.count += 1
        data, client = (
            self._authenticator_data(challenge["site"], self.flags),
            self._client_data("webauthn.get", challenge),
        )
        signed = data + sha256(decode(client)).digest()
        return {
            "credential": credential,
            "client_data": client,
            "authenticator_data": encode(data),
            "signature": encode(self.keys[credential].sign(signed, ec.ECDSA(SHA256()))),
        }

    def _authenticator_data(self, site: str, flags: int) -> bytes:
        return sha256(site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client_data(self, type: str, challenge: dict[str, Any]) -> str:
        return encode(json.dumps({"type": type, "challenge": challenge["challenge"], "origin": self.origin}).encode())


def encode(value: bytes) -> str:
    """Encode bytes in base64url without padding."""
    return urlsafe_b64encode(value).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Decode base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
