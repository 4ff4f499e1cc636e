"""Files are found by their noun, and one thing has one name everywhere."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sourcewright"
EMPTY_WORDS = {
    *("utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"),
    *("handler", "handlers", "core", "base", "tools_new", "stuff", "lib", "shared"),
}
PROVIDERS = {
    path.stem for path in (SOURCE / "providers").glob("*") if not path.name.startswith("_")
}
LAYERS = ("logic", "services", "readers", "stores", "tools")
NOUNS_IN_ING = {"ranking", "scoring", "pacing", "booking"}
HOMES = {"providers", "sites"}
SITES = {path.stem for path in (SOURCE / "world" / "sites").glob("*.py")}
TOOLS = {path.stem for path in (SOURCE / "tools").glob("*.py") if not path.name.startswith("_")}


def names_in(folder: Path, pattern: str = "*.py") -> set[str]:
    return {path.stem for path in folder.rglob(pattern)}


def test_no_module_has_a_name_that_says_nothing() -> None:
    named = {path.stem for path in SOURCE.rglob("*") if path.suffix in {"", ".py"}}
    upstreams = PROVIDERS & SITES  # one of them is called CORE

    assert (named - upstreams) & EMPTY_WORDS == set()
    assert [path for path in SOURCE.rglob("core.py") if path.parent.name not in HOMES] == []
    assert {
        name for name in named if name.endswith(("_new", "_old", "_v2", "_refactored"))
    } == set()


def test_modules_are_named_by_their_subject_and_not_by_an_activity() -> None:
    named = {path.stem for layer in LAYERS for path in (SOURCE / layer).rglob("*.py")}

    assert {name for name in named if name.endswith("ing")} - NOUNS_IN_ING == set()


def test_every_provider_has_a_simulated_site_and_a_test_of_its_name() -> None:
    assert PROVIDERS - names_in(SOURCE / "world" / "sites") == set()
    assert {f"test_{name}" for name in PROVIDERS} - names_in(ROOT / "tests" / "providers") == set()


def test_every_tool_has_a_test_of_its_name() -> None:
    assert {f"test_{name}" for name in TOOLS} - names_in(ROOT / "tests" / "tools") == set()


def test_test_names_are_sentences() -> None:
    short = {
        f"{path.relative_to(ROOT).as_posix()}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and node.name.count("_") < 3
    }

    assert short == set()
