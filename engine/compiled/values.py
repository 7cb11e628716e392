"""What an expression of a game file becomes: something known while translating, or C++ that computes it.

Types are written as in C++: ``Int``, ``bool``, ``Pile``, ``Piles`` (all piles of a position), ``Counters``,
``Position``, ``Table``, ``Text`` (the label of a shuffle), ``List<T>``, ``Tuple<n>`` (n whole numbers) and
``Maybe<T>`` (a T or None). ``Truth`` is the result of ``and`` and ``or`` where it is good for a test only.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


class Untranslatable(Exception):
    """A game file uses Python that cannot become C++; the message names the file and the line."""


@dataclass(frozen=True)
class Known:
    """A Python object that is known while translating."""

    value: Any


@dataclass(frozen=True)
class Code:
    """C++ that computes a value of this type."""

    text: str
    type: str


@dataclass(frozen=True)
class Chosen:
    """One of several known objects; `at` is C++ for its number."""

    values: tuple[Any, ...]
    at: str


@dataclass(frozen=True)
class Parts:
    """A tuple or list with as many items as are written here."""

    items: tuple["Value", ...]


@dataclass(frozen=True)
class Row:
    """Items that can be counted and asked for: `prelude` runs first, `get` gives the item at a place that exists."""

    size: str
    get: Callable[[str], "Value"]
    prelude: str = ""


@dataclass(frozen=True)
class Lazy:
    """Items that come one after another: ``run(sink)`` is the C++ that runs ``sink(item)`` for each."""

    run: "Callable[[Sink], str]"


@dataclass(frozen=True)
class Closure:
    """A function or lambda defined in another one, with the names that it sees; `globals` are those of its file."""

    node: ast.FunctionDef | ast.Lambda
    names: Mapping[str, "Value"]
    globals: Mapping[str, Any]
    file: str


@dataclass(frozen=True)
class Method:
    """A method of a value that is not known."""

    owner: "Value"
    name: str


Value = Known | Code | Chosen | Parts | Row | Lazy | Closure | Method
Sink = Callable[[Value], str]


@dataclass
class Unit:
    """The C++ of one game while it is being written: its tables of constants and its functions."""

    lines: list[str] = field(default_factory=list)
    functions: dict[Any, tuple[str, str]] = field(default_factory=dict)
    """By function and what is known of its arguments: its name and the type that it returns."""
    kept: list[Any] = field(default_factory=list)
    """Objects whose identity is part of a key of `functions`, kept alive so that the identity stays theirs."""
    _tables: dict[str, str] = field(default_factory=dict)
    _last: int = 0

    def name(self, prefix: str) -> str:
        """Return a name that nothing else in this unit has."""
        self._last += 1
        return f"{prefix}{self._last}"

    def table(self, items: list[str], of_type: str = "Int") -> str:
        """Return the name of a constant table of these items."""
        return self._constant(f"{of_type} {{}}[] = {{{', '.join(items) or '{}'}}};")

    def square(self, rows: list[list[str]]) -> str:
        """Return the name of a constant table of rows, the shorter ones filled up with zeros."""
        width = max([1, *map(len, rows)])
        written = ", ".join(f"{{{', '.join([*row, *['0'] * (width - len(row))])}}}" for row in rows)
        return self._constant(f"Int {{}}[{len(rows)}][{width}] = {{{written}}};")

    def _constant(self, pattern: str) -> str:
        if pattern not in self._tables:
            self._tables[pattern] = self.name("table_")
            name, rest = self._tables[pattern], pattern.partition("{}")
            self.lines.append(f"static const {rest[0]}{name}{rest[2]}")
        return self._tables[pattern]


def is_sequence(value: object) -> bool:
    """Whether this is a known object with an order and a length that the translator walks through itself."""
    return isinstance(value, tuple | list | range) or (
        hasattr(value, "__iter__") and hasattr(value, "__len__") and hasattr(value, "start")
    )


def is_number(value: object) -> bool:
    """Whether this is a whole number or a truth value."""
    return isinstance(value, int)


def item_type(of_type: str) -> str:
    """Return what a list or tuple holds, or what a Maybe may hold."""
    return "Int" if of_type.startswith("Tuple<") else of_type[of_type.index("<") + 1 : -1]


def unify(one: str, other: str) -> str | None:
    """Return the type that has the values of both types, or None."""
    if one == other:
        return one
    pair = {one, other}
    if pair == {"Int", "bool"}:
        return "Int"
    for first, second in ((one, other), (other, one)):
        if first == "None":
            return second if second.startswith("Maybe<") else f"Maybe<{second}>"
        if first.startswith("Maybe<"):
            inner = unify(item_type(first), item_type(second) if second.startswith("Maybe<") else second)
            return inner and f"Maybe<{inner}>"
        if first == "Empty" and (second == "Pile" or second.startswith(("List<", "Tuple<"))):
            return "List<Int>" if second.startswith("Tuple<") else second
    if all(each.startswith("Tuple<") or each == "List<Int>" for each in pair):
        return "List<Int>"
    if all(each.startswith("List<") for each in pair):
        inner = unify(item_type(one), item_type(other))
        return inner and f"List<{inner}>"
    return None


def known_items(value: Value) -> Iterator[Value] | None:
    """Yield the items of a value whose number is known, or return None."""
    if isinstance(value, Parts):
        return iter(value.items)
    if isinstance(value, Known) and is_sequence(value.value):
        return (Known(item) for item in value.value)
    if isinstance(value, Known) and isinstance(value.value, frozenset | set):
        return (Known(item) for item in sorted(value.value))
    return None
