"""The branding of the pages: texts, colours and crest.

It is cached in memory, because every page shows it.

Every node reloads it after `CACHE_MILLISECONDS`, and uses the cached one while the database does not answer.
"""

import asyncio
import struct
from collections.abc import Callable
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import structlog
from markdown_it import MarkdownIt
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.errors import BadMessage
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.admin.stored_settings import read_setting, write_setting
from cadogan.wire.branding import NewCrest, ShownSiteProfile, SiteColours, SiteProfile

log = structlog.stdlib.get_logger("cadogan.admin")
CACHE_MILLISECONDS = 2_000
"""Milliseconds for which the cache may be outdated after a change by another node or the command line."""
RELOAD_TIMEOUT_SECONDS = 0.5
"""Seconds that a page waits for the database to return the profile before it uses the cached one."""
_markdown = MarkdownIt("commonmark", {"html": False}).disable("image")


class Crest(NamedTuple):
    """A picture and its media type. `digest` is a part of its address."""

    image: bytes
    media_type: str
    digest: str


class Branding(NamedTuple):
    """The branding of a server."""

    profile: SiteProfile = SiteProfile()
    crest: Crest | None = None

    @property
    def shown(self) -> ShownSiteProfile:
        """The public wire form of it."""
        texts = {name: getattr(self.profile, name) for name in SiteProfile.__struct_fields__}
        return ShownSiteProfile(
            **texts,
            welcome_html=_markdown.render(self.profile.welcome),
            rules_html=_markdown.render(self.profile.rules),
            crest=f"/crest/{self.crest.digest}" if self.crest else None,
        )


