"""bioRxiv and medRxiv, over every recorded answer."""

import json
from collections import Counter

import pytest

from sourcewright.providers.biorxiv import read_entries, read_versions


@pytest.fixture
def files(recorded):
    names = ("fastpaper-biorxiv-search.json", "fastpaper-medrxiv-search.json")
    return [file for file in recorded("other_scholar") if file.name in names]


def works_in(file):
    """Each preprint of a list by time, with those of its versions that the list holds."""
    by_doi = {}
    for entry in read_entries(json.loads(file.read_text(encoding="utf-8"))):
        by_doi.setdefault(entry["doi"], []).append(entry)
    return [work for doi, found in by_doi.items() for work in read_versions(tuple(found), doi)]


def test_every_recorded_preprint_is_read_as_the_table_says(files, table, summary):
    rows = summary((file, works_in(file)) for file in files)

    assert rows == table("biorxiv")


def test_the_recorded_preprints_add_up(files):
    works = [work for file in files for work in works_in(file)]

    assert Counter(work.venue for work in works) == {"bioRxiv": 79, "medRxiv": 99}
    assert sum(bool(work.published_as) for work in works) == 73
    assert [(work.title.split(":")[0], work.copies) for work in works if work.notices] == [
        ("WITHDRAWN", ()),
        ("WITHDRAWN", ()),
    ]
    assert all(work.authors and work.title and work.abstract for work in works)


def test_every_recorded_copy_is_at_its_own_server(files):
    for work in (work for file in files for work in works_in(file)):
        server = work.venue.lower()

        for copy in work.copies:
            assert copy.url.startswith(f"https://www.{server}.org/content/{work.doi}v")
