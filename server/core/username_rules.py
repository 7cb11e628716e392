"""Rules for the names of players, bots and groups: which names are allowed, and when two names count as the same.

Two names count as the same if they differ only in case, width or spaces (`name_key`), or if they look alike
(`skeletons`). A name uses one script and only visible characters, and does not imitate symbols of the pages.

Which texts look alike: skeletons after Unicode's UTS #39, from the data of the library confusable-homoglyphs.

Two texts look alike if their skeletons are equal. Skeletons are only compared, never shown. The database holds
skeletons (`name_skeletons`), so a version of the library with other data needs a migration that fills that table again.

The library reads a megabyte of data on import, so it is imported when the first name is checked.
"""

import re
import unicodedata
from functools import cache

from cadogan.server.core.errors import BadMessage

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MAX_GROUP_NAME_LENGTH = 40
MAX_MARKS = 3
"""Maximum number of combining marks on one letter."""
GUEST_ID_LETTERS = 8
"""Characters of a guest's id in the guest's name: forty bits, so that names do not collide."""
_FOR_GUESTS = "guest"
_FOR_ERASED_PLAYERS = "nobody"
_BOT_WORD = re.compile(r"(?<![^\W\d_])(ro)?bots?(?![^\W\d_])")
"""The word that the pages show next to the name of a bot, as a separate word, also next to symbols and digits."""
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U00013441\U00013442"
    "\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode classifies as letters, marks or symbols: those with the property
Default_Ignorable_Code_Point, and blanks. The others with this property are control, format or unassigned characters."""
_STRAY_MARKS = re.compile(f"(^| )M|M{{{MAX_MARKS + 1}}}")
_ALLOWED_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
"""Letters, the marks on them, and decimal digits."""
_CAPITALS = "LATIN LETTER SMALL CAPITAL"
"""The prefix of the Unicode names of letters that look like capitals and are used in no language's names."""
_ADDRESS = re.compile(
    r"//|@|\bwww\b|\bxn--|\b(https?|ftps?|wss?|file|mailto|tel|sms|data|javascript)\s*:"
    r"|[^\s.。][.。](?=[^\W\d_]{2})|[\[({<] *([.。]|dot|at) *[\])}>]|\b\d{1,3}(\.\d{1,3}){3}\b",
    re.IGNORECASE,
)
"""Matches URLs, mail addresses and text that mail programs turn into links: a scheme, an at sign, or a dot within a
word, also in brackets (an obfuscated address). A dot before a space or a single letter is common in names."""
_SIGNS = frozenset("’·・׳״،؛؟。、")
"""Punctuation beyond ASCII that is used in names."""


def normalize(name: str, bot: bool = False) -> str:
    """Return a player's name for display: in Unicode's NFKC form, with single spaces and none at the ends.

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
    """Return a group's name for display. Raises BadMessage if it is not allowed."""
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

    There are three: of the name in lower case, in upper case, and unchanged. Capitals of two scripts may look alike
    when their small letters do not, and a capital may look like a small letter. If the name has punctuation, there are
    three more without it: an additional dot or hyphen does not make a different name.

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
    """Return whether a name is or looks like a URL or a mail address, so that programs may turn it into a link.

    >>> [looks_like_address(name) for name in ("http://evil.example", "evil.example", "J. R. Hartley", "Dr. No")]
    [True, True, False, False]
    """
    return _ADDRESS.search(unicodedata.normalize("NFKC", name)) is not None


def name_in_mail(name: str) -> str:
    """Return a name for use in mails: an old name that looks like an address is changed so that it is not a link.

    >>> name_in_mail("Ada"), name_in_mail("http://evil.example")
    ('Ada', 'http evil example')
    """
    return " ".join(re.sub(r"[.。:/@]+", " ", name).split()) if looks_like_address(name) else name


def _is_allowed(letter: str) -> bool:
    """Whether this is a letter, a combining mark, a digit, a space, or punctuation that is allowed in names."""
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
    """Whether marks are on other characters than letters, or more than `MAX_MARKS` or a repeated one on a letter."""
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
    """Whether all digits are of one script: digits of different scripts may look alike but mean different numbers."""
    zeros = {ord(letter) - unicodedata.decimal(letter) for letter in text if letter.isdecimal()}
    return len(zeros) <= 1


