"""Upstream sources, one module each; every module of this package is registered."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from sourcewright.providers._base import Provider


def discover() -> dict[str, type[Provider]]:
    """Import every provider module and return the classes by name."""
    return load(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def load(names: Iterable[str]) -> dict[str, type[Provider]]:
    """Import only the named providers, because importing takes time."""
    return {name: _only_provider_in(name) for name in names}


@cache
def _only_provider_in(name: str) -> type[Provider]:
    module = importlib.import_module(f"{__name__}.{name}")
    classes = [
        item
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, Provider) and item is not Provider
    ]
    if len(classes) != 1 or classes[0].info.name != name:
        raise ImportError(f"{module.__name__} must define exactly one Provider, named {name!r}")
    return classes[0]
