"""`sourcewright search`: search the web for pages, news articles or images."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import click

from sourcewright.cli import calling, render
from sourcewright.cli.finding import SearchAnswer, show_articles, show_pages, show_pictures
from sourcewright.domain.queries import SafeSearch, SortOrder, TimeRange

_COMMON = {
    "lens": "lens",
    "provider": "provider",
    "number": "num_results",
    "language": "language",
    "country": "country",
    "safe": "safe",
}
_IMAGE_OPTIONS = ("size", "type", "color_type", "dominant_color", "file_type")
_SAFE_NEWS: Mapping[SafeSearch, str] = {"off": "off", "medium": "moderate", "high": "strict"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """One kind of search: its tool, and the tool argument of each supported option."""

    tool: str
    arguments: Mapping[str, str]
    show: Any


_KINDS: Mapping[str, _Kind] = {
    "pages": _Kind(
        tool="web_search",
        arguments=_COMMON
        | {"site": "site", "time_range": "time_range", "claim": "claim"}
        | {"exact": "exact_terms", "exclude": "exclude_terms"},
        show=show_pages,
    ),
    "news": _Kind(
        tool="news_search",
        arguments=_COMMON | {"site": "news_source", "time_range": "time_range", "sort": "sort_by"},
        show=show_articles,
    ),
    "images": _Kind(
        tool="image_search",
        arguments=_COMMON | {name: name for name in _IMAGE_OPTIONS},
        show=show_pictures,
    ),
}


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--news", "kind", flag_value="news", help="Search for articles.")
@click.option("--images", "kind", flag_value="images", help="Search for pictures.")
@click.option("--lens", help="Look at a part of the web: `sourcewright lenses` lists them.")
@click.option("--provider", help="Ask this engine and no other.")
@click.option("-n", "--number", type=int, help="How many results (5).")
@click.option("--site", help="Pages or articles of this host only; a lens wins over it.")
@click.option("--time-range", type=click.Choice(get_args(TimeRange)), help="Not older than this.")
@click.option("--language", metavar="CODE", help="In this language, such as de.")
@click.option("--country", metavar="CODE", help="From this country, such as gb.")
@click.option("--exact", metavar="WORDS", help="Pages with exactly these words.")
@click.option("--exclude", metavar="WORDS", help="Pages without these words.")
@click.option(
    "--safe", type=click.Choice(get_args(SafeSearch)), help="How much is filtered (medium)."
)
@click.option("--sort", type=click.Choice(get_args(SortOrder)), help="The order of articles.")
@click.option("--claim", help="Say of each page what in it is closest to this.")
@click.option("--size", help="Of pictures, such as large.")
@click.option("--type", help="Of pictures, such as photo or lineart.")
@click.option("--color-type", help="Of pictures, such as gray.")
@click.option("--dominant-color", help="Of pictures, such as teal.")
@click.option("--file-type", help="Of pictures, such as png.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def command(words: tuple[str, ...], kind: str | None, as_json: bool, **options: Any) -> int:
    """Search the web, the news or for pictures.

    No key is needed; with keys in the settings more engines are asked.
    A filter that the engine could not honour is said, never dropped in silence.
    Nothing found is an answer and ends with 0; it is no evidence that nothing exists.
    The exit code is 1 when no engine gave a usable answer, 2 for a question that cannot be
    asked, and 3 when a key is missing or an engine refused.

    \b
    Example:
      sourcewright search tidal energy storage
      sourcewright search tidal energy --news --time-range month --sort date
      sourcewright search sea otter --images --size large --json
    """
    search = _KINDS[kind or "pages"]
    arguments = {"query": " ".join(words), **_arguments(kind or "pages", options)}
    result = calling.call(search.tool, arguments)
    if as_json:
        render.data(result.structured)
        return render.exit_code(result.structured)
    if result.is_error:
        return render.failure(result.structured)
    names = {argument: _flag(option) for option, argument in search.arguments.items()}
    search.show(SearchAnswer(answer=result.structured, meta=result.meta, names=names))
    return 0


def _arguments(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The tool's arguments; an option that this kind of search lacks is a usage error."""
    values = {name: value for name, value in options.items() if value is not None}
    supported = _KINDS[kind].arguments
    for name in values:
        if name not in supported:
            others = [other for other, one in _KINDS.items() if name in one.arguments]
            raise click.UsageError(
                f"{_flag(name)} is for {' and '.join(others)}, and this is a search for {kind}"
            )
    if kind == "pages" and values.get("time_range") == "hour":
        raise click.UsageError("--time-range hour is for news; pages are asked for by the day")
    if kind == "news" and "safe" in values:
        values["safe"] = _SAFE_NEWS[values["safe"]]
    return {supported[name]: value for name, value in values.items()}


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
