"""What waits to be sent to devices: a row for each notification of each device, written when it is news."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.database.tables import notification_devices, notifications
from cadogan.server.news.notifications.quiet_hours import QuietHours, end_of_quiet, read_zone
from cadogan.server.news.notifications.words import Kind
from cadogan.wire.notifications import NotificationTopic

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
    """Return the devices that want this topic, of those that `whom` chooses."""
    wanted = select(notification_devices).where(notification_devices.c.topics.contains(topic), whom)
    return (await connection.execute(wanted)).all()


def quiet_hours(device: Row[tuple[Any, ...]]) -> QuietHours | None:
    """Return the quiet hours of a device; None without any."""
    if device.quiet_from is None or device.quiet_until is None:
        return None
    return QuietHours(device.quiet_from, device.quiet_until)
