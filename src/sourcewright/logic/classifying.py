"""What kind of source a page is, how much weight its host has, and which field it is from.

These are hints. What a page says of itself counts less than what is known of its host: nobody
becomes a journal by a tag on a page that anyone may write.
"""

from collections.abc import Mapping
from typing import Literal

from sourcewright.domain.lenses import KnowsLenses, Rating, Tier
from sourcewright.domain.readings import Embedded
from sourcewright.logic.addressing import is_on
from sourcewright.logic.introducing import ARTICLES
from sourcewright.logic.known_hosts import HostKind, is_academy, is_office, kind_of_host
from sourcewright.logic.linking import kinds_of, nodes_in

SourceType = Literal[
    "peer_reviewed",
    "official_docs",
    "government",
    "news_publication",
    "blog",
    "forum",
    "wiki",
    "social_media",
    "unknown",
]
AuthorityTier = Literal["high", "medium", "low"]
DomainCategory = Literal["academic", "legal", "medical", "financial", "technical", "general"]

_TYPE_OF_HOST: Mapping[HostKind, SourceType] = {
    "preprints": "unknown",
    "journal": "peer_reviewed",
    "docs": "official_docs",
    "government": "government",
    "news": "news_publication",
    "blog": "blog",
    "forum": "forum",
    "wiki": "wiki",
    "social": "social_media",
}
_SETTLED: frozenset[HostKind] = frozenset({"preprints", "blog", "forum", "wiki", "social"})
"""Hosts whose pages anyone may write: what these say of themselves changes nothing."""

_TYPE_OF_THING: Mapping[str, SourceType] = {
    **dict.fromkeys(ARTICLES, "peer_reviewed"),
    **dict.fromkeys(
        ("newsarticle", "reportagenewsarticle", "analysisnewsarticle"), "news_publication"
    ),
    **dict.fromkeys(("discussionforumposting", "qapage"), "forum"),
    "socialmediaposting": "social_media",
    **dict.fromkeys(("blogposting", "blog"), "blog"),
    **dict.fromkeys(("techarticle", "apireference"), "official_docs"),
    **dict.fromkeys(("governmentservice", "governmentorganization"), "government"),
}
"""Schema.org's types; of several on one page the first here decides."""

_REVIEWED = ("citation_journal_title", "citation_conference_title", "citation_issn")
_UNREVIEWED = ("citation_dissertation_institution", "citation_technical_report_institution")
_PREPRINT_SERVERS = (
    *("arxiv", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "socarxiv", "preprints"),
    *("research square", "ssrn", "authorea", "techrxiv"),
)

_TIERS: Mapping[Tier, AuthorityTier] = {"high": "high", "mixed": "medium", "low": "low"}
_ANYBODYS: frozenset[SourceType] = frozenset({"blog", "forum", "wiki", "social_media"})
_OF_WEIGHT: frozenset[HostKind | None] = frozenset({"journal", "docs", "government"})

_LENSES: Mapping[str, DomainCategory] = {
    **dict.fromkeys(("academic", "academic-extended", "science"), "academic"),
    "legal": "legal",
    **dict.fromkeys(("medical", "clinical", "biomed"), "medical"),
    "finance": "financial",
    **dict.fromkeys(("docs", "devops", "programming", "security"), "technical"),
}
_FIELDS: Mapping[DomainCategory, str] = {
    "legal": """
        bundesverfassungsgericht.de case.law casetext.com curia.europa.eu icj-cij.org justia.com
        lawinsider.com oyez.org scotusblog.com supremecourt.gov uscourts.gov wipo.int/wipolex
    """,
    "medical": """
        acpjournals.org ahajournals.org clevelandclinic.org cochrane.org drugs.com jamanetwork.com
        mayoclinic.org medscape.com rki.de webmd.com
    """,
    "financial": """
        bea.gov bundesbank.de cnbc.com economist.com finance.yahoo.com finra.org investopedia.com
        marketwatch.com morningstar.com nasdaq.com nyse.com treasury.gov wsj.com
    """,
    "technical": """
        askubuntu.com bitbucket.org codeberg.org dev.to gitlab.com huggingface.co ietf.org lobste.rs
        lwn.net news.ycombinator.com serverfault.com stackexchange.com superuser.com
    """,
}
_FIELD_OF_HOST: Mapping[HostKind, DomainCategory] = {
    "preprints": "academic",
    "journal": "academic",
    "docs": "technical",
}


def source_type(url: str, embedded: Embedded | None) -> SourceType:
    """The kind of source: what is known of the host and what the page says, or unknown."""
    host = kind_of_host(url)
    if embedded is not None and _is_preprint(embedded):
        host = "preprints"
    claimed = _claimed(embedded) if embedded is not None and host not in _SETTLED else None
    return claimed or (_TYPE_OF_HOST[host] if host else "unknown")


def authority_tier(url: str, kind: SourceType, rating: Rating | None) -> AuthorityTier:
    """The weight of a source: its host's rating, or what its kind is worth without one."""
    if rating is not None:
        return _TIERS[rating.tier]
    if kind in _ANYBODYS:
        return "low"
    # A page's own word makes no authority, so the host alone is looked at.
    return "high" if kind_of_host(url) in _OF_WEIGHT or is_office(url) else "medium"


def domain_category(url: str, lenses: KnowsLenses | None = None) -> DomainCategory:
    """The field that a page's host belongs to: by the longest name that is known of it."""
    named = [(site, field) for field, listed in _FIELDS.items() for site in listed.split()]
    for name, field in _LENSES.items():
        lens = lenses.get(name) if lenses else None
        named += [(site, field) for site in (lens.domains if lens else ())]
    found = [(len(site), field) for site, field in named if is_on(url, (site,))]
    if found:
        return max(found, key=lambda one: one[0])[1]
    host = kind_of_host(url)
    by_kind = _FIELD_OF_HOST.get(host) if host else None
    return by_kind or ("academic" if is_academy(url) else "general")


def _claimed(embedded: Embedded) -> SourceType | None:
    """What the page says that it is."""
    tags = _tags(embedded)
    if any(tags.get(name) for name in _REVIEWED) and not any(map(tags.get, _UNREVIEWED)):
        return "peer_reviewed"
    things = {
        kind for block in embedded.json_ld for node in nodes_in(block) for kind in kinds_of(node)
    }
    return next((kind for thing, kind in _TYPE_OF_THING.items() if thing in things), None)


def _is_preprint(embedded: Embedded) -> bool:
    """Whether the journal that the page names is a preprint server."""
    title = _tags(embedded).get("citation_journal_title", "")
    return title.strip().lower().startswith(_PREPRINT_SERVERS)


def _tags(embedded: Embedded) -> dict[str, str]:
    return {name.lower(): value for name, value in embedded.citation.items()}
