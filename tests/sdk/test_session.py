"""What is known of a game after each message."""

from dataclasses import replace

from msgspec import structs

from clients.sdk.moves import parse_move
from clients.sdk.session import UNKNOWN, Session, foresee, receive
from clients.wire import messages as wire
from tests.sdk.server_messages import GAME, PLAYED, VIEW


def begun() -> Session:
    return receive(UNKNOWN, VIEW, 100_000)


def test_a_view_gives_piles_with_a_place_for_each_card_and_moves_read() -> None:
    session = begun()
    assert session.piles is not None
    assert session.piles["tableau.0"] == ("--", "8S")
    assert [type(move).__name__ for move in session.moves] == ["Transfer", "Verb"]
    assert session.mine


def test_the_clock_runs_from_the_deal() -> None:
    assert begun().clock(103_000) == 8000


def test_a_move_changes_the_piles_it_names_and_no_others() -> None:
    session = receive(begun(), PLAYED, 100_001)
    assert session.piles == {
        "stock": ("--", "--"),
        "waste": (),
        "tableau.0": ("--", "8S", "7H"),
        "foundation.0": (),
    }
    assert (session.version, session.score, session.played, session.counters) == (5, 1, 4, {"redeals": 1})


def test_a_message_heard_twice_changes_nothing() -> None:
    once = receive(begun(), PLAYED, 0)
    assert receive(once, PLAYED, 0) is once


def test_a_gap_in_the_versions_is_a_loss_and_a_view_mends_it() -> None:
    session = receive(begun(), structs.replace(PLAYED, version=6), 0)
    assert session.lost
    assert session.version == 4
    assert not receive(session, structs.replace(VIEW, version=6), 0).lost


def test_an_event_one_may_not_see_counts_as_a_version() -> None:
    session = receive(begun(), wire.Advanced(game=GAME, version=5), 0)
    assert (session.version, session.lost, session.piles) == (5, False, begun().piles)


def test_a_finished_game_stops_its_clock_and_allows_no_move() -> None:
    finished = wire.GameFinished(
        game=GAME, version=5, result="resigned", score=3, moves=3, milliseconds=777, active=700
    )
    session = receive(begun(), finished, 0)
    assert session.over
    assert not session.mine
    assert (session.clock(999_999), session.moves, session.status) == (777, (), "resigned")


def test_a_view_of_a_finished_game_has_its_time() -> None:
    session = receive(UNKNOWN, structs.replace(VIEW, status="won"), 100_000)
    assert (session.over, session.clock(999_999)) == (True, 5000)


def test_the_secret_is_kept_once_it_is_revealed() -> None:
    session = receive(begun(), wire.DealRevealed(game=GAME, version=5, secret="ab" * 32), 0)
    assert receive(session, VIEW, 0).secret == "ab" * 32


def test_presence_changes_the_watchers_alone() -> None:
    assert receive(begun(), wire.Presence(game=GAME, watchers=9), 0) == replace(begun(), watchers=9)


def test_a_run_whose_deal_was_asked_to_be_seen_is_not_ranked_from_then_on() -> None:
    session = receive(begun(), wire.ChallengeSpoiled(game=GAME, version=5, can_take_back=True), 0)
    assert session.game is not None
    assert (session.game.ranked, session.version, session.can_take_back) == (False, 5, True)


def test_a_meter_shows_no_piles_and_no_moves() -> None:
    meter = structs.replace(VIEW, sight="meter", piles=None, counters=None, legal=None, can_take_back=None)
    session = receive(receive(UNKNOWN, meter, 0), structs.replace(PLAYED, legal=None), 0)
    assert (session.piles, session.moves, session.mine, session.played) == (None, (), False, 4)


def test_what_is_foreseen_of_a_transfer_are_the_cards_carried_over() -> None:
    session = begun()
    assert session.piles is not None
    piles = foresee(session.piles, session.moves[0])
    assert (piles["waste"], piles["tableau.0"]) == ((), ("--", "8S", "7H"))


def test_what_is_foreseen_of_an_exchange_are_two_cards_that_changed_places() -> None:
    piles = foresee({"a": ("2S", "3S"), "b": ("4S",)}, parse_move("a~b", ("a", "b")))
    assert piles == {"a": ("2S", "4S"), "b": ("3S",)}


def test_nothing_is_foreseen_of_a_deal_or_a_pair() -> None:
    piles = {"a": ("2S",), "b": ("4S",)}
    assert foresee(piles, parse_move("deal", piles)) == foresee(piles, parse_move("a+b", piles)) == piles
