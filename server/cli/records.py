"""The commands that read the log: `export` writes records or a backup, `rebuild` recomputes the projections."""

import asyncio
import json
from pathlib import Path

import click

from cadogan.server.app import Server, opened
from cadogan.server.cli.backup import back_up
from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.config import Settings, witness_keys
from cadogan.server.core.clock import Clock, now
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.errors import Conflict, NotFound, SpoilerEmbargo
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import DAYS, GAMES, RACES, id_of, season_stream
from cadogan.server.core.games.game_reader import ArchivedGames
from cadogan.server.core.games.history_bodies import no_charge
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.operations.soundness import require_sound
from cadogan.server.subjects.audit.recompute_season import build_season_record
from cadogan.server.subjects.audit.recompute_season import file_name as season_file
from cadogan.server.subjects.daily import day_record
from cadogan.server.subjects.daily.days import read_day_record
from cadogan.server.subjects.evenings import evening_record
from cadogan.server.subjects.evenings.evening_rules import evening_stream
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.races import race_record
from cadogan.server.subjects.races.repository import read_race_record
from cadogan.server.subjects.transparency.sequencer import publish_keys
from cadogan.wire.codec import encode

HOST_FILE = "host.json"
"""The file with the host's public keys, next to the records."""


@click.command("export")
@click.argument("target", metavar="FOLDER|FILE", type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Write a backup of everything into one FILE.")
@settings_flags("database_url", "daily_grace", "key_file", "witnesses")
def export_command(settings: Settings, target: Path, everything: bool) -> None:
    """Write the records of all finished games into FOLDER, one file each.

    The games of a daily challenge are written once their day has closed. Every closed day has a file as well, with
    the digests of its boards, and so has every race, every evening and every season that is over. `host.json` has the
    host's public keys, with which `cadogan verify` checks who attests a record.

    With --all, write everything that the database holds into FILE: the log, the accounts, the secrets. `cadogan
    import` reads it back, into the same or the other kind of database.
    """
    if everything:
        back_up(settings, target)
        return
    with report_errors(settings):
        written, not_public, archived = asyncio.run(export(settings, target))
    say(f"{written} records written; {not_public} games are not over, or their day has not closed")
    _print_archived(archived)


async def export(settings: Settings, folder: Path, clock: Clock = now) -> tuple[int, int, int]:
    """Write every public record into the folder.

    Returns the number of records written, of games without a public record, and of archived games.
    """
    written = not_public = 0
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    async with opened(Server(settings, clock)) as server:
        await require_sound(server.database)
        async for name in server.store.stream_names(GAMES):
            game_id = id_of(name)
            try:
                record = await server.histories.record(game_id, no_charge)
            except UnreadableEvent as error:
                raise UnreadableEvent(f"{name}: {error}") from None
            except (Conflict, SpoilerEmbargo):
                not_public += 1
                continue
            except NotFound:
                continue  # a run that was spoiled before it began has a stream, but no game
            await asyncio.to_thread((folder / f"{game_id}.json").write_bytes, b"".join(record.chunks))
            written += 1
        await _export_days(server, folder)
        await _export_races(server, folder)
        await _export_evenings(server, folder)
        await _export_seasons(server, folder)
        host = await publish_keys(server.transparency, server.host_key, witness_keys(settings))
        if host is not None:
            await asyncio.to_thread((folder / HOST_FILE).write_text, json.dumps(host))
        return written, not_public, await ArchivedGames(server.database).count()


async def _export_days(server: Server, folder: Path) -> None:
    async for name in server.store.stream_names(DAYS):
        day = id_of(name)
        if record := await read_day_record(server.store, server.transparency, day):
            await asyncio.to_thread((folder / day_record.file_name(day)).write_bytes, encode(record))


async def _export_races(server: Server, folder: Path) -> None:
    async for name in server.store.stream_names(RACES):
        race = id_of(name)
        if record := await read_race_record(server.store, server.transparency, race):
            await asyncio.to_thread((folder / race_record.file_name(race)).write_bytes, encode(record))


async def _export_evenings(server: Server, folder: Path) -> None:
    async for name in server.store.stream_names(evening_stream("")):
        evening = id_of(name)
        if record := await server.evenings.record(await server.evenings.read_state(evening)):
            await asyncio.to_thread((folder / evening_record.file_name(evening)).write_bytes, encode(record))


async def _export_seasons(server: Server, folder: Path) -> None:
    for season in await server.seasons.stored.ids():
        stream = season_stream(season)
        events, proof = await server.store.read(stream), await server.transparency.prove(stream)
        if record := build_season_record(season, events, None if proof is None else proof.as_text()):
            await asyncio.to_thread((folder / season_file(season)).write_bytes, encode(record))


@click.command("rebuild")
@settings_flags("database_url")
def rebuild_command(settings: Settings) -> None:
    """Correct the boards and the lists of games by the log. Servers may keep running.

    If an event cannot be read, it stops there and exits with 1. Corrections made before that are kept.
    """
    try:
        with report_errors(settings):
            rows, archived = asyncio.run(_rebuild(settings))
    except Failure as failure:
        raise Failure(f"{failure.message}; what was corrected until then is right, so run it again later") from None
    say(f"{rows} rows derived from the log")
    _print_archived(archived)


async def _rebuild(settings: Settings) -> tuple[int, int]:
    async with open_database(settings.database_url) as database:
        await require_sound(database)
        return await rebuild(database, known_rules()), await ArchivedGames(database).count()


def _print_archived(games: int) -> None:
    if games:
        say(f"{games} games are in archives and not in the log: `cadogan doctor` names the files")
