"""OpenAIRE, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import NotFound
from sourcewright.providers.openaire import doi_filter, read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "api.openaire.eu"
DOI = "10.5555/tide"
OPEN, CLOSED = {"code": "c_abf2", "label": "OPEN"}, {"code": "c_14cb", "label": "CLOSED"}
PAGE, PDF = "https://a.example/x", "https://a.example/x.pdf"


def record(**fields):
    pids = [{"scheme": "doi", "value": DOI}]
    return {"pids": pids, "mainTitle": "T", "type": "publication", **fields}


def collected(work):
    return work.agency in {"crossref", "datacite"} and not work.update_to


async def test_every_product_is_read_as_it_was_written(provide, internet):
    openaire = await provide("openaire")
    written = [work for work in internet.corpus.works if collected(work)]

    for product in written:
        read = await openaire.describe_doi(product.key)
        copies = await openaire.find_copies(product.key)

        assert (read.doi, read.year) == (product.key, product.year)
        whole = ": ".join(filter(None, (product.plain_title, product.subtitle)))
        assert read.title == (whole or None)
        assert [author.name for author in read.authors] == [a.full_name for a in product.authors]
        assert bool(copies) is bool(product.locations or product.link_in("openaire"))

    assert len(written) > 200


async def test_a_copy_that_nobody_else_knows_is_found(provide):
    [copy] = await (await provide("openaire")).find_copies("10.5555/only-in-openaire")

    assert (copy.is_pdf, copy.licence) == (True, "cc-by")
    assert copy.url == "https://journals.plos.org/deposited/only-in-openaire.pdf"


async def test_what_nobody_collected_is_not_there(provide):
    openaire = await provide("openaire")

    assert await openaire.find_copies("10.99201/kakuu.2020.1") == ()
    with pytest.raises(NotFound):
        await openaire.describe_doi("10.99201/kakuu.2020.1")


@pytest.mark.parametrize(
    ("right", "is_open"),
    [
        (OPEN, True),
        ({"code": "c_abf2"}, True),
        (CLOSED, False),
        ({"label": "OPEN"}, False),
        ({"code": "c_16ec", "label": "OPEN"}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_record_is_open_only_by_its_code(right, is_open):
    work = read_work(record(bestAccessRight=right, instances=[{"urls": [PDF]}]), DOI)

    assert bool(work.copies) is is_open


def test_a_place_that_is_closed_is_no_copy_of_an_open_record():
    instances = [
        {"urls": [PAGE], "accessRight": CLOSED},
        {"urls": [PDF, PDF], "accessRight": OPEN, "license": "CC BY"},
        {"urls": None},
    ]

    copies = read_work(record(bestAccessRight=OPEN, instances=instances), DOI).copies

    assert [(copy.url, copy.is_pdf, copy.licence) for copy in copies] == [(PDF, True, "cc-by")]


def test_the_address_of_the_doi_itself_is_no_copy():
    urls = ["https://doi.org/10.5555/tide", "http://dx.doi.org/10.5555/other", PAGE]

    copies = read_work(record(bestAccessRight=OPEN, instances=[{"urls": urls}]), DOI).copies

    assert [(copy.url, copy.is_pdf) for copy in copies] == [(PAGE, False)]


def test_a_merged_record_goes_by_the_doi_that_was_asked_for():
    pids = [{"scheme": "doi", "value": "10.5555/preprint"}, {"scheme": "pmid", "value": "1"}]
    instances = [{"pids": [{"scheme": "doi", "value": "10.5555/TIDE"}], "urls": []}]
    answer = {"header": {"numFound": 1}, "results": [record(pids=pids, instances=instances)]}

    [work] = read_answer(answer, DOI)

    assert work.doi == DOI
    assert read_answer(answer, "10.5555/other") == ()


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ({"fullName": "Byron, Ada", "name": "Ada", "surname": "Byron"}, "Ada Byron"),
        ({"fullName": "Byron, Ada", "name": None, "surname": None}, "Ada Byron"),
        ({"fullName": "Tides Consortium"}, "Tides Consortium"),
    ],
)
def test_an_author_is_read_in_every_form(author, name):
    [read] = read_work(record(authors=[author, {}]), DOI).authors

    assert read.name == name


@pytest.mark.parametrize(
    ("doi", "expected"),
    [
        (DOI, DOI),
        ("10.1016/s0140-6736(20)30183-5", '"10.1016/s0140-6736(20)30183-5"'),
        ("10.5555/a OR 10.5555/b", '"10.5555/a OR 10.5555/b"'),
        ('10.5555/a"b', '"10.5555/a\\"b"'),
    ],
)
def test_what_the_filter_would_understand_is_quoted(doi, expected):
    assert doi_filter(doi) == expected


def test_the_first_description_that_says_anything_is_the_abstract():
    message = [
        None,
        "",
        "<jats:title>Abstract</jats:title><jats:p>Tides <i>turn</i>.</jats:p>",
        "x",
    ]

    assert read_work(record(descriptions=message), DOI).abstract == "Tides turn."
