"""The endpoints of reviews."""

from cadogan.wire import analysis, reviews
from cadogan.wire.endpoint import API, Endpoint

DAY = f"{API}/dailies/{{day}}"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{DAY}/review",
        "show_review",
        "Show how the deals of a closed day were won and lost, as far as it is known",
        response=reviews.DayReview,
        refusals=("not_found", "spoiler_embargo"),
    ),
    Endpoint(
        "GET",
        f"{DAY}/deals/{{slot}}/best",
        "show_best_line",
        "Show the shortest line that is known to win a deal of a closed day, move by move",
        response=analysis.Way,
        refusals=("not_found", "spoiler_embargo"),
    ),
)
