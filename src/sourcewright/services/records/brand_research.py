"""Use case of `brand_research`: what a company's own pages state about its brand."""

from dataclasses import dataclass, field, replace
from typing import Final

from sourcewright.base.calls import current_call
from sourcewright.base.concurrency import run_both
from sourcewright.base.errors import InvalidInput, NotConfigured
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.urls.canonical import dedup_key, host_of
from sourcewright.domain.calls import note_outcome, note_source
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.records.brands import (
    Brand,
    BrandFacts,
    BrandSource,
    Depth,
    Tier,
    UncheckedPage,
)
from sourcewright.domain.sources.classification import source_type
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.domain.web.queries import Query
from sourcewright.services.artifacts import Artifact, Artifacts
from sourcewright.services.brands.facts import contributions, merged
from sourcewright.services.brands.fonts import with_google_fonts
from sourcewright.services.brands.guidelines import says_not_found, speaks_of_brand
from sourcewright.services.brands.homepage import homepage_facts
from sourcewright.services.brands.markup import Markup
from sourcewright.services.brands.sites import (
    BrandSite,
    brand_site,
    company_domains,
    is_on_domain,
    looks_like_domain,
    require_domain_name,
)
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.records.brand_pages import BrandPages, Portal
from sourcewright.services.records.patent_pages import SearchesPages
from sourcewright.services.records.sources import DAY

