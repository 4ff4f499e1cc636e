"""`brand_research`: what a company's own pages state, through the whole pipeline."""

import pytest

from sourcewright.reading.browser.browser import find_chromium

pytestmark = pytest.mark.anyio

HOME, PORTAL = "lumenfjord.example", "brand.lumenfjord.example"
ECHO, QUIET, SCRIPTED = "echo-everything.example", "quiet-mill.example", "harbourlight.example"


async def test_a_brand_has_what_its_homepage_and_its_portal_state(call):
    brand = await call("brand_research", {"url": HOME})

    assert brand["identity"] == {
        "name": "Lumenfjord",
        "domain": HOME,
        "tagline": "Light that stays",
        "description": "Lamps for harbours and long winters.",
        "industry": "Lighting",
        "founded": "1987-04-02",
        "location": "Port Meridian, Norland",
    }
    roles = {name: value for name, value in brand["colors"].items() if name != "palette"}
    assert roles == {
        "primary": "#0b3c5d",
        "secondary": "#e8eef2",
        "accent": "#d9480f",
        "text": "#1a1a1a",
    }
    assert brand["colors"]["palette"][1] == {
        "hex": "#f2b134",
        "name": "Signal",
        "role": "primary",
        "brightness": 182,
    }
    assert brand["logos"]["primary"] == {
        "url": f"https://{HOME}/files/lumenfjord.svg",
        "format": "svg",
        "width": 320,
        "height": 80,
    }
    assert brand["logos"]["dark"]["url"] == f"https://{PORTAL}/files/logo-reversed.png"
    assert brand["typography"]["heading"] == {
        "family": "Fjord One",
        "weights": [],
        "origin": "google_fonts",
        "origin_id": "Fjord One",
    }
    assert brand["typography"]["body"]["family"] == "Inter"
    assert brand["typography"]["scale"] == {"h1": "48px", "body": "16px"}
    assert brand["tone_of_voice"] == {
        "summary": "Calm, exact and never louder than the sea.",
        "attributes": ["Calm", "Exact"],
        "dos_and_donts": {
            "dos": ["Name the lamp before the light"],
            "donts": ["Promise sunshine"],
        },
    }
    assert brand["coverage"] == {
        "colors": "full",
        "logos": "full",
        "typography": "full",
        "tone_of_voice": "found",
    }
    assert (brand["cache_age"], brand["trust"]) == (0, "untrusted-external-content")


async def test_each_source_names_the_fields_that_it_filled(call):
    brand = await call("brand_research", {"url": f"https://www.{HOME}/about?x=1"})

    filled = {one["url"]: (one["name"], one["fields"]) for one in brand["sources"]}
    tier, fields = filled[f"https://{PORTAL}/colors"]
    assert (tier, "colors.secondary" in fields) == ("brand_page", True)
    tier, fields = filled[f"https://www.{HOME}/"]
    assert (tier, "identity.name" in fields) == ("homepage_meta", True)
    assert brand["guidelines_url"] == f"https://{PORTAL}/"
    assert "suggestion" not in brand


async def test_a_profile_is_taken_from_links_only_if_the_page_names_one_account(call):
    social = (await call("brand_research", {"url": HOME, "depth": "quick"}))["social"]

    assert social == {
        "twitter": "https://x.com/lumenfjord",
        "linkedin": "https://www.linkedin.com/company/lumenfjord/",
        "github": "https://github.com/lumenfjord",
        "youtube": "https://www.youtube.com/@lumenfjord",
    }


async def test_quick_asks_for_the_homepage_alone(call, internet):
    brand = await call("brand_research", {"url": HOME, "depth": "quick"})

    assert [seen.path for seen in internet.seen] == ["/"]
    assert "depth quick" in brand["suggestion"]
    assert brand["colors"]["palette"] == [{"hex": "#0b3c5d", "brightness": 49}]
    assert "primary" not in brand["colors"]


async def test_the_text_of_the_portal_is_a_resource_also_when_it_comes_from_the_cache(application):
    app = await application()

    first = await app.call("brand_research", {"url": HOME})
    again = await app.call(
        "brand_research", {"url": f"https://www.{HOME}/x", "include_design_tokens": True}
    )
    uri = again.structured["brand_portal_resource"]
    _, body = await app.services.parts.artifacts.read(uri)

    assert first.structured["brand_portal_resource"] == uri
    assert [link["uri"] for link in again.links] == [uri]
    assert "Never set the logo in" in body.decode()
    assert "Deep Fjord" in body.decode()
    assert (first.meta["cached"], again.meta["cached"]) == (False, True)


