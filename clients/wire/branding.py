"""The HTTP bodies of the profile of the server: its name, rules, texts, colours and crest."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Value

MAX_CREST_BYTES = 40_000
Colour = Annotated[str, Meta(pattern=r"^#[0-9a-f]{6}\Z", description="A colour of the page.", examples=["#17382c"])]
SiteName = Annotated[
    str, Meta(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*\Z", description="Empty where the server has no name.")
]
Line = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*\Z")]
_LINES = r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z"
WelcomeText = Annotated[str, Meta(max_length=2_000, pattern=_LINES, description="Markdown.")]
RulesText = Annotated[str, Meta(max_length=8_000, pattern=_LINES, description="Markdown.")]


class SiteColours(Value, frozen=True, kw_only=True):
    """The colours of the page: of the bar at the top, and of links and buttons on the light and on the dark page."""

    bar: Colour
    accent: Colour
    accent_dark: Colour


class SiteProfile(Value, frozen=True, kw_only=True):
    """The profile of the server; omitted keys are empty.

    `welcome` is shown on the first page, `rules` on a page of their own, and the `announcement` above every page.
    """

    name: SiteName = ""
    announcement: Line = ""
    welcome: WelcomeText = ""
    rules: RulesText = ""
    colours: SiteColours | None = None


class ShownSiteProfile(SiteProfile, frozen=True, kw_only=True):
    """The profile of the server, with its Markdown as HTML without scripts and pictures.

    `crest` is the path of the picture.
    """

    welcome_html: str = ""
    rules_html: str = ""
    crest: str | None = None


class NewCrest(Value, frozen=True, kw_only=True):
    """The picture of the server, or null for none: PNG or WebP, in base64, with sides of 16 to 512 pixels."""

    image: Annotated[bytes, Meta(min_length=1, max_length=MAX_CREST_BYTES)] | None
