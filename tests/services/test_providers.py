"""Which sources are queried for which reference."""

import pytest

from sourcewright.base.identifiers import Doi
from sourcewright.domain.capabilities import DescribesDois, FindsCopies, FindsPreprints
from sourcewright.services.providers import Sources

pytestmark = pytest.mark.anyio

PAPER, PREPRINT = Doi("10.5555/only-in-biorxiv"), Doi("10.1101/2021.02.30.999001")


@pytest.mark.parametrize(
    ("capability", "about", "listed"),
    [
        (DescribesDois, PREPRINT, True),
        (DescribesDois, PAPER, False),
        (FindsCopies, PREPRINT, True),
        (FindsCopies, PAPER, False),
        (FindsPreprints, PAPER, True),
    ],
)
async def test_a_preprint_server_holds_its_own_and_may_know_the_preprint_of_any_paper(
    application, capability, about, listed
):
    sources = Sources((await application()).services.papers.sources)

    assert ("biorxiv" in sources.having(capability, about)) is listed


@pytest.mark.parametrize("name", ["doaj", "core", "hal", "openaire", "biorxiv"])
async def test_a_finder_can_be_turned_off(application, name):
    sources = Sources(
        (await application(**{f"DOIGET_ENABLE_{name.upper()}": "0"})).services.papers.sources
    )

    assert name not in sources.having(FindsCopies, PREPRINT)
    assert name in {attempt.source for attempt in sources.skipped()}
