"""Formats: one module per kind of document, from bytes to text.

A module with `KINDS` and a function `read` is discovered as the reader of those kinds.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Protocol

from sourcewright.reading.readings import Draft, Reading


class ReadFunction(Protocol):
    """The signature of a reader's `read` function."""

    def __call__(
        self, body: bytes, *, url: str, content_type: str
    ) -> Reading | Iterable[Reading | Draft]:
        """Return the document at once, or in pieces, so that those before a limit are kept.

        Raises:
            BadAnswer: It cannot be read; the message says why.
        """
        ...


@cache
def reader_of(kind: str) -> ReadFunction:
    """The reader of a kind of document; imports only the modules it needs.

    Raises:
        LookupError: There is none.
    """
    for module in _modules(kind):
        if kind in getattr(module, "KINDS", ()):
            read: ReadFunction = module.read
            return read
    raise LookupError(f"no reader for {kind}")


def _modules(kind: str) -> Iterator[ModuleType]:
    """Modules that may read the kind; the module of the same name first, as imports take time."""
    names = [one.name for one in pkgutil.iter_modules(__path__) if not one.name.startswith("_")]
    for name in sorted(names, key=lambda name: (name != kind, name)):
        if _defines_kinds(name):
            yield importlib.import_module(f"{__name__}.{name}")


def _defines_kinds(name: str) -> bool:
    """Whether a module's source defines `KINDS`; others are helpers and are not imported."""
    try:
        return b"\nKINDS" in (pkgutil.get_data(__name__, f"{name}.py") or b"")
    except OSError:
        return True
