"""Positions that were searched, in each database: kept, found again, and told from each other."""

import pytest

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.analysis.decided_positions import (
    RETENTION_MILLISECONDS,
    DecidedPosition,
    DecidedPositions,
    position_key,
)
from cadogan.server.subjects.analysis.run_search import CHOICE_NODES, NODES
from tests.harness.lost_game import lost_game


async def test_a_position_without_a_verdict_is_searched_again_only_with_more_nodes(database: Database) -> None:
    decided = DecidedPositions(database, now)
    step = lost_game()[100].after
    key = position_key(step.rules, step.seed, step.position.state)
    await decided.put({key: DecidedPosition("unknown", CHOICE_NODES)})
    found = (await decided.get([key, "nowhere"]))[key]
    assert (found.answers(CHOICE_NODES), found.answers(NODES)) == (True, False)
    await decided.put({key: DecidedPosition("won", 7, ("a/b", "deal"))})
    assert await decided.get([key]) == {key: DecidedPosition("won", 7, ("a/b", "deal"))}
    assert DecidedPosition("lost", 7).answers(NODES)


@pytest.mark.both_databases
async def test_old_positions_are_erased_and_the_oldest_of_too_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.decided_positions._ERASED_AT_ONCE", 2)
    monkeypatch.setattr("cadogan.server.subjects.analysis.decided_positions.MAX_POSITIONS", 6)
    at = 0
    decided = DecidedPositions(database, lambda: at)
    for at in range(10):  # the clock reads it
        await decided.put({f"position {at}": DecidedPosition("lost", at)})
    await decided.put({"position 5": DecidedPosition("won", 50, ("deal",))})  # searched again, so it is the latest
    every = [f"position {n}" for n in range(10)]
    await decided.erase_old()
    assert set(await decided.get(every)) == set(every[4:])
    assert await decided.count() == 6
    at = RETENTION_MILLISECONDS + 8
    await decided.erase_old()
    assert set(await decided.get(every)) == {"position 5", "position 8", "position 9"}
    at += 100
    await decided.erase_old()
    await decided.erase_old()
    assert await decided.count() == 0


def test_positions_of_other_deals_and_rules_have_other_keys() -> None:
    one, other = lost_game()[100].after, lost_game()[101].after
    state = one.position.state
    keys = {
        position_key(one.rules, one.seed, state),
        position_key(one.rules, bytes(32), state),
        position_key(one.rules, one.seed, other.position.state),
    }
    assert len(keys) == 3
