"""Races as their rules have them: places, start, clock, order of the results."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.event_store import StreamIncomplete
from cadogan.server.core.eventlog.events import (
    Event,
    MoveTakenBack,
    UnreadableEvent,
    decode_event,
    encode_event,
)
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import RaceRow, project
from cadogan.server.core.eventlog.race_events import (
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceStarted,
    RematchOpened,
)
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.server.core.games import game_state
from cadogan.server.core.ranking import race_rank_key, ranks
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.races import race_state
from tests.harness import game_steps
from tests.harness.game_steps import begin, resign
from tests.harness.race_states import RACE, SECRET, START, after, joined, opened, result


def test_whoever_opens_a_race_has_the_first_place_and_is_its_host() -> None:
    race = opened()
    assert (race.players, race.host, race.state(START)) == (["ann"], "ann", "open")


@pytest.mark.parametrize("missing", [1, 2])
def test_a_race_cannot_be_folded_without_one_of_its_events(missing: int) -> None:
    opening = RaceOpened("ann", "maze", "d", "ab", 2, 60, 5, True, ())
    received: list[Event] = [opening, PlayerJoined("ann", "a"), PlayerJoined("bob", "b")]
    events = [chain_event(START_HASH, f"match/{RACE}", place, event, START) for place, event in enumerate(received, 1)]
    with pytest.raises(StreamIncomplete, match=rf"event {missing} of"):
        race_state.fold(RACE, [event for event in events if event.version != missing])


def test_joining_a_race_again_changes_nothing() -> None:
    race = joined(opened(), "bob")
    assert race_state.join(race, "bob", "other words", START) is None
    started = after(race, race_state.start(race, "ann", START))
    assert race_state.join(started, "bob", "other words", START) is None


def test_nobody_can_join_a_full_race() -> None:
    with pytest.raises(Conflict, match="taken"):
        race_state.join(joined(opened(), "bob", "cat"), "dan", "words", START)


def test_nobody_can_join_a_started_race() -> None:
    race = joined(opened(), "bob")
    with pytest.raises(Conflict, match="started"):
        race_state.join(after(race, race_state.start(race, "ann", START)), "cat", "words", START)


def test_when_the_host_leaves_the_next_is_host_and_who_left_may_come_back_as_the_last() -> None:
    race = joined(opened(), "bob", "cat")
    race = after(race, race_state.leave(race, "ann"))
    assert (race.host, race.players) == ("bob", ["bob", "cat"])
    assert joined(race, "ann").players == ["bob", "cat", "ann"]


def test_leaving_a_race_that_one_is_not_in_changes_nothing() -> None:
    assert race_state.leave(opened(), "bob") is None


def test_nobody_can_leave_a_started_race() -> None:
    race = joined(opened(), "bob")
    with pytest.raises(Conflict, match="give up your game"):
        race_state.leave(after(race, race_state.start(race, "ann", START)), "bob")


def test_a_race_that_everybody_has_left_is_abandoned() -> None:
    race = after(opened(), race_state.leave(opened(), "ann"))
    assert race.state(START) == "abandoned"
    with pytest.raises(Conflict, match="left"):
        race_state.join(race, "ann", "words", START)


def test_a_race_not_started_within_the_hour_is_abandoned() -> None:
    race, late = joined(opened(), "bob"), START + race_state.START_TIMEOUT_MILLISECONDS
    assert (race.state(late - 1), race.state(late)) == ("open", "abandoned")
    with pytest.raises(Conflict, match="in time"):
        race_state.start(race, "ann", late)


def test_only_the_host_starts_a_race_and_only_with_somebody_else_in_it() -> None:
    race = joined(opened(), "bob")
    with pytest.raises(Conflict, match="host"):
        race_state.start(race, "bob", START)
    with pytest.raises(Conflict, match="two"):
        race_state.start(opened(), "ann", START)


def test_starting_begins_the_countdown_and_starting_again_changes_nothing() -> None:
    race = joined(opened(), "bob")
    race = after(race, race_state.start(race, "ann", START + 100))
    assert (race.starts_at, race.ends_at) == (START + 5100, START + 605_100)
    assert (race.state(START + 5099), race.state(START + 5100)) == ("countdown", "running")
    assert race_state.start(race, "ann", START + 200) is None


def test_the_cards_follow_from_the_nonces_of_all_in_the_order_of_their_joining() -> None:
    race = joined(opened(), "bob", "cat")
    race = after(race, race_state.leave(race, "bob"))
    start = race_state.start(race, "ann", START)
    assert start == RaceStarted(START + 5000, commit_reveal.shared_nonce(["ann's words", "cat's words"]))
    assert (
        commit_reveal.shared_nonce(["a", "b"])
        != commit_reveal.shared_nonce(["b", "a"])
        != commit_reveal.shared_nonce(["ab"])
    )


def test_every_game_of_a_race_has_its_own_id_that_cannot_be_guessed_without_the_secret() -> None:
    race = joined(opened(), "bob")
    names = {race.game_of(player, SECRET) for player in race.players} | {race.game_of("ann", bytes(32))}
    assert len(names) == 3
    assert all(ids.is_valid(name) for name in names)


def test_the_name_of_a_races_deal_is_no_id_by_which_a_game_could_be_begun() -> None:
    assert not ids.is_valid(race_deal_id(RACE))


def test_invited_players_keep_a_reserved_place_until_they_join_or_decline() -> None:
    race = opened(size=3, invited=("bob", "cat"))
    with pytest.raises(Conflict, match="taken"):
        race_state.join(race, "dan", "words", START)
    race = joined(race, "bob")
    assert (race.players, race.invited) == (["ann", "bob"], ("cat",))
    race = after(race, race_state.leave(race, "cat"))
    assert joined(race, "dan").players == ["ann", "bob", "dan"]


def test_those_who_won_come_first_by_time_and_then_cards_home_moves_and_time_decide() -> None:
    ordered = [
        result("a", "won", home=10, moves=90, milliseconds=1000),
        result("b", "won", home=52, moves=50, milliseconds=2000),
        result("c", "resigned", home=51, moves=70, milliseconds=9000),
        result("d", "out_of_time", home=50, moves=60, milliseconds=9000),
        result("e", "lost", home=50, moves=61, milliseconds=8000),
        result("f", "lost", home=50, moves=61, milliseconds=8001),
    ]
    for some in permutations(ordered, len(ordered)):
        assert sorted(some, key=race_rank_key) == ordered
    assert ranks([race_rank_key(result) for result in ordered]) == [1, 2, 3, 4, 5, 6]


def test_equal_results_share_a_rank_and_the_next_rank_counts_them() -> None:
    results = [result(player, home=7, moves=3, milliseconds=9) for player in "abc"] + [result("d", home=6)]
    assert ranks([race_rank_key(result) for result in results]) == [1, 1, 1, 4]
    assert ranks([]) == []


def test_a_race_is_over_when_every_game_of_it_is() -> None:
    race = joined(opened(), "ann")
    going = begin("klondike")[-1].after
    assert race_state.finish(race, [going], SECRET) is None
    assert race_state.finish(race, [], SECRET) is None
    done = resign(going)[-1].after
    assert done.finished is not None
    end = race_state.finish(race, [done], SECRET)
    assert end is not None
    assert end.secret == SECRET.hex()
    assert [(one.player, one.result, one.home) for one in end.results] == [("ann", "resigned", 0)]


def test_a_game_whose_time_is_up_ends_as_of_that_moment_and_only_once() -> None:
    dealt = replace(game_steps.dealt("klondike"), race="r2s4t6u3v5w7x2yz")
    going = game_state.deal(game_steps.GAME, dealt, game_steps.SECRET, game_steps.START, known_rules())[-1].after
    (step,) = game_state.end_on_time(going, going.dealt_at + 600_000)[:1]
    assert step.after.finished is not None
    assert (step.after.status, step.after.finished.milliseconds) == ("out_of_time", 600_000)
    assert game_state.end_on_time(step.after, going.dealt_at + 700_000) == []


def test_a_rematch_is_for_those_who_were_in_the_race_once_it_is_over() -> None:
    race = joined(opened(), "bob")
    with pytest.raises(Conflict, match="over"):
        race_state.rematch(race, "bob", "next")
    race = after(race, race_state.start(race, "ann", START), RaceFinished((), SECRET.hex()))
    with pytest.raises(Conflict, match="of a race"):
        race_state.rematch(race, "dan", "next")
    race = after(race, race_state.rematch(race, "bob", "next"))
    assert race.rematch == "next"
    assert race_state.rematch(race, "ann", "another") is None


def test_an_event_of_another_kind_cannot_be_applied_to_a_race() -> None:
    with pytest.raises(UnreadableEvent):
        after(opened(), MoveTakenBack())
    with pytest.raises(UnreadableEvent):
        race_state.fold(RACE, [begin("klondike")[0].sealed])
    assert race_state.fold(RACE, []) is None


@pytest.mark.parametrize(
    "event",
    [
        opened().opened,
        PlayerJoined("ann", "words"),
        PlayerLeft("ann"),
        RaceStarted(START, "ab"),
        RaceFinished((result("ann"),), "00"),
        RematchOpened("next"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_every_fact_of_a_race_is_read_back_as_it_was_written(event: PlayerJoined) -> None:
    assert decode_event(*encode_event(event)) == event


def test_the_row_of_a_race_follows_from_its_facts() -> None:
    first = opened().opened
    facts: list[tuple[Event, int]] = [(first, 1000), (PlayerJoined("ann", "w"), 1000)]
    row = RaceRow(RACE, "quatorze", True, "open", 1000, first.host)
    assert project(f"match/{RACE}", facts, known_rules()) == (row,)
    left = project(f"match/{RACE}", [*facts, (PlayerLeft("ann"), 2000)], known_rules())
    started = project(f"match/{RACE}", [*facts, (RaceStarted(3000, "ab"), 2000)], known_rules())
    over = project(
        f"match/{RACE}", [*facts, (RaceStarted(3000, "ab"), 2000), (RaceFinished((), "00"), 9000)], known_rules()
    )
    statuses = [one.status for rows in (left, started, over) for one in rows if isinstance(one, RaceRow)]
    assert statuses == ["abandoned", "started", "over"]
