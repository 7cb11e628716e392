"""No webhook goes into the network of the host, whatever its address says, and wherever it leads."""

import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.subjects.news.requests import InsideError, is_public, make_outside_socket
from tests.harness.hosts import with_role
from tests.harness.rebinding import Rebinding
from tests.harness.running_server import RunningServer
from tests.harness.webhook_actions import TOPICS, add, deliveries_of, work
from tests.harness.webhook_receiver import Receiver


async def test_no_webhook_goes_into_the_network_of_the_host(running_server: RunningServer, program: Receiver) -> None:
    host = await with_role(running_server, "Ada", "host")
    for url in (
        program.url,
        "http://localhost:9/",
        "http://[::1]/",
        "http://a.LocalHost.:9/",
        "http://169.254.169.254/latest",
        "http://10.1/",
    ):
        status, refused = await host.post("/house/webhooks", {"name": "In", "url": url, "topics": TOPICS})
        assert (status, refused["code"]) == (400, "bad_message")
    port = program.url.rpartition(":")[2].partition("/")[0]
    made = await add(host, f"http://news.example:{port}/")
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    await work(running_server)
    assert program.received == []


async def test_a_name_that_means_this_machine_when_it_counts_is_refused_at_the_socket(
    running_server: RunningServer, program: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.news.requests.OwnThreads", Rebinding)
    host = await with_role(running_server, "Ada", "host")
    port = program.url.rpartition(":")[2].partition("/")[0]
    made = await add(host, f"http://outside.example:{port}/")
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    await work(running_server)
    assert program.received == []
    (shown,) = await deliveries_of(host, made["id"])
    assert shown["problem"] == "inside"


async def test_a_redirect_is_not_followed(inside_server: RunningServer, program: Receiver) -> None:
    host = await with_role(inside_server, "Ada", "host")
    made = await add(host, program.url)
    program.answers = [program.url + "/elsewhere"]
    await host.post(f"/house/webhooks/{made['id']}/deliveries")
    await work(inside_server)
    assert [one.path for one in program.received] == ["/news"]
    (shown,) = await deliveries_of(host, made["id"])
    assert (shown["problem"], shown["status"]) == ("redirected", 302)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::10.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b:1::101:101",
        "ff02::1",
        "192.0.0.8",
        "192.0.0.192",
        "192.88.99.1",
        "168.63.129.16",
        "::ffff:168.63.129.16",
        "64:ff9b::168.63.129.16",
        "198.18.0.1",
        "203.0.113.7",
        "240.0.0.1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:0:8.8.8.8",
        "fec0::1",
        "fe80::1",
        "2002:808:808::1",
        "2001:0:808:808::1",
        "2001:db8::1",
        "2001:20::1",
        "3fff::1",
        "5f00::1",
        "100::1",
        "no address",
    ],
)
def test_an_address_that_is_not_public_gets_no_socket(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(InsideError):
        make_outside_socket((socket.AF_INET6, socket.SOCK_STREAM, 0, "", (address, 80)))


@pytest.mark.parametrize("address", ["1.1.1.1", "192.0.1.1", "168.63.129.17", "2606:4700::1111", "64:ff9b::101:101"])
def test_an_address_of_the_public_internet_gets_a_socket(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_nothing_is_public_that_python_knows_as_private(address: Any) -> None:
    assert not is_public(str(address)) or address.is_global or "64:ff9b::" in str(address)


@given(st.ip_addresses(network="10.0.0.0/8"), st.sampled_from(["::ffff:{}", "64:ff9b::{}"]))
def test_no_wrapping_makes_a_private_address_public(address: Any, wrapping: str) -> None:
    assert not is_public(wrapping.format(address))