NAME: Final = "brand_research"
_WEB_SEARCH: Final = "web search"
_HITS: Final = 10
_MAX_HITS_READ: Final = 2
_MAX_NAMED: Final = 5
_OPERATION: Final = Operation(
    name="brand.research",
    version=1,
    ttl_seconds=DAY,
    codec=JsonCodec(Brand),
    # What could not be checked today may be there tomorrow.
    keep=lambda brand: bool(brand.sources) and not (brand.unchecked or brand.guidelines_problem),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandOutcome:
    """A brand, how old the answer is, and where the text of its brand page is kept."""

    answer: Cached[Brand]
    artifact: Artifact | None
    candidates: tuple[str, ...] = ()
    """Other domains that are spelled as the company."""


@dataclass(slots=True)
class _Dossier:
    """The facts so far, and who stated them."""

    facts: BrandFacts = field(default_factory=BrandFacts)
    sources: tuple[BrandSource, ...] = ()

    def add(self, tier: Tier, url: str, facts: BrandFacts) -> None:
        """Fill what is still empty; a page that adds nothing is no source."""
        before, self.facts = self.facts, merged(self.facts, facts)
        if fields := contributions(before, self.facts):
            self.sources = (*self.sources, BrandSource(name=tier, url=url, fields=fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandResearch:
    """Researches brands."""

    pages: BrandPages
    searcher: SearchesPages
    artifacts: Artifacts
    cache: OperationCache

    async def research(
        self, url: str | None, company_name: str | None, depth: Depth
    ) -> BrandOutcome:
        """Collect what the pages of a company state.

        Raises:
            InvalidInput: It is no domain, or no domain is spelled as the company.
            NoSourceAnswered: No page could be read, or the domain could not be searched for.
            NotConfigured: There is no search engine to find the domain with.
        """
        site, candidates = await self._site(url, company_name)
        self.pages.reader.check(site.homepage)
        require_domain_name(site)
        key = {"domain": site.domain, "port": site.port, "depth": depth}
        answer = await self.cache.through(_OPERATION, key, lambda: self._research(site, depth))
        brand = answer.value
        artifact = None
        if brand.portal_text:
            # Artifacts live for minutes and belong to one user, so the text is kept anew.
            artifact = await self.artifacts.keep(brand.portal_text.encode(), "text/markdown")
        for source in brand.sources:
            title = brand.facts.identity.name or brand.domain
            note_source(
                SessionSource(
                    url=source.url, title=title, source_type=source_type(source.url, None)
                )
            )
        note_outcome(NAME, url=brand.homepage)
        return BrandOutcome(answer=answer, artifact=artifact, candidates=candidates)

    async def _site(
        self, url: str | None, company_name: str | None
    ) -> tuple[BrandSite, tuple[str, ...]]:
        if url:
            return brand_site(url), ()
        if not company_name:
            raise InvalidInput("url or company_name is required")
        if looks_like_domain(company_name):
            return brand_site(company_name), ()
        query = Query(kind="web", text=f"{company_name} official website", limit=_HITS)
        results = await self.searcher.search(query)
        hits, domains = results.hits, company_domains(company_name, results.hits)
        if not domains and results.doubt is not None:
            raise results.doubt
        if not domains:
            hosts = ", ".join(dict.fromkeys(host_of(hit.url) for hit in hits[:_MAX_NAMED]))
            among = f" (it found pages of {hosts})" if hosts else ""
            raise InvalidInput(
                f"a web search found no domain that is spelled as {company_name!r:.100}{among};"
                " give its domain as url"
            )
        return brand_site(domains[0]), domains[1:]

    async def _research(self, site: BrandSite, depth: Depth) -> Brand:
        home, portal = await run_both(self._homepage(site), self._portal(site, depth))
        dossier, unchecked = _Dossier(), list(portal.unchecked)
        if isinstance(home, Markup):
            dossier.add("homepage_meta", home.url, homepage_facts(home, host_of(home.url)))
        else:
            reason = failure_detail(home.decisive)
            unchecked.insert(0, UncheckedPage(url=site.homepage, reason=reason))
        for page in portal.pages:
            dossier.add("brand_page", page.url, page.facts)
        if depth == "full":
            await self._search(site, portal, dossier, unchecked)
        if isinstance(home, NoSourceAnswered) and not dossier.sources and not portal.url:
            raise home
        typography = with_google_fonts(dossier.facts.typography)
        return Brand(
            domain=site.domain,
            homepage=home.url if isinstance(home, Markup) else site.homepage,
            depth=depth,
            facts=replace(dossier.facts, typography=typography),
            sources=dossier.sources,
            guidelines_url=portal.url,
            guidelines_problem=portal.problem,
            portal_text=portal.text,
            unchecked=tuple(unchecked),
            elsewhere=portal.elsewhere,
        )

    async def _homepage(self, site: BrandSite) -> Markup | NoSourceAnswered:
        try:
            return await self.pages.homepage(site)
        except NoSourceAnswered as error:
            return error

    async def _portal(self, site: BrandSite, depth: Depth) -> Portal:
        if depth == "quick":
            return Portal()
        await current_call.get().progress(f"looking for brand pages of {site.domain}")

        async def homepage() -> Markup | None:
            # Shared with the homepage tier through the page cache: no second request.
            home = await self._homepage(site)
            return home if isinstance(home, Markup) else None

        return await self.pages.portal(site, homepage)

    async def _search(
        self,
        site: BrandSite,
        portal: Portal,
        dossier: _Dossier,
        unchecked: list[UncheckedPage],
    ) -> None:
        """Read brand pages of the same owner that a web search finds."""
        name = dossier.facts.identity.name or site.domain
        query = Query(
            kind="web",
            text=f"{name} brand guidelines logo colors typography",
            limit=_HITS,
            sites=(site.domain,),
        )
        await current_call.get().progress(f"searching the web for brand pages of {site.domain}")
        try:
            results = await self.searcher.search(query)
        except (NoSourceAnswered, NotConfigured) as error:
            unchecked.append(UncheckedPage(url=_WEB_SEARCH, reason=str(error)))
            return
        if results.doubt is not None:
            unchecked.append(UncheckedPage(url=_WEB_SEARCH, reason=str(results.doubt)))
        known = {dedup_key(page.url) for page in portal.pages}
        urls = [hit.url for hit in results.hits if is_on_domain(hit.url, site.domain)]
        for url in [one for one in urls if dedup_key(one) not in known][:_MAX_HITS_READ]:
            try:
                page = await self.pages.read(url)
            except NoSourceAnswered as error:
                unchecked.append(UncheckedPage(url=url, reason=failure_detail(error.decisive)))
                continue
            if says_not_found(page.markup) or not speaks_of_brand(page.markup):
                continue
            dossier.add("web_search", page.url, page.facts)
            portal.pages.append(page)
            if portal.url is None or portal.problem:
                portal.url, portal.problem = page.url, None
