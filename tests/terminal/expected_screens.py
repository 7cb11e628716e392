"""Screens as text files in the folder `screens`. `CADOGAN_WRITE_SCREENS=1` writes them again: read what has changed."""

import os
from contextlib import suppress
from pathlib import Path

from textual.pilot import Pilot

from tests.terminal.offline_games import screen_text, until

FOLDER = Path(__file__).parent / "screens"


async def check_screen(name: str, pilot: Pilot[None]) -> str:
    """Wait until the screen is the same as its file, and return its text. Raises AssertionError if it never is."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("CADOGAN_WRITE_SCREENS") == "1":
        await until(pilot, lambda: screen_text(pilot.app).splitlines()[-1] != "")  # the keys are drawn last
        file.write_text(screen_text(pilot.app))
    expected = file.read_text()
    with suppress(AssertionError):
        await until(pilot, lambda: screen_text(pilot.app) == expected)
    assert screen_text(pilot.app) == expected
    return expected
