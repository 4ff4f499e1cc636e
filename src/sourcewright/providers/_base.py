"""Base class of providers, with their static metadata, options and search mixins."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from sourcewright.base.http_messages import Response
from sourcewright.domain.capabilities import Role, roles_of
from sourcewright.domain.options import Option
from sourcewright.domain.search.results import (
    Hit,
    HitMaker,
    RawHit,
    hits_of,
    image_hit,
    news_hit,
    web_hit,
)
from sourcewright.domain.web.hits import EngineResults, ImageHit, NewsHit, WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.net.http.answers import parse_json
from sourcewright.net.sources.tokens import Login
from sourcewright.net.sources.upstream import ErrorInBody, Params, Parse, Upstream


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """The rate limit of a source."""

    starts: int
    per_seconds: float = 1.0
    at_once: int | None = None
    gap_seconds: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderInfo:
    """Static metadata from which the registry, the docs and the settings are built."""

    name: str
    title: str
    home: str
    base_url: str
    """Empty if only the operator knows it; the class method `base_url` then reads the options."""
    rate: RateLimit
    allowed_hosts: tuple[str, ...]
    """Hosts that requests and redirects may reach: exact, or `*.suffix`. Empty: the guard decides."""
    mirror: bool = False
    """Whether only the download tools use it, on the operator's responsibility."""
    tier: Literal[1, 2, 3] | None = None
    """Tier in the published order of sources; None for providers outside that order."""
    decides_dois: bool = False
    """Whether its "no such DOI" is authoritative when absence is decided."""
    tells_notices: bool = False
    """Whether its batched records contain retractions, withdrawals and corrections."""
    unaskable: str = ""
    """Characters that end a value in its batched queries; a DOI with one cannot be queried."""
    prefixes: tuple[str, ...] = ()
    """DOI prefixes that this source serves; empty for all."""
    options: tuple[Option, ...] = ()
    download_rate: RateLimit | None = None
    """The limit of `downloads`, in addition to `rate`, where a source has one of its own for data."""
    search_rate: RateLimit | None = None
    """The limit of `searches`, instead of `rate`, where a source counts lists apart from lookups."""
    busy: frozenset[int] = frozenset()
    """Statuses with which it asks callers to wait, besides 429."""
    max_bytes: int | None = None
    """Size limit of an answer, where it is larger than usual; a larger one has more time too."""
    honours_radius: bool = False
    """Whether its search of places depends on the radius, rather than returning what it has."""
    explains_bad_requests: bool = False
    """Whether its messages about invalid requests are meant for people."""
    has_only: Mapping[type, str] = field(default_factory=dict)
    """By capability, which part of the subject it has, where it has no more: of the web, one
    encyclopedia. That it finds nothing there is no absence (`logic/search/absence`)."""
    refuses_keyless: str = ""
    """What it answers to every program without a key, where its documentation allows one. It
    requires its key then: it is not asked without, and decides nothing."""
    remedies: Mapping[int, str] = field(default_factory=dict)
    """What to do about a status that its documentation explains, such as credits that are spent."""
    label: str | None = None
    """Name in results and logs if it is not a valid module name, such as `tdm-aps`."""

    def can_ask(self, doi: str) -> bool:
        """Whether a batched query can express this DOI."""
        return not set(self.unaskable) & set(doi)

    @property
    def reported_name(self) -> str:
        """Name in results and logs."""
        return self.label or self.name


class Provider:
    """One upstream source: its metadata, and methods that query it and parse its responses."""

    info: ClassVar[ProviderInfo]
    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {}
    """Metadata in roles where it differs, such as another host, or a role that is always enabled.

    The same name shares the rate limit and the options; another name has its own of both."""

    def __init__(self, upstream: Upstream, options: Mapping[str, Any]) -> None:
        self.upstream = upstream
        self.downloads = upstream
        """The same source under its limit for downloads, where it has one."""
        self.searches = upstream
        """The same source under its limit for lists, where it has one: lookups go on when that is used up."""
        self.options = options

    @classmethod
    def roles(cls) -> tuple[Role, ...]:
        """Its roles, which follow from the capabilities that it has."""
        return ("mirror",) if cls.info.mirror else roles_of(cls)

    @classmethod
    def info_for(cls, role: Role) -> ProviderInfo:
        """Its metadata in one of its roles."""
        return cls.info_in.get(role, cls.info)

    @classmethod
    def base_url(cls, options: Mapping[str, Any]) -> str:
        """The base URL of requests; overridden where the operator sets the URL in the options."""
        del options
        return cls.info.base_url

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        """The rate limit where it depends on the options, such as a key; None for that of `info`."""
        del options
        return None

    @classmethod
    def search_rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        """The limit of `searches` where it depends on the options; None for that of `info`."""
        del options
        return None

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Headers of every request, such as a key; dropped on a redirect to another origin."""
        del options
        return {}

    @classmethod
    def login(cls, options: Mapping[str, Any]) -> Login | None:
        """The credentials that are exchanged for a token, for sources that require one."""
        del options
        return None


@dataclass(frozen=True, slots=True)
class HitRequest:
    """The request of a search, as `Upstream.search` takes it."""

    path: str
    params: Params | None = None
    parse: Parse = parse_json
    post: Any = None
    error_in: ErrorInBody | None = None


class HitSearch:
    """Mixin for sources that search pages, articles or images."""

    upstream: Upstream

    async def find(
        self,
        request: HitRequest,
        read: Callable[[Any], Iterable[RawHit]],
        query: Query,
        make: HitMaker[Hit],
        ignored: tuple[str, ...],
    ) -> EngineResults[Hit]:
        """Send the request, and build the requested number of hits from what `read` returns."""
        now = self.upstream.now()
        hits = await self.upstream.search(
            request.path,
            request.params,
            read=lambda answer: hits_of(read(answer), make, now),
            parse=request.parse,
            post=request.post,
            error_in=request.error_in,
        )
        return EngineResults(hits=hits[: query.limit], ignored=ignored)


class WebAndNewsSearch(HitSearch):
    """Mixin for sources that search both web pages and news with one `search` method."""

    async def search_web(self, query: Query) -> EngineResults[WebHit]:
        return await self.search(query, web_hit)

    async def search_news(self, query: Query) -> EngineResults[NewsHit]:
        return await self.search(query, news_hit)

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        raise NotImplementedError


class WebNewsAndImageSearch(WebAndNewsSearch):
    """Mixin for sources that also search images."""

    async def search_images(self, query: Query) -> EngineResults[ImageHit]:
        return await self.search(query, image_hit)


def api_key_option(env: str, *, of: str) -> Option:
    """The option for a required API key."""
    return Option(name="key", env=(env,), help=f"Key for {of}.", kind="secret", required=True)


def enable_option(env: str, *, asked_for: str, on: bool = True) -> Option:
    """The option that enables or disables a source; `on` is its default."""
    how = "0 turns it off" if on else "1 turns it on"
    text = f"Whether this source is queried for {asked_for}; {how}."
    return Option(name="enabled", env=(env,), help=text, kind="flag", default=on)


def own_404(is_absence: Callable[[bytes], bool]) -> Callable[[Response], bool]:
    """Accept a 404 as absence only if the body is one that the source itself writes.

    Any proxy on the way can send a 404; only the source knows what it has.
    """
    return lambda answer: answer.status == 404 and is_absence(answer.body)
