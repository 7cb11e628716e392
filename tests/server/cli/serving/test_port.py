"""The port that several processes share."""

import socket
from contextlib import ExitStack, closing

import pytest

from cadogan.server.cli.serving.processes import Port
from tests.harness.patience import soon
from tests.harness.server_process import free_port


@pytest.mark.parametrize("spreads", [True, False])
def test_a_port_answers_as_long_as_one_process_listens(spreads: bool) -> None:
    number = free_port()
    with closing(Port("127.0.0.1", number, spreads)) as port, ExitStack() as stack:
        [one], [other] = port.sockets(), port.sockets()
        for listening in (one, other):
            stack.enter_context(listening).listen()
        one.close()
        with closing(socket.create_connection(("127.0.0.1", number), soon())):
            other.settimeout(soon())
            accepted, _ = other.accept()
            accepted.close()


@pytest.mark.skipif("sys.platform != 'linux'", reason="only Linux spreads connections")
def test_connections_are_spread_among_the_processes() -> None:
    number = free_port()
    with closing(Port("127.0.0.1", number)) as port, ExitStack() as stack:
        listening = [stack.enter_context(each) for _ in range(2) for each in port.sockets()]
        for each in listening:
            each.listen(64)
            each.settimeout(0)
        for _ in range(64):
            stack.enter_context(socket.create_connection(("127.0.0.1", number), soon()))
        counts = [count_waiting(each) for each in listening]
    assert sum(counts) == 64
    assert min(counts) > 8


@pytest.mark.parametrize("spreads", [True, False])
def test_a_port_on_which_somebody_listens_is_refused_even_if_that_one_would_share_it(spreads: bool) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(OSError, match=r"cannot listen on .*: Address already in use"):
            Port("127.0.0.1", other.getsockname()[1], spreads)


@pytest.mark.skipif("not socket.has_dualstack_ipv6()", reason="needs IPv6")
def test_the_host_of_all_addresses_is_every_one_of_both_families() -> None:
    number = free_port()
    with closing(Port("::", number)) as port, ExitStack() as stack:
        for each in port.sockets():
            stack.enter_context(each).listen()
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, number), soon()).close()


@pytest.mark.parametrize("spreads", [True, False])
def test_a_port_is_free_again_once_it_is_closed(spreads: bool) -> None:
    number = free_port()
    for _ in range(2):
        Port("127.0.0.1", number, spreads).close()


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(OSError, match="cannot listen on"):
        Port("192.0.2.1", free_port())


def count_waiting(listening: socket.socket) -> int:
    """How many connections wait to be accepted; they are accepted."""
    count = 0
    while True:
        try:
            accepted, _ = listening.accept()
        except BlockingIOError:
            return count
        accepted.close()
        count += 1
