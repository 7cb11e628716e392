"""Let bots enter an evening by its code, and play each of its rounds over the socket."""

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

OVER = ("provisional", "final", "void")
"""The states of an evening after its last round."""


class EveningPlan(NamedTuple):
    """How bots play the evening with a code on a server.

    `bot` is a name of `BOTS`. A bot waits `pause_seconds` between two moves, and `timeout_seconds` for an answer at
    most. The evening is requested again after `poll_seconds` at the latest.
    """

    server: str
    code: str
    bot: str = "thought"
    pause_seconds: float = 0.0
    timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
    poll_seconds: float = EVENING_POLL_SECONDS


@dataclass
class EveningResult:
    """What one bot has done in an evening.

    `runs` are its games as they ended, `answer_seconds` for how long each move was waited, and `problem` says why it
    could not go on.
    """

    name: str
    runs: list[Session] = field(default_factory=list)
    answer_seconds: list[float] = field(default_factory=list)
    problem: str = ""


async def play_evening(plan: EveningPlan, names: Sequence[str], tokens: Sequence[str] = ()) -> list[EveningResult]:
    """Let one bot play for each name, all at the same time, until the last round has closed.

    The first ones play with these tokens, under the names of their accounts; the others are new guests, who are called
    by these names in the evening. What goes wrong for one bot is in its result, and the others go on.
    """
    padded = [*tokens, *[None] * (len(names) - len(tokens))]
    return await asyncio.gather(
        *(_play_as(plan, name, token, number) for number, (name, token) in enumerate(zip(names, padded, strict=True)))
    )


async def read_standing(plan: EveningPlan) -> EveningStanding:
    """Return the standing of the evening as it is now. Raises RefusalError or Unreachable."""
    async with connect(plan.server, guest=False, timeout_seconds=plan.timeout_seconds) as client:
        return await client.show_evening_standing((await client.find_evening(plan.code)).id)


async def _play_as(plan: EveningPlan, name: str, token: str | None, number: int) -> EveningResult:
    result, generator = EveningResult(name), random.Random(number)
    try:
        async with connect(plan.server, token, timeout_seconds=plan.timeout_seconds) as client:
            evening = await client.find_evening(plan.code)
            await client.enter_evening(evening.id, None if token else name)
            await _play_rounds(client, evening.id, plan, generator, result)
    except ClientError as error:
        result.problem = str(error)
    return result


async def _play_rounds(
    client: Client, id: str, plan: EveningPlan, generator: random.Random, result: EveningResult
) -> None:
    played: set[int | None] = set()
    async for evening in client.follow_evening(id, plan.poll_seconds):
        if evening.state in OVER:
            return
        if evening.may_play and evening.round not in played:
            try:
                game = await client.enter_round(id)
            except RefusalError as refusal:
                if refusal.code != "conflict":  # the round has closed meanwhile
                    raise
                continue
            played.add(evening.round)
            try:
                await _play_run(game, BOTS[plan.bot](game.rules.layout.piles, generator), plan.pause_seconds, result)
            finally:
                game.close()
            result.runs.append(game.session)


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
