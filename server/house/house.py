"""The administration services of a server or of a `cadogan house` command."""

from collections.abc import Callable

from cadogan.server.database.connections import Database
from cadogan.server.eventlog.event_store import Store
from cadogan.server.games.game_reader import GameReader
from cadogan.server.house.entry import Entry
from cadogan.server.house.erasure import Erasure
from cadogan.server.house.fair_play.findings import Findings
from cadogan.server.house.fair_play.played_runs import PlayedRuns
from cadogan.server.house.fair_play.reports import Reports
from cadogan.server.house.fair_play.run_strikes import RunStrikes
from cadogan.server.house.house_log import HouseLog
from cadogan.server.house.look.profile import StoredProfile
from cadogan.server.house.moderation import Moderation
from cadogan.server.house.player_list import PlayerList
from cadogan.server.house.roles import Roles


class House:
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
        self.log = HouseLog(database)
        self.profile = StoredProfile(database, now)

    async def name(self) -> str:
        """Return the name of the house."""
        return (await self.profile.current()).profile.name or "Cadogan"
