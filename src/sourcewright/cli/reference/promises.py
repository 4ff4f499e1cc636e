"""Builds the reference page of promises: what users can rely on, and the tests for it."""

import ast
import runpy
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from sourcewright.cli.reference.markdown import code, page

_LEAD = """\
Each of these promises is covered by the tests listed under it.
A test run fails when a promise has no test."""


def promises_page(source: Path) -> str:
    """The page, from the manifest of promises and the promise markers of the tests."""
    promises: Mapping[str, Any] = runpy.run_path(str(source))["PROMISES"]
    tests = tests_by_promise(source.parents[1])
    blocks = []
    for origin, members in groupby(promises.items(), key=lambda member: member[1].source):
        blocks.append(f"## {origin}")
        blocks += [_block(name, promise, tests.get(name, [])) for name, promise in members]
    return page("Promises", _LEAD, *blocks)


def tests_by_promise(tests: Path) -> dict[str, list[str]]:
    """The tests marked with each promise, as `file::name`."""
    by_promise: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        # Most files have no marker, and parsing takes long.
        for node in ast.walk(ast.parse(text)) if "promise(" in text else ():
            for promise in _marks(node):
                name = getattr(node, "name", "")
                by_promise.setdefault(promise, []).append(
                    f"{path.relative_to(tests).as_posix()}::{name}"
                )
    return by_promise


def _marks(node: ast.AST) -> Iterator[str]:
    """The ids in `@promise("…")` and `@pytest.mark.promise("…")` on a function."""
    for mark in getattr(node, "decorator_list", ()):
        match mark:
            case ast.Call(
                func=ast.Name(id="promise") | ast.Attribute(attr="promise"),
                args=[ast.Constant(value=str(name))],
            ):
                yield name


def _block(name: str, promise: Any, tests: list[str]) -> str:
    lines = [f"### {name}", "", promise.sentence, ""]
    return "\n".join([*lines, *(f"- {code(test)}" for test in tests)]).rstrip()
