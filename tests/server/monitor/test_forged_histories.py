"""Every forgery in the database of a host who has the whole of it and the key is found and named by a monitor.

Records are hashed again, the log is built and signed again.
"""

from copy import deepcopy
from functools import partial
from typing import Any

from msgspec import json
from sqlalchemy import update

from cadogan.server.core.database.tables import days, log_entries
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import SigningKey
from tests.harness.daily_actions import DAY
from tests.harness.logging_ends import DAY_ENTRIES
from tests.server.monitor.lived import OF_DAYS, Entry, Lived


async def set_back(lived: Lived) -> None:
    await lived.log_again(lambda entries: entries[:-1])


async def drop_one(lived: Lived) -> None:
    await lived.log_again(lambda entries: [*entries[:1], *entries[2:], entries[1]])


async def rewrite_one(lived: Lived) -> None:
    def forge(entries: list[Entry]) -> list[Entry]:
        stream, version, _ = entries[1]
        return [entries[0], (stream, version, Ended(stream, version, "ab" * 32).as_bytes()), *entries[2:]]

    await lived.log_again(forge)


async def log_a_run_twice(lived: Lived) -> None:
    await lived.log_again(lambda entries: [*entries, (f"again {entries[DAY_ENTRIES][0]}", *entries[DAY_ENTRIES][1:])])


async def sign_with_another_key(lived: Lived) -> None:
    await lived.log_again(list, SigningKey(lived.key.name, bytes(32)))


async def name_another_log(lived: Lived) -> None:
    await lived.log_again(list, SigningKey("other.example/log", lived.key.secret))


async def show_another_tree(lived: Lived) -> None:
    """The entries are changed, and the checkpoint is not."""
    async with lived.database.writing() as connection:
        entry = Ended("game/x", 1, "ab" * 32).as_bytes()
        await connection.execute(update(log_entries).where(log_entries.c.number == 5).values(entry=entry))


async def show_what_is_no_entry(lived: Lived) -> None:
    await lived.log_again(lambda entries: [*entries, ("game/x", 1, b"what the host likes")])


async def change_the_player(lived: Lived) -> None:
    def forge(stored_events: list[dict[str, Any]]) -> None:
        stored_events[0]["data"]["player"] = "somebodyelse0000"

    await lived.change_events(f"game/{lived.games[4]}", forge)


async def change_the_times(lived: Lived) -> None:
    def later(stored_events: list[dict[str, Any]]) -> None:
        for event in stored_events:
            event["recorded_at"] += 1000

    await lived.change_events(f"game/{lived.games[4]}", later)


async def cut_a_game(lived: Lived) -> None:
    def forge(stored_events: list[dict[str, Any]]) -> None:
        del stored_events[-1]

    await lived.change_events(f"game/{lived.games[0]}", forge)


async def swap_two_runs(lived: Lived) -> None:
    """Each of two runs of one deal is said to be the other player's."""
    names = list[str]()
    for game in lived.games[:2]:
        (dealt, *_) = await lived.server.server.store.read(f"game/{game}")
        names.append(json.decode(dealt.data)["player"])
    for game, name in zip(lived.games[:2], names[::-1], strict=True):
        await lived.change_events(f"game/{game}", partial(say_it_was, name))


def say_it_was(player: str, stored_events: list[dict[str, Any]]) -> None:
    """Let a game be another player's."""
    stored_events[0]["data"]["player"] = player


async def change_the_score(lived: Lived) -> None:
    def forge(stored_events: list[dict[str, Any]]) -> None:
        stored_events[-1]["data"]["score"] += 1

    await lived.change_events(f"game/{lived.games[0]}", forge)


async def change_the_secret(lived: Lived) -> None:
    async with lived.database.writing() as connection:
        await connection.execute(update(days).where(days.c.day == DAY).values(secret="ab" * 32))


async def break_a_rule(lived: Lived) -> None:
    await lived.change_events(
        f"game/{lived.games[0]}", lambda stored_events: stored_events[1]["data"].update(move="deal")
    )


async def hide_a_game(lived: Lived) -> None:
    await lived.hide(1)


async def change_a_board(lived: Lived) -> None:
    await lived.change_events(
        f"daily/{DAY}", lambda stored_events: stored_events[-1]["data"]["boards"].update(day="ab" * 32)
    )


async def keep_a_run_back(lived: Lived) -> None:
    """The run is in no log, though the boards count it."""

    def without(entries: list[Entry]) -> list[Entry]:
        return [entry for entry in entries if entry[0] != f"game/{lived.games[2]}"]

    await lived.log_again(without)


FOR_WHO_HAS_WATCHED = [
    (set_back, f"the log was set back: it had {OF_DAYS + 6} entries, and has {OF_DAYS + 5}"),
    (drop_one, "entry 2 of the log is another one than before"),
    (rewrite_one, "entry 2 of the log is another one than before"),
    (sign_with_another_key, "is not signed by the key of the host"),
    (name_another_log, "the checkpoint of the log other.example/log is not signed by the key of the host"),
    (show_what_is_no_entry, f"entry {OF_DAYS + 7} of the log is none"),
    (keep_a_run_back, "the log was set back"),
]
FOR_ANYBODY = [
    (show_another_tree, "do not lead to the root that the host has signed"),
    (change_the_player, "its record is not the one that is in the log"),
    (change_the_times, "its record is not the one that is in the log"),
    (swap_two_runs, "its record is not the one that is in the log"),
    (change_the_score, "its record is broken"),
    (change_the_secret, "its record is broken"),
    (cut_a_game, "its record was cut before event"),
    (break_a_rule, "its record is broken"),
    (hide_a_game, "the server does not show it"),
    (change_a_board, "its record is not the one that is in the log"),
    (log_a_run_twice, "the log has an earlier entry of the same events"),
    (keep_a_run_back, f"the boards of {DAY} do not follow from its records"),
]


async def test_a_forged_history_is_found_by_who_has_watched(lived: Lived) -> None:
    assert await lived.look() == []
    for forge, named in FOR_WHO_HAS_WATCHED:
        async with lived.put_back():
            await forge(lived)
            found = await lived.look(deepcopy(lived.state))
        assert any(named in wrong for wrong in found), (forge.__name__, found)
    assert await lived.look() == []


async def test_a_forged_record_is_found_by_anybody(lived: Lived) -> None:
    for forge, named in FOR_ANYBODY:
        async with lived.put_back():
            await forge(lived)
            found = await lived.look_anew()
        assert any(named in wrong for wrong in found), (forge.__name__, found)
    assert await lived.look_anew() == []
