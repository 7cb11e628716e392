"""The address of a server, as people write it."""

import pytest

from clients.sdk.errors import BadAddress
from clients.sdk.http import parse_origin


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("patience.example", "https://patience.example"),
        ("http://localhost:8000/daily?x=1", "http://localhost:8000"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ],
)
def test_an_address_becomes_an_origin(address: str, origin: str) -> None:
    assert parse_origin(address) == origin


@pytest.mark.parametrize("address", ["", "ftp://patience.example", "http://", "http://host:port", "http://me@host"])
def test_a_text_that_is_not_an_address_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        parse_origin(address)
