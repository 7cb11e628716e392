"""Where to click on a table."""

from cadogan.terminal.game.table_view import TableView


def click_offset(table: TableView, pile: str) -> tuple[int, int]:
    """Return the column and line of a pile's top card on the table, to click there."""
    assert table.canvas is not None, "nothing is drawn yet"
    left, top, _, _ = table.canvas.top_card_boxes()[pile]
    return left + table.margins[0] + 1, top + table.margins[1]
