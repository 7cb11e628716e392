"""The messages of the socket `/ws/v1`: JSON text frames with one message each. The key `type` names its type.

A client's frame has at most `codec.MAX_CLIENT_FRAME_BYTES`. Every message of a client has an `id` that the client
chooses. The answer has the same id, as `id`, or as `command` if it is the effect of a play, take-back or resignation.
"""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.analysis import AnalysisChanged, AskIfWinnable, UnwatchAnalysis, WatchAnalysis, Winnability
from cadogan.wire.boards import BoardChanged, UnwatchBoard, WatchBoard
from cadogan.wire.chat import Talk, UnwatchTalk, WatchTalk
from cadogan.wire.message import Message
from cadogan.wire.reactions import SignsChanged
from cadogan.wire.values import (
    CommandId,
    Count,
    Countdown,
    Counters,
    Day,
    DayState,
    Digest,
    GameCard,
    GameId,
    Legal,
    Meter,
    Milliseconds,
    Moment,
    MoveText,
    Nonce,
    Piles,
    Player,
    PlayerId,
    PlayerName,
    RaceId,
    Racer,
    RaceSeconds,
    RaceSize,
    RefusalCode,
    Result,
    Said,
    Score,
    Sight,
    Slug,
    Status,
    Version,
)

WatcherNames = Annotated[
    list[PlayerName], Meta(max_length=20, description="The names of the first watchers who have claimed one.")
]


class Subscribe(Message, frozen=True, kw_only=True):
    """Subscribe to a game. Without `since` the answer is a view.

    With `since` the answer is the messages after that version, or a fresh view. For a game of the day or of a race, the
    messages are sent only to its player, and to viewers whose `sight` is still the one that they send; others get a
    view.
    """

    id: CommandId
    game: GameId
    since: Version | None = None
    sight: Sight | None = None


class Unsubscribe(Message, frozen=True, kw_only=True):
    """End the subscription to a game."""

    id: CommandId
    game: GameId


class Play(Message, frozen=True, kw_only=True):
    """Play a move in the position at `version`."""

    id: CommandId
    game: GameId
    version: Version
    move: MoveText


class TakeBack(Message, frozen=True, kw_only=True):
    """Take back the last move."""

    id: CommandId
    game: GameId
    version: Version


class Resign(Message, frozen=True, kw_only=True):
    """End the game: it becomes `resigned`, or `lost` if no move is left (status `stuck`)."""

    id: CommandId
    game: GameId
    version: Version


class AskForHint(Message, frozen=True, kw_only=True):
    """Request a useful move in the position at `version`. Refused in ranked games and races."""

    id: CommandId
    game: GameId
    version: Version


class WatchDay(Message, frozen=True, kw_only=True):
    """Watch everybody's progress in the deals of a day."""

    id: CommandId
    day: Day


class UnwatchDay(Message, frozen=True, kw_only=True):
    """Stop watching a day."""

    id: CommandId
    day: Day


class WatchRace(Message, frozen=True, kw_only=True):
    """Watch a race: its racers, its start, and everybody's progress."""

    id: CommandId
    race: RaceId


class UnwatchRace(Message, frozen=True, kw_only=True):
    """Stop watching a race."""

    id: CommandId
    race: RaceId


class Ping(Message, frozen=True, kw_only=True):
    """Request a `pong`."""

    id: CommandId


class View(Message, frozen=True, kw_only=True):
    """A game as the client may see it now. Piles, counters and legal moves are included if `sight` allows.

    `active` is set when the game is over: the part of `clock` in which the player was active. `may_ask_if_winnable` is
    sent only to the player: whether the server answers `ask_if_winnable` while this game goes on. So is `finish`: the
    next of the moves that finish the game by itself; it is set only if nothing is left to decide.
    """

    game: GameCard
    sight: Sight
    version: Version
    score: Score
    home: Count
    moves: Count
    status: Status
    watchers: Count
    clock: Annotated[
        int, Meta(ge=0, description="Milliseconds from the first sight of the deal to the sending of this message.")
    ]
    id: CommandId | None = None
    piles: Piles | None = None
    counters: Counters | None = None
    legal: Legal | None = None
    can_take_back: bool | None = None
    finish: MoveText | None = None
    may_ask_if_winnable: bool | None = None
    names: WatcherNames | None = None
    active: Milliseconds | None = None


class Moved(Message, frozen=True, kw_only=True):
    """The common fields of a move and a take-back: the changed piles and the new state of the game.

    `command`, `legal`, `can_take_back` and `finish` are sent only to the player. `finish` is as in a view.
    """

    game: GameId
    version: Version
    piles: Annotated[Piles, Meta(description="Only the piles that changed.")]
    counters: Counters
    score: Score
    home: Count
    moves: Count
    status: Status
    at: Moment
    command: CommandId | None = None
    legal: Legal | None = None
    can_take_back: bool | None = None
    finish: MoveText | None = None


class MovePlayed(Moved, frozen=True, kw_only=True):
    """A move was played, with all its effects."""

    move: MoveText
    effects: Annotated[
        list[str],
        Meta(description="What happened, in order, for animation.", examples=[["moved waste foundation.0 1"]]),
    ]


class MoveTakenBack(Moved, frozen=True, kw_only=True):
    """The last move was taken back."""


class GameFinished(Message, frozen=True, kw_only=True):
    """A game is over. `active` counts at most one minute of every pause between moves."""

    game: GameId
    version: Version
    result: Result
    score: Score
    moves: Count
    milliseconds: Milliseconds
    active: Milliseconds
    command: CommandId | None = None


