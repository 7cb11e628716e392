"""The values that the bodies about evenings share."""

from typing import Annotated, Literal

from msgspec import Meta

EveningId = Annotated[str, Meta(min_length=1, max_length=64, description="An evening's id.")]
EveningTitle = Annotated[str, Meta(min_length=1, max_length=60, description="What an evening is called.")]
EveningCode = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z2-7]{6}\Z",
        description="The short code with which people enter an evening: six letters and digits.",
        examples=["K3V7Q2"],
    ),
]
EveningLevel = Literal["mixed", "gentle", "steady", "stern"]
EveningEntry = Annotated[
    Literal["all", "group", "link"],
    Meta(description="Who may enter: everybody of the server, the members of the group, or whoever has the link."),
]
EveningState = Annotated[
    Literal["announced", "entry", "round", "pause", "provisional", "final", "void"],
    Meta(description="A round is open, or the next one is awaited; after the last one the standing is provisional."),
]
ObjectionId = Annotated[str, Meta(min_length=1, max_length=64, description="The id of an objection.")]
TeamId = Annotated[str, Meta(pattern=r"^[1-9][0-9]?\Z", description="The id of a team within its evening: its number.")]
TeamName = Annotated[str, Meta(min_length=1, max_length=40, description="What a team is called.")]
ObjectionAnswer = Literal["upheld", "dismissed"]
EntrantsTag = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z", description="A digest of the list of entrants.")]
Fraction = Annotated[str, Meta(pattern=r"^-?[0-9]+/[0-9]+\Z", description="An exact fraction.", examples=["7/12"])]
Shown = Annotated[str, Meta(description="Hundredths of a per cent, or of a place, rounded half up.")]
RoundNumber = Annotated[int, Meta(ge=1, le=24)]
DealNumber = Annotated[int, Meta(ge=1, le=240, description="The number of a round, or of a deal of an arena.")]
RoundSeconds = Annotated[int, Meta(ge=60, le=7200, description="Seconds for which each deal may be played.")]
PauseSeconds = Annotated[int, Meta(ge=15, le=3600, description="Seconds between two rounds.")]
ShareOfEntrants = Annotated[int, Meta(ge=1, le=10_000)]
