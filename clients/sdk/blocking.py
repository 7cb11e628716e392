"""The blocking SDK: the same methods without `async`.

    with connect("http://127.0.0.1:8000") as cadogan:
        game = cadogan.deal("klondike")
        game.play("deal")
        print(game)

The socket has a thread of its own, so games stay up to date while the script does other things.
"""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate

from cadogan.sdk import client, game
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS
from cadogan.sdk.session import Session
from cadogan.sdk.waiting import Background, Parameters, Part, Waiting, iterating, listening, waiting


def following(
    method: Callable[Concatenate[Part, Parameters], Coroutine[Any, Any, game.Game]],
) -> Callable[Concatenate[Waiting[Part], Parameters], "Game"]:
    """Return the blocking form of a method that returns a game; it returns the blocking game."""

    @wraps(method)
    def wait(face: Waiting[Part], /, *arguments: Parameters.args, **named: Parameters.kwargs) -> "Game":
        found = face._background.run(method(face._part, *arguments, **named))
        return face if isinstance(face, Game) else Game(face._background, found)

    return wait


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
    play = following(game.Game.play)
    take_back = following(game.Game.take_back)
    resign = following(game.Game.resign)
    finish = following(game.Game.finish)
    hint = waiting(game.Game.hint)
    ask_if_winnable = waiting(game.Game.ask_if_winnable)
    listen = listening(game.Game.listen)
    changes = iterating(game.Game.changes)

    def close(self) -> None:
        """End the subscription. The properties keep the last state."""
        self._background.call(self._part.close)


