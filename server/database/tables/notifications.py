"""Notifications by Web Push (the server's key, the devices, what waits to be sent), and who gets digests by mail."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text

from cadogan.server.database.tables.schema import Key, Milliseconds, metadata

notification_keys = Table(
    "notification_keys",
    metadata,
    Column("id", Key, primary_key=True),
    Column("private_key", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)
"""The key by which push services know this server, in PEM: one row (`cadogan.server.news.notifications.server_key`)."""

notification_devices = Table(
    "notification_devices",
    metadata,
    Column("session", Key, ForeignKey("tokens.hash", ondelete="CASCADE"), primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("named_by", Key, nullable=False, index=True),
    Column("service", Key, nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("endpoint_hash", Key, nullable=False, index=True),
    Column("public_key", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("topics", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("created_at", Milliseconds, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("delivered_at", Milliseconds),
)
"""The devices that get notifications, one for each session at most, with which they end. `public_key` and `secret` are
the device's own, in base64url; `topics` are words with spaces between them; quiet hours are minutes after midnight in
the device's time zone. `failures` counts what was given up since something last arrived. `service` is the host of the
device's push service, and `delivered_at` when something first arrived there; it is empty until then. `named_by` says
who has named it: a player without their bots, and for a guest something that follows from the network address, until
the player's id replaces it at the first delivery."""

notifications = Table(
    "notifications",
    metadata,
    Column("id", Key, primary_key=True),
    Column("session", Key, ForeignKey("notification_devices.session", ondelete="CASCADE"), nullable=False, index=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("service", Key, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("games", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("next_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""What waits to be sent to a device; a row goes when it has arrived or is given up. `about` is a day or the id of a
race, `games` are slugs with spaces between them, and `service` is the host of the device's push service. While a node
sends it, `next_at` is when its claim ends."""
Index("ix_notifications_next_at", notifications.c.next_at)

notified_ranks = Table(
    "notified_ranks",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Key, primary_key=True),
    Column("rank", Integer, nullable=False),
    Column("total", Text, nullable=False),
    Column("told", Integer, nullable=False),
    Column("told_at", Milliseconds, nullable=False),
)
"""The rank on a day's board that a player knows of, with the player's own total at that time, how often the player was
told of being overtaken on that day, and when last (`cadogan.server.news.notifications.overtaken`)."""

digest_readers = Table(
    "digest_readers",
    metadata,
    Column("player", Key, ForeignKey("mail_addresses.player", ondelete="CASCADE"), primary_key=True),
    Column("language", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("week", Integer, nullable=False),
    Column("next_at", Milliseconds, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("refusals", Integer, nullable=False),
    Column("problem", Text),
)
"""The players who get a digest of the week at their address, with which their row goes. `week` is the number of the
week in which the next one is sent, `next_at` when it is tried next; while a node sends it, when its claim ends.
`refusals` counts the weeks in a row in which the address was refused, and `problem` is why the last digest was given
up (`cadogan.server.news.digests`)."""
Index("ix_digest_readers_next_at", digest_readers.c.next_at)
