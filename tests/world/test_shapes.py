"""Holds the invented records against real ones: no field that the real service never sends."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import quote

import pytest

from sourcewright.world import corpus

UPSTREAM = Path(__file__).parents[3] / "shared" / "upstream"

pytestmark = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="the recorded answers are not on this machine"
)


def recorded(folder, *patterns):
    for pattern in patterns:
        for path in sorted((UPSTREAM / folder).glob(pattern)):
            yield json.loads(path.read_text(encoding="utf-8"))


def shape(value, path=""):
    """Every key in a JSON value, by its path."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield f"{path}.{key}"
            yield from shape(inside, f"{path}.{key}")
    elif isinstance(value, list):
        for inside in value:
            yield from shape(inside, f"{path}[]")


def shapes(values):
    return {found for value in values for found in shape(value)}


def works(agency):
    return corpus.load().of_agency(agency)


def test_crossref_sends_no_field_that_the_real_one_does_not(visitor):
    singles = [one.get("message", one) for one in recorded("crossref", "works-10-*.json")]
    samples = [one["message"] for one in recorded("crossref", "prereview-*.json")]
    lists = [
        one["message"]["items"] for one in recorded("crossref", "*works-rows-30-cursor*.json")
    ]
    excerpt = next(recorded("crossref", "excerpt-updated-by-*.json"))
    real = shapes([*singles, *samples, *(item for items in lists for item in items), excerpt])

    invented = shapes(
        visitor.ask("api.crossref.org", f"/works/{quote(work.doi)}").json["message"]
        for work in works("crossref")
    )

    # The notices' sources and record numbers are printed alike on both ends of the relation.
    both_ends = {found.replace("update-to", "updated-by") for found in invented}
    assert both_ends - real == set()


def test_datacite_sends_no_field_that_the_real_one_does_not(visitor):
    real = shapes(one["data"] for one in recorded("datacite", "dois-10-*.json"))

    invented = shapes(
        visitor.ask("api.datacite.org", f"/dois/{quote(work.doi)}").json["data"]
        for work in works("datacite")
    )

    assert invented - real == set()


def test_unpaywall_sends_no_field_that_the_real_one_does_not(visitor):
    searches = recorded("unpaywall", "v2-search-*.json")
    found = [hit["response"] for search in searches for hit in search["results"]]
    real = shapes([*recorded("unpaywall", "v2-10-*.json"), *found])

    invented = shapes(
        visitor.ask("api.unpaywall.org", f"/v2/{quote(work.doi)}?email=a@b.example").json
        for work in works("crossref")
    )

    assert invented - real == set()


def test_arxiv_sends_no_element_that_the_real_one_does_not(visitor):
    files = sorted((UPSTREAM / "arxiv").glob("[iq]*.xml"))
    real = {element.tag for path in files for element in ET.parse(path).iter()}

    feeds = [
        visitor.ask("export.arxiv.org", f"/api/query?id_list={asked}").text
        for asked in ("2401.99901", "2402.99902", "hep-th/9901999", "abc")
    ]

    assert {element.tag for feed in feeds for element in ET.fromstring(feed).iter()} <= real
