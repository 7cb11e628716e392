"""What names players may have, and when two names are the same."""

import unicodedata

from server.core.errors import BadMessage

SHORTEST, LONGEST = 2, 24
LONGEST_GROUP = 40
_RESERVED = "guest"


def clean(name: str) -> str:
    """The name as it will be shown: Unicode's NFKC form, without spaces at its ends or several in a row.

    >>> clean("  Lady   Cadogan ")
    'Lady Cadogan'

    Raises BadMessage for a name too short or too long, with characters that cannot be seen, or kept for guests.
    """
    shown = _tidy(name, LONGEST)
    if key(shown).startswith(_RESERVED):
        raise BadMessage("Names that begin with Guest are for guests.")
    return shown


def clean_group(name: str) -> str:
    """The name of a group as it will be shown. Raises BadMessage for one that cannot be."""
    return _tidy(name, LONGEST_GROUP)


def key(name: str) -> str:
    """What is the same for names that count as one: whatever their case, width or spaces.

    >>> key("ＡＤＡ") == key("ada")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in " ".join(folded.split()) if letter.isprintable())


def guest(player_id: str) -> str:
    """The name that a guest goes by."""
    return f"Guest {player_id[:4]}"


def _tidy(name: str, longest: int) -> str:
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not SHORTEST <= len(shown) <= longest:
        raise BadMessage("A name has {least} to {count} characters.", least=SHORTEST, count=longest)
    if not shown.isprintable():
        raise BadMessage("A name has no characters that cannot be seen.")
    if not any(letter.isalnum() for letter in shown):
        raise BadMessage("A name has at least one letter or digit.")
    return shown
