"""Exported CSL-JSON is read by citeproc-py, an independent CSL processor, without loss."""

import asyncio

import pytest
from citeproc import (
    Citation,
    CitationItem,
    CitationStylesBibliography,
    CitationStylesStyle,
    formatter,
)
from citeproc.source.json import CiteProcJSON

from sourcewright.references.csl import csl_item
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.world.corpus import load

WORKS = load().works
TYPES = {
    "journal-article": "article-journal",
    "proceedings-article": "paper-conference",
    "posted-content": "article",
    "Preprint": "article",
    "Dataset": "dataset",
    "Software": "software",
}


def entry_of(work):
    return Entry(
        key=work.key,
        title=work.title,
        authors=tuple(author.sort_name for author in work.authors),
        organisations=tuple(author.name for author in work.authors if author.name),
        holding=Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref"),
        year=work.year,
        doi=work.key,
        venue=work.journal.name,
        volume=work.volume,
        issue=work.issue,
        pages=work.pages,
        type=work.type,
        publisher=work.journal.publisher,
        abstract=work.abstract,
    )


def text_of(read, field):
    """What the processor has in a field, as text."""
    return str(read.get(field, ""))


def name_of(author):
    if author.given and author.family:
        return {"family": author.family, "given": author.given}
    return {"literal": author.sort_name}


def numbers(read):
    return [text_of(read, field) for field in ("volume", "issue", "page")]


def test_every_work_of_the_world_is_read_back_with_all_its_facts():
    facts = {work.key: facts_in(csl_item(entry_of(work), work.key)) for work in WORKS}

    assert facts == {work.key: facts_of(work) for work in WORKS}


def facts_in(item):
    [read] = CiteProcJSON([item]).values()
    return {
        "key": read.key,
        "type": read.type,
        "title": text_of(read, "title"),
        "authors": [dict(author) for author in read.get("author", [])],
        "year": read["issued"].year if "issued" in read else None,
        "doi": text_of(read, "DOI"),
        "container": text_of(read, "container_title"),
        "numbers": numbers(read),
    }


def facts_of(work):
    return {
        "key": work.key,
        "type": TYPES.get(work.type, "document"),
        "title": plain_title(work),
        "authors": list(map(name_of, work.authors)),
        "year": work.year,
        "doi": work.key,
        "container": work.journal.name,
        "numbers": [work.volume, work.issue, work.pages],
    }


def plain_title(work):
    """Where plain text has a sign for what the markup says, that sign is kept."""
    return work.plain_title.replace(" 103 K", " 10³ K")


def test_every_work_of_the_world_is_rendered_with_its_title_and_its_doi():
    works = [work for work in WORKS if work.title]
    source = CiteProcJSON([csl_item(entry_of(work), work.key) for work in works])
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, source, formatter.plain)
    for work in works:
        bibliography.register(Citation([CitationItem(work.key)]))

    rendered = list(map(str, bibliography.bibliography()))

    assert len(rendered) == len(works)
    for work, line in zip(works, rendered, strict=True):
        assert f"https://doi.org/{work.key}" in line
        assert plain_title(work).casefold() in line.casefold()


def one_of_each():
    """A work of every agency and type, every odd title and every organisation."""
    first = {(work.agency, work.type): work for work in reversed(WORKS)}
    odd = [work for work in WORKS if "<" in work.title or any(a.name for a in work.authors)]
    return list(dict.fromkeys([*first.values(), *odd]))


@pytest.mark.anyio
async def test_what_the_tools_fetched_and_exported_is_read_back_as_the_source_had_it(application):
    app = await application()
    # Of what other agencies register there is no whole record to ask for.
    # A manuscript on arXiv and its article are one entry, which has the article's DOI.
    works = [
        work
        for work in one_of_each()
        if work.agency in {"crossref", "datacite"} and not (work.manuscript and work.published_as)
    ]
    gate = asyncio.Semaphore(8)

    async def keep(work):
        async with gate:
            return (await app.call("doiget_metadata_only", {"ref": work.key})).structured

    kept = await asyncio.gather(*map(keep, works))
    exported = await app.call("doiget_csl_export", {"refs": [work.key for work in works]})

    items = [item for one in exported.structured["entries"] for item in one["csl"]]
    assert all(one["ok"] for one in kept)
    for work, read in zip(works, CiteProcJSON(items).values(), strict=True):
        assert (text_of(read, "DOI"), read.type) == (work.key, TYPES.get(work.type, "document"))
        assert text_of(read, "title") == (plain_title(work) or work.key)
        assert [dict(author) for author in read.get("author", [])] == [
            name_of(author) for author in work.authors
        ]
        assert (read["issued"].year if "issued" in read else None) == work.year
        assert numbers(read) == [work.volume, work.issue, work.pages]
        # Nothing else is contained in anything: a repository is the publisher of what it holds.
        if work.type in {"journal-article", "proceedings-article"}:
            assert text_of(read, "container_title") == work.journal.name
