"""Arguments and responses of the search tools: hits, hints, routing metadata."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
)

from sourcewright.base.errors import ResearchError
from sourcewright.base.urls.parts import canonical_host
from sourcewright.base.urls.suffixes import is_listed_suffix
from sourcewright.domain.search.absence import fallback_note
from sourcewright.domain.search.hints import ZeroResultHints, error_kind
from sourcewright.domain.web.queries import SafeSearch
from sourcewright.services.cache import freshness
from sourcewright.services.search.web_search import (
    SearchOptions,
    SearchOutcome,
    freshness_meta,
    routing_meta,
)
from sourcewright.tools._base import Answer, ResearchArguments, SessionId
from sourcewright.tools._results import (
    CAMEL,
    UNTRUSTED,
    OmittedIfNone,
    Trust,
    WithoutNones,
)

_INVISIBLE = "CZ"
"""Initials of the Unicode categories of invisible characters (control, separator)."""


def _visible_text(value: str) -> str:
    """Replace control characters by spaces; reject text without visible characters."""
    if value.isascii() and value.isprintable() and not value.isspace():
        return value.strip()
    categories = [(character, unicodedata.category(character)) for character in value]
    if all(category[0] in _INVISIBLE for _, category in categories):
        raise ValueError("must not be empty")
    return "".join(
        " " if category == "Cc" else character for character, category in categories
    ).strip()


SearchText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(_visible_text),
]
"""A query of the tools for which the contract limits it to 500 characters."""
LongSearchText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000),
    AfterValidator(_visible_text),
]
"""A query of the tools for which the contract sets no limit: a question may need more words."""


def _language(value: str) -> str:
    code = value.strip().replace("_", "-").lower()
    if not re.fullmatch(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", code):
        raise ValueError("must be an ISO 639-1 code such as de")
    return code


def _country(value: str) -> str:
    code = value.strip().lower()
    if not re.fullmatch(r"[a-z]{2}", code):
        raise ValueError("must be an ISO 3166-1 alpha-2 code such as gb")
    return {"uk": "gb"}.get(code, code)


def _site(value: str) -> str:
    """Normalise a site to its host and, optionally, a path prefix."""
    match = re.fullmatch(
        r"(?:site:)?(?:https?://)?(?:\*?\.)?([^\s/:?#]+)(?::\d+)?(/[\w.~%+@,/-]*)?(?:[?#].*)?",
        value.strip().lower(),
    )
    try:
        host = canonical_host(match[1]) if match else ""
    except ValueError:
        host = ""
    # The name of a publication, such as "Reuters", is not its host.
    if not match or not host or ("." not in host and not is_listed_suffix(host)):
        raise ValueError("must be a host such as nature.com, with or without a path")
    return host + (match[2] or "").rstrip("/")


def integral(value: Any) -> Any:
    """Convert `3.0` to 3, because it is a valid integer in JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _names_in(value: Any) -> Any:
    """Split a text that is no JSON."""
    is_list = isinstance(value, str) and "[" not in value and value.strip().lower() != "all"
    return re.split(r"\s*[,;]\s*", value.strip()) if is_list else value


Language = Annotated[str, Field(description="ISO 639-1."), AfterValidator(_language)]
Country = Annotated[str, Field(description="ISO 3166-1 alpha-2."), AfterValidator(_country)]
Site = Annotated[str, Field(max_length=500), AfterValidator(_site)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, max_length=100)]
Provider = Annotated[Name, AfterValidator(lambda name: re.sub("[ -]", "", name))]
"""The name of a source: none has a space, and some are often written with one."""
ProviderChoice = Annotated[Literal["all"] | list[Provider], BeforeValidator(_names_in)]
"""Several sources, or all; also as one text with commas, which no name has."""
SAFE: Mapping[str, SafeSearch] = {"moderate": "medium", "strict": "high", "off": "off"}


class SearchBasics(ResearchArguments):
    """Arguments of every search tool, including `academic_search`."""

    query: SearchText
    num_results: Annotated[int, BeforeValidator(integral)] = 5
    provider: Provider | None = Field(None, description="Only this engine.")
    session_id: SessionId | None = Field(None, alias="sessionId")


class SearchArguments(SearchBasics):
    """Arguments of every tool that searches the web."""

    language: Language | None = None
    country: Country | None = None
    lens: Name | None = Field(None, description="Set of sites; see lenses://catalog.")

    def search_options(self, *, site: str | None = None, site_name: str = "site") -> SearchOptions:
        """Return the search options; `site_name` is the tool's name for its `site` argument."""
        return SearchOptions(
            lens=self.lens,
            site=site,
            site_name=site_name,
            provider=self.provider,
        )


class SearchReply(Answer):
    """Fields of every search response, including `academic_search`."""

    model_config = CAMEL

    query: str
    result_count: int
    requested_num_results: OmittedIfNone[int] = None
    filters_ignored: OmittedIfNone[list[str]] = None
    """Filters that no source applied."""
    hints: OmittedIfNone[WithoutNones[ZeroResultHints]] = None
    trust: Trust = UNTRUSTED


class SearchAnswer(SearchReply):
    """Fields of every response of a web search tool."""

    only_fallback: OmittedIfNone[str] = None
    """Who answered, if every engine that can know failed."""

    def with_search_meta(self, outcome: SearchOutcome, *, fresh_too: bool) -> Self:
        """Add the `_meta` fields: cache, routing, ignored filters, fusion."""
        results = outcome.results
        answer = results.answer
        meta: dict[str, Any] = {}
        if answer.cached or fresh_too:
            word = freshness(answer.age_seconds, answer.max_age_seconds)
            meta.update(freshness_meta(results, word))
        if outcome.routed:
            meta["routing"] = routing_meta(outcome)
        if outcome.ignored:
            meta["filtersIgnored"] = list(outcome.ignored)
        meta |= failures_meta(results.failures)
        if results.finders:
            meta["fusion"] = {key: list(engines) for key, engines in results.finders.items()}
        return self.with_meta(**meta)


def failures_meta(failures: Mapping[str, ResearchError]) -> dict[str, Any]:
    """Return the `_meta` field that names the engines that failed, if any did."""
    failed_names = {name: error_kind(error) for name, error in failures.items()}
    return {"providersFailed": failed_names} if failed_names else {}


def common_fields(ask: SearchArguments, outcome: SearchOutcome, *, most: int) -> dict[str, Any]:
    """Return the fields that the responses of all search tools have."""
    requested, results = ask.num_results, outcome.results
    return {
        "query": ask.query,
        "result_count": len(results.hits),
        "requested_num_results": requested if requested != clamped(requested, most) else None,
        "filters_ignored": list(outcome.ignored) or None,
        "only_fallback": fallback_note(results.doubt),
        "hints": outcome.hints,
    }


def clamped(number: int, most: int) -> int:
    return min(max(number, 1), most)
