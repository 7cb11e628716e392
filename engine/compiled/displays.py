"""Displays, comprehensions and targets: where several values are written together, or taken apart."""

import ast
from collections.abc import Sequence

from cadogan.engine.compiled.loops import Loops
from cadogan.engine.compiled.values import (
    Chosen,
    Code,
    Known,
    Lazy,
    Parts,
    Sink,
    Value,
    item_type,
    known_items,
)


class Displays(Loops):
    """Translates expressions of several values; `item`, `call` and `assign` are on the floors above."""

    def value(self, node: ast.expr) -> Value:
        """Return the value of an expression. Raises Untranslatable if it is outside the subset."""
        before, self.at = self.at, node
        translate = getattr(self, f"_value_of_{type(node).__name__.lower()}", None)
        if translate is None:
            raise self.refusal(f"{type(node).__name__} is not in the subset of Python that game files may use")
        value: Value = translate(node)
        self.at = before
        return value

    def call(self, function: Value, arguments: Sequence[Value], named: dict[str, Value]) -> Value:
        """Return the value of a call."""
        raise NotImplementedError

    def item(self, owner: Value, at: Value) -> Value:
        """Return the item of a value at a place, or under a key."""
        raise NotImplementedError

    def assign(self, name: str, value: Value) -> str:
        """Return the statement that gives a variable a value."""
        raise NotImplementedError

    def bind(self, target: ast.expr, value: Value) -> None:
        """Let the names of a target of a loop stand for a value, or for its items."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple):
            for name, item in zip(target.elts, self.items(value, len(target.elts)), strict=True):
                self.bind(name, item)
        else:
            raise self.refusal("this target is not in the subset")

    def items(self, value: Value, count: int) -> list[Value]:
        """Return as many items as a target has names, or a call has parameters."""
        if (known := known_items(value)) is not None:
            items = list(known)
            if len(items) != count:
                raise self.refusal(f"{len(items)} items for {count} names")
            return items
        if isinstance(value, Chosen):
            return [self.item(value, Known(place)) for place in range(count)]
        if isinstance(value, Lazy):
            value = self.listed(value)
        if isinstance(value, Code) and value.type.startswith("Maybe<"):
            value = Code(f"(*{value.text})", item_type(value.type))
        if isinstance(value, Code) and value.type.startswith("Tuple<"):
            return [Code(f"{value.text}[{place}]", "Int") for place in range(count)]
        row = self.row(value)
        if row.prelude:
            raise self.refusal("give this a name before it is unpacked")
        return [row.get(str(place)) for place in range(count)]

    def _value_of_tuple(self, node: ast.Tuple | ast.List) -> Value:
        parts: list[Value] = []
        dynamic = False
        for element in node.elts:
            if isinstance(element, ast.Starred):
                value = self.value(element.value)
                items = known_items(value)
                dynamic = dynamic or items is None
                parts += [value] if items is None else items
            else:
                parts.append(self.value(element))
        if dynamic:
            return self._chain(node, parts)
        known = tuple(part.value for part in parts if isinstance(part, Known))
        return Known(known) if len(known) == len(parts) else Parts(tuple(parts))

    _value_of_list = _value_of_tuple

    def _chain(self, node: ast.Tuple | ast.List, parts: list[Value]) -> Value:
        """Return the items of a display with ``*`` before something whose length is not known."""
        starred = [element for element in node.elts if isinstance(element, ast.Starred)]
        values = iter(parts)
        chain: list[Value] = []
        for element in node.elts:
            items = known_items(self.value(element.value)) if isinstance(element, ast.Starred) else None
            if items is not None:
                chain += [Parts((next(values),)) for _ in items]
            else:
                one = next(values)
                chain.append(one if element in starred else Parts((one,)))
        return Lazy(lambda sink: " ".join(self.loop(one, sink) for one in chain))

    def _value_of_set(self, node: ast.Set) -> Value:
        parts = [self.value(element) for element in node.elts]
        if all(isinstance(part, Known) for part in parts):
            return Known(frozenset(part.value for part in parts if isinstance(part, Known)))
        return self.distinct(Parts(tuple(parts)))

    def distinct(self, value: Value) -> Code:
        code = self.listed(value)
        return Code(f"distinct({code.text})", code.type)

    def _value_of_generatorexp(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Value:
        first = node.generators[0]
        if len(node.generators) == 1 and not first.ifs:
            source = self.value(first.iter)
            if self.unrolls(source):
                return Parts(tuple(self._under(first.target, item, node.elt) for item in known_items(source) or ()))
        names = dict(self.names)

        def run(sink: Sink) -> str:
            before, self.names = self.names, dict(names)
            text = self._nest(node.elt, node.generators, sink)
            self.names = before
            return text

        return Lazy(run)

    _value_of_listcomp = _value_of_generatorexp

    def _value_of_setcomp(self, node: ast.SetComp) -> Value:
        return self.distinct(self._value_of_generatorexp(node))

    def _under(self, target: ast.expr, item: Value, element: ast.expr) -> Value:
        before = dict(self.names)
        self.bind(target, item)
        value = self.value(element)
        self.names = before
        return value

    def _nest(self, element: ast.expr, generators: list[ast.comprehension], sink: Sink) -> str:
        if not generators:
            return sink(self.value(element))
        first, *rest = generators

        def inside(item: Value) -> str:
            before = dict(self.names)
            self.bind(first.target, item)
            conditions = [self.truth(self.value(test)) for test in first.ifs]
            body = self._nest(element, rest, sink)
            self.names = before
            return f"if ({' && '.join(conditions)}) {{ {body} }}" if conditions else body

        return self.loop(self.value(first.iter), inside)
