"""Isolation of the browser: a page that tries every protocol and API reaches no address."""

import asyncio
import base64
import re
from pathlib import Path

import pytest

from sourcewright.base.pages import FetchedDocument
from sourcewright.net.http.backend import Route
from sourcewright.net.http.client import Client
from sourcewright.reading.browser.chromium import LaunchConfig
from sourcewright.reading.browser.engine import start_browser

pytestmark = pytest.mark.anyio
PATIENCE = 300.0
ESCAPES = Path(__file__).with_name("escapes.html").read_text(encoding="utf-8")
AWAY = 'fetch("http://127.0.0.1:PORT/w", {mode: "no-cors"})'
SOCKET = 'try { new WebSocket("ws://127.0.0.1:PORT/w") } catch {}'
WORKER = f"{AWAY}.then(() => postMessage('in'), () => postMessage('out')); {SOCKET}"
SHARED = (
    f"onconnect = (e) => {AWAY}.then(() => e.ports[0].postMessage('in'),"
    f" () => e.ports[0].postMessage('out')); {SOCKET}"
)
SERVICE = f"oninstall = (e) => e.waitUntil({AWAY}); {SOCKET}"
ATTEMPTS = set(re.findall(r"^  (\w+): (?:async )?\(\) =>", ESCAPES, re.MULTILINE))
HARMLESS = {"beacon", "form", "download", "ownDownload", "ping", "blobFrame", "css", "external"}
"""Attempts whose outcome the page cannot see."""


@pytest.mark.promise("guard.browser-has-no-way-out")
async def test_a_page_that_tries_every_door_reaches_nobody(render, serve, listener, internet):
    def with_port(text):
        return text.replace("PORT", str(listener.port))

    url = serve(
        escapes_html=with_port(ESCAPES),
        worker_js=with_port(WORKER),
        shared_js=with_port(SHARED),
        service_js=with_port(SERVICE),
        inner="<p>inner</p>",
    )
    internet.redirects("pages.example", f"http://127.0.0.1:{listener.port}/hop", "/to-loopback")

    markup = await render(url)

    tried = dict(re.findall(r"<li>(\w+): (\w+)</li>", markup))
    assert len(ATTEMPTS) > 30
    assert set(tried) == ATTEMPTS
    assert {name for name, outcome in tried.items() if outcome == "went"} <= HARMLESS
    assert listener.connections == []
    assert {seen.host for seen in internet.seen} == {"pages.example"}


async def render_unprotected(chromium, *flags, port, until=lambda: True):
    """Render the page without interception and with every API; return its attempts.

    The page stays open until the condition holds: connections may come later than its text.
    """
    how = LaunchConfig(
        path=chromium, user_agent="x", sandboxed=False, without_network=False, more=flags
    )
    engine = await start_browser(how)
    try:
        ask = engine._devtools.ask
        await ask("Fetch.disable")
        # Without an address of its own the page has no file to fetch, and would leave for it.
        page = ESCAPES.replace('href="/file"', 'href="#"').replace("PORT", str(port))
        url = f"data:text/html;base64,{base64.b64encode(page.encode()).decode()}"
        target = await ask("Target.createTarget", {"url": "about:blank"})
        place = {"targetId": target["targetId"], "flatten": True}
        session = (await ask("Target.attachToTarget", place))["sessionId"]
        await ask("Page.navigate", {"url": url}, session=session)
        what = {"expression": "document.body.innerText", "returnByValue": True}
        text = ""
        tried = ("peers: ", "socket: ", "fetch: ", "worker: ")
        while not (all(one in text for one in tried) and until()):
            await asyncio.sleep(0.05)
            reply = await ask("Runtime.evaluate", what, session=session)
            text = str(reply["result"].get("value"))
        return text
    finally:
        await engine.aclose()


@pytest.mark.promise("guard.browser-has-no-way-out")
async def test_what_escapes_the_interception_fails(chromium, listener):
    text = await asyncio.wait_for(render_unprotected(chromium, port=listener.port), PATIENCE)

    assert "peers: went" in text
    assert "socket: failed" in text
    assert listener.connections == []


async def test_without_the_locks_the_same_page_gets_out(chromium, listener):
    """Otherwise it would say nothing that nobody hears it with them."""
    flags = (
        "--host-resolver-rules=",
        "--no-proxy-server",
        "--webrtc-ip-handling-policy=default",
        "--force-webrtc-ip-handling-policy=default",
        "--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebRTC",
    )

    def got_out():
        doors = " ".join(listener.connections)
        return "UDP" in doors and "TCP b'GET /" in doors

    text = await asyncio.wait_for(
        render_unprotected(chromium, *flags, port=listener.port, until=got_out), PATIENCE
    )

    assert "peers: went" in text


async def test_a_name_that_turns_private_after_the_page_was_had_reaches_nobody(sharing, listener):
    async def resolve(_host):
        return ["127.0.0.1"]

    client = Client(user_agent="us", route=Route(resolve=resolve))
    browser = await sharing(client=client)
    url = f"http://rebinding.example:{listener.port}/"
    script = "fetch('/secret').then(() => document.title = 'in', () => document.title = 'out')"
    page = f"<!doctype html><title>?</title><p>Here.</p><script>{script}</script>"
    served = FetchedDocument(body=page.encode(), url=url, content_type="text/html", mode="source")

    visit = await browser.render(url, served=served)

    assert "<title>out</title>" in visit.body.decode()
    assert listener.connections == []


async def test_what_the_operator_opened_is_closed_to_the_pages_of_others(sharing, listener):
    private = f"http://127.0.0.1:{listener.port}"
    client = Client(user_agent="us", allowed_origins=[private])
    browser = await sharing(client=client)
    page = f"<!doctype html><p>Here.</p><script src='{private}/secret.js'></script>"
    served = FetchedDocument(
        body=page.encode(), url="https://1.1.1.1/", content_type="text/html", mode="source"
    )

    visit = await browser.render(served.url, served=served)

    assert "Here." in visit.body.decode()
    assert listener.connections == []


async def test_only_the_allowed_domains_are_asked_for_the_parts_of_a_page(
    sharing, serve, internet
):
    elsewhere = serve(host="elsewhere.example", part_js="document.title = 'foreign'")
    own = serve(part_js="document.body.append('own part')")
    url = serve(page=f"<body><script src={elsewhere}></script><script src={own}></script>")
    browser = await sharing(hosts=("pages.example",))

    visit = await browser.render(url)

    assert "own part" in visit.body.decode()
    assert internet.requests_to("elsewhere.example") == []


async def test_no_cookie_goes_from_one_page_to_the_next(render, serve, internet):
    url = serve(page="<body><script>document.cookie = 'who=me'; fetch('/part')</script>")
    await render(url)
    within = [one.headers.get("cookie") for one in internet.requests_to("pages.example")]
    internet.forget()

    await render(serve(page="<body><script>fetch('/part')</script>"))

    after = [one.headers.get("cookie") for one in internet.requests_to("pages.example")]
    assert within == [None, "who=me"]
    assert after == [None, None]