class Client(Waiting[client.Client]):
    """One player at one server, or without a token an anonymous spectator. Use `connect` to create one.

    It has the methods of `cadogan.sdk.Client`, with the same parameters, results and errors.
    """

    @property
    def address(self) -> str:
        """The server's address, like `https://patience.example`."""
        return self._part.address

    @property
    def token(self) -> str | None:
        """The secret that identifies the player. Store it to be the same player next time; None for a spectator."""
        return self._part.token

    # games

    enter = following(client.Client.enter)
    practise = following(client.Client.practise)
    deal = following(client.Client.deal)
    game = following(client.Client.game)
    enter_round = following(client.Client.enter_round)
    rules = waiting(client.Client.rules)
    keep_receipt = waiting(client.Client.keep_receipt)

    # live updates; listeners are called in another thread

    watch_day = listening(client.Client.watch_day)
    watch_race = listening(client.Client.watch_race)
    watch_board = listening(client.Client.watch_board)
    watch_analysis = listening(client.Client.watch_analysis)
    watch_talk = listening(client.Client.watch_talk)
    follow_analysis = iterating(client.Client.follow_analysis)
    follow_evening = iterating(client.Client.follow_evening)
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
    show_yesterday = waiting(client.Client.show_yesterday)
    show_shelf = waiting(client.Client.show_shelf)
    show_winnability = waiting(client.Client.show_winnability)
    list_rules = waiting(client.Client.list_rules)
    show_rules = waiting(client.Client.show_rules)
    seal_deal = waiting(client.Client.seal_deal)
    begin_game = waiting(client.Client.begin_game)
    show_deal = waiting(client.Client.show_deal)
    play_deal = waiting(client.Client.play_deal)
    list_unfinished_games = waiting(client.Client.list_unfinished_games)
    list_live_games = waiting(client.Client.list_live_games)
    show_game = waiting(client.Client.show_game)
    replay_game = waiting(client.Client.replay_game)
    download_record = waiting(client.Client.download_record)
    show_pace = waiting(client.Client.show_pace)
    show_result = waiting(client.Client.show_result)
    show_attestation = waiting(client.Client.show_attestation)
    give_receipt = waiting(client.Client.give_receipt)

    # the analysis of finished games; a position is identified by the version of the game, 1 for the deal

    show_analysis = waiting(client.Client.show_analysis)
    analyse_game = waiting(client.Client.analyse_game)
    show_way = waiting(client.Client.show_way)
    compare_games = waiting(client.Client.compare_games)
    play_on = waiting(client.Client.play_on)
    take_work = waiting(client.Client.take_work)
    submit_work = waiting(client.Client.submit_work)
    give_work_up = waiting(client.Client.give_work_up)

    # daily challenges

    list_dailies = waiting(client.Client.list_dailies)
    show_daily = waiting(client.Client.show_daily)
    enter_daily = waiting(client.Client.enter_daily)
    spoil_deal = waiting(client.Client.spoil_deal)
    share_day = waiting(client.Client.share_day)
    day_record = waiting(client.Client.day_record)
    show_review = waiting(client.Client.show_review)
    show_best_line = waiting(client.Client.show_best_line)

    # puzzles; `today` is the latest one

    list_puzzles = waiting(client.Client.list_puzzles)
    show_puzzle = waiting(client.Client.show_puzzle)
    try_puzzle = waiting(client.Client.try_puzzle)
    give_puzzle_up = waiting(client.Client.give_puzzle_up)
    show_puzzle_way = waiting(client.Client.show_puzzle_way)

    # players and leaderboards

    show_player = waiting(client.Client.show_player)
    show_collection = waiting(client.Client.show_collection)
    report_run = waiting(client.Client.report_run)
    report_player = waiting(client.Client.report_player)
    report_message = waiting(client.Client.report_message)
    my_reports = waiting(client.Client.my_reports)
    export_games = iterating(client.Client.export_games)
    show_board = waiting(client.Client.show_board)
    list_friends = waiting(client.Client.list_friends)
    follow_player = waiting(client.Client.follow_player)
    unfollow_player = waiting(client.Client.unfollow_player)
    list_groups = waiting(client.Client.list_groups)
    make_group = waiting(client.Client.make_group)
    find_group = waiting(client.Client.find_group)
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
    race_record = waiting(client.Client.race_record)
    join_race = waiting(client.Client.join_race)
    leave_race = waiting(client.Client.leave_race)
    start_race = waiting(client.Client.start_race)
    open_rematch = waiting(client.Client.open_rematch)

    # evenings

    list_evenings = waiting(client.Client.list_evenings)
    make_evening = waiting(client.Client.make_evening)
    find_evening = waiting(client.Client.find_evening)
    show_evening = waiting(client.Client.show_evening)
    change_evening = waiting(client.Client.change_evening)
    enter_evening = waiting(client.Client.enter_evening)
    list_matches = waiting(client.Client.list_matches)
    make_match = waiting(client.Client.make_match)
    assign_evening_team = waiting(client.Client.assign_evening_team)
    leave_evening = waiting(client.Client.leave_evening)
    open_evening_deal = waiting(client.Client.open_evening_deal)
    show_arena_deals = waiting(client.Client.show_arena_deals)
    show_arena_sheet = waiting(client.Client.show_arena_sheet)
    show_evening_standing = waiting(client.Client.show_evening_standing)
    show_evening_round = waiting(client.Client.show_evening_round)
    evening_record = waiting(client.Client.evening_record)
    object_to_evening = waiting(client.Client.object_to_evening)
    show_virtual_evening = waiting(client.Client.show_virtual_evening)
    begin_virtual_evening = waiting(client.Client.begin_virtual_evening)
    open_virtual_deal = waiting(client.Client.open_virtual_deal)
    rule_evening = waiting(client.Client.rule_evening)
    show_form = waiting(client.Client.show_form)
    list_ratings = waiting(client.Client.list_ratings)
    list_seasons = waiting(client.Client.list_seasons)
    show_season = waiting(client.Client.show_season)
    leave_season = waiting(client.Client.leave_season)
    change_seasons = waiting(client.Client.change_seasons)
    list_group_seasons = waiting(client.Client.list_group_seasons)
    change_group_seasons = waiting(client.Client.change_group_seasons)


@contextmanager
def connect(
    address: str, token: str | None = None, guest: bool = True, timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
) -> Iterator[Client]:
    """Yield a client with blocking methods. See `cadogan.sdk.connect` for the parameters and errors."""
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
