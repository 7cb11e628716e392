"""One example of every message and body. The documents show them, and tests compare them with the documents."""

from msgspec.structs import asdict, replace

from cadogan.wire import (
    analysis,
    boards,
    bodies,
    chat,
    deals,
    evening_examples,
    home,
    messages,
    races,
    reactions,
    results,
    settings,
    tokens,
)
from cadogan.wire.account_examples import ACCOUNT_EXAMPLES
from cadogan.wire.admin_examples import ADA, ADMIN_EXAMPLES, DEALT_AT, GAME
from cadogan.wire.analysis_examples import ANALYSIS, ANALYSIS_EXAMPLES, WAY_STEP
from cadogan.wire.collection_examples import COLLECTION_EXAMPLES
from cadogan.wire.game_examples import (
    BOT,
    CARD,
    COMMITMENT,
    DAILY,
    DAILY_DEAL,
    DAY,
    DEAL,
    FINISHED,
    LIVE_GAME,
    METER,
    MOVE_PLAYED,
    PERSONAL_TOKEN,
    RACE,
    RACING,
    SECRET,
    SIGN,
    VIEW,
    WRITTEN,
)
from cadogan.wire.rating_examples import RATING_EXAMPLES
from cadogan.wire.shelf_examples import RULES_CARD, SHELF_EXAMPLES
from cadogan.wire.values import BoardEntry, Said, Value

LAYOUT = bodies.Layout(
    piles=[
        bodies.PilePlace(name="stock", group="stock", role="stock", x=0, y=0, turn=0, spread="none"),
        bodies.PilePlace(
            name="tableau.0", group="tableau", role="tableau", x=0, y=1.2, turn=0, spread="down", step=0.2
        ),
    ],
    width=7.6,
    height=2.2,
)
RUN_PLACE = BoardEntry(
    rank=1, player=ADA, score=52, moves=117, milliseconds=301_000, active=298_000, game=GAME, result="won"
)
DAY_PLACE = BoardEntry(rank=3, player=ADA, points=1_250, moves=117, milliseconds=301_000, runs=1)

