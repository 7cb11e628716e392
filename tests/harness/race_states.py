"""Race states for tests without a server: built from events at fixed times."""

from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import Event
from cadogan.server.core.eventlog.race_events import PlayerJoined, RaceOpened, RaceResult
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.server.subjects.races import race_state
from cadogan.server.subjects.races.race_state import RaceState

RACE = "aaaabbbbccccdddd"
SECRET = bytes(range(32))
START = 1_800_000_000_000


def opened(size: int = 3, invited: tuple[str, ...] = (), host: str = "ann") -> RaceState:
    """A race that its host has just opened."""
    event = RaceOpened(
        host=host,
        game="quatorze",
        deal=race_deal_id(RACE),
        commitment="ab",
        size=size,
        seconds=600,
        countdown=5,
        open=True,
        invited=invited,
    )
    sealed = hash_chain.chain_event(hash_chain.START_HASH, race_stream(RACE), 1, event, START)
    return after(race_state.apply(None, RACE, sealed), PlayerJoined(host, f"{host}'s words"))


def after(match: RaceState, *events: Event | None, at: int = START) -> RaceState:
    """Return the race after these events; None leaves it unchanged."""
    for event in events:
        if event is not None:
            sealed = hash_chain.chain_event(match.head, race_stream(RACE), match.version + 1, event, at)
            match = race_state.apply(match, RACE, sealed)
    return match


def joined(match: RaceState, *players: str) -> RaceState:
    """Return the race with these players in it."""
    for player in players:
        match = after(match, race_state.join(match, player, f"{player}'s words", START))
    return match


def result(player: str, result: str = "lost", *, home: int = 0, moves: int = 0, milliseconds: int = 0) -> RaceResult:
    """Return the result of one player."""
    return RaceResult(player, f"game of {player}", result, home, home, moves, milliseconds)
