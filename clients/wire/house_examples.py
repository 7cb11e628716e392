"""One example of every body for hosts and moderators (`examples` has all others)."""

from clients.wire import house
from clients.wire.values import Player, Value

ADA = Player(id="m3x5q7a2b4c6d2ef", name="Ada", guest=False)
GAME = "k3v7q2m5x4c6z2ab"
DEALT_AT = 1_795_168_800_000
WEEK = 7 * 24 * 3600 * 1000
_ROWDY = Player(id="b2q4w6e3r5t7y2ui", name="Rowdy", guest=False)
_CODE = "aVeryLongCode_fromALink-0123456789abcdefghi"
_INVITATION = "i2n4v6i3t5a7t2io"

HOUSE_EXAMPLES: tuple[Value, ...] = (
    house.BecomeHost(code=_CODE),
    house.ConfirmPassword(password="eight red queens"),
    house.RegainAccess(code=_CODE, password="nine black knaves"),
    house.ChangeRole(role="moderator", reason="request"),
    house.Rename(name="Rowan", reason="name", note="Said hello to everybody with it."),
    house.Suspend(until=DEALT_AT + WEEK, reason="conduct"),
    house.Ban(banned=True, reason="cheating", note="Third time."),
    house.Why(reason="security"),
    house.HousePlayer(player=_ROWDY, created_at=DEALT_AT, suspended_until=DEALT_AT + WEEK),
    house.HousePlayers(
        players=[house.HousePlayer(player=ADA, created_at=DEALT_AT, role="host")],
        more=False,
    ),
    house.HouseLog(
        acts=[
            house.HouseAct(
                version=2,
                at=DEALT_AT,
                act="suspended",
                by=ADA,
                player=_ROWDY,
                until=DEALT_AT + WEEK,
                reason="conduct",
                note="Warned on Tuesday.",
            )
        ],
        more=True,
    ),
    house.OneTimeLink(path=f"/access/{_CODE}", expires_at=DEALT_AT + WEEK),
    house.Entry(accounts="invitation", guests=False),
    house.NewInvitation(uses=10, days=30),
    house.Invitations(
        invitations=[
            house.Invitation(id=_INVITATION, uses=9, created_at=DEALT_AT, expires_at=DEALT_AT + WEEK),
        ]
    ),
    house.MadeInvitation(id=_INVITATION, uses=10, created_at=DEALT_AT, expires_at=DEALT_AT + WEEK, token=_CODE),
)
