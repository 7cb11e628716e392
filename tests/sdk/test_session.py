"""The session of a game after each message."""

from dataclasses import replace

from msgspec import structs

from cadogan.sdk.moves import parse_move
from cadogan.sdk.session import MAX_FACE_DOWN, UNKNOWN, Session, apply_message, expand, predict_piles
from cadogan.wire import messages as wire
from tests.sdk.server_messages import GAME, PLAYED, VIEW


def first_session() -> Session:
    return apply_message(UNKNOWN, VIEW, 100_000)


def test_a_view_gives_every_card_an_entry_and_parses_the_moves() -> None:
    session = first_session()
    assert session.piles is not None
    assert session.piles["tableau.0"] == ("--", "8S")
    assert [type(move).__name__ for move in session.moves] == ["Transfer", "Verb"]
    assert session.mine


def test_more_face_down_cards_than_any_game_has_fill_no_memory() -> None:
    assert len(expand([2**52, "7H"])) == MAX_FACE_DOWN + 1


def test_the_clock_runs_from_the_deal() -> None:
    assert first_session().clock(103_000) == 8000


def test_a_move_changes_only_the_piles_that_it_names() -> None:
    session = apply_message(first_session(), PLAYED, 100_001)
    assert session.piles == {
        "stock": ("--", "--"),
        "waste": (),
        "tableau.0": ("--", "8S", "7H"),
        "foundation.0": (),
    }
    assert (session.version, session.score, session.played, session.counters) == (5, 1, 4, {"redeals": 1})


def test_a_message_that_arrives_twice_changes_nothing() -> None:
    once = apply_message(first_session(), PLAYED, 0)
    assert apply_message(once, PLAYED, 0) is once


def test_a_missing_version_is_noticed_and_a_view_repairs_it() -> None:
    session = apply_message(first_session(), structs.replace(PLAYED, version=6), 0)
    assert session.lost
    assert session.version == 4
    assert not apply_message(session, structs.replace(VIEW, version=6), 0).lost


def test_a_hidden_event_counts_only_as_a_version() -> None:
    session = apply_message(first_session(), wire.Advanced(game=GAME, version=5), 0)
    assert (session.version, session.lost, session.piles) == (5, False, first_session().piles)


def test_a_finished_game_has_a_stopped_clock_and_no_moves() -> None:
    finished = wire.GameFinished(
        game=GAME, version=5, result="resigned", score=3, moves=3, milliseconds=777, active=700
    )
    session = apply_message(first_session(), finished, 0)
    assert session.over
    assert not session.mine
    assert (session.clock(999_999), session.moves, session.status) == (777, (), "resigned")


def test_a_view_of_a_finished_game_has_its_final_time() -> None:
    session = apply_message(UNKNOWN, structs.replace(VIEW, status="won"), 100_000)
    assert (session.over, session.clock(999_999)) == (True, 5000)


def test_a_revealed_secret_is_kept() -> None:
    session = apply_message(first_session(), wire.DealRevealed(game=GAME, version=5, secret="ab" * 32), 0)
    assert apply_message(session, VIEW, 0).secret == "ab" * 32


def test_presence_changes_only_the_number_of_watchers() -> None:
    assert apply_message(first_session(), wire.Presence(game=GAME, watchers=9), 0) == replace(
        first_session(), watchers=9
    )


def test_a_run_is_unranked_after_its_player_asked_to_see_the_deal() -> None:
    session = apply_message(first_session(), wire.ChallengeSpoiled(game=GAME, version=5, can_take_back=True), 0)
    assert session.game is not None
    assert (session.game.ranked, session.version, session.can_take_back) == (False, 5, True)


def test_whether_one_may_ask_if_the_game_can_be_won_is_as_the_view_said_until_the_next_view() -> None:
    session = apply_message(first_session(), PLAYED, 0)
    assert session.may_ask_if_winnable
    assert not apply_message(session, structs.replace(VIEW, version=6, may_ask_if_winnable=None), 0).may_ask_if_winnable


def test_a_meter_has_no_piles_and_no_moves() -> None:
    meter = structs.replace(VIEW, sight="meter", piles=None, counters=None, legal=None, can_take_back=None)
    session = apply_message(apply_message(UNKNOWN, meter, 0), structs.replace(PLAYED, legal=None), 0)
    assert (session.piles, session.moves, session.mine, session.played) == (None, (), False, 4)


def test_a_predicted_transfer_moves_the_cards() -> None:
    session = first_session()
    assert session.piles is not None
    piles = predict_piles(session.piles, session.moves[0])
    assert (piles["waste"], piles["tableau.0"]) == ((), ("--", "8S", "7H"))


def test_a_predicted_exchange_swaps_the_two_top_cards() -> None:
    piles = predict_piles({"a": ("2S", "3S"), "b": ("4S",)}, parse_move("a~b", ("a", "b")))
    assert piles == {"a": ("2S", "4S"), "b": ("3S",)}


def test_a_deal_and_a_pair_are_not_predicted() -> None:
    piles = {"a": ("2S",), "b": ("4S",)}
    assert predict_piles(piles, parse_move("deal", piles)) == predict_piles(piles, parse_move("a+b", piles)) == piles


def test_the_offer_to_finish_holds_until_the_next_message_about_a_move_or_the_end() -> None:
    offered = apply_message(first_session(), structs.replace(PLAYED, finish="deal"), 0)
    assert offered.finish == "deal"
    assert apply_message(offered, structs.replace(PLAYED, version=6), 0).finish is None
    end = wire.GameFinished(game=GAME, version=6, result="lost", score=0, moves=4, milliseconds=5, active=5)
    assert apply_message(offered, end, 0).finish is None
    assert apply_message(UNKNOWN, structs.replace(VIEW, finish="deal"), 0).finish == "deal"
