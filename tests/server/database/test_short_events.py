"""The short form of events in their table: every text comes back, and what is stored can be read for ever."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.database.short_events import DEAL_PIECES, MOVE_PIECES, expand, shorten
from cadogan.server.core.eventlog.events import MovePlayed, MoveTakenBack, encode_event
from tests.harness.game_steps import dealt

_PIECES = [*MOVE_PIECES.values(), *DEAL_PIECES.values(), "a", "1"]
_TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(st.sampled_from(_PIECES)).map("".join)
_BEGINNINGS = ('{"effects":[', '{"commitment":"')


@given(move=_TEXTS, effects=st.lists(_TEXTS, max_size=5))
def test_a_move_of_any_text_comes_back_as_it_was(move: str, effects: list[str]) -> None:
    _, _, data = encode_event(MovePlayed(move, tuple(effects)))
    assert expand(shorten(data)) == data
    assert shorten(data) < " "


@pytest.mark.parametrize("slug", ["klondike", "maze", "quatorze"])
def test_a_deal_comes_back_as_it_was_and_needs_half_the_room(slug: str) -> None:
    _, _, data = encode_event(dealt(slug))
    assert expand(shorten(data)) == data
    assert len(shorten(data)) < 0.6 * len(data)


@given(beginning=st.sampled_from(_BEGINNINGS), text=st.lists(st.sampled_from(_PIECES)).map("".join))
def test_any_text_comes_back_and_to_shorten_it_twice_is_to_shorten_it_once(beginning: str, text: str) -> None:
    short = shorten(beginning + text)
    assert expand(short) == beginning + text
    assert shorten(short) == short


@pytest.mark.parametrize("data", ["", "{}", '{"player":"a","reason":"moved stock"}', encode_event(MoveTakenBack())[2]])
def test_the_data_of_other_events_is_stored_as_it_is(data: str) -> None:
    assert (shorten(data), expand(data)) == (data, data)


def test_what_was_stored_is_read_for_ever() -> None:
    """These texts stand in databases. If they read otherwise, logs would be lost: then undo what has changed."""
    moves, deals = (expand("".join(pieces)) for pieces in (MOVE_PIECES, DEAL_PIECES))
    digests = [sha256(text.encode()).hexdigest()[:16] for text in (moves, deals)]
    assert digests == [
        "f68c32fa30481be7",
        "f07d772895e79e90",
    ]
