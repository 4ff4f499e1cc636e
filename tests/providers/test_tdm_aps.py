"""The American Physical Society's harvesting API, against the simulated site and its faults."""

import pytest

from sourcewright.base.errors import Denied, NotFound, Refused
from sourcewright.world.sites.tdm_aps import NARROW_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "harvest.aps.org"
DOI = "10.1103/inventedphys.12.340"


@pytest.fixture
def aps(provide):
    async def build(key="a-fine-key"):
        return await provide("tdm_aps", DOIGET_KEY_APS=key, DOIGET_AGREE_TDM_APS="1")

    return build


async def test_a_paper_comes_as_a_pdf_with_its_address(aps, internet):
    file = await (await aps()).deliver(DOI)

    [seen] = internet.requests_to(HOST)
    assert file.body.startswith(b"%PDF-")
    assert file.url == f"https://{HOST}/v2/journals/articles/{DOI}"
    assert file.hops == (file.url,)
    assert seen.headers["authorization"] == "Bearer a-fine-key"
    assert (seen.headers["x-api-key"], seen.headers["accept"]) == ("a-fine-key", "application/pdf")
    assert seen.query == ""


@pytest.mark.parametrize(("key", "status"), [(WRONG_KEY, 401), (NARROW_KEY, 403)])
async def test_a_key_that_opens_nothing_is_a_refusal(aps, key, status):
    with pytest.raises(Refused) as caught:
        await (await aps(key)).deliver(DOI)

    assert caught.value.status == status
    assert key not in str(caught.value)


async def test_what_it_does_not_have_is_absent(aps):
    with pytest.raises(NotFound) as caught:
        await (await aps()).deliver("10.1103/nobody.1")

    assert caught.value.source == "tdm-aps"


@pytest.mark.parametrize("body", [b"", b"%PDX-1.7", b"<html>sign in</html>", b'{"data": {}}'])
async def test_what_does_not_begin_as_a_pdf_is_refused(aps, internet, body):
    internet.says(HOST, body, content_type="application/pdf")

    with pytest.raises(Denied) as caught:
        await (await aps()).deliver(DOI)

    assert caught.value.denial.reason == "content_type_mismatch"


async def test_a_redirect_within_the_society_is_followed_without_the_key(aps, internet):
    internet.redirects(HOST, "https://journals.aps.org/pdf/1", times=1)
    internet.says("journals.aps.org", b"%PDF-1.7 x", content_type="application/pdf")

    file = await (await aps()).deliver(DOI)

    [seen] = internet.requests_to("journals.aps.org")
    assert file.url == "https://journals.aps.org/pdf/1"
    assert len(file.hops) == 2
    assert "a-fine-key" not in str(seen.headers)
