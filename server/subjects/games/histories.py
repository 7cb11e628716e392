"""Histories of games: replay, pace, record, attestation and receipt, with access checks; and the list of live games."""

import asyncio
from collections.abc import Collection
from functools import partial

from msgspec.structs import replace

from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import Conflict, NotYourSeat, Unavailable
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.event_store import Store, require_contiguous
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games import game_messages, game_record
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.competition import Competitions
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.core.games.history_bodies import Charge, History, HistoryBodies
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.people import PlayerCache
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import SigningKey, cosigned_at
from cadogan.server.subjects.transparency.receipts import Receipt, sign_receipt
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import LiveGame, Replay
from cadogan.wire.races import Pace
from cadogan.wire.results import Attestation, GameReceipt, LogEntry, WitnessSeen

LIVE_MILLISECONDS = 3 * 60 * 1000
"""A game is live if its last event is at most this many milliseconds old."""
MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000
"""Games that started longer ago are not listed as live."""
MAX_LIVE = 50


class Histories:
    """The histories of games on one node. A player of None stands for a client that is not signed in.

    `charge` is called with the cost of an answer, in events, before they are read.
    """

    def __init__(
        self,
        outlines: GameOutlines,
        bodies: HistoryBodies,
        cache: GameCache,
        deals: SealedDeals,
        competitions: Competitions,
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
        self._competitions = competitions
        self._access = access
        self._index = index
        self._players = players
        self._transparency = transparency
        self._now = now
        self._live = Batcher(self._find_live_games)

    async def replay(self, player: str | None, game_id: str, charge: Charge) -> History:
        """Return the replay of the game from the deal to its last version.

        Raises NotFound, SpoilerEmbargo while the player may not see its cards, RateLimited or TooMany.
        """
        game = await self._outlines.get(game_id)
        await self._access.require_cards(player, game)
        body = await self._bodies.get("replay", game, charge)
        assert body.dealt is not None
        owner = await self._players.player(game.player)
        dealt = game_messages.view(body.dealt, AccessLevel.BOARD, owner, now=game.dealt_at)
        return History.of(Replay(dealt=dealt, messages=[]), body)

    async def pace(self, player: str | None, game_id: str, charge: Charge) -> History:
        """Return the pace of a finished game. Raises the same as `replay`, and Conflict before its end."""
        game = await self._outlines.get(game_id)
        await self._access.require_cards(player, game)
        if not game.over:
            raise Conflict("Its pace is available when the game is over.")
        body = await self._bodies.get("pace", game, charge)
        card = game_messages.game_card(game, await self._players.player(game.player))
        return History.of(Pace(game=card, points=[]), body)

    async def record(self, game_id: str, charge: Charge, player: str | None = None) -> History:
        """Return the record with which the game can be verified. `player` is the id of the requesting player.

        Raises NotFound, SpoilerEmbargo, Conflict while it is secret, RateLimited or TooMany.
        """
        game = await self._outlines.get(game_id)
        await self._access.require_record(game, player)
        body = await self._bodies.get("record", game, charge)
        secret = await self._deals.get_secret(game.dealt.deal)
        if secret is None:
            raise UnreadableEvent(f"the deal of game {game_id} is missing")
        beacon = await self._competitions.of(game).signed_round(game)
        empty = game_record.record_without_events(game_id, secret, game.dealt, beacon)
        proof = await self._transparency.prove(game_stream(game_id))
        if proof is None:
            return History.of(empty, body)
        signers = sorted(signature.name for signature in proof.note.signatures)
        # The checkpoint of the proof changes with every entry of the log: a copy with an older one is as good.
        tagged = replace(empty, proof=" ".join([str(proof.index), *signers]))
        return History.of(replace(empty, proof=proof.as_text()), body, tagged=tagged, is_for_all=game.over)

    async def attestation(self, game_id: str) -> Attestation:
        """Return who attests the record (host's log, witnesses). Raises NotFound, SpoilerEmbargo or Conflict."""
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
        """Return the live games, but for withheld runs: those of players with a name, then those of guests.

        The latest come first, with at most two games of one person (`GameIndex.games_in_progress`). Calls that come
        while a list is being built share the next one.
        """
        return await self._live.get(LIVE_MILLISECONDS) or []

    async def _find_live_games(self, keys: Collection[int]) -> dict[int, list[LiveGame]]:
        now = self._now()
        live = await self._index.games_in_progress(now - MAX_AGE_MILLISECONDS, now - LIVE_MILLISECONDS, MAX_LIVE)
        games = [game for game_id in live if not (game := await self._cache.get(game_id)).over]
        withheld = [await self._access.withheld_runs(None, game.player) for game in games]
        games = [game for game, hidden in zip(games, withheld, strict=True) if game.id not in hidden]
        owners = await self._players.players(game.player for game in games)
        listed = [game_messages.live_game(game, owners[game.player], now) for game in games]
        return dict.fromkeys(keys, listed)


class Receipts:
    """Signs receipts of finished games with the key of the log: at any time after the end, the same on every node."""

    def __init__(
        self, outlines: GameOutlines, store: Store, deals: SealedDeals, transparency: TransparencyLog, key: HostKey
    ) -> None:
        self._outlines = outlines
        self._store = store
        self._deals = deals
        self._transparency = transparency
        self._key = key

    async def give(self, player: str, game_id: str) -> GameReceipt:
        """Return the receipt of a finished game to its player.

        Raises NotFound, Archived, NotYourSeat for another player, Conflict before the end of the game, and Unavailable
        while the host's key cannot be used.
        """
        game = await self._outlines.get(game_id)
        if game.player != player:
            raise NotYourSeat("This is somebody else's game.")
        if not game.over:
            raise Conflict("Its receipt is available when the game is over.")
        stream = game_stream(game_id)
        ended = await self._store.read(stream, game.version - 1)
        require_contiguous(stream, game.version - 1, ended)
        secret = await self._deals.get_secret(game.dealt.deal)
        if secret is None or not ended:
            raise UnreadableEvent(f"the deal of game {game_id} is missing")
        key, last = await self._find_key(), ended[-1]
        entry = Ended.of(stream, last.version, secret, last.hash)
        receipt = Receipt.of(key.name, entry, last.recorded_at)
        text = sign_receipt(receipt, key).as_text()
        return GameReceipt(game=game_id, receipt=text, key=key.verifier().text, due_at=receipt.due_at)

    async def _find_key(self) -> SigningKey:
        """Return the key that signs the log; a log that is still empty gets one."""
        head = await self._transparency.head()
        try:
            return await asyncio.to_thread(self._key.make if head is None else partial(self._key.of, head))
        except KeyUnusable:
            raise Unavailable("The host's key cannot be used now, so nothing can be signed.") from None
