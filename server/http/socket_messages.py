"""Handles each message type of clients on the socket. To add one, define it in `cadogan.wire.messages` and add a case.

Every message is answered: with the requested message, or with `done`. Raises a RefusalError for a refusal.
"""

from typing import assert_never

from cadogan.server.app import Server
from cadogan.server.core import ids
from cadogan.server.core.cluster.bus import day_topic
from cadogan.server.core.errors import NotFound, TooMany, Unauthorized
from cadogan.server.core.games.game_state import Command
from cadogan.server.core.games.history_bodies import no_charge
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import NOBODY, Viewer, frame
from cadogan.server.core.live.hub import analysis_topic, game_topic, race_topic, talk_topic
from cadogan.wire import analysis, boards, talk
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.message import Message
from cadogan.wire.messages import ClientMessage

MAX_SUBSCRIPTIONS = 256
"""Maximum number of topics to which one connection may be subscribed."""


async def carry_out(server: Server, viewer: Viewer, message: ClientMessage) -> None:
    """Execute a message, and answer it."""
    match message:
        case wire.Play() | wire.TakeBack() | wire.Resign():
            await _command(server, viewer, message)
        case wire.AskForHint():
            send(viewer, await server.hints.answer(viewer.player, message))
        case analysis.AskIfWinnable():
            send(viewer, await server.winnability.answer(viewer.player, message))
        case analysis.WatchAnalysis():
            _require_room(viewer)
            charge = viewer.reader.take if viewer.reader else no_charge
            await server.analyses.subscribe(viewer, message.game, charge, message.id)
        case analysis.UnwatchAnalysis():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(server, viewer, analysis_topic(message.game), message.id)
        case wire.Subscribe():
            _require_room(viewer)
            await server.spectating.subscribe(viewer, message)
        case wire.Unsubscribe():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(server, viewer, game_topic(message.game), message.id)
        case wire.WatchDay():
            _require_room(viewer)
            await server.progress.subscribe(viewer, message.day, message.id)
        case wire.UnwatchDay():
            _unsubscribe(server, viewer, day_topic(message.day), message.id)  # the contract checks a day's form
        case wire.WatchRace():
            _require_room(viewer)
            await server.live_races.subscribe(viewer, message.race, message.id)
        case wire.UnwatchRace():
            if not ids.is_valid(message.race):
                raise NotFound("There is no such race.")
            _unsubscribe(server, viewer, race_topic(message.race), message.id)
        case boards.WatchBoard():
            _require_room(viewer)
            server.live_boards.subscribe(viewer, message)
        case boards.UnwatchBoard():
            server.live_boards.unsubscribe(viewer, message)
        case talk.WatchTalk():
            _require_room(viewer)
            if viewer.player == NOBODY:
                raise Unauthorized("Sign in first, or play as a guest.")
            await server.live_talk.subscribe(viewer, message.group, message.id)
        case talk.UnwatchTalk():
            if not ids.is_valid(message.group):
                raise NotFound("You are not in such a group.")
            _unsubscribe(server, viewer, talk_topic(message.group), message.id)
        case wire.Ping():
            send(viewer, wire.Pong(id=message.id, at=server.now()))
        case _:
            assert_never(message)


def send(viewer: Viewer, message: Message) -> None:
    """Send an answer."""
    viewer.write(frame(encode(message)))


async def _command(server: Server, viewer: Viewer, command: Command) -> None:
    if viewer.player == NOBODY:
        raise Unauthorized("Sign in first, or play as a guest.")
    own = server.hub.subscribers(game_topic(command.game)).by_access_level[AccessLevel.SEAT]
    sent = own.sent_bytes
    answer = await server.commands.carry_out(viewer.player, command)
    viewer.sent_bytes += own.sent_bytes - sent
    server.feed.answer(viewer, answer.steps, again=answer.again)


def _unsubscribe(server: Server, viewer: Viewer, topic: str, id: str) -> None:
    server.hub.unsubscribe(viewer, topic)
    send(viewer, wire.Done(id=id))


def _require_room(viewer: Viewer) -> None:
    if len(viewer.topics) >= MAX_SUBSCRIPTIONS:
        raise TooMany("One socket follows at most {count} games, days and rooms.", count=MAX_SUBSCRIPTIONS)
