"""Checking the record of a race in a watched log: it is the one in the log, and its results follow from its games."""

from cadogan.server.core.eventlog.race_events import RaceResult
from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.races.race_record import RaceBroken, parse_race_record, verify_race
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.wire.bodies import RecordedEvent


async def find_race_fault(server: WatchedServer, entry: Ended) -> tuple[str | None, list[RecordedEvent]]:
    """Return what is wrong with the race that an entry names, or None; and the events of its record, if they hold.

    Raises Unreachable, NotPublic, and RecordWithheld if there is no such race.
    """
    race = id_of(entry.stream)
    text = await server.race_record(race)
    try:
        finished = verify_race(text, race).finished
    except RaceBroken as error:
        return f"its record is broken: {error}", []
    events = parse_race_record(text).events
    head = bytes.fromhex(events[entry.version - 1].hash) if 0 < entry.version <= len(events) else b""
    if Ended.of(entry.stream, entry.version, b"", head) != entry:
        return "its record is not the one that is in the log", []
    for result in finished.results if finished else ():
        if (wrong := await _compare_with_game(server, race, result)) is not None:
            return wrong, events
    return None, events


async def _compare_with_game(server: WatchedServer, race: str, result: RaceResult) -> str | None:
    text = await server.game_record(result.game)
    if text is None:  # archived games are counted where their own entries are checked
        return None
    verdict = game_audit.verify(text)
    if not verdict.consistent:
        return f"the record of its game {result.game} is broken: {verdict.reason}"
    events = game_audit.read_record(text).events
    dealt = events[0].data
    end = next((one.data for one in events if one.type == "game_finished"), {})
    shown = [dealt.get("match"), dealt.get("player"), *(end.get(name) for name in _FIELDS)]
    if shown != [race, result.player, *(getattr(result, name) for name in _FIELDS)]:
        return f"the result of {result.player} is not that of the game {result.game}"
    return None


_FIELDS = ("result", "score", "moves", "milliseconds")
