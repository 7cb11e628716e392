"""Validation and normalization of texts that players write to each other."""

import re
import unicodedata

from cadogan.server.core.errors import BadMessage
from cadogan.server.core.visible_text import has_unseen_characters
from cadogan.wire.talk import MAX_TEXT_LENGTH

MAX_MARKS = 4
"""The maximum number of combining marks on one letter, so that no text covers the lines above it."""


def clean_text(text: str) -> str:
    r"""Return a normalized text: one line, in Unicode NFC, with single spaces.

    >>> clean_text("  Well\nplayed,   Zoe\u0308! ")
    'Well played, Zoë!'

    Raises BadMessage for a text that is too long, has no visible character, or has forbidden invisible ones.
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
