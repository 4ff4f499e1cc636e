"""Lazy imports: the public names of a package, each imported when it is first used (PEP 562)."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # `import sourcewright` loads this module, and should load nothing else.
    from collections.abc import Callable, Mapping
    from typing import Any


def door(
    package: str, homes: "Mapping[str, str]"
) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """`__getattr__` and `__dir__` of a package; `homes` has the module of each public name."""

    def get(name: str) -> "Any":
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, names
