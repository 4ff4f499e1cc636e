"""Brands: what the pages of a company state about its name, colours, logos, fonts and voice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Depth = Literal["quick", "standard", "full"]
"""The homepage; also the usual addresses of brand pages; also a web search."""
Tier = Literal["homepage_meta", "brand_page", "web_search"]
ColourRole = Literal[
    "primary", "secondary", "accent", "background", "text", "surface", "text_secondary"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandIdentity:
    """Who the company says it is."""

    name: str | None = None
    tagline: str | None = None
    description: str | None = None
    industry: str | None = None
    founded: str | None = None
    location: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """A colour that a page states."""

    hex: str
    """`#` and six digits in lower case."""
    name: str | None = None
    role: ColourRole | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """An image that a page calls its logo or icon."""

    url: str
    format: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logos:
    """The logos by use."""

    primary: Logo | None = None
    dark: Logo | None = None
    """For dark backgrounds."""
    icon: Logo | None = None
    favicon: str | None = None
    og_image: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """A font family that a page states for one use."""

    family: str
    weights: tuple[int, ...] = ()
    origin: str | None = None
    """Who serves it, such as `google_fonts`; None if no page says."""
    origin_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Typography:
    """The fonts by use."""

    heading: Font | None = None
    body: Font | None = None
    mono: Font | None = None
    google_fonts_url: str | None = None
    scale: Mapping[str, str] = field(default_factory=dict)
    """Font sizes as stated, such as `48px`, by level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneOfVoice:
    """How the company says that it speaks, verbatim."""

    summary: str | None = None
    attributes: tuple[str, ...] = ()
    dos: tuple[str, ...] = ()
    donts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandFacts:
    """What one or several pages state; a field that none states is empty."""

    identity: BrandIdentity = BrandIdentity()
    palette: tuple[Colour, ...] = ()
    logos: Logos = Logos()
    typography: Typography = Typography()
    tone: ToneOfVoice = ToneOfVoice()
    social: Mapping[str, str] = field(default_factory=dict)
    """URLs of profiles by network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandSource:
    """A page that contributed, and the fields that it filled."""

    name: Tier
    url: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedPage:
    """A page or a service that could not be asked, so that nothing follows from its silence."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """The brand of a domain, as far as its pages state it."""

    domain: str
    homepage: str
    depth: Depth
    facts: BrandFacts = BrandFacts()
    sources: tuple[BrandSource, ...] = ()
    guidelines_url: str | None = None
    """The brand page, whether or not it could be read."""
    guidelines_problem: str | None = None
    """Why the brand page could not be read."""
    portal_text: str | None = None
    """The text of the brand page and of its sub-pages, as Markdown."""
    unchecked: tuple[UncheckedPage, ...] = ()
    elsewhere: str | None = None
    """Another host to which an address for brand pages redirects."""
