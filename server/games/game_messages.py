"""What is said about a game: a sitting or a step and a sight in, a message of the wire out.

Everything that leaves the server about a game is made here, from what `Game.view_pile` lets a person see; and of a step
each sight has one message, the same for all who have that sight.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import asdict, replace

from clients.wire import messages as wire
from clients.wire.bodies import LiveGame
from clients.wire.values import GameCard, Meter, Mode, Player
from engine.view import view_pile
from server.eventlog.events import ChallengeSpoiled, DealRevealed, GameDealt, GameFinished, MovePlayed, MoveTakenBack
from server.games.game_state import GameState, Step
from server.games.visibility import Sight

Told = wire.MovePlayed | wire.MoveTakenBack | wire.GameFinished | wire.DealRevealed | wire.ChallengeSpoiled
"""What tells those of a step who may see the cards."""
Push = Told | wire.Advanced
"""What tells viewers of a step."""


def card(sitting: GameState, player: Player) -> GameCard:
    """What the game is, apart from its cards."""
    dealt = sitting.dealt
    return GameCard(
        id=sitting.id,
        rules=dealt.game,
        rules_version=dealt.rules_version,
        player=player,
        deal=dealt.deal,
        mode=mode(dealt),
        ranked=sitting.ranked,
        status=sitting.status,
        started_at=sitting.dealt_at,
        commitment=dealt.commitment,
        day=dealt.day,
        slot=dealt.slot,
        race=dealt.race,
    )


def mode(dealt: GameDealt) -> Mode:
    """What the game is played for."""
    if dealt.race is not None:
        return "race"
    if dealt.day is None:
        return "casual"
    return "daily" if dealt.ranked else "practice"


class Progress(NamedTuple):
    """How far a game is, and nothing of its cards; while it goes on, `since` is when it began."""

    meter: Meter
    since: int | None
    version: int

    def at(self, now: int) -> Meter:
        """What is told of it at this moment."""
        return self.meter if self.since is None else replace(self.meter, milliseconds=max(0, now - self.since))


def progress(sitting: GameState, player: Player) -> Progress:
    """How far the game is; holds on to nothing of the sitting."""
    state = sitting.position.state
    meter = Meter(
        game=sitting.id,
        deal=sitting.dealt.deal,
        player=player,
        home=sitting.game.home(state),
        score=sitting.position.score,
        moves=sitting.moves,
        milliseconds=clock(sitting, sitting.dealt_at),
        status=sitting.status,
        ranked=sitting.ranked,
    )
    return Progress(meter, None if sitting.over else sitting.dealt_at, sitting.version)


def live(sitting: GameState, player: Player, now: int) -> LiveGame:
    """How far a game is, in the list of those that are being played."""
    dealt = sitting.dealt
    return LiveGame(**asdict(progress(sitting, player).at(now)), rules=dealt.game, day=dealt.day)


def clock(sitting: GameState, now: int) -> int:
    """How long the game has been going, or took, in milliseconds."""
    return sitting.finished.milliseconds if sitting.finished else max(0, now - sitting.dealt_at)


def view(
    sitting: GameState,
    sight: Sight,
    player: Player,
    *,
    watchers: int = 0,
    names: Sequence[str] = (),
    now: int,
    id: str | None = None,
) -> wire.View:
    """The game as it stands, as far as the sight goes. `id` is that of the request it answers."""
    game, state = sitting.game, sitting.position.state
    seat, cards = sight is Sight.SEAT, sight is not Sight.METER
    return wire.View(
        id=id,
        game=card(sitting, player),
        sight=sight.value,
        version=sitting.version,
        score=sitting.position.score,
        home=game.home(state),
        moves=sitting.moves,
        status=sitting.status,
        watchers=watchers,
        names=list(names) or None,
        clock=clock(sitting, now),
        piles=game.view(state) if cards else None,
        counters=game.write_counters(state) if cards else None,
        legal=_legal(sitting) if seat else None,
        can_take_back=sitting.can_take_back if seat else None,
        active=sitting.finished.active if sitting.finished else None,
    )


def push(step: Step, sight: Sight) -> Push:
    """What viewers of this sight are told of a step."""
    if sight is Sight.METER:
        return wire.Advanced(game=step.after.id, version=step.after.version)
    return told(step, seat=sight is Sight.SEAT)


def told(step: Step, *, seat: bool) -> Told:
    """What those who may see the cards are told of a step after the deal; the player hears of the hand as well."""
    event, before, after = step.event, step.before, step.after
    if before is None:
        raise ValueError("a deal is told by a view")
    command = step.command if seat else None
    match event:
        case MovePlayed(move, effects):
            return wire.MovePlayed(
                game=after.id,
                version=after.version,
                command=command,
                move=move,
                effects=_public(after, effects),
                piles=_changed(before, after),
                counters=after.game.write_counters(after.position.state),
                score=after.position.score,
                home=after.game.home(after.position.state),
                moves=after.moves,
                status=after.status,
                legal=_legal(after) if seat else None,
                can_take_back=after.can_take_back if seat else None,
                at=after.changed_at,
            )
        case MoveTakenBack():
            return wire.MoveTakenBack(
                game=after.id,
                version=after.version,
                command=command,
                piles=_changed(before, after),
                counters=after.game.write_counters(after.position.state),
                score=after.position.score,
                home=after.game.home(after.position.state),
                moves=after.moves,
                status=after.status,
                legal=_legal(after) if seat else None,
                can_take_back=after.can_take_back if seat else None,
                at=after.changed_at,
            )
        case GameFinished():
            return wire.GameFinished(
                game=after.id,
                version=after.version,
                command=command,
                result=event.result,
                score=event.score,
                moves=event.moves,
                milliseconds=event.milliseconds,
                active=event.active,
            )
        case DealRevealed(secret):
            return wire.DealRevealed(game=after.id, version=after.version, secret=secret)
        case ChallengeSpoiled():
            can_take_back = after.can_take_back if seat else None
            return wire.ChallengeSpoiled(game=after.id, version=after.version, can_take_back=can_take_back)
        case GameDealt() | _:
            raise ValueError(f"{type(event).__name__} is nothing that viewers of a game are told")


def _legal(sitting: GameState) -> list[str]:
    return [] if sitting.over else list(sitting.position.legal)


def _changed(before: GameState, after: GameState) -> dict[str, list[str | int]]:
    game = after.game
    old, new = before.position.state.piles, after.position.state.piles
    return {
        name: view_pile(pile)
        for name, pile, was in zip(game.piles, new, old, strict=True)
        if pile is not was and pile != was
    }


def _public(sitting: GameState, effects: tuple[str, ...]) -> list[str]:
    """The effects as they may be sent: of all effects only the order of a shuffle tells of hidden cards."""
    game = sitting.game
    return [
        game.public_effect_text(game.parse_effect(text)) if text.startswith("redealt ") else text for text in effects
    ]
