"""Which texts look alike: skeletons after Unicode's UTS #39, from the data of the library confusable-homoglyphs.

Two texts look alike if their skeletons are equal. A skeleton is for comparing only, and never shown. The database holds
skeletons (`name_skeletons`), so a version of the library with other data needs a migration that fills that table again.

The library reads its data, a megabyte, when it is imported: so it is imported when the first name is looked at.
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
"""The library's data has it around characters that are written from right to left."""


def skeleton(text: str) -> str:
    """Return the skeleton of a text.

    >>> skeleton("раураl") == skeleton("paypal"), skeleton("modem"), skeleton("Il1|")
    (True, 'rnodern', 'llll')
    """
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", text)
    mapped = "".join(prototypes.get(letter, letter) for letter in decomposed)
    for dotted in "ij":  # a dot above a letter that has one already is not seen
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


@cache
def _prototypes() -> dict[str, str]:
    """Return for each character its prototype: the text that stands for all that look like it.

    The library lists for each text those that look like it. A prototype lists all of its characters, and each of them
    lists the prototype alone.
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
            prototype = min(text, prototype)  # only two look alike: either may stand for both
        if prototype != text:
            found[text] = prototype
    return {text: "".join(found.get(letter, letter) for letter in prototype) for text, prototype in found.items()}
