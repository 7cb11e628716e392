"""What a server refuses, as exceptions."""

from typing import get_args

import pytest

from clients.sdk import errors
from clients.sdk.http import origin
from clients.wire.messages import Refused
from clients.wire.values import RefusalCode


def test_every_refusal_of_the_contract_has_an_exception_of_its_own() -> None:
    assert set(errors.BY_CODE) == set(get_args(RefusalCode))
    assert len(set(errors.BY_CODE.values())) == len(errors.BY_CODE)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    named = errors.__doc__ or ""
    kinds: list[type[Exception]] = [
        errors.ClientError,
        *errors.ClientError.__subclasses__(),
        *errors.RefusalError.__subclasses__(),
    ]
    assert [kind.__name__ for kind in kinds if kind.__name__ not in named] == []


def test_a_refusal_keeps_its_sentence_and_what_helps() -> None:
    refused = Refused(code="stale_version", message="The game has moved on.", version=7, retry_after=None)
    error = errors.error_of(refused)
    assert isinstance(error, errors.StaleVersion)
    assert (str(error), error.version, error.retry_after) == ("The game has moved on.", 7, None)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("patience.example", "https://patience.example"),
        ("http://localhost:8000/daily?x=1", "http://localhost:8000"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ],
)
def test_an_address_may_be_given_as_people_write_it(given: str, meant: str) -> None:
    assert origin(given) == meant


@pytest.mark.parametrize("given", ["", "ftp://patience.example", "http://", "http://host:port", "http://me@host"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(errors.BadAddress):
        origin(given)
