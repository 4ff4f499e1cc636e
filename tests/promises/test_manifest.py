"""Promises and tests name each other: none without the other, and no page invents one."""

import ast
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROMISES: dict[str, Any] = runpy.run_path(str(Path(__file__).with_name("manifest.py")))["PROMISES"]
AREAS = {name.partition(".")[0] for name in PROMISES}


def promise_named_by(node: ast.AST) -> str | None:
    """The id in `promise("…")` or `pytest.mark.promise("…")`."""
    match node:
        case ast.Call(
            func=ast.Name(id="promise") | ast.Attribute(attr="promise"),
            args=[ast.Constant(value=str(name))],
        ):
            return name
    return None


def marks_in(path: Path) -> Iterator[tuple[str, bool]]:
    """Every promise that a file names, and whether the name sits on a test."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [
        n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    on_tests = {
        id(mark) for f in functions if f.name.startswith("test_") for mark in f.decorator_list
    }
    for node in ast.walk(tree):
        name = promise_named_by(node)
        if name is not None:
            yield name, id(node) in on_tests


@cache
def all_marks() -> list[tuple[str, str, bool]]:
    return [
        (path.relative_to(ROOT).as_posix(), name, on_test)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name, on_test in marks_in(path)
    ]


def test_every_promise_has_a_test():
    assert PROMISES.keys() - {name for _, name, _ in all_marks()} == set()


def test_every_mark_names_a_known_promise():
    assert {(path, name) for path, name, _ in all_marks() if name not in PROMISES} == set()


def test_every_mark_sits_on_a_test():
    assert {(path, name) for path, name, on_test in all_marks() if not on_test} == set()


def test_every_promise_is_one_sentence_with_a_source():
    for name, promise in PROMISES.items():
        assert re.fullmatch(r"[a-z]+\.[a-z]+(-[a-z]+)+", name)
        assert promise.sentence[0].isupper()
        assert promise.sentence.endswith(".")
        assert promise.sentence.count(". ") == 0
        assert promise.source


def test_pages_name_only_known_promises():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = {
        (page.relative_to(ROOT).as_posix(), name)
        for page in pages
        for name in re.findall(r"`([a-z]+\.[a-z]+(?:-[a-z]+)+)`", page.read_text(encoding="utf-8"))
        if name.partition(".")[0] in AREAS
    }

    assert {(page, name) for page, name in named if name not in PROMISES} == set()
