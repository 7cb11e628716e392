"""Choosing the puzzle of a day among the analysed games of the server that were lost.

A game can become a puzzle if its analysis is complete and names a move that lost the win; if the server has made it, so
that nobody chooses by false verdicts a puzzle whose way they know; if its cards are everybody's (a ranked game after
the close of its day); if it was played by the present rules, by a player who has not declined, and was not
disqualified; and if it was none in the last weeks. Of a game, the position before a losing move is taken.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select

from cadogan import engine
from cadogan.engine import UnknownGame
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import analyses, games, players, strikes
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.subjects.analysis.findings import AnalysedRun, Findings, read_run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from cadogan.server.subjects.players.own_data import PlayerSettings

MAX_CANDIDATES = 100
"""Games that are looked at, those first whose analysis was completed last."""
MIN_LINE, MAX_LINE = 3, 80
"""How many moves the line that wins may have: fewer need no search, and more cannot be kept in mind."""


class Found(NamedTuple):
    """A position that fits: the game and its version there, the moves that led there, and a line that wins."""

    game: str
    rules: str
    version: int
    moves: int
    line: tuple[str, ...]
    losing: int
    """How many of its legal moves are known to lose the win."""
    choices: int
    """How many legal moves it has."""

    @property
    def key(self) -> tuple[float, int, str]:
        """The least is chosen: the largest part of moves that lose the win, then the shortest line."""
        return -self.losing / self.choices, len(self.line), self.game


class PuzzleSource:
    """The games of one server, as puzzles are found in them."""

    def __init__(
        self,
        database: Database,
        outlines: GameOutlines,
        reader: GameReader,
        access: Access,
        settings: PlayerSettings,
    ) -> None:
        self._database = database
        self._outlines = outlines
        self._reader = reader
        self._access = access
        self._settings = settings

    async def choose(self, used: Collection[str]) -> Found | None:
        """Return the position that fits best, of a game that is not among the `used` ones; None if there is none."""
        best: Found | None = None
        for game_id, player, findings in await self._candidates():
            if game_id in used or await self._has_declined(player):
                continue
            found = await self._find(game_id, Findings.decode(findings))
            if found is not None and (best is None or found.key < best.key):
                best = found
        return best

    async def _candidates(self) -> list[tuple[str, str, str]]:
        """Return the lost games of people whose analysis is complete: game, player and findings."""
        wanted = (
            select(games.c.id, games.c.player, analyses.c.findings)
            .join(analyses, analyses.c.game == games.c.id)
            .join(players, players.c.id == games.c.player)
            .where(
                analyses.c.version == WHOLE_GAME,
                analyses.c.solver == SOLVER_VERSION,
                analyses.c.done_at.is_not(None),
                analyses.c.findings.is_not(None),
                analyses.c.analyst.is_(None),  # by an analyst of the server
                games.c.status.in_(("lost", "resigned", "out_of_time")),
                games.c.origin.is_(None),
                players.c.owner.is_(None),
                games.c.id.not_in(select(strikes.c.game_id)),
            )
            .order_by(analyses.c.done_at.desc(), games.c.id)
            .limit(MAX_CANDIDATES)
        )
        return [(row.id, row.player, row.findings) for row in await self._database.fetch(wanted)]

    async def _has_declined(self, player: str) -> bool:
        chosen = await self._settings.load(player)
        return chosen is not None and not chosen.puzzles

    async def _find(self, game_id: str, findings: Findings) -> Found | None:
        """Return the best position of a game; None if none fits, or its cards are not everybody's."""
        try:
            outline = await self._outlines.get(game_id)
            await self._access.require_analysis(outline)
            if outline.dealt.rules_version != engine.game(outline.dealt.game).rules_version:
                return None
            run = AnalysedRun(await read_run(self._reader, game_id), findings)
        except (RefusalError, UnknownGame):
            return None
        counted = {one.position: one for one in findings.choices}
        fitting = list[Found]()
        for lost in run.positions.losing_positions():
            position = run.positions.parents[lost]
            assert position is not None
            line = tuple(move.text for move in run.positions.line(position))
            if position in counted and counted[position].losing and MIN_LINE <= len(line) <= MAX_LINE:
                known = counted[position]
                legal = known.keeping + known.losing + known.unknown
                version, moves = run.version_of(position), len(run.moves_to(position))
                fitting.append(Found(game_id, outline.dealt.game, version, moves, line, known.losing, legal))
        return min(fitting, key=lambda one: one.key, default=None)
