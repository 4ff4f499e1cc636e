"""audit_bibliography, through the tool, in the simulated world."""

import json

import pytest

from sourcewright.world.sites import crossref

pytestmark = pytest.mark.anyio

CROSSREF, OPENALEX, S2 = "api.crossref.org", "api.openalex.org", "api.semanticscholar.org"
RIGHT = """@article{right, title={Tidal mixing and the memory of estuaries},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, journal={Journal of Tidal Research},
  year={2019}, volume={14}, pages={101--119}, doi={10.5555/fine-paper}}"""
WRONG = """@article{wrong, title={The acoustics of frozen lakes},
  author={Percival Fabricant}, journal={Annals of Imaginary Limnology}, year={2011}}"""
RETRACTED = """@article{taken-back, title={Harbour bells cure insomnia: a randomised trial},
  author={Percival Fabricant and John Smith}, journal={Journal of Tidal Research}, year={2016},
  doi={10.5555/retracted-paper}}"""
INVENTED = """@article{invented, title={Silent bells in an empty harbour}, author={Nobody Known},
  journal={Journal of Tidal Research}, year={2015}, doi={10.5555/nobody-registered-this}}"""
BOOK = "@book{book, title={On the keeping of ledgers}, author={Anna Quill}, publisher={Quill}, year={1931}}"
BROKEN = "@article{broken, title={Never closed"


@pytest.fixture
async def ask(asking):
    return await asking(keys=False)


@pytest.fixture
def audit(ask):
    async def run(*entries, **more):
        document = {"bibliography": "\n\n".join(entries)} if entries else {}
        return (await ask("audit_bibliography", **document, **more)).structured

    return run


def by_key(answer):
    return {one.get("key"): one for one in answer["entries"]}


async def test_each_entry_is_told_apart_with_a_reason(audit):
    answer = await audit(RIGHT, WRONG, RETRACTED, INVENTED, BOOK)

    entries = by_key(answer)
    assert answer["source"] == "bibliography:bibtex"
    assert answer["entryCount"] == 5
    assert [one["index"] for one in answer["entries"]] == [0, 1, 2, 3, 4]
    assert (entries["right"]["status"], entries["right"]["flags"]) == ("verified", [])
    assert (entries["wrong"]["status"], entries["wrong"]["flags"]) == ("mismatch", ["mismatch"])
    assert "Bjørn Ødegård" in entries["wrong"]["reason"]
    assert entries["taken-back"]["flags"] == ["retracted"]
    assert entries["taken-back"]["retractionStatus"]["retracted"] is True
    assert entries["invented"]["flags"] == ["not_found"]
    assert entries["invented"]["status"] == "not_found"
    assert entries["book"]["flags"] == ["unchecked"]
    assert (entries["book"]["status"], entries["book"]["exists"]) == ("unconfirmed", None)
    assert entries["book"]["risk"] < 0.5
    assert answer["summary"] == {
        "total": 5,
        "retracted": 1,
        "deadLink": 0,
        "notFound": 1,
        "unchecked": 1,
        "mischaracterized": 0,
        "mismatch": 1,
        "ok": 1,
    }


async def test_nothing_that_cannot_be_read_is_dropped(audit):
    answer = await audit(RIGHT, BROKEN)

    assert answer["entryCount"] == 2
    broken = by_key(answer)["broken"]
    assert broken["flags"] == ["unchecked"]
    assert "could not be read" in broken["reason"]


async def test_many_entries_are_asked_for_in_batches(audit, internet):
    known = [
        work
        for work in internet.corpus.works
        if work.agency == "crossref"
        and work.type == "journal-article"
        and work.authors
        and work.date
        and not work.update_to
        and "<" not in work.title
    ][:40]
    entries = [
        f"@article{{w{at}, title={{{work.title}}}, doi={{{work.doi}}}, year={{{work.date[0]}}},"
        f" author={{{' and '.join(author.full_name for author in work.authors)}}},"
        f" journal={{{work.journal.name}}}}}"
        for at, work in enumerate(known)
    ]

    answer = await audit(*entries)

    wrong = [one for one in answer["entries"] if one["status"] != "verified"]
    assert all(one["status"] == "unconfirmed" and _is_taken_back(one) for one in wrong), wrong
    assert not any(map(_is_taken_back, [one for one in answer["entries"] if one not in wrong]))
    assert len(internet.seen) < 1.5 * len(entries)


