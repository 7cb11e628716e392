"""The width of a card in every game on a phone, with the book's layout and with the layouts for its shape.

    python -m benchmarks.table_sizes > docs/tables.md

Needs Node: the sizes of the deal are computed by the page's own code (`clients/web/js/board/geometry.js`).
"""

import json
import subprocess
from pathlib import Path

from cadogan.engine import all_games
from cadogan.engine.layout import layout_as_dict

SCRIPT = Path(__file__).with_suffix(".mjs")
INTRODUCTION = """\
# Tables on a phone

How wide a card is after the deal, in CSS pixels, in every game. *Book* is the layout of the book, *now* the layout that
the page chooses: on a tall table and on a short wide one it is another one (`engine/arrangement.py`). *Height* is the
part of the available height that the table takes, with the room of its spreads; open columns may go on to the lower
edge. A star: the table must be panned.

Where the height is at most two thirds, the width decides: a row of seven or more piles is as wide as the phone, so
that no card could be larger. Cutting such a row would leave half the room to columns that grow. In Babette, Spenser's
Faerie Queen, The Great Thirteen, The Kings, Canfield or Klondike, Nestor, Red and Black, Salic Law and Terrace the
columns go on downwards in play, over the felt that is free after the deal. In The Blockade, Maze and Mount Olympus
rows of nine or more cards that lie beside one another are the game. On 360 × 740 pixels The Wheel and the two Houses
fill the height before their cards are 40 pixels wide.

Made by `python -m benchmarks.table_sizes > docs/tables.md`.

| | 390 × 844 book | now | height book | now | 360 × 740 book | now | 844 × 390 book | now |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def measure() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Return, by game and screen size, the card width, the used share of the height, and whether the table pans."""
    games = {
        slug: {
            "layout": layout_as_dict(game.layout),
            "layouts": {shape: layout.as_dict() for shape, layout in game.layouts.items()},
            "piles": game.view(game.deal(bytes(32))),
        }
        for slug, game in all_games().items()
    }
    answer = subprocess.run(["node", str(SCRIPT)], input=json.dumps(games), capture_output=True, text=True, check=True)
    sizes: dict[str, dict[str, dict[str, dict[str, float]]]] = json.loads(answer.stdout)
    return sizes


def write_table() -> str:
    """Return the document."""
    return INTRODUCTION + "".join(_row(all_games()[slug].name, rooms) for slug, rooms in measure().items())


def _row(name: str, rooms: dict[str, dict[str, dict[str, float]]]) -> str:
    upright, small, side = rooms["390x844"], rooms["360x740"], rooms["844x390"]
    shares = [f"{upright[layout]['share']:.0%}" for layout in ("book", "now")]
    cards = [[_card(room[layout]) for layout in ("book", "now")] for room in (upright, small, side)]
    return f"| {' | '.join([name, *cards[0], *shares, *cards[1], *cards[2]])} |\n"


def _card(size: dict[str, float]) -> str:
    return f"{size['card']:.0f}{'*' if size['pans'] else ''}"


if __name__ == "__main__":
    print(write_table(), end="")
