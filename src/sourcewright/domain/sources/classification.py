"""Source types by host: journal, government, news, forum and others.

A listed host includes its subdomains; with a path, only the pages below that path. Also the
authority of a source and its field.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from sourcewright.base.urls.canonical import host_of, is_on_site
from sourcewright.base.urls.suffixes import is_public_suffix
from sourcewright.domain.papers.declared_paper import PAPER_TYPES
from sourcewright.domain.web.lenses import KnowsLenses, Reputation, Tier
from sourcewright.reading.html.linked_data import main_objects, type_names
from sourcewright.reading.readings import EmbeddedMetadata

HostKind = Literal[
    "journal",
    "preprints",
    "docs",
    "government",
    "news",
    "blog",
    "forum",
    "wiki",
    "social",
]

_LISTED: Mapping[HostKind, str] = {
    "preprints": """
        alphaxiv.org ar5iv.org arxiv.org authorea.com biorxiv.org chemrxiv.org
        copernicus.org/preprints eartharxiv.org ecoevorxiv.org edarxiv.org engrxiv.org essoar.org
        europepmc.org/article/ppr medrxiv.org openreview.net osf.io
        papers.ssrn.com peerj.com/preprints preprints.org psyarxiv.com researchsquare.com
        socarxiv.org ssrn.com techrxiv.org vixra.org xxx.lanl.gov zenodo.org
    """,
    "journal": """
        aaai.org academic.oup.com aclanthology.org acpjournals.org ahajournals.org aip.org
        annualreviews.org ascopubs.org biologists.com biomedcentral.com bmj.com/content
        cambridge.org/core/journals cell.com copernicus.org dl.acm.org/doi elifesciences.org
        embopress.org emerald.com europepmc.org/article europepmc.org/articles frontiersin.org genetics.org hindawi.com ieeexplore.ieee.org
        iopscience.iop.org iucr.org jamanetwork.com/journals jci.org jmir.org jmlr.org
        journals.ametsoc.org journals.aps.org journals.asm.org journals.lww.com
        journals.physiology.org journals.plos.org journals.sagepub.com journals.uchicago.edu
        jstor.org/stable karger.com liebertpub.com link.springer.com mdpi.com nature.com/articles
        ncbi.nlm.nih.gov/pmc nejm.org/doi onlinelibrary.wiley.com openaccess.thecvf.com
        papers.nips.cc peerj.com/articles pmc.ncbi.nlm.nih.gov pnas.org/doi
        proceedings.mlr.press proceedings.neurips.cc pubmed.ncbi.nlm.nih.gov pubs.acs.org
        pubs.aip.org pubs.geoscienceworld.org pubs.rsc.org pubsonline.informs.org
        royalsocietypublishing.org rupress.org science.org/doi sciencedirect.com/science
        spiedigitallibrary.org springeropen.com tandfonline.com thelancet.com thieme-connect.com
        thieme-connect.de worldscientific.com
    """,
    "docs": """
        angular.dev cloud.google.com cppreference.com dev.mysql.com developer.android.com
        developer.apple.com developer.hashicorp.com developer.mozilla.org developers.google.com
        doc.rust-lang.org docs.aws.amazon.com docs.djangoproject.com docs.docker.com
        docs.github.com docs.oracle.com docs.python.org docs.rs git-scm.com go.dev ietf.org/rfc
        kotlinlang.org/docs kubernetes.io/docs learn.microsoft.com nodejs.org/api pkg.go.dev
        php.net/manual postgresql.org/docs react.dev readthedocs.io readthedocs.org redis.io/docs
        rfc-editor.org sqlite.org typescriptlang.org/docs vuejs.org w3.org/tr
    """,
    "government": """
        admin.ch bund.de bundestag.de canada.ca europa.eu fed.us government.nl imf.org
        oecd.org overheid.nl parliament.uk regeringen.se regjeringen.no
        riksdagen.se rijksoverheid.nl un.org unesco.org unicef.org worldbank.org www.nhs.uk wto.org
    """,
    "news": """
        abc.net.au afp.com aljazeera.com apnews.com arstechnica.com axios.com bbc.co.uk bbc.com
        bloomberg.com cbc.ca cbsnews.com cnbc.com cnn.com corriere.it derstandard.at dw.com
        economist.com elpais.com faz.net france24.com ft.com heise.de independent.co.uk
        japantimes.co.jp latimes.com lemonde.fr nbcnews.com npr.org nytimes.com nzz.ch politico.com
        politico.eu propublica.org repubblica.it reuters.com scmp.com spiegel.de sueddeutsche.de
        tagesschau.de techcrunch.com theatlantic.com theguardian.com theregister.com theverge.com
        time.com usatoday.com washingtonpost.com wired.com wsj.com zeit.de
    """,
    "blog": """
        bearblog.dev beehiiv.com blogger.com blogspot.com dev.to ghost.io hashnode.com hashnode.dev
        livejournal.com medium.com micro.blog substack.com tumblr.com typepad.com wordpress.com
        write.as
    """,
    "forum": """
        askubuntu.com discourse.group hackernews.com lemmy.world lobste.rs mathoverflow.net
        news.ycombinator.com quora.com redd.it reddit.com serverfault.com stackexchange.com
        stackoverflow.com superuser.com zhihu.com
    """,
    "wiki": """
        fandom.com wikibooks.org wikidata.org wikihow.com wikimedia.org wikinews.org wikipedia.org
        wikiquote.org wikisource.org wikiversity.org wikivoyage.org wiktionary.org
    """,
    "social": """
        bsky.app facebook.com fb.com fxtwitter.com instagram.com linkedin.com mastodon.online
        mastodon.social pinterest.com snapchat.com t.me threads.com threads.net tiktok.com
        twitch.tv twitter.com vk.com weibo.com x.com youtu.be youtube.com
    """,
}
_SITES = {kind: tuple(listed.split()) for kind, listed in _LISTED.items()}
"""The first kind that matches is used: preprints come before journals of the same publisher."""

_CACHE_SIZE = 512
"""URLs whose kind of host is cached: that of one page is needed several times."""

_FIRST_LABELS: Mapping[str, HostKind] = {
    **dict.fromkeys(("docs", "doc", "documentation", "developer", "developers"), "docs"),
    **dict.fromkeys(("blog", "blogs"), "blog"),
    **dict.fromkeys(("forum", "forums", "discuss", "discourse", "community"), "forum"),
    "wiki": "wiki",
}
"""What the first label of a host means, if it precedes a registered name."""

_USER_CONTENT_HOSTS = ("docs.google.com", "developers.facebook.com/community")
"""Hosts with such a first label that nevertheless carry the content of their users."""

_GOVERNMENT_SUFFIX = re.compile(
    r"(?:gov|mil|int|(?:gov|gob|gouv|gub|govt|gv|mil)\.[a-z]{2}"
    r"|gc\.ca|go\.(?:ci|cr|id|jp|ke|kr|th|tz|ug))"
)
_ACADEMIC_SUFFIX = re.compile(r"(?:edu|(?:edu|ac)\.[a-z]{2})")


@lru_cache(maxsize=_CACHE_SIZE)
def kind_of_host(url: str) -> HostKind | None:
    """The kind of a URL's host; None for most hosts, which are not known."""
    listed = next((kind for kind, sites in _SITES.items() if is_on_site(url, sites)), None)
    if listed or is_government_host(url):
        return listed or "government"
    host = host_of(url)
    has_own_label = host.count(".") > 1 and not is_on_site(url, _USER_CONTENT_HOSTS)
    return _FIRST_LABELS.get(host.partition(".")[0]) if has_own_label else None


