"""The address of NATS servers: what can be used, and what is refused with a reason that repeats no password."""

from __future__ import annotations

from pathlib import Path

import pytest

from cadogan.server.config import SettingError
from cadogan.server.config_sources import read_settings
from cadogan.server.core.cluster.nats_address import BadNatsAddress, NatsAddress, read_nats_address
from tests.harness.nats_cluster import make_certificate


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("nats://one", NatsAddress(("nats://one:4222",), "cadogan")),
        ("nats://ada:pw@one:1,two/club", NatsAddress(("nats://ada:pw@one:1", "nats://ada:pw@two:4222"), "club")),
        ("tls://[::1]:4223/?ca=a.pem", NatsAddress(("tls://[::1]:4223",), "cadogan", ca="a.pem")),
        ("nats://one?credentials=n.creds", NatsAddress(("nats://one:4222",), "cadogan", credentials="n.creds")),
    ],
)
def test_servers_prefix_and_files_are_read(url: str, address: NatsAddress) -> None:
    assert read_nats_address(url) == address


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://one", "is not one of"),
        ("nats://ada:secret@", "is not one of"),
        ("nats://ada:secret@one/a/b", "not a subject"),
        ("nats://ada:secret@one,,two", "not of the form host:4222"),
        ("nats://ada:secret@one:port", "not of the form host:4222"),
        ("tls://ada:secret@one?cert=a", "'cert' after the question mark"),
        ("nats://ada:secret@one?ca=a", "begin it with tls"),
        ("tls://ada:secret@one?key=a", "certificate and key together"),
    ],
)
def test_what_cannot_be_used_is_refused_without_the_password(url: str, reason: str) -> None:
    with pytest.raises(BadNatsAddress, match=reason) as refused:
        read_nats_address(url)
    assert "secret" not in str(refused.value)


def test_a_setting_with_files_is_refused_if_they_cannot_be_read(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    bus = f"tls://one?ca={tmp_path / 'certificate.pem'}"
    assert read_settings({"CADOGAN_BUS": bus}).bus == bus
    with pytest.raises(SettingError, match="names a file that cannot be used"):
        read_settings({"CADOGAN_BUS": bus + "x"})
