"""What a bug is, what became of it, and why some bugs harm nobody."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutants.areas import ROOT

EXPLAINED = Path(__file__).parent / "explained.toml"

NOTICED = "noticed"
TIMED_OUT = "timed out"
"""The tests went on for ever, as those of a loop without an end do."""
SURVIVED = "survived"
UNCLEAR = "unclear"
"""A test failed that fails without the bug too, as one may on a loaded machine."""

NO_BUG = "no bug"
"""The operator that changes nothing. If the tests notice that, they fail by themselves, as on a loaded machine."""

Key = tuple[str, str, str, str]
"""The module, the operator, and the changed line before and after."""


class Bug(NamedTuple):
    """One bug: where it is put in, by which operator of the tool, and its number among those of the operator there."""

    area: str
    module: str
    line: int
    operator: str
    number: int

    @property
    def is_control(self) -> bool:
        """Whether it changes nothing."""
        return self.operator == NO_BUG


class Change(NamedTuple):
    """The first line that a bug changes, before and after."""

    before: str
    after: str


class Outcome(NamedTuple):
    """What became of a bug, and the test that failed."""

    bug: Bug
    change: Change
    fate: str
    test: str

    @property
    def key(self) -> Key:
        """What tells the bug from others, wherever in its module the line stands."""
        return self.bug.module, self.bug.operator, *self.change

    def __str__(self) -> str:
        where = f"{self.bug.module}:{self.bug.line} {self.bug.operator}"
        return f"{where}\n    - {self.change.before}\n    + {self.change.after}"


def changed_line(before: str, after: str) -> Change:
    """Return the first line that differs."""
    for old, new in zip_longest(before.splitlines(), after.splitlines(), fillvalue=""):
        if old != new:
            return Change(old.strip(), new.strip())
    return Change("", "")


def read_explained() -> dict[Key, str]:
    """Return why bugs that no test notices harm nobody, by their keys."""
    listed = tomllib.loads(EXPLAINED.read_text("utf-8")).get("bug", [])
    return {(one["module"], one["operator"], one["before"], one["after"]): one["why"] for one in listed}


def outdated(explained: Iterable[Key]) -> Iterator[str]:
    """Yield the explained lines that their modules no longer have."""
    for module, _, before, _ in explained:
        if before not in map(str.strip, (ROOT / module).read_text("utf-8").splitlines()):
            yield f"{module}: {before}"


def encode_outcome(outcome: Outcome) -> str:
    """Return the line of a log that says what became of a bug."""
    return json.dumps(outcome)


def decode_outcome(line: str) -> Outcome:
    """Return what a line of a log says. Raises ValueError for another line."""
    bug, change, fate, test = json.loads(line)
    return Outcome(Bug(*bug), Change(*change), fate, test)
