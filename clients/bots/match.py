"""A bot that creates duplicate matches for anybody with their link, and plays them over the socket."""

import random
from collections.abc import Callable
from typing import NamedTuple

from cadogan.bots.evening import EveningPlan, EveningResult, play_rounds
from cadogan.sdk import Client
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.matches import NewMatch

DEFAULT_NAME = "Computer"
"""What the bot is called. A server keeps names with the word bot for the accounts of bots."""


class MatchResult(NamedTuple):
    """The result of a bot in a match, and the final standing, which has no rows if no opponent joined."""

    played: EveningResult
    standing: EveningStanding


async def play_match(
    client: Client, plan: EveningPlan, wanted: NewMatch, announce: Callable[[str], None], name: str = DEFAULT_NAME
) -> MatchResult:
    """Create a match, pass its link to `announce`, and play against the player who joins.

    The client is a guest, whom the match calls by this name: the server refuses the accounts of bots. `wanted` is a
    match for whoever has its link, so that nobody is paired with a bot without knowing. It ends without a run if nobody
    comes in a quarter of an hour. Raises RefusalError or Unreachable.
    """
    match = await client.make_match(wanted)
    await client.enter_evening(match.id, name)
    announce(f"{client.address}/e/{match.code}")
    result = EveningResult(name)
    await play_rounds(client, match.id, plan, random.Random(), result)
    return MatchResult(result, await client.show_evening_standing(match.id))
