"""What the metrics say of the queue of the analysts."""

from cadogan.server.config import Settings
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, DecidedPositions
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from tests.harness.http_client import FOR_METRICS, Client


async def test_the_metrics_count_the_analyses_that_wait_and_those_that_are_worked_on(
    client: Client, settings: Settings
) -> None:
    database = Database(settings.database_url)
    jobs = AnalysisJobs(database, lambda: now() - 5_000)
    for game in ("one", "two", "three"):
        await jobs.ask(game, WHOLE_GAME, "ann")
    await jobs.claim("analyst")
    await DecidedPositions(database, now).put({key: DecidedPosition("lost", 7) for key in ("one", "two", "three")})
    await database.close()
    figures = await (await client.get("/metrics", headers=FOR_METRICS)).text()
    read = dict(line.rsplit(" ", 1) for line in figures.splitlines() if line.startswith("cadogan_analys"))
    assert (read["cadogan_analyses_waiting"], read["cadogan_analyses_working"]) == ("2.0", "1.0")
    assert read["cadogan_analysis_positions"] == "3.0"
    assert 5 <= float(read["cadogan_analyses_oldest_seconds"]) < 300
