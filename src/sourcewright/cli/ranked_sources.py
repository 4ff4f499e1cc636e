"""Prints the ranked sources of `research` as a list on the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.text.phrases import lead_of
from sourcewright.cli import render
from sourcewright.cli.search_results import (
    INDENT,
    SearchOutput,
    publication_day,
    reputation_text,
    show_facts,
    show_footer,
    show_heading,
)

_EXCERPT = 300
_SIGNALS = {
    "relevance": "relevance",
    "freshness": "freshness",
    "authority": "authority",
    "contentQuality": "content",
}


def show_sources(result: SearchOutput) -> None:
    """Print each source with its scores, and its evidence for the claim or an excerpt."""
    for number, source in enumerate(result.answer["sources"], 1):
        show_heading(number, source.get("title", ""), source["url"])
        show_facts(
            (scores_of(source), source["sourceType"].replace("_", " "), publication_day(source))
        )
        if (rated := reputation_text(source)) is not None:
            show_facts((rated,))
        _show_warnings(source)
        if "claimCoverage" in source:
            _show_evidence(source)
        else:
            _show_excerpt(source)
    for loss in omitted_sources(result.answer):
        render.item(loss, colour="yellow")
    show_footer(result)


def omitted_sources(answer: Mapping[str, Any]) -> Iterator[str]:
    """A line for each page that was found but is not among the sources, with the reason."""
    for one in answer.get("filteredSources", ()):
        yield f"omitted, not about the query: {one['url']}"
    for one in answer.get("scrapeFailures", ()):
        # The reason contains the URL.
        yield f"could not be read ({one['kind']}): {one['reason']}"
        if "snippet" in one:
            yield f"excerpt in the search results: {lead_of(one['snippet'], most=_EXCERPT)}"
    if "note" in answer:
        yield answer["note"]


def scores_of(source: Mapping[str, Any]) -> str:
    scores = source["scores"]
    parts = ", ".join(f"{word} {scores[name]:.2f}" for name, word in _SIGNALS.items())
    return f"score {scores['overall']:.2f} ({parts})"


def _show_warnings(source: Mapping[str, Any]) -> None:
    if (status := source.get("retractionStatus")) is not None:
        warning = f"notice recorded for {source['detectedDoi']}: {status['kind']}"
        render.item(warning, indent=INDENT, colour="red")
    if source.get("retractionUnchecked"):
        show_facts((f"{source['detectedDoi']} could not be checked for retractions",))
    if source["extractionQuality"] == "partial":
        show_facts(("this may be only part of the page",))
    if (count := source.get("duplicateParagraphs")) and source["content"]:
        show_facts((f"paragraphs omitted that an earlier source contains: {count}",))
    if "contentNote" in source:
        show_facts((source["contentNote"],))


def _show_evidence(source: Mapping[str, Any]) -> None:
    show_facts((f"the claim is {source['claimCoverage'].replace('_', ' ')}",))
    # Key sentences without evidence are in a duplicate paragraph of a source above.
    for text in source.get("keySentences", ()) if "evidence" not in source else ():
        render.paragraph(f"- {text}", indent=INDENT)
    for one in source.get("evidence", ()):
        signs = [
            *(["in contrast"] if one["contrast"] else []),
            *([f"{one['numbers']} numbers"] if "numbers" in one else []),
        ]
        mark = f" [{', '.join(signs)}]" if signs else ""
        render.paragraph(f"- {one['text']}{mark}", indent=INDENT)


def _show_excerpt(source: Mapping[str, Any]) -> None:
    if excerpt := lead_of(source["content"], most=_EXCERPT):
        render.paragraph(excerpt, indent=INDENT)
