"""The exported page of a research session, in the browser: it loads nothing and logs nothing."""

import asyncio

import pytest
from tests.services.sessions.reports import HOSTILE, checked_report

from sourcewright.base.pages import FetchedDocument
from sourcewright.services.sessions.report_html import html_report

pytestmark = pytest.mark.anyio

URL = "https://pages.example/report.html"


async def test_the_page_asks_nobody_for_anything(one_browser, internet):
    served = FetchedDocument(
        body=html_report(checked_report()).encode(),
        url=URL,
        content_type="text/html; charset=utf-8",
        mode="browser",
    )

    shown = await one_browser.render(URL, served=served)

    assert internet.seen == []
    assert b"<script" not in shown.body.lower()
    assert (
        HOSTILE.partition(" ")[0].replace("<", "&lt;").replace(">", "&gt;").encode() in shown.body
    )


async def test_the_page_leaves_no_word_in_the_console(chromium, tmp_path):
    page = tmp_path / "report.html"
    page.write_text(html_report(checked_report()), encoding="utf-8")
    program = await asyncio.create_subprocess_exec(
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--enable-logging=stderr",
        "--dump-dom",
        page.as_uri(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )

    shown, logged = await asyncio.wait_for(program.communicate(), 300)

    assert b'id="step-7"' in shown
    assert b"CONSOLE" not in logged