def is_journal_host(url: str) -> bool:
    """Whether a host publishes journals, even if the page is not an article."""
    return any(is_on_site(url, (site.partition("/")[0],)) for site in _SITES["journal"])


def is_government_host(url: str) -> bool:
    """Whether only public bodies can register below the host's suffix."""
    return _has_suffix(_GOVERNMENT_SUFFIX, host_of(url))


def is_academic_host(url: str) -> bool:
    """Whether only academic institutions can register below the host's suffix.

    Their hosts have pages of every kind.
    """
    return _has_suffix(_ACADEMIC_SUFFIX, host_of(url))


def _has_suffix(suffix: re.Pattern[str], host: str) -> bool:
    labels = host.rsplit(".", 2)
    short, long = labels[-1], ".".join(labels[-2:])
    if not suffix.fullmatch(short) and not suffix.fullmatch(long):
        return False
    # `gov` and `edu` are public suffixes themselves; `gov.xx` counts only where it is one.
    return short in {"gov", "mil", "int", "edu"} or is_public_suffix(long, private=False)


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
_SELF_PUBLISHED: frozenset[HostKind] = frozenset({"preprints", "blog", "forum", "wiki", "social"})
"""Hosts where anyone may publish: the metadata of their pages is not trusted."""

_TYPE_OF_SCHEMA: Mapping[str, SourceType] = {
    **dict.fromkeys(PAPER_TYPES, "peer_reviewed"),
    **dict.fromkeys(
        ("newsarticle", "reportagenewsarticle", "analysisnewsarticle"), "news_publication"
    ),
    **dict.fromkeys(("discussionforumposting", "qapage"), "forum"),
    "socialmediaposting": "social_media",
    **dict.fromkeys(("blogposting", "blog"), "blog"),
    **dict.fromkeys(("techarticle", "apireference"), "official_docs"),
    **dict.fromkeys(("governmentservice", "governmentorganization"), "government"),
}
"""Types of schema.org; if a page has several, the first one here is used."""

