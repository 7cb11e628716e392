"""The endpoints of notifications. A device's notifications belong to the session of the request, and end with it."""

from cadogan.wire import notifications as wire
from cadogan.wire.endpoint import API, Endpoint

NOTIFICATIONS = f"{API}/account/notifications"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        NOTIFICATIONS,
        "show_notifications",
        "Show what this device has switched on, and the key with which its browser subscribes",
        response=wire.Notifications,
        refusals=("conflict",),
        scope="session",
        role="player",
    ),
    Endpoint(
        "PUT",
        NOTIFICATIONS,
        "set_notifications",
        "Send notifications to this device, from now on and until its session ends",
        request=wire.NewNotifications,
        response=wire.Notifications,
        refusals=("too_many", "conflict"),
        role="player",
    ),
    Endpoint(
        "DELETE",
        NOTIFICATIONS,
        "remove_notifications",
        "Send no notifications to this device any more",
        response=wire.Notifications,
        refusals=("conflict",),
        role="player",
    ),
    Endpoint(
        "POST",
        f"{NOTIFICATIONS}/test",
        "try_notifications",
        "Send a test to this device",
        response=wire.Notifications,
        refusals=("not_found", "conflict"),
        role="player",
    ),
)