_NO_SCRIPT = frozenset({"COMMON", "INHERITED"})
_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""Scripts that one language uses together (UTS #39, section 5.2, "highly restrictive")."""
_DIRECTION_MARK = "\u200e"
"""A mark that the library's data has around right-to-left characters."""
_RECOMMENDED_MARKS = """
300-304 306-30C 30F-311 313-314 31B 323-328 32D-32E 330-331 335 338-339 342 345 5B4 64B-655 670 7A6-7B0 901-903
93A-93C 93E-94D 94F 956-957 962-963 981-983 9BC 9BE-9C4 9C7-9C8 9CB-9CD 9D7 9E2-9E3 9FE A01-A03 A3C A3E-A42
A47-A48 A4B-A4D A70-A71 A81-A83 ABC ABE-AC5 AC7-AC9 ACB-ACD AE2-AE3 AFA-AFF B01-B03 B3C B3E-B43 B47-B48 B4B-B4D
B55-B57 B82 BBE-BC2 BC6-BC8 BCA-BCD BD7 C01-C04 C3C C3E-C44 C46-C48 C4A-C4D C55-C56 C82-C83 CBC CBE-CC4 CC6-CC8
CCA-CCD CD5-CD6 CE2-CE3 D00 D02-D03 D3E-D43 D46-D48 D4A-D4D D57 D82-D83 DCA DCF-DD4 DD6 DD8-DDE DF2 E31 E34-E3A
E47-E4E EB1 EB4-EBC EC8-ECD F35 F37 F3E-F3F F71-F72 F74 F7A-F80 F82-F84 F86-F87 F8D-F92 F94-F97 F99-F9C F9E-FA1
FA3-FA6 FA8-FAB FAD-FB8 FBA-FBC FC6 102B-103E 1056-1059 105E-1060 1062-1064 1067-106D 1071-1074 1082-108D 108F
109A-109D 135D-135F 17B6-17CD 17D0 17D2 3099-309A AA7B-AA7D 11301 11303 1133B-1133C 16FF0-16FF1
"""
"""The marks with Identifier_Status=Allowed in Unicode 14 (UTS #39, section 3.1), which the library's data lacks."""


def skeleton(text: str) -> str:
    """Return the skeleton of a text.

    >>> skeleton("раураl") == skeleton("paypal"), skeleton("modem"), skeleton("Il1|")
    (True, 'rnodern', 'llll')
    """
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", text)
    mapped = "".join(prototypes.get(letter, letter) for letter in decomposed)
    for dotted in "ij":  # a dot above a dotted letter is not visible
        mapped = mapped.replace(f"{dotted}\u0307", dotted)
    return unicodedata.normalize("NFD", mapped)


def is_one_script(text: str) -> bool:
    """Whether all letters of a text are of one script, or of scripts that one language uses together.

    >>> is_one_script("Ада"), is_one_script("Ада B"), is_one_script("カドガン Ada")
    (True, False, True)
    """
    from confusable_homoglyphs import categories

    scripts = {categories.alias(letter) for letter in text} - _NO_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _WRITTEN_TOGETHER)


def is_recommended_mark(letter: str) -> bool:
    """Whether a mark, such as an accent or a vowel sign, is used by a living language.

    >>> is_recommended_mark("\u0301"), is_recommended_mark("\u0332")
    (True, False)
    """
    return ord(letter) in _recommended_marks()


@cache
def _recommended_marks() -> frozenset[int]:
    ends = [part.partition("-") for part in _RECOMMENDED_MARKS.split()]
    return frozenset(mark for first, _, last in ends for mark in range(int(first, 16), int(last or first, 16) + 1))


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each character: the text that represents all characters that look like it.

    The library maps each text to its lookalikes. A prototype maps to all of its characters, and each of them only to
    the prototype.
    """
    from confusable_homoglyphs import confusables

    alike = {
        text.replace(_DIRECTION_MARK, ""): [other["c"].replace(_DIRECTION_MARK, "") for other in others]
        for text, others in confusables.confusables_data.items()
    }
    found = {}
    for text, others in alike.items():
        if len(text) > 1 or len(others) > 1:
            continue  # a prototype
        (prototype,) = others
        if len(prototype) == 1 and len(alike[prototype]) == 1:
            prototype = min(text, prototype)  # only two look alike: either may be the prototype
        if prototype != text:
            found[text] = prototype
    return {text: "".join(found.get(letter, letter) for letter in prototype) for text, prototype in found.items()}
