"""Let bots enter an evening by its code, and play each of its rounds, or the deals of an arena, over the socket."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cadogan.bots.runner import BOTS, Bot
from cadogan.sdk import Client, Game, Session, connect
from cadogan.sdk.client import EVENING_POLL_SECONDS
from cadogan.sdk.errors import ClientError, GameOver, RefusalError
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.wire.evening_standings import EveningStanding
from cadogan.wire.evenings import Evening

OVER = ("provisional", "final", "void")
"""The states of an evening after its last round."""


class EveningPlan(NamedTuple):
    """How bots play evenings on a server.

    `bot` is a name of `BOTS`. A bot waits `pause_seconds` between two moves, and `timeout_seconds` for an answer at
    most. The evening is requested again after `poll_seconds` at the latest.
    """

    server: str
    bot: str = "thought"
    pause_seconds: float = 0.0
    timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
    poll_seconds: float = EVENING_POLL_SECONDS


@dataclass
class EveningResult:
    """The result of one bot in an evening.

    `runs` are its finished games, `answer_seconds` the response time of each move, and `problem` is the reason why it
    stopped early.
    """

    name: str
    runs: list[Session] = field(default_factory=list)
    answer_seconds: list[float] = field(default_factory=list)
    problem: str = ""


async def play_evening(
    plan: EveningPlan, code: str, names: Sequence[str], tokens: Sequence[str] = ()
) -> list[EveningResult]:
    """Let one bot play the evening with this code for each name, all at the same time, until the last round has closed.

    The first ones play with these tokens, under the names of their accounts; the others are new guests, who are called
    by these names in the evening. What goes wrong for one bot is in its result, and the others go on.
    """
    padded = [*tokens, *[None] * (len(names) - len(tokens))]
    return await asyncio.gather(
        *(
            _play_as(plan, code, name, token, number)
            for number, (name, token) in enumerate(zip(names, padded, strict=True))
        )
    )


async def read_standing(plan: EveningPlan, code: str) -> EveningStanding:
    """Return the standing of the evening with this code as it is now. Raises RefusalError or Unreachable."""
    async with connect(plan.server, guest=False, timeout_seconds=plan.timeout_seconds) as client:
        return await client.show_evening_standing((await client.find_evening(code)).id)


async def _play_as(plan: EveningPlan, code: str, name: str, token: str | None, number: int) -> EveningResult:
    result, generator = EveningResult(name), random.Random(number)
    try:
        async with connect(plan.server, token, timeout_seconds=plan.timeout_seconds) as client:
            evening = await client.find_evening(code)
            await client.enter_evening(evening.id, None if token else name)
            await play_rounds(client, evening.id, plan, generator, result)
    except ClientError as error:
        result.problem = str(error)
    return result


async def play_rounds(
    client: Client, id: str, plan: EveningPlan, generator: random.Random, result: EveningResult
) -> None:
    """Play each round of an evening, or deal after deal of an arena, until it is over, and add the runs to the result.

    Raises RefusalError or Unreachable.
    """
    played: set[int | None] = set()
    async for latest in client.follow_evening(id, plan.poll_seconds):
        evening = latest
        while evening.may_play and (number := _number_to_play(evening)) not in played:
            try:
                game = await client.enter_round(id)
            except RefusalError as refusal:
                if refusal.code != "conflict":  # the round has closed meanwhile
                    raise
                break
            played.add(number)
            try:
                await _play_run(game, BOTS[plan.bot](game.rules.layout.piles, generator), plan.pause_seconds, result)
            finally:
                game.close()
            result.runs.append(game.session)
            evening = await client.show_evening(id)
        if evening.state in OVER:
            return


def _number_to_play(evening: Evening) -> int | None:
    """Return the number of the deal of an arena, or of the round, that may be played now."""
    return evening.round if evening.arena is None else evening.arena.next


async def _play_run(game: Game, bot: Bot, pause_seconds: float, result: EveningResult) -> None:
    """Play a run until it ends, at the latest with its round."""
    while not game.over:
        move = await asyncio.to_thread(bot.choose, game.session)  # others play meanwhile
        asked = time.perf_counter()
        try:
            await (game.resign() if move is None else game.play(move))
        except GameOver:
            return
        result.answer_seconds.append(time.perf_counter() - asked)
        await asyncio.sleep(pause_seconds)
