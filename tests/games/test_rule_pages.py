"""The pages that tell players the rules, in every language.

A game needs only its English page. Translations that are missing are listed as expected failures (XFAIL), so that a
translator finds them: players read the English page in their place.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

import engine
from engine.rule_pages import ENGLISH, list_languages, read_rule_page

TRANSLATIONS = [language for language in list_languages() if language != ENGLISH]
SHIPPED_TRANSLATIONS = 55
"""How many pages the first release has in every language; a language may gain pages, but not lose one."""


def count_parts(text: str) -> Counter[str]:
    """How many lines of a page are headings of each depth, entries of lists and rows of tables."""
    marks = (re.match(r"(#+|- |\* |\d+\. |\|)", line) for line in text.splitlines())
    return Counter(re.sub(r"\d+", "1", mark[0]) for mark in marks if mark)


def test_the_english_page_of_a_game_is_shown_where_a_language_has_none() -> None:
    klondike = engine.game("klondike")
    english = (ENGLISH, klondike.name, klondike.summary, klondike.page)
    assert read_rule_page("klondike") == read_rule_page("klondike", "eo") == english


def test_the_english_page_of_a_game_is_shown_where_a_language_lacks_only_this_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english, german = read_rule_page("klondike"), read_rule_page("klondike", "de")
    assert german.language == "de"
    (tmp_path / "de").mkdir()
    monkeypatch.setattr("engine.rule_pages.resources.files", lambda _: tmp_path)
    assert read_rule_page.__wrapped__("klondike", "de") == english


@pytest.mark.parametrize("slug", engine.slugs())
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translated_page_has_the_same_parts_as_the_english_one(language: str, slug: str) -> None:
    english, translated = read_rule_page(slug), read_rule_page(slug, language)
    if translated.language == ENGLISH:
        assert translated == english
        pytest.xfail(f"not translated yet: engine/games/{language}/{slug.replace('-', '_')}.md")
    assert count_parts(translated.text) == count_parts(english.text)
    assert translated.text.startswith(f"# {translated.name}\n\n")
    assert translated.name
    assert len(translated.summary) > 20
    assert translated.text != english.text


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_language_loses_a_page_that_it_had(language: str) -> None:
    translated = [slug for slug in engine.slugs() if read_rule_page(slug, language).language == language]
    assert len(translated) >= SHIPPED_TRANSLATIONS
