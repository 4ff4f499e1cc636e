"""Parsers for untrusted JSON and XML: bounded, without document types or entities."""

import html.entities
import json
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from sourcewright.base.formats.answer_limits import LimitExceeded

MAX_DEPTH = 64
MAX_ELEMENTS = 100_000
MAX_DOCUMENT_ELEMENTS = 1_000_000
MAX_CHARACTERS = 64 * 2**20
_MAX_ENTITY_LENGTH = 500


class XmlLimitExceeded(LimitExceeded):
    """A limit was reached before the end of the document."""


class _GuardedTree:
    """Builds an element tree within limits, and rejects dangerous declarations."""

    def __init__(self, most_elements: int = MAX_ELEMENTS) -> None:
        self._builder = TreeBuilder()
        self._most_elements = most_elements
        self._open: list[str] = []
        self._characters = 0
        self.elements = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if len(self._open) >= MAX_DEPTH or self.elements > self._most_elements:
            raise XmlLimitExceeded("the XML is nested too deeply or has too many elements")
        self._open.append(_clark(name))
        clark = {_clark(key): value for key, value in attributes.items()} if attributes else {}
        self._builder.start(self._open[-1], clark)

    def end(self, _name: str) -> Element | None:
        return self._builder.end(self._open.pop())

    def data(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            raise XmlLimitExceeded("the XML has too much text")
        self._builder.data(text)

    def skip(self, name: str, is_parameter: int) -> None:
        """Handles an undeclared entity: most are those of HTML; others are dropped."""
        if not is_parameter:
            self.data(html.entities.html5.get(f"{name};", ""))

    def refuse(self, *_what: Any) -> None:
        raise ValueError("the XML declares a document type")

    def refuse_entity(
        self, _name: str, is_parameter: int, value: str | None, *_where: Any
    ) -> None:
        """Rejects all entities but short literal ones, which cannot expand further."""
        is_short = value is not None and len(value) <= _MAX_ENTITY_LENGTH
        if is_parameter or value is None or not is_short or "&" in value or "<" in value:
            raise ValueError("the XML declares entities, which could expand without limit")

    def close(self) -> Element:
        """The tree; elements that are still open after a limit are closed."""
        while self._open:
            self._builder.end(self._open.pop())
        return self._builder.close()


class _FirstElements(_GuardedTree):
    """Builds the first non-empty elements of a name, and only counts the others."""

    def __init__(self, name: str, most: int, fillings: frozenset[str]) -> None:
        super().__init__(MAX_DOCUMENT_ELEMENTS)
        self._name, self._most, self._fillings = name, most, fillings
        self._filled = False
        self._counting = False
        self.elements_found: list[Element] = []
        self.more = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local_name = name.rpartition("}")[2]
        self._filled = local_name in self._fillings or (self._filled and local_name != self._name)
        self._counting = self._counting or self.elements >= self._most_elements
        if not self._counting:
            super().start(name, attributes)

    def end(self, name: str) -> Element | None:
        element = None if self._counting else super().end(name)
        if self._filled and name.rpartition("}")[2] == self._name:
            self.more += element is None
            self.elements_found += [] if element is None else [element]
            self._counting = self._counting or len(self.elements_found) >= self._most
            self._filled = False
        return element

    def data(self, text: str) -> None:
        if not self._counting:
            super().data(text)


def parse_xml(body: bytes, *, most_elements: int = MAX_ELEMENTS) -> Element:
    """The root element, with names in Clark notation.

    Raises:
        ValueError: It is not well-formed XML, or has dangerous declarations.
    """
    tree = _GuardedTree(most_elements)
    parser = _parser_for(tree)
    parser.StartDoctypeDeclHandler = tree.refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"not well-formed XML: {error}") from error
    return tree.close()


def parse_document(
    body: bytes, *, most_elements: int = MAX_DOCUMENT_ELEMENTS
) -> tuple[Element, bool]:
    """The root of a document of any length, and whether a limit or an error truncated it.

    A document type is allowed, since many formats have one; entities that it declares must be
    short literals.

    Raises:
        ValueError: It is not well-formed XML, or has dangerous declarations.
    """
    tree = _GuardedTree(most_elements)
    parser = _parser_for(tree)
    _allow_entities(parser, tree)
    try:
        parser.Parse(body, True)
    except (XmlLimitExceeded, expat.ExpatError, LookupError) as error:
        if tree.elements < 2:
            raise ValueError(f"not well-formed XML: {error}") from error
        return tree.close(), True
    return tree.close(), False


def parse_first_elements(
    body: bytes, name: str, *, most: int, fillings: frozenset[str]
) -> tuple[list[Element], int, bool]:
    """The first elements of a name that contain one of `fillings`, and the number of others.

    The last value says whether an error or a limit ended parsing early. Memory use does not
    grow with the length of the document.

    Raises:
        ValueError: It has dangerous declarations.
    """
    tree = _FirstElements(name, most, fillings)
    parser = _parser_for(tree)
    parser.EntityDeclHandler = tree.refuse_entity
    try:
        parser.Parse(body, True)
    except (XmlLimitExceeded, expat.ExpatError, LookupError):
        return tree.elements_found, tree.more, True
    return tree.elements_found, tree.more, False


def _parser_for(tree: _GuardedTree) -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.data
    return parser


def _allow_entities(parser: expat.XMLParserType, tree: _GuardedTree) -> None:
    parser.EntityDeclHandler = tree.refuse_entity
    parser.SkippedEntityHandler = tree.skip
    # Simulates an external DTD, so that unknown entities are skipped instead of being errors.
    parser.UseForeignDTD(True)


def _clark(name: str) -> str:
    return "{" + name if "}" in name else name


def json_object_in(body: bytes) -> Mapping[str, Any]:
    """The JSON object in the body of an error response; empty if it is anything else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
