"""Size of a paper's record in an answer: what is left out, and where the whole of it is."""

import json
from statistics import median

import pytest

from sourcewright.world.corpus import load
from sourcewright.world.sites import crossref

pytestmark = pytest.mark.anyio

HOST = "api.crossref.org"
PAPER = "10.5555/fine-paper"
RESOLVE, FETCH = "doiget_resolve_paper", "doiget_fetch_paper"
STORE = "doiget_metadata_only"
MOST = 3_100
SHAPES = [
    {"authors": 1, "references": 0, "links": 0, "assertions": 0, "funders": 0, "abstract": 0},
    {"authors": 2, "references": 0, "links": 1, "assertions": 0, "funders": 0, "abstract": 0},
    {"authors": 3, "references": 14, "links": 1, "assertions": 0, "funders": 0, "abstract": 600},
    {"authors": 5, "references": 38, "links": 2, "assertions": 2, "funders": 0, "abstract": 930},
    {"authors": 8, "references": 70, "links": 3, "assertions": 9, "funders": 2, "abstract": 1900},
]
"""Numbers of entries in Crossref's records of journal articles: the tenths 1, 3, 5, 7 and 9."""
MOMENT = {
    "date-parts": [[2015, 11, 15]],
    "date-time": "2015-11-15T00:00:00Z",
    "timestamp": 1447545600000,
}
REFERENCE = {
    "key": "e_1_3_2_10_2",
    "doi-asserted-by": "publisher",
    "DOI": "10.5555/another",
    "volume-title": "Proceedings of an invented conference",
    "author": "Tarn",
}
AUTHOR = {
    "given": "Josephine",
    "family": "Carberry",
    "sequence": "additional",
    "affiliation": [],
}
IDENTIFIED = {
    "ORCID": "https://orcid.org/0000-0002-1825-0097",
    "authenticated-orcid": False,
    "sequence": "first",
}
FUNDER = {"DOI": "10.13039/501100001711", "name": "A fund", "doi-asserted-by": "publisher"}


def shaped(*, authors, references, links, assertions, funders, abstract):
    corpus = load()
    record = crossref.record(corpus.by_doi(PAPER), corpus)
    return record | {
        "abstract": f"<jats:p>{'Slow water. ' * (abstract // 12)}</jats:p>",
        "author": [AUTHOR | IDENTIFIED, *[AUTHOR] * (authors - 1)],
        "assertion": [{"value": "2015-01-01", "name": "received", "order": 1}] * assertions,
        "funder": [FUNDER] * funders,
        "issn-type": [{"value": "2049-3630", "type": "print"}],
        "license": [{"start": MOMENT, "content-version": "vor", "URL": "https://example.org/l"}],
        "link": [{"URL": "https://example.org/pdf", "content-type": "application/pdf"}] * links,
        "reference": [REFERENCE] * references,
    }


async def answered(app, internet, tool, record):
    internet.mends(HOST)
    message = {"status": "ok", "message-type": "work", "message": record}
    internet.says(HOST, message, path="/works/10*")
    return await app.call(tool, {"ref": PAPER})


@pytest.mark.parametrize("tool", [RESOLVE, STORE])
async def test_an_ordinary_answer_about_a_paper_is_short(application, internet, tool):
    app = await application()

    results = [await answered(app, internet, tool, shaped(**shape)) for shape in SHAPES]

    sizes = [len(result.text.encode()) for result in results]
    assert all(result.structured["ok"] for result in results)
    assert median(sizes) <= MOST
    # Without the rule, the records alone are larger.
    assert median(len(json.dumps(shaped(**shape))) for shape in SHAPES) > MOST


@pytest.mark.parametrize("tool", [RESOLVE, STORE])
async def test_what_describes_the_paper_stays_and_what_is_left_out_is_counted(
    application, internet, tool
):
    app = await application()
    record = shaped(**SHAPES[-1])

    result = (await answered(app, internet, tool, record)).structured

    metadata = result["metadata"]
    assert result["metadata_omitted"] == {
        "assertion": 9,
        "indexed": 1,
        "link": 3,
        "reference": 70,
    }
    assert len(metadata["author"]) == 8
    assert metadata["author"][0].keys() == {"ORCID", "given", "family"}
    assert metadata["license"][0]["start"] == {"date-parts": [[2015, 11, 15]]}
    unchanged = ("title", "abstract", "DOI", "type", "volume", "issued", "container-title")
    assert {name: metadata[name] for name in unchanged} == {
        name: record[name] for name in unchanged
    }
    whole = json.loads((await app.views().read(result["metadata_resource"]))[1])
    assert whole == record


async def test_a_list_of_hundreds_of_authors_is_counted_and_their_names_stay(
    application, internet
):
    app = await application()
    record = shaped(**SHAPES[0]) | {"author": [AUTHOR | {"given": f"J{at}"} for at in range(300)]}

    result = (await answered(app, internet, RESOLVE, record)).structured

    assert result["metadata_omitted"]["author"] == 300
    assert "author" not in result["metadata"]
    assert len(result["work"]["authors"]) == 300


@pytest.mark.parametrize("tool", [RESOLVE, FETCH, STORE])
async def test_sources_that_were_never_due_are_named_by_reason_and_not_one_by_one(answer, tool):
    result = (await answer(tool, {"ref": PAPER})).structured

    assert result["ok"]
    assert "tdm-aps" in result["not_due"]["not_consulted_wrong_publisher"]
    listed = {one["source"] for one in result["attempts"]}
    assert "crossref" in listed
    assert not listed & {name for names in result["not_due"].values() for name in names}


async def test_a_failure_names_them_by_reason_too(answer):
    result = (await answer(FETCH, {"ref": "10.5555/never-registered-2019"})).structured

    error = result["error"]
    assert "tdm-elsevier" in error["not_due"]["not_consulted_wrong_publisher"]
    assert {one["outcome"] for one in error["attempts"]} <= {
        "consulted_no_record",
        "not_consulted_disabled",
    }
