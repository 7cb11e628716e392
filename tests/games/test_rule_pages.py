"""The pages that tell players the rules, in every language.

A game needs only its English page. A language whose pages are not all translated is an expected failure (XFAIL) that
names the missing ones, so that a translator finds them: players read the English page in their place.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan import engine
from cadogan.engine.rule_pages import ENGLISH, RulePage, list_languages, read_rule_page

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
    monkeypatch.setattr("cadogan.engine.rule_pages.resources.files", lambda _: tmp_path)
    assert read_rule_page.__wrapped__("klondike", "de") == english


def faults_of(translated: RulePage, english: RulePage) -> Iterator[str]:
    """What is wrong with a translated page."""
    if count_parts(translated.text) != count_parts(english.text):
        yield f"has {count_parts(translated.text)}, not {count_parts(english.text)}"
    if not translated.name or not translated.text.startswith(f"# {translated.name}\n\n"):
        yield "does not begin with a name"
    if len(translated.summary) <= 20:
        yield "has no summary"
    if translated.text == english.text:
        yield "is in English"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translated_page_has_the_same_parts_as_the_english_one(language: str) -> None:
    pages = {f"engine/games/{language}/{slug.replace('-', '_')}.md": slug for slug in engine.slugs()}
    read = {file: (read_rule_page(slug, language), read_rule_page(slug)) for file, slug in pages.items()}
    missing = [file for file, (page, _) in read.items() if page.language == ENGLISH]
    assert [file for file in missing if read[file][0] != read[file][1]] == []
    assert {file: found for file in read.keys() - missing if (found := [*faults_of(*read[file])])} == {}
    if missing:
        pytest.xfail(f"not translated yet: {', '.join(missing)}")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_language_loses_a_page_that_it_had(language: str) -> None:
    translated = [slug for slug in engine.slugs() if read_rule_page(slug, language).language == language]
    assert len(translated) >= SHIPPED_TRANSLATIONS
