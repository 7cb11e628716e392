"""The pages that tell players the rules: one beside each game in English, and in a folder a language's own."""

from functools import cache
from importlib import resources
from typing import NamedTuple

import engine.games
from engine.registry import game

ENGLISH = "en"


class Page(NamedTuple):
    """A game's page of rules: its language, the game's name and gist in it, and the page itself, in Markdown."""

    language: str
    name: str
    summary: str
    text: str


@cache
def languages() -> tuple[str, ...]:
    """The tags of the languages in which there are pages, in alphabetical order."""
    folders = resources.files(engine.games).iterdir()
    return tuple(sorted({ENGLISH, *(each.name for each in folders if each.is_dir() and not each.name.startswith("_"))}))


@cache
def page(slug: str, language: str = ENGLISH) -> Page:
    """A game's page in this language, or in English where there is none. Raises UnknownGame.

    The first paragraph of a page that is not English is its gist.
    """
    rules = game(slug)
    if language != ENGLISH and language in languages():
        file = resources.files(engine.games).joinpath(language, f"{slug.replace('-', '_')}.md")
        if file.is_file():
            text = file.read_text("utf-8")
            heading, gist, _ = text.split("\n\n", 2)
            return Page(language, heading.removeprefix("# ").strip(), " ".join(gist.split()).replace("*", ""), text)
    return Page(ENGLISH, rules.name, rules.summary, rules.page)
