"""Builds the reference page of the Python API: the public names of the package and of its doors."""

import inspect
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from sourcewright.cli.reference.markdown import page

PACKAGES = ("base", "reading", "references", "net", "world")
"""The packages with a door, each with a page of its own."""
_LEAD = """\
`import sourcewright` loads nothing but this list of names; each is imported when it is first used.
`sourcewright.aio` has the same `Client` with `await`. A failed call raises `CallFailed`; only `DoesNotExist` means that something is absent.
[The notebook](../guides/notebook.ipynb) shows them at work."""


def python_pages() -> dict[str, str]:
    """The pages by name: one of the whole, and one of each package with a door."""
    whole = import_module("sourcewright")
    links = ", ".join(f"[{name}](python-{name}.md)" for name in PACKAGES)
    lead = f"{_LEAD}\nThe packages below it can be used alone: {links}."
    pages = {"python": page("Python", lead, *_entries(whole))}
    for name in PACKAGES:
        door = import_module(f"sourcewright.{name}")
        pages[f"python-{name}"] = page(
            f"sourcewright.{name}", inspect.getdoc(door) or "", *_entries(door)
        )
    return pages


def _entries(door: ModuleType) -> list[str]:
    blocks = []
    for name in sorted(door.__all__, key=str.casefold):
        value = getattr(door, name)
        if inspect.isclass(value):
            blocks.append(_class(name, value))
        elif inspect.isfunction(value):
            blocks.append(f"## {name}\n\n{_signature(name, value)}\n\n{inspect.getdoc(value)}")
    return blocks


def _class(name: str, value: type) -> str:
    text = inspect.getdoc(value) or ""
    methods = [
        f"- `{attribute}`: {(inspect.getdoc(member) or '').partition(chr(10))[0]}"
        for attribute, member in sorted(vars(value).items())
        if not attribute.startswith("_")
        and isinstance(member, property | classmethod | staticmethod | type(_class))
        and inspect.getdoc(member)
    ]
    return "\n\n".join(filter(None, [f"## {name}", text, "\n".join(methods)]))


def _signature(name: str, function: Callable[..., object]) -> str:
    parameters = inspect.signature(function).parameters.values()
    bare = [one.replace(annotation=one.empty) for one in parameters]
    return f"`{name}{inspect.Signature(bare)}`"
