"""Which texts look alike: skeletons after Unicode's UTS #39, from the data of the library confusable-homoglyphs.

Two texts look alike if their skeletons are equal. Skeletons are only compared, never shown. The database holds
skeletons (`name_skeletons`), so a version of the library with other data needs a migration that fills that table again.

The library reads a megabyte of data on import, so it is imported when the first name is checked.
"""

import unicodedata
from functools import cache

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
