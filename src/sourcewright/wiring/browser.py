"""Wiring of the browser, where one is installed."""

from sourcewright.domain.document_ports import NoBrowser, RendersPages
from sourcewright.net.http.client import Client
from sourcewright.reading.browser.browser import Browser, BrowserOptions, find_chromium
from sourcewright.settings import Settings


def browser(settings: Settings, client: Client) -> RendersPages:
    chromium = find_chromium(settings.chrome_path or "")
    if chromium.path is None:
        return NoBrowser(chromium.reason, broken=chromium.broken)
    from sourcewright.net.fetch.subrequests import Subrequests

    hosts = settings.allowed_domains or None
    return Browser(
        chromium.path,
        requests=Subrequests(client, hosts=hosts),
        options=BrowserOptions(
            pages_at_once=settings.browser_concurrency,
            idle_seconds=settings.browser_idle_seconds,
        ),
    )
