"""Guests who never played are cleared after a month; everybody else stays."""

from sqlalchemy import select

from cadogan.server.core.database.tables import players
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.subjects.admin.moderation import clear_idle_guests
from tests.harness.hosts import player
from tests.harness.running_server import RunningServer


async def test_only_guests_who_never_began_a_game_are_cleared(running_server: RunningServer) -> None:
    idle, playing, grouped = [await running_server.guest() for _ in range(3)]
    ada = await player(running_server, "Ada")
    await ada.post("/bots", {"name": "Marvin"})
    await playing.deal()
    await grouped.post("/groups", {"name": "The club"})
    database, now = running_server.server.database, running_server.clock.at
    assert await clear_idle_guests(database, now + 30 * MILLISECONDS_PER_DAY - 1) == 0
    assert (await idle.get("/friends"))[0] == 200
    assert await clear_idle_guests(database, now + 30 * MILLISECONDS_PER_DAY) == 1
    async with database.reading() as connection:
        left = set(await connection.scalars(select(players.c.id)))
    assert {playing.id, grouped.id, ada.id} < left
    assert len(left) == 4
    assert (await idle.get("/friends"))[1]["code"] == "unauthorized"
