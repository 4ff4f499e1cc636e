"""Prints search results as a numbered list on the terminal."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.cli import render
from sourcewright.domain.search.hints import WARNING_TO_MODELS

INDENT = " " * 5
_KNOWN_SIZE = {"width", "height"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutput:
    """The answer of a search tool, and the command-line names of its arguments."""

    answer: Mapping[str, Any]
    meta: Mapping[str, Any]
    names: Mapping[str, str]
    """The command-line option of each argument of the tool."""


def show_pages(result: SearchOutput) -> None:
    for number, page in enumerate(result.answer["results"], 1):
        show_heading(number, page["title"], page["url"])
        show_facts((page["displayLink"], publication_day(page), reputation_text(page)))
        _excerpt(page)
        if page.get("claimSignal"):
            render.paragraph(f"closest to the claim: {page['claimSignal']}", indent=INDENT)
    show_footer(result)


def show_articles(result: SearchOutput) -> None:
    for number, article in enumerate(result.answer["articles"], 1):
        show_heading(number, article["title"], article["url"])
        show_facts((article["source"], publication_day(article), reputation_text(article)))
        _excerpt(article)
    show_footer(result)


def show_pictures(result: SearchOutput) -> None:
    for number, picture in enumerate(result.answer["images"], 1):
        show_heading(number, picture["title"], picture["link"])
        size = f"{picture['width']} x {picture['height']}" if set(picture) >= _KNOWN_SIZE else None
        by = f"by {picture['creator']}" if "creator" in picture else None
        show_facts((picture["displayLink"], size, picture.get("licence"), by))
        if "contextLink" in picture:
            render.line(f"{INDENT}on {picture['contextLink']}")
    show_footer(result)


def show_heading(number: int, title: str, address: str) -> None:
    render.item(title or "(no title)", indent=INDENT, lead=f"{number}. ", bold=True)
    # Never wrapped: a broken URL cannot be clicked or copied.
    render.line(f"{INDENT}{address}")


def show_facts(facts: Iterable[str | None], *, indent: str = INDENT) -> None:
    if text := ", ".join(fact for fact in facts if fact):
        render.paragraph(text, indent=indent)


def _excerpt(hit: Mapping[str, Any]) -> None:
    # Some engines return titles without a snippet.
    if hit["snippet"]:
        render.paragraph(hit["snippet"], indent=INDENT)


def publication_day(hit: Mapping[str, Any]) -> str | None:
    published: str | None = hit.get("publishedAt")
    return published and published[:10]


def reputation_text(hit: Mapping[str, Any]) -> str | None:
    rating = hit.get("sourceReputation")
    return rating and f"reputation {rating['tier']} ({rating['basis']})"


def show_footer(result: SearchOutput) -> None:
    """Print notes on the whole answer: hints, cache age, adjusted and ignored arguments."""
    answer = result.answer
    if hints := answer.get("hints"):
        _show_hints(hints, result.names)
    else:
        for name, why in result.meta.get("providersFailed", {}).items():
            render.item(f"{name} did not answer: {why}", colour="yellow")
    if result.meta.get("cached"):
        render.status(f"from the cache, {result.meta['ageSeconds']} s old")
    for remark in remarks_on(answer, number=result.names.get("num_results", "--number")):
        render.item(remark, colour="yellow")
    if ignored := answer.get("filtersIgnored"):
        names = ", ".join(result.names.get(name, name) for name in ignored)
        render.item(f"filters ignored: {names}", colour="yellow")


def remarks_on(answer: Mapping[str, Any], *, number: str = "--number") -> Iterator[str]:
    """What must be said with the results: who answered for others, and that there are fewer.

    `number` is the option for how many there should be.
    """
    if note := answer.get("onlyFallback"):
        yield note
    if requested := answer.get("requestedNumResults"):
        yield f"{number} {requested} is out of range and was adjusted"


def _show_hints(hints: Mapping[str, Any], names: Mapping[str, str]) -> None:
    render.line("no results", bold=True)
    filters = (f"{names.get(n, n)} {value}" for n, value in hints["filtersApplied"].items())
    render.fields(
        [
            ("queried", ", ".join(hints["providersAttempted"])),
            *(("failed", f"{name}: {why}") for name, why in hints["providersFailed"].items()),
            ("filters", ", ".join(filters)),
            *(("try", _step(step, names)) for step in hints["suggestedActions"]),
        ]
    )
    warning = " ".join(hints["epistemicWarning"].replace(WARNING_TO_MODELS, "").split())
    render.paragraph(warning, indent="  ")


def _step(step: Mapping[str, Any], names: Mapping[str, str]) -> str:
    name = names.get(step.get("parameter", ""))
    if name is None:
        detail: str = step["detail"]
        return detail
    leave = "without " if step["action"] == "remove_filter" else ""
    return f"{leave}{name} {step['value']}"
