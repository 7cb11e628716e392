"""How a player likes the page: kept per account, on SQLite and on PostgreSQL, and over HTTP."""

from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import players, settings
from cadogan.server.subjects.players.own_data import PlayerSettings
from cadogan.wire.settings import MAX_GAME_COLOURS, Settings
from tests.harness.http_client import Client, from_our_page, sign_up
from tests.harness.schema_checks import check_body

PASSWORD = "eight red queens"
PATH = "/api/v1/settings"
DARK = Settings(theme="dark", one_tap=False, game_colours={"klondike": "two"})


@pytest.fixture
async def player(database: Database) -> str:
    """The id of a player of this database."""
    async with database.writing() as connection:
        await connection.execute(insert(players).values(id="ada", name="Ada", created_at=1))
    return "ada"


@pytest.fixture
def preferences(database: Database) -> PlayerSettings:
    return PlayerSettings(database)


async def test_the_settings_saved_last_are_used(preferences: PlayerSettings, player: str) -> None:
    assert await preferences.load(player) is None
    await preferences.save(player, Settings(language="de"))
    await preferences.save(player, DARK)
    assert await preferences.load(player) == DARK


@pytest.mark.both_databases
async def test_settings_are_erased_with_their_player(
    database: Database, preferences: PlayerSettings, player: str
) -> None:
    await preferences.save(player, DARK)
    async with database.writing() as connection:
        await connection.execute(delete(players).where(players.c.id == player))
    async with database.reading() as connection:
        assert await connection.scalar(select(func.count()).select_from(settings)) == 0


async def test_unreadable_settings_of_another_version_count_as_none(
    database: Database, preferences: PlayerSettings, player: str
) -> None:
    await preferences.save(player, DARK)
    async with database.writing() as connection:
        await connection.execute(update(settings).values(chosen='{"theme":"sepia"}'))
    assert await preferences.load(player) is None


async def put(client: Client, body: Any) -> Any:
    response = await client.put(PATH, json=body, headers=from_our_page(client))
    return response.status, await response.json()


async def test_another_browser_of_the_account_gets_the_settings_of_the_first(client: Client) -> None:
    await sign_up(client, "Ada", PASSWORD)
    chosen = {"language": "de", "theme": "dark", "one_tap": False, "game_colours": {"louis": "four"}}
    assert await put(client, chosen) == (200, {"settings": chosen})
    await client.delete("/api/v1/session", headers=from_our_page(client))
    await client.post("/api/v1/session", json={"name": "Ada", "password": PASSWORD}, headers=from_our_page(client))
    stored = await (await client.get(PATH)).json()
    check_body("KeptSettings", stored)
    assert stored == {"settings": chosen}


async def test_a_guest_can_save_settings_and_an_anonymous_visitor_cannot(client: Client) -> None:
    assert (await client.get(PATH)).status == 401
    assert (await put(client, {"theme": "dark"}))[0] == 401
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    assert await (await client.get(PATH)).json() == {"settings": None}
    assert (await put(client, {"theme": "dark"}))[0] == 200


async def test_a_setting_or_a_value_that_does_not_exist_is_refused_by_its_name(client: Client) -> None:
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    unknown: dict[str, dict[str, Any]] = {
        "colour": {"colour": "red"},
        "sepia": {"theme": "sepia"},
        "clock": {"clock": "yes"},
        "language": {"language": "../../etc"},
        "game_colours": {"game_colours": {f"game-{number}": "two" for number in range(MAX_GAME_COLOURS + 1)}},
    }
    for named, body in unknown.items():
        status, refusal = await put(client, body)
        assert (status, refusal["code"]) == (400, "bad_message"), named
        assert named in refusal["message"]
        assert await (await client.get(PATH)).json() == {"settings": None}, named


async def test_every_language_file_is_listed_by_its_own_name(client: Client) -> None:
    listed = await (await client.get("/languages/index.json")).json()
    assert {"tag": "en", "name": "English"} in listed["languages"]
    for each in listed["languages"]:
        file = await (await client.get(f"/languages/{each['tag']}.json")).json()
        assert file["name"] == each["name"]