def _is_taken_back(entry):
    notice = entry.get("retractionStatus", {"retracted": False})
    return notice["retracted"] or "partial" in notice


async def test_an_index_that_throttles_is_waited_for(audit, internet):
    internet.breaks(OPENALEX, status=429, retry_after=0, times=4)

    answer = await audit(RIGHT.replace(", doi={10.5555/fine-paper}", ""))

    assert answer["entries"][0]["status"] == "verified"


async def test_without_its_doi_a_work_is_found_by_its_title(audit):
    answer = await audit(RETRACTED.replace(",\n  doi={10.5555/retracted-paper}", ""))

    entry = answer["entries"][0]
    assert (entry["exists"], entry["matchedRecord"]["doi"]) == (True, "10.5555/retracted-paper")
    assert entry["flags"] == ["retracted"]


async def test_the_records_of_a_list_are_named_without_their_abstracts(audit):
    record = (await audit(RIGHT))["entries"][0]["matchedRecord"]

    assert record.keys() == {"title", "url", "source", "doi", "year"}


async def test_a_failing_index_never_makes_a_work_missing(audit, internet):
    for host in internet.hosts:
        internet.breaks(host, status=503)

    entry = (await audit(INVENTED))["entries"][0]

    assert (entry["status"], entry["exists"]) == ("unconfirmed", None)
    assert entry["flags"] == ["unchecked"]
    assert entry["coverage"]["status"] == "incomplete"
    assert entry["risk"] < 0.5


@pytest.mark.parametrize(
    ("doi", "least", "status"),
    [
        ("10.5555/retracted-paper", 0.9, "unconfirmed"),
        ("10.5555/withdrawn-paper", 0.9, "unconfirmed"),
        ("10.5555/removed-paper", 0.9, "unconfirmed"),
        ("10.5555/partly-retracted-paper", 0.7, "unconfirmed"),
        ("10.5555/unlisted-retraction", 0.9, "unconfirmed"),
        ("10.5555/concern-paper", 0.5, "verified"),
        ("10.5555/corrected-paper", 0.0, "verified"),
    ],
)
async def test_a_right_entry_of_a_work_that_no_longer_stands_is_not_verified(
    audit, internet, doi, least, status
):
    work = internet.corpus.by_doi(doi)
    people = " and ".join(author.full_name for author in work.authors)
    entry = f"@article{{a, title={{{work.title}}}, author={{{people}}}, doi={{{doi}}}}}"

    [checked] = (await audit(entry))["entries"]

    assert {one["status"] for one in checked["fieldChecks"]} == {"match"}
    assert checked["status"] == status
    assert checked["risk"] >= least
    assert checked["exists"] is True


async def test_an_entry_whose_notices_could_not_be_checked_is_not_counted_as_sound(
    audit, internet
):
    internet.breaks(CROSSREF, status=503)

    answer = await audit(RIGHT)

    [entry] = answer["entries"]
    assert (entry["status"], entry["flags"]) == ("unconfirmed", ["unchecked"])
    assert entry["risk"] >= 0.5
    assert "notices could not be checked: crossref" in entry["reason"]
    assert (answer["summary"]["unchecked"], answer["summary"]["ok"]) == (1, 0)


async def test_a_source_of_notices_that_throttles_is_waited_for(audit, internet):
    internet.breaks(CROSSREF, status=429, retry_after=0, times=4)

    [entry] = (await audit(RIGHT))["entries"]

    assert (entry["status"], entry["flags"]) == ("verified", [])
    assert "noticeCheck" not in entry


@pytest.mark.parametrize(
    "entry",
    [
        {"doi": "10.5555/fine-paper"},
        {"doi": "https://doi.org/10.5555/fine-paper"},
        {"doi": "http://dx.doi.org/10.5555/FINE-PAPER"},
        {"doi": "doi: 10.5555/fine-paper."},
        {"DOI": "https://www.doi.org/10.5555%2Ffine-paper"},
        {"url": "https://doi.org/10.5555/fine-paper"},
    ],
    ids=str,
)
async def test_a_doi_may_be_given_as_a_link_or_with_a_prefix(audit, entry):
    [seen] = (await audit(entries=[entry]))["entries"]

    assert (seen["status"], seen["flags"]) == ("verified", [])
    assert seen["matchedRecord"]["doi"] == "10.5555/fine-paper"


