"""The pages of rules for players: in English beside each game, in other languages in one folder each.

A game needs only its English page. Where a translation is missing, the English page is shown.
"""

from functools import cache
from importlib import resources
from typing import NamedTuple

from cadogan.engine import games
from cadogan.engine.registry import game

ENGLISH = "en"


class RulePage(NamedTuple):
    """The rules of a game in one language: its tag, the name and the summary of the game, and the page in Markdown."""

    language: str
    name: str
    summary: str
    text: str


@cache
def list_languages() -> tuple[str, ...]:
    """Return the tags of the languages that have pages, such as ``en``, in alphabetical order."""
    folders = resources.files(games).iterdir()
    return tuple(sorted({ENGLISH, *(each.name for each in folders if each.is_dir() and not each.name.startswith("_"))}))


@cache
def read_rule_page(slug: str, language: str = ENGLISH) -> RulePage:
    """Return the page of a game in this language, or the English one if there is none. Raises UnknownGame.

    The first paragraph of a translated page is its summary; that of an English page stands in the declaration.
    """
    rules = game(slug)
    if language != ENGLISH and language in list_languages():
        file = resources.files(games).joinpath(language, f"{slug.replace('-', '_')}.md")
        if file.is_file():
            text = file.read_text("utf-8")
            heading, summary, _ = text.split("\n\n", 2)
            return RulePage(
                language, heading.removeprefix("# ").strip(), " ".join(summary.split()).replace("*", ""), text
            )
    return RulePage(ENGLISH, rules.name, rules.summary, rules.page)
