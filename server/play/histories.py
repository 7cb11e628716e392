"""Games as they went: replay, pace, record and attestation, each for who may have it; and the list of live games."""

from collections.abc import Collection
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.core.batching import Batcher
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import Conflict
from cadogan.server.eventlog.events import UnreadableEvent
from cadogan.server.eventlog.streams import game_stream
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.games import game_messages, game_record
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import GameIndex
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.games.visibility import AccessLevel
from cadogan.server.play.access import Access
from cadogan.server.play.history_bodies import Charge, HistoryBodies, HistoryBody
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.transparency.checkpoints import read_checkpoint
from cadogan.server.transparency.signing.notes import cosigned_at
from cadogan.server.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import LiveGame, Replay
from cadogan.wire.codec import encode
from cadogan.wire.races import Pace
from cadogan.wire.results import Attestation, LogEntry, WitnessSeen

LIVE_MILLISECONDS = 3 * 60 * 1000
"""A game is live if something happened in it in the last so many milliseconds."""
MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000
"""Games that began longer ago are not looked for among the live ones."""
MAX_LIVE = 50
TAIL = b"]}"


class History(NamedTuple):
    """A replay, pace or record as JSON: what comes before the long part, the long part, and what comes after it."""

    head: bytes
    body: HistoryBody
    is_for_all: bool
    """Whether everybody may have it, so that proxies may keep it. It never changes then."""

    @classmethod
    def of(cls, empty: Struct, body: HistoryBody, *, is_for_all: bool = False) -> "History":
        """Return `empty`, whose last value is an empty list, with the body in that list."""
        return cls(encode(empty).removesuffix(TAIL), body, is_for_all)

    @property
    def chunks(self) -> tuple[bytes, ...]:
        """The bytes, in order."""
        return (self.head, *self.body.chunks, TAIL)

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.head) + self.body.size + len(TAIL)

    @property
    def etag(self) -> str:
        """A text that is the same for the same bytes, and for no others."""
        return sha256(self.head + self.body.digest).hexdigest()[:32]


class Histories:
    """What one node tells of whole games. A player of None is somebody who is not signed in.

    `charge` is called with the number of events that an answer costs, before they are read.
    """

    def __init__(
        self,
        outlines: GameOutlines,
        bodies: HistoryBodies,
        cache: GameCache,
        deals: SealedDeals,
        challenges: DailyChallenges,
        access: Access,
        index: GameIndex,
        players: PlayerCache,
        transparency: TransparencyLog,
        now: Clock,
    ) -> None:
        self._outlines = outlines
        self._bodies = bodies
        self._cache = cache
        self._deals = deals
        self._challenges = challenges
        self._access = access
        self._index = index
        self._players = players
        self._transparency = transparency
        self._now = now
        self._live = Batcher(self._find_live_games)

    async def replay(self, player: str | None, game_id: str, charge: Charge) -> History:
        """Return the game from its deal to where it is.

        Raises NotFound, SpoilerEmbargo while its cards are not for the player, RateLimited or TooMany.
        """
        game = await self._outlines.get(game_id)
        await self._access.require_cards(player, game)
        body = await self._bodies.get("replay", game, charge)
        assert body.dealt is not None
        owner = await self._players.player(game.player)
        dealt = game_messages.view(body.dealt, AccessLevel.BOARD, owner, now=game.dealt_at)
        return History.of(Replay(dealt=dealt, messages=[]), body)

    async def pace(self, player: str | None, game_id: str, charge: Charge) -> History:
        """Return how a finished game went. Raises as `replay`, or Conflict before its end."""
        game = await self._outlines.get(game_id)
        await self._access.require_cards(player, game)
        if not game.over:
            raise Conflict("Its pace is available when the game is over.")
        body = await self._bodies.get("pace", game, charge)
        card = game_messages.game_card(game, await self._players.player(game.player))
        return History.of(Pace(game=card, points=[]), body)

    async def record(self, game_id: str, charge: Charge) -> History:
        """Return the record to check the game with.

        Raises NotFound, SpoilerEmbargo, Conflict while it is secret, RateLimited or TooMany.
        """
        game = await self._outlines.get(game_id)
        await self._access.require_record(game)
        body = await self._bodies.get("record", game, charge)
        secret = await self._deals.get_secret(game.dealt.deal)
        if secret is None:
            raise UnreadableEvent(f"the deal of game {game_id} is missing")
        day = game.dealt.day
        daily = None if day is None else await self._challenges.get(day, self._now())
        beacon = None if daily is None else daily.signed
        empty = game_record.record_without_events(game_id, secret, game.dealt, beacon)
        proof = await self._transparency.prove(game_stream(game_id))
        if proof is None:
            return History.of(empty, body)
        return History.of(replace(empty, proof=proof.as_text()), body, is_for_all=game.over)

    async def attestation(self, game_id: str) -> Attestation:
        """Return who stands for the record of a game. Raises NotFound, SpoilerEmbargo or Conflict as `record` does."""
        game = await self._outlines.get(game_id)
        await self._access.require_record(game)
        found = await self._transparency.find_signed(game_stream(game_id))
        if found is None:
            return Attestation(game=game_id)
        entry, note = found
        checkpoint = read_checkpoint(note.text)
        by_host = [one for one in note.signatures if one.name == checkpoint.origin]
        witnesses = [
            WitnessSeen(name=one.name, at=cosigned_at(one) * 1000)
            for one in note.signatures
            if one.name != checkpoint.origin
        ]
        return Attestation(
            game=game_id,
            entry=LogEntry(
                number=entry.number,
                size=checkpoint.size,
                origin=checkpoint.origin,
                key=by_host[-1].id.hex(),
                witnesses=witnesses,
            ),
        )

    async def live_games(self) -> list[LiveGame]:
        """Return the games in which something happened lately: those of players with a name, then those of guests.

        The latest come first, and one person has at most two of them (`GameIndex.games_in_progress`). The list is made
        once for all who ask while another one is being made.
        """
        return await self._live.get(LIVE_MILLISECONDS) or []

    async def _find_live_games(self, keys: Collection[int]) -> dict[int, list[LiveGame]]:
        now = self._now()
        live = await self._index.games_in_progress(now - MAX_AGE_MILLISECONDS, now - LIVE_MILLISECONDS, MAX_LIVE)
        games = [game for game_id in live if not (game := await self._cache.get(game_id)).over]
        owners = await self._players.players(game.player for game in games)
        listed = [game_messages.live_game(game, owners[game.player], now) for game in games]
        return dict.fromkeys(keys, listed)
