"""Examples of games, races and days, used in the examples of messages and bodies (`examples`)."""

from cadogan.wire import bodies, chat, messages, reactions, tokens
from cadogan.wire.admin_examples import ADA, DEALT_AT, GAME
from cadogan.wire.values import GameCard, Meter, Player, Racer

GUEST = Player(id="z7y5x3w2v4u6t2sr", name="Guest z7y5x3w2", guest=True)
BOT = Player(id="bot-q2w3e4r5t6y7u2io", name="Marvin", guest=False, bot=True)
DEAL = "d4e6f2g3h5i7j2kl"
DAY = "2026-11-20"
DAILY_DEAL = "2026-11-20.1"
RACE = "r2s4t6u3v5w7x2yz"
WRITTEN = chat.TalkMessage(id="w3r5i7t2t4e6n2ab", by=ADA, at=DEALT_AT, text="Who is there on Thursday?")
SIGN = reactions.Sign(by=ADA, sign="well_played", at=DEALT_AT)
COMMITMENT = "5f" * 32
SECRET = "c0" * 32

CARD = GameCard(
    id=GAME,
    rules="klondike",
    rules_version=1,
    player=ADA,
    deal=DAILY_DEAL,
    mode="daily",
    ranked=True,
    status="playing",
    started_at=DEALT_AT,
    commitment=COMMITMENT,
    day=DAY,
    slot=1,
)
METER = Meter(
    game=GAME,
    deal=DAILY_DEAL,
    player=ADA,
    home=4,
    score=4,
    moves=31,
    milliseconds=90_500,
    status="playing",
    ranked=True,
)
LIVE_GAME = bodies.LiveGame(
    game=GAME,
    deal=DEAL,
    player=GUEST,
    home=4,
    score=4,
    moves=31,
    milliseconds=90_500,
    status="playing",
    ranked=False,
    rules="maze",
)
PERSONAL_TOKEN = tokens.PersonalToken(
    id="t2o4k6e3n5s7t2ok",
    name="My notebook",
    scopes=["read"],
    created_at=DEALT_AT,
    expires_at=DEALT_AT + 2_592_000_000,
)
VIEW = messages.View(
    id="c1",
    game=CARD,
    sight="seat",
    version=2,
    piles={"stock": [23], "waste": ["4C"], "tableau.0": ["7H"], "tableau.1": [1, "8S"]},
    counters={},
    score=0,
    home=0,
    moves=1,
    status="playing",
    legal=["deal", "tableau.0/tableau.1"],
    can_take_back=True,
    may_ask_if_winnable=True,
    watchers=2,
    clock=4_200,
)
MOVE_PLAYED = messages.MovePlayed(
    game=GAME,
    version=3,
    command="c2",
    move="tableau.0/tableau.1",
    effects=["moved tableau.0 tableau.1 1"],
    piles={"tableau.0": [], "tableau.1": [1, "8S", "7H"]},
    counters={},
    score=0,
    home=0,
    moves=2,
    status="playing",
    legal=["deal"],
    can_take_back=True,
    at=DEALT_AT + 6_000,
)
RACING = messages.Race(
    id="c9",
    race=RACE,
    rules="klondike",
    state="running",
    size=4,
    seconds=600,
    countdown=5,
    open=True,
    commitment=COMMITMENT,
    opened_at=DEALT_AT - 65_000,
    version=4,
    at=DEALT_AT + 90_500,
    racers=[Racer(player=ADA, nonce="a rainy Friday", meter=METER), Racer(player=GUEST, nonce="eight red queens")],
    invited=[],
    host=ADA.id,
    starts_at=DEALT_AT,
    ends_at=DEALT_AT + 600_000,
    nonce="a8" * 32,
)
FINISHED = messages.GameFinished(
    game=GAME, version=120, result="won", score=52, moves=117, milliseconds=301_000, active=298_000
)
DEAL_OF_THE_DAY = bodies.DailyDeal(
    slot=1,
    level="gentle",
    rules="klondike",
    deal=DAILY_DEAL,
    runs=17,
    your_game=GAME,
    your_status="playing",
    search=bodies.DealSearch(solver=2, budget=10_000),
    seal="5e" * 32,
)
DAILY = bodies.Daily(
    day=DAY,
    commitment=COMMITMENT,
    state="open",
    opens_at=DEALT_AT,
    ends_at=DEALT_AT + 86_400_000,
    closes_at=DEALT_AT + 90_000_000,
    deals=[DEAL_OF_THE_DAY],
    streak=4,
)
