"""Functions of game files as functions in C++: statements, variables, and what is known of the arguments."""

import ast
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from cadogan.engine.compiled.calls import Calls
from cadogan.engine.compiled.sources import closed_names, find_source
from cadogan.engine.compiled.values import (
    Chosen,
    Closure,
    Code,
    Known,
    Lazy,
    Method,
    Row,
    Unit,
    Value,
    is_number,
    known_items,
    unify,
)

_PASSED = {
    "Position": "const Position&",
    "Table": "Table&",
    "Piles": "const Pile*",
    "Counters": "const std::int32_t*",
    "Text": "const std::string&",
}
_LOCAL_CONTAINERS = ("List<", "Tuple<")
MOST_PASSES = 4
"""How often a function is translated until the types of its variables stay the same."""


class Function(Calls):
    """Translates one function, with what is known of its arguments."""

    def __init__(self, unit: Unit, names: Mapping[str, Value], globals_: Mapping[str, Any], file: str) -> None:
        super().__init__(unit, names, globals_, file)
        self._variables: dict[str, Code] = {}
        self._assigned: Counter[str] = Counter()
        self._returned: str | None = None
        self._returns_bool = False
        self._loops: list[tuple[str, str] | None] = []

    def translate(self, node: ast.FunctionDef | ast.Lambda) -> tuple[str, str]:
        """Return the body in C++, and the type of what it returns."""
        if isinstance(node, ast.Lambda):
            code = self.code(self.value(node.body))
            if code.type == "void":
                return f"{code.text};", "void"
            if code.type == "Truth":
                code = Code(code.text, "bool")
            return f"return {code.text};", code.type
        self._assigned = _count_assignments(node)
        self._returns_bool = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
        names = dict(self.names)
        for _ in range(MOST_PASSES):
            before = (dict(self._variables), self._returned)
            self.names = dict(names)
            self._open_parameters(names)
            body = self._block(node.body)
            if before == (self._variables, self._returned):
                break
        else:
            raise self.refusal("the types of the variables do not settle")
        opened = [
            f"{one.text} = {self.cast(names[name], one.type)};"
            for name, one in self._variables.items()
            if name in names
        ]
        declared = [f"{one.type} {one.text}{{}};" for one in self._variables.values()]
        returned = self._returned or "void"
        ending = "" if returned == "void" else 'throw Broken("a function ended without a value");'
        return " ".join([*declared, *opened, body, ending]), returned

    def _open_parameters(self, names: Mapping[str, Value]) -> None:
        """Make variables of the parameters that get new values."""
        for name, value in names.items():
            if self._assigned[name] and name not in self._variables:
                self._variables[name] = Code(self.unit.name(f"{name}_"), self.code(value).type)
            if name in self._variables:
                self.names[name] = self._variables[name]

    # --- calls of functions with a source ---

    def run_source(
        self, function: FunctionType | Closure, arguments: Sequence[Value], named: dict[str, Value]
    ) -> Value:
        if isinstance(function, Closure):
            bound = self._bind_closure(function, arguments, named)
            inner = Function(self.unit, {**function.names, **bound}, function.globals, function.file)
            if isinstance(function.node, ast.Lambda):
                inner.at = self.at
                return inner.value(function.node.body)
            body, returned = inner.translate(function.node)
            return Code(f"[&]() -> {returned} {{ {body} }}()", returned)
        node = find_source(function)
        bound = self._bind(function, arguments, named)
        if _makes_function(node) or any(isinstance(value, Closure | Method) for value in bound.values()):
            return self._inline(function, node, bound)
        return self._run_named(function, node, bound)

    def _bind(self, function: FunctionType, arguments: Sequence[Value], named: dict[str, Value]) -> dict[str, Value]:
        bound = inspect.signature(function).bind(*arguments, **named)
        values: dict[str, Value] = dict(bound.arguments)
        for name, parameter in inspect.signature(function).parameters.items():
            if name not in values:
                values[name] = Known(parameter.default)
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                raise self.refusal("a function with * among its parameters cannot be called with what is not known")
        return values

    def _bind_closure(self, function: Closure, arguments: Sequence[Value], named: dict[str, Value]) -> dict[str, Value]:
        names = [argument.arg for argument in function.node.args.args]
        if len(arguments) + len(named) != len(names):
            raise self.refusal("a function defined in another one is called with all its arguments")
        return {**dict(zip(names, arguments, strict=False)), **named}

    def _inline(self, function: FunctionType, node: ast.FunctionDef | ast.Lambda, bound: dict[str, Value]) -> Value:
        """Return what a function returns that only defines another function, with these arguments."""
        inner = Function(self.unit, bound, closed_names(function), function.__code__.co_filename)
        if isinstance(node, ast.Lambda):
            return inner.value(node.body)
        for statement in node.body:
            inner.at = statement
            match statement:
                case ast.Expr(ast.Constant()):
                    pass
                case ast.FunctionDef(name=name):
                    inner.names[name] = Closure(statement, dict(inner.names), inner.globals, inner.file)
                case ast.Assign([ast.Name(name)], value):
                    inner.names[name] = inner.value(value)
                case ast.Return(value) if value is not None:
                    return inner.value(value)
                case _:
                    raise inner.refusal("a function that makes another one has only assignments before it returns")
        raise inner.refusal("this function returns nothing")

    def _run_named(self, function: FunctionType, node: ast.FunctionDef | ast.Lambda, bound: dict[str, Value]) -> Value:
        """Call the function in C++ for what is known of these arguments; write it if it is not there yet."""
        key: list[Any] = [id(function)]
        given: list[str] = []
        heads: list[str] = []
        inner: dict[str, Value] = {}
        for name, value in bound.items():
            if isinstance(value, Known) and not (is_number(value.value) and not isinstance(value.value, bool)):
                key.append((name, id(value.value)))
                self.unit.kept.append(value.value)
                inner[name] = value
                continue
            place = f"{name}_in"
            if isinstance(value, Chosen):
                key.append((name, tuple(map(id, value.values))))
                self.unit.kept.append(value.values)
                inner[name] = Chosen(value.values, place)
                value = Code(value.at, "Int")
            else:
                value = self.listed(value) if isinstance(value, Row | Lazy) else self.code(value)
                value = Code("List<Int>{}", "List<Int>") if value.type == "Empty" else value
                key.append((name, value.type))
                inner[name] = Code(place, value.type)
            given.append(value.text)
            heads.append(f"{_passed(value.type)} {place}")
        made = self.unit.functions.get(tuple(key))
        if made is None:
            self.unit.kept.append(function)
            made = self._write(function, node, inner, heads, tuple(key))
        name, returned = made
        if returned == "?":
            raise self.refusal("a function that calls itself is not in the subset")
        return Code(f"{name}({', '.join(given)})", returned)

    def _write(
        self,
        function: FunctionType,
        node: ast.FunctionDef | ast.Lambda,
        inner: dict[str, Value],
        heads: list[str],
        key: Any,
    ) -> tuple[str, str]:
        label = "".join(letter for letter in function.__name__ if letter.isalnum()) or "lambda"
        name = self.unit.name(f"{label}_")
        self.unit.functions[key] = (name, "?")
        body, returned = Function(self.unit, inner, closed_names(function), function.__code__.co_filename).translate(
            node
        )
        self.unit.functions[key] = (name, returned)
        self.unit.lines.append(f"static {returned} {name}({', '.join(heads)}) {{ {body} }}")
        return name, returned

    # --- statements ---

    def _block(self, statements: Sequence[ast.stmt]) -> str:
        return " ".join(filter(None, map(self._statement, statements)))

    def _statement(self, node: ast.stmt) -> str:
        self.at = node
        translate = getattr(self, f"_write_{type(node).__name__.lower()}", None)
        if translate is None:
            raise self.refusal(f"{type(node).__name__} is not in the subset of Python that game files may use")
        text: str = translate(node)
        return text

    def _write_expr(self, node: ast.Expr) -> str:
        if isinstance(node.value, ast.Constant):
            return ""
        value = self.value(node.value)
        return f"{value.text};" if isinstance(value, Code) else ""

    def _write_pass(self, node: ast.Pass) -> str:
        return ""

    def _write_assert(self, node: ast.Assert) -> str:
        return ""

    def _write_break(self, node: ast.Break) -> str:
        inner = self._loops[-1]
        return f"goto {inner[1]};" if inner else "break;"

    def _write_continue(self, node: ast.Continue) -> str:
        inner = self._loops[-1]
        return f"goto {inner[0]};" if inner else "continue;"

    def _write_functiondef(self, node: ast.FunctionDef) -> str:
        self.names[node.name] = Closure(node, dict(self.names), self.globals, self.file)
        return ""

    def _write_return(self, node: ast.Return) -> str:
        if node.value is None:
            return "return;"
        value = self.value(node.value)
        code = self.code(value)
        if code.type == "Truth" and self._returns_bool:
            code = Code(code.text, "bool")
        found = code.type if self._returned is None else unify(self._returned, code.type)
        if found is None:
            raise self.refusal(f"a {code.type} is returned here, and elsewhere a {self._returned}")
        self._returned = found
        return f"return {self.cast(code, found)};" if found not in ("None", "Empty") else ""

    def _write_if(self, node: ast.If) -> str:
        test = self.value(node.test)
        if isinstance(test, Known):
            return self._block(node.body if test.value else node.orelse)
        text = f"if ({self.truth(test)}) {{ {self._block(node.body)} }}"
        return f"{text} else {{ {self._block(node.orelse)} }}" if node.orelse else text

    def _write_while(self, node: ast.While) -> str:
        if node.orelse:
            raise self.refusal("while with else is not in the subset")
        self._loops.append(None)
        text = f"while ({self.truth(self.value(node.test))}) {{ {self._block(node.body)} }}"
        self._loops.pop()
        return text

    def _write_for(self, node: ast.For) -> str:
        if node.orelse:
            raise self.refusal("for with else is not in the subset")
        items = self.value(node.iter)
        if not self.unrolls(items):
            self._loops.append(None)
            text = self.loop(items, lambda item: self._turn(node, item))
            self._loops.pop()
            return text
        end, turns = self.unit.name("end"), []
        for item in known_items(items) or ():
            following = self.unit.name("next")
            self._loops.append((following, end))
            body = self._turn(node, item)
            self._loops.pop()
            turns.append(f"{{ {body} }}" + (f" {following}:;" if f"goto {following};" in body else ""))
        text = " ".join(turns)
        return f"{{ {text} }}" + (f" {end}:;" if f"goto {end};" in text else "")

    def _turn(self, node: ast.For, item: Value) -> str:
        before = dict(self.names)
        self.bind(node.target, item)
        text = self._block(node.body)
        for name in _names_in(node.target):
            if name in before:
                self.names[name] = before[name]
            else:
                self.names.pop(name, None)
        return text

    def _write_assign(self, node: ast.Assign) -> str:
        if len(node.targets) != 1:
            raise self.refusal("only one target is assigned at a time")
        target = node.targets[0]
        if isinstance(target, ast.Name):
            return self.assign(target.id, self.value(node.value))
        if isinstance(target, ast.Tuple) and all(isinstance(each, ast.Name) for each in target.elts):
            names = [each.id for each in target.elts if isinstance(each, ast.Name)]
            value = self.value(node.value)
            if isinstance(value, Code) and not value.text.isidentifier():
                kept = self.unit.name("kept")
                listed = self.listed(value) if value.type == "Pile" else value
                items = self.items(Code(kept, listed.type), len(names))
                inside = " ".join(self.assign(name, item) for name, item in zip(names, items, strict=True))
                return f"const auto {kept} = {listed.text}; {inside}"
            return self._assign_at_once(names, self.items(value, len(names)))
        raise self.refusal("only names are assigned; the table changes by its methods")

    def _assign_at_once(self, names: list[str], items: list[Value]) -> str:
        """Assign several values, each computed before the first variable changes."""
        kept, prelude = [], ""
        for name, item in zip(names, items, strict=True):
            if self._assigned[name] > 1 and len(names) > 1 and not isinstance(item, Known):
                code, temporary = self.code(item), self.unit.name("kept")
                prelude += f"const auto {temporary} = {code.text}; "
                item = Code(temporary, code.type)
            kept.append(self.assign(name, item))
        return prelude + " ".join(kept)

    def _write_annassign(self, node: ast.AnnAssign) -> str:
        if node.value is None or not isinstance(node.target, ast.Name):
            raise self.refusal("only a name is declared, and with a value")
        return self.assign(node.target.id, self.value(node.value))

    def _write_augassign(self, node: ast.AugAssign) -> str:
        if not isinstance(node.target, ast.Name):
            raise self.refusal("only names are assigned; the table changes by its methods")
        return self.assign(node.target.id, self.combine(node.op, self.names[node.target.id], self.value(node.value)))

    def assign(self, name: str, value: Value) -> str:
        if self._assigned[name] == 1 and name not in self._variables:
            if isinstance(value, Known | Closure | Method) or (
                isinstance(value, Code) and value.type in ("Position", "Table", "Piles", "Counters")
            ):
                self.names[name] = value
                return ""
            if isinstance(value, Chosen):
                place = self.unit.name(f"{name}_")
                self.names[name] = Chosen(value.values, place)
                self._variables.setdefault(f"{name} ", Code(place, "Int"))
                place = self._variables[f"{name} "].text
                self.names[name] = Chosen(value.values, place)
                return f"{place} = {value.at};"
        code = self.listed(value) if isinstance(value, Row | Lazy) else self.code(value)
        variable = self._variables.get(name) or Code(self.unit.name(f"{name}_"), code.type)
        of_type = unify(variable.type, code.type)
        if of_type is None or code.type in ("void", "Truth"):
            raise self.refusal(f"{name} is a {variable.type} elsewhere, and a {code.type} here")
        variable = self._variables[name] = Code(variable.text, of_type)
        self.names[name] = variable
        return f"{variable.text} = {self.cast(code, of_type)};"


def _passed(of_type: str) -> str:
    if of_type.startswith(_LOCAL_CONTAINERS):
        return f"const {of_type}&"
    return _PASSED.get(of_type, of_type)


def _makes_function(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a function returns one that it defines."""
    if isinstance(node, ast.Lambda):
        return isinstance(node.body, ast.Lambda)
    last = node.body[-1]
    inner = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
    return isinstance(last, ast.Return) and (
        isinstance(last.value, ast.Lambda) or (isinstance(last.value, ast.Name) and last.value.id in inner)
    )


def _names_in(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _count_assignments(node: ast.FunctionDef) -> Counter[str]:
    """Count by name the assignments in a function, without those in functions that it defines."""
    counts: Counter[str] = Counter()

    def visit(parent: ast.AST) -> None:
        for child in ast.iter_child_nodes(parent):
            match child:
                case ast.FunctionDef() | ast.Lambda():
                    continue
                case ast.Assign(targets=targets):
                    counts.update(name for target in targets for name in _names_in(target))
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.NamedExpr(target=ast.Name(id=name)):
                    counts[name] += 1
                case ast.AugAssign(target=ast.Name(id=name)):
                    counts[name] += 2
            visit(child)

    visit(node)
    return counts
