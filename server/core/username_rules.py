"""Rules for the names of players, bots and groups: which names are allowed, and when two names count as the same.

Two names count as the same if they differ only in case, width or spaces (`name_key`), or if they look alike
(`skeletons`). A name is written in one script, in characters that can be seen, and imitates no sign of the pages.
"""

import re
import unicodedata

from cadogan.server.core.errors import BadMessage
from cadogan.server.core.lookalikes import is_one_script, is_recommended_mark, skeleton

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MAX_GROUP_NAME_LENGTH = 40
MAX_MARKS = 3
"""How many accents, vowel signs and the like may stand on one letter."""
GUEST_ID_LETTERS = 8
"""How many characters of a guest's id are in the guest's name: forty bits, so that nobody gets the name of another."""
_FOR_GUESTS = "guest"
_FOR_ERASED_PLAYERS = "nobody"
_BOT_WORD = re.compile(r"(?<![^\W\d_])(ro)?bots?(?![^\W\d_])")
"""The word that the pages write beside the name of a bot, as a word of its own, beside signs and digits too."""
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U00013441\U00013442"
    "\U000e0100-\U000e01ef]"
)
"""The characters that nobody sees although Unicode counts them as letters, marks or signs: those that have the property
Default_Ignorable_Code_Point, and blanks. All others of that property are controls, formats or not assigned."""
_STRAY_MARKS = re.compile(f"(^| )M|M{{{MAX_MARKS + 1}}}")
_ALLOWED_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
"""Letters, the marks on them, and decimal digits."""
_CAPITALS = "LATIN LETTER SMALL CAPITAL"
"""How the names of letters begin that look like capitals, which no language writes names with."""
_ADDRESS = re.compile(
    r"//|@|\bwww\b|\bxn--|\b(https?|ftps?|wss?|file|mailto|tel|sms|data|javascript)\s*:"
    r"|[^\s.。][.。](?=[^\W\d_]{2})|[\[({<] *([.。]|dot|at) *[\])}>]|\b\d{1,3}(\.\d{1,3}){3}\b",
    re.IGNORECASE,
)
"""What an address has, or a mail program takes for one: a scheme, a sign for mails, or a dot within a word, in
brackets too, as people write addresses that programs shall not find. A dot before a space or a single letter is in many
names."""
_SIGNS = frozenset("’·・׳״،؛؟。、")
"""Signs beyond ASCII that names and words are written with."""


def normalize(name: str, bot: bool = False) -> str:
    """Return a player's name as it will be shown: in Unicode's NFKC form, with single spaces and none at the ends.

    >>> normalize("  Lady   Cadogan ")
    'Lady Cadogan'

    Raises BadMessage if the name is too short or too long, has characters that are not allowed, mixes scripts, or is
    reserved for guests or, unless `bot` is true, for bots.
    """
    shown = _normalize(name, MAX_NAME_LENGTH)
    for looks in map(_without_marks, {name_key(shown), *skeletons(shown)}):
        if _without_signs(looks).startswith(skeleton(_FOR_GUESTS)):
            raise BadMessage("Names that begin with Guest are for guests.")
        if _without_signs(looks).strip() == skeleton(_FOR_ERASED_PLAYERS):
            raise BadMessage("This name is for players who have left.")
        if not bot and _BOT_WORD.search(looks):
            raise BadMessage("Names with the word bot are for bots.")
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


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name: two names look alike, in some case, if they have one of them in common.

    They are three: of the name in small letters, in capitals, and as it is. Capitals of two scripts may look alike
    where their small letters do not, and a capital may look like a small letter. If there are signs in the name, there
    are three more without them: a dot or a hyphen more makes no other name.

    >>> [sorted(skeletons(one) & skeletons(other)) for one, other in (("Ada", "ΑDА"), ("Ian", "lan"), ("Bo", "B-o."))]
    [['ADA', 'ada'], ['lan'], ['BO', 'bo']]
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    return frozenset(
        look
        for text in (shown, " ".join(_without_signs(shown).split()))
        for look in (skeleton(name_key(text)), skeleton(text.upper()), skeleton(text).casefold())
    )


