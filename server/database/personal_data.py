"""The personal data in each table: what erasing a player deletes, and what an export of own data contains.

Every table is listed once: its rows are `Erased` with the player named in a column, or `Retained` because they hold
only the player's id, or the table is `IMPERSONAL`. `tests/server/database` fails for an unlisted table, and for an
unlisted column that refers to a player.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Erased:
    """A table whose rows are deleted with the player whose id is in one of the columns `players`.

    An export of own data contains the columns `shown` of the rows with the id in the first column of `players`.
    """

    players: tuple[str, ...]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Retained:
    """A table whose rows stay when a player is erased, and why they may. They hold the player's id, and no name."""

    players: tuple[str, ...]
    why: str
    shown: tuple[str, ...] = ()


_FOLLOWS_FROM_LOG = "follows from the log"

PERSONAL_DATA: Mapping[str, Erased | Retained] = {
    "players": Erased(("id", "owner"), ("created_at", "claimed_at", "role", "suspended_until", "muted_until")),
    "name_skeletons": Erased(("player",)),
    "tokens": Erased(("player",), ("created_at", "expires_at", "used_at", "browser", "system")),
    "recovery_codes": Erased(("player",), ("created_at",)),
    "mail_addresses": Erased(("player",), ("address", "language", "confirmed_at")),
    "passkeys": Erased(("player",), ("name", "created_at", "used_at")),
    "oidc_subjects": Erased(("player",), ("issuer", "subject", "created_at")),
    "personal_tokens": Erased(("player",), ("name", "scopes", "created_at", "expires_at")),
    "settings": Erased(("player",), ("chosen",)),
    "one_time_codes": Erased(("player",), ("purpose", "created_at", "expires_at")),
    "house_notes": Erased(("player",)),  # not exported: a note may be about others as well
    "reports": Erased(
        ("reporter", "player"), ("player", "game", "reason", "text", "quoted", "reported_at", "settled_at")
    ),
    "notification_devices": Erased(
        ("player",),
        ("endpoint", "topics", "language", "time_zone", "quiet_from", "quiet_until", "created_at", "delivered_at"),
    ),
    "notifications": Erased(("player",), ("kind", "about", "created_at")),
    "notified_ranks": Erased(("player",), ("day", "rank", "told", "told_at")),
    "digest_readers": Erased(("player",), ("language", "created_at", "problem")),
    "follows": Erased(("player", "friend"), ("friend", "created_at")),
    "messages": Erased(("player",), ("group", "text", "said_at", "removed_at")),
    "signs": Erased(("player",), ("place", "sign", "given_at")),
    "members": Erased(("player",), ("group", "joined_at")),
    "events": Retained((), "the log names players by their ids only, and every proof is about it"),
    "games": Retained(
        ("player",),
        _FOLLOWS_FROM_LOG,
        (
            "id",
            "game",
            "deal",
            "day",
            "slot",
            "match",
            "ranked",
            "status",
            "score",
            "moves",
            "started_at",
            "finished_at",
        ),
    ),
    "entries": Retained(("player",), _FOLLOWS_FROM_LOG),
    "strikes": Retained(("player",), _FOLLOWS_FROM_LOG),
    "totals": Retained(("player",), _FOLLOWS_FROM_LOG),
    "races": Retained(("host",), _FOLLOWS_FROM_LOG),
    "analyses": Retained(
        ("person",), "an analysis is about a game, and for everybody", ("game", "version", "asked_at")
    ),
    "erased": Retained(("player",), "it says who must not come back with an older backup", ("erased_at",)),
}
IMPERSONAL: Collection[str] = {
    "house",
    "groups",
    "deals",
    "days",
    "certificates",
    "buckets",
    "positions",
    "house_settings",
    "webhooks",
    "deliveries",
    "news",
    "findings",
    "notification_keys",
    "log_queue",
    "log_entries",
    "log_tiles",
    "log_heads",
    "feed_cursors",
    "witnessed_logs",
    "archives",
    "archived_games",
}
"""Tables without data of a single player. A group is deleted with its last member."""
