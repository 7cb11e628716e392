"""The source of a Python function as a syntax tree, found from the function itself."""

import ast
from functools import cache
from pathlib import Path
from types import FunctionType

from cadogan.engine.compiled.values import Untranslatable


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def find_source(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Return the definition of a function or lambda in its file. Raises Untranslatable if it is not there."""
    code = function.__code__
    found: list[ast.FunctionDef | ast.Lambda] = []
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno:
                found.append(node)
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and _holds(node, function):
            found.append(node)
    if not found:
        raise Untranslatable(f"{code.co_filename}:{code.co_firstlineno}: the source of {code.co_name} is not there")
    return max(found, key=lambda node: (node.lineno, node.col_offset))


def _holds(node: ast.Lambda, function: FunctionType) -> bool:
    """Whether every instruction of the function comes from this lambda."""
    begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    for line, end_line, column, end_column in function.__code__.co_positions():
        if line is None or end_line is None or column is None or end_column is None or column == end_column == 0:
            continue
        if (line, column) < begin or (end_line, end_column) > end:
            return False
    return True


def closed_names(function: FunctionType) -> dict[str, object]:
    """Return what the function sees outside itself: the names of its file, and those of the functions around it."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        names[name] = cell.cell_contents
    return names
