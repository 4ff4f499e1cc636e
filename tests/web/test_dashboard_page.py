"""The dashboard in Chromium: it renders, follows the server, and works by keyboard and on a phone."""

import json
from contextlib import AsyncExitStack

import identity
import pytest
from identity import SIGN_IN, token
from page_viewer import CONTRASTS, TEXTS, viewer
from round_robin import RoundRobin

from sourcewright.reading.browser.browser import find_chromium

pytestmark = pytest.mark.anyio

KEY = "the-admin-key-of-this-test"
MARKUP = "<img src=x onerror=window.hacked=1>"
HOSTILE = [
    f"{MARKUP}<script>window.hacked=1</script>",
    "</bdi></table><style>*{display:none}</style>",
    "javascript:window.hacked=1//'\"`${window.hacked=1}",
    "&lt;b&gt; __proto__ constructor",
    "long-" + "x" * 240,
]
LIVE = "document.getElementById('connection')?.dataset.state === 'live'"


@pytest.fixture(scope="module")
async def site(start_site, one_world, tmp_path_factory):
    """One server with tokens of several tenants and an admin key."""
    identity.IdentityProvider(one_world)
    folder = tmp_path_factory.mktemp("site")
    settings = {**SIGN_IN, "ADMIN_API_KEY": KEY, "CIRCUIT_FAILURE_THRESHOLD": "1"}
    async with start_site(one_world, folder, **settings) as started:
        yield started


