"""The file of tokens."""

import json
from pathlib import Path

import pytest

from cadogan.terminal.token_store import FILE_NAME, TokenStore


def test_tokens_are_stored_in_a_file_that_only_their_user_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    TokenStore(folder).save("https://patience.example", "secret")
    TokenStore(folder).save("https://other.example", "another")
    assert TokenStore(folder).get("https://patience.example") == "secret"
    assert (folder / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_saving_no_token_removes_the_token(tmp_path: Path) -> None:
    tokens = TokenStore(tmp_path)
    tokens.save("https://patience.example", "secret")
    tokens.save("https://patience.example", None)
    assert tokens.get("https://patience.example") is None
    assert json.loads((tmp_path / FILE_NAME).read_text()) == {}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"https://patience.example": 7}'])
def test_a_file_of_another_format_has_no_token(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    assert TokenStore(tmp_path).get("https://patience.example") is None
