"""The receipts of finished games: for their players, at any time after the end, the same on every node."""

import asyncio
from functools import partial

from cadogan.server.core.errors import Conflict, NotYourSeat, Unavailable
from cadogan.server.core.eventlog.event_store import Store, require_contiguous
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.subjects.transparency.host_key import HostKey, KeyUnusable
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import SigningKey
from cadogan.server.subjects.transparency.receipts import Receipt, sign_receipt
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.results import GameReceipt


class Receipts:
    """Signs receipts with the key of the log of one database."""

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
