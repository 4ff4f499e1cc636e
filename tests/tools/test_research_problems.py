"""Errors of the research tools, for every engine and every fault."""

import asyncio
import json
import time
from typing import get_args

import pytest

from sourcewright import providers
from sourcewright.base import errors
from sourcewright.base.errors import (
    Cause,
    NotConfigured,
    NotFound,
    RateLimited,
    Refused,
    ResearchError,
    Unavailable,
    Unreadable,
    UpstreamError,
)
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.services.search.engines import CAPABILITIES
from sourcewright.services.search.fallback import ENGINE_SECONDS
from sourcewright.tools._failures.research import (
    ERROR_CLASSES,
    Action,
    Kind,
    classify_error,
    kind_of,
)
from sourcewright.world import sites

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
TWO = {"SEARCH_ROUTING": "google,brave"}
TOOLS = {"web": "web_search", "images": "image_search", "news": "news_search"}
ENGINES = {name: kind for name, kind in providers.discover().items() if "search" in kind.roles()}
QUESTIONS = {
    name: TOOLS[kind]
    for name, engine in ENGINES.items()
    for kind, capability in CAPABILITIES.items()
    if issubclass(engine, capability)
}
"""For each engine a tool that asks it."""
PAGE = b"<!DOCTYPE html><html><title>Maintenance</title><p>Back soon.</p></html>"
FAULTS = {
    "401": lambda world, host: world.breaks(host, status=401),
    "403": lambda world, host: world.breaks(host, status=403),
    "429": lambda world, host: world.breaks(host, status=429),
    "429 for a while": lambda world, host: world.breaks(host, status=429, retry_after=90),
    "500": lambda world, host: world.breaks(host, status=500),
    "a page": lambda world, host: world.says(host, PAGE, content_type="text/html"),
    "another shape": lambda world, host: world.says(host, {"moved": True}),
    "silence": lambda world, host: world.delays(host, 60),
}
OUTCOMES = {
    "401": ("auth_required", False, None, "check_api_key"),
    "403": ("blocked", False, None, "inform_user"),
    "429": ("rate_limited", True, 60, "retry_after_delay"),
    "429 for a while": ("rate_limited", True, 90, "retry_after_delay"),
    "500": ("upstream_unavailable", True, None, "try_different_provider"),
    "a page": ("upstream_unavailable", True, None, "try_different_provider"),
    "another shape": ("upstream_unavailable", True, None, "try_different_provider"),
    "silence": ("network", True, 5, "retry_after_delay"),
}
KEYLESS = ("auth_required", False, None, "inform_user")
"""A 401 of an engine that takes no key: nobody can check one."""
STATUSES = [None, *range(400, 600)]
CLASSES = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, ResearchError)
]
GENERAL = {errors.UpstreamError}
"""Classes of which nothing is said but that something failed inside."""


class LateClock:
    """The machine's time, at first behind it: an engine's limit then comes almost at once."""

    now = staticmethod(time.time)
    sleep = staticmethod(asyncio.sleep)

    def __init__(self, until=bool, left=0.3):
        self.until = until
        self.left = left

    def monotonic(self):
        return time.monotonic() - (0 if self.until() else ENGINE_SECONDS - self.left)


def hosts_of(name):
    own = f"{sites.__name__}.{name}"
    return [host for host, site in sites.discover().items() if site.__module__ == own]


def set_up(name):
    """The settings that an engine requires."""
    samples = {"secret": "s3cret", "text": "x", "url": f"https://{hosts_of(name)[0]}"}
    return {one.env[0]: samples[one.kind] for one in ENGINES[name].info.options if one.required}


def is_keyless(name, fault):
    kinds = {one.kind for one in ENGINES[name].info.options}
    return fault == "401" and not kinds & {"secret", "login"}


def read(text):
    """The sentence at the start of an error text, and the JSON after it."""
    sentence, blank, rest = text.split("\n", 2)
    assert sentence
    assert blank == ""
    return sentence, json.loads(rest)


