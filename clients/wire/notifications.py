"""The HTTP bodies of notifications by Web Push, which are enabled for each device."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Count, LanguageTag, Moment, TimeZone, Value

NotificationTopic = Annotated[
    Literal["day_opened", "overtaken", "race_started", "evening_begins", "challenged", "series_stopped"],
    Meta(
        description="What the device is told: the day is open; somebody has overtaken the player on the board of the "
        "day; a race in which the player takes part begins; an evening that the player has entered, or of a group of "
        "theirs, begins soon; somebody challenges the player to a match; a weekly evening that the player leads, or of "
        "their own group, goes on late or not at all."
    ),
]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", examples=["22:00"])]


class QuietHours(Value, frozen=True, kw_only=True):
    """The times of day, in the device's time zone, between which nothing is sent. They may span midnight."""

    begin: TimeOfDay
    end: TimeOfDay


class NewNotifications(Value, frozen=True, kw_only=True):
    """Enable notifications on this device: the browser's `PushSubscription`, and the kinds to send."""

    endpoint: Annotated[
        str,
        Meta(
            max_length=1000,
            pattern=r"^https://[!-~]+\Z",
            description="The address of the device at its push service. It is a secret, and is never shown again.",
            examples=["https://push.example/send/4f1c"],
        ),
    ]
    p256dh: Annotated[
        str,
        Meta(pattern=r"^[A-Za-z0-9_-]{87}\Z", description="The key of the device: a point on P-256, in base64url."),
    ]
    auth: Annotated[
        str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z", description="The secret of the device: 16 bytes, in base64url.")
    ]
    topics: Annotated[list[NotificationTopic], Meta(min_length=1, max_length=6)]
    time_zone: TimeZone
    quiet: QuietHours | None = None
    language: LanguageTag = "en"


class DeviceNotifications(Value, frozen=True, kw_only=True):
    """The enabled notifications of this device."""

    topics: list[NotificationTopic]
    time_zone: TimeZone
    quiet: QuietHours | None
    language: str
    created_at: Moment


class Notifications(Value, frozen=True, kw_only=True):
    """The data that a browser needs to subscribe, and its enabled notifications, if any.

    `key` is the public key of the server (VAPID), `others` the number of the player's other devices with notifications.
    """

    key: str
    device: DeviceNotifications | None = None
    others: Count = 0
