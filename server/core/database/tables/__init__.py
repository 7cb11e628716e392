"""The tables of the database, which are the same on SQLite and PostgreSQL.

`events` is the log, the source of truth. `games`, `races`, `entries`, `strikes`, `totals` and `buckets` are derived
from the log and can be rebuilt (`cadogan rebuild`). The other tables hold data that may change, be erased or must stay
secret, and therefore is not in the log. Times are integers, in milliseconds since 1970 UTC. Hashes and secrets are in
hex, except the hash of an event, which is 32 bytes.

A change of these tables needs a migration: see `migrations/README.md`.
"""

from cadogan.server.core.database.tables.admin import (
    deliveries,
    findings,
    house,
    house_notes,
    house_settings,
    news,
    reports,
    webhooks,
)
from cadogan.server.core.database.tables.deals import analyses, certificates, days, deals, positions
from cadogan.server.core.database.tables.log import (
    archived_games,
    archives,
    buckets,
    entries,
    events,
    feed_cursors,
    games,
    log_entries,
    log_heads,
    log_queue,
    log_tiles,
    races,
    strikes,
    totals,
    witnessed_logs,
)
from cadogan.server.core.database.tables.messages import (
    digest_readers,
    messages,
    notification_devices,
    notification_keys,
    notifications,
    notified_ranks,
    signs,
)
from cadogan.server.core.database.tables.people import (
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
from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

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
