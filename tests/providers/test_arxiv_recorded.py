"""arXiv, over every recorded answer."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.providers.arxiv.feed import read_answer, read_entries, read_work

pytestmark = pytest.mark.anyio

HOST = "export.arxiv.org"
OTHER_ANSWERS = ("err", "oai-")


def feed_in(file):
    return parse_xml(file.read_bytes())


def test_every_recorded_work_is_read_as_the_table_says(recorded, table, summary):
    files = [file for file in recorded("arxiv") if not file.name.startswith(OTHER_ANSWERS)]

    rows = summary((file, map(read_work, read_entries(feed_in(file)))) for file in files)

    assert rows == table("arxiv")
    assert len(rows) == 126


@pytest.mark.parametrize(
    ("start", "arxiv_id"),
    [
        ("id-1605", "1605.08386"),
        ("id-1605", "1605.08386v1"),
        ("id-1707", "1707.08567"),
        ("id-astro-ph", "astro-ph/0601001"),
        ("id-astro-ph", "astro-ph.GA/0601001"),
        ("id-list-1111-2011v2", "1111.2011v2"),
    ],
)
def test_a_recorded_paper_is_the_answer_to_its_own_id(recorded, start, arxiv_id):
    [file] = [one for one in recorded("arxiv") if one.name.startswith(start)]

    work = read_answer(feed_in(file), arxiv_id)

    assert work.title


@pytest.mark.parametrize(
    ("start", "arxiv_id", "status", "error"),
    [
        ("id-0808", "0808.05394", 200, NotFound),
        ("id-1605", "1605.08387", 200, BadAnswer),
        ("id-1605", "1605.08386v2", 200, BadAnswer),
        ("q-testing-s0-m10", "1605.08386", 200, BadAnswer),
        ("err400", "abc", 200, NotFound),
        ("err400", "0808.05394", 200, BadAnswer),
        ("err400", "0808.05394", 400, BadAnswer),
        ("err301", "1803.01183", 200, BadAnswer),
        ("oai-identifier-oai-arxiv-org-0000", "0808.05394", 200, BadAnswer),
        ("oai-identifier-oai-arxiv-org-1908", "1908.05196", 200, BadAnswer),
    ],
)
async def test_a_recorded_answer_about_something_else_keeps_its_name(
    recorded, provide, internet, start, arxiv_id, *, status, error
):
    [file] = [one for one in recorded("arxiv") if one.name.startswith(start)]
    internet.says(HOST, file.read_bytes(), status=status, content_type="application/atom+xml")

    with pytest.raises(error):
        await (await provide("arxiv")).describe_arxiv(arxiv_id)
