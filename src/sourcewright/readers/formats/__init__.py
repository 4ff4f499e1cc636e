"""Formats: one module per kind of document, from bytes to text.

A reader that names its `KINDS` and has a function `read` is found by them.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Protocol

from sourcewright.domain.readings import Reading


class Reads(Protocol):
    """What a reader's `read` is."""

    def __call__(self, body: bytes, *, url: str, content_type: str) -> Reading | Iterable[Reading]:
        """The whole at once, or piece by piece, so that what was read before a limit is kept.

        Raises:
            BadAnswer: It cannot be read; the message says why.
        """
        ...


@cache
def reader_of(kind: str) -> Reads:
    """The reader of a kind of document; only as many modules are imported as it takes.

    Raises:
        LookupError: There is none.
    """
    for module in _modules(kind):
        if kind in getattr(module, "KINDS", ()):
            read: Reads = module.read
            return read
    raise LookupError(f"nothing reads {kind}")


def _modules(kind: str) -> Iterator[ModuleType]:
    """Those that may read the kind; its namesake first, since importing takes time."""
    names = [one.name for one in pkgutil.iter_modules(__path__) if not one.name.startswith("_")]
    for name in sorted(names, key=lambda name: (name != kind, name)):
        if _names_kinds(name):
            yield importlib.import_module(f"{__name__}.{name}")


def _names_kinds(name: str) -> bool:
    """Whether a module may read anything, as far as its text says: some only have it done."""
    try:
        return b"\nKINDS" in (pkgutil.get_data(__name__, f"{name}.py") or b"")
    except OSError:
        return True
