"""Collection of a file of tests by the one worker that runs it, and not by every worker.

pytest-xdist has each worker import and collect all files before any test is run, which takes as
much time and memory as a large part of the tests. Here a worker lists only the files at first. It
collects a file when it is its turn to run it, and forgets its tests afterwards.
"""

import ast
import functools
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import resident_memory
import work_units


def is_wanted(config: pytest.Config) -> bool:
    """Whether this worker may get whole files; a choice of single tests needs all their names."""
    option = config.option
    is_choice = option.keyword or option.markexpr or option.deselect or option.collectonly
    is_choice = is_choice or any("::" in word for word in config.args)
    return hasattr(config, "workerinput") and not is_choice


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> pytest.File | None:
    return TestFile.from_parent(parent, path=module_path) if is_wanted(parent.config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not isinstance(item, Unit):
        return None
    item.run(nextitem)
    return True


@contextmanager
def long_lived_objects() -> Iterator[None]:
    """Run the garbage collector seldom: what an import or a collection makes stays."""
    usual = gc.get_threshold()
    gc.set_threshold(10_000, 10, 1_000)
    yield
    gc.set_threshold(*usual)


def keep_objects() -> None:
    """Keep the garbage collector from the objects of now, which stay to the end of the run."""
    gc.collect()
    gc.freeze()


class TestFile(pytest.File):
    """A file whose tests are not known yet."""

    def collect(self) -> Iterator[pytest.Item]:
        if self.nodeid in work_units.APART:
            units = [Unit.from_parent(self, name=name) for name in self.functions()]
        else:
            units = [Unit.from_parent(self, name=self.name, nodeid=self.nodeid)]
        for unit in units:
            unit.add_marker(pytest.mark.timeout(0))  # each of its tests has a timeout
            yield unit

    def functions(self) -> list[str]:
        """The names of its tests, as far as they are known without an import."""
        tree = ast.parse(self.path.read_bytes())
        kinds = ast.FunctionDef | ast.AsyncFunctionDef
        names = [node.name for node in tree.body if isinstance(node, kinds)]
        return [name for name in names if name.startswith("test_")]

    def tests(self) -> list[Any]:
        """Import the file and list its tests; a file that fails is reported, and has none."""
        module = pytest.Module.from_parent(self.parent, path=self.path)
        with long_lived_objects():
            items = list(self.session.genitems(module))
            self.config.hook.pytest_collection_modifyitems(
                session=self.session, config=self.config, items=items
            )
        self.session._collection_cache.clear()
        return items

    @functools.cached_property
    def tests_by_function(self) -> dict[str, list[Any]]:
        """Listed once, for a file whose functions are given to workers one by one."""
        tests: dict[str, list[Any]] = {name: [] for name in self.functions()}
        for item in self.tests():
            tests[item.originalname].append(item)
        return tests


class Unit(pytest.Item):
    """The tests of a file, or of one function of a long file, as pytest-xdist assigns them."""

    running = ""
    """The test that is being run, to which pytest-xdist compares each report."""

    @property
    def nodeid(self) -> str:
        return self.running or super().nodeid

    def runtest(self) -> None:
        raise NotImplementedError  # `run` gives each of its tests to pytest

    def run(self, nextitem: pytest.Item | None) -> None:
        """Run its tests one after the other; `nextitem` keeps what the next unit needs too."""
        is_whole = self.name == self.path.name
        items = self.parent.tests() if is_whole else self.parent.tests_by_function[self.name]
        if not items:  # what the unit before it left for this one
            self.session._setupstate.teardown_exact(nextitem)
        for item, following in zip(items, [*items, nextitem][1:], strict=True):
            self.running = item.nodeid
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.shouldfail or self.session.shouldstop:
                break
        self.running = ""
        del items
        keep_objects()
        resident_memory.give_back()
