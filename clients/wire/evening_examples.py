"""Examples of evenings, used in the examples of bodies (`examples`)."""

from cadogan.wire import arenas, bodies, evening_standings, evenings, matches, virtual_evenings
from cadogan.wire.admin_examples import ADA, DEALT_AT, GAME
from cadogan.wire.evening_standings import EveningRow, EveningShare
from cadogan.wire.game_examples import BOT, COMMITMENT, GUEST, SECRET

EVENING = "k3v7q2m5x4c6z2ab"
_MINUTE = 60_000
_SHARE = EveningShare(round=1, how="played", value="17/18", shown="94.44", matchpoints=4, n=3, run=GAME)
_ROW = EveningRow(
    place=1,
    order=1,
    player=ADA,
    total="17/18",
    shown="94.44",
    shares=[_SHARE, EveningShare(round=2, how="adjusted", value="3/5", shown="60.00")],
    runs=1,
    winner=True,
)
_FIELD = evening_standings.EveningField(field="people", rows=[_ROW])
_ROUND = evenings.EveningRound(
    round=1,
    stage="first",
    game="klondike",
    level="gentle",
    opens_at=DEALT_AT,
    closes_at=DEALT_AT + 10 * _MINUTE,
    state="closed",
    deal=f"evening-{EVENING}-1",
    commitment=COMMITMENT,
    finished=3,
    secret=SECRET,
    own=GAME,
    own_result="won",
)
EXAMPLES = (
    evenings.NewEvening(
        title="Thursday at the club",
        starts_at=DEALT_AT,
        rounds=4,
        seconds=480,
        teams=evenings.TeamsWanted(best=2, names=["Elms", "Oaks"]),
        final=evenings.FinalWanted(rounds=1, best=4, carry="half"),
        weekly="Europe/Budapest",
    ),
    evenings.ChangeEvening(title="Friday at the club", starts_at=DEALT_AT + 86_400_000),
    evenings.EnterEvening(name="Rosa", team="1"),
    evenings.AssignTeam(team="2"),
    evenings.Ruling(kind="outage", since=DEALT_AT + _MINUTE, until=DEALT_AT + 4 * _MINUTE, players=[ADA.id]),
    evenings.NewObjection(run=GAME),
    evenings.EveningList(
        at=DEALT_AT - 5 * _MINUTE,
        may_make=True,
        may_make_for_all=True,
        evenings=[
            evenings.EveningCard(
                id=EVENING,
                code="K3V7Q2",
                title="Thursday at the club",
                leader=ADA,
                state="coming",
                entry="all",
                starts_at=DEALT_AT,
                ends_at=DEALT_AT + 10 * _MINUTE,
                is_weekly=True,
            )
        ],
    ),
    evenings.Evening(
        id=EVENING,
        code="K3V7Q2",
        title="Thursday at the club",
        leader=ADA,
        state="provisional",
        entry="all",
        at=DEALT_AT + 11 * _MINUTE,
        version=9,
        entry_opens_at=DEALT_AT - 86_400_000,
        final_at=DEALT_AT + 40 * _MINUTE,
        scoring="matchpoints",
        latest_entry=1,
        rounds=[_ROUND],
        entrants=[
            evenings.EveningEntrant(player=ADA, entered_at=DEALT_AT - _MINUTE),
            evenings.EveningEntrant(player=GUEST, entered_at=DEALT_AT, left=True),
            evenings.EveningEntrant(player=BOT, entered_at=DEALT_AT),
        ],
        is_entered=True,
        series=evenings.EveningSeries(number=3, time_zone="Europe/Budapest", next="q7d2m4k3c5x6z2ab"),
    ),
    matches.NewMatch(against="player", opponent="Bob", deals=5),
    matches.MatchList(
        at=DEALT_AT,
        matches=[
            matches.MatchCard(
                id=EVENING,
                challenger=ADA,
                opponent=GUEST,
                state="coming",
                starts_at=DEALT_AT,
                ends_at=DEALT_AT + 30 * _MINUTE,
            )
        ],
        waiting=[],
    ),
    evenings.EveningGame(evening=EVENING, round=1, game=GAME, closes_at=DEALT_AT + 10 * _MINUTE),
    virtual_evenings.VirtualEvening(
        evening=EVENING,
        at=DEALT_AT + 86_400_000,
        state="on",
        starts_at=DEALT_AT + 86_000_000,
        rounds=[
            virtual_evenings.VirtualRound(
                round=1,
                game="klondike",
                level="steady",
                opens_at=DEALT_AT + 86_000_000,
                closes_at=DEALT_AT + 86_600_000,
                own=GAME,
            )
        ],
        place=4,
        of=37,
        total="7/12",
        shown="58.33",
    ),
    evening_standings.EveningStanding(
        evening=EVENING, state="provisional", at=DEALT_AT + 11 * _MINUTE, version=9, fields=[_FIELD], rounds=[1, 2]
    ),
    evening_standings.EveningRuns(
        evening=EVENING,
        round=1,
        game="klondike",
        runs=[
            evening_standings.EveningRun(
                game=GAME, player=ADA, result="won", score=52, moves=117, milliseconds=301_000, beaten=2, equal=0
            )
        ],
    ),
    arenas.ArenaDeals(
        evening=EVENING,
        deals=[
            arenas.ArenaDeal(
                number=1,
                game="klondike",
                level="gentle",
                deal=f"evening-{EVENING}-1",
                commitment=COMMITMENT,
                secret=SECRET,
                own=GAME,
            )
        ],
    ),
    arenas.ArenaSheet(
        evening=EVENING,
        player=ADA,
        runs=[
            arenas.ArenaRun(
                number=1,
                rules="klondike",
                game=GAME,
                result="won",
                score=52,
                moves=117,
                milliseconds=301_000,
                points=2,
            )
        ],
    ),
    evening_standings.EveningRecord(
        format="cadogan evening record 1",
        evening=EVENING,
        events=[
            bodies.RecordedEvent(
                version=3,
                type="evening_round_opened",
                schema=1,
                data={"round": 1},
                recorded_at=DEALT_AT,
                hash="cd" * 32,
            )
        ],
        runs=[GAME],
        standing={"format": "cadogan standing 1", "evening": EVENING, "state": "final"},
    ),
)
"""One example of each body."""
