"""Results of searches are listed as sources without losing who wrote them, when and where."""

import pytest

pytestmark = pytest.mark.anyio

PAPER = {
    "title": "On tides",
    "url": "https://doi.org/10.5555/on-tides",
    "authors": ["Ada Roe", "Max Doe"],
    "journal": "Journal of Tides",
    "year": 2010,
    "openAccess": True,
    "abstract": None,
}


@pytest.fixture
def cited(application):
    async def cite(source, style="apa"):
        calls = await application()
        answer = await calls.call("format_bibliography", {"sources": [source], "style": style})
        return answer.structured["bibliography"]

    return cite


async def test_a_paper_is_cited_with_the_fields_of_a_search(cited):
    line = await cited(PAPER)

    assert line.startswith("Roe, A., & Doe, M. (2010). On tides.")
    assert "Journal of Tides" in line


async def test_the_fields_of_the_contract_win(cited):
    line = await cited({**PAPER, "author": "Eve Moe", "date": "2012-05-01", "site": "Tides Daily"})

    assert line.startswith("Moe, E. (2012")
    assert "Tides Daily" in line


@pytest.mark.parametrize("date", [{"date": 2010}, {"publishedAt": "2010-04-03T00:00:00Z"}])
async def test_a_date_is_taken_in_each_form_that_a_result_has(cited, date):
    line = await cited({"url": "https://a.example/x", "title": "A page", **date})

    assert "(2010" in line


async def test_authors_as_a_list_are_the_same_as_in_one_text(cited):
    page = {"url": "https://a.example/x", "title": "A page"}

    listed = await cited({**page, "author": ["Ada Roe", "Max Doe"]})

    assert listed == await cited({**page, "author": "Ada Roe; Max Doe"})


async def test_an_audit_compares_the_year_and_the_authors_of_a_search(application):
    calls = await application()
    entry = {"doi": "10.5555/fine-paper", "year": 1901, "authors": ["Nobody Here"]}

    audited = (await calls.call("audit_bibliography", {"entries": [entry]})).structured

    checks = audited["entries"][0]["fieldChecks"]
    differing = {one["field"] for one in checks if one["status"] == "differs"}
    assert differing == {"year", "authors"}