CLIENT_EXAMPLES: tuple[messages.ClientMessage, ...] = (
    messages.Subscribe(id="c1", game=GAME, since=2),
    messages.Unsubscribe(id="c6", game=GAME),
    messages.Play(id="c2", game=GAME, version=2, move="tableau.0/tableau.1"),
    messages.TakeBack(id="c3", game=GAME, version=3),
    messages.Resign(id="c4", game=GAME, version=4),
    messages.AskForHint(id="c13", game=GAME, version=2),
    analysis.AskIfWinnable(id="c14", game=GAME, version=2),
    analysis.WatchAnalysis(id="c15", game=GAME),
    analysis.UnwatchAnalysis(id="c16", game=GAME),
    messages.WatchDay(id="c5", day=DAY),
    messages.UnwatchDay(id="c7", day=DAY),
    messages.WatchRace(id="c9", race=RACE),
    messages.UnwatchRace(id="c10", race=RACE),
    chat.WatchTalk(id="c17", group="g2r4o6u3p5g7r2ou"),
    chat.UnwatchTalk(id="c18", group="g2r4o6u3p5g7r2ou"),
    boards.WatchBoard(id="c11", board=f"day:{DAY}"),
    boards.UnwatchBoard(id="c12", board=f"day:{DAY}"),
    messages.Ping(id="c8"),
)
SERVER_EXAMPLES: tuple[messages.ServerMessage, ...] = (
    VIEW,
    MOVE_PLAYED,
    messages.MoveTakenBack(
        game=GAME,
        version=4,
        piles={"tableau.0": ["7H"], "tableau.1": [1, "8S"]},
        counters={},
        score=0,
        home=0,
        moves=2,
        status="playing",
        at=DEALT_AT + 9_000,
    ),
    FINISHED,
    messages.DealRevealed(game=GAME, version=121, secret=SECRET),
    messages.ChallengeSpoiled(game=GAME, version=6, can_take_back=True),
    messages.Advanced(game=GAME, version=5),
    messages.Presence(game=GAME, watchers=3, names=["Cadogan", "Louis"]),
    messages.Hint(id="c13", game=GAME, version=2, move="tableau.0/tableau.1"),
    analysis.Winnability(id="c14", game=GAME, version=2, verdict="won", steps=[WAY_STEP]),
    analysis.AnalysisChanged(id="c15", analysis=ANALYSIS, version=3),
    messages.DayProgress(id="c5", day=DAY, games=[METER], state="open"),
    RACING,
    boards.BoardChanged(board=f"day:{DAY}", total=12, entries=[DAY_PLACE]),
    chat.Talk(id="c17", group="g2r4o6u3p5g7r2ou", on=True, messages=[WRITTEN]),
    reactions.SignsChanged(about=f"game/{GAME}", signs=[SIGN]),
    messages.Done(id="c6"),
    messages.Pong(id="c8", at=DEALT_AT + 10_000),
    messages.Refused(
        id="c2",
        code="illegal_move",
        message="no deal now: no card is left in stock",
        said=Said(
            text="no {verb} now: {why}",
            values={"verb": "deal", "why": Said(text="no card is left in {piles}", values={"piles": "stock"})},
        ),
        version=4,
    ),
)
GROUP = boards.Group(
    id="g2r4o6u3p5g7r2ou", name="The Tuesday club", token="t3o5k7e2n4t6o3kn", members=[ADA], owner=ADA.id, talk=True
)
SETTINGS = settings.Settings(language="de", theme="dark", one_tap=False, game_colours={"klondike": "two"})
BODY_EXAMPLES: tuple[Value, ...] = (
    bodies.Refusal(code="rate_limited", message="Too many attempts: wait a little.", retry_after=6.0),
    SETTINGS,
    settings.KeptSettings(settings=SETTINGS),
    bodies.RulesList(rules=[RULES_CARD]),
    bodies.RulesPage(
        **asdict(RULES_CARD),
        level="stern",
        also_known_as=["Klondike"],
        layout=LAYOUT,
        layouts=bodies.Layouts(tall=replace(LAYOUT, room=[7.6, 3.9]), wide=replace(LAYOUT, room=[7.6, 3.9])),
        colours=2,
        deal=bodies.DealPlan(
            pack=["AS", "AH", "AD", "AC"],
            counters={"redeals": 2},
            steps=["set foundation.0 AS", "shuffled hand deal", "moved hand tableau.0 1", "moved hand stock 2"],
            whole=True,
            down=["stock"],
        ),
        page="<h1>Klondike</h1>",
        aim="<p>Build four foundations.</p>",
        brief=[bodies.BriefLine(groups=["tableau"], sentences=[Said(text="Build down in alternating colours.")])],
    ),
    *SHELF_EXAMPLES,
    bodies.NewDeal(rules="klondike"),
    bodies.SealedDeal(deal=DEAL, commitment=COMMITMENT, rules="klondike"),
    bodies.NewGame(deal=DEAL, nonce="a rainy Friday", number=617),
    bodies.Game(game=CARD),
    deals.PlayedDeal(
        deal=GAME,
        rules="klondike",
        players=1,
        runs=[deals.DealRun(game=GAME, player=ADA, result="won", score=52, moves=117, milliseconds=301_000)],
    ),
    bodies.LiveGames(games=[LIVE_GAME]),
    bodies.UnfinishedGames(
        games=[
            bodies.UnfinishedGame(
                **asdict(METER), rules="klondike", day=DAY, mode="daily", maximum=52, changed_at=DEALT_AT + 90_500
            )
        ]
    ),
    bodies.Replay(dealt=VIEW, messages=[MOVE_PLAYED, FINISHED]),
    bodies.Record(
        format="cadogan record 1",
        game=GAME,
        stream=f"game/{GAME}",
        secret=SECRET,
        nonce=DAILY_DEAL,
        commitment=COMMITMENT,
        events=[
            bodies.RecordedEvent(
                version=2,
                type="move_played",
                schema=1,
                data={"effects": ["moved stock waste 1"], "move": "deal"},
                recorded_at=DEALT_AT + 4_000,
                hash="ab" * 32,
            )
        ],
    ),
    bodies.DayRecord(
        format="cadogan day 1",
        day=DAY,
        events=[
            bodies.RecordedEvent(
                version=3,
                type="daily_closed",
                schema=2,
                data={"boards": {"day": "ab" * 32}, "certificates": [], "secret": SECRET},
                recorded_at=DEALT_AT + 90_000_000,
                hash="cd" * 32,
            )
        ],
    ),
    bodies.RaceRecord(
        format="cadogan race 1",
        race="r2s4t6u3v5w7x2yz",
        events=[
            bodies.RecordedEvent(
                version=4,
                type="match_started",
                schema=1,
                data={"nonce": "a8" * 32, "starts_at": DEALT_AT},
                recorded_at=DEALT_AT - 5_000,
                hash="cd" * 32,
            )
        ],
    ),
    races.NewRace(rules="klondike", nonce="a rainy Friday", size=4, open=True),
    races.JoinRace(nonce="eight red queens", token="t3o5k7e2n4t6o3kn"),
    races.Rematch(nonce="a foggy Monday"),
    races.Races(races=[RACING]),
    *evening_examples.EXAMPLES,
    *RATING_EXAMPLES,
    races.Pace(game=CARD, points=[(0, 0, 0), (62_000, 1, 1), (301_000, 52, 52)]),
    DAILY,
    home.Home(rules=[RULES_CARD], live=[LIVE_GAME], coming=[DAILY], races=[RACING], today=DAILY),
    bodies.Dailies(dailies=[DAILY], missed=["2026-11-18"]),
    bodies.EnterDaily(practice=True),
    bodies.Spoiled(
        deal=bodies.DailyDeal(slot=1, level="gentle", rules="klondike", deal=DAILY_DEAL, runs=17, spoiled=True)
    ),
    bodies.LogRoot(day="2026-11-20", at=1_795_132_800_000, streams=4711, root="5c" * 32),
    bodies.Share(
        text="Cadogan 2026-11-20\n▰▰▰▰▰▰▰▰▰▰ 104 of 104 · The Kings (easy): won, 117 moves, 5:01\n4 days in a row"
    ),
    results.Profile(
        player=ADA,
        since=DEALT_AT - 86_400_000,
        streak=4,
        best_streak=9,
        played=12,
        won=5,
        by_game=[
            results.RulesTally(rules="klondike", played=12, won=5, best_score=52, mean_score=31.25, maximum=52),
        ],
        recent=[results.RecentGame(game=CARD, score=52, moves=117, milliseconds=301_000)],
        week="2026-W47",
        weeks=[
            results.WeekTally(week="2026-W46", rules="klondike", played=3, won=2, best_score=52, mean_score=40.0),
        ],
    ),
    results.GameResult(
        game=CARD,
        score=52,
        maximum=52,
        moves=117,
        milliseconds=301_000,
        active=282_500,
        streak=4,
        points=1250,
        place=results.Place(rank=3, total=17, behind=14),
        day_place=results.Place(rank=5, total=21, behind=16),
        friends_place=results.Place(rank=1, total=4, behind=3),
        past=results.PastGames(played=11, won=4, best_score=52, mean_score=29.5),
        best_run="b2e4s6t3r5u7n2aa",
    ),
    results.Attestation(
        game=GAME,
        entry=results.LogEntry(
            number=4711,
            size=4720,
            origin="club.example/log",
            key="74dd92c4",
            witnesses=[results.WitnessSeen(name="friends.example/witness", at=DEALT_AT + 90_000_000)],
        ),
    ),
    results.GameReceipt(
        game=GAME,
        receipt=(
            f"club.example/log/receipt\ngame/{GAME}\n57\n{'ab' * 32}\n2026-11-21T10:00:00Z\n\n"
            "\N{EM DASH} club.example/log/receipt "
            "zRRe5PTWiLDXc38qOt6AFV0iMRJJf4DDzpr2jsjCuP9UYFkCYnKf20wArdD5UwX+4BwP4pKHpSTCNQf3C4nxVZGesQc=\n"
        ),
        key="club.example/log+74dd92c4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        due_at=DEALT_AT + 24 * 60 * 60 * 1000,
    ),
    results.OwnRuns(runs=[results.OwnRun(game=CARD, entry=4711)], more=False),
    boards.Board(board=f"deal:{DAY}.1", total=1, offset=0, entries=[RUN_PLACE], you=RUN_PLACE),
    boards.Friends(friends=[ADA]),
    boards.NewGroup(name="The Tuesday club"),
    boards.GroupLink(name="The Tuesday club"),
    boards.JoinGroup(token="t3o5k7e2n4t6o3kn"),
    reactions.GiveSign(sign="well_played"),
    reactions.Signs(signs=[SIGN]),
    chat.SwitchTalk(on=True),
    chat.NewTalk(text="Who is there on Thursday?"),
    WRITTEN,
    chat.GroupTalk(group="g2r4o6u3p5g7r2ou", on=True, messages=[WRITTEN]),
    GROUP,
    boards.Groups(groups=[GROUP]),
    boards.NewBot(name="Marvin"),
    results.RecentGame(game=CARD, score=23, moves=112, milliseconds=421_000),
    tokens.NewToken(name="My notebook", scopes=["read"], days=30),
    tokens.PersonalTokens(tokens=[PERSONAL_TOKEN]),
    tokens.MadeToken(**asdict(PERSONAL_TOKEN), token="cadogan_personal_Vx2yZ"),
    boards.Bots(bots=[BOT]),
    *ACCOUNT_EXAMPLES,
    *ANALYSIS_EXAMPLES,
    *COLLECTION_EXAMPLES,
    *ADMIN_EXAMPLES,
)


def example(kind: type) -> Value:
    """Return the example of a type of message or body. Raises LookupError if it has none."""
    try:
        return _BY_TYPE[kind]
    except KeyError:
        raise LookupError(f"there is no example of {kind.__name__}: add one to clients/wire/examples.py") from None


_BY_TYPE: dict[type, Value] = {type(shown): shown for shown in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES, *BODY_EXAMPLES)}
