"""Packages with a door: what they offer, that it is lazy, and that what their pages say is true."""

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sourcewright"
PACKAGES = ("base", "reading", "references", "net", "world")
NEEDS = {
    "base": set(),
    "reading": {"base"},
    "references": {"base"},
    "net": {"base"},
    "world": set(),
}
"""The packages of ours that each may import."""
ALONE = """
import importlib, importlib.abc, sys

class Refused(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if parts[0] == "sourcewright" and len(parts) > 1 and parts[1] not in {allowed!r}:
            raise ImportError(name + " is another house")

sys.meta_path.insert(0, Refused())
door = importlib.import_module("sourcewright.{package}")
before = [name for name in sys.modules if name.startswith("sourcewright.{package}.")]
assert before == [], before
for name in door.__all__:
    getattr(door, name)
"""


def type_imports(package: str) -> set[str]:
    """The names that a door imports for type checkers."""
    tree = ast.parse((SOURCE / package / "__init__.py").read_text(encoding="utf-8"))
    return {
        alias.name
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_a_door_has_a_few_documented_names(package: str) -> None:
    door = importlib.import_module(f"sourcewright.{package}")

    assert 10 <= len(door.__all__) <= 30
    assert set(door.__all__) == type_imports(package)
    bare = [
        name
        for name in door.__all__
        if (inspect.isclass(value := getattr(door, name)) or inspect.isfunction(value))
        and not inspect.getdoc(value)
    ]
    assert bare == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_whole_without_the_others_and_loads_nothing_before_it_is_used(
    package: str,
) -> None:
    allowed = {package, "_about", "_doors", *NEEDS[package]}
    program = ALONE.format(allowed=allowed, package=package)

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_name_is_an_attribute_error() -> None:
    door = importlib.import_module("sourcewright.base")

    assert not hasattr(door, "nothing")
    assert "Doi" in dir(door)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_examples_on_the_page_of_a_package_run(package: str) -> None:
    page = SOURCE / package / "README.md"
    tests = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)

    assert tests.attempted > 0
    assert tests.failed == 0


def test_importing_the_package_loads_little_and_offers_its_api() -> None:
    program = (
        "import sys\nbefore = set(sys.modules)\nimport sourcewright\n"
        "sys.stdout.write(' '.join(sorted(set(sys.modules) - before)))\n"
        "for name in sourcewright.__all__:\n    getattr(sourcewright, name)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    loaded = set(done.stdout.split())
    assert loaded <= {"sourcewright", "sourcewright._about", "sourcewright._doors"}