class StoredProfile:
    """The profile of the server in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._known = Branding()
        self._cached_until = 0
        self._reading: asyncio.Task[None] | None = None

    async def current(self, reload: bool = False) -> Branding:
        """Return the cached profile, reloaded first if it is outdated or `reload` is set."""
        if reload or self._now() >= self._cached_until:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_again())
            await asyncio.wait({self._reading}, timeout=RELOAD_TIMEOUT_SECONDS)
        return self._known

    async def change(self, by: str | None, wanted: SiteProfile) -> None:
        """Change the profile. `by` is the id of the acting host; None at the command line.

        Raises BadMessage for colours with too little contrast.
        """
        if wanted.colours:
            check_colours(wanted.colours)
        wanted = msgspec.structs.replace(wanted, name=wanted.name.strip(), announcement=wanted.announcement.strip())
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            before = await read_setting(connection, "profile", SiteProfile) or SiteProfile()
            changed = [name for name in SiteProfile.__struct_fields__ if getattr(before, name) != getattr(wanted, name)]
            if changed:
                await write_setting(connection, "profile", wanted)
                await self._record(connection, by, changed)
        await self._forget()

    async def change_crest(self, by: str | None, image: bytes | None) -> None:
        """Change the crest, or with None remove it. Raises BadMessage as `picture_type`."""
        if image is not None:
            picture_type(image)
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
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
                profile = await read_setting(connection, "profile", SiteProfile)
                stored = await read_setting(connection, "crest", NewCrest)
        except Exception as error:
            log.warning("profile_not_read", reason=type(error).__name__)
        else:
            crest = stored and stored.image and _crest(stored.image)
            self._known = Branding(profile or SiteProfile(), crest or None)
        self._cached_until = began + CACHE_MILLISECONDS


def _crest(image: bytes) -> Crest:
    return Crest(image, picture_type(image), sha256(image).hexdigest()[:32])


MIN_SIDE = 16
MAX_SIDE = 512
"""Pixels of a side."""
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP_CHUNKS = (b"VP8 ", b"VP8L", b"VP8X")


def picture_type(image: bytes) -> str:
    """Return the media type of a picture, ``image/png`` or ``image/webp``.

    Raises BadMessage for other types, for a file that is damaged or has data after the picture, and if a side is
    shorter than `MIN_SIDE` or longer than `MAX_SIDE` pixels.
    """
    try:
        media_type, size = ("image/png", _png_size(image)) if image.startswith(_PNG) else _webp(image)
    except (ValueError, struct.error, IndexError):
        raise BadMessage("The picture must be a whole PNG or WebP file.") from None
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        raise BadMessage("The picture must have {least} to {most} pixels a side.", least=MIN_SIDE, most=MAX_SIDE)
    return media_type


def _png_size(image: bytes) -> tuple[int, int]:
    """Return width and height; raises ValueError unless every chunk is whole and the file ends with the last one."""
    kinds, at = list[bytes](), len(_PNG)
    while at < len(image):
        (length,) = struct.unpack_from(">I", image, at)
        kind, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", image, at + 8 + length)
        if crc32(kind + data) != checksum:
            raise ValueError("a chunk is damaged")
        kinds.append(kind)
        at += 12 + length
    if kinds[:1] != [b"IHDR"] or kinds[-1:] != [b"IEND"] or b"IDAT" not in kinds:
        raise ValueError("not all chunks are there")
    width, height = struct.unpack_from(">II", image, len(_PNG) + 8)
    return width, height


def _webp(image: bytes) -> tuple[str, tuple[int, int]]:
    if image[:4] != b"RIFF" or image[8:12] != b"WEBP" or struct.unpack_from("<I", image, 4)[0] != len(image) - 8:
        raise ValueError("no WebP")
    kind, data = image[12:16], image[20:]
    if kind not in _WEBP_CHUNKS:
        raise ValueError("no picture")
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (4, 7))
    elif kind == b"VP8L":
        if data[0] != 0x2F:
            raise ValueError("no picture")
        bits = int.from_bytes(data[1:5], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        if data[3:6] != b"\x9d\x01\x2a":
            raise ValueError("no picture")
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 6))
    return "image/webp", (width, height)


MIN_CONTRAST = 4.5
BAR_INK = "#e7dfca"
"""The text on the bar, in the darker of the two themes: `--bar-ink` in `clients/web/style/base.css`."""
LIGHT_PAGE = "#efe9da"
"""The darkest background of a link in the light theme: `--page`. The white text on buttons has more contrast."""
DARK_PANEL = "#1a2224"
"""The lightest background of a link in the dark theme: `--panel`."""
DARK_BUTTON_INK = "#0d2018"
"""The text on a button in the dark theme: `--accent-ink`."""


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2).

    >>> contrast("#ffffff", "#000000")
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def check_colours(colours: SiteColours) -> None:
    """Check that texts in these colours, and on them, are readable. Raises BadMessage."""
    for colour, grounds in (
        (colours.bar, (BAR_INK,)),
        (colours.accent, (LIGHT_PAGE,)),
        (colours.accent_dark, (DARK_PANEL, DARK_BUTTON_INK)),
    ):
        for ground in grounds:
            found = contrast(colour, ground)
            if found < MIN_CONTRAST:
                raise BadMessage(
                    "{colour} is too hard to read with {ground}: their contrast is {contrast}, and must be {least}.",
                    colour=colour,
                    ground=ground,
                    contrast=f"{found:.2f}",
                    least=str(MIN_CONTRAST),
                )


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


_BRAND = '<a class="brand" href="/">Cadogan</a>'
_ANNOUNCEMENT = "<!-- The server puts the announcement of the house here. -->"
_BAR_COLOUR = '<meta name="theme-color" content="#17382c">'


class StyleSheet(NamedTuple):
    """The colours as a style sheet, and its URL, which contains them, so that any node can serve it."""

    text: str
    path: str


def style_sheet(colours: SiteColours) -> StyleSheet:
    """Return the style sheet of these colours."""
    text = f":root{{--bar:{colours.bar};--accent:light-dark({colours.accent},{colours.accent_dark})}}\n"
    name = "-".join(colour.removeprefix("#") for colour in (colours.bar, colours.accent, colours.accent_dark))
    return StyleSheet(text, f"/look/{name}.css")


def served_about(brand: Branding) -> dict[str, Any]:
    """Return the branding for the scripts of a page; empty if no host has set any."""
    profile = brand.profile
    branding = {"name": profile.name, "announcement": profile.announcement, "rules": bool(profile.rules.strip())}
    return {"branding": branding} if any(branding.values()) else {}


def with_branding(page: str, brand: Branding) -> str:
    """Return a page with the server's name, crest, colours and announcement."""
    profile = brand.profile
    if profile.name or brand.crest:
        picture = f'<img src="/crest/{brand.crest.digest}" alt="">' if brand.crest else ""
        page = page.replace(_BRAND, f'<a class="brand" href="/">{picture}{escape(profile.name or "Cadogan")}</a>', 1)
    said = ""
    if profile.announcement:
        said = f'<aside id="announcement"><p>{escape(profile.announcement)}</p></aside>'
    page = page.replace(_ANNOUNCEMENT, said, 1)
    if profile.colours:
        sheet = style_sheet(profile.colours)
        page = page.replace(_BAR_COLOUR, _BAR_COLOUR.replace("#17382c", profile.colours.bar), 1)
        page = page.replace("</head>", f'  <link rel="stylesheet" href="{sheet.path}">\n</head>', 1)
    return page
