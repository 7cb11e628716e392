"""The refusals of a server as exceptions."""

from typing import get_args

from cadogan.sdk import errors
from cadogan.wire.messages import Refused
from cadogan.wire.values import RefusalCode


def test_every_refusal_code_has_an_exception_of_its_own() -> None:
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


def test_an_exception_has_the_sentence_and_the_details_of_the_refusal() -> None:
    refused = Refused(code="stale_version", message="The game has moved on.", version=7, retry_after=None)
    error = errors.error_from_refusal(refused)
    assert isinstance(error, errors.StaleVersion)
    assert (str(error), error.version, error.retry_after) == ("The game has moved on.", 7, None)
