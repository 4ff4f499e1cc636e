"""The page about promises: what a user may rely on, and the tests that hold it."""

import re
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sourcewright.cli.reference.markdown import code, page

_LEAD = """\
Each of these sentences is held by the tests named under it.
A test run fails when a promise has no test."""

_TEST = re.compile(
    r"^@(?:pytest\.mark\.)?promise\(\s*[\"']([^\"']+)[\"']\s*\)"
    r"|^(?:async )?def (test_\w+)",
    re.MULTILINE,
)


def promises_page(source: Path) -> str:
    """The page, out of the manifest of promises and the marks on the tests beside it."""
    promises: Mapping[str, Any] = runpy.run_path(str(source))["PROMISES"]
    kept_by = tests_by_promise(source.parents[1])
    blocks = [_block(name, promises[name], kept_by.get(name, [])) for name in sorted(promises)]
    return page("Promises", _LEAD, *blocks)


def tests_by_promise(tests: Path) -> dict[str, list[str]]:
    """The names of the tests that carry each promise's mark, with their files."""
    kept: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        marks: list[str] = []
        for name, test in _TEST.findall(path.read_text(encoding="utf-8")):
            if name:
                marks.append(name)
                continue
            for mark in marks:
                kept.setdefault(mark, []).append(f"{path.relative_to(tests).as_posix()}::{test}")
            marks = []
    return kept


def _block(name: str, promise: Any, tests: list[str]) -> str:
    lines = [f"## {name}", "", promise.sentence, "", f"From: {promise.source}"]
    if promise.gap:
        lines += ["", f"Not kept yet: {promise.gap}"]
    return "\n".join([*lines, "", *(f"- {code(test)}" for test in tests)]).rstrip()
