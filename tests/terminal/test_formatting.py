"""What the client says of cards, times and rules pages, and where it keeps tokens."""

import doctest
import json
from pathlib import Path
from types import ModuleType

import pytest

from clients.sdk.moves import parse_move
from clients.terminal import formatting, html_to_markdown, races
from clients.terminal.game_screen import KEYS
from clients.terminal.token_store import FILE, Tokens


@pytest.mark.parametrize("module", [formatting, html_to_markdown, races], ids=lambda module: module.__name__)
def test_the_examples_of_a_module_are_so(module: ModuleType) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 0
    assert ran.failed == 0


def test_every_kind_of_move_is_said_in_words() -> None:
    texts = ("a.0/a.1/3", "a.0+a.1", "a.0~a.1")
    described = [formatting.move_words(parse_move(text, ("a.0", "a.1"))) for text in texts]
    assert described == ["3 cards, a 1 to a 2", "a 1 with a 2", "a 1 for a 2"]
    assert formatting.move_words(parse_move("choose/hearts", ())) == "Choose hearts"


def test_an_empty_pile_and_a_stock_are_said_in_words() -> None:
    assert formatting.describe_pile("waste", ()) == "waste: empty"
    assert formatting.describe_pile("stock", ("--", "--")) == "stock: 2 cards face down"


def test_tokens_are_kept_where_nobody_else_may_read_them(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    Tokens(folder).keep("https://patience.example", "secret")
    Tokens(folder).keep("https://other.example", "another")
    assert Tokens(folder).get("https://patience.example") == "secret"
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_token_is_forgotten_when_one_signs_out(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    tokens.keep("https://patience.example", "secret")
    tokens.keep("https://patience.example", None)
    assert tokens.get("https://patience.example") is None
    assert json.loads((tmp_path / FILE).read_text()) == {}


@pytest.mark.parametrize("held", ["", "{", "[]", '{"https://patience.example": 7}'])
def test_a_file_that_is_none_of_ours_holds_no_token(tmp_path: Path, held: str) -> None:
    (tmp_path / FILE).write_text(held)
    assert Tokens(tmp_path).get("https://patience.example") is None


def test_the_page_about_the_client_has_the_keys_that_the_client_shows() -> None:
    page = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()
    assert [key for key, what in KEYS if f"| {key} | {what} |" not in page] == []
