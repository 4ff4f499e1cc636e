"""Very slow bodies: they hold up no other call, and the error names the reason."""

import asyncio

import pytest

pytestmark = pytest.mark.anyio

SLOW, HOST, PLOS = "slow.example", "pages.meridian.example", "journals.plos.org"


async def test_slow_pages_do_not_keep_another_page_from_being_read(application, internet):
    internet.delays(SLOW, 3600.0)
    app = await application(MAX_SCRAPE_CONCURRENCY="2")
    slow = [
        asyncio.create_task(app.call("scrape_page", {"url": f"https://{SLOW}/{n}"}))
        for n in range(4)
    ]
    assert await asyncio.to_thread(internet.waits_for_request, SLOW, 2)

    read = await app.call("scrape_page", {"url": f"https://{HOST}/article"})

    assert not read.is_error
    assert not any(task.done() for task in slow)
    for task in slow:
        task.cancel()


@pytest.mark.parametrize("tool", ["paper_download", "doiget_fetch_paper"])
async def test_a_file_that_drips_is_given_up_named_and_not_asked_for_again(
    application, internet, tool
):
    internet.drips(PLOS)
    app, answer = await application(), []
    paper = {"paper_download": "identifier", "doiget_fetch_paper": "ref"}[tool]

    async def hear(message, **_):
        answer.append(message)

    result = await app.call(tool, {paper: "10.5555/of-2023"}, progress=hear)

    assert "too slow" in result.text
    assert len(internet.requests_to(PLOS)) == 1
    assert any("bytes from oa-publisher after" in message for message in answer)
