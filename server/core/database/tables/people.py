"""Accounts: players, sign-in methods, friends and groups. Nothing of this is in the log, so it can be erased."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

players = Table(
    "players",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Key, unique=True),
    Column("password_hash", Text),
    Column("owner", Key, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("claimed_at", Milliseconds),
    Column("retired_at", Milliseconds),
    Column("role", Text),
    Column("suspended_until", Milliseconds),
    Column("muted_until", Milliseconds),
)
"""`owner` is the player who created a bot; it is empty for people. `claimed_at` is when a person claimed a name; it is
empty for guests and bots. A bot that is retired keeps its owner. `role` is `moderator`, `host` or empty. Until
`suspended_until` the account cannot be used; `cadogan.server.core.dates.LAST_MOMENT` is a ban. Until
`muted_until` the player and their bots cannot send messages."""

erased = Table(
    "erased",
    metadata,
    Column("player", Key, primary_key=True),
    Column("erased_at", Milliseconds, nullable=False),
)
"""The ids of erased players, so that restoring an older backup does not bring them back
(`cadogan.server.subjects.players.own_data`)."""

name_skeletons = Table(
    "name_skeletons",
    metadata,
    Column("skeleton", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
)
"""The skeletons of all claimed names (`cadogan.server.core.username_rules.skeletons`), to prevent lookalike names."""

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
    Column("confirmed_at", Milliseconds),
    Column("used_at", Milliseconds),
    Column("browser", Text),
    Column("system", Text),
)
"""`confirmed_at` is when the player last entered the password again in this session. `used_at` is the approximate last
use, by this `browser` on this `system` (`cadogan.server.subjects.accounts.own_sessions`)."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("hash", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Milliseconds, nullable=False),
)
"""The codes with which a player sets a new password, by their SHA-256
(`cadogan.server.subjects.accounts.codes`)."""

mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("key", Key, nullable=False, index=True),
    Column("language", Text, nullable=False),
    Column("confirmed_at", Milliseconds),
)
"""The mail addresses for password recovery, once they are confirmed. `key` is the address in lower case, and `language`
that of the mails."""
waiting_mails = Table(
    "waiting_mails",
    metadata,
    Column("player", Key, ForeignKey("mail_addresses.player", ondelete="CASCADE"), primary_key=True),
    Column("domain", Key, nullable=False),
    Column("site", Text, nullable=False),
    Column("asked_at", Milliseconds, nullable=False),
    Column("next_at", Milliseconds, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""The mails with links that wait to be sent to these addresses; a row is deleted with the address. `site` is the URL
prefix of the link, whose code is drawn when the mail is sent (`cadogan.server.subjects.accounts.waiting_mails`)."""
Index("ix_waiting_mails_next_at", waiting_mails.c.next_at)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Key, primary_key=True),
    Column("credential", Key, nullable=False, unique=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("used_at", Milliseconds),
)
"""The public keys of passkeys (`cadogan.server.subjects.accounts.passkeys`). `credential` is the credential id in
base64url, and `sign_count` the signature counter."""

oidc_subjects = Table(
    "oidc_subjects",
    metadata,
    Column("issuer", Key, primary_key=True),
    Column("subject", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Milliseconds, nullable=False),
)
"""The accounts linked with an OpenID provider (`cadogan.server.subjects.accounts.oidc_subjects`). `issuer` is the
provider's address, and `subject` its identifier of the person."""

personal_tokens = Table(
    "personal_tokens",
    metadata,
    Column("id", Key, primary_key=True),
    Column("hash", Key, nullable=False, unique=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
)
"""`scopes` are separated by spaces."""

settings = Table(
    "settings",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("chosen", Text, nullable=False),
)
"""A player's settings of the web page, as JSON (`cadogan.wire.settings`)."""

one_time_codes = Table(
    "one_time_codes",
    metadata,
    Column("id", Key, primary_key=True),
    Column("hash", Key, nullable=False, unique=True),
    Column("purpose", Text, nullable=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), index=True),
    Column("uses", Integer, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
)
"""Codes that are part of a link, by their SHA-256 (`cadogan.server.subjects.accounts.codes`). `uses` is the
number of uses left."""

follows = Table(
    "follows",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("friend", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("created_at", Milliseconds, nullable=False),
)

groups = Table(
    "groups",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token", Key, nullable=False, unique=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("talk_since", Milliseconds),
    Column("talk_serial", BigInteger, nullable=False, server_default="0"),
)
"""`token` is part of the link with which a player joins the group. The chat is enabled since `talk_since`, if not
empty; `talk_serial` counts its changes (`cadogan.server.subjects.chat.group_chat`)."""

members = Table(
    "members",
    metadata,
    Column("group", Key, ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("joined_at", Milliseconds, nullable=False),
)
evening_names = Table(
    "evening_names",
    metadata,
    Column("evening", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("name", Text, nullable=False),
    Column("key", Key, nullable=False),
    UniqueConstraint("evening", "key"),
)
"""The names under which guests play an evening; `key` is equal for names that count as the same."""
