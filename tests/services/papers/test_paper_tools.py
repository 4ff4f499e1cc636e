"""Downloads under a deadline: a source that did not respond is never counted as absence."""

import time
from contextlib import contextmanager

import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.domain.codes import code_of
from sourcewright.domain.evidence import NoSourceAnswered

pytestmark = pytest.mark.anyio

MIRROR = "mirror.shadow.example"
MIRRORED = {"SCIHUB_MIRRORS": f"https://{MIRROR}", "SCIHUB_ACCEPT_RESPONSIBILITY": "1"}


@contextmanager
def hurried():
    """A call whose deadline is near."""
    token = current_call.set(CallContext(deadline=time.monotonic() + 1.0))
    try:
        yield
    finally:
        current_call.reset(token)


@pytest.mark.parametrize(
    ("host", "paper"),
    [
        ("api.crossref.org", "10.1234/nonexistent"),
        ("api.unpaywall.org", "10.5555/closed-paper"),
        ("journals.plos.org", "10.5555/of-2023"),
        (MIRROR, "10.5555/mirrored-only"),
    ],
)
async def test_a_source_that_hangs_did_not_answer(application, internet, tmp_path, host, paper):
    internet.delays(host, 60)
    changes = MIRRORED if host == MIRROR else {}
    downloads = (await application(**changes)).services.papers.downloads

    with hurried(), pytest.raises(NoSourceAnswered) as caught:
        await downloads.download(paper, None)

    assert code_of(caught.value) == "FETCH_TIMEOUT"
    assert any(one.outcome == "consulted_failed" for one in caught.value.attempts)
    assert not (tmp_path / "downloads").exists()
