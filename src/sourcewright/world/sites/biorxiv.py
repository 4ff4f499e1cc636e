"""The API that bioRxiv and medRxiv share."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json, as_text

HOSTS = ("api.biorxiv.org",)
NAMES = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}

Record = dict[str, Any]

_PATH = re.compile(r"/(details|pubs)/(biorxiv|medrxiv)/(10\.[^/]+/.+?)(?:/na)?(?:/json)?")


def answer(request: Request, corpus: Corpus) -> Response:
    match = _PATH.fullmatch(request.decoded_path)
    if match is None:
        return as_text("Error: no such interface", status=200)
    kind, server, doi = match.groups()
    if kind == "details":
        return _details(corpus.by_doi(doi), server, corpus)
    return _pairs(doi, server, corpus)


def _nothing(what: str) -> Response:
    return as_json({"messages": [{"status": f"no {what} found"}], "collection": []})


def _details(work: Work | None, server: str, corpus: Corpus) -> Response:
    if work is None or work.journal.key != server or work.update_to:
        return _nothing("posts")
    entries = [record(work, number, corpus) for number in range(1, work.revisions + 1)]
    return as_json({"messages": [{"status": "ok", "category": "all"}], "collection": entries})


def record(work: Work, version: int, corpus: Corpus) -> Record:
    """One version of a preprint in the format of the servers."""
    is_last = version == work.revisions
    kind = "withdrawn" if work.updated_by and is_last else "new results"
    day = iso((*work.date, 1, 1)[:3])
    return {
        "title": work.plain_title,
        "authors": "; ".join(author.sort_name for author in work.authors),
        "author_corresponding": work.authors[0].full_name,
        "author_corresponding_institution": work.authors[0].affiliation,
        "doi": work.key,
        "date": day if version == 1 else f"{work.date[0] + version - 1}{day[4:]}",
        "version": str(version),
        "type": kind if work.journal.key == "biorxiv" else "PUBLISHAHEADOFPRINT",
        "license": "cc_by",
        "category": "ecology",
        "jatsxml": f"https://{work.journal.host}/content/early/{work.slug}.source.xml",
        "abstract": work.abstract,
        "funder": "NA",
        "published": paper_of(work, corpus) or "NA",
        "server": NAMES[work.journal.key],
    }


def paper_of(preprint: Work, corpus: Corpus) -> str:
    """The published paper of a preprint, also where only the server has the link."""
    dois = (work.doi for work in corpus.works if work.link_in("biorxiv") == preprint.doi)
    return preprint.published_as or next(dois, "")


def _pairs(doi: str, server: str, corpus: Corpus) -> Response:
    """By the DOI of the preprint or of the paper."""
    preprints = [work for work in corpus.works if work.journal.key == server]
    pairs = [(work, paper_of(work, corpus)) for work in preprints]
    hits = [
        (work, paper)
        for work, paper in pairs
        if paper and doi.lower() in (work.key, paper.lower())
    ]
    if not hits:
        return _nothing("articles")
    entries = [_pair(work, paper, corpus) for work, paper in hits]
    return as_json({"messages": [{"status": "ok"}], "collection": entries})


def _pair(preprint: Work, paper: str, corpus: Corpus) -> Record:
    published = corpus.by_doi(paper) or preprint
    return {
        "preprint_doi": preprint.key,
        "published_doi": paper,
        "published_journal": published.journal.name,
        "preprint_platform": NAMES[preprint.journal.key],
        "preprint_title": preprint.plain_title,
        "preprint_authors": "; ".join(author.sort_name for author in preprint.authors),
        "preprint_category": "ecology",
        "preprint_date": iso(preprint.date),
        "published_date": iso(published.date),
        "preprint_abstract": preprint.abstract,
        "preprint_author_corresponding": preprint.authors[0].full_name,
        "preprint_author_corresponding_institution": preprint.authors[0].affiliation,
    }
