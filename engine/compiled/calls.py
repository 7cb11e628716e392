"""Calls: Python's own functions, the methods of tables and lists, and the functions of game files."""

import ast
import functools
import inspect
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from cadogan.engine.compiled.expressions import Expressions
from cadogan.engine.compiled.loops import once
from cadogan.engine.compiled.values import (
    Chosen,
    Closure,
    Code,
    Known,
    Lazy,
    Method,
    Parts,
    Row,
    Sink,
    Value,
    item_type,
    known_items,
    unify,
)

_TABLE_METHODS = {"move": 2, "turn": 1, "exchange": 2, "set_counter": 2, "redeal": 2, "shuffle": 3}
"""The methods of a table, with the number of their parameters that have no default."""


class Calls(Expressions):
    """Translates calls; `run_source` is on the floor above."""

    def run_source(
        self, function: FunctionType | Closure, arguments: Sequence[Value], named: dict[str, Value]
    ) -> Value:
        """Return the value of a call of a function whose source is known."""
        raise NotImplementedError

    def _value_of_call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        arguments: list[Value] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                value, rest = self.value(argument.value), self._missing(function, len(arguments))
                known = known_items(value)
                arguments += self.items(value, rest) if known is None else known
            else:
                arguments.append(self.value(argument))
        named = {keyword.arg: self.value(keyword.value) for keyword in node.keywords if keyword.arg}
        self.at = node
        return self.call(function, arguments, named)

    def _missing(self, function: Value, given: int) -> int:
        """Return how many parameters without a default are still to be filled."""
        if isinstance(function, Method) and function.name in _TABLE_METHODS:
            return _TABLE_METHODS[function.name] - given
        raise self.refusal("* stands before something whose length is not known")

    def call(self, function: Value, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
        match function:
            case Closure():
                return self.run_source(function, arguments, named)
            case Method(owner, name):
                return self._call_method(owner, name, arguments, named)
            case Chosen(values, at):
                return self._call_chosen(values, at, arguments, named)
            case Known(known):
                return self._call_known(known, arguments, named)
        raise self.refusal("this cannot be called")

    def _call_known(self, known: Any, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
        everything = [*arguments, *named.values()]
        if all(isinstance(each, Known) for each in everything):
            by_name = {name: each.value for name, each in named.items() if isinstance(each, Known)}
            found = known(*(each.value for each in arguments if isinstance(each, Known)), **by_name)
            return Known(tuple(found) if isinstance(found, Iterator) else found)
        handler = _HANDLERS.get(known) if isinstance(known, type | FunctionType) or inspect.isbuiltin(known) else None
        if handler is not None:
            return handler(self, list(arguments), named)
        if isinstance(known, functools.partial):
            fixed = {name: Known(each) for name, each in known.keywords.items()}
            return self.call(Known(known.func), [*map(Known, known.args), *arguments], {**fixed, **named})
        if isinstance(known, operator.itemgetter):
            return self._pick(known.__reduce__()[1], arguments[0])  # the indices, which it shows nowhere else
        if inspect.ismethod(known) and isinstance(known.__func__, FunctionType):
            return self.run_source(known.__func__, [Known(known.__self__), *arguments], named)
        if isinstance(known, FunctionType):
            return self.run_source(known, arguments, named)
        owner = getattr(known, "__self__", None)
        if inspect.isbuiltin(known) and owner is not None:
            return self._call_method(Known(owner), known.__name__, arguments, named)
        if isinstance(call := vars(type(known)).get("__call__"), FunctionType):
            return self.run_source(call, [Known(known), *arguments], named)
        raise self.refusal(
            f"{getattr(known, '__name__', known)!r} is not in the subset of Python that game files may use"
        )

    def _pick(self, indices: Any, piles: Value) -> Value:
        numbers = self.row(Known(tuple(indices)))
        return Row(numbers.size, lambda place: self.item(piles, numbers.get(place)))

    def _call_chosen(
        self, values: tuple[Any, ...], at: str, arguments: Sequence[Value], named: dict[str, Value]
    ) -> Value:
        kinds = list({id(each): each for each in values}.values())
        numbers = [next(n for n, kind in enumerate(kinds) if kind is each) for each in values]
        results = [self.code(self.call(Known(kind), arguments, named)) for kind in kinds]
        of_type: str | None = results[0].type
        for one in results[1:]:
            of_type = of_type and unify(of_type, one.type)
        if of_type is None:
            raise self.refusal("these functions return different types")
        which = f"at({self.unit.table([str(number) for number in numbers])}, {at})"
        text = self.cast(results[-1], of_type)
        for number, one in reversed(list(enumerate(results[:-1]))):
            text = f"({which} == {number} ? {self.cast(one, of_type)} : {text})"
        return Code(text, of_type)

    def _call_method(self, owner: Value, name: str, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
        if isinstance(owner, Code) and owner.type == "Table" and name in _TABLE_METHODS:
            return self._call_table(owner.text, name, arguments, named)
        if isinstance(owner, Known) and isinstance(owner.value, dict) and name == "get":
            default = arguments[1].value if len(arguments) > 1 and isinstance(arguments[1], Known) else None
            return self.entry(owner.value, self.number(arguments[0]), default)
        if isinstance(owner, Chosen):
            kinds = {type(each) for each in owner.values if each is not None}
            method = getattr(kinds.pop(), name) if len(kinds) == 1 else None
            if isinstance(method, FunctionType):
                return self.run_source(method, [owner, *arguments], named)
        if name in ("count", "index") and len(arguments) == 1:
            listed = self.listed(owner)
            wanted = self.cast(arguments[0], item_type(listed.type))
            return Code(f"{name}_of({listed.text}, {wanted})", "Int")
        raise self.refusal(f"the method {name} is not in the subset")

    def _call_table(self, table: str, name: str, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
        values = list(arguments)
        if name in ("redeal", "shuffle"):
            texts = [one.text for one in map(self._listable, values[:2])]
            if name == "shuffle":
                return Code(f"{table}.shuffle({', '.join([*texts, self.cast(values[2], 'Text')])})", "void")
            order = values[2] if len(values) > 2 else Known("kept")
            if isinstance(order, Known) and isinstance(order.value, str):
                ending = {"kept": "redeal", "reversed": "redeal_reversed"}[order.value]
                return Code(f"{table}.{ending}({', '.join(texts)})", "void")
            return Code(f"{table}.redeal_in({', '.join([*texts, self.listed(order).text])})", "void")
        if name == "turn":
            values += [named.get("place", Known(-1))][: 2 - len(values)]
            up = values[2] if len(values) > 2 else named.get("up", Known(True))
            return Code(f"{table}.turn({self.number(values[0])}, {self.number(values[1])}, {self.truth(up)})", "void")
        return Code(f"{table}.{name}({', '.join(self.number(value) for value in values)})", "void")

    def _listable(self, value: Value) -> Code:
        return self.listed(value) if isinstance(value, Row | Lazy | Chosen) else self.code(value)

    # --- Python's own functions ---

    def _any(self, arguments: list[Value], named: dict[str, Value], wanted: bool = True) -> Value:
        sign = "" if wanted else "!"
        found, missed = str(wanted).lower(), str(not wanted).lower()
        text = self.loop(arguments[0], lambda item: f"if ({sign}{self.truth(item)}) return {found};")
        return once("bool", f"{text} return {missed};")

    def _all(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return self._any(arguments, named, wanted=False)

    def _sum(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        total = self.unit.name("total")
        text = self.loop(arguments[0], lambda item: f"{total} += {self.number(item)};")
        return once("Int", f"Int {total} = 0; {text} return {total};")

    def _len(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        value = arguments[0]
        if isinstance(value, Parts):
            return Known(len(value.items))
        if isinstance(value, Chosen):
            value = self.row(value)
        if isinstance(value, Row) and not value.prelude:
            return Code(f"Int({value.size})", "Int")
        if isinstance(value, Code) and value.type == "Pile":
            return Code(f"{value.text}.size()", "Int")
        return Code(f"{self.code(value).text}.size()", "Int")

    def _next(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        found: list[str] = []

        def note(item: Value) -> str:
            found.append(self.code(item).type)
            return ""

        self.loop(arguments[0], note)
        of_type: str | None = found[0]
        for one in [*found[1:], *(self.code(each).type for each in arguments[1:])]:
            of_type = of_type and unify(of_type, one)
        if of_type is None:
            raise self.refusal("the items and the default have different types")
        kept = of_type
        ending = 'throw Broken("next() of nothing");'
        if len(arguments) > 1:
            ending = f"return {self.cast(arguments[1], kept)};"
        text = self.loop(arguments[0], lambda item: f"return {self.cast(item, kept)};")
        return once(kept, f"{text} {ending}")

    def _extreme(self, arguments: list[Value], named: dict[str, Value], sign: str) -> Value:
        best, key, has, new = (self.unit.name(prefix) for prefix in ("best", "key", "has", "new"))
        items = arguments[0] if len(arguments) == 1 else Parts(tuple(arguments))
        by = named.get("key")

        def compare(item: Value) -> str:
            value = item if by is None else self.call(by, [item], {})
            replace = f"{best} = {self.number(item)}; {key} = {new}; {has} = true;"
            return f"const Int {new} = {self.number(value)}; if (!{has} || {new} {sign} {key}) {{ {replace} }}"

        default = 'throw Broken("nothing to compare");'
        if "default" in named:
            default = f"return {self.number(named['default'])};"
        text = self.loop(items, compare)
        return once("Int", f"Int {best} = 0, {key} = 0; bool {has} = false; {text} if ({has}) return {best}; {default}")

    def _min(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return self._extreme(arguments, named, "<")

    def _max(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return self._extreme(arguments, named, ">")

    def _bool(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return Code(self.truth(arguments[0]), "bool")

    def _int(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return Code(self.number(arguments[0]), "Int")

    def _list(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        value = arguments[0]
        return value if isinstance(value, Code) and value.type.startswith(("List<", "Tuple<")) else self.listed(value)

    def _set(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        return self.distinct(arguments[0])

    def _sorted(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        if named:
            raise self.refusal("sorted() with a key is not in the subset")
        code = self._listable(arguments[0])
        return Code(f"sorted({code.text})", code.type)

    def _range(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        first = "Int(0)" if len(arguments) == 1 else self.number(arguments[0])
        last = self.number(arguments[min(1, len(arguments) - 1)])
        step = arguments[2] if len(arguments) > 2 else Known(1)
        if not isinstance(step, Known) or not step.value:
            raise self.refusal("the step of a range must be known")
        by = abs(step.value)
        span = f"({last} - {first})" if step.value > 0 else f"({first} - {last})"
        start, count = self.unit.name("start"), self.unit.name("span")
        prelude = f"const Int {start} = {first}, {count} = {span} <= 0 ? 0 : ({span} + {by - 1}) / {by};"
        return Row(count, lambda place: Code(f"({start} + {step.value} * {place})", "Int"), prelude)

    def _enumerate(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        row = self.row(arguments[0])
        return Row(row.size, lambda place: Parts((Code(place, "Int"), row.get(place))), row.prelude)

    def _zip(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        rows = [self.row(each) for each in arguments]
        size = functools.reduce(lambda one, other: f"std::min<Int>({one}, {other})", [row.size for row in rows])
        prelude = " ".join(row.prelude for row in rows)
        return Row(size, lambda place: Parts(tuple(row.get(place) for row in rows)), prelude)

    def _reversed(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        row = self.row(arguments[0])
        return Row(row.size, lambda place: row.get(f"({row.size} - 1 - {place})"), row.prelude)

    def _pairwise(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        row = self.row(arguments[0])
        return Row(f"({row.size} - 1)", lambda place: Parts((row.get(place), row.get(f"{place} + 1"))), row.prelude)

    def _map(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        function, items = arguments
        return Lazy(lambda sink: self.loop(items, lambda item: sink(self.call(function, [item], {}))))

    def _combinations(self, arguments: list[Value], named: dict[str, Value]) -> Value:
        if arguments[1] != Known(2):
            raise self.refusal("only combinations of two are in the subset")
        row = self.row(arguments[0])
        one, other = self.unit.name("one"), self.unit.name("other")

        def run(sink: Sink) -> str:
            inside = sink(Parts((row.get(one), row.get(other))))
            inner = f"for (Int {other} = {one} + 1; {other} < {row.size}; {other}++) {{ {inside} }}"
            return f"{{ {row.prelude} for (Int {one} = 0; {one} < {row.size}; {one}++) {inner} }}"

        return Lazy(run)


_HANDLERS: dict[Any, Callable[[Calls, list[Value], dict[str, Value]], Value]] = {
    all: Calls._all,
    any: Calls._any,
    bool: Calls._bool,
    enumerate: Calls._enumerate,
    frozenset: Calls._set,
    int: Calls._int,
    itertools.combinations: Calls._combinations,
    itertools.pairwise: Calls._pairwise,
    len: Calls._len,
    list: Calls._list,
    map: Calls._map,
    max: Calls._max,
    min: Calls._min,
    next: Calls._next,
    range: Calls._range,
    reversed: Calls._reversed,
    set: Calls._set,
    sorted: Calls._sorted,
    sum: Calls._sum,
    tuple: Calls._list,
    zip: Calls._zip,
}
"""Python's functions that game files may use."""
