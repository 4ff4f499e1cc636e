"""MCP tools, one module each; every module of this package is registered."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from sourcewright.tools._base import ToolSpec


def discover() -> dict[str, ToolSpec]:
    """Import all tools; return them by name."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    return {name: _tool_in(name) for name in names}


class LazyTools(Mapping[str, ToolSpec]):
    """Tools by name, each imported on first access."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    def __getitem__(self, name: str) -> ToolSpec:
        if name not in self._names:
            raise KeyError(name)
        return _tool_in(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@cache
def _tool_in(name: str) -> ToolSpec:
    spec = vars(importlib.import_module(f"{__name__}.{name}")).get(name)
    match spec:
        case ToolSpec():
            return spec
    raise ImportError(f"{__name__}.{name} must define a tool called {name!r}")
