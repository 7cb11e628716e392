"""One example of every body about the player's own account (`examples` has all others)."""

from cadogan.wire import account, mail, notifications, oidc, passkeys
from cadogan.wire.admin_examples import ADA, DEALT_AT
from cadogan.wire.game_examples import GUEST
from cadogan.wire.values import Player, Value

_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
_CHALLENGE = "aVeryLongCode_fromALink-0123456789abcdefghi"
_CODE = "m3x5-q7a2-b4c6-d2ef"

ACCOUNT_EXAMPLES: tuple[Value, ...] = (
    account.NewAccount(name="Ada", password="eight red queens", invitation="aVeryLongCode_fromALink"),
    account.Credentials(name="Ada", password="eight red queens"),
    account.NewPassword(old="eight red queens", new="nine black knaves"),
    account.SignedIn(player=GUEST, token="cadogan_…"),
    account.Session(player=None),
    account.PasswordChanged(player=ADA, token="cadogan_…"),
    Player(id="b2q4w6e3r5t7y2ui", name="Nobody", guest=True, left=True),
    account.AccountMade(player=ADA, token="cadogan_…", recovery_codes=[_CODE]),
    account.RecoveryCodes(codes=[_CODE]),
    account.RecoveryCodesLeft(left=9, made_at=DEALT_AT),
    account.RecoverAccount(name="Ada", code=_CODE, password="nine black knaves"),
    account.OwnSessions(
        sessions=[
            account.OwnSession(
                id="s2e4s6s3i5o7n2id",
                browser="Firefox",
                system="Android",
                created_at=DEALT_AT,
                used_at=DEALT_AT,
                current=True,
            )
        ]
    ),
    mail.MailAddress(offered=True, address="ada@mail.example", confirmed=True, digest=True, digest_offered=True),
    mail.NewMailAddress(address="ada@mail.example", language="de"),
    mail.ConfirmMailAddress(code=_CHALLENGE),
    mail.MailRecovery(address="ada@mail.example"),
    mail.MailDigest(on=True, language="de"),
    mail.EndMailDigest(code=_CHALLENGE),
    notifications.NewNotifications(
        endpoint="https://push.example/send/4f1c",
        p256dh=_POINT,
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        topics=["day_opened", "race_started"],
        time_zone="Europe/Budapest",
        quiet=notifications.QuietHours(begin="22:00", end="07:00"),
        language="hu",
    ),
    notifications.Notifications(
        key=_POINT,
        device=notifications.DeviceNotifications(
            topics=["day_opened", "race_started"],
            time_zone="Europe/Budapest",
            quiet=notifications.QuietHours(begin="22:00", end="07:00"),
            language="hu",
            created_at=DEALT_AT,
        ),
        others=1,
    ),
    oidc.OidcProvider(name="Example Works", linked=True),
    oidc.OidcAddress(address="https://login.example/authorize?response_type=code&state=x3q"),
    oidc.OidcAnswer(code="SplxlOBeZQQYbYS6WxSbIA", state=_CHALLENGE),
    oidc.OidcOutcome(outcome="new"),
    oidc.NewOidcAccount(player="Ada"),
    passkeys.PasskeyChallenge(challenge=_CHALLENGE, site="patience.example"),
    passkeys.NewPasskeyChallenge(challenge=_CHALLENGE, site="patience.example", user="bTN4NXE3YTI", known=[]),
    passkeys.NewPasskey(name="Phone", credential="c3VpdA", client_data="e30", attestation="o2Nm"),
    passkeys.NewPasskeyAccount(name="Phone", credential="c3VpdA", client_data="e30", attestation="o2Nm", player="Ada"),
    passkeys.PasskeyAnswer(credential="c3VpdA", client_data="e30", authenticator_data="SZYN", signature="MEUC"),
    passkeys.Passkeys(
        passkeys=[passkeys.Passkey(id="p2a4s6s3k5e7y2id", name="Phone", created_at=DEALT_AT, used_at=DEALT_AT)]
    ),
    account.OwnData(
        format="cadogan player 1",
        at=DEALT_AT,
        player=ADA,
        friends=[],
        groups=[],
        bots=[],
        tables={"players": [{"created_at": DEALT_AT}], "settings": [{"chosen": '{"theme":"dark"}'}]},
        records=[],
    ),
)
