"""The tables of the database, which are the same on SQLite and PostgreSQL.

`events` is the log, the source of truth. `games`, `races`, `entries`, `strikes`, `totals` and `buckets` are derived
from the log and can be rebuilt (`cadogan rebuild`). The other tables hold data that may change, be erased or must stay
secret, and therefore is not in the log. Times are integers, in milliseconds since 1970 UTC. Hashes and secrets are in
hex, except the hash of an event, which is 32 bytes.

A change of these tables needs a migration: see `migrations/README.md`.
"""

from cadogan.server.database.tables.deals import analyses, certificates, days, deals, positions
from cadogan.server.database.tables.ended import (
    archived_games,
    archives,
    feed_cursors,
    log_entries,
    log_heads,
    log_queue,
    log_tiles,
    witnessed_logs,
)
from cadogan.server.database.tables.house import (
    deliveries,
    findings,
    house,
    house_notes,
    house_settings,
    news,
    reports,
    webhooks,
)
from cadogan.server.database.tables.log import buckets, entries, events, games, races, strikes, totals
from cadogan.server.database.tables.notifications import (
    digest_readers,
    notification_devices,
    notification_keys,
    notifications,
    notified_ranks,
)
from cadogan.server.database.tables.people import (
    erased,
    follows,
    groups,
    mail_addresses,
    members,
    name_skeletons,
    oidc_subjects,
    one_time_codes,
    passkeys,
    personal_tokens,
    players,
    recovery_codes,
    settings,
    tokens,
)
from cadogan.server.database.tables.schema import Key, Milliseconds, metadata
from cadogan.server.database.tables.talk import messages, signs

__all__ = [
    "Key",
    "Milliseconds",
    "analyses",
    "archived_games",
    "archives",
    "buckets",
    "certificates",
    "days",
    "deals",
    "deliveries",
    "digest_readers",
    "entries",
    "erased",
    "events",
    "feed_cursors",
    "findings",
    "follows",
    "games",
    "groups",
    "house",
    "house_notes",
    "house_settings",
    "log_entries",
    "log_heads",
    "log_queue",
    "log_tiles",
    "mail_addresses",
    "members",
    "messages",
    "metadata",
    "name_skeletons",
    "news",
    "notification_devices",
    "notification_keys",
    "notifications",
    "notified_ranks",
    "oidc_subjects",
    "one_time_codes",
    "passkeys",
    "personal_tokens",
    "players",
    "positions",
    "races",
    "recovery_codes",
    "reports",
    "settings",
    "signs",
    "strikes",
    "tokens",
    "totals",
    "webhooks",
    "witnessed_logs",
]
