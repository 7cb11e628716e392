"""Texts that players write to each other: which are allowed, and how they are stored."""

import re
import unicodedata

from cadogan.server.core.errors import BadMessage
from cadogan.server.core.visible_text import has_unseen_characters
from cadogan.wire.talk import MAX_TEXT_LENGTH

MAX_MARKS = 4
"""How many accents, vowel signs and the like may stand on one letter, so that no text covers the lines above it."""


def clean_text(text: str) -> str:
    r"""Return a text as it is stored and shown: one line, in Unicode's NFC form, with single spaces.

    >>> clean_text("  Well\nplayed,   Zoe\u0308! ")
    'Well played, Zoë!'

    Raises BadMessage for a text that is too long, has nothing to see in it, or characters that nobody sees.
    """
    shown = " ".join(unicodedata.normalize("NFC", text).split())
    if len(shown) > MAX_TEXT_LENGTH:
        raise BadMessage("A message has at most {count} characters.", count=MAX_TEXT_LENGTH)
    if has_unseen_characters(shown):
        raise BadMessage("The message has characters that cannot be shown.")
    kinds = "".join(unicodedata.category(letter)[0] for letter in shown)
    if not re.search("[LNPS]", kinds) or re.search(f"M{{{MAX_MARKS + 1}}}", kinds):
        raise BadMessage("The message has characters that cannot be shown.")
    return shown
