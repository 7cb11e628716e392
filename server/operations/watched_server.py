"""Reading a monitored server: its keys, the files of its log, and the records of games and days.

Unreachable     the server does not answer, or answers with something invalid: nothing was learned
NotPublic       a record that will be public later
RecordWithheld  the server refuses something that is public
"""

import asyncio
import json
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout

from cadogan.server.core.eventlog.events import AnnouncedDeal, DailyAnnounced, DealSearch
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.untrusted_input import TooLong, UnreadableJson, read_at_most
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import Trust, parse_host
from cadogan.server.subjects.audit.recompute_leaderboards import entry_of
from cadogan.server.subjects.transparency.notes import BadKey
from cadogan.server.subjects.transparency.tree import tile_path
from cadogan.wire.beacon import BeaconRound
from cadogan.wire.boards import Board
from cadogan.wire.values import Digest

TIMEOUT = ClientTimeout(total=60)
MAX_ANSWER_BYTES = 64 * 1024 * 1024
MAX_WAIT_SECONDS = 60.0
_ATTEMPTS = 8
_EMBARGO = "spoiler_embargo"
_ARCHIVED = "archived"


class _Deal(msgspec.Struct):
    slot: int
    level: str
    rules: str
    deal: str
    search: DealSearch | None = None


class _Day(msgspec.Struct):
    day: str
    commitment: str
    state: str
    deals: list[_Deal]
    beacon: BeaconRound | None = None

    def announcement(self) -> DailyAnnounced:
        """Return the announcement that must exist before the server may show this."""
        deals = [AnnouncedDeal(one.slot, one.level, one.rules, one.deal, one.search) for one in self.deals]
        beacon = BeaconRound(chain=self.beacon.chain, round=self.beacon.round) if self.beacon else msgspec.UNSET
        return DailyAnnounced(self.day, self.commitment, tuple(deals), beacon)


class _Round(msgspec.Struct):
    deal: str
    game: str
    commitment: Digest
    secret: Digest | None = None


class ShownEvening(msgspec.Struct):
    """An evening as the server shows it."""

    id: str
    rounds: list[_Round]


class _ListedEvening(msgspec.Struct):
    id: str
    state: str


class _Evenings(msgspec.Struct):
    evenings: list[_ListedEvening]


class _Days(msgspec.Struct):
    dailies: list[_Day]


_read_days = msgspec.json.Decoder(_Days).decode
_read_day = msgspec.json.Decoder(_Day).decode
ShownDay = tuple[DailyAnnounced, bool]
"""What was announced for a day, as the server shows it now, and whether it shows the day as closed."""


_read_evenings = msgspec.json.Decoder(_Evenings).decode
_read_evening = msgspec.json.Decoder(ShownEvening).decode
_read_board = msgspec.json.Decoder(Board).decode
UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
"""The errors raised by reading an answer that is not what it should be."""


class Unreachable(Exception):
    """The server does not answer properly, so nothing was learned. The message has the request."""


class NotPublic(Exception):
    """A record that will be public later."""


class RecordWithheld(Exception):
    """The server refuses something that is public. The message says what."""


