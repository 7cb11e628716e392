"""Notifications and digests to readers, and what players write to each other."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

notification_keys = Table(
    "notification_keys",
    metadata,
    Column("id", Key, primary_key=True),
    Column("private_key", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)
"""The VAPID key of this server for push services, in PEM: one row
(`cadogan.server.subjects.news.notifications.devices`)."""
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
"""The devices that get notifications, at most one per session, deleted with it. `public_key` and `secret` are the
device's own, in base64url; `topics` are separated by spaces; quiet hours are minutes after midnight in the device's
time zone. `failures` counts abandoned notifications since the last delivery. `service` is the host of the device's push
service, and `delivered_at` the time of the first delivery to it; it is empty until then. `named_by` identifies who
registered the service: a player's id, or for a guest a value derived from the network address, replaced by the player's
id at the first delivery."""
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
"""The queue of notifications to devices; a row is deleted when it is delivered or abandoned. `about` is a day or the id
of a race, `games` are slugs separated by spaces, and `service` is the host of the device's push service. While a node
sends it, `next_at` is when the node's lease expires."""
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
"""The last rank on a day's leaderboard that a player was shown, with the player's total at that time, and the number
and last time of notifications about being overtaken on that day
(`cadogan.server.subjects.news.notifications.detect`)."""
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
"""The players who get a weekly digest by mail; a row is deleted with the address. `week` is the number of the week in
which the next one is sent, `next_at` the time of the next attempt; while a node sends it, when the node's lease
expires. `refusals` counts the consecutive weeks in which the address was refused, and `problem` is why the last digest
was abandoned (`cadogan.server.subjects.news.digest_sender`)."""
Index("ix_digest_readers_next_at", digest_readers.c.next_at)
messages = Table(
    "messages",
    metadata,
    Column("id", Key, primary_key=True),
    Column("group", Key, ForeignKey("groups.id", ondelete="CASCADE"), nullable=False),
    Column("serial", BigInteger, nullable=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("said_at", Milliseconds, nullable=False),
    Column("removed_at", Milliseconds),
)
"""Messages in groups (`cadogan.server.subjects.chat.group_chat`). `serial` is the number of the last change of the
message among all changes in its group, by which a node finds the messages that it has not sent yet. A removed message
has no text."""
Index("ix_messages_group_serial", messages.c.group, messages.c.serial)
Index("ix_messages_player_said_at", messages.c.player, messages.c.said_at)
Index("ix_messages_said_at", messages.c.said_at)
signs = Table(
    "signs",
    metadata,
    Column("place", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("sign", Text, nullable=False),
    Column("given_at", Milliseconds, nullable=False),
)
"""The last reaction of each player at a game or a race (`cadogan.server.subjects.chat.reactions`). `place` is `game/`
or `race/` and an id."""
Index("ix_signs_given_at", signs.c.given_at)
