"""Lists of the scholarly indexes, over every recorded answer."""

import base64
import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar import europe_pmc
from sourcewright.providers import core, dblp, doaj
from sourcewright.providers.arxiv import feed
from sourcewright.providers.datacite import works as datacite
from sourcewright.providers.exa.papers import read_papers
from sourcewright.providers.hal import deposits
from sourcewright.providers.ncbi.records import read_records
from sourcewright.providers.ncbi.searches import parse_set, read_ids

pytestmark = pytest.mark.anyio

QUERY = WorkQuery(text="anything", limit=100)


def json_in(file):
    return json.loads(file.read_text(encoding="utf-8-sig"))


def lists_in(files, read):
    """What is read from each file; None for one that is no list of works."""
    found = {}
    for file in files:
        try:
            found[file.name] = read(file)
        except (ValueError, KeyError, TypeError):
            found[file.name] = None
    return found


def read_ones(found):
    return [record for answer in found.values() if answer for record in answer[0]]


def test_every_recorded_feed_of_arxiv_is_a_list(recorded):
    files = [file for file in recorded("arxiv") if file.suffix == ".xml"]

    found = lists_in(files, lambda file: feed.read_list(parse_xml(file.read_bytes())))

    records = read_ones(found)
    others = sorted(name for name, answer in found.items() if answer is None)
    assert [name.partition("-")[0] for name in others] == ["err400", "oai", "oai", "oai"]
    assert len(found) - len(others) == 20
    assert len(records) == 126
    assert all(record.arxiv_id and record.title and record.url for record in records)
    assert [name for name, answer in found.items() if answer == ((), 0)] == [
        "id-0808-05394-s0-m100-7b0c7d0a7cdd.xml"
    ]


def test_every_recorded_set_of_pubmed_is_a_list(recorded):
    found = lists_in(
        recorded("pubmed"), lambda file: (read_records(parse_set(file.read_bytes()), "pubmed"),)
    )

    records = read_ones(found)
    assert sum(answer is not None for answer in found.values()) == 48
    assert len(records) == 54
    assert all(record.pmid and record.title and record.notices is not None for record in records)
    assert [one.kind for record in records for one in record.notices] == ["correction"] * 2
    assert [one.doi for record in records for one in record.notices] == [
        None,
        "10.1016/j.celrep.2022.111044",
    ]


def test_the_recorded_numbers_of_a_search_are_read(recorded):
    [file] = [one for one in recorded("pubmed") if one.name == "fastpaper-pmc-esearch.json"]

    assert read_ids(json_in(file)) == (("13014283", "13016435", "13015887"), 1894053)


def test_every_recorded_list_of_europe_pmc_is_read(recorded):
    files = [file for file in recorded("europepmc") if file.suffix == ".json"]
    lists = [file for file in files if "resultList" in json_in(file)]

    found = lists_in(lists, lambda file: europe_pmc.read_list(json_in(file), "europepmc"))

    records = read_ones(found)
    assert (len(files), len(lists), len(records)) == (9, 6, 13)
    assert all(record.citation_count is not None for record in records)
    assert not any("support" in record.type.lower() for record in records)
    assert sum(record.pmid is not None for record in records) == 12
    assert sum(record.pmcid is not None for record in records) == 11


def test_every_recorded_list_of_doaj_is_read(recorded):
    files = [file for file in recorded("doaj") if "search" in file.name]

    found = lists_in(files, lambda file: doaj.read_list(json_in(file)))

    lists = {name: answer for name, answer in found.items() if answer}
    assert sorted(len(records) for records, _ in lists.values()) == [2, 3, 10, 30]
    assert sorted(found.keys() - lists.keys()) == sorted(n for n in found if "journals" in n)
    assert all(record.title and record.url for record in read_ones(found))


def test_the_recorded_search_of_core_is_read_and_its_older_form_is_not(recorded):
    found = lists_in(recorded("core"), lambda file: core.read_list(json_in(file)))

    [name] = [name for name, answer in found.items() if answer]
    [record] = found[name][0]
    assert name == "fastpaper-core-search.json"
    assert (record.doi, record.arxiv_id) == ("10.1109/icassp.2019.8683483", "1904.10788")
    assert len(found) == 7


def test_the_recorded_search_of_hal_is_read(recorded):
    [file] = [one for one in recorded("other_scholar") if "-hal-" in one.name]

    records, total = deposits.read_list(json_in(file))

    assert (len(records), total) == (3, 2782)
    assert [record.index_id for record in records] == [
        "hal-04637647",
        "hal-04584517",
        "hal-04178712",
    ]


def test_the_recorded_search_of_dblp_is_read(recorded):
    [file] = [one for one in recorded("other_scholar") if "-dblp-" in one.name]

    records, total = dblp.read_list(parse_xml(file.read_bytes()))

    assert (len(records), total) == (3, 6154)
    assert [record.doi for record in records] == [
        "10.1007/s11063-025-11757-7",
        "10.4108/eetsis.9117",
        "10.4108/eetsis.9117",
    ]
    assert [record.open_access for record in records] == [None, True, True]
    assert len(records[0].authors) == 8
    assert not records[0].title.endswith(".")


def test_the_recorded_list_of_datacite_is_read(recorded):
    [file] = [one for one in recorded("datacite") if one.name.startswith("dois-page-size")]

    records, total = datacite.read_list(json.loads(base64.b64decode(file.read_bytes())))

    assert len(records) == 5
    assert total >= 5
    assert all(record.doi and record.title and record.url for record in records)


def test_recorded_hits_of_exa_are_read_without_inventing_authors(recorded):
    files = [file for file in recorded("exa") if file.name.startswith("search")]

    records = [record for file in files for record in read_papers(json_in(file))]

    assert len(records) == 40
    assert all(record.title and record.url for record in records)
    assert {record.doi for record in records} == {None, "10.1038/s41586-025-09761-x"}
    assert all(len(author.name) < 61 for record in records for author in record.authors)


@pytest.mark.parametrize(
    ("name", "api", "host"),
    [
        ("hal", "core", "api.archives-ouvertes.fr"),
        ("core", "doaj", "api.core.ac.uk"),
        ("doaj", "core", "doaj.org"),
        ("datacite", "doaj", "api.datacite.org"),
        ("europepmc", "doaj", "www.ebi.ac.uk"),
        ("openalex", "crossref", "api.openalex.org"),
        ("crossref", "openalex", "api.crossref.org"),
        ("semantic_scholar", "openalex", "api.semanticscholar.org"),
    ],
)
async def test_the_answers_of_another_index_are_never_an_empty_result(
    recorded, provide, internet, name, api, host
):
    index = await provide(name, role="scholar")

    for file in recorded(api)[:12]:
        internet.mends()
        internet.says(host, file.read_bytes())
        with pytest.raises(BadAnswer):
            await index.search_works(QUERY)
