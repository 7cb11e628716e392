"""How the games of each kind have gone: which of them count, and for how long the figures are kept."""

from sqlalchemy import insert

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import games, players
from cadogan.server.subjects.catalog import GameTallies, GameTally

TEN_MINUTES, HOUR = 600_000, 3_600_000


async def add_games(database: Database, first: int, *ends: tuple[str, str, int, int]) -> None:
    """Add finished games, each given by its player, its status, its moves and its milliseconds."""
    rows = [
        {"id": f"g{number}", "game": "maze", "deal": f"d{number}", "ranked": False, "started_at": 1, "finished_at": 2}
        | {"player": player, "status": status, "moves": moves, "milliseconds": milliseconds}
        for number, (player, status, moves, milliseconds) in enumerate(ends, first)
    ]
    async with database.writing() as connection:
        await connection.execute(insert(games), rows)


async def test_games_of_people_with_ten_moves_count_and_their_time_if_nobody_gave_up_or_left_them_lying(
    database: Database,
) -> None:
    async with database.writing() as connection:
        await connection.execute(insert(players).values(id="ann", name="Ann", created_at=1))
        await connection.execute(insert(players).values(id="bot", name="Bot", created_at=1, owner="ann"))
    await add_games(
        database,
        1,
        ("ann", "won", 10, 1000),
        ("ann", "lost", 90, HOUR),
        ("ann", "won", 90, HOUR + 1),
        ("ann", "resigned", 90, 5000),
        ("ann", "won", 9, 5000),
        ("bot", "won", 90, 5000),
        ("gone", "stuck", 90, 2000),
    )
    tallies = await GameTallies(database, lambda: 0).all()
    assert tallies == {"maze": GameTally(played=5, won=2, timed=3, milliseconds=(1000 + HOUR + 2000) // 3)}


async def test_the_figures_are_read_again_after_ten_minutes_or_when_the_clock_was_set_back(
    database: Database,
) -> None:
    now = [HOUR]
    tallies = GameTallies(database, lambda: now[0])
    assert await tallies.all() == {}
    played = []
    for number, at in enumerate((HOUR + TEN_MINUTES - 1, HOUR + TEN_MINUTES, HOUR + TEN_MINUTES, HOUR - 1)):
        await add_games(database, number, ("ann", "won", 10, 1000))
        now[0] = at
        played.append((await tallies.all()).get("maze", GameTally()).played)
    assert played == [0, 2, 2, 4]


async def test_games_that_were_all_given_up_have_no_time(database: Database) -> None:
    await add_games(database, 1, ("ann", "resigned", 10, 1000))
    assert await GameTallies(database, lambda: 0).all() == {"maze": GameTally(played=1)}
