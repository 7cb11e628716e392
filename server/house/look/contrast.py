"""Checks the contrast of a host's colours by WCAG 2, which requires 4.5 between a text and its background."""

from cadogan.server.core.errors import BadMessage
from cadogan.wire.house_profile import HouseColours

MIN_CONTRAST = 4.5
BAR_INK = "#e7dfca"
"""The text on the bar, in the darker of the two themes: `--bar-ink` in `clients/web/style/base.css`."""
LIGHT_PAGE = "#efe9da"
"""The darkest background of a link in the light theme: `--page`. The white text on buttons has more contrast."""
DARK_PANEL = "#1a2224"
"""The lightest background of a link in the dark theme: `--panel`."""
DARK_BUTTON_INK = "#0d2018"
"""The text on a button in the dark theme: `--accent-ink`."""


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2).

    >>> contrast("#ffffff", "#000000")
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def check_colours(colours: HouseColours) -> None:
    """Check that texts in these colours, and on them, are readable. Raises BadMessage."""
    for colour, grounds in (
        (colours.bar, (BAR_INK,)),
        (colours.accent, (LIGHT_PAGE,)),
        (colours.accent_dark, (DARK_PANEL, DARK_BUTTON_INK)),
    ):
        for ground in grounds:
            found = contrast(colour, ground)
            if found < MIN_CONTRAST:
                raise BadMessage(
                    "{colour} is too hard to read with {ground}: their contrast is {contrast}, and must be {least}.",
                    colour=colour,
                    ground=ground,
                    contrast=f"{found:.2f}",
                    least=str(MIN_CONTRAST),
                )


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
