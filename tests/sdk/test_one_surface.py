"""Both faces of the SDK, with `async` and without, have the same surface, and `docs/sdk.md` has all of it."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cadogan import sdk
from cadogan.sdk import blocking

PAGE = (Path(__file__).parents[2] / "docs" / "sdk.md").read_text("utf-8")
CLASSES = [(sdk.Client, blocking.Client), (sdk.Game, blocking.Game)]


def public_names(kind: type) -> set[str]:
    """Return the names of the methods and properties that programs may use."""
    return {name for name in dir(kind) if not name.startswith("_")}


def signature(function: Callable[..., Any]) -> list[str]:
    """Return each parameter with its type and default, and the type of the result, without what `async` adds."""
    described = inspect.signature(function)
    texts = [*map(str, described.parameters.values()), inspect.formatannotation(described.return_annotation)]
    return [re.sub(r"Async(?=Iterator)|[\w.]+\.(?=\w)|'", "", text).replace("Self", "Game") for text in texts]


@pytest.mark.parametrize(("one", "other"), CLASSES, ids=["Client", "Game"])
def test_both_faces_have_the_same_methods_and_properties(one: type, other: type) -> None:
    assert public_names(one) == public_names(other)
    for name in public_names(one):
        assert isinstance(getattr(one, name), property) == isinstance(getattr(other, name), property), name
        assert not inspect.iscoroutinefunction(getattr(other, name)), name
        assert getattr(other, name).__doc__, name


@pytest.mark.parametrize(("one", "other"), CLASSES, ids=["Client", "Game"])
def test_both_faces_have_the_same_parameters_and_results(one: type, other: type) -> None:
    for name in public_names(one):
        first, second = getattr(one, name), getattr(other, name)
        if isinstance(first, property):
            first, second = first.fget, second.fget
        assert signature(first) == signature(second), name
    assert list(inspect.signature(sdk.connect).parameters) == list(inspect.signature(blocking.connect).parameters)


def test_the_page_has_every_method_with_its_parameters_and_no_other() -> None:
    described = dict(re.findall(r"^\| `(?:cadogan|game)\.(\w+)(?:\(([^`]*)\))?` \|", PAGE, re.MULTILINE))
    expected = {}
    for kind, _ in CLASSES:
        for name in public_names(kind):
            part = getattr(kind, name)
            parameters = [] if isinstance(part, property) else [*inspect.signature(part).parameters.values()][1:]
            expected[name] = ", ".join(str(one.replace(annotation=one.empty)) for one in parameters)
    assert described == expected


def test_every_method_is_called_by_a_test_of_both_faces() -> None:
    folder = Path(__file__).parent
    names = ("test_api.py", "test_client.py", "test_game.py", "test_analysis.py", "test_evenings.py")
    tests = "".join((folder / name).read_text("utf-8") for name in names)
    called = set(re.findall(r"\b(?:either|game|watched|again)\.(\w+)", tests))
    assert (public_names(sdk.Client) | public_names(sdk.Game)) - called == set()
