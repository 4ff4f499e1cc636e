"""Suggested corrections: the type, the names and the address of the cited work, and only of it."""

import re

import pytest

pytestmark = pytest.mark.anyio

CROSSREF = "api.crossref.org"
CJK = {"太郎 山田": "山田, 太郎", "민준 김": "김, 민준", "小明 王": "王, 小明"}
INDEX_PAGE = re.compile(r"url\s+= \{https?://(?:openalex|www\.semanticscholar|dblp)\.org")
MILET = {
    "DOI": "10.5555/milet-1995",
    "type": "report",
    "title": ["Milet 1994\u20131995. Vorbericht \u00fcber die Arbeiten der Jahre 1994 und 1995"],
    "author": [{"family": "Graeve", "given": "Volkmar von"}],
    "issued": {"date-parts": [[1997]]},
    "container-title": ["Arch\u00e4ologischer Anzeiger"],
    "update-to": [],
}
NEIGHBOUR = (
    "@article{milet, author={von Graeve, Volkmar and others}, year={1995}, journal={Arch{\\"
    '"a}ologischer Anzeiger}, title={Milet 1992--1993. Vorbericht {\\"u}ber die Arbeiten der'
    " Jahre 1992 und 1993}}"
)


@pytest.fixture
async def suggestion(asking):
    """The suggestion for an entry, by either tool."""
    ask = await asking(keys=False)

    async def run(entry, tool):
        if tool == "verify_citation":
            return (await ask(tool, citation=entry)).structured
        return (await ask(tool, bibliography=entry)).structured["entries"][0]

    return run


def entry_of(work, *, doi=True, kind="inproceedings", year=1901):
    names = " and ".join(CJK.get(one.full_name, one.full_name) for one in work.authors)
    number = f", doi={{{work.doi}}}" if doi else ""
    return (
        f"@{kind}{{cited, title={{{work.title}}}, author={{{names}}}, year={{{year}}},"
        f" booktitle={{{work.journal.name}}}{number}}}"
    )


@pytest.mark.parametrize("tool", ["verify_citation", "audit_bibliography"])
@pytest.mark.parametrize("doi", [True, False])
async def test_a_conference_paper_stays_one(suggestion, internet, tool, doi):
    works = [
        one
        for one in internet.corpus.works
        if one.type == "proceedings-article" and one.date and len(one.authors) > 1
    ][:8]

    for work in works:
        answer = await suggestion(entry_of(work, doi=doi), tool)

        text = answer["suggestion"]
        assert text.startswith("@inproceedings{cited,"), text
        assert f"booktitle  = {{{work.journal.name}}}" in text
        assert "journal " not in text
        assert not INDEX_PAGE.search(text), text


@pytest.mark.parametrize("tool", ["verify_citation", "audit_bibliography"])
@pytest.mark.parametrize("doi", [True, False])
async def test_a_name_is_divided_as_the_agency_divides_it(suggestion, internet, tool, doi):
    works = [
        one
        for one in internet.corpus.works
        if one.agency == "crossref"
        and one.type in ("journal-article", "proceedings-article")
        and one.date
        and not (one.updated_by or one.update_to)
        and {author.full_name for author in one.authors} & CJK.keys()
    ][:6]
    assert works

    for work in works:
        answer = await suggestion(entry_of(work, doi=doi), tool)

        names = [CJK[one.full_name] for one in work.authors if one.full_name in CJK]
        assert all(name in answer["suggestion"] for name in names), answer["suggestion"]


async def test_a_neighbour_of_the_cited_work_is_another_work(suggestion, internet):
    message = {"total-results": 1, "items": [MILET]}
    answer = {"status": "ok", "message-type": "work-list", "message": message}
    internet.says(CROSSREF, answer, path="/works")

    checked = await suggestion(NEIGHBOUR, "audit_bibliography")

    assert (checked["status"], checked["exists"]) == ("unconfirmed", None)
    assert "mismatch" not in checked["flags"]
    assert checked["risk"] < 0.95
    assert "is another work: 'Milet 1994\u20131995." in checked["reason"]
    assert not {"suggestion", "matchedRecord"} & checked.keys()