@pytest.mark.parametrize(("name", "tool"), QUESTIONS.items())
@pytest.mark.parametrize("fault", FAULTS)
async def test_every_engine_that_fails_is_an_error_of_the_contract(
    asking, internet, name, tool, fault
):
    ask = await asking(LateClock() if fault == "silence" else None, **set_up(name))
    for host in hosts_of(name):
        FAULTS[fault](internet, host)

    result = await ask(tool, query="sea otter", provider=name)

    error = result.structured["error"]
    outcome = [error.get(k) for k in ("kind", "retryable", "retryAfterSeconds", "suggestedAction")]
    sentence, document = read(result.text)
    assert result.is_error
    assert tuple(outcome) == (KEYLESS if is_keyless(name, fault) else OUTCOMES[fault]), error
    assert ("API key" in sentence) is (outcome[3] == "check_api_key")
    assert error["provider"] == name
    assert error.keys() <= {
        *("kind", "retryable", "retryAfterSeconds", "suggestedAction", "provider", "detail"),
        "alternatives",
    }
    assert name not in error["alternatives"]
    assert name in sentence.lower()
    assert document == result.structured
    assert result.meta == {"sandbox": True}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("unplugged", "network"), ("cut", "network"), ("private", "upstream_unavailable")],
)
async def test_what_an_engine_does_is_never_the_callers_fault(asking, spoil, fault, kind):
    ask = await asking(**TWO)
    spoil(GOOGLE, fault)

    error = (await ask("web_search", query="sea otter", provider="google")).structured["error"]

    assert (error["kind"], error["provider"]) == (kind, "google")


