"""The endpoints of the profile of the server."""

from cadogan.wire import branding as wire
from cadogan.wire.endpoint import API, Endpoint

ADMIN = f"{API}/house"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{ADMIN}/profile",
        "show_profile",
        "Show the name, the rules, the texts and the look of the server",
        response=wire.ShownSiteProfile,
    ),
    Endpoint(
        "PUT",
        f"{ADMIN}/profile",
        "change_profile",
        "Change the name, the rules, the texts and the colours of the server",
        request=wire.SiteProfile,
        response=wire.ShownSiteProfile,
        role="host",
    ),
    Endpoint(
        "PUT",
        f"{ADMIN}/crest",
        "change_crest",
        "Change the picture of the server, or take it away",
        request=wire.NewCrest,
        response=wire.ShownSiteProfile,
        role="host",
    ),
)
