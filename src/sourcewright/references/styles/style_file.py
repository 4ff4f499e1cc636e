"""CSL style files and their locale, from `data/citation_styles`: macros, terms, date formats."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

StyleName = Literal["apa", "mla"]

_FILES: Mapping[StyleName, str] = MappingProxyType(
    {"apa": "apa.csl", "mla": "modern-language-association.csl"}
)
_NAMESPACE = "{http://purl.org/net/xbiblio/csl}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_FORM_FALLBACKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "verb-short": ("verb-short", "verb", "long"),
        "symbol": ("symbol", "short", "long"),
        "verb": ("verb", "long"),
        "short": ("short", "long"),
        "long": ("long",),
    }
)

Term = tuple[str, str]
"""Singular and plural."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style together with the terms and dates of its locale."""

    options: Mapping[str, str]
    """Attributes of the style, overridden by those of its bibliography."""
    layout: Element
    macros: Mapping[str, Element]
    terms: Mapping[tuple[str, str], Term]
    dates: Mapping[str, Element]

    def term(self, name: str, form: str = "long", *, plural: bool = False) -> str:
        """The term in this form or in the next one that exists; empty if there is none."""
        for candidate in _FORM_FALLBACKS.get(form, ("long",)):
            if (wording := self.terms.get((name, candidate))) is not None:
                return wording[plural]
        return ""


@cache
def load_style(name: StyleName) -> Style:
    """A style with the locale en-US, overridden by its own locale elements."""
    root = _read(_FILES[name])
    bibliography = root.find("bibliography")
    layout = None if bibliography is None else bibliography.find("layout")
    if bibliography is None or layout is None:
        raise ValueError(f"the style {name} has no bibliography")
    own = [one for one in root.iter("locale") if one.get(_LANGUAGE) in ("en", "en-US")]
    locales = [_read("locales-en-US.xml"), *own]
    return Style(
        options=MappingProxyType({**root.attrib, **bibliography.attrib}),
        layout=layout,
        macros=MappingProxyType({one.get("name", ""): one for one in root.iter("macro")}),
        terms=MappingProxyType({key: term for one in locales for key, term in _terms(one)}),
        dates=MappingProxyType(
            {date.get("form", ""): date for one in locales for date in one.findall("date")}
        ),
    )


def _read(file_name: str) -> Element:
    data = files("sourcewright").joinpath("data/citation_styles", file_name).read_bytes()
    root = ET.fromstring(data)  # noqa: S314 -- our own file
    for element in root.iter():
        element.tag = element.tag.removeprefix(_NAMESPACE)
    return root


def _terms(locale: Element) -> Iterator[tuple[tuple[str, str], Term]]:
    for term in locale.iter("term"):
        single, multiple = term.find("single"), term.find("multiple")
        text = term.text or ""
        singular = text if single is None else single.text or ""
        plural = singular if multiple is None else multiple.text or ""
        yield (term.get("name", ""), term.get("form", "long")), (singular, plural)
