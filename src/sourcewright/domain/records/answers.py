"""Answer engines: a written answer with its citations, and results with extracted fields."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCitation:
    """A page that an answer relies on."""

    url: str
    title: str | None = None
    published: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedAnswer:
    """A written answer, and the pages that it relies on."""

    text: str
    citations: tuple[AnswerCitation, ...]
    cost_usd: float | None = None
    """The provider's estimate of the cost of the request; None if it gives none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredQuery:
    """A search whose results have fields extracted by a schema."""

    text: str
    limit: int
    category: str | None = None
    """In the provider's vocabulary."""
    schema: str | None = None
    """The JSON Schema of the fields, as JSON; None for a summary in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredItem:
    """One result, with the fields that the provider extracted from the page."""

    url: str
    title: str | None = None
    published: str | None = None
    author: str | None = None
    summary: str | None = None
    """As JSON: an object that follows the schema, or a string."""
    highlights: tuple[str, ...] = ()
    """Passages of the page, unchanged."""
    entities: str | None = None
    """As JSON, in the provider's own form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredResults:
    """The results, best first. No results are an answer: nothing was found."""

    items: tuple[StructuredItem, ...]
    cost_usd: float | None = None
