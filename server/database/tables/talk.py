"""Messages between players. They are kept for a limited time, and erased with their author."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from cadogan.server.database.tables.schema import Key, Milliseconds, metadata

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
"""Messages in groups (`cadogan.server.talk.group_talk`). `serial` is the number of the last change of the message among
all changes in its group, by which a node finds the messages that it has not sent yet. A removed message has no text."""
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
"""The last reaction of each player at a game or a race (`cadogan.server.talk.signs`). `place` is `game/` or `race/` and
an id."""
Index("ix_signs_given_at", signs.c.given_at)
