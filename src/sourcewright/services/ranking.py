"""What was gathered, best first: filtered, told once, and weighed against a claim."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sourcewright.domain.claims import ClaimEvidence
from sourcewright.logic.addressing import identity
from sourcewright.logic.clipping import part_of
from sourcewright.logic.distilling import Distilled, Teller
from sourcewright.logic.weighing.evidence import evidence_for
from sourcewright.services.rating import Rated

LEAST_RELEVANCE = 0.3
"""What speaks of less of the question is left out, where that is wanted."""
WEIGHED = 100_000
"""Characters of a source in which evidence is looked for: half a second's work at the worst."""
_RULE = "\n\n---\n\n"
_ADDRESS_LINE = re.compile(
    r"^([ \t]*)(?=<https?://[^\s<>]*>[ \t]*$)", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be made of the pages."""

    claim: str | None
    filter_by_query: bool
    deduplicate: bool
    most_per_source: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A source in its place, with what is told of it."""

    rated: Rated
    told: Distilled
    evidence: ClaimEvidence | None
    """What is told of it holds this, at these places."""
    claimed: ClaimEvidence | None
    """What it says by itself, also in paragraphs that were told of another source."""
    unweighed: bool = False
    """Whether time did not suffice for the claim."""
    same_as: str | None = None
    """Where a better one stands that led to the same page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The sources, best first, and all of them in one text."""

    sources: tuple[Ranked, ...]
    left_out: tuple[Rated, ...]
    """Pages that were read and speak of too little of the question."""
    combined: str
    cut: bool
    """Whether a limit ended the one text before its end."""


def rank(pages: Sequence[Rated], wanted: Wanted, has_time: Callable[[], bool]) -> Ranking:
    """Put the pages in order. Takes as long as they are: never call it where others wait.

    A claim takes longest: no source is weighed against it once `has_time` says no.
    """
    passed, left_out = list[Rated](), list[Rated]()
    # The sort is stable: of two alike the one that the search had first stays first.
    for one in sorted(pages, key=lambda page: -page.score.overall):
        fits = not wanted.filter_by_query or one.score.relevance >= LEAST_RELEVANCE
        (passed if fits else left_out).append(one)
    teller = Teller(most=wanted.most_per_source, deduplicate=wanted.deduplicate)
    first = dict[str, str]()
    sources = tuple(
        replace(_told(one, teller, wanted, has_time), same_as=_same_as(one, first))
        for one in passed
    )
    whole = _RULE.join(_passage(one) for one in sources if one.told.content)
    part = part_of(whole, most=wanted.most)
    return Ranking(
        sources=sources,
        left_out=tuple(left_out),
        combined=part.text,
        cut=part.next_offset is not None,
    )


def _same_as(rated: Rated, first: dict[str, str]) -> str | None:
    """Which source before it led to the same page, if one did."""
    url = first.setdefault(identity(rated.page.read.url), rated.url)
    return url if url != rated.url else None


def _told(rated: Rated, teller: Teller, wanted: Wanted, has_time: Callable[[], bool]) -> Ranked:
    text = rated.page.read.reading.content
    told = teller.tell(text)
    if not wanted.claim or not has_time():
        return Ranked(
            rated=rated, told=told, evidence=None, claimed=None, unweighed=bool(wanted.claim)
        )
    here = whole = evidence_for(told.content[:WEIGHED], wanted.claim)
    if told.repeated:
        alone = part_of(text, most=wanted.most_per_source).text
        whole = evidence_for(alone[:WEIGHED], wanted.claim)
    return Ranked(rated=rated, told=told, evidence=here, claimed=whole)


def _passage(source: Ranked) -> str:
    """A source in the one text, under its address and, where it does not say it, its title.

    An address on a line of its own begins a source, so a page's own ones are marked as text:
    no page can give out what it says for another's.
    """
    content = _ADDRESS_LINE.sub(r"\1\\", source.told.content.strip())
    title = " ".join(source.rated.title.split())
    head = f"# {title}\n\n" if title and not content.startswith("# ") else ""
    return f"<{source.rated.url}>\n\n{head}{content}"
