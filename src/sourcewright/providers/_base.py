"""The base class of providers, and what each declares: facts, options, capabilities."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from sourcewright.domain.finds import Findings, ImageHit, NewsHit, WebHit
from sourcewright.domain.options import Option
from sourcewright.domain.queries import Query
from sourcewright.logic.search.results import Hit, Makes, as_article, as_page, as_picture
from sourcewright.net.exchange import Answer
from sourcewright.net.upstream import Upstream

Role = Literal["papers", "mirror", "search", "reading"]
"""Who asks it: the paper tools, the download tools alone, the search tools, or the page reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The pace that a source allows."""

    starts: int
    per_seconds: float = 1.0
    at_once: int | None = None
    gap_seconds: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderInfo:
    """The facts that the registry, the docs and the settings are built from."""

    name: str
    title: str
    home: str
    base_url: str
    """Empty where only the operator knows it; the provider's `base_url` then says."""
    rate: Rate
    allowed_hosts: tuple[str, ...]
    """Hosts that may answer, redirects included: exact, or `*.suffix`. Empty leaves it to the guard."""
    role: Role = "papers"
    tier: Literal[1, 2, 3] | None = None
    """Its place in the contract's tiers; None for what stands outside of them."""
    decides_dois: bool = False
    """Its "no such DOI" counts when absence is decided."""
    prefixes: tuple[str, ...] = ()
    """DOI prefixes outside of which this source is not asked; empty for all."""
    options: tuple[Option, ...] = ()
    label: str | None = None
    """Its name in results and logs where no module can have it, such as `tdm-aps`."""

    pace_of: str | None = None
    """The other module that asks the same host, whose pace it keeps."""

    @property
    def known_as(self) -> str:
        """Its name in results and logs."""
        return self.label or self.name

    @property
    def paper_budget(self) -> bool:
        """Whether it shares the budget published for papers: 5 starts a second, 5 at once."""
        return self.role in ("papers", "mirror")


class Provider:
    """One upstream source: facts, and functions that read its answers."""

    info: ClassVar[ProviderInfo]

    def __init__(self, upstream: Upstream, options: Mapping[str, Any]) -> None:
        self.upstream = upstream
        self.options = options

    @classmethod
    def base_url(cls, options: Mapping[str, Any]) -> str:
        """Where it is asked; a source whose address the operator sets reads it from its options."""
        del options
        return cls.info.base_url

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        """What goes with every request, such as a key; a redirect to another origin drops it."""
        del options
        return {}


class SearchesTexts:
    """The two searches of a source that is asked for pages and articles alike."""

    async def search_web(self, query: Query) -> Findings[WebHit]:
        return await self.search(query, as_page)

    async def search_news(self, query: Query) -> Findings[NewsHit]:
        return await self.search(query, as_article)

    async def search(self, query: Query, make: Makes[Hit]) -> Findings[Hit]:
        raise NotImplementedError


class SearchesEverything(SearchesTexts):
    """The three searches of a source that is asked for pictures as well."""

    async def search_images(self, query: Query) -> Findings[ImageHit]:
        return await self.search(query, as_picture)


def secret(env: str, *, of: str) -> Option:
    """The key that a source cannot be asked without."""
    return Option(name="key", env=(env,), help=f"Key for {of}.", kind="secret", required=True)


def switch(env: str, *, asked_for: str, on: bool = True) -> Option:
    """The option that turns a source off, or on where it is off until somebody says so."""
    turn = "0 turns it off" if on else "1 turns it on"
    text = f"Ask this source for {asked_for}; {turn}."
    return Option(name="enabled", env=(env,), help=text, kind="flag", default=on)


def in_own_words(is_absence: Callable[[bytes], bool]) -> Callable[[Answer], bool]:
    """Absence that a source states itself: a 404 whose body it is known to write.

    Any machine on the way can send a 404; only the source knows what it has.
    """
    return lambda answer: answer.status == 404 and is_absence(answer.body)