async def test_a_wait_is_told_in_the_words_of_the_contract(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(GOOGLE, status=429)

    result = await ask("web_search", query="sea otter", provider="google")

    sentence, _ = read(result.text)
    assert sentence == (
        "Rate limited (google). Wait 60 seconds and retry, or try a different provider."
    )


async def test_the_sentence_says_what_to_do_after_a_failure(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(GOOGLE, status=503)
    internet.unplugs(BRAVE)

    failed = await ask("web_search", query="sea otter", provider="google")
    silent = await ask("web_search", query="sea otter", provider="brave")

    assert read(failed.text)[0] == (
        "Google: HTTP 503. Retry later, or try a different provider: brave, duckduckgo, wikipedia."
    )
    assert read(silent.text)[0].endswith(
        " Wait 5 seconds and retry, or try a different provider: google, duckduckgo, wikipedia."
    )


async def test_other_engines_are_named_where_they_could_be_asked(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(BRAVE, status=429)
    await ask("web_search", query="sea otter", provider="brave")
    internet.breaks(GOOGLE, status=403)

    alone = await ask("web_search", query="sea otter", provider="google")
    routed = await ask("web_search", query="sea otter")

    for result in (alone, routed):
        assert result.structured["error"]["alternatives"][:2] == ["duckduckgo", "wikipedia"]
        assert "brave" not in result.structured["error"]["alternatives"]


async def test_a_wait_is_never_told_shorter_than_it_was_asked(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(GOOGLE, status=429, retry_after=40.2)

    result = await ask("web_search", query="sea otter", provider="google")

    assert result.structured["error"]["retryAfterSeconds"] == 41


async def test_a_key_that_is_refused_leads_to_the_list_of_settings(asking):
    ask = await asking(**{**TWO, "GOOGLE_CUSTOM_SEARCH_API_KEY": "a-wrong-key"})

    result = await ask("web_search", query="sea otter", provider="google")

    sentence, document = read(result.text)
    assert document["error"]["kind"] == "auth_required"
    assert ".env.example" in sentence
    assert "a-wrong-key" not in result.text


async def test_arguments_that_cannot_be_meant_have_the_same_form(asking):
    ask = await asking(**TWO)

    result = await ask("web_search", query="")

    sentence, document = read(result.text)
    assert sentence.startswith("Invalid arguments: query: ")
    assert document == result.structured
    assert document["error"]["kind"] == "validation"


async def test_an_engine_that_hangs_ends_at_its_limit_and_the_next_one_answers(asking, internet):
    ask = await asking(LateClock(until=lambda: internet.requests_to(GOOGLE), left=3.0), **TWO)
    internet.delays(GOOGLE, 60)

    result = await ask("web_search", query="sea otter")

    assert result.meta["routing"]["provider_used"] == "brave"
    assert result.structured["resultCount"] == 5
    assert len(internet.requests_to(GOOGLE)) == 1
    assert internet.waits_for_hang_up(GOOGLE)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_class_of_error_has_a_row_of_its_own(kind):
    assert ((kind, None) in ERROR_CLASSES) is (kind not in GENERAL)


@pytest.mark.parametrize("kind", [one for one in CLASSES if issubclass(one, UpstreamError)])
@pytest.mark.parametrize("cause", [None, *get_args(Cause)])
def test_every_failure_of_a_source_has_a_verdict(kind, cause):
    verdicts = {
        status: classify_error(kind("brave", "went wrong", status=status, cause=cause))
        for status in STATUSES
    }

    names = {one.kind for one in verdicts.values()}
    assert names <= set(get_args(Kind))
    assert {one.action for one in verdicts.values()} <= set(get_args(Action))
    assert ("not_found" in names) is (kind is NotFound)
    assert ("rate_limited" in names) is (kind is RateLimited)
    assert ("internal" in names) is (kind is UpstreamError)
    if kind is Refused:
        assert verdicts[401].kind == "auth_required"
        assert {one.kind for status, one in verdicts.items() if status != 401} == {"blocked"}
    retryable = {one.retryable for one in verdicts.values()}
    final = (NotFound, Refused, Unreadable, UpstreamError, errors.BadRequest)
    assert retryable == {kind not in final}


@pytest.mark.parametrize(
    ("error", "kind", "action"),
    [
        (errors.InvalidInput("x"), "validation", "inform_user"),
        (errors.Unsupported("x"), "validation", "inform_user"),
        (NotConfigured("x", setting="X_KEY"), "config", "check_api_key"),
        (NotConfigured("x", alternatives=("brave",)), "config", "try_different_provider"),
        (errors.NotAvailable("x"), "content_empty", "inform_user"),
        (errors.StoreError("x"), "internal", "inform_user"),
        (errors.LogError("x"), "internal", "inform_user"),
        (errors.LockTimeout("x"), "internal", "retry_after_delay"),
        (errors.SchemaTooNew("x"), "internal", "inform_user"),
    ],
)
def test_every_trouble_of_our_own_has_a_verdict(error, kind, action):
    assert (classify_error(error).kind, classify_error(error).action) == (kind, action)


@pytest.mark.parametrize(
    ("error", "kind", "action"),
    [
        (Refused("page", "x", status=401), "auth_required", "inform_user"),
        (Refused("page", "x", status=403), "blocked", "inform_user"),
        (NotFound("page", "x", status=404), "not_found", "inform_user"),
        (RateLimited("page", "x", status=429), "rate_limited", "retry_after_delay"),
        (Unavailable("page", "x", cause="timeout"), "network", "retry_after_delay"),
        (Refused("page", "HTTP 418", status=418, cause="status"), "blocked", "inform_user"),
        (errors.BadAnswer("page", "HTTP 304", cause="status"), "content_empty", "inform_user"),
        (errors.BadAnswer("page", "no text", cause="shape"), "content_empty", "report_bug"),
        (errors.BadAnswer("page", "a picture", cause="format"), "content_empty", "inform_user"),
    ],
)
def test_what_a_page_fails_with_has_the_action_of_the_contract(error, kind, action):
    """But that nobody can mend a file which holds no text, so that it is not to be reported."""
    assert (classify_error(error).kind, classify_error(error).action) == (kind, action)


def test_several_failures_are_called_by_the_one_that_decides():
    decisive = Unavailable("google", "silent", cause="timeout")

    assert (
        kind_of(NoSourceAnswered("nobody answered", decisive=decisive, attempts=())) == "network"
    )
