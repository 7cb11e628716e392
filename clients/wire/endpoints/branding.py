"""The endpoints of the profile of the house."""

from cadogan.wire import branding as wire
from cadogan.wire.endpoint import API, Endpoint

HOUSE = f"{API}/house"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{HOUSE}/profile",
        "show_profile",
        "Show the name, the rules, the texts and the look of the house",
        response=wire.ShownHouseProfile,
    ),
    Endpoint(
        "PUT",
        f"{HOUSE}/profile",
        "change_profile",
        "Change the name, the rules, the texts and the colours of the house",
        request=wire.HouseProfile,
        response=wire.ShownHouseProfile,
        role="host",
    ),
    Endpoint(
        "PUT",
        f"{HOUSE}/crest",
        "change_crest",
        "Change the picture of the house, or take it away",
        request=wire.NewCrest,
        response=wire.ShownHouseProfile,
        role="host",
    ),
)
