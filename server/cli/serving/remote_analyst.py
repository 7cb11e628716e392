"""An analyst that reaches a server over HTTP, with a player's personal token: `cadogan analyst --server`.

It takes a finished game, searches it in the same order as every analyst, and submits what it finds, at the latest when
half of the lease is over. It holds nothing that must be kept: it may be stopped at any time.
"""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import TypeVar

import aiohttp
import structlog
from msgspec import Struct

from cadogan import engine
from cadogan.engine.errors import EngineError
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.state import State
from cadogan.server.subjects.analysis.analyst import search_in_thread
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition
from cadogan.server.subjects.analysis.findings import Findings, Run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from cadogan.server.subjects.analysis.run_search import SHORTEN_NODES, RunSearch, decide_in_steps
from cadogan.wire.bodies import Refusal
from cadogan.wire.codec import UnreadableMessage, decode_body, encode
from cadogan.wire.endpoint import API
from cadogan.wire.lent_work import (
    MAX_STEPS,
    Decided,
    LentGame,
    LentWork,
    SearchStep,
    SubmitWork,
    TakeWork,
    WorkState,
)

log = structlog.stdlib.get_logger("cadogan.analyst")
IDLE_SECONDS = 5.0
"""Seconds between two questions for work, when there is none."""
RETRY_SECONDS = 15.0
"""Seconds until a server that does not answer is asked again."""
TIMEOUT_SECONDS = 30.0
MAX_BODY_BYTES = 40_000
"""Bytes of steps after which they are submitted; they fit into a body."""
ENDING = ("unauthorized", "forbidden", "suspended")
"""Refusals after which nothing more is accepted from this token."""
Body = TypeVar("Body", bound=Struct)


class Refused(Exception):
    """The server has refused a request. `code` is that of the refusal, and the message its sentence."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.code = refusal.code
        self.retry_after = refusal.retry_after


class NoAnswer(Exception):
    """The server does not answer, or not as one; a later attempt may succeed."""


class AnalystLink:
    """The requests of an analyst to one server. Every method raises Refused or NoAnswer."""

    def __init__(self, session: aiohttp.ClientSession, address: str, token: str) -> None:
        self._session = session
        self._work = f"{address.rstrip('/')}{API}/analysts/work"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    async def take(self, key: str) -> LentGame | None:
        """Return a game to analyse; None if none waits. With the same `key` it is the same game."""
        headers = {"Idempotency-Key": key}
        return (await self._ask("POST", self._work, LentWork, TakeWork(solver=SOLVER_VERSION), headers)).work

    async def submit(self, id: str, after: int, steps: list[SearchStep]) -> WorkState:
        """Submit the next steps; `after` is the number of steps submitted before."""
        return await self._ask("POST", f"{self._work}/{id}/steps", WorkState, SubmitWork(after=after, steps=steps))

    async def give_up(self, id: str) -> WorkState:
        """Give a game back."""
        return await self._ask("DELETE", f"{self._work}/{id}", WorkState)

    async def _ask(
        self, method: str, url: str, kind: type[Body], body: Struct | None = None, headers: dict[str, str] | None = None
    ) -> Body:
        data = None if body is None else encode(body)
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        try:
            asked = self._session.request(
                method, url, data=data, headers=self._headers | (headers or {}), timeout=timeout
            )
            async with asked as answer:
                text = await answer.read()
            if answer.status != 200:
                raise Refused(decode_body(Refusal, text))
            return decode_body(kind, text)
        except UnreadableMessage:
            raise NoAnswer(f"it answered {answer.status}, and nothing that can be read") from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise NoAnswer(str(error) or "it took too long") from None


class RemoteAnalyst:
    """Takes one game after the other and analyses it, until `stopping` is set."""

    def __init__(self, link: AnalystLink, stopping: asyncio.Event) -> None:
        self._link = link
        self._stopping = stopping

    async def work(self) -> None:
        """Analyse games until this analyst is to stop. Raises Refused if the server accepts nothing more."""
        key = secrets.token_hex(16)
        while not self._stopping.is_set():
            try:
                game = await self._link.take(key)
                key = secrets.token_hex(16)
                if game is None:
                    await self._wait(IDLE_SECONDS)
                else:
                    await self._analyse(game)
            except NoAnswer as error:
                log.warning("server_unreachable", reason=str(error))
                await self._wait(RETRY_SECONDS)
            except Refused as refused:
                if refused.code in ENDING or refused.code == "conflict":
                    raise
                log.warning("work_refused", code=refused.code, reason=str(refused))
                await self._wait(refused.retry_after or RETRY_SECONDS)

    async def _analyse(self, game: LentGame) -> None:
        """Analyse one game, or give it back if its rules are others here, or this analyst is to stop."""
        try:
            work = LentRun(self._link, game, self._stopping)
            while await work.search_next():
                pass
            log.info("analysed", game=game.game, rules=game.rules)
        except Refused as refused:
            if refused.code in ENDING:
                raise
            log.warning("work_lost", game=game.game, reason=str(refused))
        except (EngineError, Stopped) as error:
            with suppress(Refused, NoAnswer):
                await self._link.give_up(game.id)
            log.info("given_up", game=game.game, reason=str(error))

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()


class Stopped(Exception):
    """This analyst is to stop."""


class LentRun:
    """The search of one lent game. Raises EngineError if its rules are others here."""

    def __init__(self, link: AnalystLink, game: LentGame, stopping: asyncio.Event) -> None:
        rules = engine.game(game.rules)
        if rules.rules_version != game.rules_version:
            raise EngineError(f"{game.rules} has other rules here")
        deal = State(tuple(map(tuple, game.piles)), tuple(game.counters))
        played = [None if text is None else rules.move(text) for text in game.moves]
        self._search = RunSearch(Run(rules, bytes.fromhex(game.seed), deal, played, []), WHOLE_GAME, Findings())
        self._link = link
        self._game = game
        self._stopping = stopping
        self._submitted = 0
        self._steps: list[SearchStep] = []
        self._submit_at = time.monotonic() + game.seconds

    async def search_next(self) -> bool:
        """Search one step; submit when it is time, and at the end. Returns False at the end. Raises Stopped."""
        step = self._search.next_step()
        if step is None:
            await self._submit()
            return False
        shorten_nodes = SHORTEN_NODES if step.known is None else 0
        found = [await self._decide(state, step.nodes, shorten_nodes) for state in step.states]
        self._search.record(step, found)
        lines = [list(one.line) if step.known is None else [] for one in found]
        decided = [
            Decided(verdict=one.verdict, nodes=one.nodes, line=line) for one, line in zip(found, lines, strict=True)
        ]
        self._steps.append(SearchStep(position=step.position, decided=decided))
        size = len(encode(SubmitWork(after=self._submitted, steps=self._steps)))
        if size > MAX_BODY_BYTES or len(self._steps) == MAX_STEPS:
            await self._submit()
        return True

    async def _decide(self, state: State, nodes: int, shorten_nodes: int) -> DecidedPosition:
        search = decide_in_steps(self._search.rules, state, self._search.seed, nodes, shorten_nodes)
        found = None
        while found is None:
            if self._stopping.is_set():
                raise Stopped("this analyst was stopped")
            found = await search_in_thread(search, self._stopping)
            if time.monotonic() >= self._submit_at:
                await self._submit()
        return found

    async def _submit(self) -> None:
        """Submit the steps so far, also if there are none, so that the game stays lent to this analyst."""
        await self._link.submit(self._game.id, self._submitted, self._steps)
        self._submitted += len(self._steps)
        self._steps = []
        self._submit_at = time.monotonic() + self._game.seconds
