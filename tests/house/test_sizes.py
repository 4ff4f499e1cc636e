"""Modules, classes and functions stay small enough to be read in one sitting."""

import ast
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sourcewright"
MODULES = sorted(SOURCE.rglob("*.py"))
LIMITS = {"providers": 250, "tools": 120, "reading/formats": 600}
"""Lines of one provider, tool or reader; a provider that needs more is a package."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@cache
def sizes() -> tuple[dict[str, int], dict[str, int]]:
    """The lines of code of functions, and of the functions of classes. Parsing takes seconds."""
    functions, classes = {}, {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = f"{name_of(path)}:{getattr(node, 'name', '')}"
            if isinstance(node, Function):
                functions[name] = code_lines(node)
            elif isinstance(node, ast.ClassDef):
                parts = [part for part in node.body if isinstance(part, Function)]
                classes[name] = sum(map(code_lines, parts))
    return functions, classes


def code_lines(function: ast.AST) -> int:
    """Lines that hold code: no docstring, no comment, no blank, no signature."""
    assert isinstance(function, Function)
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    used = {
        line
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.expr | ast.stmt)
        for line in (node.lineno, node.end_lineno or node.lineno)
    }
    return len(used)


def test_modules_are_short() -> None:
    sizes = {name_of(path): lines_of(path) for path in MODULES if path.name != "__init__.py"}

    assert {name: size for name, size in sizes.items() if size > 600} == {}


CATALOGUES = {"providers", "tools", "world/sites", "cli/commands"}
"""Folders where each file is an entry of its own."""


def test_folders_can_be_taken_in_at_a_glance() -> None:
    folders = {name_of(path) for path in SOURCE.rglob("*") if path.is_dir()} - CATALOGUES
    sizes = {
        name: len([path for path in (SOURCE / name).glob("*.py") if path.stem != "__init__"])
        for name in folders
    }

    assert {name: size for name, size in sizes.items() if size > 30} == {}


@pytest.mark.parametrize("folder", LIMITS)
def test_one_provider_tool_or_reader_fits_on_a_few_screens(folder: str) -> None:
    modules = [path for path in (SOURCE / folder).glob("*.py") if not path.name.startswith("_")]
    sizes = {name_of(path): lines_of(path) for path in modules}

    assert {name: size for name, size in sizes.items() if size > LIMITS[folder]} == {}


def test_functions_are_short() -> None:
    functions, _ = sizes()

    assert {name: size for name, size in functions.items() if size > 60} == {}


def test_classes_are_short() -> None:
    """Fields do not count: a table of facts is as long as there are facts."""
    _, classes = sizes()

    assert {name: size for name, size in classes.items() if size > 200} == {}


def test_the_package_offers_few_names() -> None:
    import sourcewright

    assert len([name for name in vars(sourcewright) if not name.startswith("_")]) <= 30
    assert len(sourcewright.__all__) <= 22  # with the version and the address for defects
