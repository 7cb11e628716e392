"""Requests of one player at the same moment get no further than one after another."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from cadogan.server.core import ids
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.people import session_id
from cadogan.server.subjects.accounts.accounts import MAX_BOTS
from cadogan.server.subjects.accounts.personal_tokens import MAX_TOKENS
from cadogan.server.subjects.analysis.jobs import MAX_WAITING_OF_PERSON, WHOLE_GAME
from cadogan.server.subjects.players import groups
from cadogan.wire.tokens import NewToken
from tests.harness.hosts import player
from tests.harness.running_server import RunningServer


async def count(most: int, ask: Callable[[int], Awaitable[object]]) -> int:
    """Return how many of some more requests than are allowed are not refused."""
    answers = await asyncio.gather(*[ask(number) for number in range(most + 4)], return_exceptions=True)
    assert not [one for one in answers if isinstance(one, BaseException) and not isinstance(one, RefusalError)]
    return sum(not isinstance(one, RefusalError) for one in answers)


@pytest.mark.both_databases
async def test_requests_at_the_same_moment_do_not_get_past_the_limits_of_a_player(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, server = await player(running_server, "Ann"), running_server.server
    others = [await player(running_server, f"Other {number}") for number in range(8)]
    monkeypatch.setattr(groups, "MAX_GROUPS", 4)
    monkeypatch.setattr(groups, "MAX_FRIENDS", 4)
    monkeypatch.setattr(groups, "MAX_MEMBERS", 4)
    me = await server.sign_in.accounts.authenticate(ann.token)
    assert me is not None
    session = session_id(ann.token)
    token = NewToken(name="Mine", scopes=["read"])
    assert {
        "bots": await count(MAX_BOTS, lambda n: server.sign_in.accounts.create_bot(me, f"Bot {n}")),
        "tokens": await count(
            MAX_TOKENS, lambda n: server.sign_in.personal_tokens.create(ann.id, session, ids.new_id(), token)
        ),
        "analyses": await count(MAX_WAITING_OF_PERSON, lambda n: server.analysis_jobs.ask(f"{n}", WHOLE_GAME, ann.id)),
        "groups": await count(4, lambda n: server.groups.create_group(ann.id, f"Club {n}")),
        "friends": await count(4, lambda n: server.groups.add_friend(ann.id, f"Other {n}")),
    } == {"bots": MAX_BOTS, "tokens": MAX_TOKENS, "analyses": MAX_WAITING_OF_PERSON, "groups": 4, "friends": 4}
    club = await server.groups.create_group(others[0].id, "The club")
    assert await count(4, lambda n: server.groups.join(others[n].id, club.token)) == 4
