"""Rules for the names of players and groups: which names are allowed, and when two names count as the same."""

import unicodedata

from server.core.errors import BadMessage

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MAX_GROUP_NAME_LENGTH = 40
_RESERVED_PREFIX = "guest"


def normalize(name: str) -> str:
    """Return a player's name as it will be shown: in Unicode's NFKC form, with single spaces and none at the ends.

    >>> normalize("  Lady   Cadogan ")
    'Lady Cadogan'

    Raises BadMessage if the name is too short or too long, has invisible characters, or is reserved for guests.
    """
    shown = _normalize(name, MAX_NAME_LENGTH)
    if name_key(shown).startswith(_RESERVED_PREFIX):
        raise BadMessage("Names that begin with Guest are for guests.")
    return shown


def normalize_group(name: str) -> str:
    """Return a group's name as it will be shown. Raises BadMessage if it is not allowed."""
    return _normalize(name, MAX_GROUP_NAME_LENGTH)


def name_key(name: str) -> str:
    """Return a key that is equal for names that count as the same: case, width and extra spaces do not matter.

    >>> name_key("ＡＤＡ") == name_key("ada")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in " ".join(folded.split()) if letter.isprintable())


def guest_name(player_id: str) -> str:
    """Return the name of a guest, made from the guest's id."""
    return f"Guest {player_id[:4]}"


def _normalize(name: str, max_length: int) -> str:
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not MIN_NAME_LENGTH <= len(shown) <= max_length:
        raise BadMessage("A name has {least} to {count} characters.", least=MIN_NAME_LENGTH, count=max_length)
    if not shown.isprintable():
        raise BadMessage("A name has no characters that cannot be seen.")
    if not any(letter.isalnum() for letter in shown):
        raise BadMessage("A name has at least one letter or digit.")
    return shown
