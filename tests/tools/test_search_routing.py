"""Routing of searches: which engines are queried, in which order, and how it is reported."""

import json

import pytest

from sourcewright import providers
from sourcewright.services.search.engines import CAPABILITIES, DEFAULT_ORDERS
from sourcewright.settings import Settings, SettingsError

pytestmark = pytest.mark.anyio

HOSTS = {"google": "www.googleapis.com", "brave": "api.search.brave.com"}
SERPER = "google.serper.dev"
TWO = {"SEARCH_ROUTING": "google,brave"}
TOOLS = {"web": "web_search", "images": "image_search", "news": "news_search"}
ALWAYS = {"providers_attempted", "fallback", "cache_hit", "latency_ms"}
ENGINES = {name: kind for name, kind in providers.discover().items() if "search" in kind.roles()}


def queried_engines(internet):
    """The engine of each request, in order."""
    names = {host: name for name, host in HOSTS.items()} | {SERPER: "serper"}
    return [names[seen.host] for seen in internet.seen]


async def test_the_first_that_finds_something_answers_alone(asking, internet):
    ask = await asking(**TWO)

    result = await ask("web_search", query="sea otter")

    routing = result.meta["routing"]
    assert queried_engines(internet) == ["google"]
    assert routing.keys() == {"provider_used", *ALWAYS}
    assert isinstance(routing.pop("latency_ms"), int)
    assert routing == {
        "provider_used": "google",
        "providers_attempted": ["google"],
        "fallback": False,
        "cache_hit": False,
    }


@pytest.mark.parametrize("fault", ["500", "403", "a page", "another shape", "cut", "private"])
async def test_an_engine_that_fails_gives_way_to_the_next(asking, spoil, fault):
    ask = await asking(**TWO)
    spoil(HOSTS["google"], fault)

    result = await ask("web_search", query="sea otter")

    assert result.structured["resultCount"] == 5
    routing = result.meta["routing"]
    assert routing.keys() == {"provider_used", "fallback_reason", *ALWAYS}
    assert routing["provider_used"] == "brave"
    assert routing["providers_attempted"] == ["google", "brave"]
    assert routing["fallback"] is True
    assert routing["fallback_reason"] == "primary_unavailable"


async def test_an_engine_whose_quota_is_spent_is_left_alone(asking, internet):
    ask = await asking(**TWO)
    spent = {"code": 403, "message": "Daily Limit", "errors": [{"reason": "dailyLimitExceeded"}]}
    internet.says(HOSTS["google"], {"error": spent}, status=403)

    first = await ask("web_search", query="sea otter")
    second = await ask("web_search", query="otter")

    assert queried_engines(internet) == ["google", "brave", "brave"]
    assert first.meta["routing"]["fallback_reason"] == "primary_unavailable"
    assert second.meta["routing"]["fallback_reason"] == "circuit_open"


async def test_an_engine_that_finds_nothing_gives_way_to_the_next(asking, finds):
    ask = await asking(**TWO)
    finds("google")

    result = await ask("web_search", query="sea otter")

    assert result.structured["resultCount"] == 5
    assert "hints" not in result.structured
    assert result.meta["routing"]["provider_used"] == "brave"
    assert result.meta["routing"]["fallback_reason"] == "primary_unavailable"


