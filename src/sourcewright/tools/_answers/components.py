"""UI components and source recommendations in a response."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from sourcewright.base.text.phrases import lead_of
from sourcewright.domain.sources.scoring import Score
from sourcewright.services.search.ranking import RankedSource
from sourcewright.tools._results import CAMEL, OmittedIfNone

_MIN_SCORE = 0.6
_MAX_RECOMMENDATIONS = 3
_SNIPPET_LENGTH = 200
_COLUMNS = ("source", "overall", "authority", "relevance", "freshness")


class Recommendation(BaseModel):
    """A recommended source; independent of the order of sources."""

    url: str
    title: OmittedIfNone[str] = None
    score: float
    reason: str


class Card(BaseModel):
    """One source."""

    url: str
    title: OmittedIfNone[str] = None
    score: float
    snippet: OmittedIfNone[str] = None


class Table(BaseModel):
    """Comparison of the sources."""

    columns: list[str]
    rows: list[list[str]]


class Component(BaseModel):
    """A display component, derived from the sources by rules."""

    model_config = CAMEL

    type: Literal["card", "table"]
    auto_formatted: Literal[True] = True
    label: Literal["mcp-auto-formatted"] = "mcp-auto-formatted"
    title: OmittedIfNone[str] = None
    source_refs: list[str]
    card: OmittedIfNone[Card] = None
    table: OmittedIfNone[Table] = None


def recommendations(sources: Sequence[RankedSource]) -> list[Recommendation]:
    """Return the best sources with text, and the highest score of each as the reason."""
    good = [one for one in _with_text(sources) if one.rated.score.overall >= _MIN_SCORE]
    return [
        Recommendation(
            url=one.rated.url,
            title=one.rated.title or None,
            score=one.rated.score.overall,
            reason=_reason(one.rated.score),
        )
        for one in good[:_MAX_RECOMMENDATIONS]
    ]


def components(sources: Sequence[RankedSource]) -> list[Component]:
    """Return a card for each source with text, and a table if there are several."""
    with_text = _with_text(sources)
    cards = [
        Component(
            type="card",
            title=one.rated.title or None,
            source_refs=[one.rated.url],
            card=Card(
                url=one.rated.url,
                title=one.rated.title or None,
                score=one.rated.score.overall,
                snippet=lead_of(one.text.content, most=_SNIPPET_LENGTH) or None,
            ),
        )
        for one in with_text
    ]
    return [*cards, _table(with_text)] if len(with_text) > 1 else cards


def _table(sources: Sequence[RankedSource]) -> Component:
    rows = [
        [one.rated.url, *(f"{getattr(one.rated.score, name):.2f}" for name in _COLUMNS[1:])]
        for one in sources
    ]
    return Component(
        type="table",
        title="Source quality comparison",
        source_refs=[one.rated.url for one in sources],
        table=Table(columns=list(_COLUMNS), rows=rows),
    )


def _with_text(sources: Sequence[RankedSource]) -> list[RankedSource]:
    return [one for one in sources if one.text.content.strip() and not one.same_as]


def _reason(score: Score) -> str:
    signals = {
        "authority of the host": score.authority,
        "relevance to the query": score.relevance,
        "freshness": score.freshness,
        "amount and form of the text": score.content,
    }
    name = max(signals, key=lambda one: signals[one])
    return f"{name} ({signals[name]:.2f}), according to the page itself; advisory only"
