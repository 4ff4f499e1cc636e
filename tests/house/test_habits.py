"""Habits of the code that a machine can see: what is caught, suppressed, printed and faked."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import hypothesis

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sourcewright"
PYTHON = sorted(
    path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.py")
)
BROAD = {"Exception", "BaseException"}
BOUNDARIES = {"tools/_pipeline.py", "server/stdio/sdk_import.py", "cli/main.py"}
"""Where a defect of ours stops: the pipeline, the background supervisor, the command line."""

FORK_SERVER = ROOT / "tests" / "processes" / "fork_server.py"
"""Makes a forked process look like a new one, so it must set what Python sets at its start."""

SUPPRESSION = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma:\s*no cover)\b(.*)")
REASON = re.compile(r"(?:--|#)\s*\S.{7,}")


@dataclass(frozen=True, slots=True)
class Habits:
    """What one file does, without its syntax tree: the trees of all files take 200 MB."""

    summary: str
    broad_handlers: int
    prints: bool
    fakes: tuple[str, ...]
    test_classes: tuple[str, ...]
    sleeping_lines: tuple[int, ...]


@cache
def habits(path: Path) -> Habits:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    return Habits(
        summary=(ast.get_docstring(tree) or "").split("\n")[0],
        broad_handlers=sum(map(_takes_everything, nodes)),
        prints=any(map(_prints, nodes)),
        fakes=tuple(fake for node in nodes for fake in _fakes_in(node)),
        test_classes=tuple(
            node.name
            for node in nodes
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test")
        ),
        sleeping_lines=tuple(
            node.lineno for node in nodes if isinstance(node, ast.Call) and _sleeps(node)
        ),
    )


def _takes_everything(node: ast.AST) -> bool:
    """Whether a handler takes every error and lets none of them go on."""
    if not isinstance(node, ast.ExceptHandler) or not _is_broad(node.type):
        return False
    last = node.body[-1]
    return not (isinstance(last, ast.Raise) and last.exc is None)


def _prints(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    )


def _is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(isinstance(name, ast.Name) and name.id in BROAD for name in names)


def test_every_error_is_caught_by_name_but_in_three_places() -> None:
    places = {
        path.relative_to(SOURCE).as_posix(): habits(path).broad_handlers
        for path in SOURCE.rglob("*.py")
        if habits(path).broad_handlers
    }

    assert places.keys() <= BOUNDARIES
    assert sum(places.values()) <= 3


def test_every_suppression_has_its_reason_and_there_are_few() -> None:
    found = [
        (f"{path.relative_to(ROOT).as_posix()}:{number}", match[1])
        for path in PYTHON
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in [SUPPRESSION.search(line)]
        if match and path != Path(__file__)
    ]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in PYTHON)

    assert {place for place, rest in found if not REASON.search(rest)} == set()
    assert len(found) <= lines / 1000


def test_only_the_renderer_prints() -> None:
    printers = {
        path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if habits(path).prints
    }

    assert printers <= {"cli/render.py"}


def test_nothing_is_faked_in_the_tests() -> None:
    fakes = {
        f"{path.relative_to(ROOT).as_posix()}: {fake}"
        for path in (ROOT / "tests").rglob("*.py")
        if path != FORK_SERVER
        for fake in habits(path).fakes
    }

    assert fakes == set()


def _fakes_in(node: ast.AST) -> Iterator[str]:
    # The fixture of pytest that replaces things, and the standard library's package for it.
    if isinstance(node, ast.arg) and node.arg.startswith("monkey"):
        yield node.arg
    elif isinstance(node, ast.ImportFrom) and _is_unittest(node.module or ""):
        yield node.module or ""
    elif isinstance(node, ast.Import):
        yield from (name.name for name in node.names if _is_unittest(name.name))
    elif isinstance(node, ast.Assign):
        yield from (ast.unparse(target) for target in _assigned(node) if _is_replaced(target))


def _is_unittest(module: str) -> bool:
    return module.partition(".")[0] == "unittest"


def _assigned(node: ast.Assign) -> Iterator[ast.expr]:
    for target in node.targets:
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def _is_replaced(target: ast.expr) -> bool:
    """Whether a part of an object that another one holds is replaced, or a part of a module."""
    match target:
        case ast.Attribute(value=ast.Attribute(value=owner)):
            return not (isinstance(owner, ast.Name) and owner.id == "self")
        case ast.Attribute(value=ast.Name(id="sys"), attr=name):
            return name != "dont_write_bytecode"
        case ast.Attribute(value=ast.Name(id="tempfile" | "os" | "time")):
            return True
    return False


def test_tests_are_plain_functions() -> None:
    classes = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in habits(path).test_classes
    }

    assert classes == set()


def test_tests_wait_for_events_and_not_for_the_clock() -> None:
    """Handing the loop a turn is fine; hoping that half a second is enough is not."""
    sleeps = {
        f"{path.relative_to(ROOT).as_posix()}:{line}"
        for path in (ROOT / "tests").rglob("*.py")
        for line in habits(path).sleeping_lines
    }

    assert sleeps == set()


def _sleeps(call: ast.Call) -> bool:
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="time" | "asyncio" | "anyio"), attr="sleep"),
            args=[seconds],
        ):
            return not (isinstance(seconds, ast.Constant) and float(str(seconds.value)) <= 0.05)
    return False


def test_every_module_says_what_it_is_for() -> None:
    silent = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCE.rglob("*.py")
        if not habits(path).summary.endswith((".", ":"))
    }

    assert silent == set()


def test_no_property_fails_because_the_machine_is_slow() -> None:
    profile = hypothesis.settings()

    assert profile.deadline is None
    assert hypothesis.HealthCheck.too_slow in profile.suppress_health_check
