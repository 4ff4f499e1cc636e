"""Hosts of which it is known what kind of source they are: journals, offices, papers, forums.

A host stands for those below it too; with a path, only for the pages below that.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from sourcewright.logic.addressing import host_of, is_on
from sourcewright.logic.suffixing import is_public_suffix

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
    r"(?:.+\.)?(?:gov|mil|int|(?:gov|gob|gouv|gub|govt|gv|mil)\.[a-z]{2}"
    r"|gc\.ca|go\.(?:ci|cr|id|jp|ke|kr|th|tz|ug))"
)
_ACADEMY = re.compile(r"(?:.+\.)?(?:edu|(?:edu|ac)\.[a-z]{2})")


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
    if not suffix.fullmatch(host):
        return False
    labels = host.split(".")
    # `gov` and `edu` are suffixes themselves; `gov.xx` only counts where it is one.
    short, long = labels[-1], ".".join(labels[-2:])
    return short in {"gov", "mil", "int", "edu"} or is_public_suffix(long, private=False)
