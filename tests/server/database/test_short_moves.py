"""The short form of moves in the table of events: every text comes back, and what is stored can be read for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.database.short_moves import PIECES, expand, shorten
from server.eventlog.events import MovePlayed, MoveTakenBack, encode_event

_TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(st.sampled_from([*PIECES.values()])).map("".join)


@given(move=_TEXTS, effects=st.lists(_TEXTS, max_size=5))
def test_a_move_of_any_text_comes_back_as_it_was(move: str, effects: list[str]) -> None:
    _, _, data = encode_event(MovePlayed(move, tuple(effects)))
    assert expand(shorten(data)) == data
    assert shorten(data) < " "


@given(moves=st.lists(st.sampled_from([*PIECES.values(), "a", "1"])).map("".join))
def test_to_shorten_twice_is_to_shorten_once(moves: str) -> None:
    short = shorten(f'{{"effects":[{moves}')
    assert shorten(short) == short


@pytest.mark.parametrize("data", ["{}", '{"player":"ann","reason":"moved stock"}', encode_event(MoveTakenBack())[2]])
def test_what_is_no_move_is_stored_as_it_is(data: str) -> None:
    assert (shorten(data), expand(data)) == (data, data)


def test_what_was_stored_is_read_for_ever() -> None:
    """This text stands in databases of this version. If it reads otherwise, logs would be lost."""
    stored = "".join(sorted(PIECES))
    assert expand(stored) == (
        '{"effects":["moved {"effects":["{"effects":[ 1"],"move":""],"move":"],"move":" 1","moved stock  1","moved '
        '","moved ","turned "}tableau.stockfoundation.wastediscardcounted grid.alphabet.garden.ground.maze.square.'
        "promenade.ramparts.auxiliaries.cushion.under."
    )
