"""Escapes untrusted text for printing.

A file, a request or another server may contain terminal escape sequences, which set colours, rename the window, move
the cursor over earlier lines, or reverse the direction of writing. So such text is escaped before it is written to a
terminal or a log.
"""


def printable(text: str, keep: str = "") -> str:
    """Return the text with an escape sequence in place of every character that is not visible, except those in `keep`.

    These are the control characters (C0, C1, DEL), the format characters (among them those that change the direction of
    writing), separators of lines and paragraphs, spaces other than U+0020, surrogates and unassigned characters.

    >>> printable("a\\x1b[31mred\\x9b\\u202e, é")
    'a\\\\x1b[31mred\\\\x9b\\\\u202e, é'
    """
    if text.isprintable():
        return text
    return "".join([char if char.isprintable() or char in keep else _escape(char) for char in text])


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()
