"""Brands in answers: identity, colours, logos, fonts, tone of voice, design tokens."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import Field

from sourcewright.domain.records.brands import (
    BrandSource,
    Colour,
    Logos,
    ToneOfVoice,
    Typography,
    UncheckedPage,
)
from sourcewright.services.brands.facts import by_role, coverage
from sourcewright.services.brands.palette import brightness
from sourcewright.services.brands.suggestions import suggestion
from sourcewright.services.brands.tokens import design_tokens
from sourcewright.services.records.brand_research import BrandOutcome
from sourcewright.tools._base import Answer
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust, WithoutNones


class BrandIdentity(Answer):
    """Who the company says it is."""

    name: OmittedIfNone[str] = None
    domain: str
    tagline: OmittedIfNone[str] = None
    description: OmittedIfNone[str] = None
    industry: OmittedIfNone[str] = None
    founded: OmittedIfNone[str] = None
    location: OmittedIfNone[str] = None


class PaletteColor(Answer):
    """A colour that a page states."""

    hex: str
    name: OmittedIfNone[str] = None
    role: OmittedIfNone[str] = None
    brightness: int = Field(description="Perceived brightness, 0-255.")


class BrandColors(Answer):
    """The first colour of each role, and all colours."""

    primary: OmittedIfNone[str] = None
    secondary: OmittedIfNone[str] = None
    accent: OmittedIfNone[str] = None
    background: OmittedIfNone[str] = None
    text: OmittedIfNone[str] = None
    surface: OmittedIfNone[str] = None
    text_secondary: OmittedIfNone[str] = None
    palette: list[PaletteColor]


class DosAndDonts(Answer):
    """What the guidelines ask for, verbatim."""

    dos: list[str]
    donts: list[str]


class Tone(Answer):
    """How the company says that it speaks, verbatim."""

    summary: OmittedIfNone[str] = None
    attributes: list[str]
    dos_and_donts: DosAndDonts


class Coverage(Answer):
    """How much of each group the pages state: full, partial, none; found or none for the tone."""

    colors: str
    logos: str
    typography: str
    tone_of_voice: str


class BrandReply(Answer):
    """What the pages of a company state about its brand."""

    identity: BrandIdentity
    colors: BrandColors
    logos: WithoutNones[Logos]
    typography: WithoutNones[Typography]
    tone_of_voice: Tone
    social: dict[str, str]
    sources: list[BrandSource]
    guidelines_url: OmittedIfNone[str] = None
    brand_portal_resource: OmittedIfNone[str] = Field(
        None, description="URI of the text of the brand page; kept for 30 minutes."
    )
    suggestion: OmittedIfNone[str] = None
    design_tokens: OmittedIfNone[dict[str, Any]] = None
    coverage: Coverage
    unchecked: list[UncheckedPage] = Field(
        description="Pages that could not be reached: an empty field may be stated there."
    )
    candidates: OmittedIfNone[list[str]] = Field(
        None, description="Other domains that are spelled as the company."
    )
    cache_age: int = Field(description="Seconds since the pages were read; 0 if just now.")
    trust: Trust = UNTRUSTED
    resource_bytes: OmittedIfNone[int] = Field(None, exclude=True)

    def links(self) -> tuple[Mapping[str, Any], ...]:
        if self.brand_portal_resource is None:
            return ()
        link = {
            "type": "resource_link",
            "uri": self.brand_portal_resource,
            "name": f"Brand page of {self.identity.domain}",
            "mimeType": "text/markdown",
            "size": self.resource_bytes,
        }
        return (link,)


def brand_reply(outcome: BrandOutcome, *, with_tokens: bool) -> BrandReply:
    brand, artifact = outcome.answer.value, outcome.artifact
    facts = brand.facts
    return BrandReply(
        identity=BrandIdentity(domain=brand.domain, **asdict(facts.identity)),
        colors=_colors(facts.palette),
        logos=facts.logos,
        typography=facts.typography,
        tone_of_voice=_tone(facts.tone),
        social=dict(facts.social),
        sources=list(brand.sources),
        guidelines_url=brand.guidelines_url,
        brand_portal_resource=artifact.uri if artifact else None,
        suggestion=suggestion(brand, is_kept=artifact is not None),
        design_tokens=design_tokens(facts) if with_tokens else None,
        coverage=Coverage(**coverage(facts)),
        unchecked=list(brand.unchecked),
        candidates=list(outcome.candidates) or None,
        cache_age=outcome.answer.age_seconds,
        resource_bytes=artifact.size_bytes if artifact else None,
    )


def _colors(palette: tuple[Colour, ...]) -> BrandColors:
    roles: dict[str, Any] = {role: one.hex for role, one in by_role(palette).items()}
    colours = [
        PaletteColor(hex=one.hex, name=one.name, role=one.role, brightness=brightness(one.hex))
        for one in palette
    ]
    return BrandColors(palette=colours, **roles)


def _tone(tone: ToneOfVoice) -> Tone:
    return Tone(
        summary=tone.summary,
        attributes=list(tone.attributes),
        dos_and_donts=DosAndDonts(dos=list(tone.dos), donts=list(tone.donts)),
    )
