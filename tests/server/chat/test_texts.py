"""Which texts may be written to others: nothing that hides text, or turns it round."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.errors import BadMessage
from cadogan.server.subjects.chat.group_chat import MAX_MARKS, clean_text
from cadogan.wire.chat import MAX_TEXT_LENGTH


@pytest.mark.parametrize(
    "text",
    [
        "Well played!",
        "Übermäßig schön",
        "Çok güzel 👏",
        "👩‍👩‍👧 ❤️",
        "می‌خواهم",
        "שלום",
        "1 < 2 & <b>bold</b>",
        "e\u0301",
    ],
)
def test_a_text_of_any_language_is_allowed(text: str) -> None:
    assert clean_text(text) == unicodedata.normalize("NFC", text)


def test_line_breaks_and_rows_of_spaces_are_one_space() -> None:
    assert clean_text("  one\r\n\ttwo \u2028 three\u00a0") == "one two three"


@pytest.mark.parametrize(
    "hidden",
    list("\u202e\u202d\u2066\u2069\u200e\u200b\ufeff\u00ad\x1b\x00\x7f\x9b\U000e0041\ue000\ud800\u0378"),
)
def test_control_characters_and_those_that_turn_or_hide_text_are_refused(hidden: str) -> None:
    assert clean_text("Hi there") == "Hi there"
    with pytest.raises(BadMessage, match="cannot be shown"):
        clean_text(f"Hi {hidden}there")


@pytest.mark.parametrize("empty", ["", "  \n ", "\u200d", "\u0301"])
def test_a_text_has_something_to_see(empty: str) -> None:
    with pytest.raises(BadMessage, match="cannot be shown"):
        clean_text(empty)


def test_a_letter_has_only_so_many_marks_on_it() -> None:
    assert clean_text("q" + "\u0323" * MAX_MARKS)
    with pytest.raises(BadMessage, match="cannot be shown"):
        clean_text("q" + "\u0323" * (MAX_MARKS + 1))


def test_a_text_has_only_so_many_characters() -> None:
    assert clean_text("x" * MAX_TEXT_LENGTH)
    with pytest.raises(BadMessage, match="at most 500"):
        clean_text("x" * (MAX_TEXT_LENGTH + 1))


@given(st.text(max_size=40))
def test_what_is_allowed_is_one_line_that_stays_as_it_is(text: str) -> None:
    try:
        shown = clean_text(text)
    except BadMessage:
        return
    assert shown.strip()
    assert clean_text(shown) == shown
    assert all(unicodedata.category(letter)[0] != "C" or letter in "\u200c\u200d" for letter in shown)