_REVIEWED_TAGS = ("citation_journal_title", "citation_conference_title", "citation_issn")
_UNREVIEWED_TAGS = ("citation_dissertation_institution", "citation_technical_report_institution")
_PREPRINT_SERVERS = (
    *("arxiv", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "socarxiv", "preprints"),
    *("research square", "ssrn", "authorea", "techrxiv"),
)

_TIERS: Mapping[Tier, AuthorityTier] = {"high": "high", "mixed": "medium", "low": "low"}
_USER_CONTENT_TYPES: frozenset[SourceType] = frozenset({"blog", "forum", "wiki", "social_media"})
_AUTHORITATIVE: frozenset[HostKind | None] = frozenset({"journal", "docs", "government"})

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


def source_type(url: str, embedded: EmbeddedMetadata | None) -> SourceType:
    """The type of source, by its host and by the page's metadata."""
    host = kind_of_host(url)
    if embedded is not None and _is_preprint(embedded):
        host = "preprints"
    declared = (
        _stated_type(embedded) if embedded is not None and host not in _SELF_PUBLISHED else None
    )
    return declared or (_TYPE_OF_HOST[host] if host else "unknown")


def authority_tier(url: str, kind: SourceType, rating: Reputation | None) -> AuthorityTier:
    """The authority of a source: the rating of its host, or else that of its type."""
    if rating is not None:
        return _TIERS[rating.tier]
    if kind in _USER_CONTENT_TYPES:
        return "low"
    # A page's own metadata gives it no authority, so only the host counts.
    return "high" if kind_of_host(url) in _AUTHORITATIVE or is_government_host(url) else "medium"


def domain_category(url: str, lenses: KnowsLenses) -> DomainCategory:
    """The field of a page's host, by the longest listed name that matches."""
    sites = [(site, field) for field, listed in _FIELDS.items() for site in listed.split()]
    for name, field in _LENSES.items():
        lens = lenses.get(name)
        sites += [(site, field) for site in (lens.domains if lens else ())]
    matches = [(len(site), field) for site, field in sites if is_on_site(url, (site,))]
    if matches:
        return max(matches, key=lambda match: match[0])[1]
    host = kind_of_host(url)
    by_kind = _FIELD_OF_HOST.get(host) if host else None
    return by_kind or ("academic" if is_academic_host(url) else "general")


def _stated_type(embedded: EmbeddedMetadata) -> SourceType | None:
    """The type that the page's own metadata states."""
    tags = _tags(embedded)
    if any(tags.get(name) for name in _REVIEWED_TAGS) and not any(map(tags.get, _UNREVIEWED_TAGS)):
        return "peer_reviewed"
    schema_types = {
        kind
        for block in embedded.json_ld
        for node in main_objects(block)
        for kind in type_names(node)
    }
    return next(
        (kind for schema_type, kind in _TYPE_OF_SCHEMA.items() if schema_type in schema_types),
        None,
    )


def _is_preprint(embedded: EmbeddedMetadata) -> bool:
    """Whether the journal in the page's metadata is a preprint server."""
    title = _tags(embedded).get("citation_journal_title", "")
    return title.strip().lower().startswith(_PREPRINT_SERVERS)


def _tags(embedded: EmbeddedMetadata) -> dict[str, str]:
    return {name.lower(): value for name, value in embedded.citation.items()}
