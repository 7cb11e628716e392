"""The analysis of a game as characters and words: each position won, lost or unknown. It is pure."""

from collections.abc import Callable, Sequence

from rich.text import Text

from cadogan.terminal.words import t
from cadogan.wire.analysis import Analysis, Verdict

VERDICT_SIGNS: dict[Verdict | None, tuple[str, str]] = {
    "won": ("▔", "green"),
    "lost": ("▁", "red"),
    "unknown": ("╌", "yellow"),
    None: ("·", "dim"),
}
"""The character and the style of each verdict; None stands for a position that was not searched yet."""
LOSS_SIGN = "╲"
"""The sign of a move that lost a win."""
MAX_LOSSES = 5
"""The maximum number of listed moves that lost a win."""


def verdict_at(analysis: Analysis, version: int) -> Verdict | None:
    """Return the verdict of the position at a version of the game; None if it is not known."""
    known = 0 < version <= len(analysis.verdicts)
    return analysis.verdicts[version - 1] if known else None


def find_losses(analysis: Analysis, versions: Sequence[int]) -> list[int]:
    """Return the numbers of the positions at which a win was lost. `versions` has the version of each position."""
    losses = set(analysis.losses)
    return [index for index, version in enumerate(versions) if version in losses]


def draw_strip(analysis: Analysis, versions: Sequence[int], column: Callable[[int], int], width: int) -> Text:
    """Return the verdicts of the positions as a strip of this width; `column` says where each position is in it.

    A position fills the columns up to the next one. A column for several positions shows a loss if there is one,
    otherwise the last position.
    """
    signs = [VERDICT_SIGNS[None]] * width
    for index, version in enumerate(versions):
        sign = VERDICT_SIGNS[verdict_at(analysis, min(version, len(analysis.verdicts)))]
        signs[column(index) :] = [sign] * (width - column(index))
    for index in find_losses(analysis, versions):
        signs[column(index)] = (LOSS_SIGN, "bold red")
    return Text.assemble(*signs, no_wrap=True, overflow="ellipsis")


def describe_progress(analysis: Analysis, losses: Sequence[int]) -> str:
    """Return the progress or the result of the analysis in words; `losses` are the moves that lost a win."""
    known = [verdict for verdict in analysis.verdicts if verdict is not None]
    if losses:
        named = ", ".join(map(str, losses[:MAX_LOSSES])) + (" …" if len(losses) > MAX_LOSSES else "")
        return t("terminal.lost_at", moves=named)
    match analysis.state:
        case "waiting":
            return t("terminal.analysis_waiting", count=analysis.ahead or 0)
        case "working":
            return t("terminal.analysis_working", now=len(known), end=len(analysis.verdicts))
    if known[:1] == ["lost"]:
        return t("terminal.never_winnable")
    return t("terminal.never_lost" if set(known) == {"won"} else "terminal.not_all_decided")


def describe_verdict(verdict: Verdict | None) -> str:
    """Return a verdict as a sentence, an empty one if it is not known."""
    match verdict:
        case "won":
            return t("terminal.verdict_won")
        case "lost":
            return t("terminal.verdict_lost")
        case "unknown":
            return t("terminal.verdict_unknown")
    return ""


def describe_position(analysis: Analysis, version: int, is_loss: bool) -> str:
    """Return in words the verdict on the position at this version, and on the moves from it.

    `is_loss` is whether the move to this position lost the win.
    """
    sentences = [t("terminal.lost_here")] if is_loss else []
    sentences.append(describe_verdict(verdict_at(analysis, version)))
    for choices in analysis.choices:
        if choices.version == version:
            moves = choices.keeping + choices.losing + choices.unknown
            sentences.append(t("terminal.choices", keeping=choices.keeping, count=moves))
            if choices.unknown:
                sentences.append(t("terminal.choices_unknown", count=choices.unknown))
    return " ".join(filter(None, sentences))