class WatchedServer:
    """A monitored server, by its address. `wait` is awaited with seconds if the server replies "retry later"."""

    def __init__(self, session: ClientSession, url: str, wait: Any = asyncio.sleep) -> None:
        self._session = session
        self._url = url.rstrip("/")
        self._wait = wait

    async def trust(self) -> Trust:
        """Return the keys that the server publishes. Raises Unreachable."""
        try:
            return parse_host(await self._file("/.well-known/cadogan.json"))
        except BadKey as error:
            raise Unreachable(f"/.well-known/cadogan.json: {error}") from None

    async def checkpoint(self) -> str:
        """Return the latest checkpoint, unparsed. Raises Unreachable."""
        return (await self._file("/log/checkpoint")).decode(errors="replace")

    async def tile(self, level: int, number: int, width: int) -> bytes:
        """Return a tile, or a bundle of entries. Raises Unreachable."""
        return await self._file(f"/log/{tile_path(level, number, width)}")

    async def game_record(self, game: str) -> bytes | None:
        """Return the record of a game; None if it was archived. Raises Unreachable, NotPublic and RecordWithheld."""
        return await self._record(f"/api/v1/games/{game}/record")

    async def day_record(self, day: str) -> bytes:
        """Return the record of a day, which is never archived. Raises Unreachable, NotPublic and RecordWithheld."""
        found = await self._record(path := f"/api/v1/dailies/{day}/record")
        if found is None:
            raise RecordWithheld(f"{path} is said to be archived, and no day ever is")
        return found

    async def race_record(self, race: str) -> bytes:
        """Return the record of a race, which is never archived. Raises Unreachable, NotPublic and RecordWithheld."""
        found = await self._record(path := f"/api/v1/races/{race}/record")
        if found is None:
            raise RecordWithheld(f"{path} is said to be archived, and no race ever is")
        return found

    async def evening_record(self, evening: str) -> bytes:
        """Return the record of an evening, never archived. Raises Unreachable, NotPublic and RecordWithheld."""
        found = await self._record(path := f"/api/v1/evenings/{evening}/record")
        if found is None:
            raise RecordWithheld(f"{path} is said to be archived, and no evening ever is")
        return found

    async def shown_evenings(self) -> list[ShownEvening]:
        """Return the evenings for everybody that are on or to come. Raises Unreachable."""
        path, shown = "/api/v1/evenings", list[ShownEvening]()
        try:
            for one in _read_evenings(await self._file(path)).evenings:
                if one.state in ("coming", "on"):
                    shown.append(_read_evening(await self._file(path := f"/api/v1/evenings/{one.id}")))
        except UNREADABLE as error:
            raise Unreachable(f"{path}: {error}") from None
        return shown

    async def shown_days(self) -> list[ShownDay]:
        """Return the announced days, and those of the weeks before, as the server shows them. Raises Unreachable."""
        path = "/api/v1/dailies?limit=31"
        try:
            shown = _read_days(await self._file(path)).dailies
        except UNREADABLE as error:
            raise Unreachable(f"{path}: {error}") from None
        return [(day.announcement(), day.state == "closed") for day in shown if day.deals]

    async def shown_day(self, day: str) -> ShownDay | None:
        """Return a day as the server shows it; None if there is none. Raises Unreachable."""
        path = f"/api/v1/dailies/{day}"
        status, body = await self._get(path)
        if status == 404:
            return None
        try:
            shown = _read_day(body)
        except UNREADABLE as error:
            raise Unreachable(f"{path} is answered with {status}: {error}") from None
        return shown.announcement(), shown.state == "closed"

    async def struck(self, day: str) -> dict[str, int]:
        """Return the disqualified runs on the boards of a day: their ids, and when they were disqualified.

        The times are in milliseconds since 1970. Raises Unreachable.
        """
        boards = [await self.board(board, 0, 1) for board in (f"day:{day}", f"bots:day:{day}")]
        return {run.game: run.at for board in boards for run in board.struck}

    async def board(self, name: str, offset: int, limit: int) -> Board:
        """Return a page of a leaderboard. Raises Unreachable."""
        path = f"/api/v1/boards/{name}?offset={offset}&limit={limit}"
        try:
            return _read_board(await self._file(path))
        except UNREADABLE as error:
            raise Unreachable(f"{path}: {error}") from None

    async def ranked_run(self, game: str) -> EntryRow | None:
        """Return the run of a record that is on boards; None if there is none, or its record is not shown now.

        Raises Unreachable.
        """
        with suppress(NotPublic, RecordWithheld, UnreadableJson):
            text = await self.game_record(game)
            return None if text is None else entry_of(game_audit.read_record(text))
        return None

    async def _record(self, path: str) -> bytes | None:
        status, body = await self._get(path, attempts=_ATTEMPTS // 2)
        if status == 200:
            return body
        if _code(body) == _EMBARGO:
            raise NotPublic(path)
        if _code(body) == _ARCHIVED:
            return None
        raise RecordWithheld(f"{path} is answered with {status}")

    async def _file(self, path: str) -> bytes:
        status, body = await self._get(path)
        if status != 200:
            raise Unreachable(f"{path} is answered with {status}")
        return body

    async def _get(self, path: str, attempts: int = _ATTEMPTS) -> tuple[int, bytes]:
        """Return status and body; retries after the delay that the server requests, up to a limit.

        Raises Unreachable if there is no answer.
        """
        for attempt in range(attempts):
            try:
                async with self._session.get(self._url + path, timeout=TIMEOUT) as response:
                    body = await read_at_most(response.content, MAX_ANSWER_BYTES)
                    if response.status not in (429, 503) or attempt == attempts - 1:
                        return response.status, body
            except (ClientError, TimeoutError, OSError, TooLong) as error:
                if attempt == attempts - 1:
                    raise Unreachable(f"{path}: {str(error) or type(error).__name__}") from None
                body = b""
            await self._wait(min(MAX_WAIT_SECONDS, _retry_after(body)))
        raise AssertionError("attempts is one or more")


def _code(body: bytes) -> str:
    refusal = _read(body)
    return str(refusal.get("code", "")) if isinstance(refusal, dict) else ""


def _retry_after(body: bytes) -> float:
    refusal = _read(body)
    seconds = refusal.get("retry_after") if isinstance(refusal, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else 1.0


def _read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
