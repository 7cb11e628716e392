"""Builds the messages about a game from a game or a step, and an access level (`Sight`).

Everything that the server sends about a game is built here from `Game.view_pile`. There is one message per step and
access level; all viewers of that level receive the same one.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import asdict, replace

from cadogan.engine.game import Game
from cadogan.engine.state import State
from cadogan.engine.view import view_pile
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    DealRevealed,
    GameDealt,
    GameFinished,
    MovePlayed,
    MoveTakenBack,
)
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.wire import messages as wire
from cadogan.wire.bodies import LiveGame
from cadogan.wire.values import GameCard, Meter, Origin, Piles, Player, Reason

StepMessage = wire.MovePlayed | wire.MoveTakenBack | wire.GameFinished | wire.DealRevealed | wire.ChallengeSpoiled
"""The message about a step for viewers who may see the cards."""
Push = StepMessage | wire.Advanced
"""The message about a step for any viewer."""


def game_card(game: GameOutline, player: Player) -> GameCard:
    """Return the metadata of a game, without its cards."""
    dealt = game.dealt
    origin = dealt.origin if game.competition.tells_origin(game.over) else None
    return GameCard(
        id=game.id,
        rules=dealt.game,
        rules_version=dealt.rules_version,
        player=player,
        deal=_shown_deal(game),
        mode=game.competition.mode(dealt),
        ranked=game.ranked,
        status=game.status,
        started_at=game.dealt_at,
        commitment=dealt.commitment,
        day=dealt.day,
        slot=dealt.slot,
        race=dealt.race,
        origin=Origin(game=origin.game, version=origin.version) if origin else None,
        competition=dealt.competition,
        about=dealt.about,
        number=dealt.number,
        winnable=dealt.winnable is not None,
    )


def _shown_deal(game: GameOutline) -> str:
    """Return the id of the deal of a game; the game's own where the deal would lead to a game that is not told."""
    rules, deal = game.competition, game.dealt.deal
    hidden = game.dealt.origin is not None and not rules.is_shared and not rules.tells_origin(game.over)
    return game.id if hidden else deal


class Progress(NamedTuple):
    """The progress of a game, without its cards; `since` is its start, None once it is over."""

    meter: Meter
    since: int | None
    version: int

    def at(self, now: int) -> Meter:
        """Return the progress message for this time, in milliseconds since 1970."""
        return self.meter if self.since is None else replace(self.meter, milliseconds=max(0, now - self.since))

    def with_disqualification(self, reason: Reason | None) -> "Progress":
        """Return a copy for a run that was disqualified for this reason, or that counts (None)."""
        return self._replace(meter=replace(self.meter, struck=reason))


def progress_of(game: GameState, player: Player) -> Progress:
    """Return the progress of a game; the result keeps no reference to the game."""
    meter = Meter(
        game=game.id,
        deal=_shown_deal(game),
        player=player,
        home=game.position.home,
        score=game.position.score,
        moves=game.moves,
        milliseconds=clock(game, game.dealt_at),
        status=game.status,
        ranked=game.ranked,
    )
    return Progress(meter, None if game.over else game.dealt_at, game.version)


def live_game(game: GameState, player: Player, now: int) -> LiveGame:
    """Return the entry of a game in the list of live games."""
    dealt = game.dealt
    return LiveGame(**asdict(progress_of(game, player).at(now)), rules=dealt.game, day=dealt.day)


def clock(game: GameState, now: int) -> int:
    """Return the time since the deal, or the duration of a finished game, in milliseconds."""
    return game.finished.milliseconds if game.finished else max(0, now - game.dealt_at)


def view(
    game: GameState,
    access_level: AccessLevel,
    player: Player,
    *,
    watchers: int = 0,
    names: Sequence[str] = (),
    now: int,
    id: str | None = None,
    may_ask_if_winnable: bool = False,
) -> wire.View:
    """Return the current view of the game for an access level. `id` is the id of the request that it answers.

    `may_ask_if_winnable` is the result of `Access.may_ask_if_winnable` for the player.
    """
    rules, state = game.rules, game.position.state
    seat, cards = access_level is AccessLevel.SEAT, access_level is not AccessLevel.PROGRESS
    return wire.View(
        id=id,
        game=game_card(game, player),
        sight=access_level.value,
        version=game.version,
        score=game.position.score,
        home=game.position.home,
        moves=game.moves,
        status=game.status,
        watchers=watchers,
        names=list(names) or None,
        clock=clock(game, now),
        piles=rules.view(state) if cards else None,
        counters=rules.write_counters(state) if cards else None,
        legal=_legal(game) if seat else None,
        can_take_back=game.can_take_back if seat else None,
        finish=_finish(game) if seat else None,
        may_ask_if_winnable=may_ask_if_winnable if seat else None,
        active=game.finished.active if game.finished else None,
    )


