"""Semantic Scholar, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, Refused
from sourcewright.providers.semantic_scholar import read_work

pytestmark = pytest.mark.anyio

HOST = "api.semanticscholar.org"


def papers_in(file):
    """The papers in an answer, wherever it puts them."""
    answer = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(answer, dict):
        answer = answer.get("data") or answer.get("recommendedPapers") or [answer]
    inner = [one.get("citingPaper") or one.get("citedPaper") or one for one in answer if one]
    return [paper for paper in inner if paper.get("paperId")]


def is_whole(paper):
    return {"title", "externalIds"} <= paper.keys()


def whole_in(file):
    return [paper for paper in papers_in(file) if is_whole(paper)]


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    rows = summary((file, map(read_work, whole_in(file))) for file in recorded("semanticscholar"))

    assert rows == table("semantic_scholar")


def test_every_recorded_title_is_read(recorded):
    papers = [one for file in recorded("semanticscholar") for one in papers_in(file)]
    titled = [one for one in papers if "title" in one]

    assert len(titled) == 2119
    assert all(read_work(one).title for one in titled)


def test_the_recorded_copies_and_preprints_add_up(recorded):
    works = [read_work(one) for file in recorded("semanticscholar") for one in whole_in(file)]

    copies = [copy for work in works for copy in work.copies]

    assert len(copies) == 9
    assert sum(copy.is_pdf for copy in copies) == 6
    assert {copy.licence for copy in copies} == {"cc-by", "cc-by-nc-nd", None}
    assert {one for work in works for one in work.preprints} == {
        "2201.12987",
        "2304.05376",
        "2406.10581",
    }


async def test_answers_about_something_else_are_not_works(recorded, provide, internet):
    source = await provide("semantic_scholar")
    others = [
        file
        for file in recorded("semanticscholar")
        if not file.name.startswith(("err", "graph-v1-paper-doi", "refchecker"))
    ]

    for file in others:
        internet.mends()
        internet.says(HOST, file.read_bytes())
        with pytest.raises(BadAnswer):
            await source.describe_doi("10.5555/any")

    assert len(others) > 40


@pytest.mark.parametrize(
    ("start", "status", "error"),
    [
        ("err404-graph-v1-paper-doi", 404, NotFound),
        ("err404-graph-v1-paper-0", 404, NotFound),
        ("err404-graph-v1-author", 404, BadAnswer),
        ("err404-graph-v1-paper-search", 404, BadAnswer),
        ("err400-graph", 400, BadAnswer),
        ("err403-graph", 403, Refused),
        ("err404-graph-v1-paper-doi", 200, BadAnswer),
    ],
)
async def test_a_recorded_failure_keeps_its_name(
    recorded, provide, internet, start, status, error
):
    [file] = [one for one in recorded("semanticscholar") if one.name.startswith(start)]
    internet.says(HOST, file.read_bytes(), status=status)

    with pytest.raises(error):
        await (await provide("semantic_scholar")).describe_doi("10.5555/any")
