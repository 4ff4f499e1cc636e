"""Copies from a publisher's own API: when it is queried, and what the attempts say."""

import json

import pytest

from sourcewright.world import pdf
from sourcewright.world.sites.tdm_elsevier import PREVIEW_KEY

pytestmark = pytest.mark.anyio

FETCH, DOWNLOAD = "doiget_fetch_paper", "paper_download"
APS, ELSEVIER, SPRINGER = "aps", "elsevier", "springer"
PAPERS = {
    APS: "10.1103/inventedphys.12.340",
    ELSEVIER: "10.1016/j.invented.2018.01.001",
    SPRINGER: "10.1007/s99999-018-0001-0",
}
HOSTS = {
    APS: "harvest.aps.org",
    ELSEVIER: "api.elsevier.com",
    SPRINGER: "api.springernature.com",
}


def agreed(publisher, key="a-fine-key"):
    name = publisher.upper()
    return {f"DOIGET_KEY_{name}": key, f"DOIGET_AGREE_TDM_{name}": "1"}


def outcome(result, publisher):
    rows = [one for one in result["attempts"] if one["source"] == f"tdm-{publisher}"]
    not_due = [
        (reason, None)
        for reason, names in result.get("not_due", {}).items()
        if f"tdm-{publisher}" in names
    ]
    return not_due + [(one["outcome"], one["detail"]) for one in rows]


def closed(internet, publisher):
    """No open copy of the paper is known to anybody."""
    record = {"doi": PAPERS[publisher], "is_oa": False, "oa_status": "closed", "title": None}
    internet.says("api.unpaywall.org", record)
    for host in (
        *("api.openalex.org", "api.semanticscholar.org", "doaj.org", "www.ebi.ac.uk"),
        *("api.core.ac.uk", "api.archives-ouvertes.fr", "api.openaire.eu", "api.biorxiv.org"),
    ):
        internet.breaks(host, status=403)


@pytest.mark.parametrize("publisher", [APS, ELSEVIER])
async def test_a_closed_paper_is_asked_of_its_publisher_under_the_agreement(
    call, internet, tmp_path, publisher
):
    closed(internet, publisher)

    result = await call(FETCH, {"ref": PAPERS[publisher]}, **agreed(publisher))

    answer = result["pdf"]
    assert (answer["status"], answer["source"]) == ("tdm_fetched", f"tdm-{publisher}")
    assert (result["source"], result["license"]) == (f"tdm-{publisher}", "unknown")
    assert answer["file_check"] == "confirmed"
    assert outcome(result, publisher)[-1][0] == "consulted_resolved"
    log = (tmp_path / "state" / "provenance.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in log.splitlines()]
    assert rows[-2]["event"] == "store_write"
    assert rows[-2]["capability"] == f"tdm-{publisher}"


@pytest.mark.parametrize("publisher", [APS, ELSEVIER])
async def test_the_download_tools_ask_the_publisher_as_well(call, internet, publisher):
    closed(internet, publisher)

    result = await call(DOWNLOAD, {"identifier": PAPERS[publisher]}, **agreed(publisher))

    assert "text and data mining" in result["source"]
    assert result["source"] in [one["source"] for one in result["checked"]]
    assert HOSTS[publisher] in result["location"]


async def test_a_publisher_that_gives_records_alone_is_named_and_not_asked_for_a_file(
    call, internet
):
    closed(internet, SPRINGER)

    result = await call(FETCH, {"ref": PAPERS[SPRINGER]}, **agreed(SPRINGER))

    assert outcome(result, SPRINGER) == [("not_consulted_not_applicable", None)]


async def test_a_preview_is_not_taken_for_the_article(call, internet, tmp_path):
    closed(internet, ELSEVIER)

    result = await call(FETCH, {"ref": PAPERS[ELSEVIER]}, **agreed(ELSEVIER, PREVIEW_KEY))

    [(message, why)] = outcome(result, ELSEVIER)
    assert message == "consulted_failed"
    assert "preview" in why
    assert list(tmp_path.rglob("*.pdf")) == []


async def test_a_publisher_is_not_asked_where_an_open_copy_was_had(call, internet):
    place = {"url_for_pdf": "https://journals.plos.org/open.pdf", "host_type": "publisher"}
    record = {"doi": PAPERS[ELSEVIER], "is_oa": True, "best_oa_location": place}
    internet.says("api.unpaywall.org", record)
    body = pdf.paper(internet.corpus.by_doi(PAPERS[ELSEVIER]))
    internet.says("journals.plos.org", body, content_type="application/pdf")

    result = await call(FETCH, {"ref": PAPERS[ELSEVIER]}, **agreed(ELSEVIER))

    assert result["pdf"]["status"] == "fetched"
    assert outcome(result, ELSEVIER) == [("not_consulted_not_needed", None)]
    assert internet.requests_to(HOSTS[ELSEVIER]) == []


async def test_another_publisher_s_paper_is_not_asked_for(call, internet):
    result = await call(FETCH, {"ref": "10.5555/closed-paper"}, **agreed(APS), **agreed(ELSEVIER))

    assert outcome(result, APS)[0][0] == "not_consulted_wrong_publisher"
    assert outcome(result, ELSEVIER)[0][0] == "not_consulted_wrong_publisher"
    assert internet.requests_to(HOSTS[APS]) == internet.requests_to(HOSTS[ELSEVIER]) == []
