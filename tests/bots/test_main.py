"""The command `python -m cadogan.bots`."""

import pytest
from click.testing import CliRunner

from cadogan.bots.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["http://127.0.0.1:1", "--token", "none", "--timeout", "1"], "Error: http://127.0.0.1:1 does not answer"),
        (["http://", "--token", "cadogan_none"], "Error: 'http://' is not the address of a server"),
        (["match", "http://127.0.0.1:1", "--timeout", "1"], "Error: http://127.0.0.1:1 does not answer"),
        (["match", "http://127.0.0.1:1", "--deals", "10"], "10 is not in the range 1<=x<=9"),
        (["http://127.0.0.1:1"], "Missing option '--token'"),
        (["http://127.0.0.1:1", "--token", "cadogan_none", "--bot", "oracle"], "'oracle' is not one of"),
    ],
)
def test_an_error_is_printed_as_a_sentence(arguments: list[str], sentence: str) -> None:
    ran = CliRunner(env={"CADOGAN_TOKEN": None}).invoke(main, arguments)
    assert ran.exit_code != 0
    assert sentence in ran.output
