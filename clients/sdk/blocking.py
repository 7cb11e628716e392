"""The SDK without `async`: the same methods, and every call waits for its answer.

    with connect("http://127.0.0.1:8000") as cadogan:
        game = cadogan.deal("klondike")
        game.play("deal")
        print(game)

The socket lives in a thread of its own, so games stay up to date while the script does other things.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cadogan.sdk import client, game
from cadogan.sdk.moves import Move
from cadogan.sdk.reconnecting_socket import Listener
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.sdk.session import Session
from cadogan.sdk.waiting import Background, Waiting, waiting
from cadogan.wire.analysis import Analysis
from cadogan.wire.messages import ServerMessage
from cadogan.wire.results import RecentGame


class Game(game.GameProperties, Waiting[game.Game]):
    """A game whose methods wait for the server. Its properties have the latest state that the server has sent."""

    def __init__(self, background: Background, part: game.Game) -> None:
        super().__init__(background, part)
        self.id = part.id
        self.rules = part.rules

    @property
    def session(self) -> Session:
        """The state of the game as this client may see it, as a value that never changes."""
        return self._part.session

    @property
    def connected(self) -> bool:
        """Whether the socket is open. While it is not, commands wait."""
        return self._part.connected

    ready = waiting(game.Game.ready)

    def play(self, move: Move | str) -> "Game":
        """Play a move, and return this game when the server has stored the move.

        Raises IllegalMove, StaleVersion, NotYourSeat, GameOver or another RefusalError; Unreachable.
        """
        self._background.run(self._part.play(move))
        return self

    def take_back(self) -> "Game":
        """Take back the last move, and return this game.

        Raises NothingToTakeBack, TakeBackRevealed or another RefusalError; Unreachable.
        """
        self._background.run(self._part.take_back())
        return self

    def resign(self) -> "Game":
        """Resign the game, and return it. Where no move is left (status `stuck`) this finishes it as `lost`.

        Raises GameOver or another RefusalError; Unreachable.
        """
        self._background.run(self._part.resign())
        return self

    hint = waiting(game.Game.hint)
    ask_if_winnable = waiting(game.Game.ask_if_winnable)

    def listen(self, listener: Callable[[ServerMessage], None]) -> Callable[[], None]:
        """Call the listener with every message about this game, in another thread, once `session` includes it.

        Returns a function that removes the listener.
        """
        return self._background.add_listener(self._part.listen, listener)

    def changes(self) -> Iterator[Session]:
        """Yield the session now and after each change, until the game ends or `close` is called.

        Raises the error that ends the connection: Unauthorized when the player was signed out, or Unreachable.
        """
        return self._background.iterate(self._part.changes())

    def close(self) -> None:
        """End the subscription. The properties keep the last state."""
        self._background.call(self._part.close)


class Client(Waiting[client.Client]):
    """One player at one server; without a token, nobody, who can only look. Use `connect` to make one.

    It has the methods of `cadogan.sdk.Client`, with the same parameters, results and errors.
    """

    @property
    def address(self) -> str:
        """The server's address, like `https://patience.example`."""
        return self._part.address

    @property
    def token(self) -> str | None:
        """The secret that identifies the player. Keep it to be the same player next time; None for nobody."""
        return self._part.token

    # games

    def enter(self, day: str = "today", slot: int = 1) -> Game:
        """Begin or continue the player's ranked attempt at a deal of a day. `slot` is the deal's number, from 1.

        Raises AlreadyPlayed, DayNotOpen, another RefusalError, or Unreachable.
        """
        return Game(self._background, self._background.run(self._part.enter(day, slot)))

    def practise(self, day: str = "today", slot: int = 1) -> Game:
        """Begin an unranked run of a deal of a day. `slot` is the deal's number, from 1.

        Raises SpoilerEmbargo until the player has finished the ranked attempt, another RefusalError, or Unreachable.
        """
        return Game(self._background, self._background.run(self._part.practise(day, slot)))

    def deal(self, rules: str, nonce: str | None = None) -> Game:
        """Begin a new casual game.

        `rules` is the slug of the rules, like `klondike`. `nonce` is a text that is mixed into the shuffle, so that the
        server cannot choose the cards; without one a random text is used. Raises RefusalError or Unreachable.
        """
        return Game(self._background, self._background.run(self._part.deal(rules, nonce)))

    def game(self, id: str) -> Game:
        """Follow a game: the player's own to play it, another player's to watch it. Returns after the first view.

        Raises NotFound, another RefusalError, or Unreachable.
        """
        return Game(self._background, self._background.run(self._part.game(id)))

    rules = waiting(client.Client.rules)

    # what is live; listeners are called in another thread

    def watch_day(self, day: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `DayProgress` of a day, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self._background.add_listener(lambda called: self._part.watch_day(day, called), listener)

    def watch_race(self, race: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `Race` message of a race, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self._background.add_listener(lambda called: self._part.watch_race(race, called), listener)

    def watch_board(self, board: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `BoardChanged` of a leaderboard, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self._background.add_listener(lambda called: self._part.watch_board(board, called), listener)

    def watch_analysis(self, id: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `AnalysisChanged` of a finished game, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self._background.add_listener(lambda called: self._part.watch_analysis(id, called), listener)

    def watch_talk(self, group: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with each `Talk` of a group, or with the RefusalError that ends this.

        Returns a function that stops it.
        """
        return self._background.add_listener(lambda called: self._part.watch_talk(group, called), listener)

    def follow_analysis(self, id: str) -> Iterator[Analysis]:
        """Ask for the analysis of a finished game. Yields it now and whenever it has come further, until it is done.

        Raises RefusalError or Unreachable.
        """
        return self._background.iterate(self._part.follow_analysis(id))

    renew = waiting(client.Client.renew)
    close = waiting(client.Client.close)

    # the account

    begin_as_guest = waiting(client.Client.begin_as_guest)
    sign_in = waiting(client.Client.sign_in)
    who_am_i = waiting(client.Client.who_am_i)
    sign_out = waiting(client.Client.sign_out)
    claim_name = waiting(client.Client.claim_name)
    sign_out_everywhere = waiting(client.Client.sign_out_everywhere)
    change_password = waiting(client.Client.change_password)
    list_sessions = waiting(client.Client.list_sessions)
    end_session = waiting(client.Client.end_session)
    end_other_sessions = waiting(client.Client.end_other_sessions)
    list_own_runs = waiting(client.Client.list_own_runs)
    download_own_data = waiting(client.Client.download_own_data)
    list_tokens = waiting(client.Client.list_tokens)
    make_token = waiting(client.Client.make_token)
    revoke_token = waiting(client.Client.revoke_token)
    list_bots = waiting(client.Client.list_bots)
    retire_bot = waiting(client.Client.retire_bot)
    make_bot = waiting(client.Client.make_bot)
    show_settings = waiting(client.Client.show_settings)
    keep_settings = waiting(client.Client.keep_settings)

    # rules and games

    show_home = waiting(client.Client.show_home)
    show_shelf = waiting(client.Client.show_shelf)
    show_winnability = waiting(client.Client.show_winnability)
    list_rules = waiting(client.Client.list_rules)
    show_rules = waiting(client.Client.show_rules)
    seal_deal = waiting(client.Client.seal_deal)
    begin_game = waiting(client.Client.begin_game)
    list_unfinished_games = waiting(client.Client.list_unfinished_games)
    list_live_games = waiting(client.Client.list_live_games)
    show_game = waiting(client.Client.show_game)
    replay_game = waiting(client.Client.replay_game)
    download_record = waiting(client.Client.download_record)
    show_pace = waiting(client.Client.show_pace)
    show_result = waiting(client.Client.show_result)
    show_attestation = waiting(client.Client.show_attestation)

    # the analysis of finished games; a position is named by the version of the game in it, which is 1 for the deal

    show_analysis = waiting(client.Client.show_analysis)
    analyse_game = waiting(client.Client.analyse_game)
    show_way = waiting(client.Client.show_way)
    compare_games = waiting(client.Client.compare_games)
    play_on = waiting(client.Client.play_on)

    # daily challenges

    list_dailies = waiting(client.Client.list_dailies)
    show_daily = waiting(client.Client.show_daily)
    enter_daily = waiting(client.Client.enter_daily)
    spoil_deal = waiting(client.Client.spoil_deal)
    share_day = waiting(client.Client.share_day)
    day_record = waiting(client.Client.day_record)

    # players and leaderboards

    show_player = waiting(client.Client.show_player)
    report_run = waiting(client.Client.report_run)
    report_player = waiting(client.Client.report_player)
    report_message = waiting(client.Client.report_message)
    my_reports = waiting(client.Client.my_reports)

    def export_games(self, id: str, since: str | None = None, until: str | None = None) -> Iterator[RecentGame]:
        """Yield a player's finished games, the first begun first, while they are read.

        With `since`, only games begun on this day (`2026-11-20`) or later; with `until`, only games begun before it.
        """
        return self._background.iterate(self._part.export_games(id, since, until))

    show_board = waiting(client.Client.show_board)
    list_friends = waiting(client.Client.list_friends)
    follow_player = waiting(client.Client.follow_player)
    unfollow_player = waiting(client.Client.unfollow_player)
    list_groups = waiting(client.Client.list_groups)
    make_group = waiting(client.Client.make_group)
    join_group = waiting(client.Client.join_group)
    leave_group = waiting(client.Client.leave_group)
    put_out_of_group = waiting(client.Client.put_out_of_group)
    renew_group_link = waiting(client.Client.renew_group_link)
    show_game_signs = waiting(client.Client.show_game_signs)
    give_game_sign = waiting(client.Client.give_game_sign)
    show_race_signs = waiting(client.Client.show_race_signs)
    give_race_sign = waiting(client.Client.give_race_sign)
    switch_talk = waiting(client.Client.switch_talk)
    list_messages = waiting(client.Client.list_messages)
    write_message = waiting(client.Client.write_message)
    remove_message = waiting(client.Client.remove_message)
    show_root = waiting(client.Client.show_root)

    # races

    open_race = waiting(client.Client.open_race)
    list_races = waiting(client.Client.list_races)
    show_race = waiting(client.Client.show_race)
    join_race = waiting(client.Client.join_race)
    leave_race = waiting(client.Client.leave_race)
    start_race = waiting(client.Client.start_race)
    open_rematch = waiting(client.Client.open_rematch)


@contextmanager
def connect(
    address: str, token: str | None = None, guest: bool = True, timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
) -> Iterator[Client]:
    """Yield a client whose methods wait for the server. See `cadogan.sdk.connect` for the parameters and errors."""
    background = Background()
    try:
        connecting = client.connect(address, token, guest, timeout_seconds)
        connected = background.run(connecting.__aenter__())
        try:
            yield Client(background, connected)
        finally:
            background.run(connecting.__aexit__(None, None, None))
    finally:
        background.close()
