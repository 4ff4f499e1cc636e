"""Source types by host: journal, government, news, forum and others.

A host stands for those below it too; with a path, only for the pages below that.

What kind of source a page is, how much weight its host has, and which field it is from.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from sourcewright.domain.lenses import KnowsLenses, Rating, Tier
from sourcewright.domain.readings import Embedded
from sourcewright.logic.html.linked_data import kinds_of, nodes_in
from sourcewright.logic.pages.declared_paper import ARTICLES
from sourcewright.logic.urls.canonical import host_of, is_on
from sourcewright.logic.urls.suffixes import is_public_suffix

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
"""Those that are looked at first win: a publisher's preprints are no articles."""

_REMEMBERED = 512
"""Addresses of which it is kept what their host is: one page's is asked for several times."""

_FIRST_LABELS: Mapping[str, HostKind] = {
    **dict.fromkeys(("docs", "doc", "documentation", "developer", "developers"), "docs"),
    **dict.fromkeys(("blog", "blogs"), "blog"),
    **dict.fromkeys(("forum", "forums", "discuss", "discourse", "community"), "forum"),
    "wiki": "wiki",
}
"""What the first label of a host says, where somebody's own name follows it."""

_ANYBODYS = ("docs.google.com", "developers.facebook.com/community")
"""Whose first label says so, and which hold whatever their users put there."""

_OFFICE = re.compile(
    r"(?:gov|mil|int|(?:gov|gob|gouv|gub|govt|gv|mil)\.[a-z]{2}"
    r"|gc\.ca|go\.(?:ci|cr|id|jp|ke|kr|th|tz|ug))"
)
_ACADEMY = re.compile(r"(?:edu|(?:edu|ac)\.[a-z]{2})")


@lru_cache(maxsize=_REMEMBERED)
def kind_of_host(url: str) -> HostKind | None:
    """What is known of an address's host; of most hosts nothing is."""
    listed = next((kind for kind, sites in _SITES.items() if is_on(url, sites)), None)
    if listed or is_office(url):
        return listed or "government"
    host = host_of(url)
    named = host.count(".") > 1 and not is_on(url, _ANYBODYS)
    return _FIRST_LABELS.get(host.partition(".")[0]) if named else None


def is_journal(url: str) -> bool:
    """Whether a host is that of journals, also where the page is another than an article."""
    return any(is_on(url, (site.partition("/")[0],)) for site in _SITES["journal"])


def is_office(url: str) -> bool:
    """Whether only a public body can have the host's suffix."""
    return _ends_in(_OFFICE, host_of(url))


def is_academy(url: str) -> bool:
    """Whether only a place of learning can have the host's suffix; it has pages of every kind."""
    return _ends_in(_ACADEMY, host_of(url))


def _ends_in(suffix: re.Pattern[str], host: str) -> bool:
    labels = host.rsplit(".", 2)
    short, long = labels[-1], ".".join(labels[-2:])
    if not suffix.fullmatch(short) and not suffix.fullmatch(long):
        return False
    # `gov` and `edu` are suffixes themselves; `gov.xx` only counts where it is one.
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
_USER_CONTENT_TYPES: frozenset[SourceType] = frozenset({"blog", "forum", "wiki", "social_media"})
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
    if kind in _USER_CONTENT_TYPES:
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
