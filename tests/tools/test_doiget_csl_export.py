"""doiget_csl_export, through the whole pipeline, over a library on disk."""

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.settings import Settings
from sourcewright.stores.papers.store import PaperStore

pytestmark = pytest.mark.anyio

TOOL = "doiget_csl_export"
BEARS = "10.5555/bears"


@pytest.fixture
async def library(environment, tmp_path):
    root = Settings.load(environment, cwd=tmp_path).store_root
    store = PaperStore(root, clock=SystemClock(), sandbox=True)
    await store.save(
        Entry(
            key="doi_10.5555_bears",
            title="Bears & bees",
            authors=("Bär, Åsa",),
            year=2019,
            doi=BEARS,
            type="book-chapter",
            holding=Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref"),
        )
    )
    await store.aclose()


@pytest.mark.usefixtures("library")
async def test_a_paper_is_a_list_of_one_item(call):
    result = await call(TOOL, {"refs": [BEARS]})

    assert result["entries"] == [
        {
            "ref": BEARS,
            "safekey": "doi_10.5555_bears",
            "csl": [
                {
                    "id": "doi_10.5555_bears",
                    "type": "chapter",
                    "title": "Bears & bees",
                    "author": [{"family": "Bär", "given": "Åsa"}],
                    "issued": {"date-parts": [[2019]]},
                    "DOI": BEARS,
                }
            ],
        }
    ]


@pytest.mark.usefixtures("library")
async def test_every_reference_has_its_answer_in_the_order_asked(call):
    result = await call(
        TOOL, {"refs": ["10.5555/absent", "nonsense", BEARS], "key_template": "{author}"}
    )

    absent, nonsense, bears = result["entries"]
    assert (absent["safekey"], absent["csl"]) == ("doi_10.5555_absent", None)
    assert nonsense["error"]["code"] == "INVALID_REF"
    assert bears["csl"][0]["id"] == "bar"


async def test_more_than_two_hundred_references_are_refused_whole(call):
    result = await call(TOOL, {"refs": [BEARS] * 201})

    assert (result["ok"], result["error"]["code"]) == (False, "INVALID_REF")