@pytest.fixture(scope="module")
async def browser(tmp_path_factory):
    """One Chromium for all tests of this file."""
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the tests of pages need a browser: {found.reason}")
    async with viewer(found.path, tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
async def door(browser, site):
    """A tab at the sign-in page."""
    async with browser.tab() as tab:
        await at_the_form(tab, site.port)
        yield tab


@pytest.fixture
async def tab(browser, site):
    """A tab with the dashboard, signed in by keyboard."""
    async with browser.tab() as tab:
        await signed_in(tab, site.port)
        yield tab


async def at_the_form(tab, port):
    await tab.look()
    await tab.open(f"http://127.0.0.1:{port}/dashboard")
    # The browser moves the focus there only when it draws the page.
    await tab.until("document.activeElement.id === 'key'")


async def signed_in(tab, port):
    await at_the_form(tab, port)
    await tab.type(KEY)
    await tab.press("Enter")
    await tab.until(LIVE)
    tab.messages.clear()


async def call(site, tool, /, *, tenant="north", **arguments):
    params = {"name": tool, "arguments": arguments}
    secret = token(tenant_id=tenant)
    answer = await site.post("tools/call", params, authorization=f"Bearer {secret}")
    assert answer.status_code == 200, answer.text


async def rows(tab, table):
    """The text of each cell of a table."""
    return await tab.read(
        f"[...document.querySelectorAll('#{table} tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )


async def test_a_wrong_key_is_refused_in_words_and_the_right_one_opens_the_page(door):
    await door.type("not-the-admin-key")
    await door.press("Enter")
    await door.until("document.getElementById('said')?.textContent")
    await door.until("document.activeElement.id === 'key'")
    assert await door.read("document.getElementById('said').textContent") == (
        "This is not the admin key."
    )
    await door.type(KEY)
    await door.press("Enter")
    await door.until(LIVE)
    assert await door.read("document.title") == "Sourcewright dashboard"
    assert await door.read("document.cookie") == ""


async def test_the_page_follows_the_server_without_being_loaded_again(site, tab):
    await tab.read("window.before = document.getElementById('r-calls').textContent; 0")
    await call(site, "web_search", query="tidal power")
    await call(site, "web_search", query="")

    await tab.until("document.getElementById('r-calls').textContent !== window.before")
    await tab.until("document.querySelectorAll('#t-failures tbody tr').length")

    [[name, count, *_]] = [row for row in await rows(tab, "t-tools") if row[0] == "web_search"]
    failure = (await rows(tab, "t-failures"))[0]
    chart = await tab.read("document.querySelector('#t-tools svg').getAttribute('aria-label')")
    assert (name, int(count) >= 2) == ("web_search", True)
    assert "validation" in failure[1]
    assert chart.startswith("Latest ")
    assert tab.messages == []


async def test_a_source_that_fails_is_shown_as_away(site, tab, one_world):
    one_world.breaks("*duckduckgo.com", status=503)
    try:
        await call(site, "web_search", query="urban trees")
        await tab.until(
            "[...document.querySelectorAll('#t-sources tbody tr')].some("
            "(row) => /DuckDuckGo.*away.*again in/.test(row.textContent))"
        )
    finally:
        one_world.mends("*duckduckgo.com")
    assert await tab.read("document.getElementById('r-away').textContent") == "1"


async def test_hostile_names_are_shown_as_text(site, tab):
    for name in HOSTILE:
        await call(site, "doiget_resolve_paper", tenant=name, ref=f"x{name}")
        await call(site, "web_search", tenant=name, query="bees", provider=name)

    await tab.until(f"document.querySelectorAll('#t-tenants tbody tr').length >= {len(HOSTILE)}")
    await tab.until("!document.querySelector('#failures .more').hidden")
    await tab.read("document.querySelector('#failures .more').click()")
    await tab.until("document.querySelectorAll('#t-failures tbody tr').length > 8")

    shown = [row[0] for row in await rows(tab, "t-tenants")]
    failures = json.dumps(await rows(tab, "t-failures"))
    assert set(HOSTILE) <= set(shown)
    assert MARKUP in failures
    assert await tab.read("window.hacked === undefined")
    assert (
        await tab.read("document.querySelectorAll('main img, main script, main style').length")
        == 0
    )
    assert await tab.read("document.querySelectorAll('[onerror], [style]').length") == 0
    assert tab.messages == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
async def test_nothing_is_wider_than_the_window_and_all_text_can_be_read(site, tab, width, dark):
    await call(site, "web_search", tenant=HOSTILE[-1], query="", site=HOSTILE[-1])
    await tab.look(width=width, dark=dark)
    await tab.until("document.querySelectorAll('#t-tenants tbody tr').length")
    await tab.read("document.querySelector('#idle').open = true; 0")

    widths = "[document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]"
    assert await tab.read(widths) == [width] * 3
    outside = f"{TEXTS}.filter((one) => one.getBoundingClientRect().right > {width}).length"
    assert await tab.read(outside) == 0
    assert await tab.read(f"{TEXTS}.length") > 40
    assert await tab.read(CONTRASTS) == []


async def test_the_sign_in_page_fits_a_phone_and_can_be_read(door):
    for dark in (False, True):
        await door.look(width=360, height=640, dark=dark)
        assert await door.read("document.documentElement.scrollWidth") == 360
        assert await door.read(CONTRASTS) == []


async def test_every_control_is_reached_and_seen_by_keyboard(site, tab):
    await call(site, "web_search", query="bees")
    await tab.until("document.querySelectorAll('#t-tools tbody tr').length")
    await tab.read("document.activeElement.blur()")
    seen = []
    while True:
        await tab.press("Tab")
        found = await tab.read(
            "(() => { const one = document.activeElement, style = getComputedStyle(one);"
            " return [one.tagName, one.textContent.trim(), style.outlineStyle, style.outlineWidth]; })()"
        )
        if found[0] == "BODY":
            break
        seen.append(found)

    names = [name for _, name, *_ in seen]
    assert names[:3] == ["Skip to the figures", "Pause", "Sign out"]
    assert names[3:9] == ["Activity", "Tools", "Failures", "Sources", "Storage", "Tenants"]
    assert {"Tool", "Calls", "Failed", "State", "Tenant"} <= set(names)
    assert {(style, width) for *_, style, width in seen} == {("solid", "2px")}


async def test_a_table_is_sorted_by_keyboard_and_the_focus_survives_updates(site, tab):
    await call(site, "doiget_list_recent")
    await call(site, "web_search", query="bees")
    await tab.until("document.querySelectorAll('#t-tools tbody tr').length >= 2")
    await tab.read("document.querySelector('#t-tools thead button').focus()")
    await tab.press("Enter")

    names = [row[0] for row in await rows(tab, "t-tools")]
    assert names == sorted(names)
    sort = "document.querySelector('#t-tools thead th').getAttribute('aria-sort')"
    assert await tab.read(sort) == "ascending"
    assert "Sorted by Tool" in await tab.read("document.getElementById('announcer').textContent")
    await tab.read("window.row = document.querySelector('#t-tools tbody tr'); 0")
    await tab.read("window.before = document.getElementById('r-calls').textContent; 0")
    await call(site, "web_search", query="bees")
    await tab.until("document.getElementById('r-calls').textContent !== window.before")
    assert await tab.read("document.activeElement.textContent") == "Tool"
    assert await tab.read("window.row.isConnected")
    await tab.press(" ")
    assert await tab.read(sort) == "descending"


async def test_the_page_can_be_paused(site, tab):
    await tab.read("document.getElementById('pause').focus()")
    await tab.press("Enter")
    await tab.until("document.getElementById('connection').dataset.state === 'paused'")
    await tab.read("window.before = document.getElementById('r-calls').textContent; 0")
    await call(site, "web_search", query="bees")
    await tab.until("/figures \\d+ s old/.test(document.getElementById('age').textContent)")

    assert await tab.read("document.getElementById('r-calls').textContent === window.before")
    await tab.press("Enter")
    await tab.until(f"{LIVE} && document.getElementById('r-calls').textContent !== window.before")


async def offline(tab, *, on):
    await tab.ask(
        "Network.emulateNetworkConditions",
        offline=on,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )


async def test_a_lost_connection_is_said_with_the_age_of_the_figures_and_found_again(tab):
    await offline(tab, on=True)
    await tab.until("document.getElementById('connection').dataset.state === 'lost'")
    await tab.until("/figures \\d+ s old/.test(document.getElementById('age').textContent)")

    notice = await tab.read("document.getElementById('lost').textContent")
    assert notice.startswith("The server does not answer. The figures below are old. Trying again")
    assert await tab.read("document.getElementById('announcer').textContent") == "Connection lost"
    assert await tab.read("document.title") == "Connection lost - Sourcewright dashboard"
    await offline(tab, on=False)
    await tab.until(f"{LIVE} && document.getElementById('lost').hidden")
    assert await tab.read("document.getElementById('announcer').textContent") == "Live"


async def test_an_ended_session_leads_back_to_the_form(tab):
    await tab.ask("Network.clearBrowserCookies")
    await tab.until("document.querySelector('#lost a')")

    assert await tab.read("document.getElementById('connection-text').textContent") == "Signed out"
    await tab.read("document.querySelector('#lost a').focus()")
    await tab.press("Enter")
    await tab.until("document.getElementById('key')")


async def test_signing_out_leaves_nothing_behind(tab):
    await tab.read("document.querySelector('form button').focus()")
    await tab.press("Enter")
    await tab.until("document.getElementById('key')")
    assert (await tab.ask("Network.getCookies"))["cookies"] == []


async def test_of_several_servers_one_is_shown_and_chosen_until_it_is_gone(
    browser, site, start_site, one_world, tmp_path
):
    async with AsyncExitStack() as stack:
        second = await stack.enter_async_context(
            start_site(one_world, tmp_path, ADMIN_API_KEY=KEY)
        )
        proxy = await stack.enter_async_context(RoundRobin([site.port, second.port]))
        tab = await stack.enter_async_context(browser.tab())
        await signed_in(tab, proxy.port)
        await tab.until("document.querySelectorAll('#instance option').length === 2")
        for _ in range(123):
            await second.application.call("doiget_list_recent", {})
        calls = "one.data.tools.reduce((sum, tool) => sum + tool.calls, 0)"
        second_name = f"[...instances].find(([, one]) => {calls} === 123)?.[0]"
        await tab.until(second_name)

        await tab.read(
            f"(() => {{ const list = document.getElementById('instance'); list.value = {second_name};"
            " list.dispatchEvent(new Event('change')); })()"
        )
        assert await tab.read("document.getElementById('r-calls').textContent") == "123"
        assert await tab.read("document.getElementById('instances').checkVisibility()")
        # As if it had not been heard for a minute.
        await tab.read("window.gone = shown; instances.get(shown).at -= 60000; 0")
        await tab.until("shown !== window.gone")


async def test_the_page_has_landmarks_captions_and_a_polite_live_region(tab):
    has = (
        "['header', 'nav', 'main'].map((one) => document.querySelectorAll(`body > ${one}`).length)"
    )
    assert await tab.read(has) == [1, 1, 1]
    tables = "[...document.querySelectorAll('table')].map((one) => !!one.caption?.textContent)"
    assert await tab.read(tables) == [True] * 5
    live = (
        "[...document.querySelectorAll('[aria-live]')].map((one) => one.getAttribute('aria-live'))"
    )
    assert await tab.read(live) == ["polite"]
    assert await tab.read("document.documentElement.lang") == "en"
    heads = "[...document.querySelectorAll('thead th')].every((one) => one.scope === 'col')"
    assert await tab.read(heads)


async def test_whoever_wants_no_motion_gets_none(tab):
    motion = (
        "[getComputedStyle(document.querySelector('.lamp')).animationName,"
        " getComputedStyle(document.documentElement).scrollBehavior]"
    )
    await tab.until("document.querySelector('.lamp.beat')")
    moving = await tab.read(motion)
    await tab.look(reduced=True)

    assert (moving, await tab.read(motion)) == (["beat", "smooth"], ["none", "auto"])


async def test_light_and_dark_are_different_pictures(tab):
    await tab.look(height=400)
    light = await tab.picture(whole=False)
    await tab.look(height=400, dark=True)
    dark = await tab.picture(whole=False)

    assert light[:8] == dark[:8] == b"\x89PNG\r\n\x1a\n"
    assert light != dark
    assert await tab.read("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(17, 22, 21)"
    )
