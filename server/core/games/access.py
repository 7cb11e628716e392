"""Access: what a player may see of a game, and the log of views of games whose deal is still secret.

All code that shows a game must check access here first. The rules themselves are in
`cadogan.server.core.games.visibility`.

The log of views: which games a viewer saw while the deal was secret. One stream for each deal and viewer.

Each game is in the stream once, as the event `game_watched`. The game's id is the event's command id, so a repeated
view is detected, whichever node wrote the first.
"""

from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import Conflict, SpoilerEmbargo
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import Append, Store, VersionConflict, require_contiguous
from cadogan.server.core.eventlog.events import GameWatched
from cadogan.server.core.eventlog.streams import view_stream
from cadogan.server.core.games import visibility
from cadogan.server.core.games.competition import Competitions
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.visibility import AccessLevel, Relation
from cadogan.server.core.people import Persons

MAX_REMEMBERED = 100_000
"""Maximum number of logged views that are cached, to avoid reading the log."""


class ViewLog:
    """Writes views into the log."""

    def __init__(self, store: Store, now: Clock) -> None:
        self._store = store
        self._now = now
        self._written: set[tuple[str, str]] = set()

    async def write(self, player: str, game: str, deal: str) -> None:
        """Log that the player sees the game; return when the event is stored. Raises StoreUnavailable."""
        if (player, game) in self._written:
            return
        event = GameWatched(player, game, deal)
        stream = view_stream(deal, player)
        while True:
            before = await self._store.read(stream)
            require_contiguous(stream, 0, before)
            if any(stored.command_id == game for stored in before):
                break
            head, at = (before[-1].hash, before[-1].recorded_at) if before else (hash_chain.START_HASH, 0)
            sealed = hash_chain.chain_event(head, stream, len(before) + 1, event, max(at, self._now()))
            try:
                await self._store.append(Append(stream, game, (sealed,)))
            except VersionConflict:
                continue
            break
        if len(self._written) >= MAX_REMEMBERED:
            self._written.clear()
        self._written.add((player, game))


class Access:
    """Access control on one node. A player of None or "" stands for a client that is not signed in."""

    def __init__(self, competitions: Competitions, persons: Persons, views: ViewLog) -> None:
        self._competitions = competitions
        self._persons = persons
        self._views = views

    async def grant(self, player: str | None, game: GameOutline) -> AccessLevel:
        """Return the access level of the player for the game, before the game is shown.

        If the view must be logged, it is in the log when this returns.
        """
        return await self._grant(player, game, await self.relation(player, game))

    async def require_cards(self, player: str | None, game: GameOutline) -> None:
        """Grant access to content with cards. Raises SpoilerEmbargo if the player may only see the progress."""
        relation = await self.relation(player, game)
        if await self._grant(player, game, relation) is AccessLevel.PROGRESS:
            if relation.newcomer:
                raise SpoilerEmbargo("Guests and new accounts see this when the day, the round or the race is over.")
            raise SpoilerEmbargo("You will see this when your own run of the deal is over, or everybody's.")

    async def may_see_cards(self, player: str | None, game: GameOutline) -> bool:
        """Return whether the player may see the cards of the game now. This is not logged as a view."""
        return visibility.access_level_of(await self.relation(player, game)) is not AccessLevel.PROGRESS

    async def person_of(self, player: str) -> str:
        """Return the id of the person behind a player; all accounts of one person have the same access."""
        return await self._persons.person_of(player)

    async def relation(self, player: str | None, game: GameOutline) -> Relation:
        """Return how the player is related to a game."""
        shared = game.competition.is_shared
        if player == game.player:
            return Relation(own=True, shared=shared)
        if not shared:
            return Relation()
        competition = self._competitions.of(game)
        if await competition.is_public(game) and (not player or await competition.is_public_to(player, game)):
            return Relation(shared=True, public=True)
        if not player:
            return Relation(shared=True, newcomer=True)
        run = await competition.own_run(player, game)
        newcomer = await self._persons.is_newcomer(player, await competition.opened_at(game))
        return Relation(shared=True, finished=run.finished, spoiled=run.spoiled, newcomer=newcomer)

    async def withheld_runs(self, asker: str | None, player: str) -> set[str]:
        """Return the ids of a player's runs whose results `asker` may not see yet: none of one's own."""
        return set() if asker == player else await self._competitions.withheld_runs(player)

    async def may_have_record(self, game: GameOutline) -> bool:
        """Return whether the record of the game is public."""
        public = await self._competitions.is_public(game)
        return visibility.may_have_record(shared=game.competition.is_shared, public=public, over=game.over)

    async def require_record(self, game: GameOutline, player: str | None = None) -> None:
        """Raise SpoilerEmbargo or Conflict while the record of the game is secret; else a `player` may be shown it."""
        if not (await self.may_have_record(game) and await self._may_be_shown(player, game)):
            if game.competition.is_shared:
                raise SpoilerEmbargo("The record is available when the day, the round or the race is over.")
            raise Conflict("The record is available when the game is over.")

    async def require_analysis(self, game: GameOutline, player: str | None = None) -> None:
        """Raise SpoilerEmbargo or Conflict while its analysis is secret; else a `player` may be shown it."""
        shared, public = game.competition.is_shared, await self._competitions.is_public(game)
        public = public and await self._may_be_shown(player, game)
        if not visibility.may_have_analysis(shared=shared, public=public, over=game.over):
            if shared:
                raise SpoilerEmbargo("A deal that others can play is analysed when the day, round or race is over.")
            raise Conflict("A game can be analysed when it is over.")
        if not game.over:
            raise Conflict("A game can be analysed when it is over.")
        if not shared:
            await self._competitions.of(game).require_told(player, game)

    async def may_ask_if_winnable(self, player: str, game: GameOutline) -> bool:
        """Return whether the player may query whether the position of their own game can still be won."""
        own = player == game.player
        return visibility.may_ask_if_winnable(
            own=own,
            hints=game.competition.may_have_hints(game.ranked),
            shared=game.competition.is_shared,
            public=own and await self._competitions.is_public(game),
        )

    async def _may_be_shown(self, player: str | None, game: GameOutline) -> bool:
        """Return whether a deal is public for this player too, and inform its competition that it is shown to them."""
        if not player or not game.competition.is_shared or player == game.player:
            return True
        competition = self._competitions.of(game)
        if not await competition.is_public_to(player, game):
            return False
        await competition.note_view(player, game)
        return True

    async def _grant(self, player: str | None, game: GameOutline, relation: Relation) -> AccessLevel:
        if player and visibility.must_log_view(relation):
            await self._views.write(player, game.id, game.dealt.deal)
        if player and relation.public:
            await self._competitions.of(game).note_view(player, game)
        return visibility.access_level_of(relation)
