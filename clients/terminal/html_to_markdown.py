"""Convert the rules, which the server sends as HTML, to Markdown for the terminal."""

from html.parser import HTMLParser

_BEFORE = {"h1": "\n\n# ", "h2": "\n\n## ", "h3": "\n\n### ", "p": "\n\n", "li": "\n- ", "blockquote": "\n\n> "}
_AROUND = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`"}


def html_to_markdown(page: str) -> str:
    """Return an HTML page as Markdown. Only the elements that rules use are converted.

    >>> html_to_markdown("<h2>Play</h2><p>Down in <em>suit</em>.</p><ul><li>one</li><li>two</li></ul>")
    '## Play\\n\\nDown in *suit*.\\n\\n- one\\n- two'
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return "".join(reader.parts).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("ul", "ol"):
            self.parts.append("\n")
        elif tag == "tr":
            self.parts.append("\n|")
            self._cells = 0
        elif tag in ("th", "td"):
            self._cells += 1
        else:
            self.parts.append(_BEFORE.get(tag) or _AROUND.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self.parts.append("|")
        elif tag == "thead":
            self.parts.append("\n|" + "---|" * self._cells)
        elif tag == "table":
            self.parts.append("\n")
        else:
            self.parts.append(_AROUND.get(tag, ""))

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text:
            lead = " " if data[0].isspace() and self.parts and self.parts[-1][-1:] not in (" ", "\n", "") else ""
            self.parts.append(lead + text + (" " if data[-1].isspace() else ""))
