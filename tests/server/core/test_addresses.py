"""Hosts, origins and addresses are read once into one form, however they are written; what has none is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.addresses import Origin, read_address, read_forwarded, read_host

ONE_ORIGIN = {
    "https://xn--bcher-kva.example": [
        "https://bücher.example",
        "HTTPS://BÜCHER.Example:443/",
        "https://xn--Bcher-KVA.example.",
        "https://b%C3%BCcher.example",
        "https://bu\u0308cher。example",
    ],
    "https://patience.example:80": ["https://patience.example:080"],
    "http://patience.example": ["http://patience.example:80", "http://Patience.example.:", "http://patience.example/"],
    "https://[2001:db8::7]": ["https://[2001:0DB8:0000:0000::0007]:443"],
    "http://[2001:db8::7]:8000": ["http://[2001:db8:0:0:0:0:0:7]:8000"],
    "http://10.0.0.7": ["http://[::ffff:10.0.0.7]", "http://[::ffff:a00:7]:80", "http://１０.0.0.7."],
}
NO_ORIGINS = {
    "is not an origin": ["patience.example", "ftp://patience.example", "*", ""],
    "cannot be below a path": [
        "https://patience.example/play",
        "https://a.example/?",
        "https://a.example#x",
        "http://a\\b",
    ],
    "no name of a user": ["https://ann:secret@patience.example", "https://ann@patience.example"],
    "is not the name of a host": [
        "https://*.example",
        "https://a..b",
        "https://.",
        "https://a%2Fb",
        "https://" + "a" * 64,
    ],
    "is not a host": ["https://", "https://[::1", "https://2001:db8::7", "https://a:b"],
    "is not an address": [
        "http://127.1",
        "http://0x7f.0.0.1",
        "http://2130706433",
        "http://300.1.1.1",
        "http://10.0.0.08",
    ],
    "is not an IPv6 address": ["http://[10.0.0.7]", "http://[localhost]"],
    "names a zone": ["http://[fe80::7%25eth0]", "http://[fe80::7%eth0]"],
    "is not from 1 to 65535": ["https://patience.example:0", "https://patience.example:99999"],
    "in its ASCII form": ["https://\ud800.example", "https://%ff.example"],
}


@pytest.mark.parametrize(("one", "others"), ONE_ORIGIN.items())
def test_an_origin_has_one_text_however_it_is_written(one: str, others: list[str]) -> None:
    assert [str(Origin.read(other)) for other in [one, *others]] == [one] * (len(others) + 1)


@pytest.mark.parametrize(("why", "texts"), NO_ORIGINS.items())
def test_what_is_no_origin_is_refused_with_a_sentence_and_no_password_is_in_it(why: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ValueError, match=why) as refused:
            Origin.read(text)
        assert "secret" not in str(refused.value)


NAMES = st.text(st.characters(codec="utf-8"), max_size=20) | st.from_regex(
    r"[a-zA-Zäß0-9x\.\-:%\[\]。]{1,20}", fullmatch=True
)


@given(NAMES | st.ip_addresses().map(str) | st.ip_addresses(v=6).map("[{}]".format), st.integers(1, 65535))
def test_reading_twice_is_reading_once_and_nothing_but_a_value_error_is_raised(host: str, port: int) -> None:
    for scheme in ("http", "https"):
        try:
            found = Origin.of(scheme, f"{host}:{port}")
        except ValueError:
            continue
        assert read_host(found.host) == found.host
        assert found.host.isascii()
        assert Origin.read(str(found)) == found
        assert Origin.of(scheme, f"{host.upper()}:{port}") == found or not host.isascii()


@given(st.ip_addresses(), st.integers(1, 65535), st.booleans())
def test_an_address_that_a_gateway_writes_with_a_port_is_that_address(address: object, port: int, long: bool) -> None:
    known = read_address(str(address))
    text = getattr(address, "exploded", "") if long else str(address)
    for written in (text, f" {text} ", *([f"[{text}]", f"[{text}]:{port}"] if ":" in text else [f"{text}:{port}"])):
        assert read_forwarded(written) == known


@pytest.mark.parametrize(
    "text", ["", "unknown", "_hidden:80", "10.0.0.7:", "10.0.0.7:http", "[10.0.0.7:80", "evil.example:1"]
)
def test_what_is_no_address_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="does not appear"):
        read_forwarded(text)
