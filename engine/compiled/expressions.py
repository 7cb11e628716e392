"""Python expressions as C++."""

import ast
import builtins
import operator
from collections.abc import Callable
from typing import Any

from cadogan.engine.compiled.displays import Displays
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
    Value,
    is_number,
    is_sequence,
    item_type,
    unify,
)

_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("{} + {}", operator.add),
    ast.Sub: ("{} - {}", operator.sub),
    ast.Mult: ("{} * {}", operator.mul),
    ast.FloorDiv: ("divide({}, {})", operator.floordiv),
    ast.Mod: ("modulo({}, {})", operator.mod),
    ast.BitAnd: ("{} & {}", operator.and_),
    ast.BitOr: ("{} | {}", operator.or_),
    ast.BitXor: ("{} ^ {}", operator.xor),
    ast.LShift: ("{} << {}", operator.lshift),
    ast.RShift: ("{} >> {}", operator.rshift),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_NO_ENTRY = object()


class Expressions(Displays):
    """Translates expressions; calls are on the floor above."""

    def _value_of_constant(self, node: ast.Constant) -> Value:
        return Known(node.value)

    def _value_of_name(self, node: ast.Name) -> Value:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in self.globals:
            return Known(self.globals[node.id])
        if hasattr(builtins, node.id):
            return Known(getattr(builtins, node.id))
        raise self.refusal(f"the name {node.id} is unknown here")

    def _value_of_namedexpr(self, node: ast.NamedExpr) -> Value:
        text = self.assign(node.target.id, self.value(node.value))
        value = self.names[node.target.id]
        return Code(f"({text.rstrip(';')})", value.type) if isinstance(value, Code) and text else value

    def _value_of_lambda(self, node: ast.Lambda) -> Value:
        return Closure(node, dict(self.names), self.globals, self.file)

    def _value_of_joinedstr(self, node: ast.JoinedStr) -> Value:
        parts = []
        for part in node.values:
            value = self.value(part.value if isinstance(part, ast.FormattedValue) else part)
            code = self.code(value)
            parts.append(code.text if code.type == "Text" else f"std::to_string({self.number(code)})")
        return Code(f"({' + '.join(parts)})", "Text")

    def _value_of_attribute(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        match owner:
            case Known(known):
                return Known(getattr(known, node.attr))
            case Chosen(values, at) if node.attr != "get" and not self._is_method(values, node.attr):
                return _choose([None if each is None else getattr(each, node.attr) for each in values], at)
            case Code(text, "Position" | "Table") if node.attr in ("piles", "counters", "before"):
                return Code(f"{text}.{node.attr}", "Counters" if node.attr == "counters" else "Piles")
        return Method(owner, node.attr)

    @staticmethod
    def _is_method(values: tuple[Any, ...], name: str) -> bool:
        return any(callable(getattr(type(each), name, None)) for each in values if each is not None)

    def _value_of_boolop(self, node: ast.BoolOp) -> Value:
        values: list[Value] = []
        for operand in node.values:
            value = self.value(operand)
            if isinstance(value, Known) and bool(value.value) == isinstance(node.op, ast.Or):
                values.append(value)
                break
            values.append(value)
        if all(isinstance(value, Known) for value in values):
            return values[-1]
        is_bool = all(self._is_bool(value) for value in values)
        joined = (" && " if isinstance(node.op, ast.And) else " || ").join(self.truth(value) for value in values)
        return Code(f"({joined})", "bool" if is_bool else "Truth")

    @staticmethod
    def _is_bool(value: Value) -> bool:
        match value:
            case Code(_, of_type):
                return of_type == "bool"
            case Known(known):
                return isinstance(known, bool)
            case Chosen(values, _):
                return all(isinstance(each, bool) for each in values)
        return False

    def _value_of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return Known(not value.value) if isinstance(value, Known) else Code(f"(!{self.truth(value)})", "bool")
        if isinstance(value, Known):
            return Known(-value.value if isinstance(node.op, ast.USub) else ~value.value)
        return Code(f"({'-' if isinstance(node.op, ast.USub) else '~'}{self.number(value)})", "Int")

    def _value_of_binop(self, node: ast.BinOp) -> Value:
        one, other = self.value(node.left), self.value(node.right)
        return self.combine(node.op, one, other)

    def combine(self, sign: ast.operator, one: Value, other: Value) -> Value:
        """Return the value of two operands."""
        if type(sign) not in _OPERATORS:
            raise self.refusal(f"{type(sign).__name__} is not in the subset")
        pattern, compute = _OPERATORS[type(sign)]
        if isinstance(one, Known) and isinstance(other, Known):
            return Known(compute(one.value, other.value))
        if isinstance(sign, ast.Add) and (self._is_listed(one) or self._is_listed(other)):
            return self._concatenate(one, other)
        if isinstance(sign, ast.Mult) and self._is_listed(one):
            listed = self.listed(one)
            return Code(f"repeated({listed.text}, {self.number(other)})", listed.type)
        return Code(f"({pattern.format(self.number(one), self.number(other))})", "Int")

    @staticmethod
    def _is_listed(value: Value) -> bool:
        if isinstance(value, Known):
            return is_sequence(value.value)
        if isinstance(value, Code):
            return value.type.startswith(("List<", "Tuple<"))
        return isinstance(value, Parts | Row | Lazy)

    def _concatenate(self, one: Value, other: Value) -> Value:
        return self.listed(Lazy(lambda sink: self.loop(one, sink) + " " + self.loop(other, sink)))

    def _value_of_ifexp(self, node: ast.IfExp) -> Value:
        test = self.value(node.test)
        if isinstance(test, Known):
            return self.value(node.body if test.value else node.orelse)
        truth = self.truth(test)
        one, other = self.value(node.body), self.value(node.orelse)
        if isinstance(one, Known) and isinstance(other, Known):
            plain = all(each.value is None or is_number(each.value) for each in (one, other))
            if not plain or (one.value is None and other.value is None):
                return _choose([one.value, other.value], f"({truth} ? 0 : 1)")
        one, other = (self.listed(each) if isinstance(each, Row | Lazy) else self.code(each) for each in (one, other))
        of_type = unify(one.type, other.type)
        if of_type is None:
            raise self.refusal(f"one of these is a {one.type} and the other a {other.type}")
        return Code(f"({truth} ? {self.cast(one, of_type)} : {self.cast(other, of_type)})", of_type)

    def _value_of_compare(self, node: ast.Compare) -> Value:
        left, parts = self.value(node.left), list[Value]()
        for sign, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator)
            parts.append(self._compare(sign, left, right))
            left = right
        if all(isinstance(part, Known) for part in parts):
            return Known(all(part.value for part in parts if isinstance(part, Known)))
        return Code(f"({' && '.join(self.truth(part) for part in parts)})", "bool")

    def _compare(self, sign: ast.cmpop, left: Value, right: Value) -> Value:
        negated = isinstance(sign, ast.NotIn | ast.IsNot | ast.NotEq)
        if isinstance(sign, ast.Is | ast.IsNot):
            return self._is_none(left, negated)
        if isinstance(sign, ast.In | ast.NotIn):
            if isinstance(left, Known) and isinstance(right, Known):
                return Known((left.value in right.value) != negated)
            return Code(f"({'!' if negated else ''}{self._contains(left, right)})", "bool")
        symbol, compute = _COMPARISONS[type(sign)]
        if isinstance(left, Known) and isinstance(right, Known):
            return Known(compute(left.value, right.value))
        one, other = self._comparable(left), self._comparable(right)
        if "Pile" in (one.type, other.type) and "Empty" in (one.type, other.type):
            return Code(f"({'' if negated else '!'}bool({one.text if one.type == 'Pile' else other.text}))", "bool")
        of_type = unify(one.type, other.type)
        if of_type is None:
            raise self.refusal(f"a {one.type} is compared with a {other.type}")
        if of_type.startswith("List<"):
            denial = "!" if negated else ""
            return Code(f"({denial}equal({self.cast(one, of_type)}, {self.cast(other, of_type)}))", "bool")
        of_type = item_type(of_type) if of_type.startswith("Maybe<") else of_type
        return Code(f"({self.cast(one, of_type)} {symbol} {self.cast(other, of_type)})", "bool")

    def _comparable(self, value: Value) -> Code:
        if isinstance(value, Known) and isinstance(value.value, set | frozenset):
            return self.listed(Known(tuple(sorted(value.value))))
        return self.code(value)

    def _is_none(self, value: Value, negated: bool) -> Value:
        match value:
            case Known(known):
                return Known((known is None) != negated)
            case Chosen(values, at):
                return _choose([(each is None) != negated for each in values], at)
            case Code(text, of_type) if of_type.startswith("Maybe<"):
                return Code(f"{text}.has" if negated else f"(!{text}.has)", "bool")
        return Known(negated)

    def _contains(self, wanted: Value, where: Value) -> str:
        if isinstance(where, Known):
            numbers = sorted(where.value)
            if not numbers:
                return "false"
            if numbers == list(range(numbers[0], numbers[-1] + 1)):
                return f"is_between({self.number(wanted)}, {numbers[0]}, {numbers[-1]})"
        if isinstance(wanted, Known) and wanted.value == ():
            empty = self.loop(where, lambda item: f"if (!{self.truth(item)}) return true;")
            return once("bool", f"{empty} return false;").text
        found, name = self.code(wanted), self.unit.name("it")
        search = self.loop(where, lambda item: f"if ({name} == {self.cast(item, found.type)}) return true;")
        return once("bool", f"const auto {name} = {found.text}; {search} return false;").text

    def _value_of_subscript(self, node: ast.Subscript) -> Value:
        owner = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node.slice)
        return self.item(owner, self.value(node.slice))

    def item(self, owner: Value, at: Value) -> Value:
        """Return the item of a value at a place, or under a key."""
        match owner:
            case Known(known) if isinstance(at, Known):
                return Known(known[at.value])
            case Known(known) if isinstance(known, dict):
                return self.entry(known, self.number(at), _NO_ENTRY)
            case Known(known) if is_sequence(known):
                return _choose(list(known), self.number(at))
            case Chosen(values, choice) if isinstance(at, Known):
                return _choose([None if each is None else each[at.value] for each in values], choice)
            case Chosen(values, choice):
                return self.row(Chosen(values, choice)).get(self.number(at))
            case Parts(items) if isinstance(at, Known):
                return items[int(at.value)]
            case Code(text, "Piles"):
                if isinstance(at, Known) and at.value < 0:
                    raise self.refusal("the pack in hand is there during the deal only")
                return Code(f"{text}[{self.number(at)}]", "Pile")
            case Code(text, "Counters"):
                return Code(f"Int({text}[{self.number(at)}])", "Int")
            case Code(text, of_type) if of_type.startswith("Maybe<"):
                return self.item(Code(f"(*{text})", item_type(of_type)), at)
            case Code(text, "Pile"):
                return Code(f"{text}[{self.number(at)}]", "Int")
            case Code(text, of_type) if of_type.startswith(("List<", "Tuple<")):
                return Code(f"{text}[{self.number(at)}]", item_type(of_type))
        code = self.listed(owner)
        return Code(f"{code.text}[{self.number(at)}]", item_type(code.type))

    def entry(self, known: dict[Any, Any], key: str, default: Any) -> Value:
        """Return what a dictionary with numbers as keys holds under a key."""
        if not known or not all(is_number(each) for each in known):
            raise self.refusal("only a dictionary with whole numbers as keys can be asked for a key that is computed")
        first, count = min(known), max(known) - min(known) + 1
        values = [known.get(number, default) for number in range(first, first + count)]
        if default is _NO_ENTRY:
            usual = next(iter(known.values()))
            return _choose([usual if each is _NO_ENTRY else each for each in values], f"({key} - {first})")
        return _choose([*values, default], f"place_of({key}, {first}, {count})")

    def _slice(self, owner: Value, node: ast.Slice) -> Value:
        bounds = [Known(None) if each is None else self.value(each) for each in (node.lower, node.upper, node.step)]
        if isinstance(owner, Known) and all(isinstance(each, Known) for each in bounds):
            return Known(owner.value[slice(*(each.value for each in bounds if isinstance(each, Known)))])
        if bounds[2] != Known(None):
            raise self.refusal("a slice with a step must be known")
        start = "Int(0)" if bounds[0] == Known(None) else self.number(bounds[0])
        if isinstance(owner, Code) and owner.type == "Piles":
            if bounds[1] == Known(None):
                raise self.refusal("a slice of the piles needs an end")
            text = owner.text
            return Row(
                f"({self.number(bounds[1])} - {start})", lambda place: Code(f"{text}[{start} + {place}]", "Pile")
            )
        end = f"Int({2**30})" if bounds[1] == Known(None) else self.number(bounds[1])
        if isinstance(owner, Code) and owner.type == "Pile":
            return Code(f"slice({owner.text}, {start}, {end})", "List<Int>")
        listed = self.listed(owner)
        return Code(f"slice({listed.text}, {start}, {end})", listed.type)


def _choose(values: list[Any], at: str) -> Value:
    """Return one of these objects, by its number; the object itself if all are the same."""
    first = values[0]
    if all(each is first or (is_number(each) and type(each) is type(first) and each == first) for each in values):
        return Known(first)
    return Chosen(tuple(values), at)
