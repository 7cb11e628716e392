"""The endpoints of the schedule of the daily challenge."""

from cadogan.wire import schedule as wire
from cadogan.wire.endpoint import API, Endpoint

SCHEDULE = f"{API}/house/schedule"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        SCHEDULE,
        "show_schedule",
        "Show which games the days to come have, and how long their runs may take",
        response=wire.ShownSchedule,
        role="host",
    ),
    Endpoint(
        "PUT",
        SCHEDULE,
        "change_schedule",
        "Change the days that are not announced yet, or show what they would be",
        request=wire.ChangeSchedule,
        response=wire.ShownSchedule,
        role="host",
    ),
)