async def test_the_probes_are_26_heads_and_two_for_soft_404s(call, internet):
    await call("brand_research", {"url": QUIET})

    probed = {(seen.host, seen.path) for seen in internet.seen if seen.method == "HEAD"}
    hosts = {host for host, _ in probed}
    assert len(probed) == 28
    assert {f"{name}.{QUIET}" for name in ("brand", "brandbook", "identity")} <= hosts
    assert (QUIET, "/brand-guidelines") in probed
    assert [
        seen.path for seen in internet.seen if seen.method == "GET" and seen.host == QUIET
    ] == ["/"]


async def test_paths_are_not_probed_once_a_host_has_the_brand_page(call, internet):
    brand = await call("brand_research", {"url": HOME})

    assert brand["guidelines_url"] == f"https://{PORTAL}/"
    assert not [seen for seen in internet.requests_to(HOME) if seen.method == "HEAD"]


async def test_a_site_that_answers_everything_has_no_portal(call):
    brand = await call("brand_research", {"url": ECHO})

    assert "guidelines_url" not in brand
    assert "brand_portal_resource" not in brand
    assert brand["unchecked"] == []
    assert f"https://{ECHO}/" in brand["suggestion"]


async def test_a_site_that_answers_everything_has_the_page_that_speaks_of_its_brand(
    call, internet
):
    page = (
        b"<title>Press kit</title><h1>Logos and colours</h1><h2>Primary colour</h2><p>#00ff7f</p>"
    )
    internet.says(
        ECHO, page + b"<p>" + b"Our logo. " * 50, content_type="text/html", path="/brand"
    )

    brand = await call("brand_research", {"url": ECHO})

    assert brand["guidelines_url"] == f"https://{ECHO}/brand"
    assert brand["colors"]["primary"] == "#00ff7f"


async def test_an_ordinary_press_page_is_no_portal(call):
    brand = await call("brand_research", {"url": "saltwick.example"})

    assert "guidelines_url" not in brand
    assert brand["coverage"]["colors"] == "none"


@pytest.mark.parametrize("status", [403, 429, 500])
async def test_what_could_not_be_reached_is_named_and_never_called_absent(call, internet, status):
    internet.breaks(f"brand.{QUIET}", status=status)

    brand = await call("brand_research", {"url": QUIET})

    [unchecked] = brand["unchecked"]
    assert unchecked["url"] == f"https://brand.{QUIET}/"
    assert unchecked["reason"]
    assert "could not be checked" in brand["suggestion"]


async def test_an_answer_with_gaps_is_not_kept(application, internet):
    app = await application()
    internet.unplugs(f"identity.{HOME}")

    gap = await app.call("brand_research", {"url": HOME})
    internet.mends()
    whole = await app.call("brand_research", {"url": HOME})

    assert [one["url"] for one in gap.structured["unchecked"]] == [f"https://identity.{HOME}/"]
    assert (whole.structured["unchecked"], whole.meta["cached"]) == ([], False)


async def test_a_homepage_that_fails_is_named_beside_what_the_portal_states(call, internet):
    internet.breaks(HOME, status=503, path="/")

    brand = await call("brand_research", {"url": HOME})

    assert brand["unchecked"][0]["url"] == f"https://{HOME}/"
    assert brand["colors"]["primary"] == "#0b3c5d"


async def test_without_any_page_it_is_an_error(call, internet):
    internet.unplugs(f"*{QUIET}")

    reply = await call("brand_research", {"url": QUIET})

    assert reply["error"]["kind"] == "network"


@pytest.mark.parametrize("target", ["http://127.0.0.1/brand", "http://169.254.169.254/"])
async def test_a_redirect_to_a_private_address_is_not_followed(call, internet, target):
    internet.redirects(f"brand.{QUIET}", target)

    brand = await call("brand_research", {"url": QUIET})

    assert [one["url"] for one in brand["unchecked"]] == [f"https://brand.{QUIET}/"]
    assert "not on the public internet" in brand["unchecked"][0]["reason"]


async def test_a_redirect_to_another_host_is_no_portal_and_is_mentioned(call, internet):
    internet.redirects(f"brand.{QUIET}", "https://saltwick.example/about-us/our-look")

    brand = await call("brand_research", {"url": QUIET})

    assert "guidelines_url" not in brand
    assert "https://saltwick.example/about-us/our-look" in brand["suggestion"]