class DealRevealed(Message, frozen=True, kw_only=True):
    """The secret of a finished game's deal. It matches the commitment, and determines all cards."""

    game: GameId
    version: Version
    secret: Digest


class ChallengeSpoiled(Message, frozen=True, kw_only=True):
    """The player chose to see the deal while playing it. The run is no longer ranked."""

    game: GameId
    version: Version
    can_take_back: bool | None = None


class Advanced(Message, frozen=True, kw_only=True):
    """An event that the client may not see. Its version is sent, so that a gap in the versions means a lost message."""

    game: GameId
    version: Version


class Presence(Message, frozen=True, kw_only=True):
    """How many players watch a game, and who; sent at most once a second."""

    game: GameId
    watchers: Count
    names: WatcherNames | None = None


class Hint(Message, frozen=True, kw_only=True):
    """A useful legal move in the position at `version`; without `move`, none was found.

    It uses only the cards that the player sees, unless a search has told the player a winning line: then it is the next
    move of that. `keeps_win` is whether the game can still be won after it; absent if no search has found that. It is
    sent only to the requesting client.
    """

    id: CommandId
    game: GameId
    version: Version
    move: MoveText | None = None
    keeps_win: bool | None = None


class DayProgress(Message, frozen=True, kw_only=True):
    """Progress in the deals of a day. The answer, with the request's `id`, has the best runs and the player's own.

    Later messages have the changed runs, at most once a second. `state` is that of the day. It is sent in the answer,
    and in a message without runs when the day was opened or closed. After the close everything is public.
    `matches_changed` is set in a message without runs to the players of a match that was proposed, accepted, begun or
    ended: `show_home` has their matches.
    """

    day: Day
    games: list[Meter]
    id: CommandId | None = None
    state: DayState | None = None
    matches_changed: bool | None = None


class Race(Message, frozen=True, kw_only=True):
    """The present state of a race. It is sent whole at every change, but at most once a second for changed meters.

    The racers are in the order of joining; invited players have a reserved place. The cards are dealt at `starts_at`,
    the time limit ends at `ends_at`, and `at` is the server's time of sending. Over HTTP the racers get the `token` of
    the race's link, with which other players may join a private race. At the end the ranks and the secret are included.
    """

    race: RaceId
    rules: Slug
    state: Literal["open", "abandoned", "countdown", "running", "over"]
    size: RaceSize
    seconds: RaceSeconds
    countdown: Countdown
    open: Annotated[bool, Meta(description="Whether the race is listed, and everybody may join it without its link.")]
    commitment: Digest
    opened_at: Moment
    version: Version
    at: Moment
    racers: list[Racer]
    invited: list[Player]
    host: PlayerId | None = None
    id: CommandId | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    nonce: Nonce | None = None
    secret: Digest | None = None
    rematch: RaceId | None = None
    token: str | None = None


class Done(Message, frozen=True, kw_only=True):
    """A request was carried out; it has no other answer."""

    id: CommandId


class Pong(Message, frozen=True, kw_only=True):
    """The answer to `ping`, with the server's time."""

    id: CommandId
    at: Moment


class Refused(Message, frozen=True, kw_only=True):
    """A request was refused: a stable code and a sentence for people.

    `said` is the sentence with its values separate, for translation; it is set if the sentence has values. `version` is
    the game's present version, if it matters. `retry_after` is the number of seconds to wait before a retry.
    """

    code: RefusalCode
    message: str
    id: CommandId | None = None
    said: Said | None = None
    version: Version | None = None
    retry_after: float | None = None


ClientMessage = (
    Subscribe
    | Unsubscribe
    | Play
    | TakeBack
    | Resign
    | AskForHint
    | AskIfWinnable
    | WatchAnalysis
    | UnwatchAnalysis
    | WatchDay
    | UnwatchDay
    | WatchRace
    | UnwatchRace
    | WatchBoard
    | UnwatchBoard
    | WatchTalk
    | UnwatchTalk
    | Ping
)
GameMessage = View | MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled | Advanced | Presence
"""The messages about a game."""
ServerMessage = (
    GameMessage
    | Hint
    | Winnability
    | AnalysisChanged
    | DayProgress
    | Race
    | BoardChanged
    | Talk
    | SignsChanged
    | Done
    | Pong
    | Refused
)

GAME_STEPS = (MovePlayed, MoveTakenBack, GameFinished, DealRevealed, ChallengeSpoiled, Advanced)
_DONE_FOR = (Unsubscribe, UnwatchAnalysis, UnwatchDay, UnwatchRace, WatchBoard, UnwatchBoard, UnwatchTalk)
ANSWERS: dict[type[Message], tuple[type[Message], ...]] = {
    Subscribe: (View, *GAME_STEPS, Done),
    Play: (MovePlayed,),
    TakeBack: (MoveTakenBack,),
    Resign: (GameFinished,),
    AskForHint: (Hint,),
    AskIfWinnable: (Winnability,),
    WatchAnalysis: (AnalysisChanged,),
    WatchDay: (DayProgress,),
    WatchRace: (Race,),
    WatchTalk: (Talk,),
    Ping: (Pong,),
    **dict.fromkeys(_DONE_FOR, (Done,)),
}
"""The possible answers to each message of a client, besides `refused`.

A subscription is answered by one view, or by every message that was missed and then `done`."""
