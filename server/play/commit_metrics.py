"""Counting what was committed: games dealt and moves played, for each game of the book."""

import engine
from server.core.metrics import Metrics
from server.eventlog.events import MovePlayed
from server.games.commits import Committed


class CommitMetrics:
    """The counters of one node. Only what was written here counts, so that the nodes' figures add up."""

    def __init__(self, metrics: Metrics) -> None:
        self._moves = {slug: metrics.moves.labels(slug) for slug in engine.slugs()}
        self._games = {slug: metrics.games.labels(slug) for slug in engine.slugs()}

    def on_commit(self, committed: Committed) -> None:
        """Count a game that was dealt, or a move that was played."""
        if not committed.written_here:
            return
        first, rules = committed.steps[0], committed.game.dealt.game
        if first.before is None:
            self._games[rules].inc()
        elif isinstance(first.event, MovePlayed):
            self._moves[rules].inc()
