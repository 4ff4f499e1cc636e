"""arXiv's abstract pages, against the simulated site."""

import pytest

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.base.text.plain import plain_text
from sourcewright.domain.papers.records import abstract_page
from sourcewright.providers._factory import build_provider
from sourcewright.providers.arxiv import Arxiv, arxiv_id_in_url
from sourcewright.providers.arxiv.feed import read_entries, read_work

pytestmark = pytest.mark.anyio

HOST = "export.arxiv.org"


@pytest.fixture
async def pages(provide):
    return await provide("arxiv", role="reading")


@pytest.mark.parametrize(
    ("url", "paper"),
    [
        ("https://arxiv.org/abs/2401.12345", "2401.12345"),
        ("http://www.arxiv.org/abs/2401.12345v2?context=cs", "2401.12345v2"),
        ("https://arxiv.org/abs/math.GT/0309136", "math.GT/0309136"),
        ("https://arxiv.org/abs/hep-th/9901001v3", "hep-th/9901001v3"),
        ("https://arxiv.org/pdf/2401.12345", None),
        ("https://arxiv.org/abs/", None),
        ("https://arxiv.org/abs/2401.12345/extra", None),
        ("https://arxiv.org/list/cs.CL/recent", None),
        ("https://arxiv.org.evil.example/abs/2401.12345", None),
    ],
)
def test_abstract_pages_are_taken_and_nothing_else(url, paper):
    assert arxiv_id_in_url(url) == paper


async def test_every_abstract_of_the_corpus_is_read(pages, internet):
    papers = [work for work in internet.corpus.works if work.manuscript]

    for written in papers:
        reading = await pages.read_site(f"https://arxiv.org/abs/{written.manuscript.id}")

        names = "; ".join(author.full_name for author in written.authors)
        assert (reading.kind, reading.site) == ("arxiv", "arXiv")
        assert reading.title == plain_text(written.title)
        assert reading.author == names
        assert reading.published == written.manuscript.versions[0][:10]
        assert reading.content.startswith(f"# {reading.title}\n\n- Authors: {names}\n")
        assert f"- arXiv: {written.manuscript.id}v" in reading.content
        assert "\n\n## Abstract\n\n" in reading.content
        assert ("- Notices: withdrawal" in reading.content) == written.manuscript.withdrawn


async def test_a_paper_that_is_not_there_is_absent(pages):
    with pytest.raises(NotFound):
        await pages.read_site("https://arxiv.org/abs/2312.99999")


async def test_a_page_of_another_site_is_not_asked_for(pages, internet):
    with pytest.raises(InvalidInput):
        await pages.read_site("https://evil.example/abs/2401.12345")

    assert not internet.seen


class RecordingNetwork:
    """A network that only records the rate bucket of each provider."""

    def __init__(self):
        self.kept = []

    def upstream(self, **options):
        self.kept.append(options["buckets"][0])


def test_it_keeps_the_pace_of_the_source_of_papers():
    network = RecordingNetwork()

    for role in ("papers", "reading"):
        build_provider(Arxiv, role, network, {})

    assert network.kept[0] == network.kept[1]


def test_every_recorded_entry_becomes_a_page(recorded):
    pages = []
    for file in recorded("arxiv"):
        body = file.read_bytes()
        if file.suffix == ".xml" and b"totalResults" in body and b"api/errors" not in body:
            works = map(read_work, read_entries(parse_xml(body)))
            pages += [abstract_page(work, kind="arxiv", site="arXiv") for work in works]

    assert len(pages) > 50
    for page in pages:
        assert page.title
        assert page.author
        assert page.published
        assert "## Abstract" in page.content
