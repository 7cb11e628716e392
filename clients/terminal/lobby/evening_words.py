"""Texts about an evening: its title, its state, and the rows of its standing."""

from cadogan.terminal.formatting import format_duration, format_player, format_weekly
from cadogan.terminal.list_screen import Row, make_row
from cadogan.terminal.words import t
from cadogan.wire.arenas import ArenaField, ArenaRow
from cadogan.wire.evening_standings import EveningField, EveningRow, EveningStanding
from cadogan.wire.evenings import Evening
from cadogan.wire.values import Player

DOUBLING_STREAK = 2
"""From so many wins in a row on, the next run of an arena counts double."""
SHOWN_RUNS = 8
"""The last runs of a player whose points a row of an arena shows."""

VOID_WORDS = {
    "rules": "evenings.void_rules",
    "declined": "matches.declined",
    "withdrawn": "matches.withdrawn",
    "no_opponent": "matches.no_opponent",
}
"""Why an evening is void, where no leader has written it."""


def format_title(evening: Evening) -> str:
    """Return the title of an evening; for a match, the names of the two players: "Ada – Bob"."""
    return evening.title if evening.match is None else format_pair(evening.leader, evening.match.opponent)


def format_pair(challenger: Player, opponent: Player | None) -> str:
    """Return the names of the two players: "Ada – Bob"."""
    return f"{format_player(challenger)} – {format_player(opponent) if opponent else '…'}"


def next_moment(evening: Evening) -> int:
    """Return when something happens by the clock next, in milliseconds since 1970; 0 if nothing does."""
    coming = evening.arena or (evening.rounds[(evening.round or 1) - 1] if evening.rounds else None)
    match evening.state:
        case "round" if coming is not None:
            return coming.closes_at
        case "announced" | "entry" | "pause" if coming is not None:
            return coming.opens_at
        case "provisional":
            return evening.final_at
    return 0


def format_state(evening: Evening, now: int, reader: str) -> str:
    """Return the state of an evening at `now`, with the remaining time: "Round 2 of 6: 7:31 left".

    `reader` is the id of the player who reads it.
    """
    is_arena, left = evening.arena is not None, format_duration(max(0, next_moment(evening) - now))
    if evening.match is not None and evening.match.waits:
        opponent = evening.match.opponent
        if opponent is not None and opponent.id == reader:
            return t("matches.waits_for_you", time=left)
        return t("matches.waits", player=format_player(opponent) if opponent else t("matches.somebody"), time=left)
    match evening.state:
        case "announced" | "entry" if not is_arena:
            return t("evenings.begins_in", rounds=len(evening.rounds), time=left)
        case "announced" | "entry":
            return t("evenings.arena_coming", time=left)
        case "round" | "pause" if not is_arena:
            words = "evenings.round_open" if evening.state == "round" else "evenings.round_coming"
            return t(words, round=evening.round or 1, rounds=len(evening.rounds), time=left)
        case "round" | "pause":
            return t("evenings.arena_open", time=left)
        case "provisional":
            return t("evenings.arena_over" if is_arena else "evenings.provisional", time=left)
        case "final":
            return t("evenings.final")
    reason = evening.void or ""
    return t("evenings.void", reason=t(VOID_WORDS[reason]) if reason in VOID_WORDS else reason)


def format_series(evening: Evening) -> str:
    """Return how often an evening takes place, and whether it is the last one; empty for one that takes place once."""
    if evening.series is None:
        return ""
    coming, ended = evening.arena or evening.rounds[0], evening.series.ended
    weekly = format_weekly(coming.opens_at)
    return f"{weekly} · {t(f'evenings.series_{ended}')}" if ended is not None else weekly


def format_points(row: ArenaRow) -> str:
    """Return the points of a row of an arena, with "×2" while the next run counts double."""
    points = t("terminal.points", count=row.points)
    return f"{points} ×2" if row.streak >= DOUBLING_STREAK else points


def find_own_points(standing: EveningStanding | None, player: str) -> str:
    """Return the points of this player in an arena; empty if they have none yet."""
    fields = (standing.corrected_arena or standing.arena or []) if standing is not None else []
    return next((format_points(row) for field in fields for row in field.rows if row.player.id == player), "")


def standing_rows(standing: EveningStanding | None) -> list[Row]:
    """Return the lines of a standing, with a line above those of each field."""
    rows = [make_row(t("evenings.frozen"))] if standing is not None and standing.frozen else []
    for field in _fields(standing):
        rows += [make_row(""), make_row(t(f"evenings.field_{field.field}"))]
        rows += [_row(row) for row in field.rows]
    return rows or [make_row(t("evenings.nobody_yet"))]


def _fields(standing: EveningStanding | None) -> list[EveningField] | list[ArenaField]:
    if standing is None:
        return []
    if standing.arena is not None:
        return standing.corrected_arena or standing.arena
    return standing.corrected or standing.fields


def _row(row: EveningRow | ArenaRow) -> Row:
    who = (f"{row.place:>3}.", 5), (format_player(row.player), 24)
    if isinstance(row, ArenaRow):
        last = "  ".join(str(points) for points in row.sheet[-SHOWN_RUNS:])
        return make_row(*who, (format_points(row), 15), last if len(row.sheet) <= SHOWN_RUNS else f"…  {last}")
    shares = "  ".join(share.shown if share.how != "not_opened" else "–" for share in row.shares)
    return make_row(*who, (row.shown, 9), shares)
