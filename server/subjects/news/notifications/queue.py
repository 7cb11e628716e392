"""The queue of notifications for devices: their texts, and the quiet hours of the reader."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine import UnknownGame
from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core import ids
from cadogan.server.core.database.tables import notification_devices, notifications
from cadogan.server.core.dates import read_zone
from cadogan.server.core.words import words_in
from cadogan.wire.notifications import NotificationTopic


class QuietHours(NamedTuple):
    """From one time of the day to another, in minutes after midnight; they may go past midnight."""

    begin: int
    end: int


def end_of_quiet(now: int, zone: ZoneInfo, quiet: QuietHours | None) -> int:
    """Return when something may be sent, if it is to be sent `now`: at once, or at the end of the quiet hours.

    Moments are in milliseconds since 1970.

    >>> night = QuietHours(22 * 60, 7 * 60)
    >>> end_of_quiet(3_600_000, ZoneInfo("UTC"), night) == 7 * 3_600_000
    True
    >>> end_of_quiet(8 * 3_600_000, ZoneInfo("UTC"), night) == 8 * 3_600_000
    True
    """
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone)
    minute = local.hour * 60 + local.minute
    if quiet is None or not _is_within(minute, quiet):
        return now
    day = local.date() + timedelta(days=1 if minute >= quiet.end else 0)
    over = time(quiet.end // 60, quiet.end % 60)
    # Where the clock is put back amid them, the time of their end comes twice: the second one may be ahead alone.
    ends = [int(datetime.combine(day, over, zone).replace(fold=fold).timestamp() * 1000) for fold in (0, 1)]
    return next((end for end in sorted(ends) if end > now), now)


def _is_within(minute: int, quiet: QuietHours) -> bool:
    if quiet.begin <= quiet.end:
        return quiet.begin <= minute < quiet.end
    return minute >= quiet.begin or minute < quiet.end


Kind = NotificationTopic | Literal["test"]
MAX_GAMES = 6
"""So many games are named; a notification has a few lines."""


def notification_text(kind: Kind, games: str, language: str) -> str:
    """Return the sentence of a notification, in English if the language, given by its tag, has no words.

    `games` are slugs with spaces between them.

    >>> notification_text("race_started", "klondike", "de")
    'Dein Rennen beginnt: Canfield oder Klondike.'
    """
    words = words_in(language).notifications
    names = [_game_name(slug, language) for slug in games.split()]
    shown = ", ".join(names[:MAX_GAMES]) + (", …" if len(names) > MAX_GAMES else "")
    text: str = getattr(words, kind)
    return text.format(games=shown)


def page_of(kind: Kind, about: str) -> str:
    """Return the address of the page that a notification leads to.

    >>> page_of("overtaken", "2026-11-20")
    '/board/day:2026-11-20'
    """
    match kind:
        case "day_opened":
            return f"/daily/{about}"
        case "overtaken":
            return f"/board/day:{about}"
        case "race_started":
            return f"/race/{about}"
        case "evening_begins" | "challenged" | "series_stopped":
            return f"/evenings/{about}"
        case "test":
            return "/account"


def _game_name(slug: str, language: str) -> str:
    try:
        return read_rule_page(slug, language).name
    except UnknownGame:
        return slug


ROWS_PER_STATEMENT = 500


def notification_row(
    device: Row[tuple[Any, ...]], kind: Kind, about: str, games: str, now: int, next_at: int, expires_at: int
) -> dict[str, Any]:
    """Return the row of a notification for a device, with a new id. `games` are slugs with spaces between them."""
    return {
        "id": ids.new_id(),
        "session": device.session,
        "player": device.player,
        "service": device.service,
        "kind": kind,
        "about": about,
        "games": games,
        "created_at": now,
        "next_at": next_at,
        "expires_at": expires_at,
        "attempts": 0,
    }


async def write_notifications(
    connection: AsyncConnection,
    devices: Iterable[Row[tuple[Any, ...]]],
    kind: Kind,
    about: str,
    games: str,
    now: int,
    expires_at: int,
) -> None:
    """Write a notification for each of these devices: due now, or after its quiet hours if it is still news then."""
    rows = []
    for device in devices:
        next_at = end_of_quiet(now, read_zone(device.time_zone), quiet_hours(device))
        if next_at < expires_at:
            rows.append(notification_row(device, kind, about, games, now, next_at, expires_at))
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        await connection.execute(insert(notifications), rows[start : start + ROWS_PER_STATEMENT])


async def devices_with(
    connection: AsyncConnection, topic: NotificationTopic, whom: ColumnElement[bool]
) -> Sequence[Row[tuple[Any, ...]]]:
    """Return the devices that `whom` selects and that are subscribed to this topic."""
    wanted = select(notification_devices).where(notification_devices.c.topics.contains(topic), whom)
    return (await connection.execute(wanted)).all()


def quiet_hours(device: Row[tuple[Any, ...]]) -> QuietHours | None:
    """Return the quiet hours of a device; None without any."""
    if device.quiet_from is None or device.quiet_until is None:
        return None
    return QuietHours(device.quiet_from, device.quiet_until)
