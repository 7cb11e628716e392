"""The puzzles of a node: setting one each day, starting and ending tries, and showing the solution."""

from collections.abc import Sequence

from cadogan.server.core import dates, ids
from cadogan.server.core.errors import Conflict, NotFound, SpoilerEmbargo
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.history_bodies import MIN_COST, Charge
from cadogan.server.core.games.own_streams import Host, StreamedCompetition
from cadogan.server.subjects.analysis.analysis_routes import Continuations
from cadogan.server.subjects.analysis.findings import follow, read_run
from cadogan.server.subjects.puzzle_rules import (
    KEY,
    PuzzleClosed,
    PuzzleGivenUp,
    PuzzleRules,
    PuzzleSet,
    PuzzleTried,
    PuzzleTryEnded,
)
from cadogan.server.subjects.puzzles.choosing import PuzzleSource
from cadogan.server.subjects.puzzles.puzzle_state import Puzzle
from cadogan.wire.analysis import Way, WayStep

OPEN_DAYS = 7
"""Days for which tries at a puzzle count, that on which it is set included."""
REMEMBERED_DAYS = 30
"""A game that was a puzzle is none again for so many days."""
PAUSE_SECONDS = 300.0
"""Seconds until it is looked again whether a puzzle can be set."""


class Puzzles(StreamedCompetition[Puzzle]):
    """The puzzles of one node, each with the day on which it was set as its id."""

    rules = PuzzleRules()
    state_class = Puzzle

    def __init__(
        self,
        server: Host,
        source: PuzzleSource,
        continuations: Continuations,
        outlines: GameOutlines,
        reader: GameReader,
    ) -> None:
        super().__init__(server)
        self._source = source
        self._continuations = continuations
        self._outlines = outlines
        self._reader = reader
        self._slices = TimeSlices()

    async def is_public(self, game: GameOutline) -> bool:
        return False

    async def require_told(self, player: str | None, game: GameOutline) -> None:
        """Raise SpoilerEmbargo for a try at a puzzle whose way the player may not see yet."""
        _require_solution(await self.find(game.dealt.about or ""), player)

    async def require_open(self, game: GameState, now: int) -> None:
        """Accept every command: an unfinished try does not count after the close, but may be finished."""

    async def advance(self, state: Puzzle, at: int) -> Sequence[CompetitionEvent]:
        return [PuzzleClosed()]

    async def run_due(self) -> float | None:
        """Close what is due, and set the puzzle of today, if there is none and a game fits."""
        await super().run_due()
        today = dates.day_of(self._now())
        if not await self.is_set(today) and await self._clocks.agree():
            await self._set(today)
        return PAUSE_SECONDS

    async def find(self, day: str) -> Puzzle:
        """Return the puzzle of a day. Raises NotFound if none was set."""
        if not dates.is_valid(day) or not await self.is_set(day):
            raise NotFound("There is no puzzle of that day.")
        return await self.get_latest(day)

    async def begin_try(self, player: str, day: str, charge: Charge, new_id: str) -> GameState:
        """Return the try that was begun with this id or is unfinished, or begin one, as a game with an id of its own.

        Raises NotFound; Conflict if the puzzle is closed, or the player has solved it or given it up; or what
        `Continuations.begin` raises.
        """
        puzzle = await self.settle_try(player, await self.find(day))
        assert puzzle.set is not None
        new_id = ids.derive_id(new_id.encode(), "try", day)  # the address of today's puzzle is that of tomorrow's

        def decide(state: Puzzle) -> list[CompetitionEvent]:
            if state.has_try(player, new_id):
                return []
            if state.is_closed:
                raise Conflict("This puzzle is closed.")
            if state.may_see_solution(player):
                raise Conflict("You know the way of this puzzle.")
            return [] if state.pending(player) else [PuzzleTried(player, new_id)]

        puzzle = await self.write(day, decide)
        pending = None if puzzle.has_try(player, new_id) else puzzle.pending(player)
        assert puzzle.set is not None
        # The try is in the stream before its game: whoever comes back after an outage begins the game of the same id.
        game_id = pending.game if pending else new_id
        return await self._continuations.begin(
            player, puzzle.set.game, puzzle.set.version, charge, game_id, competition=KEY, about=day
        )

    async def give_up(self, player: str, day: str) -> Puzzle:
        """Give up a puzzle for a player, who may then see its solution; their later tries do not count.

        Raises NotFound.
        """
        await self.settle_try(player, await self.find(day))
        return await self.write(day, lambda state: [] if state.may_see_solution(player) else [PuzzleGivenUp(player)])

    async def winning_line(self, player: str | None, day: str, charge: Charge) -> Way:
        """Return the line that wins, move by move. Raises NotFound, or SpoilerEmbargo for who may not see it yet."""
        puzzle = await self.find(day)
        assert puzzle.set is not None
        _require_solution(puzzle, player)
        charge(max(MIN_COST, puzzle.set.version))
        run = await read_run(self._reader, puzzle.set.game, puzzle.set.version)
        moves, steps = [*run.moves_left(), *map(run.rules.move, puzzle.set.line)], list[WayStep]()
        await self._slices.run(follow(run.rules, run.seed, run.deal, moves, steps))
        return Way(game=puzzle.set.game, version=puzzle.set.version, steps=steps[-len(puzzle.set.line) :])

    async def settle_try(self, player: str, puzzle: Puzzle) -> Puzzle:
        """Write the end of a player's try, should a node have stopped before it was written; return the puzzle."""
        pending = puzzle.pending(player)
        if pending is None or puzzle.is_closed:
            return puzzle
        try:
            outline = await self._outlines.get(pending.game)
        except NotFound:
            return puzzle  # its game has not begun
        return await self._end_try(outline) if outline.over else puzzle

    def on_end(self, committed: Committed) -> None:
        """Write the end of a try into the stream of its puzzle."""
        if committed.state.competition is self.rules and committed.written_here:
            self.background.start(self._note_end, committed.state)

    async def _note_end(self, game: GameOutline) -> None:
        await self._end_try(game)

    async def _end_try(self, game: GameOutline) -> Puzzle:
        day, finished, origin = game.dealt.about or "", game.finished, game.dealt.origin
        assert finished is not None
        assert origin is not None

        def decide(state: Puzzle) -> list[CompetitionEvent]:
            pending = state.pending(game.player)
            if state.is_closed or state.set is None or pending is None or pending.game != game.id:
                return []
            own_moves = max(0, finished.moves - state.set.moves)
            return [PuzzleTryEnded(game.player, game.id, finished.result, own_moves)]

        return await self.write(day, decide)

    async def is_set(self, day: str) -> bool:
        """Return whether there is a puzzle of a day."""
        return self.cached(day) is not None or bool(await self._store.read(self.prefix + day, 0, 1))

    def _is_id(self, id: str) -> bool:
        return dates.is_valid(id)

    async def _set(self, day: str) -> None:
        used = set[str]()
        for back in range(1, REMEMBERED_DAYS + 1):
            before = dates.add_days(day, -back)
            if await self.is_set(before) and (puzzle := await self.get(before)).set is not None:
                used.add(puzzle.set.game)
        found = await self._source.choose(used)
        if found is not None:
            closes_at = dates.day_times(dates.add_days(day, OPEN_DAYS - 1), 0).ends_at
            event = PuzzleSet(found.rules, found.game, found.version, found.moves, found.line, closes_at)
            await self.begin(day, event)


def _require_solution(puzzle: Puzzle, player: str | None) -> None:
    if not puzzle.may_see_solution(player):
        raise SpoilerEmbargo("The way is shown when you have solved the puzzle or given it up, or when it has closed.")
