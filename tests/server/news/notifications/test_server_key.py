"""The key of the server: what cannot be used is said, and never shown."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import update

from cadogan.server.core.database.tables import notification_keys
from cadogan.server.subjects.news.notifications.devices import NotificationKeyUnusable, ServerKey, StoredServerKey
from tests.harness.push_service import check_vapid
from tests.harness.running_server import RunningServer


def pem(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey) -> str:
    """A key as it is stored."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_a_signature_is_for_one_service_and_says_whom_to_turn_to() -> None:
    key = ServerKey(pem(ec.generate_private_key(ec.SECP256R1())))
    claims, public = check_vapid(key.authorize("https://push.example:8443/send/1?x=2", 7_000, "mailto:a@b.example"))
    assert claims == {"aud": "https://push.example:8443", "exp": 7 + 12 * 3600, "sub": "mailto:a@b.example"}
    assert public == key.public
    claims, _ = check_vapid(key.authorize("https://push.example/send/1", 7_000, ""))
    assert "sub" not in claims


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no key",
        pem(ec.generate_private_key(ec.SECP384R1())),
        pem(ed25519.Ed25519PrivateKey.generate()),
    ],
    ids=["empty", "text", "another curve", "another kind"],
)
def test_what_is_no_such_key_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(NotificationKeyUnusable) as refused:
        ServerKey(text)
    assert not text or text not in str(refused.value)


async def test_a_server_with_a_damaged_key_serves_all_the_same_and_says_so(sqlite_server: RunningServer) -> None:
    ada = await sqlite_server.guest()
    database = sqlite_server.server.database
    await StoredServerKey(database, sqlite_server.clock).get()
    async with database.writing() as connection:
        await connection.execute(update(notification_keys).values(private_key="no key"))
    with pytest.raises(NotificationKeyUnusable):
        await StoredServerKey(database, sqlite_server.clock).get()
    assert (await ada.get("/account/notifications"))[0] in (200, 409)  # read before, or refused
