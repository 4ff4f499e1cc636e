"""The corpus of the simulated world: works, notices and preprints that agree."""

from collections import Counter
from urllib.parse import urlsplit

import pytest

from sourcewright.world import corpus, sites
from sourcewright.world.corpus import citation_graph
from sourcewright.world.corpus.ids import merged_id, numbers, openalex_id, pmcid, pmid
from sourcewright.world.corpus.works import plain

WORKS = corpus.load().works


def _sounds_retracted(work):
    return "Retract" in work.title and not work.updated_by and not work.update_to


def test_two_builds_are_the_same_world():
    first, second = corpus.build(), corpus.build()

    assert first.works == second.works
    assert first.highlights() == second.highlights()


def test_there_are_at_least_two_hundred_works():
    assert len(WORKS) >= 200


def test_no_two_works_share_a_doi_or_an_address():
    dois = Counter(work.key for work in WORKS)
    addresses = Counter(work.landing for work in WORKS)

    assert [doi for doi, count in dois.items() if count > 1] == []
    assert [url for url, count in addresses.items() if count > 1] == []


def test_works_are_found_by_doi_in_any_case():
    known = corpus.load()

    found = {known.by_doi(work.doi.upper()) for work in WORKS}

    assert found == set(WORKS)
    assert known.by_doi("10.5555/mixed.case.id-2015").doi == "10.5555/Mixed.Case.ID-2015"


def test_works_are_found_by_arxiv_identifier():
    known = corpus.load()
    held = [work for work in WORKS if work.manuscript]

    assert len(held) >= 20
    assert all(known.by_arxiv(work.manuscript.id) is work for work in held)
    assert known.by_arxiv("2401.00000") is None


def test_every_notice_points_back_at_the_work_that_lists_it():
    known = corpus.load()
    listed = [(work, update) for work in WORKS for update in work.updated_by]

    assert len(listed) >= 20
    for work, update in listed:
        targets = {target.doi for target in known.by_doi(update.doi).update_to}
        assert work.doi in targets


def test_some_notices_are_missing_from_the_record_they_are_about():
    known = corpus.load()
    unlisted = {
        update.kind
        for notice in WORKS
        for update in notice.update_to
        if not known.by_doi(update.doi).updated_by
    }

    assert {"retraction", "correction"} <= unlisted


def test_every_kind_of_notice_occurs():
    kinds = {update.kind for work in WORKS for update in work.updated_by}

    assert kinds >= {
        "retraction",
        "partial_retraction",
        "withdrawal",
        "removal",
        "expression_of_concern",
        "correction",
        "erratum",
        "new_version",
    }


def test_preprints_and_published_papers_name_each_other():
    known = corpus.load()
    pairs = [(work, known.by_doi(work.published_as)) for work in WORKS if work.published_as]

    assert len(pairs) >= 20
    assert {preprint.agency for preprint, _ in pairs} == {"crossref", "datacite"}
    for preprint, published in pairs:
        assert published.preprint == preprint.doi


@pytest.mark.parametrize(
    ("oddity", "holds"),
    [
        ("no year", lambda work: not work.date),
        ("no title", lambda work: not work.title),
        ("no authors", lambda work: not work.authors),
        ("a thousand authors", lambda work: len(work.authors) > 1000),
        ("an organisation as author", lambda work: any(one.name for one in work.authors)),
        ("a name beyond Latin", lambda work: any(one.family > "\u0370" for one in work.authors)),
        ("a single name", lambda work: any(one.family and not one.given for one in work.authors)),
        ("JATS in its title", lambda work: "<jats:" in work.title),
        ("MathML in its title", lambda work: "<mml:math" in work.title),
        ("tags encoded in its title", lambda work: "&lt;i&gt;" in work.title),
        ("a DOI with SICI characters", lambda work: "<" in work.doi and ";" in work.doi),
        ("a DOI in capitals", lambda work: work.doi != work.key),
        ("a closed door", lambda work: work.agency == "crossref" and not work.locations),
        ("a retraction only in its title", _sounds_retracted),
    ],
)
def test_the_corpus_holds_a_work_with(oddity, holds):
    assert any(holds(work) for work in WORKS), oddity


