"""Bodies and messages about the analysis of games: which positions could still be won, and where a win was lost."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.message import Message
from cadogan.wire.values import CommandId, Count, Counters, GameId, MoveText, Piles, Result, Score, Value, Version

Verdict = Annotated[
    Literal["won", "lost", "unknown"],
    Meta(description="Whether a position can be won by somebody who knows every card; unknown if the search gave up."),
]
AnalysisState = Annotated[
    Literal["none", "waiting", "working", "done"],
    Meta(description="Nobody has asked for it; it waits; an analyst works on it; it is complete."),
]


class Choices(Value, frozen=True, kw_only=True):
    """What the legal moves of one position lead to: how many keep the win, lose it, or were not decided.

    `version` is the version of the game in this position.
    """

    version: Version
    keeping: Count
    losing: Count
    unknown: Count


class Analysis(Value, frozen=True, kw_only=True):
    """The current state of the analysis of a finished game.

    `verdicts` has one item for each version of the game that has a position, from version 1, the deal: null if not
    known yet. `losses` are the versions at which a win was lost: the position before could still be won, this one
    cannot. `ahead` is the number of jobs before this one in the queue. `solver` is the version of the solver, `nodes`
    the number of positions searched so far.
    """

    game: GameId
    state: AnalysisState
    solver: Count
    nodes: Count
    verdicts: list[Verdict | None]
    losses: list[Version]
    choices: list[Choices]
    ahead: Count | None = None


class WayStep(Value, frozen=True, kw_only=True):
    """One move of a winning line, with the fields that a client needs to draw it, as in `move_played`.

    `piles` has only the changed piles.
    """

    move: MoveText
    effects: list[str]
    piles: Piles
    counters: Counters
    score: Score
    home: Count


Steps = Annotated[list[WayStep], Meta(description="Moves that win, the first one first.")]


class Way(Value, frozen=True, kw_only=True):
    """A winning line from a position of an analysed game. `version` is the version of the game in this position."""

    game: GameId
    version: Version
    steps: Steps


class ComparedRun(Value, frozen=True, kw_only=True):
    """One of two runs that are compared.

    `version` is the first version at which its position differs from the other run; null if the run ended before that.
    `verdict` is the verdict on this position, and `losses` are as in its analysis.
    """

    game: GameId
    result: Result
    score: Score
    moves: Count
    version: Version | None
    verdict: Verdict | None
    losses: list[Version]


class Comparison(Value, frozen=True, kw_only=True):
    """A comparison of two runs of one deal: their common moves, and the result of each.

    `common_moves` is the number of moves before the runs diverge, without those that were taken back. `verdict` is the
    verdict on the last common position.
    """

    common_moves: Count
    verdict: Verdict | None
    runs: Annotated[list[ComparedRun], Meta(min_length=2, max_length=2)]


class PlayOn(Value, frozen=True, kw_only=True):
    """Play on from a position of a finished game, in a new game for practice. `version` is that of the position."""

    version: Version


class WatchAnalysis(Message, frozen=True, kw_only=True):
    """Watch the analysis of a finished game. The answer is its current state."""

    id: CommandId
    game: GameId


class UnwatchAnalysis(Message, frozen=True, kw_only=True):
    """Stop watching the analysis of a game."""

    id: CommandId
    game: GameId


class AskIfWinnable(Message, frozen=True, kw_only=True):
    """Ask whether the present position of the player's own unranked game can still be won."""

    id: CommandId
    game: GameId
    version: Version


class AnalysisChanged(Message, frozen=True, kw_only=True):
    """The new state of the analysis of a game; sent at most once a second. With `id` it answers `watch_analysis`.

    `version` increases with every finding.
    """

    analysis: Analysis
    version: Count
    id: CommandId | None = None


class Winnability(Message, frozen=True, kw_only=True):
    """Whether the position of a game at `version` can still be won; `steps` are a winning line if it can.

    If it is lost, and an earlier position of this line of play is known to be winnable, `moves_since_won` is the number
    of moves since the last such position, which must be taken back to win.

    The first answer has the `id` of the request. If it has no verdict, the search is queued behind `ahead` jobs, and a
    second message has the verdict. Both are sent only to the player. It is `unattended` if questions have waited for
    some seconds and no analyst works.
    """

    game: GameId
    version: Version
    verdict: Verdict | None = None
    steps: Steps | None = None
    moves_since_won: Annotated[int, Meta(ge=1)] | None = None
    ahead: Count | None = None
    unattended: Annotated[bool, Meta(description="Whether no analyst works, though questions wait.")] = False
    id: CommandId | None = None