async def test_an_open_circuit_is_told_from_a_failure_and_asks_nobody(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(HOSTS["google"], status=429)
    first = await ask("web_search", query="sea otter")
    internet.mends()
    internet.forget()

    second = await ask("web_search", query="rye bread")

    assert first.meta["routing"]["fallback_reason"] == "primary_unavailable"
    assert second.meta["routing"]["fallback_reason"] == "circuit_open"
    assert queried_engines(internet) == ["brave"]


async def test_an_answer_from_the_cache_names_no_provider(asking):
    ask = await asking(**TWO)
    await ask("web_search", query="sea otter")

    routing = (await ask("web_search", query="sea otter")).meta["routing"]

    assert routing.keys() == ALWAYS
    assert routing["cache_hit"] is True
    assert (routing["providers_attempted"], routing["fallback"]) == ([], False)


@pytest.mark.parametrize("tool", TOOLS.values())
async def test_routing_is_beside_the_content_and_never_in_it(asking, tool):
    ask = await asking(**TWO)

    result = await ask(tool, query="sea otter")

    assert result.meta["routing"]["provider_used"] == "google"
    text = json.dumps(result.structured) + result.text
    assert not [name for name in ("routing", "provider_used", "latency_ms") if name in text]


async def test_routing_is_audited_too(application, tmp_path):
    app = await application(SEARCH_ROUTING="wikipedia")
    answer = await app.call("web_search", {"query": "sea otter"})

    await app.aclose()

    [event] = (tmp_path / "state" / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(event)["metadata"]["routing"] == answer.meta["routing"]


@pytest.mark.parametrize("tool", TOOLS.values())
@pytest.mark.parametrize("changes", [{}, {"SEARCH_PROVIDER": "google"}])
async def test_where_no_order_was_decided_nothing_is_said_of_routing(asking, tool, changes):
    ask = await asking(**changes)

    assert "routing" not in (await ask(tool, query="sea otter")).meta


async def test_an_order_for_another_kind_alone_is_no_routing(asking):
    ask = await asking(SEARCH_ROUTING='{"news": "brave"}')

    assert "routing" not in (await ask("web_search", query="sea otter")).meta
    assert "routing" in (await ask("news_search", query="sea otter")).meta


async def test_an_order_may_differ_by_kind(asking, internet):
    routing = {"web": "brave,google", "images": ["google"], "default": "serper"}
    ask = await asking(SERPER_API_KEY="k", SEARCH_ROUTING=json.dumps(routing))

    for tool in TOOLS.values():
        await ask(tool, query="sea otter")

    assert queried_engines(internet) == ["brave", "google", "serper"]


@pytest.mark.parametrize(
    "changes",
    [
        {"SEARCH_ROUTING": "google,altavista"},
        {"SEARCH_ROUTING": '{"web": "altavista"}'},
        {"SEARCH_ROUTING": '{"default": ["brave", "altavista"]}'},
        {"SEARCH_PROVIDER": "altavista"},
    ],
)
def test_an_engine_that_nobody_knows_stops_the_start(environment, tmp_path, changes):
    with pytest.raises(SettingsError) as stopped:
        Settings.load({**environment, **changes}, cwd=tmp_path)

    message = str(stopped.value)
    assert next(iter(changes)) in message
    assert "altavista" in message
    assert all(name in message for name in ENGINES)


@pytest.mark.parametrize(
    "order", ["", ",", "{", "[]", '{"web": ""}', '{"web": 7}', '{"webb": "brave"}', "{}"]
)
def test_an_order_that_cannot_be_read_stops_the_start_or_counts_as_none(
    environment, tmp_path, order
):
    changes = {**environment, "SEARCH_ROUTING": order}
    if order == "":
        assert Settings.load(changes, cwd=tmp_path).search_routing is None
        return

    with pytest.raises(SettingsError, match="SEARCH_ROUTING"):
        Settings.load(changes, cwd=tmp_path)


async def test_the_preferred_engine_is_the_only_one_asked(asking, internet):
    ask = await asking(SEARCH_PROVIDER="brave")
    internet.breaks(HOSTS["brave"], status=403)

    result = await ask("web_search", query="sea otter")

    assert result.structured["error"]["provider"] == "brave"
    assert queried_engines(internet) == ["brave"]


async def test_for_what_the_preferred_engine_cannot_do_others_are_asked(asking):
    ask = await asking(SEARCH_PROVIDER="hackernews")

    assert (await ask("image_search", query="sea otter")).structured["resultCount"] == 5


@pytest.mark.parametrize("kind", DEFAULT_ORDERS)
def test_the_order_by_default_has_every_engine_for_its_kind_once(kind):
    having = {name for name, engine in ENGINES.items() if issubclass(engine, CAPABILITIES[kind])}

    order = DEFAULT_ORDERS[kind]

    assert len(order) == len(set(order))
    assert set(order) <= set(ENGINES)
    assert having - set(order) <= {"hackernews"}
    assert order[:4] == ("google", "brave", "serper", "searchapi")


@pytest.mark.parametrize("tool", TOOLS.values())
async def test_every_kind_is_found_without_any_key(asking, internet, tool):
    ask = await asking(keys=False)

    result = await ask(tool, query="sea otter")

    assert result.structured["resultCount"] > 0
    assert not {seen.host for seen in internet.seen} & set(HOSTS.values())


async def test_an_engine_that_is_asked_for_has_no_stand_in(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(HOSTS["brave"], status=403)

    result = await ask("web_search", query="sea otter", provider="Brave")

    assert result.is_error
    assert result.structured["error"]["provider"] == "brave"
    assert queried_engines(internet) == ["brave"]


async def test_an_unknown_engine_is_answered_with_all_that_there_are(asking, internet):
    ask = await asking()

    error = (await ask("web_search", query="x", provider="altavista")).structured["error"]

    named = error["detail"].partition("supported: ")[2].split(", ")
    assert named == sorted(ENGINES)
    assert (error["kind"], error["suggestedAction"]) == ("config", "try_different_provider")
    assert {"google", "brave"} <= set(error["alternatives"])
    assert "exa" not in error["alternatives"]
    assert internet.seen == []


@pytest.mark.parametrize(("name", "setting"), [("exa", "EXA_API_KEY"), ("searxng", "SEARXNG_URL")])
async def test_an_engine_without_its_setting_is_answered_with_the_settings_name(
    asking, name, setting
):
    ask = await asking()

    error = (await ask("web_search", query="x", provider=name)).structured["error"]

    assert (error["kind"], error["suggestedAction"]) == ("config", "check_api_key")
    assert setting in error["detail"]
    assert ".env.example" in error["detail"]


async def test_an_engine_for_something_else_is_answered_with_those_that_can(asking):
    ask = await asking()

    error = (await ask("image_search", query="x", provider="hackernews")).structured["error"]

    can = [n for n, kind in ENGINES.items() if issubclass(kind, CAPABILITIES["images"])]
    assert (error["kind"], error["suggestedAction"]) == ("config", "try_different_provider")
    assert error["detail"].startswith("hackernews does not search images")
    assert all(name in error["detail"] for name in can)


async def test_an_order_of_engines_without_their_keys_says_which_are_needed(asking):
    ask = await asking(keys=False, SEARCH_ROUTING="brave,exa")

    error = (await ask("web_search", query="x")).structured["error"]

    assert error["kind"] == "config"
    assert "BRAVE_API_KEY" in error["detail"]
    assert "EXA_API_KEY" in error["detail"]


@pytest.mark.promise("absence.failure-is-no-absence")
async def test_when_all_fail_every_failure_is_named(asking, internet):
    ask = await asking(**TWO)
    internet.breaks(HOSTS["google"], status=401)
    internet.breaks(HOSTS["brave"], status=503)

    result = await ask("web_search", query="sea otter")

    error = result.structured["error"]
    assert result.is_error
    assert (error["kind"], error["provider"]) == ("auth_required", "google")
    assert "google: HTTP 401" in error["detail"]
    assert "brave: HTTP 503" in error["detail"]


@pytest.mark.promise("evidence.every-source-is-named")
@pytest.mark.parametrize("order", ["google,brave", "brave,google"])
async def test_nothing_found_while_an_engine_that_can_know_failed_is_that_failure(
    asking, internet, finds, order
):
    ask = await asking(SEARCH_ROUTING=order)
    internet.breaks(HOSTS["google"], status=503)
    finds("brave")

    result = await ask("web_search", query="sea otter")

    error = result.structured["error"]
    assert result.is_error
    assert (error["kind"], error["provider"]) == ("upstream_unavailable", "google")
    assert error["retryable"] is True
    assert error["detail"] == "google: HTTP 503; brave found nothing"


@pytest.mark.parametrize(
    ("fault", "word"),
    [("429", "rate_limited"), ("403", "refused"), ("cut", "cut"), ("a page", "bad_answer")],
)
async def test_a_failure_is_named_in_one_word(asking, spoil, fault, word):
    ask = await asking(**TWO)
    spoil(HOSTS["google"], fault)

    result = await ask("web_search", query="sea otter")

    assert result.meta["providersFailed"] == {"google": word}
    assert "onlyFallback" not in result.structured
