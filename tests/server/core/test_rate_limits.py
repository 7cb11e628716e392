"""Limits of how often something may be asked."""

from dataclasses import dataclass

import pytest

from cadogan.server.core.errors import RateLimited, TooMany
from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit, TokenBucket


@dataclass
class Clock:
    """A clock that goes when told to, in seconds."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = TokenBucket(rate=2, burst=3, clock=clock)
    for _ in range(3):
        bucket.take()
    with pytest.raises(RateLimited) as caught:
        bucket.take()
    clock.now += caught.value.retry_after or 0
    bucket.take()
    with pytest.raises(RateLimited):
        bucket.take()


def test_what_costs_more_is_waited_for_longer_and_leaves_a_debt() -> None:
    clock = Clock()
    limit = AddressLimit(rate=10, burst=100, clock=clock)
    limit.take("ann", 70)
    with pytest.raises(RateLimited) as caught:
        limit.take("ann", 50)
    assert caught.value.retry_after == 2.001
    limit.take("bob", 300)  # more than the bucket ever holds: a full one is enough
    clock.now += 20
    limit.take("ann", 50)
    with pytest.raises(RateLimited):
        limit.take("bob")


def test_nobody_has_more_under_way_than_allowed() -> None:
    limit = AtOnceLimit(1)
    with limit.counted("2001:db8::1"), limit.counted("192.0.2.1"):
        with pytest.raises(TooMany) as caught, limit.counted("2001:db8::2"):
            pass
        assert caught.value.retry_after == 1
    with limit.counted("2001:db8::2"):
        pass


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(rate=100, burst=1, clock=clock)
    clock.now += 3600
    bucket.take()
    with pytest.raises(RateLimited):
        bucket.take()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "", True),
        ("k3v7q2m5x4c6z2ab", "k3v7q2m5x4c6z2ac", False),
    ],
)
def test_addresses_of_one_network_share_a_limit(one: str, other: str, same: bool) -> None:
    limit = AddressLimit(rate=1, burst=1, clock=Clock())
    limit.take(one)
    if same:
        with pytest.raises(RateLimited):
            limit.take(other)
    else:
        limit.take(other)


def test_only_so_many_addresses_are_remembered() -> None:
    limit = AddressLimit(rate=1, burst=1, max_addresses=2, clock=Clock())
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"):
        limit.take(address)
    with pytest.raises(RateLimited):
        limit.take("192.0.2.3")
