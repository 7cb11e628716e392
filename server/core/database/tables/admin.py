"""Settings and acts of hosts, reports of players, and the news that is sent."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

house = Table(
    "house",
    metadata,
    Column("id", Key, primary_key=True),
    Column("accounts", Text, nullable=False),
    Column("guests", Boolean, nullable=False),
)
"""Admission rules of the server, set by hosts: at most one row (`cadogan.server.subjects.admin.entry`)."""

house_settings = Table(
    "house_settings",
    metadata,
    Column("name", Key, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Settings of hosts, by name, as JSON (`cadogan.server.subjects.admin.stored_settings`)."""

house_notes = Table(
    "house_notes",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), index=True),
    Column("note", Text, nullable=False),
)
"""A host's note about an act, by the version of its event in the stream `house`. It may name people, so it is not in
the log, and is erased with the account that it is about."""

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("topics", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("language", Key, nullable=False, server_default="en"),
)
"""Where news is sent (`cadogan.server.subjects.news.webhooks`). `secret` signs the requests; for Matrix it is an access
token. `topics` are separated by spaces."""

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Key, primary_key=True),
    Column("webhook", Key, ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("item", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("next_at", Milliseconds, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("status", Integer),
    Column("problem", Text),
)
"""The queue of webhook deliveries (`cadogan.server.subjects.news.webhook_sender`). `item` is JSON and holds ids, no
name. While a node sends it, `next_at` is when the node's lease expires."""
Index("ix_deliveries_webhook_created_at", deliveries.c.webhook, deliveries.c.created_at)
Index(
    "ix_deliveries_next_at",
    deliveries.c.next_at,
    sqlite_where=text("state = 'waiting'"),
    postgresql_where=text("state = 'waiting'"),
)

news = Table(
    "news",
    metadata,
    Column("id", Key, primary_key=True),
    Column("at", Milliseconds, nullable=False),
)
"""News that was already sent to webhooks, by kind and subject, so that no node sends it twice."""

reports = Table(
    "reports",
    metadata,
    Column("id", Key, primary_key=True),
    Column("reporter", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", Key, nullable=False),
    Column("reason", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("reported_at", Milliseconds, nullable=False),
    Column("settled_at", Milliseconds),
    Column("outcome", Text),
    Column("message", Key, nullable=False, server_default=""),
    Column("quoted", Text, nullable=False, server_default=""),
    UniqueConstraint("reporter", "player", "game", "message"),
)
"""Reports about a player, one of the player's runs, or a message of the player; `game` and `message` are empty if it is
not about one. `quoted` is the text of the message at that time. A report is erased with its author and with the player
it is about."""
Index("ix_reports_settled_at", reports.c.settled_at, reports.c.reported_at)

findings = Table(
    "findings",
    metadata,
    Column("day", Key, primary_key=True),
    Column("at", Milliseconds, nullable=False),
    Column("count", Integer, nullable=False),
    Column("found", Text),
    Column("seen_at", Milliseconds),
    Column("next_at", Milliseconds),
    Column("attempts", Integer, nullable=False, server_default="0"),
)
"""What the copy detector has found about a closed day (`cadogan.server.subjects.admin.findings`), as JSON; it holds
ids, no name. Until then `found` is empty, and `next_at` is when the runs of the day are compared next; while a node
compares them, when its claim ends; and empty if that was given up. `count` is how many findings there are, and
`seen_at` when a host or a moderator has read them first."""
