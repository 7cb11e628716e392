"""Matches at work: teams enter, the clock opens and closes the rounds, and each deal is worth points."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Self

from aiohttp import web
from msgspec import Struct, field
from msgspec.structs import replace

from cadogan.server.app import Server
from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict, GameOver
from cadogan.server.core.eventlog.events import CompetitionEvent, UnreadableEvent
from cadogan.server.core.fairness.commit_reveal import competition_deal_id
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.competition import OwnRun, make_deal_event
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.own_streams import Standing, StreamedCompetition, ranked
from cadogan.server.core.games.stream_state import StreamState
from cadogan.server.core.ranking import RankKey
from cadogan.server.core.web.requests import read_body, require_player
from tests.server.competitions.duplicate.rules import (
    KEY,
    DuplicateRules,
    Entered,
    MatchEnded,
    MatchOpened,
    RoundClosed,
    RoundOpened,
)

ROUNDS = 2


class NewMatch(Struct):
    game: str
    starts_at: int
    seconds: int


class NewEntry(Struct):
    team: str


class Match(StreamState, frozen=True, kw_only=True):
    """A match at one version of its stream, with the team of each player."""

    opened: MatchOpened = MatchOpened("", (), 0, 0)
    teams: dict[str, str] = field(default_factory=dict)
    rounds_opened: int = 0
    closed: tuple[RoundClosed, ...] = ()

    @property
    def due_at(self) -> int | None:
        return None if len(self.closed) == ROUNDS else self.closes_at(self.rounds_opened)

    def closes_at(self, number: int) -> int:
        """When a round closes, and the next one opens; for round 0, the start."""
        return self.opened.starts_at + number * self.opened.seconds * 1000

    def team_of(self, player: str) -> list[str]:
        """The players of a player's team."""
        return [mate for mate, team in self.teams.items() if team == self.teams.get(player)]

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case MatchOpened():
                return replace(self, opened=event)
            case Entered(player, team):
                return replace(self, teams={**self.teams, player: team})
            case RoundOpened():
                return replace(self, rounds_opened=self.rounds_opened + 1)
            case RoundClosed():
                return replace(self, closed=(*self.closed, event))
            case MatchEnded():
                return self
        raise UnreadableEvent(f"{event.name} is no event of a match")


class Duplicate(StreamedCompetition[Match]):
    """The matches of a server. Of two teams on a deal the one with the better run has 2 points, equal ones 1 each."""

    rules = DuplicateRules()
    state_class = Match

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._server = server

    async def advance(self, state: Match, at: int) -> Sequence[CompetitionEvent]:
        number = len(state.closed) + 1
        deal = await self._deal(state.id, number, state.opened.game)
        if state.rounds_opened < number:
            for player in state.teams:
                dealt = make_deal_event(deal, player, competition=KEY, about=f"{state.id}/{number}")
                await self._server.commands.deal(_game_of(deal, player), dealt, deal.secret, at)
            return [RoundOpened()]
        runs = {}
        for player in state.teams:
            end = (await self._server.commands.end_on_time(_game_of(deal, player), at)).finished
            assert end is not None
            runs[player] = RankKey(-end.score, end.moves, end.milliseconds)
        return [RoundClosed(runs, deal.secret.hex()), *([MatchEnded()] if number == ROUNDS else ())]

    def standings(self, state: Match) -> list[Standing]:
        points = dict.fromkeys(state.teams.values(), 0)
        for closed in state.closed:
            best: dict[str, RankKey] = {}
            for player, key in closed.runs.items():
                best[state.teams[player]] = min(key, best.get(state.teams[player], key))
            for one, other in combinations(best, 2):
                better = (best[one] < best[other]) - (best[one] > best[other])
                points[one], points[other] = points[one] + 1 + better, points[other] + 1 - better
        return [Standing(team, (-sum_,), sum_) for team, sum_ in points.items()]

    async def is_public(self, game: GameOutline) -> bool:
        id, number = _about(game)
        return len((await self.get(id)).closed) >= number

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return whether the runs of the player's whole team are over, so that no team mate is told anything."""
        id, number = _about(game)
        match = await self.get(id)
        deal = await self._deal(id, number, match.opened.game)
        games = [_game_of(deal, mate) for mate in match.team_of(player)]
        results = [(await self._server.run_results.get(game_id)).result for game_id in games]
        return OwnRun(finished=bool(results) and None not in results)

    async def require_open(self, game: GameState, now: int) -> None:
        id, number = _about(game)
        if now >= (await self.read_state(id)).closes_at(number):
            self.schedule_settlement(id)
            raise GameOver("The round is over.", version=game.version)

    def on_end(self, committed: Committed) -> None:
        """Let the whole team see more, should this have been its last run."""
        game = committed.state
        if game.competition is self.rules and committed.written_here:
            for mate in match.team_of(game.player) if (match := self.cached(_about(game)[0])) else ():
                self._server.lift_embargo(mate)

    def routes(self) -> Iterable[web.RouteDef]:
        one = "/api/v1/duplicates/{id}"
        return (web.post("/api/v1/duplicates", self.open), web.get(one, self.show), web.post(one, self.enter))

    async def open(self, request: web.Request) -> web.Response:
        await require_player(request)
        new, id = await read_body(request, NewMatch), ids.new_id()
        deals = [await self._deal(id, number, new.game) for number in range(1, ROUNDS + 1)]
        seals = tuple([deal.commitment for deal in deals])
        return self._response(await self.begin(id, MatchOpened(new.game, seals, new.starts_at, new.seconds)))

    async def enter(self, request: web.Request) -> web.Response:
        player, new = await require_player(request), await read_body(request, NewEntry)

        def decide(match: Match) -> list[CompetitionEvent]:
            if match.rounds_opened:
                raise Conflict("This match has begun.")
            return [] if match.teams.get(player.id) == new.team else [Entered(player.id, new.team)]

        return self._response(await self.write(request.match_info["id"], decide))

    async def show(self, request: web.Request) -> web.Response:
        player, match = await require_player(request), await self.get_latest(request.match_info["id"])
        is_playing = match.rounds_opened > len(match.closed) and player.id in match.teams
        deal = await self._deal(match.id, match.rounds_opened, match.opened.game) if is_playing else None
        return self._response(match, _game_of(deal, player.id) if deal else None)

    def _response(self, match: Match, game: str | None = None) -> web.Response:
        lines = [[rank, line.subject, line.points] for rank, line in ranked(self.standings(match))]
        return web.json_response({"id": match.id, "closed": len(match.closed), "standing": lines, "game": game})

    async def _deal(self, id: str, number: int, game: str) -> SealedDeal:
        return await self._server.deals.seal_named(competition_deal_id(KEY, f"{id}/{number}"), game, self._now())


def _game_of(deal: SealedDeal, player: str) -> str:
    return ids.derive_id(deal.secret, KEY, player)


def _about(game: GameOutline) -> tuple[str, int]:
    id, number = (game.dealt.about or "").split("/")
    return id, int(number)
