"""Games that are lent to players, who analyse them on their own machines: taking one, submitting, giving it back.

Only games whose cards everybody may see are lent: the rule is that of their analysis
(`cadogan.server.core.games.access.Access.require_analysis`).
"""

from aiohttp import web

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core.errors import Conflict, Forbidden, RefusalError
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.history_bodies import MIN_COST, Charge
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import id_to_create, json_response, read_body, require_player, server_of
from cadogan.server.subjects.analysis.contributions import LEND_SECONDS, Contribution, Contributions
from cadogan.server.subjects.analysis.findings import Run, read_run
from cadogan.server.subjects.analysis.lent_search import FalseWin, LentSearch
from cadogan.wire.lent_work import LentGame, LentWork, SubmitWork, TakeWork, WorkState
from cadogan.wire.values import Player


class LentGames:
    """Lends games of one server to players, and takes what they have found."""

    def __init__(
        self, contributions: Contributions, outlines: GameOutlines, reader: GameReader, access: Access
    ) -> None:
        self.contributions = contributions
        self._outlines = outlines
        self._reader = reader
        self._access = access
        self._slices = TimeSlices()

    async def take(self, player: Player, id: str, solver: int, charge: Charge) -> LentGame | None:
        """Lend a game to a player, or return the one with this id; None if none waits.

        Raises Conflict for another version of the solver, Forbidden for a guest, and as `Contributions.take`.
        """
        if solver != SOLVER_VERSION:
            raise Conflict(
                "This server has version {version} of the solver: install its version.", version=SOLVER_VERSION
            )
        if player.guest:
            raise Forbidden("Choose a name first: guests get no games to analyse.")
        person = await self._access.person_of(player.id)
        lent = await self.contributions.take(player.id, person, id, self._may_be_lent)
        if lent is None:
            return None
        run = await self._read(lent, charge)
        return LentGame(
            id=lent.id,
            game=lent.game,
            rules=run.rules.slug,
            rules_version=run.rules.rules_version,
            solver=SOLVER_VERSION,
            seed=run.seed.hex(),
            piles=[list(pile) for pile in run.deal.piles],
            counters=list(run.deal.counters),
            moves=[move and move.text for move in run.played],
            seconds=LEND_SECONDS // 2,
        )

    async def submit(self, player: Player, id: str, submitted: SubmitWork, charge: Charge) -> WorkState:
        """Take the next steps of an analysis. Raises NotFound, Conflict, or Forbidden if a win is none."""
        while (state := await self._submit(player, id, submitted, charge)) is None:
            pass  # another request has submitted something meanwhile
        return state

    async def _submit(self, player: Player, id: str, submitted: SubmitWork, charge: Charge) -> WorkState | None:
        lent = await self.contributions.find(id, player.id)
        search = LentSearch(await self._read(lent, charge), lent.findings, lent.claims)
        is_done = lent.state == "done"
        if not is_done:
            try:
                await self._slices.run(search.take(submitted.after, submitted.steps))
            except FalseWin:
                await self.contributions.drop(lent)
                raise Forbidden("A line that should win does not win: this account gets no more games.") from None
            is_done = search.is_done
            if not await self.contributions.keep(lent, search.findings, search.claims, is_done):
                return None
        return WorkState(id=id, steps=search.steps, done=is_done)

    async def give_up(self, player: Player, id: str) -> WorkState:
        """Return a game to the queue. Raises NotFound."""
        lent = await self.contributions.find(id, player.id)
        await self.contributions.give_up(lent)
        findings = lent.findings
        return WorkState(id=id, steps=len(findings.searched) + len(findings.choices), done=lent.state == "done")

    async def _may_be_lent(self, game_id: str) -> bool:
        try:
            await self._access.require_analysis(await self._outlines.get(game_id))
        except RefusalError:
            return False
        return True

    async def _read(self, lent: Contribution, charge: Charge) -> Run:
        outline = await self._outlines.get(lent.game)
        charge(max(MIN_COST, outline.version))
        return await read_run(self._reader, lent.game)


async def take_work(request: web.Request) -> web.Response:
    """Lend the current player a finished game, and answer with it."""
    player, charge = await require_player(request), await charge_of(request)
    wanted = await read_body(request, TakeWork)
    lent_games, id = server_of(request).lent_games, id_to_create(request, player)
    return json_response(LentWork(work=await lent_games.take(player, id, wanted.solver, charge)))


async def submit_work(request: web.Request) -> web.Response:
    """Take the next steps of an analysis, and answer with how far it is."""
    player, charge = await require_player(request), await charge_of(request)
    submitted = await read_body(request, SubmitWork)
    return json_response(
        await server_of(request).lent_games.submit(player, request.match_info["id"], submitted, charge)
    )


async def give_work_up(request: web.Request) -> web.Response:
    """Return a lent game to the queue."""
    player = await require_player(request)
    return json_response(await server_of(request).lent_games.give_up(player, request.match_info["id"]))
