"""Sentences for people, kept in such a way that they can be said in other languages too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Said:
    """An English text with places, and what stands in them; ``str()`` gives the sentence.

    >>> str(say("{card} does not go on {card2} in {pile}", card="2C", card2="TS", pile="tableau.1"))
    '2C does not go on TS in tableau.1'

    What a place holds is known by its name, with a number after it where there are several: `card`, `pile` and `move`
    hold these as text, `piles` and `moves` several with commas between, `verb` the verb of a move, `count` the number
    that decides between singular and plural. Any other holds what stands as it is, or a sentence within the sentence.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format_map(self.values) if self.values else self.text


Value = str | int | Said


def say(text: str, /, **values: Value) -> Said:
    """A text with what stands in its places."""
    return Said(text, values)


def said(words: str | Said) -> Said:
    """Plain words as a sentence without places."""
    return Said(words) if isinstance(words, str) else words
