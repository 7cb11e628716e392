"""Lists to choose from."""

from functools import partial

from textual.app import ComposeResult
from textual.screen import Screen

from cadogan.terminal.list_screen import ListPanel, make_row
from tests.terminal.offline_games import open_screen, sees, until


async def test_a_highlighted_row_stays_highlighted_when_rows_are_inserted_before_it() -> None:
    names = ["Ada", "Bea"]
    chosen: list[str] = []

    async def load(panel: ListPanel) -> None:
        async def choose(name: str) -> None:
            chosen.append(name)

        panel.fill("Games", [make_row(name, action=partial(choose, name), key=name) for name in names])

    class Games(Screen[None]):
        def compose(self) -> ComposeResult:
            yield ListPanel(load)

    async with open_screen(Games) as pilot:
        await sees(pilot, "Bea")
        await pilot.press("down")
        names[:0] = ["Cyril", "Dora"]
        pilot.app.screen.query_one(ListPanel).load()
        await sees(pilot, "Dora")
        await pilot.press("enter")
        await until(pilot, lambda: chosen == ["Bea"])
