"""One example of every body for hosts and moderators (`examples` has all others)."""

import base64
from typing import Any

from cadogan.wire import admin, branding, findings, history, reports, schedule, webhooks
from cadogan.wire.values import Player, Struck, Value

ADA = Player(id="m3x5q7a2b4c6d2ef", name="Ada", guest=False)
GAME = "k3v7q2m5x4c6z2ab"
DEALT_AT = 1_795_168_800_000
WEEK = 7 * 24 * 3600 * 1000
_ROWDY = Player(id="b2q4w6e3r5t7y2ui", name="Rowdy", guest=False)
_CODE = "aVeryLongCode_fromALink-0123456789abcdefghi"
_INVITATION = "i2n4v6i3t5a7t2io"

_COLOURS = branding.SiteColours(bar="#3b1f4a", accent="#5a2f73", accent_dark="#d3b3e8")
_CREST = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAAD0lEQVR42mNg+A+EDESTAH6/D/GXdBsXAAAAAElFTkSuQmCC"
)
_WEBHOOK: dict[str, Any] = {
    "id": _INVITATION,
    "name": "The channel",
    "host": "hooks.example",
    "format": "standard",
    "topics": ["day_closed", "day_opened"],
    "created_at": DEALT_AT,
}
_DEALS = [schedule.ScheduledDeal(level="gentle", games=["louis", "quatorze"])]

_RUN = admin.RunForStaff(
    game=GAME,
    player=_ROWDY,
    rules="klondike",
    mode="daily",
    ranked=True,
    status="won",
    started_at=DEALT_AT,
    day="2026-11-20",
    slot=1,
    score=52,
    moves=98,
    milliseconds=61_000,
    struck=Struck(reason="cheating", at=DEALT_AT + WEEK),
)
_REPORT = reports.ReportForStaff(
    id="r3p5o7r2t4a6b2cd",
    by=ADA,
    about=admin.PlayerForStaff(player=_ROWDY, created_at=DEALT_AT),
    reason="name",
    text="It is offensive in Turkish.",
    message=reports.ReportedMessage(id="w3r5i7t2t4e6n2ab", text="Not so slow!", group="g2r4o6u3p5g7r2ou"),
    at=DEALT_AT,
    others=2,
    acts=[admin.StaffAct(version=7, at=DEALT_AT, act="renamed", by=ADA, player=_ROWDY, reason="name")],
)

ADMIN_EXAMPLES: tuple[Value, ...] = (
    admin.BecomeHost(code=_CODE),
    admin.ConfirmPassword(password="eight red queens"),
    admin.WaysToConfirm(password=True, passkey=False, provider="Example Works"),
    admin.RegainAccess(code=_CODE, password="nine black knaves"),
    admin.ChangeRole(role="moderator", reason="request"),
    admin.Rename(name="Rowan", reason="name", note="Said hello to everybody with it."),
    admin.Mute(until=DEALT_AT + WEEK, reason="conduct"),
    admin.Suspend(until=DEALT_AT + WEEK, reason="conduct"),
    admin.Ban(banned=True, reason="cheating", note="Third time."),
    admin.Erase(reason="request"),
    admin.Why(reason="security"),
    admin.Strike(struck=True, reason="cheating", note="Every move of another run."),
    _RUN,
    admin.PlayerForStaff(player=_ROWDY, created_at=DEALT_AT, suspended_until=DEALT_AT + WEEK),
    admin.PlayersForStaff(
        players=[admin.PlayerForStaff(player=ADA, created_at=DEALT_AT, role="host")],
        more=False,
    ),
    admin.StaffLog(
        acts=[
            admin.StaffAct(
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
    admin.OneTimeLink(path=f"/access/{_CODE}", expires_at=DEALT_AT + WEEK),
    admin.Entry(accounts="invitation", guests=False),
    admin.NewInvitation(uses=10, days=30),
    admin.Invitations(
        invitations=[
            admin.Invitation(id=_INVITATION, uses=9, created_at=DEALT_AT, expires_at=DEALT_AT + WEEK),
        ]
    ),
    admin.MadeInvitation(id=_INVITATION, uses=10, created_at=DEALT_AT, expires_at=DEALT_AT + WEEK, token=_CODE),
    branding.SiteProfile(name="The Thursday Club", announcement="No games next Thursday.", colours=_COLOURS),
    branding.ShownSiteProfile(
        name="The Thursday Club",
        welcome="We meet at *eight*.",
        welcome_html="<p>We meet at <em>eight</em>.</p>\n",
        crest="/crest/0d5e1c2b3a49586776859493a2b1c0df",
    ),
    branding.NewCrest(image=_CREST),
    webhooks.NewWebhook(name="The channel", url="https://hooks.example/cadogan", topics=["day_opened", "day_closed"]),
    webhooks.Webhooks(webhooks=[webhooks.Webhook(**_WEBHOOK, waiting=1)]),
    webhooks.MadeWebhook(**_WEBHOOK, secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
    webhooks.Deliveries(
        deliveries=[
            webhooks.Delivery(
                id=GAME,
                event="day_closed",
                about="2026-11-19",
                created_at=DEALT_AT,
                state="waiting",
                attempts=1,
                status=503,
                problem="status",
                next_at=DEALT_AT + 10_000,
            )
        ]
    ),
    history.HistoryPage(
        events=[
            history.HistoryEvent(stream=f"game/{GAME}", version=1, type="game_dealt", at=DEALT_AT),
            history.HistoryEvent(stream=f"game/{GAME}", version=2, type="advanced", at=DEALT_AT + 4000),
        ],
        sights=history.KindSights(player="seat", spectator="board", host="meter", public="meter"),
        next="2",
    ),
    history.HistoryEvent(
        stream="daily/2026-11-20", version=2, type="daily_opened", at=DEALT_AT, hash="0" * 64, data={"certificates": {}}
    ),
    schedule.ChangeSchedule(deals=_DEALS, grace=7200, preview=True),
    schedule.ShownSchedule(
        chosen=schedule.Schedule(deals=_DEALS),
        deals=_DEALS,
        grace=3600,
        days=[
            schedule.PlannedDay(
                day="2026-11-28",
                announced=False,
                deals=[schedule.PlannedDeal(level="gentle", rules="louis")],
                grace=3600,
            )
        ],
    ),
    reports.NewReport(reason="cheating", text="Every move of mine, an hour later."),
    reports.MyReports(
        reports=[
            reports.MyReport(
                player=_ROWDY, game=GAME, reason="cheating", at=DEALT_AT, settled_at=DEALT_AT + WEEK, outcome="acted"
            )
        ]
    ),
    reports.ReportsForStaff(reports=[_REPORT], more=False),
    _REPORT,
    reports.Settle(outcome="acted", note="The run was struck."),
    findings.StaffWork(
        reports=2, days=[findings.FindingsDay(day="2026-11-20", found=2, at=DEALT_AT + WEEK, seen=False)]
    ),
    findings.DayFindings(
        day="2026-11-20",
        runs=24,
        copies=[
            findings.CopyFinding(
                run=_RUN,
                of=_RUN,
                agreed=1,
                bits=26.4,
                usual=3.1,
                choices=[
                    findings.SharedChoice(
                        number=1, kind="position", move="deal", agrees=True, choices=4, others=9, same=2, bits=1.7
                    )
                ],
                views=[findings.RunView(player=ADA, at=DEALT_AT)],
            )
        ],
        paces=[findings.PaceFinding(run=_RUN, kind="even", median=800, spread=0.02, waits=90)],
    ),
)
