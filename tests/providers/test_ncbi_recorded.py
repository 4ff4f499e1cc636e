"""NCBI, over every recorded answer."""

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.base.identifiers import Pmcid, Pmid

pytestmark = pytest.mark.anyio

HOST = "eutils.ncbi.nlm.nih.gov"


@pytest.mark.parametrize("uid", ["1", "2"])
async def test_a_recorded_summary_is_read(recorded, provide, internet, uid):
    [file] = [
        one for one in recorded("pubmed") if "esummary" in one.name and one.suffix == ".json"
    ]
    internet.says(HOST, file.read_bytes())

    assert await (await provide("ncbi")).doi_of(Pmid(uid)) is None


async def test_no_other_recorded_answer_is_a_record_or_its_absence(recorded, provide, internet):
    ncbi = await provide("ncbi")
    others = [one for one in recorded("pubmed") if "esummary-two-ids" not in one.name]

    for file in others:
        internet.mends()
        internet.says(HOST, file.read_bytes())

        with pytest.raises(BadAnswer):
            await ncbi.doi_of(Pmid("22663011"))

    assert len(others) > 90


async def test_the_recorded_refusal_of_a_long_address_is_no_absence(recorded, provide, internet):
    [file] = [one for one in recorded("pubmed") if one.name.startswith("err414")]
    internet.says(HOST, file.read_bytes(), status=414, content_type="text/html")

    with pytest.raises(BadAnswer):
        await (await provide("ncbi")).doi_of(Pmcid("PMC7323205"))
