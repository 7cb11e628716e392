"""Removes terminal control characters from drawn lines."""

from rich.cells import get_character_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


class HarmlessText(LineFilter):
    """Removes invisible characters: control characters, and those that change the direction of writing.

    Other kinds of spaces become plain spaces, so that each line keeps its width.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line with harmless text."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [Segment(harmless(segment.text), segment.style, segment.control) for segment in segments]


def harmless(text: str) -> str:
    """Return the text with each invisible character replaced by spaces of its width.

    >>> harmless("a\\x1b[31mb\\x9b\\u202ec\\u3000d")
    'a[31mbc  d'
    """
    return "".join([char if char.isprintable() else " " * get_character_cell_size(char) for char in text])
