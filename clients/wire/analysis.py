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
    """The analysis of a finished game, as far as it is.

    `verdicts` has one item for each version of the game that has a position, from version 1, the deal: null where
    nothing is known yet. `losses` are the versions with which a win was lost: the position before could still be won,
    this one cannot. `ahead` are the jobs that come before, while it waits. `solver` is the version of the solver, and
    `nodes` how many positions were searched so far.
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
    """One move of a way to win, with what a client needs to draw it: as in `move_played`, for whoever sees the cards.

    `piles` are only those that changed.
    """

    move: MoveText
    effects: list[str]
    piles: Piles
    counters: Counters
    score: Score
    home: Count


Steps = Annotated[list[WayStep], Meta(description="Moves that win, the first one first.")]


class Way(Value, frozen=True, kw_only=True):
    """A way to win from a position of an analysed game. `version` is the version of the game in this position."""

    game: GameId
    version: Version
    steps: Steps


class ComparedRun(Value, frozen=True, kw_only=True):
    """One of two runs that are compared.

    `version` is where they parted: the first version with a position of its own; null if the run ended before.
    `verdict` is that of this position, and `losses` are as in its analysis.
    """

    game: GameId
    result: Result
    score: Score
    moves: Count
    version: Version | None
    verdict: Verdict | None
    losses: list[Version]


class Comparison(Value, frozen=True, kw_only=True):
    """Two runs of one deal: how long they went together, and what each made of it.

    `common_moves` are the moves that both played before they parted, without those that were taken back. `verdict` is
    that of the last position that both had.
    """

    common_moves: Count
    verdict: Verdict | None
    runs: Annotated[list[ComparedRun], Meta(min_length=2, max_length=2)]


class PlayOn(Value, frozen=True, kw_only=True):
    """Play on from a position of a finished game, in a new game for practice. `version` is that of the position."""

    version: Version


class WatchAnalysis(Message, frozen=True, kw_only=True):
    """Watch the analysis of a finished game; the answer is the analysis as it is."""

    id: CommandId
    game: GameId


class UnwatchAnalysis(Message, frozen=True, kw_only=True):
    """Stop watching the analysis of a game."""

    id: CommandId
    game: GameId


class AskIfWinnable(Message, frozen=True, kw_only=True):
    """Ask whether the present position of one's own game can still be won: in games that count for nothing."""

    id: CommandId
    game: GameId
    version: Version


class AnalysisChanged(Message, frozen=True, kw_only=True):
    """The analysis of a game has come further; sent at most once a second. With `id` it answers `watch_analysis`.

    `version` rises with everything that is found.
    """

    analysis: Analysis
    version: Count
    id: CommandId | None = None


class Winnability(Message, frozen=True, kw_only=True):
    """Whether the position of a game at `version` can still be won; `steps` are a way if it can.

    If it is lost, and an earlier position of this line of play is known to be winnable, `moves_since_won` is how many
    moves were played since the last such position: so many have to be taken back.

    The first answer has the `id` of the question. If there is no verdict in it, the search is still to come: `ahead`
    jobs come before, and a second message has the verdict. Only the player gets either.
    """

    game: GameId
    version: Version
    verdict: Verdict | None = None
    steps: Steps | None = None
    moves_since_won: Annotated[int, Meta(ge=1)] | None = None
    ahead: Count | None = None
    id: CommandId | None = None
