"""Parses bodies that nobody can trust; XML without document types or entities, and bounded."""

import json
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

MAX_DEPTH = 64
MAX_ELEMENTS = 100_000


class _Guarded:
    """Builds a tree and refuses what a plain document does not need."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._depth = 0
        self._elements = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_DEPTH or self._elements > MAX_ELEMENTS:
            raise ValueError("the XML is nested too deep or has too many elements")
        self._builder.start(_clark(name), {_clark(k): v for k, v in attributes.items()})

    def end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(_clark(name))

    def data(self, text: str) -> None:
        self._builder.data(text)

    def refuse(self, *_what: Any) -> None:
        raise ValueError("the XML declares a document type")

    def close(self) -> Element:
        return self._builder.close()


def parse_xml(body: bytes) -> Element:
    """The root element, names in Clark notation.

    Raises:
        ValueError: It is not XML, or XML that could harm.
    """
    tree = _Guarded()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.data
    parser.StartDoctypeDeclHandler = tree.refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"not well-formed XML: {error}") from error
    return tree.close()


def _clark(name: str) -> str:
    return "{" + name if "}" in name else name


def object_in(body: bytes) -> Mapping[str, Any]:
    """The JSON object in an error's body, or an empty one where there is something else."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
