"""The text that a player gives for a deal is shown to others, so it has nothing that cannot be shown."""

import pytest

from tests.harness.hosts import player
from tests.harness.running_server import RunningServer

UNSEEN = ("\x1b[2J", "\x9b2J", "\x85", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\ufeff", "\U000e0041")


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
async def test_a_nonce_has_no_control_characters_and_none_that_turn_the_text_around(
    sqlite_server: RunningServer, unseen: str
) -> None:
    ada, bob = await player(sqlite_server, "Ada"), await player(sqlite_server, "Bob")
    deal = (await ada.post("/deals", {"rules": "klondike"}))[1]["deal"]
    shown = {"rules": "klondike", "nonce": "a rainy Friday \N{WOMAN}\u200d\N{GIRL}", "open": True}
    race = (await bob.post("/races", shown))[1]["race"]
    nonce = {"nonce": f"a rainy{unseen} Friday"}
    for path, body in (
        ("/games", {"deal": deal}),
        ("/races", {"rules": "klondike"}),
        (f"/races/{race}/join", {}),
        (f"/races/{race}/rematch", {}),
    ):
        status, refusal = await ada.post(path, {**body, **nonce})
        assert (status, refusal["code"]) == (400, "bad_message"), path
    assert (await ada.post("/games", {"deal": deal, "nonce": "a rainy Friday"}))[0] == 200
