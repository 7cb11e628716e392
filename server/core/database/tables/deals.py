"""Secrets of deals, search results about whether they can be won, and the jobs of the analysts."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text, text

from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

deals = Table(
    "deals",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)

days = Table(
    "days",
    metadata,
    Column("day", Key, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("grace", Milliseconds),
)
"""One secret for each day; it is the secret of all deals of that day. `grace` is the time after its end in which runs
may be finished, if a host had set it when the day was announced."""

certificates = Table(
    "certificates",
    metadata,
    Column("deal", Key, primary_key=True),
    Column("certificate", Text),
    Column("created_at", Milliseconds, nullable=False),
)
"""The certificate of each daily deal (`cadogan.server.core.fairness.certificates`), as JSON; empty if no candidate was
won. It is secret until the day has closed."""

analyses = Table(
    "analyses",
    metadata,
    Column("game", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("solver", Integer, primary_key=True, autoincrement=False),
    Column("person", Key, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("asked_at", Milliseconds, nullable=False),
    Column("analyst", Key),
    Column("held_until", Milliseconds),
    Column("failures", Integer, nullable=False),
    Column("done_at", Milliseconds),
    Column("findings", Text),
)
"""The jobs of the analysts, and their findings. A `version` of 0 is the analysis of a whole finished game, any other
the query whether the position at this version can be won. `person` requested it, and `turn` is its place in the queue
(`cadogan.server.subjects.analysis.jobs`). An `analyst` has a renewable lease on the job. `findings` are JSON
(`cadogan.server.subjects.analysis.findings`): all results so far."""
Index(
    "ix_analyses_turn",
    analyses.c.turn,
    sqlite_where=text("done_at IS NULL"),
    postgresql_where=text("done_at IS NULL"),
)
Index(
    "ix_analyses_person",
    analyses.c.person,
    sqlite_where=text("done_at IS NULL"),
    postgresql_where=text("done_at IS NULL"),
)

positions = Table(
    "positions",
    metadata,
    Column("position", Key, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("line", Text, nullable=False),
    Column("searched_at", Milliseconds, nullable=False, index=True),
)
"""A cache of recently searched positions. The key is a hash of the deal, the position and the version of the solver; it
reveals none of them. Old rows are deleted (`cadogan.server.subjects.analysis.decided_positions`)."""

contributions = Table(
    "contributions",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Key, nullable=False),
    Column("solver", Integer, nullable=False),
    Column("player", Key, nullable=False),
    Column("person", Key, nullable=False, index=True),
    Column("taken_at", Milliseconds, nullable=False),
    Column("held_until", Milliseconds),
    Column("state", Text, nullable=False),
    Column("findings", Text),
    Column("claims", Text),
    Column("checked", Text),
)
"""The analyses that players carry out on their own machines (`cadogan.server.subjects.analysis.contributions`). `state`
is `taken`, `done`, `given_up` or `withdrawn`. `checked` is empty, or says that the server is to search some of it again
(`waiting`) or has done so (`passed`, `failed`, or `forgiven` by a host). `claims` are the verdicts that it searches."""
Index("ix_contributions_checked", contributions.c.checked, contributions.c.held_until)
