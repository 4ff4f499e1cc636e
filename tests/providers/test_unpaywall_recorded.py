"""Unpaywall, over every recorded answer."""

import json

from sourcewright.providers.unpaywall import read_answer, read_work


def works_in(file):
    answer = json.loads(file.read_text(encoding="utf-8"))
    if "results" in answer:
        return [read_work(one["response"]) for one in answer["results"]]
    return [read_answer(answer, answer["doi"].upper())]


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    rows = summary((file, works_in(file)) for file in recorded("unpaywall"))

    assert rows == table("unpaywall")


def test_every_recorded_copy_is_kept_once_and_the_best_comes_first(recorded):
    for file in recorded("unpaywall"):
        for work in works_in(file):
            best = work.raw["best_oa_location"] or {}
            urls = [copy.url for copy in work.copies]

            assert len(urls) == len(set(urls))
            assert urls[:1] == [url for url in [best.get("url_for_pdf") or best.get("url")] if url]
            assert bool(urls) == work.raw["is_oa"] == (work.oa_status != "closed")


def test_the_recorded_copies_add_up(recorded):
    works = [work for file in recorded("unpaywall") for work in works_in(file)]

    assert sum(len(work.copies) for work in works) == 17
    assert sum(copy.is_pdf for work in works for copy in work.copies) == 10
