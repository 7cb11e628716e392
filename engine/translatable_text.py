"""Sentences for people, kept as a text and its values, so that a client can translate them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TranslatableText:
    """An English text with named placeholders, and the values of the placeholders; ``str()`` gives the sentence.

    >>> str(translatable("{card} does not go on {card2} in {pile}", card="2C", card2="TS", pile="tableau.1"))
    '2C does not go on TS in tableau.1'

    The name of a placeholder tells a translator what its value is. Where a text has several values of a kind, a number
    follows the name. `card`, `pile` and `move` hold one of these as text, `piles` and `moves` hold several with commas
    between, `verb` holds the verb of a move, and `count` is the number that decides between singular and plural. Any
    other placeholder holds a value that is shown as it is, or a sentence within the sentence.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format_map(self.values) if self.values else self.text


Value = str | int | TranslatableText


def translatable(text: str, /, **values: Value) -> TranslatableText:
    """Make a sentence from an English text and the values of its placeholders."""
    return TranslatableText(text, values)


def as_translatable(words: str | TranslatableText) -> TranslatableText:
    """Make a sentence without placeholders from plain words; a sentence is returned as it is."""
    return TranslatableText(words) if isinstance(words, str) else words
