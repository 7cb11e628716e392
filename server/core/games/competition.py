"""A competition: what it decides while the server runs, the first event of its games, the results of its runs.

The pure part of each competition is its `CompetitionRules`. To write another one:

1. a class with the rules, which inherits from `CompetitionRules`;
2. a class that inherits from `Competition`, or from `cadogan.server.core.games.own_streams.StreamedCompetition` if it
   has matches, tournaments or the like, which are streams of its own;
3. two entry points (`cadogan.server.subjects.known_rules`), or hand it to `Server` in `cadogan.server.app`.

`tests/server/competitions/duplicate` does so.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from cadogan import engine
from cadogan.server.core.eventlog.events import GameDealt, Winnable
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.competition_rules import CompetitionRules, GameOutline, RulesRegistry
from cadogan.server.core.games.game_index import Attempt, GameIndex
from cadogan.server.core.games.game_state import GameState
from cadogan.wire.beacon import SignedRound


class OwnRun(NamedTuple):
    """The state of a person's one ranked run of a shared deal."""

    finished: bool = False
    spoiled: bool = False
    """Whether the player chose to see the deal instead of playing it ranked."""


class Competition(Protocol):
    """One kind of competition.

    The server calls these methods for shared deals only, but for `require_told`. Methods with a body here are defaults.
    A competition is also a part of the server, and may have the hooks of `cadogan.server.part.Part`, such as
    `on_commit`.
    """

    @property
    @abstractmethod
    def rules(self) -> CompetitionRules:
        """The decisions that need no database."""

    @abstractmethod
    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the deal is public now: its cards and its secret may be sent to anybody."""

    async def is_public_to(self, player: str, game: GameOutline) -> bool:
        """Return whether a deal that is public is so to this player too, who may be playing it again."""
        return True

    async def require_told(self, player: str | None, game: GameOutline) -> None:
        """Raise SpoilerEmbargo if this player, or None for anybody, may not be told where a finished game was lost.

        Playing on from it tells as much. It is asked of deals that are not shared.
        """
        return

    async def signed_round(self, game: GameOutline) -> SignedRound | None:
        """Return the beacon round from which the cards of a public deal follow, beside the secret; None if none."""
        return None

    async def note_view(self, player: str, game: GameOutline) -> None:
        """React before a player is shown cards of another player's game whose deal is public."""
        return

    async def runs_elsewhere(self, deal: str, players: Mapping[str, str]) -> Collection[str]:
        """Return those of these runs of a public deal that the page of the deal leaves out, since they count nowhere.

        `players` has the player of each run, by the id of its game.
        """
        return ()

    async def withheld_runs(self, player: str) -> Collection[str]:
        """Return the ids of a player's runs whose results nobody else may see yet."""
        return ()

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return the state of the player's ranked run of this game's deal. The game may be another player's.

        An owner and their bots are one person (`cadogan.server.core.people`): none of them sees a card of others
        while another still has a run that counts. Nor does a member of a team while a team mate has one: a competition
        of teams answers for the team, and calls `Server.lift_embargo` for all of it. This one: until it is public,
        nobody is shown anything.
        """
        return OwnRun()

    async def opened_at(self, game: GameOutline) -> int:
        """Return when the deal could first be played, in milliseconds since 1970. The default is the time of this game.

        Accounts that were too new at that time are newcomers to the deal.
        """
        return game.dealt_at

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise a RefusalError if the game no longer accepts commands, although its end is not recorded yet.

        `now` is in milliseconds since 1970.
        """


class Competitions:
    """The competitions of a server."""

    def __init__(self, casual: Competition) -> None:
        """`casual` owns every game that no other competition owns; `add` the others."""
        self._by_rules = {casual.rules: casual}
        self.rules = RulesRegistry(casual.rules)

    def add(self, competition: Competition) -> None:
        """Register a competition for the games that its rules own."""
        self._by_rules[competition.rules] = competition
        self.rules.add(competition.rules)

    def of(self, game: GameOutline) -> Competition:
        """Return the competition that a game belongs to."""
        return self._by_rules[game.competition]

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether a game's deal is shared, and public now."""
        return game.competition.is_shared and await self.of(game).is_public(game)

    async def withheld_runs(self, player: str) -> set[str]:
        """Return the ids of a player's runs whose results nobody else may see yet."""
        return {run for one in self._by_rules.values() for run in await one.withheld_runs(player)}


def make_deal_event(
    deal: SealedDeal,
    player: str,
    *,
    nonce: str | None = None,
    ranked: bool = False,
    race: str | None = None,
    competition: str | None = None,
    about: str | None = None,
    number: int | None = None,
    winnable: Winnable | None = None,
) -> GameDealt:
    """Return the event that starts a player's game of a sealed deal.

    `player` and `race` are ids, `competition`, `about`, `number` and `winnable` are as in `GameDealt`. If `nonce` is
    None, the nonce of the deal is used, as for a daily deal. Raises engine.UnknownDeal if the game has no deal with
    this number.
    """
    nonce = deal.nonce if nonce is None else nonce
    piles, counters = _deal(deal.game, commit_reveal.game_seed(deal.game, nonce, winnable, deal.secret), number)
    return GameDealt(
        game=deal.game,
        rules_version=engine.game(deal.game).rules_version,
        player=player,
        deal=deal.id,
        nonce=nonce,
        commitment=deal.commitment,
        day=deal.day,
        slot=deal.slot,
        race=race,
        ranked=ranked,
        piles=piles,
        counters=counters,
        competition=competition,
        about=about,
        number=number,
        winnable=winnable,
    )


@lru_cache(maxsize=64)
def _deal(slug: str, seed: bytes, number: int | None) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return the piles and counters of a deal. They are cached and shared, so callers must not change them."""
    game = engine.game(slug)
    state = game.deal(seed, number)
    return game.write_piles(state), game.write_counters(state)


MAX_REMEMBERED = 100_000
"""Cached attempts that are finished or spoiled, since these never change."""


class RunResults:
    """Reads attempts from the index in batches, and caches those that cannot change."""

    def __init__(self, index: GameIndex) -> None:
        self._attempts = index.store.batcher(game_stream, index.read_attempts)
        self._settled: dict[str, Attempt] = {}

    async def get(self, game_id: str) -> Attempt:
        """Return the attempt with this game id."""
        return (await self.get_many((game_id,))).get(game_id, Attempt())

    async def get_many(self, wanted: Iterable[str], *, partly: bool = False) -> dict[str, Attempt]:
        """Return the attempts with these game ids. Attempts that are neither started nor spoiled are left out.

        With `partly=True`, attempts in an unavailable part of the log are left out as well.
        """
        known = {game_id: self._settled.get(game_id) for game_id in wanted}
        unsettled = [game_id for game_id, attempt in known.items() if attempt is None]
        found = await self._attempts.get_many(unsettled, partly=partly)
        settled = {id: one for id, one in found.items() if one.spoiled or one.result is not None}
        if len(self._settled) + len(settled) > MAX_REMEMBERED:
            self._settled.clear()
        self._settled |= settled
        return {id: one for id, one in known.items() if one is not None} | found
