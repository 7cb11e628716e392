"""The endpoints of sessions, of the account that asks, and of its settings."""

from clients.wire import bodies, settings
from clients.wire.endpoint import API, Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        f"{API}/session/guest",
        "begin_as_guest",
        "Begin a session as a new guest",
        response=bodies.SignedIn,
    ),
    Endpoint(
        "POST",
        f"{API}/session",
        "sign_in",
        "Sign in",
        request=bodies.Credentials,
        response=bodies.SignedIn,
        refusals=("bad_credentials",),
    ),
    Endpoint("GET", f"{API}/session", "who_am_i", "Show the signed-in player", response=bodies.Session),
    Endpoint("DELETE", f"{API}/session", "sign_out", "Sign out", response=bodies.Session),
    Endpoint(
        "DELETE",
        f"{API}/sessions",
        "sign_out_everywhere",
        "End every session of the player",
        response=bodies.Session,
        signed_in=True,
    ),
    Endpoint(
        "POST",
        f"{API}/account",
        "claim_name",
        "Give the guest who asks a name and a password; a new session begins, and all earlier ones end",
        request=bodies.Credentials,
        response=bodies.SignedIn,
        refusals=("name_taken", "conflict"),
        signed_in=True,
    ),
    Endpoint(
        "PUT",
        f"{API}/account/password",
        "change_password",
        "Change the password; a new session begins, and all earlier ones end",
        request=bodies.NewPassword,
        response=bodies.PasswordChanged,
        refusals=("bad_credentials", "conflict"),
        signed_in=True,
    ),
    Endpoint(
        "GET",
        f"{API}/settings",
        "show_settings",
        "Show the settings of the web page",
        response=settings.KeptSettings,
        signed_in=True,
    ),
    Endpoint(
        "PUT",
        f"{API}/settings",
        "keep_settings",
        "Store the settings of the web page with the account",
        request=settings.Settings,
        response=settings.KeptSettings,
        signed_in=True,
    ),
)
