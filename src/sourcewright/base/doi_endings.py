"""DOI endings: what is copied together with a DOI from a URL or a page, and is not a part of it.

A DOI may end in any of them, so one without its ending is another DOI: it is tried only after every
source that decides about DOIs has denied the DOI as it was given.
"""

import re
from collections.abc import Iterator

_MAX_SHORTER = 5
_PAGES = (
    r"full|full-?text|fullpdf|pdf|pdfdirect|pdfplus|ampdf|epdf|ereader|epub|html?|xml|meta|abstract"
    r"|abs|summary|short|references|citedby|metrics|figures?|tables?|download|issuetoc|cover"
    r"|suppl(?:_file)?|suppinfo|supplementary-material|article-info|-/dc[0-9]+"
)
_ENDINGS = (
    # The query and the fragment of a URL, and the parameters of a path.
    re.compile(r"[?#].*$", re.DOTALL),
    re.compile(r"[;&][a-z_.]{1,30}=.*$", re.DOTALL),
    # The view of a page: `/full`, `/pdf`, `/figures/1`, `/suppl_file/si_001.pdf`, `/mmc1`.
    re.compile(rf"/(?:{_PAGES})(?:/[^/]{{0,80}})?$"),
    re.compile(r"[./](?:pdf|html?|xml|epub|full(?:[.-]text)?|abstract|short|svg|docx?)$"),
    re.compile(r"[./](?:(?:supp|mmc)-?[0-9]{0,3}|[gst][0-9]{3})$"),
    re.compile(r"[./-]?v[0-9]{1,2}$"),
    # The label of the next identifier or link of a list of references.
    re.compile(r"[.,;\[(]?(?:pmid|pmcid|crossref|pubmed|medline)(?:[:\])\s].*)?$", re.DOTALL),
    re.compile(r"(?<![/.,;:)\]}>'\"])[/.,;:)\]}>'\"]+$"),
)


def shorter_dois(doi: str) -> Iterator[str]:
    """Yield what may be the DOI in a text that has more at its end, the longest first."""
    prefix, _, suffix = doi.partition("/")
    for _ in range(_MAX_SHORTER):
        starts = (match.start() for match in (one.search(suffix) for one in _ENDINGS) if match)
        suffix = suffix[: max(starts, default=0)]
        if not suffix:
            return
        yield f"{prefix}/{suffix}"
