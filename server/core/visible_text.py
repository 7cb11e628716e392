"""Detects characters that are invisible, or that change how the text around them is read."""

import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""The format characters that languages and emoji need. All others can hide text, or reverse the reading direction of
the surrounding page."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of control and format characters, surrogates, unassigned characters, and line and paragraph separators."""


def has_unseen_characters(text: str) -> bool:
    r"""Return whether a text has control characters or others that cannot be shown.

    >>> has_unseen_characters("a rainy Friday"), has_unseen_characters("a\x9brainy\u202e Friday")
    (False, True)
    """
    return any(unicodedata.category(letter) in _UNSEEN and letter not in _JOINERS for letter in text)
