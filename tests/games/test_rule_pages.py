"""The pages that tell players the rules, in every language that has any."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import engine
from engine.rule_pages import ENGLISH, list_languages, read_rule_page

PAGES = [(language, slug) for language in list_languages() if language != ENGLISH for slug in engine.slugs()]


def shape(text: str) -> Counter[str]:
    """How many lines of a page are headings of each depth, entries of lists, rows of tables."""
    marks = (re.match(r"(#+|- |\* |\d+\. |\|)", line) for line in text.splitlines())
    return Counter(re.sub(r"\d+", "1", mark[0]) for mark in marks if mark)


def test_an_english_page_is_the_games_own_and_stands_in_for_a_language_without_pages() -> None:
    klondike = engine.game("klondike")
    assert (
        read_rule_page("klondike")
        == read_rule_page("klondike", "eo")
        == (ENGLISH, klondike.name, klondike.summary, klondike.page)
    )


@pytest.mark.parametrize(("language", "slug"), PAGES)
def test_a_page_in_another_language_tells_as_much_as_the_english_one(language: str, slug: str) -> None:
    english, told = read_rule_page(slug), read_rule_page(slug, language)
    assert told.language == language
    assert shape(told.text) == shape(english.text)
    assert told.text.startswith(f"# {told.name}\n\n")
    assert told.name
    assert len(told.summary) > 20
    assert told.text != english.text
