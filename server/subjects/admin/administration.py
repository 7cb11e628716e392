"""The administration services of a server or of a `cadogan house` command."""

from collections.abc import Callable

from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.subjects.admin.admin_log import AdminLog, record_locked_act
from cadogan.server.subjects.admin.branding import StoredProfile
from cadogan.server.subjects.admin.entry import Entry
from cadogan.server.subjects.admin.findings import Findings, PlayedRuns
from cadogan.server.subjects.admin.moderation import Erasure, Moderation, PlayerList
from cadogan.server.subjects.admin.reports import Reports, RunStrikes
from cadogan.server.subjects.admin.roles import Roles
from cadogan.server.subjects.analysis.contributions import Contributions
from cadogan.server.subjects.analysis.jobs import AnalysisJobs


class Administration:
    """The administration services on a database. `now` returns milliseconds since 1970.

    `publish_disqualification` notifies the servers of a struck or restored run.
    """

    def __init__(
        self,
        database: Database,
        store: Store,
        reader: GameReader,
        publish_disqualification: Callable[[str], None],
        now: Callable[[], int],
    ) -> None:
        self.roles = Roles(database, now)
        self.moderation = Moderation(database, now)
        self.erasure = Erasure(database, now)
        self.strikes = RunStrikes(database, now, publish_disqualification)
        self.reports = Reports(database, now)
        self.played_runs = PlayedRuns(database, store, reader)
        self.findings = Findings(database, store, self.played_runs, now)
        self.entry = Entry(database, now)
        self.players = PlayerList(database, now)
        self.log = AdminLog(database)
        self.analysts = Contributions(database, AnalysisJobs(database, now), record_locked_act, now)
        self.profile = StoredProfile(database, now)

    async def name(self) -> str:
        """Return the name of the server."""
        return (await self.profile.current()).profile.name or "Cadogan"
