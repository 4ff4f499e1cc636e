"""MCP tools, one module each. Dropping a module in is registering it."""

import importlib
import pkgutil

from sourcewright.tools._base import ToolSpec


def discover() -> dict[str, ToolSpec]:
    """Every tool, by name."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    return {name: _tool_in(name) for name in names}


def _tool_in(name: str) -> ToolSpec:
    found = vars(importlib.import_module(f"{__name__}.{name}")).get(name)
    match found:
        case ToolSpec():
            return found
    raise ImportError(f"{__name__}.{name} must define a tool called {name!r}")
