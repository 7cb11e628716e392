"""Deadlines of tests are in one place: a number of a test's own is too small on a slower machine."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
PLACES = {"timeout": 0, "timeout_at": 0, "wait_for": 1}
"""Functions of asyncio that take a deadline, and its place among what they are given."""
SOCKETS = {"settimeout": 0, "create_connection": 1}
"""The same of sockets. With 0 nothing is waited for."""


def test_no_test_has_a_deadline_of_its_own() -> None:
    found = [
        f"{file.relative_to(TESTS.parent)}:{deadline.lineno}: {ast.unparse(deadline)}"
        for file in sorted(TESTS.rglob("*.py"))
        for deadline in deadlines(ast.parse(file.read_text("utf-8")))
        if is_fixed(deadline)
    ]
    assert found == [], "take soon() or long() of tests/harness/patience.py"


def deadlines(tree: ast.AST) -> Iterator[ast.expr]:
    """What calls are given as `timeout` or as a deadline; not `asyncio.wait`, after which a test goes on."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name not in {*PLACES, *SOCKETS, "wait"} and all(keyword.arg != "timeout" for keyword in node.keywords):
            continue
        module = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if (module, name) == ("asyncio", "wait"):
            continue
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "timeout")
        if module == "asyncio" and name in PLACES:
            yield from node.args[PLACES[name] :]
        elif name in SOCKETS:
            yield from (each for each in node.args[SOCKETS[name] :][:1] if ast.unparse(each) != "0")
        elif name == "wait":
            yield from node.args


def is_fixed(expression: ast.expr) -> bool:
    """Whether an expression is made of numbers and constants alone."""
    names = [node.id for node in ast.walk(expression) if isinstance(node, ast.Name)]
    return all(name.isupper() for name in names)
