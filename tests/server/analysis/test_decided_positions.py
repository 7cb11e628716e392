"""Positions that were searched, in each database: kept, found again, and told from each other."""

from server.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from server.analysis.run_search import CHOICE_NODES, NODES
from server.database.connections import Database
from tests.harness.lost_game import lost_game


async def test_a_position_without_a_verdict_is_searched_again_only_with_more_nodes(database: Database) -> None:
    decided = DecidedPositions(database)
    step = lost_game()[100].after
    key = position_key(step.rules, step.seed, step.position.state)
    await decided.put({key: DecidedPosition("unknown", CHOICE_NODES)})
    found = (await decided.get([key, "nowhere"]))[key]
    assert (found.answers(CHOICE_NODES), found.answers(NODES)) == (True, False)
    await decided.put({key: DecidedPosition("won", 7, ("a/b", "deal"))})
    assert await decided.get([key]) == {key: DecidedPosition("won", 7, ("a/b", "deal"))}
    assert DecidedPosition("lost", 7).answers(NODES)


def test_positions_of_other_deals_and_rules_have_other_keys() -> None:
    one, other = lost_game()[100].after, lost_game()[101].after
    state = one.position.state
    keys = {
        position_key(one.rules, one.seed, state),
        position_key(one.rules, bytes(32), state),
        position_key(one.rules, one.seed, other.position.state),
    }
    assert len(keys) == 3