def message_for(step: Step, access_level: AccessLevel) -> Push:
    """Return the message about a step for viewers with this access level."""
    ((_, message),) = messages_for(step, (access_level,))
    return message


def messages_for(step: Step, access_levels: Iterable[AccessLevel]) -> list[tuple[AccessLevel, Push]]:
    """Return the message about a step for each of these access levels; shared parts are built once."""
    shown: StepMessage | None = None
    found: list[tuple[AccessLevel, Push]] = []
    for access_level in access_levels:
        if access_level is AccessLevel.PROGRESS:
            found.append((access_level, wire.Advanced(game=step.after.id, version=step.after.version)))
            continue
        shown = shown or step_message(step)
        found.append((access_level, _for_seat(shown, step) if access_level is AccessLevel.SEAT else shown))
    return found


def step_message(step: Step) -> StepMessage:
    """Return the message about a step after the deal, for viewers who may see the cards.

    Raises ValueError for the deal, which is sent as a view.
    """
    event, before, after = step.event, step.before, step.after
    if before is None:
        raise ValueError("a deal is sent as a view")
    match event:
        case MovePlayed(move, effects):
            return wire.MovePlayed(
                game=after.id,
                version=after.version,
                move=move,
                effects=public_effects(after.rules, effects),
                piles=changed_piles(after.rules, before.position.state, after.position.state),
                counters=after.rules.write_counters(after.position.state),
                score=after.position.score,
                home=after.position.home,
                moves=after.moves,
                status=after.status,
                at=after.changed_at,
            )
        case MoveTakenBack():
            return wire.MoveTakenBack(
                game=after.id,
                version=after.version,
                piles=changed_piles(after.rules, before.position.state, after.position.state),
                counters=after.rules.write_counters(after.position.state),
                score=after.position.score,
                home=after.position.home,
                moves=after.moves,
                status=after.status,
                at=after.changed_at,
            )
        case GameFinished():
            return wire.GameFinished(
                game=after.id,
                version=after.version,
                result=event.result,
                score=event.score,
                moves=event.moves,
                milliseconds=event.milliseconds,
                active=event.active,
            )
        case DealRevealed(secret):
            return wire.DealRevealed(game=after.id, version=after.version, secret=secret)
        case ChallengeSpoiled():
            return wire.ChallengeSpoiled(game=after.id, version=after.version)
        case GameDealt() | _:
            raise ValueError(f"{type(event).__name__} is no event that viewers of a game get a message about")


def _for_seat(shown: StepMessage, step: Step) -> StepMessage:
    """Return the message for the player: it adds the id of the answered command and the legal moves."""
    after = step.after
    match shown:
        case wire.MovePlayed() | wire.MoveTakenBack():
            can_take_back = after.can_take_back
            return replace(
                shown, command=step.command, legal=_legal(after), can_take_back=can_take_back, finish=_finish(after)
            )
        case wire.GameFinished():
            return replace(shown, command=step.command)
        case wire.ChallengeSpoiled():
            return replace(shown, can_take_back=after.can_take_back)
        case wire.DealRevealed():
            return shown


def _legal(game: GameState) -> list[str]:
    return [] if game.over else list(game.position.legal)


def _finish(game: GameState) -> str | None:
    """Return the next move of those that finish the game; None if something is left to decide, or the game is over."""
    moves = () if game.over else game.position.finish
    return moves[0].text if moves else None


def changed_piles(rules: Game, before: State, after: State) -> Piles:
    """Return the changed piles, as viewers who may see the cards see them."""
    return {
        name: view_pile(pile)
        for name, pile, was in zip(rules.piles, after.piles, before.piles, strict=True)
        if pile is not was and pile != was
    }


def public_effects(rules: Game, effects: Iterable[str]) -> list[str]:
    """Return the effects without the order of shuffles, the only part that reveals hidden cards."""
    return [
        rules.public_effect_text(rules.parse_effect(text)) if text.startswith("redealt ") else text for text in effects
    ]
