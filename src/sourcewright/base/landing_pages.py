"""Landing pages: extracts the identifier from a URL of a resolver, publisher or archive."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.spellings import undo_encodings

_DOI_IN_PATH = re.compile(r"(?:^|[/:=])(" + DOI_PREFIX + r"/.+)", re.DOTALL)
_DOI_IN_QUERY = re.compile(
    r"(?:doi:|info:doi/|https?://(?:dx\.|www\.)?doi\.org/)?(" + DOI_PREFIX + r"/.+)",
    re.DOTALL,
)
_SESSION = re.compile(r";jsessionid=[^/]*$")
_SICI_BEFORE_CHECK = ";2-"
_TRAILING_PUNCTUATION = "/)]}>.,;:!?\"'"

_URL_SUFFIXES: Mapping[str, re.Pattern[str]] = {
    host: re.compile(tail)
    for hosts, tail in (
        ("biorxiv.org medrxiv.org", r"(?:v[0-9]+)?(?:[./](?:full|abs|sup|art|fig)[a-z.+-]*)?$"),
        ("aanda.org", r"/pdf$"),
        ("acm.org acs.org pnas.org science.org", r"/suppl_file/.*$"),
        ("aip.org", r"/[0-9]{5,}(?:/.*)?$"),
        ("aps.org", r"/fulltext$"),
        ("crossref.org", r"/(?:agency|transform(?:/.*)?)$"),
        ("degruyter.com degruyterbrill.com", r"[./](?:html|pdf|xml|epub)$"),
        ("emerald.com", r"/(?:full/)?(?:html|pdf|xml)$"),
        ("frontiersin.org", r"/(?:full|pdf|abstract|epub|xml|xml/nlm)$"),
        ("iop.org", r"/(?:pdf|meta|ampdf|epub)$"),
        ("jstor.org neurolibre.org theoj.org", r"\.pdf$"),
        ("oup.com", r"/[0-9]{4,}(?:/[^/]+\.pdf)?$"),
        (
            "springer.com springeropen.com biomedcentral.com",
            r"(?:\.pdf|\.epub|/fulltext\.html|/(?:figures|tables)/[0-9]+|/(?:metrics|cover))$",
        ),
        ("rogue-scholar.org", r"\.(?:pdf|xml|epub|md)$"),
        ("spandidos-publications.com", r"/(?:abstract|download)$"),
        ("spiedigitallibrary.org", r"\.(?:full|short)$"),
        ("wiley.com", r"/(?:abstract|full|fullpdf|pdf|epdf|summary|references|citedby)$"),
        ("zenodo.org", r"\.svg$"),
    )
    for host in hosts.split()
}
"""URL suffixes that these hosts add after a DOI. Elsewhere they could be part of the DOI."""

_NATURE = r"/articles/({})(?:\.pdf|/(?:figures|tables|metrics)(?:/.*)?)?"
_DERIVED = tuple(
    (host, re.compile(rf"{shape}(?:\?.*)?", re.DOTALL), doi)
    for host, shape, doi in (
        # Some older ids of Nature are missing: many omit the dots of their DOI
        # (sdata201618 is 10.1038/sdata.2016.18), and one journal has another prefix.
        ("nature.com", _NATURE.format(r"s41599-[0-9]{3}-[0-9]{4,5}-[0-9a-z]"), "10.1057/{}"),
        ("nature.com", _NATURE.format(r"[sd][0-9]{5}-[0-9]{3}-[0-9]{4,5}-[0-9a-z]"), "10.1038/{}"),
        ("nature.com", _NATURE.format(r"(?:nature|ncomms|srep)[0-9]{3,5}"), "10.1038/{}"),
        ("nature.com", _NATURE.format(r"n[a-z]+\.(?:[0-9]{4}\.)?[0-9]+"), "10.1038/{}"),
        ("nature.com", _NATURE.format(r"[0-9]{6}[a-z][0-9]"), "10.1038/{}"),
        # The path after an article's number may be a review, which has its own DOI.
        (
            "elifesciences.org",
            r"/articles/([0-9]{5})(?:v[0-9]+)?(?:/figures|/elife-\1-v[0-9]+\.(?:pdf|xml))?",
            "10.7554/elife.{}",
        ),
        ("nber.org", r"/papers/([wth][0-9]{1,5})(?:\.pdf)?", "10.3386/{}"),
        ("peerj.com", r"/articles/([0-9]+)(?:\.pdf)?", "10.7717/peerj.{}"),
        ("peerj.com", r"/articles/cs-([0-9]+)(?:\.pdf)?", "10.7717/peerj-cs.{}"),
        (
            "preprints.org",
            r"/manuscript/([0-9]{6}\.[0-9]{4})/(v[0-9]+)(?:/download)?",
            "10.20944/preprints{}.{}",
        ),
        (
            "pubs.rsc.org",
            r"/[a-z]{2}/content/article(?:landing|html|pdf)/[0-9]{4}/[a-z0-9]{2}/([a-z0-9]+)",
            "10.1039/{}",
        ),
        ("ssrn.com", r"/abstract=([0-9]+)", "10.2139/ssrn.{}"),
        (
            "ssrn.com",
            r"/sol3/papers\.cfm\?(?:[^?]*&)?abstract_?id=([0-9]+)(?:&.*)?",
            "10.2139/ssrn.{}",
        ),
        (
            "thelancet.com",
            r"/(?:journals/lancet/)?article/(?:pii)?(s0140-6736\([0-9]{2}\)[0-9]{5}-[0-9x])(?:/.*)?",
            "10.1016/{}",
        ),
    )
)
"""URLs from which a DOI can be derived although they do not contain it."""

_ARXIV_HOSTS = ("arxiv.org", "alphaxiv.org", "ar5iv.org", "huggingface.co", "xxx.lanl.gov")
_ARXIV_PATH = re.compile(r"/[a-z][a-z0-9-]*/(.+?)(?:\.pdf|\.ps\.gz|\.ps|\.html)?", re.DOTALL)
_PUBMED = (
    ("pubmed.ncbi.nlm.nih.gov", re.compile(r"/([0-9]+)"), "pmid:"),
    ("ncbi.nlm.nih.gov", re.compile(r"/(?:m/)?pubmed/([0-9]+)"), "pmid:"),
    ("ncbi.nlm.nih.gov", re.compile(r"/pmc/articles/(pmc[0-9]+)(?:/.*)?"), ""),
    ("pmc.ncbi.nlm.nih.gov", re.compile(r"/articles/(pmc[0-9]+)(?:/.*)?"), ""),
    ("europepmc.org", re.compile(r"/(?:article|abstract)/med/([0-9]+)"), "pmid:"),
    ("europepmc.org", re.compile(r"/(?:articles|(?:article|abstract)/pmc)/(pmc[0-9]+)"), ""),
)


def identifier_in_url(address: str) -> str | None:
    """Return the identifier in a URL as plain text; None if it contains none.

    Raises:
        InvalidInput: It is percent-encoded too many times.
        ValueError: It is no valid URL.
    """
    url = urlsplit(address)
    host = (url.hostname or "").rstrip(".")
    path = undo_encodings(url.path)
    bare = path.rstrip(_TRAILING_PUNCTUATION)
    archive_id = _pubmed_id(host, bare) or _arxiv_id(host, bare)
    if archive_id:
        return archive_id
    doi_match = _DOI_IN_PATH.search(undo_encodings(url.path.rstrip("/")))
    if doi_match is None:
        return _doi_in_query(url.query) or _derived_doi(host, f"{bare}?{url.query.lower()}")
    # In a SICI-based DOI, a final `#` is the check character, not an empty fragment.
    check = "#" if doi_match[1].endswith(_SICI_BEFORE_CHECK) and address.endswith("#") else ""
    return _without_page_suffix(host, doi_match[1]) + check


def _without_page_suffix(host: str, doi: str) -> str:
    if _is_in_domain(host, "doi.org"):
        return doi
    doi = _SESSION.sub("", doi)
    for domain, tail in _URL_SUFFIXES.items():
        if _is_in_domain(host, domain):
            return tail.sub("", doi, count=1)
    return doi


def _doi_in_query(query: str) -> str | None:
    values = (undo_encodings(field.partition("=")[2]) for field in query.split("&"))
    dois = {match[1] for match in map(_DOI_IN_QUERY.match, values) if match}
    return dois.pop() if len(dois) == 1 else None


def _derived_doi(host: str, target: str) -> str | None:
    for domain, shape, doi in _DERIVED:
        match = shape.fullmatch(target)
        if match and _is_in_domain(host, domain):
            return doi.format(*match.groups())
    return None


def _arxiv_id(host: str, path: str) -> str | None:
    if not any(_is_in_domain(host, domain) for domain in _ARXIV_HOSTS):
        return None
    match = _ARXIV_PATH.fullmatch(path)
    return f"arxiv:{match[1]}" if match and not match[1].startswith("10.") else None


def _pubmed_id(host: str, path: str) -> str | None:
    for domain, shape, label in _PUBMED:
        match = shape.fullmatch(path)
        if match and host in {domain, f"www.{domain}"}:
            return label + match[1]
    return None


def _is_in_domain(host: str, domain: str) -> bool:
    return host == domain or host.endswith("." + domain)