async def test_a_redirect_to_the_homepage_is_no_portal(call, internet):
    internet.redirects(QUIET, f"https://{QUIET}/", path="/brand")

    assert "guidelines_url" not in await call("brand_research", {"url": QUIET})


async def test_a_name_is_looked_up_by_a_web_search(call):
    brand = await call("brand_research", {"company_name": "Saltwick Ltd.", "depth": "full"})

    assert brand["identity"]["domain"] == "saltwick.example"
    assert [one["name"] for one in brand["sources"]] == ["homepage_meta", "web_search"]
    assert brand["guidelines_url"] == "https://saltwick.example/about-us/our-look"
    assert [one["name"] for one in brand["colors"]["palette"]] == ["Sea Grey", "Kelp"]


async def test_a_web_search_that_fails_is_named(call, internet):
    internet.breaks("html.duckduckgo.com", status=500)

    only = {"SEARCH_ROUTING": "duckduckgo"}
    brand = await call("brand_research", {"url": QUIET, "depth": "full"}, **only)
    name = await call("brand_research", {"company_name": "Saltwick"}, **only)

    assert [one["url"] for one in brand["unchecked"]] == ["web search"]
    assert name["error"]["retryable"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "url or company_name is required"),
        ({"url": " "}, "url or company_name is required"),
        ({"url": "http://127.0.0.1/"}, "not on the public internet"),
        ({"url": "10.0.0.8"}, "not on the public internet"),
        ({"url": "localhost"}, "private network name"),
        ({"url": "8.8.8.8"}, "not a domain name"),
        ({"url": "ftp://lumenfjord.example"}, "not an http(s) URL"),
        ({"url": "https://me:secret@lumenfjord.example"}, "user name"),
        ({"url": "two words"}, "not a domain or URL"),
        ({"url": HOME, "depth": "deep"}, "depth"),
    ],
)
async def test_senseless_arguments_ask_nobody(call, internet, arguments, words):
    reply = await call("brand_research", arguments)

    assert reply["error"]["kind"] == "validation"
    assert words in reply["error"]["detail"]
    assert internet.seen == []


async def test_a_name_that_no_domain_has_is_not_guessed(call):
    reply = await call("brand_research", {"company_name": "Official Gizmo Works"})

    assert "no domain that is spelled as" in reply["error"]["detail"]
    assert "give its domain" in reply["error"]["detail"]


async def test_a_script_rendered_portal_without_a_browser_is_found_but_not_read(call):
    brand = await call("brand_research", {"url": SCRIPTED})

    assert brand["guidelines_url"] == f"https://brand.{SCRIPTED}/"
    assert "could not be extracted" in brand["suggestion"]
    assert brand["colors"]["palette"] == []


async def test_a_script_rendered_portal_is_rendered_by_the_browser(call):
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the browser's tests need one: {found.reason}")

    brand = await call("brand_research", {"url": SCRIPTED}, CHROME_PATH=found.path)

    assert brand["colors"]["primary"] == "#d7263d"
    assert brand["brand_portal_resource"].startswith("research://artifact/")


async def test_the_design_tokens_have_the_published_format(call):
    tokens = (await call("brand_research", {"url": HOME, "include_design_tokens": True}))[
        "design_tokens"
    ]

    assert tokens["color"]["primary"] == {
        "$type": "color",
        "$value": {
            "colorSpace": "srgb",
            "components": [0.04314, 0.23529, 0.36471],
            "alpha": 1,
            "hex": "#0b3c5d",
        },
        "$description": "Deep Fjord",
    }
    assert tokens["fontFamily"]["heading"] == {"$type": "fontFamily", "$value": ["Fjord One"]}
    assert tokens["fontSize"]["h1"]["$value"] == {"value": 48.0, "unit": "px"}


async def test_the_pages_become_sources_of_the_session(application):
    app = await application()
    started = await app.call(
        "sequential_search",
        {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "Lamps"},
    )
    session = started.structured["sessionId"]

    await app.call("brand_research", {"url": HOME, "sessionId": session})
    recovered = await app.call("get_research_session", {"sessionId": session})

    urls = {one["url"] for one in recovered.structured["sources"]}
    assert {f"https://{HOME}/", f"https://{PORTAL}/"} <= urls
