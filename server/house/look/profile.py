"""The profile of the house: texts, colours and crest. It is cached in memory, because every page shows it.

Every node reloads it after `CACHE_MILLISECONDS`, and uses the cached one while the database does not answer.
"""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

import msgspec
import structlog
from markdown_it import MarkdownIt
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.connections import Database
from cadogan.server.eventlog.events import HouseActed
from cadogan.server.house.house_log import lock_house, record_act
from cadogan.server.house.look.contrast import check_colours
from cadogan.server.house.look.crest import picture_type
from cadogan.server.house.stored_settings import read_setting, write_setting
from cadogan.wire.house_profile import HouseProfile, NewCrest, ShownHouseProfile

CACHE_MILLISECONDS = 2_000
"""Milliseconds for which the cache may be outdated after a change by another node or the command line."""
PATIENCE_SECONDS = 0.5
"""Seconds that a page waits for the database to return the profile before it uses the cached one."""
_markdown = MarkdownIt("commonmark", {"html": False}).disable("image")

log = structlog.stdlib.get_logger("cadogan.house")


class Crest(NamedTuple):
    """A picture and its media type. `digest` is a part of its address."""

    image: bytes
    media_type: str
    digest: str


class House(NamedTuple):
    """The branding of a house."""

    profile: HouseProfile = HouseProfile()
    crest: Crest | None = None

    @property
    def shown(self) -> ShownHouseProfile:
        """The public wire form of it."""
        texts = {name: getattr(self.profile, name) for name in HouseProfile.__struct_fields__}
        return ShownHouseProfile(
            **texts,
            welcome_html=_markdown.render(self.profile.welcome),
            rules_html=_markdown.render(self.profile.rules),
            crest=f"/crest/{self.crest.digest}" if self.crest else None,
        )


class StoredProfile:
    """The profile of the house in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._known = House()
        self._cached_until = 0
        self._reading: asyncio.Task[None] | None = None

    async def current(self, again: bool = False) -> House:
        """Return the cached profile, reloaded first if it is outdated or `again` is set."""
        if again or self._now() >= self._cached_until:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_again())
            await asyncio.wait({self._reading}, timeout=PATIENCE_SECONDS)
        return self._known

    async def change(self, by: str | None, wanted: HouseProfile) -> None:
        """Change the profile. `by` is the id of the acting host; None at the command line.

        Raises BadMessage for colours with too little contrast.
        """
        if wanted.colours:
            check_colours(wanted.colours)
        wanted = msgspec.structs.replace(wanted, name=wanted.name.strip(), announcement=wanted.announcement.strip())
        async with self._database.writing() as connection:
            await lock_house(connection)
            before = await read_setting(connection, "profile", HouseProfile) or HouseProfile()
            changed = [
                name for name in HouseProfile.__struct_fields__ if getattr(before, name) != getattr(wanted, name)
            ]
            if changed:
                await write_setting(connection, "profile", wanted)
                await self._record(connection, by, changed)
        await self._forget()

    async def change_crest(self, by: str | None, image: bytes | None) -> None:
        """Change the crest, or with None remove it. Raises BadMessage as `picture_type`."""
        if image is not None:
            picture_type(image)
        async with self._database.writing() as connection:
            await lock_house(connection)
            before = await read_setting(connection, "crest", NewCrest)
            if (before.image if before else None) != image:
                await write_setting(connection, "crest", None if image is None else NewCrest(image=image))
                await self._record(connection, by, ["crest"])
        await self._forget()

    async def close(self) -> None:
        """Wait for running reads."""
        if self._reading is not None:
            await asyncio.wait({self._reading})

    async def _forget(self) -> None:
        """Invalidate the cache, including a running read, which may be older than the change."""
        await self.close()
        self._cached_until = 0

    async def _record(self, connection: AsyncConnection, by: str | None, changed: list[str]) -> None:
        await record_act(connection, HouseActed("profile_changed", by=by, changed=tuple(changed)), self._now())

    async def _read_again(self) -> None:
        began = self._now()
        try:
            async with self._database.reading() as connection:
                profile = await read_setting(connection, "profile", HouseProfile)
                stored = await read_setting(connection, "crest", NewCrest)
        except Exception as error:
            log.warning("profile_not_read", reason=type(error).__name__)
        else:
            crest = stored and stored.image and _crest(stored.image)
            self._known = House(profile or HouseProfile(), crest or None)
        self._cached_until = began + CACHE_MILLISECONDS


def _crest(image: bytes) -> Crest:
    return Crest(image, picture_type(image), sha256(image).hexdigest()[:32])