async def test_entries_may_be_given_one_by_one_with_claims(ask):
    result = await ask(
        "audit_bibliography",
        entries=[
            {"doi": "10.5555/fine-paper", "claim": "estuaries remember their tides"},
            {"url": "https://gone.example/never", "title": "A page that is gone"},
        ],
    )

    answer = result.structured
    assert answer["source"] == "entries"
    assert answer["entries"][0]["claim"] == "estuaries remember their tides"
    assert "claimSupport" in answer["entries"][0]
    assert answer["entries"][1]["status"] == "unconfirmed"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "ris",
            "TY  - JOUR\nTI  - Cold fusion in upland lakes\nAU  - Fabricant, Percival\nPY  - 2012\nER  - \n",
        ),
        (
            "csl-json",
            json.dumps(
                [
                    {
                        "id": "x",
                        "type": "article-journal",
                        "title": "Cold fusion in upland lakes",
                        "author": [{"family": "Fabricant", "given": "Percival"}],
                        "issued": {"date-parts": [[2012]]},
                    }
                ]
            ),
        ),
    ],
)
async def test_other_formats_are_recognised(audit, name, text):
    answer = await audit(text)

    assert answer["source"] == f"bibliography:{name}"
    assert answer["entries"][0]["exists"] is True


async def test_what_is_beyond_the_limit_is_counted(ask):
    entries = [{"url": ""}] * 203

    answer = (await ask("audit_bibliography", entries=entries)).structured

    assert (answer["entryCount"], answer["skipped"]) == (200, 3)
    assert "200" in answer["skippedNote"]


async def test_nothing_to_check_is_a_clear_error(ask):
    result = await ask("audit_bibliography")

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"
    assert "bibliography" in result.text


async def test_a_link_to_a_doi_that_everybody_denied_is_dead_without_a_request(audit, internet):
    url = "https://doi.org/10.5555/nobody-registered-this"

    answer = await audit(INVENTED.replace("year={2015}", f"year={{2015}}, url={{{url}}}"))

    [entry] = answer["entries"]
    assert entry["flags"] == ["dead_link", "not_found"]
    assert (entry["linkState"], entry["httpStatus"]) == ("dead", 404)
    assert "HEAD" not in {seen.method for seen in internet.requests_to("doi.org")}


async def test_the_year_of_a_season_is_compared_too(call):
    entry = {"doi": "10.5555/fine-paper", "title": "Tidal mixing and the memory of estuaries"}

    right = await call("audit_bibliography", {"entries": [{**entry, "date": "Spring 2019"}]})
    wrong = await call("audit_bibliography", {"entries": [{**entry, "date": "Spring 2014"}]})

    assert "mismatch" not in right["entries"][0]["flags"]
    assert "mismatch" in wrong["entries"][0]["flags"]


async def test_entries_without_a_problem_can_be_left_out(audit):
    every = await audit(RIGHT, WRONG)
    answer = await audit(RIGHT, WRONG, onlyProblems=True)

    assert [(one["key"], one["index"]) for one in answer["entries"]] == [("wrong", 1)]
    assert answer["entries"][0]["flags"] == every["entries"][1]["flags"] == ["mismatch"]
    assert answer["entryCount"] == 2
    assert answer["summary"] == every["summary"]


async def test_a_reference_in_a_list_is_compared_as_a_single_one_is(ask, audit):
    text = (
        "Okonkwo A, Lindqvist Å, 山田太郎. Tidal mixing and the memory of estuaries."
        " Journal of Tidal Research Meridian Open Press. 2019;14(2):101-119."
    )

    [entry] = (await audit(text))["entries"]
    single = (await ask("verify_citation", citation=text)).structured

    assert entry["status"] == single["status"] == "verified"


async def test_a_year_that_only_the_agency_has_is_right(audit, internet):
    record = crossref.record(internet.corpus.by_doi("10.5555/fine-paper"), internet.corpus)
    online = {"published-online": {"date-parts": [[2017]]}}
    message = {"items": [record | online], "total-results": 1}
    internet.says(
        CROSSREF,
        {"status": "ok", "message-type": "work-list", "message": message},
        path="/works",
    )

    title = "Tidal mixing and the memory of estuaries"
    authors = "Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田"
    answer = await audit(f"@misc{{a, title={{{title}}}, author={{{authors}}}, year={{2017}}}}")

    years = [one for one in answer["entries"][0]["fieldChecks"] if one["field"] == "year"]
    assert [(one["status"], one["found"]) for one in years] == [("match", "2017")]
