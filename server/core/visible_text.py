"""Whether a text has characters that nobody sees, or that change how the text around them is read."""

import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""The format characters that languages and pictures are written with. All others can hide text, or reverse the
direction in which the page around them is read."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control and format characters, surrogates, what Unicode has not assigned, and separators of lines and paragraphs."""


def has_unseen_characters(text: str) -> bool:
    r"""Return whether a text has control characters or others that cannot be shown.

    >>> has_unseen_characters("a rainy Friday"), has_unseen_characters("a\x9brainy\u202e Friday")
    (False, True)
    """
    return any(unicodedata.category(letter) in _UNSEEN and letter not in _JOINERS for letter in text)
