"""Imports a script of `release/`, which is no package."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).parents[2] / "release"


@contextmanager
def release_script(name: str) -> Iterator[ModuleType]:
    """The script as a module; forgotten afterwards."""
    spec = importlib.util.spec_from_file_location(name, _FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[name]