def guest_name(player_id: str) -> str:
    """Return the name of a guest, made from the guest's id."""
    return f"Guest {player_id[:GUEST_ID_LETTERS]}"


def _normalize(name: str, max_length: int) -> str:
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not MIN_NAME_LENGTH <= len(shown) <= max_length:
        raise BadMessage("A name has {least} to {count} characters.", least=MIN_NAME_LENGTH, count=max_length)
    if not shown.isprintable() or _IGNORABLE.search(shown):
        raise BadMessage("A name has no characters that cannot be seen.")
    if not all(map(_is_allowed, shown)):
        raise BadMessage("A name has letters, digits, spaces and simple signs only: no pictures and no drawings.")
    if not any(letter.isalnum() for letter in shown):
        raise BadMessage("A name has at least one letter or digit.")
    if _has_too_many_marks(shown):
        raise BadMessage("A name has at most {count} accents on one letter.", count=MAX_MARKS)
    if not all(is_recommended_mark(letter) for letter in unicodedata.normalize("NFD", shown) if _kind(letter) == "M"):
        raise BadMessage("A name has only accents and vowel signs that a language of today is written with.")
    if looks_like_address(shown):
        raise BadMessage("A name is no address: write a space after a dot.")
    if not (is_one_script(shown) and _has_one_kind_of_digits(shown)):
        raise BadMessage("A name is written in one script: it does not mix Latin letters with Greek or Cyrillic ones.")
    return shown


def looks_like_address(name: str) -> bool:
    """Return whether a name is an address of a page or for mails, or might be taken for one and become a link.

    >>> [looks_like_address(name) for name in ("http://evil.example", "evil.example", "J. R. Hartley", "Dr. No")]
    [True, True, False, False]
    """
    return _ADDRESS.search(unicodedata.normalize("NFKC", name)) is not None


def name_in_mail(name: str) -> str:
    """Return a name as mails have it: one from before names were no addresses becomes none that is a link.

    >>> name_in_mail("Ada"), name_in_mail("http://evil.example")
    ('Ada', 'http evil example')
    """
    return " ".join(re.sub(r"[.。:/@]+", " ", name).split()) if looks_like_address(name) else name


def _is_allowed(letter: str) -> bool:
    """Whether this is a letter, a mark on one, a digit, a space, or a sign that names are written with."""
    if letter.isascii() or letter in _SIGNS:
        return True
    return unicodedata.category(letter) in _ALLOWED_CATEGORIES and not unicodedata.name(letter, "").startswith(
        _CAPITALS
    )


def _without_signs(text: str) -> str:
    """Return the letters, marks, digits and spaces of a text."""
    return "".join(letter for letter in text if letter.isalnum() or letter == " " or _kind(letter) == "M")


def _without_marks(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if _kind(letter) != "M")


def _has_too_many_marks(text: str) -> bool:
    """Whether marks stand on anything but letters, or more than `MAX_MARKS` or the same one twice on one letter."""
    decomposed = unicodedata.normalize("NFD", text)
    kinds = "".join(map(_kind, decomposed))
    pairs = zip(decomposed, decomposed[1:], kinds, strict=False)
    twice = any(one == other and kind == "M" for one, other, kind in pairs)
    return twice or _STRAY_MARKS.search(kinds) is not None


def _kind(letter: str) -> str:
    if unicodedata.category(letter).startswith("M"):
        return "M"
    return "L" if letter.isalpha() else " "


def _has_one_kind_of_digits(text: str) -> bool:
    """Whether all digits are of one script: those of two scripts may look alike and mean different numbers."""
    zeros = {ord(letter) - unicodedata.decimal(letter) for letter in text if letter.isdecimal()}
    return len(zeros) <= 1