def test_agencies_other_than_crossref_and_datacite_occur():
    assert {work.agency for work in WORKS} == {"crossref", "datacite", "jalc", "medra"}


def test_every_address_in_the_corpus_is_served():
    addresses = {work.landing for work in WORKS}
    addresses |= {copy.url for work in WORKS for copy in work.locations}

    hosts = {urlsplit(address).netloc for address in addresses}

    assert hosts - sites.discover().keys() == set()


def test_highlights_cover_what_a_reader_gets_wrong():
    labels = {label for label, _, _ in corpus.load().highlights()}

    assert labels >= {
        "a fine paper",
        "a retracted paper",
        "a corrected paper",
        "an expression of concern",
        "a partial retraction",
        "a withdrawn paper",
        "a retraction notice itself",
        "a closed paper",
        "a published paper",
        "its preprint",
        "a dataset at DataCite",
        "a DOI of another agency",
        "an arXiv paper",
        "an old-style arXiv paper",
        "a DOI nobody registered",
        "a link to the wrong paper",
        "a link to a web page",
        "a link to a private address",
    }


def test_every_highlight_but_the_absent_one_is_in_the_corpus():
    known = corpus.load()

    absent = [
        ref
        for _, ref, _ in known.highlights()
        if known.by_doi(ref) is None and known.by_arxiv(ref) is None
    ]

    assert absent == ["10.5555/never-registered-2019"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("CO<sub>2</sub> &amp; fog", "CO2 & fog"),
        ("when <i>p</i> &lt; 0.05 or &gt; 1", "when p < 0.05 or > 1"),
        ("&lt;p&gt;Fog &amp;amp; mist&lt;/p&gt;", "Fog & mist"),
    ],
)
def test_a_plain_title_has_neither_tags_nor_entities(markup, text):
    assert plain(markup) == text


def test_no_two_works_share_a_number_of_any_catalogue():
    given = Counter(number for work in WORKS for number in (*numbers(work), merged_id(work)))
    del given[""]

    assert len(given) > 800
    assert max(given.values()) == 1


def test_works_are_found_by_the_number_of_any_catalogue():
    known = corpus.load()

    for work in WORKS:
        assert {known.by_number(number) for number in numbers(work)} <= {work}
        if openalex_id(work):
            assert known.by_merged_number(merged_id(work)) is work
    assert (known.by_number(""), known.by_merged_number("")) == (None, None)


def test_only_some_works_are_in_pubmed_and_fewer_in_pmc():
    indexed = {work.key for work in WORKS if pmid(work)}
    deposited = {work.key for work in WORKS if pmcid(work)}

    assert deposited < indexed
    assert len(deposited) > 20
    assert len(indexed) < len(WORKS) / 2


def test_citations_form_a_graph_with_depth_a_cycle_a_hub_and_a_loose_end():
    known = corpus.load()
    fine = known.by_doi("10.5555/fine-paper")
    depths, layer = {openalex_id(fine): 0}, [fine]

    while layer:
        cited = [
            (number, depths[openalex_id(work)] + 1)
            for work in layer
            for number in known.references(work)
        ]
        fresh = {number: depth for number, depth in cited if number not in depths}
        depths |= fresh
        layer = [work for work in map(known.by_number, fresh) if work]

    references = {number for work in WORKS for number in known.references(work)}
    assert max(depths.values()) >= 4
    assert openalex_id(fine) in known.references(known.by_doi("10.5555/arxiv-pair"))
    assert len(known.references(known.by_doi(citation_graph.HUB))) > 20
    assert {number for number in references if not known.by_number(number)} == {
        citation_graph.LOOSE_END,
        merged_id(fine),
    }


def test_a_copy_that_one_source_knows_of_is_no_copy_to_the_others():
    secret = [(work, copy) for work in WORKS for copy in work.elsewhere]

    assert {copy.known_to for _, copy in secret} >= {
        "openalex",
        "semantic_scholar",
        "europepmc",
    }
    for work, copy in secret:
        assert copy not in work.locations
        parts = urlsplit(copy.url)
        assert corpus.load().document(parts.netloc, parts.path).work is work
