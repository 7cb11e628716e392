"""Everything that is said to players has its text in the page's own language file, from which others are translated.

What the engine and the server say is found where it is written: in `translatable(...)`, in a guard's words, and in
every refusal that is made. So a new refusal fails here until it stands in `clients/web/languages/en.json`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from cadogan.engine import Game
from cadogan.engine.registry import all_games
from cadogan.engine.rule_pages import list_languages, read_rule_page
from cadogan.engine.translatable_text import TranslatableText, as_translatable, translatable
from cadogan.server.core import errors
from cadogan.server.core.errors import IllegalMove, RefusalError, TooMany, make_wire_text
from cadogan.wire.codec import encode
from tests.harness.schema_checks import check_body, check_message

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
ENGLISH = ROOT / "clients/web/languages/en.json"
CARRIED = {
    ("game_state.py", "make_wire_text(error.translatable)"),
    ("translatable_text.py", "text"),
    ("translatable_text.py", "words"),
}
"""Where words are handed on that were made, and found, elsewhere."""


def refusal_names() -> set[str]:
    return {
        kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RefusalError)
    }


def written(folder: str, makers: set[str]) -> Iterator[tuple[Path, ast.expr]]:
    """The first argument of every call of one of these names."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers and node.args:
                yield file, node.args[0]


@cache
def texts() -> set[str]:
    """Every text that a player may be told, but for what guards say."""
    found: set[str] = set()
    for file, words in [*written("engine", {"translatable", "TranslatableText"}), *written("server", refusal_names())]:
        if isinstance(words, ast.Constant) and isinstance(words.value, str):
            found.add(words.value)
        elif isinstance(words, ast.Name) and file.name == "illegal_reasons.py":
            found |= assigned(file, words.id)
        else:
            assert (file.name, ast.unparse(words)) in CARRIED, (
                f"{file}: write {ast.unparse(words)} as a text and values"
            )
    return found


def assigned(file: Path, name: str) -> set[str]:
    """The texts that a name is given in a file."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == name
            and isinstance(node.value, ast.Constant)
        ):
            found.add(str(node.value.value))
    return found


def parts(sentence: TranslatableText) -> Iterator[str]:
    """The text of a sentence, and of every sentence within it."""
    yield sentence.text
    for value in sentence.values.values():
        if isinstance(value, TranslatableText):
            yield from parts(value)


def guards(games: Iterable[Game] = tuple(all_games().values())) -> set[str]:
    """What these games say when they do not allow a route or an action now."""
    declarations = [game.declaration for game in games]
    conditions = [way.when for each in declarations for way in each.routes]
    conditions += [way.when for each in declarations for way in each.actions]
    return {text for guard in conditions if guard is not None for text in parts(as_translatable(guard.otherwise))}


def translated_games(language: str) -> list[Game]:
    """The games whose rules a language has; English has those that any other has."""
    others = [other for other in list_languages() if other != "en"] if language == "en" else [language]
    games = all_games().items()
    return [game for slug, game in games if any(read_rule_page(slug, each).language == each for each in others)]


def test_every_text_the_engine_and_the_server_say_stands_in_the_file_of_a_language_and_no_other() -> None:
    """The reasons of a game are needed in a language that has its rules; in another they are shown in English."""
    said, known = texts(), texts() | guards()
    missing: dict[str, set[str]] = {}
    unused: dict[str, set[str]] = {}
    for language in list_languages():
        file = ENGLISH.with_name(f"{language}.json")
        words = set(json.loads(file.read_text("utf-8"))["words"]["refusals"])
        missing[language] = (said | guards(translated_games(language))) - words
        unused[language] = words - known
    assert not any(missing.values()), missing
    assert not any(unused.values()), unused


def test_the_english_file_says_what_the_texts_say_but_for_singulars() -> None:
    english = json.loads(ENGLISH.read_text("utf-8"))["words"]["refusals"]
    for text, words in english.items():
        assert words == text or words["other"] == text


def test_a_sentence_is_made_of_its_text_and_its_values() -> None:
    why = translatable("no card is left in {piles}", piles="stock")
    assert str(translatable("no {verb} now: {why}", verb="deal", why=why)) == "no deal now: no card is left in stock"
    assert str(translatable("{braces} stay")) == "{braces} stay"


def test_a_refusal_is_sent_with_its_values_where_it_has_some() -> None:
    many = TooMany("At most {count} bots.", count=10).body()
    assert many.message == "At most 10 bots."
    assert many.said is not None
    assert (many.said.text, many.said.values) == ("At most {count} bots.", {"count": 10})
    assert TooMany("Too many.").body().said is None


def test_a_reason_within_a_refusal_keeps_to_the_documents() -> None:
    sentence = translatable("no {verb} now: {why}", verb="deal", why=translatable("a place is vacant"))
    refused = IllegalMove(make_wire_text(sentence), version=3)
    assert refused.message == str(sentence)
    check_message(json.loads(encode(refused.reply("c1"))))
    check_body("Refusal", json.loads(encode(refused.body())))


def test_the_placeholders_of_the_texts_have_names() -> None:
    places = [(text, name) for text in texts() | guards() for _, name, _, _ in Formatter().parse(text)]
    assert [text for text, name in places if name is not None and not name.isidentifier()] == []
