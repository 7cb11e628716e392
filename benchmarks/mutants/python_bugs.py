"""Bugs in Python modules: Cosmic Ray says where one can be put in, and writes it."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from benchmarks.mutants.areas import modules_of, tests_of
from benchmarks.mutants.bugs import Bug, Change, changed_line
from benchmarks.mutants.forked_pytest import Answer, Order

_IN_ANNOTATIONS = ("annassign", "tfpdef")
"""Types say nothing when the program runs: mypy checks them."""
_REPLACEMENTS = (
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt"),
    *("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv"),
    *("BitAnd_BitOr", "BitOr_BitAnd", "LShift_RShift", "RShift_LShift"),
)
"""Of all operators that one could put for another, those that an engineer mixes up."""
_OTHERS = (
    *("AddNot", "NumberReplacer", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue"),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_USub"),
)


class PythonTests:
    """Runs the tests of Python modules in a folder with a copy of the tracked files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tried = 0
        self._noticing: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """The tests of each module that have noticed a bug in it: they run first the next time."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["TMPDIR"] = str(folder.parent / "temporary")
        (folder.parent / "temporary").mkdir()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.mutants.forked_pytest"],
            cwd=folder,
            env=environment,
            text=True,
            bufsize=1,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def bugs(self, area: str) -> list[Bug]:
        """Return every bug that can be put into the modules of an area."""
        return [bug for module in modules_of(area) for bug in find_bugs(area, self._folder, module)]

    def change(self, bug: Bug) -> Change | None:
        """Return what the bug changes; None if there is no program with it."""
        before = (self._folder / bug.module).read_text("utf-8")
        after = with_bug(before, bug)
        return None if after is None else changed_line(before, after)

    def run(self, module: str, bug: Bug | None, patience: float, only: str = "") -> Answer:
        """Run the tests of a module, or only one of them, until one fails or takes too long."""
        noticing = self._noticing[module]
        arguments = [only.partition("[")[0]] if only else tests_of(module)
        order = Order(list(arguments), list(noticing), patience)
        path = self._folder / module
        before, times = path.read_text("utf-8"), path.stat()
        if bug is not None and (after := with_bug(before, bug)) is not None:
            path.write_text(after, "utf-8")
            self._tried += (
                1  # no two files of one module have the same time, by which Python knows its compiled modules
            )
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + self._tried * 10**9))
        try:
            answer = self._ask(order)
        finally:
            path.write_text(before, "utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        if bug is not None and answer.test:
            noticing[answer.test] = None
        return answer

    def close(self) -> None:
        """End the process that runs the tests."""
        self._process.communicate()

    def _ask(self, order: Order) -> Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return Answer(*json.loads(self._process.stdout.readline()))


def find_bugs(area: str, folder: Path, module: str) -> Iterator[Bug]:
    """Yield every bug that can be put into a module, which lies in this folder."""
    tree = get_ast((folder / module).read_text("utf-8"))
    for name in filter(_is_likely, plugins.operator_names()):
        operator = plugins.get_operator(name)()
        positions = ((node, place) for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for number, (node, (start, _)) in enumerate(positions):
            if not _is_declared(node):
                yield Bug(area, module, start[0], name.removeprefix("core/"), number)


def with_bug(source: str, bug: Bug) -> str | None:
    """Return the source with the bug; None if it is no program then. Raises LookupError if it has no such place."""
    code: str | None = mutate_code(source, plugins.get_operator(f"core/{bug.operator}")(), bug.number)
    if code is None:
        raise LookupError(bug)
    try:
        compile(code, bug.module, "exec")
    except SyntaxError:
        return None
    return code


def _is_likely(operator: str) -> bool:
    """Whether an engineer makes the mistake that this operator of Cosmic Ray makes."""
    _, _, name = operator.partition("/")
    return name in _OTHERS or name.endswith(tuple(f"Operator_{pair}" for pair in _REPLACEMENTS))


def _is_declared(node: object) -> bool:
    """Whether a node of the syntax tree is part of a type or of a decorator, where a bug shows at once or never."""
    while (parent := getattr(node, "parent", None)) is not None:
        if parent.type == "decorator":
            return True
        if parent.type in _IN_ANNOTATIONS and node is not parent.children[0]:
            return "=" not in [getattr(child, "value", "") for child in parent.children] or node is parent.children[1]
        if parent.type == "funcdef" and node in parent.children[2:-1]:
            return node is not parent.children[2]
        node = parent
    return False
