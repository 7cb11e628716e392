"""What each message of a client on the socket does. To add one: its type in `cadogan.wire.messages`, a case below.

Every message is answered: by what it asks for, or by `done`. Raises a RefusalError for what cannot be done.
"""

from typing import assert_never

from aiohttp import web

from cadogan.server.cluster.bus import day_topic
from cadogan.server.core import ids
from cadogan.server.core.errors import NotFound, TooMany, Unauthorized
from cadogan.server.games.game_state import Command
from cadogan.server.games.visibility import Sight
from cadogan.server.http.app_keys import (
    ANALYSES,
    CLOCK,
    COMMANDS,
    FEED,
    HINTS,
    HUB,
    LIVE_BOARDS,
    LIVE_RACES,
    LIVE_TALK,
    PROGRESS,
    SPECTATING,
    WINNABILITY,
)
from cadogan.server.play.history_bodies import charge_nobody
from cadogan.server.realtime.connection import NOBODY, Viewer, frame
from cadogan.server.realtime.topics import analysis_topic, game_topic, race_topic, talk_topic
from cadogan.wire import analysis, boards, talk
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.message import Message
from cadogan.wire.messages import ClientMessage

MAX_SUBSCRIPTIONS = 256
"""Topics that one connection may be subscribed to at once."""


async def carry_out(app: web.Application, viewer: Viewer, message: ClientMessage) -> None:
    """Do what a message asks for, and answer it."""
    match message:
        case wire.Play() | wire.TakeBack() | wire.Resign():
            await _command(app, viewer, message)
        case wire.AskForHint():
            send(viewer, await app[HINTS].answer(viewer.player, message))
        case analysis.AskIfWinnable():
            send(viewer, await app[WINNABILITY].answer(viewer.player, message))
        case analysis.WatchAnalysis():
            _require_room(viewer)
            charge = viewer.reader.take if viewer.reader else charge_nobody
            await app[ANALYSES].subscribe(viewer, message.game, charge, message.id)
        case analysis.UnwatchAnalysis():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(app, viewer, analysis_topic(message.game), message.id)
        case wire.Subscribe():
            _require_room(viewer)
            await app[SPECTATING].subscribe(viewer, message)
        case wire.Unsubscribe():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(app, viewer, game_topic(message.game), message.id)
        case wire.WatchDay():
            _require_room(viewer)
            await app[PROGRESS].subscribe(viewer, message.day, message.id)
        case wire.UnwatchDay():
            _unsubscribe(app, viewer, day_topic(message.day), message.id)  # the contract checks a day's form
        case wire.WatchRace():
            _require_room(viewer)
            await app[LIVE_RACES].subscribe(viewer, message.race, message.id)
        case wire.UnwatchRace():
            if not ids.is_valid(message.race):
                raise NotFound("There is no such race.")
            _unsubscribe(app, viewer, race_topic(message.race), message.id)
        case boards.WatchBoard():
            _require_room(viewer)
            app[LIVE_BOARDS].subscribe(viewer, message)
        case boards.UnwatchBoard():
            app[LIVE_BOARDS].unsubscribe(viewer, message)
        case talk.WatchTalk():
            _require_room(viewer)
            if viewer.player == NOBODY:
                raise Unauthorized("Sign in first, or play as a guest.")
            await app[LIVE_TALK].subscribe(viewer, message.group, message.id)
        case talk.UnwatchTalk():
            if not ids.is_valid(message.group):
                raise NotFound("You are not in such a group.")
            _unsubscribe(app, viewer, talk_topic(message.group), message.id)
        case wire.Ping():
            send(viewer, wire.Pong(id=message.id, at=app[CLOCK]()))
        case _:
            assert_never(message)


def send(viewer: Viewer, message: Message) -> None:
    """Send an answer."""
    viewer.write(frame(encode(message)))


async def _command(app: web.Application, viewer: Viewer, command: Command) -> None:
    if viewer.player == NOBODY:
        raise Unauthorized("Sign in first, or play as a guest.")
    own = app[HUB].subscribers(game_topic(command.game)).by_sight[Sight.SEAT]
    sent = own.sent_bytes
    answer = await app[COMMANDS].carry_out(viewer.player, command)
    viewer.sent_bytes += own.sent_bytes - sent
    app[FEED].answer(viewer, answer.steps, again=answer.again)


def _unsubscribe(app: web.Application, viewer: Viewer, topic: str, id: str) -> None:
    app[HUB].unsubscribe(viewer, topic)
    send(viewer, wire.Done(id=id))


def _require_room(viewer: Viewer) -> None:
    if len(viewer.topics) >= MAX_SUBSCRIPTIONS:
        raise TooMany("One socket follows at most {count} games, days and rooms.", count=MAX_SUBSCRIPTIONS)
