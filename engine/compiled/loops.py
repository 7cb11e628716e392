"""Values as C++ text: conversions between types, and loops over everything that has items."""

import ast
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from cadogan.engine.compiled.values import (
    Chosen,
    Code,
    Known,
    Lazy,
    Parts,
    Row,
    Sink,
    Unit,
    Untranslatable,
    Value,
    is_number,
    is_sequence,
    item_type,
    known_items,
    unify,
)


class Loops:
    """The floor of the translator of one function: what its values are in C++, and how loops walk through them."""

    def __init__(self, unit: Unit, names: Mapping[str, Value], globals_: Mapping[str, Any], file: str) -> None:
        self.unit = unit
        self.names: dict[str, Value] = dict(names)
        self.globals = globals_
        self.file = file
        self.at: ast.AST | None = None
        """The statement or expression that is being translated, for the messages of errors."""

    def refusal(self, why: str) -> Untranslatable:
        """Return the error for what is being translated, with the file and the line."""
        line = getattr(self.at, "lineno", 0)
        shown = f" in `{ast.unparse(self.at)[:70]}`" if isinstance(self.at, ast.expr | ast.stmt) else ""
        return Untranslatable(f"{self.file}:{line}: {why}{shown}")

    def code(self, value: Value) -> Code:
        """Return the C++ that computes a value."""
        match value:
            case Code():
                return value
            case Known(known):
                return self._known_code(known)
            case Chosen(values, at):
                return self._chosen_code(values, at)
            case Parts(items):
                return self._parts_code(items)
            case Row() | Lazy():
                return self.listed(value)
        raise self.refusal(f"a {type(value).__name__.lower()} cannot be kept in a variable or passed on")

    def _known_code(self, known: Any) -> Code:
        if known is None:
            return Code("None", "None")
        if isinstance(known, bool):
            return Code("true" if known else "false", "bool")
        if isinstance(known, int):
            return Code(f"Int({known})", "Int")
        if isinstance(known, str):
            return Code(f'std::string("{known}")', "Text")
        if isinstance(known, frozenset | set):
            known = tuple(sorted(known))
        if is_sequence(known):
            return self._parts_code(tuple(Known(item) for item in known), as_list=True)
        raise self.refusal(f"a {type(known).__name__} has no form in C++")

    def _parts_code(self, items: tuple[Value, ...], as_list: bool = False) -> Code:
        if not items:
            return Code("{}", "Empty")
        coded = [self.code(item) for item in items]
        of_type: str | None = coded[0].type
        for one in coded[1:]:
            of_type = of_type and unify(of_type, one.type)
        if of_type is None:
            raise self.refusal("the items have different types")
        if of_type in ("Int", "bool", "Maybe<Int>") and not as_list:
            width = f"Tuple<{len(coded)}>"
            return Code(f"{width}{{{{{', '.join(map(self.number, coded))}}}}}", width)
        of_type = "Int" if of_type == "bool" else of_type
        return Code(f"List<{of_type}>{{{', '.join(self.cast(one, of_type) for one in coded)}}}", f"List<{of_type}>")

    def _chosen_code(self, values: tuple[Any, ...], at: str) -> Code:
        if all(isinstance(value, bool) for value in values):
            return Code(f"at({self.unit.table([str(value).lower() for value in values], 'bool')}, {at})", "bool")
        if all(is_number(value) for value in values):
            return Code(f"at({self.unit.table([str(int(value)) for value in values])}, {at})", "Int")
        if all(value is None or is_number(value) for value in values):
            written = ["Maybe<Int>{}" if value is None else f"Maybe<Int>({int(value)})" for value in values]
            return Code(f"at({self.unit.table(written, 'Maybe<Int>')}, {at})", "Maybe<Int>")
        if all(is_sequence(value) for value in values):
            return self.listed(Chosen(values, at))
        raise self.refusal("a choice between these objects has no form in C++")

    def listed(self, value: Value) -> Code:
        """Return the items of a value as a new list."""
        if isinstance(value, Code) and value.type.startswith("List<"):
            return value
        found: list[str] = []

        def note(item: Value) -> str:
            found.append(self.code(item).type)
            return ""

        self.loop(value, note)
        of_type: str | None = found[0] if found else "Int"
        for one in found[1:]:
            of_type = of_type and unify(of_type, one)
        if of_type is None or of_type in ("None", "Empty", "Truth"):
            raise self.refusal("the items of a list have no common type")
        kept, name = "Int" if of_type == "bool" else of_type, self.unit.name("made")
        body = self.loop(value, lambda item: f"{name}.add({self.cast(item, kept)});")
        return Code(f"[&] {{ List<{kept}> {name}; {body} return {name}; }}()", f"List<{kept}>")

    def cast(self, value: Value, wanted: str) -> str:
        """Return C++ for a value of the wanted type. Raises Untranslatable if it cannot have it."""
        code = self.code(value)
        text, of_type = code.text, code.type
        if of_type == wanted or wanted == "None":
            return text
        if wanted.startswith("Maybe<"):
            return f"{wanted}{{}}" if of_type == "None" else f"{wanted}({self.cast(code, item_type(wanted))})"
        if of_type == "Empty" and (wanted == "Pile" or wanted.startswith("List<")):
            return f"{wanted}{{}}"
        if of_type == f"Maybe<{wanted}>":
            return f"(*{text})"
        if wanted == "Int" and of_type == "bool":
            return f"Int({text})"
        if wanted == "Position" and of_type == "Table":
            return text
        if wanted.startswith("List<") and of_type.startswith(("Tuple<", "List<")):
            return f"{wanted}({text})"
        raise self.refusal(f"a {of_type} stands where a {wanted} is needed")

    def number(self, value: Value) -> str:
        """Return C++ for a whole number."""
        return self.cast(value, "Int")

    def truth(self, value: Value) -> str:
        """Return C++ for the truth of a value, as Python sees it."""
        match value:
            case Known(known):
                return "true" if known else "false"
            case Chosen(values, at):
                return self._chosen_code(tuple(bool(each) for each in values), at).text
            case Parts(items):
                return "true" if items else "false"
            case Row(size, _, prelude) if not prelude:
                return f"({size} > 0)"
            case Code(text, "bool" | "Truth"):
                return text
            case Code(_, "None" | "Empty"):
                return "false"
        code = self.code(value)
        return f"truthy({code.text})"

    def unrolls(self, value: Value) -> bool:
        """Whether a loop over this value is written out, item by item."""
        items = known_items(value)
        if items is None:
            return False
        kinds = [item.value if isinstance(item, Known) else None for item in items]
        return not (all(is_number(each) for each in kinds) or _is_table(kinds))

    def loop(self, value: Value, sink: Sink) -> str:
        """Return C++ that runs ``sink(item)`` for each item."""
        if self.unrolls(value):
            return " ".join(f"{{ {sink(item)} }}" for item in known_items(value) or ())
        if isinstance(value, Lazy):
            return value.run(sink)
        if isinstance(value, Known) and not value.value:
            return ""
        item = self.unit.name("item")
        if isinstance(value, Code):
            if value.type == "Pile":
                return f"for (Int {item} : cards({value.text})) {{ {sink(Code(item, 'Int'))} }}"
            if value.type == "Empty":
                return ""
            if not value.type.startswith(("List<", "Tuple<")):
                raise self.refusal(f"a {value.type} cannot be walked through")
            inner = item_type(value.type)
            by = "Int" if inner == "Int" else f"const {inner}&"
            return f"for ({by} {item} : {value.text}) {{ {sink(Code(item, inner))} }}"
        row, count = self.row(value), self.unit.name("count")
        inside = sink(row.get(item))
        head = f"for (Int {item} = 0, {count} = {row.size}; {item} < {count}; {item}++)"
        return f"{{ {row.prelude} {head} {{ {inside} }} }}"

    def row(self, value: Value) -> Row:
        """Return the items of a value as something that can be counted and asked."""
        match value:
            case Row():
                return value
            case Known(known) if is_sequence(known) or isinstance(known, set | frozenset):
                return self._known_row(tuple(sorted(known) if isinstance(known, set | frozenset) else known))
            case Chosen(values, at) if all(value is None or is_sequence(value) for value in values):
                rows = [[] if each is None else [str(int(item)) for item in each] for each in values]
                sizes, square = self.unit.table([str(len(row)) for row in rows]), self.unit.square(rows)
                return Row(f"at({sizes}, {at})", lambda place: Code(f"at(at({square}, {at}), {place})", "Int"))
            case Code(text, "Pile"):
                return self._bound_row(f"cards({text})", "Int")
            case Code(text, of_type) if of_type.startswith(("List<", "Tuple<")):
                return self._bound_row(text, item_type(of_type))
            case Parts() | Lazy():
                code = self.code(value) if isinstance(value, Parts) and value.items else self.listed(value)
                return self._bound_row(code.text, item_type(code.type))
        raise self.refusal("this has no items")

    def _known_row(self, items: tuple[Any, ...]) -> Row:
        size = str(len(items))
        if not items:
            return Row(size, lambda place: Code("Int(0)", "Int"))
        if all(is_number(item) for item in items):
            steps = {int(after) - int(before) for before, after in pairwise(items)}
            if len(steps) == 1:
                first, step = int(items[0]), steps.pop()
                return Row(size, lambda place: Code(f"({first} + {step} * {place})", "Int"))
            table = self.unit.table([str(int(item)) for item in items])
            return Row(size, lambda place: Code(f"at({table}, {place})", "Int"))
        if not _is_table(list(items)):
            raise self.refusal("these items cannot stand in a table of numbers")
        width = len(items[0])
        written = [f"{{{{{', '.join(str(int(each)) for each in item)}}}}}" for item in items]
        of_type = f"Tuple<{width}>"
        table = self.unit.table(written, of_type)
        return Row(size, lambda place: Code(f"at({table}, {place})", of_type))

    def _bound_row(self, text: str, inner: str) -> Row:
        if text.isidentifier():
            return Row(f"{text}.size()", lambda place: Code(f"{text}[{place}]", inner))
        name = self.unit.name("bound")
        return Row(f"{name}.size()", lambda place: Code(f"{name}[{place}]", inner), f"const auto& {name} = {text};")


def once(of_type: str, statements: str) -> Code:
    """Return an expression that runs statements, which return its value."""
    return Code(f"[&]() -> {of_type} {{ {statements} }}()", of_type)


def _is_table(items: list[Any]) -> bool:
    """Whether these are tuples of whole numbers, all of one length."""
    return (
        bool(items)
        and all(isinstance(item, tuple) and item and all(is_number(each) for each in item) for item in items)
        and len({len(item) for item in items}) == 1
    )
