"""Every documented setting has an effect, and each is shown here.

Every proof goes through a door that a user has: the command, the server on its pipe,
or the tools as they are wired.
"""

import asyncio
import inspect
import json
import os
import pty
import re
import select
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
import warm_python
from capability_questions import FURTHER, things_for

from sourcewright import providers
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import Denied, UpstreamError
from sourcewright.base.http_messages import Request
from sourcewright.base.text.redaction import Masker
from sourcewright.domain import capabilities
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.domain.users.sessions import Owner
from sourcewright.manifest import load as manifest
from sourcewright.net.http.exchange import Policy
from sourcewright.reading.browser.browser import find_chromium
from sourcewright.settings import TABLE, Settings
from sourcewright.settings.topics.folders import SANDBOX_FOLDER
from sourcewright.stores.downloads.deposit import DownloadFolders
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy
from sourcewright.stores.logs.provenance import ProvenanceLog
from sourcewright.wiring import build, parts
from sourcewright.world import pdf

pytestmark = pytest.mark.anyio

FINE = "10.5555/fine-paper"
ADDRESS = "proof@uni.edu"
PROOF = "proof-of-effect"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC).timestamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """The ways to use the application, from the shared fixtures."""

    call: Callable[..., Awaitable[dict[str, Any]]]
    application: Callable[..., Awaitable[Any]]
    cli: Callable[..., Any]
    environment: dict[str, str]
    internet: Any
    folder: Path

    async def resolve(self, *refs: str, **changes: str) -> None:
        """Resolve these under a changed environment, and close everything that was opened."""
        settings = Settings.load(self.environment | changes, cwd=self.folder)
        async with build(settings) as app:
            for ref in refs or (FINE,):
                await app.call("doiget_resolve_paper", {"ref": ref})

    def requests(self) -> str:
        """All requests that were sent, as one text."""
        return "\n".join(
            f"{seen.host} {seen.path}?{seen.query} {seen.headers} {_login_in(seen.headers)}"
            for seen in self.internet.seen
        ).replace("%40", "@")


def _login_in(headers: Mapping[str, str]) -> str:
    """The name and password of Basic authentication, if they were sent."""
    scheme, _, encoded = headers.get("authorization", "").partition(" ")
    return b64decode(encoded).decode() if scheme == "Basic" else ""


@pytest.fixture
def doors(call, application, cli, environment, internet, tmp_path):
    return Doors(
        call=call,
        application=application,
        cli=cli,
        environment=environment,
        internet=internet,
        folder=tmp_path,
    )


PROOFS: dict[str, Callable[[Doors], Awaitable[None]]] = {}


def proves(name: str) -> Callable[[Callable[[Doors], Awaitable[None]]], None]:
    """Put a proof into the table under the setting that it is about."""
    return lambda proof: PROOFS.update({name: proof})


CONNECTORS = ("search", "fetch")


@proves("HOME")
async def home(doors):
    assert doors.cli("config", "path", HOME="/h").stdout.strip().startswith("/h/.config/")


@proves("XDG_CONFIG_HOME")
async def xdg_config_home(doors):
    file = doors.folder / "sourcewright" / "config.toml"
    file.parent.mkdir()
    file.write_text("DOIGET_LOG_RETENTION_DAYS = 77", "utf-8")

    shown = doors.cli("config", "show", XDG_CONFIG_HOME=str(doors.folder)).stdout

    assert "DOIGET_LOG_RETENTION_DAYS\t77" in shown


@proves("XDG_DATA_HOME")
async def xdg_data_home(doors):
    changes = {"DOIGET_STORE_ROOT": "", "XDG_DATA_HOME": "/data"}

    shown = _run(doors, "config", "show", "--all", cwd="/", **changes).stdout

    assert "DOIGET_STORE_ROOT\t/data/sourcewright/sandbox/papers" in shown


@proves("XDG_STATE_HOME")
async def xdg_state_home(doors):
    state = doors.folder / "elsewhere"

    await doors.resolve(XDG_STATE_HOME=str(state), DOIGET_LOG_PATH="", AUDIT_OUTPUT_PATH="")

    assert (state / SANDBOX_FOLDER / "provenance.jsonl").stat().st_size
    assert (state / SANDBOX_FOLDER / "audit.jsonl").stat().st_size


async def _search(doors, **changes):
    """Search twice in one process, then end it; return the number of requests."""
    doors.internet.forget()
    settings = Settings.load(doors.environment | changes, cwd=doors.folder)
    async with build(settings) as app:
        for _ in range(2):
            question = {"query": "tidal energy storage", "provider": "wikipedia"}
            assert (await app.call("web_search", question)).structured["resultCount"]
    return len(doors.internet.seen)


@proves("CUSTOM_LENSES_PATH")
async def custom_lenses_path(doors):
    own = {"name": "own", "description": PROOF, "domains": ["tides.example"]}
    (doors.folder / "own.json").write_text(json.dumps(own), "utf-8")

    shown = doors.cli("lenses", CUSTOM_LENSES_PATH=str(doors.folder)).stdout

    assert PROOF in shown
    assert PROOF not in doors.cli("lenses").stdout


@proves("SOURCEWRIGHT_REPUTATION_PATH")
async def reputation_path(doors):
    file = doors.folder / "ratings.json"
    rating = {"tier": "low", "basis": PROOF}
    file.write_text(json.dumps({"domains": {"wikipedia.org": rating}}), "utf-8")
    question = {"query": "tidal energy storage", "provider": "wikipedia"}

    answer = await doors.call("web_search", question, SOURCEWRIGHT_REPUTATION_PATH=str(file))

    assert {page["sourceReputation"]["basis"] for page in answer["results"]} == {PROOF}


async def _engines(doors, **changes):
    """The hosts that a search sends requests to."""
    doors.internet.forget()
    await doors.call("web_search", {"query": "tidal energy"}, SOURCEWRIGHT_CACHE="0", **changes)
    return {seen.host for seen in doors.internet.seen}


@proves("SEARCH_PROVIDER")
async def search_provider(doors):
    assert await _engines(doors) == {"html.duckduckgo.com"}
    assert await _engines(doors, SEARCH_PROVIDER="hackernews") == {"hn.algolia.com"}


@proves("SEARCH_ROUTING")
async def search_routing(doors):
    doors.internet.breaks("hn.algolia.com", status=403)

    hosts = await _engines(doors, SEARCH_ROUTING="hackernews,wikipedia")

    assert hosts == {"hn.algolia.com", "en.wikipedia.org"}


@proves("SEARCH_FUSION")
async def search_fusion(doors):
    assert await _engines(doors, SEARCH_FUSION="2") == {"html.duckduckgo.com", "en.wikipedia.org"}
    assert await _engines(doors, SEARCH_FUSION="on") == await _engines(doors, SEARCH_FUSION="20")
    assert await _engines(doors, SEARCH_FUSION="off") == await _engines(doors, SEARCH_FUSION="1")


_PAPER = "https://journals.plos.org/invented/pdf/10-5555-fine-paper.pdf"


@proves("ALLOWED_DOMAINS")
async def allowed_domains(doors):
    answer = await doors.call("scrape_page", {"url": _PAPER}, ALLOWED_DOMAINS="example.org")

    assert answer["error"]["kind"] == "validation"
    assert doors.internet.seen == []
    assert "error" not in await doors.call(
        "scrape_page", {"url": _PAPER}, ALLOWED_DOMAINS="plos.org"
    )


@proves("SOURCEWRIGHT_LINK_BYTES")
async def link_bytes(doors):
    raw = {"url": _PAPER, "mode": "raw"}

    assert "linked" not in await doors.call("scrape_page", raw)
    assert (await doors.call("scrape_page", raw, SOURCEWRIGHT_LINK_BYTES="2048"))["linked"] is True


_LIGHTHOUSES = {"query": "lighthouse history", "num_results": 2}


@proves("SOURCE_RECOMMENDATIONS")
async def source_recommendations(doors):
    assert (await doors.call("search_and_scrape", _LIGHTHOUSES))["recommendations"]
    assert "recommendations" not in await doors.call(
        "search_and_scrape", _LIGHTHOUSES, SOURCE_RECOMMENDATIONS="false"
    )


@proves("GENERATIVE_UI_ENABLED")
async def generative_ui_enabled(doors):
    assert "components" not in await doors.call("search_and_scrape", _LIGHTHOUSES)

    shown = await doors.call("search_and_scrape", _LIGHTHOUSES, GENERATIVE_UI_ENABLED="true")

    assert shown["components"]


@proves("SOURCEWRIGHT_EXA_READER")
async def exa_reader(doors):
    wall = {"url": "https://pages.meridian.example/wall"}
    key = {"EXA_API_KEY": "an-invented-key"}

    refused = await doors.call("scrape_page", wall, SOURCEWRIGHT_EXA_READER="0", **key)

    assert refused["error"]["kind"] == "blocked"
    assert (await doors.call("scrape_page", wall, **key))["extractedBy"] == "exa:cached"


@proves("XDG_CACHE_HOME")
async def xdg_cache_home(doors):
    await _search(doors, XDG_CACHE_HOME=str(doors.folder / "kept"), CACHE_DIR="")

    assert (doors.folder / "kept" / SANDBOX_FOLDER / "answers.sqlite3").stat().st_size


@proves("CACHE_DIR")
async def cache_dir(doors):
    await _search(doors, CACHE_DIR=str(doors.folder / "own"))

    assert (doors.folder / "own" / "answers.sqlite3").stat().st_size


@proves("SOURCEWRIGHT_CACHE")
async def cache_enabled(doors):
    assert await _search(doors, SOURCEWRIGHT_CACHE="0") == 2 * await _search(doors)


@proves("CACHE_MAX_MEMORY_MB")
async def cache_max_memory(doors):
    without = {"SOURCEWRIGHT_CACHE_MAX_DISK_MB": "0"}

    requests = await _search(doors, **without, CACHE_MAX_MEMORY_MB="1")

    assert await _search(doors, **without, CACHE_MAX_MEMORY_MB="0") == 2 * requests


@proves("SOURCEWRIGHT_CACHE_MAX_DISK_MB")
async def cache_max_disk(doors):
    once = await _search(doors, SOURCEWRIGHT_CACHE_MAX_DISK_MB="0")

    assert once == await _search(doors, SOURCEWRIGHT_CACHE_MAX_DISK_MB="1")
    assert await _search(doors, SOURCEWRIGHT_CACHE_MAX_DISK_MB="1") == 0


@proves("CACHE_ENCRYPTION_KEY")
async def cache_encryption_key(doors):
    def kept(folder):
        return b"".join(file.read_bytes() for file in folder.iterdir())

    await _search(doors, CACHE_DIR=str(doors.folder / "plain"))
    await _search(doors, CACHE_DIR=str(doors.folder / "sealed"), CACHE_ENCRYPTION_KEY="0a" * 32)

    assert b"snippet" in kept(doors.folder / "plain")
    assert b"snippet" not in kept(doors.folder / "sealed")


@proves("SOURCEWRIGHT_KEY_FILE")
async def key_file(doors):
    path = doors.folder / "secrets" / "sealing.key"

    await _begin_session(doors, SOURCEWRIGHT_KEY_FILE=str(path))

    assert len(path.read_text()) == 65


@proves("CACHE_ENCRYPTION_KEY_PREV")
async def cache_encryption_key_prev(doors):
    old, new = "0a" * 32, "0b" * 32
    await _search(doors, CACHE_ENCRYPTION_KEY=old)

    requests = await _search(doors, CACHE_ENCRYPTION_KEY=new, CACHE_ENCRYPTION_KEY_PREV=old)

    assert requests == 0
    assert await _search(doors, CACHE_ENCRYPTION_KEY=old)


async def _begin_session(doors, **changes):
    arguments = {"searchStep": "A step", "stepNumber": 1, "nextStepNeeded": True}
    return (await doors.call("sequential_search", arguments, **changes))["sessionId"]


@proves("SESSION_DATA_DIR")
async def session_data_dir(doors):
    await _begin_session(doors, SESSION_DATA_DIR=str(doors.folder / "elsewhere"))

    assert (doors.folder / "elsewhere" / "sessions.sqlite3").is_file()


@proves("SESSION_TTL")
async def session_ttl(doors):
    app = await doors.application(SESSION_TTL="90s")
    answer = await app.call("get_research_session", {"sessionId": "nobody's"})
    session = await _begin_session(doors, SESSION_TTL="90s")
    [listed] = await app.services.sessions.store.sessions(app.services.sessions.owner())

    assert "Sessions last 90 seconds" in answer.text
    assert listed.id == session
    assert 90 <= listed.expires_at - listed.used_at < 100


@proves("SESSION_MAX_STEPS")
async def session_max_steps(doors):
    session = await _begin_session(doors)
    second = {"searchStep": "B", "stepNumber": 2, "nextStepNeeded": True, "sessionId": session}

    answer = await doors.call("sequential_search", second, SESSION_MAX_STEPS="1")

    assert answer["warning"].startswith("session_limit_reached")


@proves("STDIO_USER_ID")
async def stdio_user_id(doors):
    session = await _begin_session(doors, STDIO_USER_ID="ann@uni.edu")
    arguments = {"sessionId": session}

    assert "error" in await doors.call("get_research_session", arguments)
    found = await doors.call("get_research_session", arguments, STDIO_USER_ID="ann@uni.edu")
    assert found["sessionId"] == session


ANN = Owner(tenant="default", user="ann")


async def _is_listed(doors, tool, setting):
    """Whether a tool is listed without and with a setting."""
    apps = [await doors.application(**{setting: value}) for value in ("false", "true")]
    return [tool in app.names() for app in apps]


async def _kept_seconds(app, key, entries):
    """How long the group of today's entries is kept."""
    today = int(app.services.parts.clock.now() // 86_400)
    [times] = (await entries.records.times([entries._group(key, today)])).values()
    return times.expires_at - times.used_at


@proves("MEMORY_ENABLED")
async def memory_enabled(doors):
    assert await _is_listed(doors, "memory_save", "MEMORY_ENABLED") == [False, True]


@proves("SOURCEWRIGHT_CONNECTOR_TOOLS")
async def connector_tools(doors):
    listed = [await _is_listed(doors, name, "SOURCEWRIGHT_CONNECTOR_TOOLS") for name in CONNECTORS]
    assert listed == [[False, True], [False, True]]


@proves("USER_ANALYTICS_ENABLED")
async def user_analytics_enabled(doors):
    assert await _is_listed(doors, "get_my_analytics", "USER_ANALYTICS_ENABLED") == [False, True]


@proves("WORKSPACES_ENABLED")
async def workspaces_enabled(doors):
    assert await _is_listed(doors, "workspace_read", "WORKSPACES_ENABLED") == [False, True]


@proves("MEMORY_RETENTION")
async def memory_retention(doors):
    changes = {"MEMORY_ENABLED": "1", "STDIO_USER_ID": "ann", "MEMORY_RETENTION": "720h"}
    app = await doors.application(**changes)
    await app.call("memory_save", {"note": "x"})

    kept = await _kept_seconds(app, ("default", "ann"), app.services.teams.memory.entries)

    assert 30 * 86_400 <= kept <= 31 * 86_400 + 60


@proves("WORKSPACE_TTL")
async def workspace_ttl(doors):
    changes = {"WORKSPACES_ENABLED": "1", "STDIO_USER_ID": "ann", "WORKSPACE_TTL": "48h"}
    app = await doors.application(**changes)
    teams = app.services.teams
    await teams.consents.decide(ANN, "workspace", granted=True, decided_from="test")
    await teams.workspaces.add_member("w", ANN, creating=True)
    await app.call("workspace_contribute", {"workspace_id": "w", "note": "x"})

    kept = await _kept_seconds(app, ("w",), teams.workspaces.entries)

    assert 2 * 86_400 <= kept <= 3 * 86_400 + 60


@proves("REDIS_URL")
async def redis_url_setting(doors):
    """Without a Redis at that URL nothing is stored, and the answer says so."""
    changes = {"REDIS_URL": f"unix://{doors.folder}/no-socket", "CACHE_ENCRYPTION_KEY": "0f" * 32}

    answer = await doors.call("get_research_session", {"sessionId": "x"}, **changes)

    assert "Redis at" in answer["error"]["detail"]


@proves("MAX_CALLS_PER_DAY")
async def max_calls_per_day(doors):
    app = await doors.application(MAX_CALLS_PER_DAY="1")

    calls = [await app.call("doiget_resolve_paper", {"ref": FINE}) for _ in range(2)]

    assert [one.structured["ok"] for one in calls] == [True, False]


@proves("CONTACT_EMAIL")
async def contact_email(doors):
    await doors.resolve(CONTACT_EMAIL=ADDRESS)

    assert ADDRESS in doors.requests()


@proves("SOURCEWRIGHT_ALLOWED_ORIGINS")
async def allowed_origins(doors):
    """It is for a source with its endpoint there; such a source is what asks here."""
    outside = {"SOURCEWRIGHT_SANDBOX_URL": "", "SOURCEWRIGHT_SANDBOX_PACE": ""}
    url = doors.internet.url

    async def reach(**changes):
        app = await doors.application(**outside, **changes)
        policy = Policy(source="proof", https_only=False, any_port=True, endpoint=url)
        return await app.services.parts.client.send(Request(url=f"{url}/"), policy)

    assert (await reach(SOURCEWRIGHT_ALLOWED_ORIGINS=url)).url == f"{url}/"
    with pytest.raises(Denied):
        await reach()


@proves("SOURCEWRIGHT_PROXY")
async def proxy(doors):
    """With a proxy that does not exist every request fails, and the error names the proxy."""
    app = await doors.application(SOURCEWRIGHT_PROXY="http://ann:hush-hush@127.0.0.1:9")

    answer = await app.call("doiget_resolve_paper", {"ref": FINE})

    assert "the proxy 127.0.0.1:9 cannot be reached" in json.dumps(answer.structured)
    assert "hush-hush" not in json.dumps(answer.structured)
    assert doors.internet.seen == []


@proves("ALLOW_PRIVATE_IPS")
async def allow_private_ips(doors):
    done = doors.cli("config", "show", ALLOW_PRIVATE_IPS="true")

    assert done.returncode == 2
    assert "SOURCEWRIGHT_ALLOWED_ORIGINS" in done.stderr


@proves("CIRCUIT_FAILURE_THRESHOLD")
async def circuit_failure_threshold(doors):
    """With a threshold of one, a source gets no requests after its first failure."""
    doors.internet.breaks("api.crossref.org", status=500)

    async def requests(threshold):
        doors.internet.forget()
        await doors.resolve(FINE, FINE, FINE, CIRCUIT_FAILURE_THRESHOLD=threshold)
        return len(doors.internet.requests_to("api.crossref.org"))

    assert await requests("1") < await requests("9")


@proves("CIRCUIT_RESET_TIMEOUT_SECONDS")
async def circuit_reset_timeout_seconds(doors):
    """The answer says for how long a failing source gets no requests, within its jitter."""
    doors.internet.breaks("api.crossref.org", status=500)
    app = await doors.application(
        CIRCUIT_FAILURE_THRESHOLD="1", CIRCUIT_RESET_TIMEOUT_SECONDS="1000"
    )

    await app.call("doiget_resolve_paper", {"ref": FINE})
    answer = await app.call("doiget_resolve_paper", {"ref": FINE})

    [seconds] = re.findall(r"crossref.*?next attempt in (\d+) s", json.dumps(answer.structured))
    assert 900 < int(seconds) <= 1200


@proves("SOURCEWRIGHT_SANDBOX_URL")
async def sandbox_url(doors):
    await doors.resolve()

    assert doors.internet.seen


@proves("SOURCEWRIGHT_SANDBOX_PACE")
async def sandbox_pace(doors):
    """Starts are booked in the ledger only where anybody waits for them."""

    async def books(name, pace):
        state = doors.folder / name
        await doors.resolve(XDG_STATE_HOME=str(state), SOURCEWRIGHT_SANDBOX_PACE=pace)
        return (state / SANDBOX_FOLDER / "pacing.sqlite3").exists()

    assert (await books("with", "1"), await books("without", "0")) == (True, False)


@proves("TOOLSETS")
async def toolsets(doors):
    assert "doiget_health" in _listed(doors, TOOLSETS="papers")
    assert "doiget_health" not in _listed(doors, TOOLSETS="web")


@proves("SOURCEWRIGHT_OUTPUT_SCHEMAS")
async def output_schemas(doors):
    assert "outputSchema" in _listed(doors, TOOLSETS="papers")
    assert "outputSchema" not in _listed(
        doors, TOOLSETS="papers", SOURCEWRIGHT_OUTPUT_SCHEMAS="off"
    )


@proves("SOURCEWRIGHT_TYPED_SCHEMAS")
async def typed_schemas(doors):
    short = _listed(doors, TOOLSETS="papers")
    typed = _listed(doors, TOOLSETS="papers", SOURCEWRIGHT_TYPED_SCHEMAS="on")
    assert len(typed) > 2 * len(short)


@proves("DOIGET_STORE_ROOT")
async def store_root(doors):
    (doors.folder / "file").touch()

    fine = await doors.call("doiget_health", {})
    blocked = await doors.call(
        "doiget_health", {}, DOIGET_STORE_ROOT=str(doors.folder / "file" / "papers")
    )

    assert (fine["store_writable"], blocked["store_writable"]) == (True, False)


@proves("PAPER_ALLOWED_DIRS")
async def paper_allowed_dirs(doors):
    elsewhere = doors.folder.parent / "shelf"

    def chosen(**changes):
        settings = Settings.load(doors.environment | changes, cwd=doors.folder)
        return DownloadFolders(
            cwd=settings.cwd,
            home=doors.folder,
            allowed=settings.paper_allowed_dirs,
            default=settings.download_dir,
        ).choose(str(elsewhere))

    assert chosen(PAPER_ALLOWED_DIRS=str(elsewhere)) == elsewhere
    with pytest.raises(Denied, match="PAPER_ALLOWED_DIRS"):
        chosen()


@proves("DOIGET_LOG_PATH")
async def log_path(doors):
    await doors.resolve(DOIGET_LOG_PATH=str(doors.folder / "mine.jsonl"))

    assert (doors.folder / "mine.jsonl").stat().st_size


class _LongAgo(SystemClock):
    """The clock of a process that wrote and rotated a log years ago."""

    def now(self):
        return LONG_AGO


def _found_old_before(log, segment):
    """Notes beside a log that an earlier run found its segment too old."""
    notes = {segment.name.removesuffix(".gz"): LONG_AGO}
    log.with_name(log.name + ".expiring").write_text(json.dumps(notes), "utf-8")


@proves("DOIGET_LOG_RETENTION_DAYS")
async def log_retention_days(doors):
    log = doors.folder / "mine.jsonl"
    long_ago = ProvenanceLog(log, clock=_LongAgo(), session_id="S", rotate_bytes=1)
    for _ in range(2):
        await long_ago.record(ProvenanceRow(event="fetch", result="ok", capability="oa"))
    await long_ago.aclose()
    [old] = doors.folder.glob("mine.jsonl.2020*")

    async def survives(days):
        _found_old_before(log, old)
        await doors.resolve(DOIGET_LOG_PATH=str(log), DOIGET_LOG_RETENTION_DAYS=days)
        return old.exists()

    assert (await survives("0"), await survives("1")) == (True, False)


@proves("DOIGET_LOG_ROTATE_BYTES")
async def log_rotate_bytes(doors):
    async def parts(name, size):
        folder = doors.folder / name
        await doors.resolve(
            DOIGET_LOG_PATH=str(folder / "mine.jsonl"), DOIGET_LOG_ROTATE_BYTES=size
        )
        return len(list(folder.glob("mine.jsonl.2*")))

    assert await parts("whole", "0") == 0
    assert await parts("cut", "1") > 0


@proves("SOURCEWRIGHT_ADDITIONAL_HOSTS")
async def additional_hosts(doors):
    """A copy on a host that is not known is fetched once its owner is trusted."""
    work = next(w for w in doors.internet.corpus.works if w.journal.host == "fog.haar.example")

    async def fetched(**changes):
        result = await doors.call("doiget_fetch_paper", {"ref": work.doi}, **changes)
        return result["pdf"]["status"]

    assert await fetched() == "blocked"
    assert await fetched(SOURCEWRIGHT_ADDITIONAL_HOSTS="*.haar.example") == "fetched"


async def _planned(doors, **changes):
    """The hosts that a fetch might send requests to."""
    plan = await doors.call("doiget_fetch_paper", {"ref": FINE, "dry_run": True}, **changes)
    return json.dumps(plan)


@proves("SOURCEWRIGHT_TRUST_ACADEMIC_REPOS")
async def trust_academic_repos(doors):
    assert "*.ac.uk" in await _planned(doors, SOURCEWRIGHT_TRUST_ACADEMIC_REPOS="1")
    assert "*.ac.uk" not in await _planned(doors, SOURCEWRIGHT_TRUST_OA_REGISTRIES="1")


@proves("SOURCEWRIGHT_TRUST_OA_REGISTRIES")
async def trust_oa_registries(doors):
    assert "zenodo.org" in await _planned(doors, SOURCEWRIGHT_TRUST_OA_REGISTRIES="1")
    assert "zenodo.org" not in await _planned(doors, SOURCEWRIGHT_TRUST_ACADEMIC_REPOS="1")


@proves("AUDIT_ENABLED")
async def audit_enabled(doors):
    on, off = doors.folder / "on.jsonl", doors.folder / "off.jsonl"

    await doors.resolve(AUDIT_OUTPUT_PATH=str(on))
    await doors.resolve(AUDIT_OUTPUT_PATH=str(off), AUDIT_ENABLED="0")

    assert on.stat().st_size
    assert not off.exists()


@proves("AUDIT_OUTPUT_PATH")
async def audit_output_path(doors):
    await doors.resolve(AUDIT_OUTPUT_PATH=str(doors.folder / "who.jsonl"))

    assert "doiget_resolve_paper" in (doors.folder / "who.jsonl").read_text("utf-8")


@proves("AUDIT_INCLUDE_REQUEST_BODY")
async def audit_include_request_body(doors):
    async def event(**changes):
        file = doors.folder / "who.jsonl"
        file.unlink(missing_ok=True)
        await doors.resolve(AUDIT_OUTPUT_PATH=str(file), **changes)
        return file.read_text("utf-8")

    assert FINE not in await event()
    assert FINE in await event(AUDIT_INCLUDE_REQUEST_BODY="1")


@proves("AUDIT_MAX_BYTES")
async def audit_max_bytes(doors):
    async def parts(name, size):
        folder = doors.folder / name
        changes = {"AUDIT_OUTPUT_PATH": str(folder / "who.jsonl"), "AUDIT_MAX_BYTES": size}
        await doors.resolve(**changes)
        await doors.resolve(**changes)
        return len(list(folder.glob("who.jsonl.2*")))

    assert await parts("whole", "0") == 0
    assert await parts("cut", "1") > 0


@proves("AUDIT_RETENTION_DAYS")
async def audit_retention_days(doors):
    log = doors.folder / "who.jsonl"
    policy = AuditPolicy(rotate_bytes=1)
    long_ago = AuditLog(log, clock=_LongAgo(), mask=Masker(), policy=policy)
    for _ in range(2):
        await long_ago.audit({"tool_name": "t"})
    await long_ago.aclose()
    [old] = doors.folder.glob("who.jsonl.2020*")

    async def survives(days):
        _found_old_before(log, old)
        await doors.resolve(AUDIT_OUTPUT_PATH=str(log), AUDIT_RETENTION_DAYS=days)
        return old.exists()

    assert (await survives("0"), await survives("180")) == (True, False)


@proves("SOURCEWRIGHT_AUDIT_SYNC")
async def audit_sync(doors):
    soon = await doors.call("doiget_health", {})
    at_once = await doors.call("doiget_health", {}, SOURCEWRIGHT_AUDIT_SYNC="1")

    assert (soon["audit_synced"], at_once["audit_synced"]) == (False, True)


@proves("LOG_LEVEL")
async def log_level(doors):
    assert "DEBUG" in doors.cli("resolve", FINE, LOG_LEVEL="debug").stderr
    assert "DEBUG" not in doors.cli("resolve", FINE, LOG_LEVEL="error").stderr


@proves("RUST_LOG")
async def rust_log(doors):
    def shown(**environment):
        return doors.cli("resolve", FINE, **environment).stderr

    for directives in ("debug", "TRACE", "4", "warn,doiget_core=debug", "sourcewright"):
        assert "DEBUG" in shown(RUST_LOG=directives), directives
    for directives in (
        "hyper=debug,h2=trace",
        "off",
        "debug,doiget=off",
        "[x{y,z}]=debug",
        "lo ud",
    ):
        assert "DEBUG" not in shown(RUST_LOG=directives), directives
    assert "DEBUG" not in shown(RUST_LOG="sourcewright=debug", LOG_LEVEL="info")


@proves("NO_COLOR")
async def no_color(doors):
    assert "\x1b[" in _on_a_terminal(doors, "resolve", "nonsense")
    assert "\x1b[" not in _on_a_terminal(doors, "resolve", "nonsense", NO_COLOR="1")


@proves("CLICOLOR")
async def clicolor(doors):
    assert "\x1b[" not in _on_a_terminal(doors, "resolve", "nonsense", CLICOLOR="0")


@proves("TERM")
async def term(doors):
    assert "\x1b[" not in _on_a_terminal(doors, "resolve", "nonsense", TERM="dumb")


@proves("FORCE_COLOR")
async def force_color(doors):
    assert "\x1b[" in _on_a_terminal(doors, "resolve", "nonsense", TERM="dumb", FORCE_COLOR="1")


def _run(
    doors: Doors, *words: str, cwd: str | None = None, given: str = "", **changes: str
) -> subprocess.CompletedProcess[str]:
    return warm_python.run(
        [sys.executable, "-m", "sourcewright", *words],
        input=given,
        env=doors.environment | changes,
        cwd=cwd or doors.folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


def _listed(doors: Doors, **changes: str) -> str:
    """What the server answers to `tools/list` over its pipe."""
    frames = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "proof", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **frame}) + "\n" for frame in frames)
    done = _run(doors, "serve", given=lines, **changes)
    [answer] = [line for line in done.stdout.splitlines() if json.loads(line).get("id") == 2]
    return answer


def _on_a_terminal(doors: Doors, *words: str, **changes: str) -> str:
    """What the command shows on a terminal."""
    ours, theirs = pty.openpty()
    try:
        warm_python.run(
            [sys.executable, "-m", "sourcewright", *words],
            env=doors.environment | {"TERM": "xterm-256color"} | changes,
            cwd=doors.folder,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            timeout=300,
            check=False,
        )
        return os.read(ours, 65536).decode()
    finally:
        os.close(ours)
        os.close(theirs)


NOT_YET: dict[str, str] = {}
"""Settings whose reader is not written yet, with what is missing."""


def _row(name: str) -> Any:
    marks = [pytest.mark.skip(reason=NOT_YET[name])] if name in NOT_YET else []
    return pytest.param(name, marks=marks)


ELSEWHERE = {"Administration", "HTTP server", "Request limits", "Sign-in", "Traces"}
"""Groups of settings that `tests/web/test_http_settings.py` proves over a socket."""


@pytest.mark.parametrize(
    "name",
    [_row(one.name) for one in TABLE if one.group not in ELSEWHERE or one.name in PROOFS],
)
async def test_a_setting_changes_what_a_user_sees(doors, name):
    assert name in PROOFS, "this setting has no proof that it does anything"

    await PROOFS[name](doors)


def test_every_proof_is_about_a_setting():
    assert set(PROOFS) <= {setting.name for setting in TABLE}


QUESTIONS = {
    method
    for protocol in map(vars(capabilities).get, capabilities.__all__)
    if inspect.isclass(protocol)
    for method, _ in inspect.getmembers(protocol, inspect.iscoroutinefunction)
}
ROLES = {
    role: {
        method
        for protocol in vars(capabilities).values()
        if inspect.isclass(protocol) and capabilities.roles_of(protocol) == (role,)
        for method in QUESTIONS & set(dir(protocol))
    }
    for role in get_args(capabilities.Role)
}
"""The questions that a source is asked in each role."""


def _in_each_role(kind: Any, app: Any) -> list[tuple[str, object]]:
    """One source as it is set up in each of its roles."""
    if kind.info.mirror:
        return [("papers", mirror) for mirror in app.services.papers.mirrors]
    shared = app.services.parts
    return [
        (role, parts.source(kind, role, shared.settings, shared.network).provider)
        for role in kind.roles()
    ]


@proves("MAX_SCRAPE_CONCURRENCY")
async def max_scrape_concurrency(doors):
    host = "pages.meridian.example"
    doors.internet.delays(host, 0.3)
    app = await doors.application(MAX_SCRAPE_CONCURRENCY="1")

    await asyncio.gather(
        *(app.call("scrape_page", {"url": f"https://{host}/{n}"}) for n in ("article", "paper"))
    )

    first, second = (seen.at for seen in doors.internet.requests_to(host))
    assert second - first >= 0.3


@proves("MAX_HTML_BYTES")
async def max_html_bytes(doors):
    days = (f"<p>On day {n} the tide came in an hour later than before.</p>" for n in range(200))
    page = f"<html><body><article>{chr(10).join(days)}".encode()
    doors.internet.says(SHELLS, page, content_type="text/html")
    page = {"url": f"https://{SHELLS}/part"}

    whole = await doors.call("scrape_page", {"url": f"https://{SHELLS}/whole"})
    part = await doors.call("scrape_page", page, MAX_HTML_BYTES="2000")

    assert not whole["truncated"]
    assert part["truncated"]
    assert 100 < part["contentLength"] < 2000 < whole["contentLength"]


@proves("MAX_DOCUMENT_BYTES")
async def max_document_bytes(doors):
    text = b"The tide came in. " * 200
    doors.internet.says(SHELLS, text, content_type="text/plain")
    page = {"url": f"https://{SHELLS}/part"}

    whole = await doors.call("scrape_page", {"url": f"https://{SHELLS}/whole"})
    part = await doors.call("scrape_page", page, MAX_DOCUMENT_BYTES="2000")

    assert not whole["truncated"]
    assert part["truncated"]
    assert part["contentLength"] <= 2000 < whole["contentLength"]


SHELLS = "pages.meridian.example"


def _shells(doors, *paths):
    """URLs of pages without text until a script has an answer of the host."""
    script = "fetch('/wait').then(r => r.text()).then(t => document.body.append(t.repeat(20)))"
    page = f"<html><body><script>{script}</script></body></html>".encode()
    for path in paths:
        doors.internet.says(SHELLS, page, content_type="text/html", path=path)
    words = b"The harbour at high water, day after day. "
    doors.internet.says(SHELLS, words, content_type="text/plain", path="/wait")
    return [f"https://{SHELLS}{path}" for path in paths]


def _chromium():
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the browser's tests need one: {found.reason}")
    return found.path


@proves("CHROME_PATH")
async def chrome_path(doors):
    empty = b"<html><body></body></html>"
    doors.internet.says(SHELLS, empty, content_type="text/html", path="/empty")
    page = {"url": f"https://{SHELLS}/empty"}

    off = await doors.call("scrape_page", page, CHROME_PATH="disabled")
    broken = await doors.call("scrape_page", page, CHROME_PATH="/no/such/browser")

    assert off["error"]["kind"] == "content_empty"
    assert broken["error"]["kind"] == "browser_unavailable"
    assert "/no/such/browser" in broken["error"]["detail"]


def _tesseract(doors, *languages):
    """A program that prints the languages it is asked for as the text of any scan."""
    path = doors.folder / "tesseract"
    listed = "\n".join(languages)
    path.write_text(
        "#!/bin/sh\n"
        'case "$1" in --version) echo "tesseract 5.0"; exit;;\n'
        f'--list-langs) echo "{listed}"; exit;; esac\n'
        'cat >/dev/null; printf "5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t96\\tasked:$4\\n"\n'
    )
    path.chmod(0o755)
    doors.internet.says(
        SHELLS,
        pdf.scan(doors.internet.corpus.by_doi(FINE)),
        content_type="application/pdf",
        path="/s",
    )
    return str(path), {"url": f"https://{SHELLS}/s"}


@proves("TESSERACT_PATH")
async def tesseract_path(doors):
    program, page = _tesseract(doors, "eng")

    off = await doors.call("scrape_page", page, TESSERACT_PATH="disabled")
    read = await doors.call("scrape_page", page, TESSERACT_PATH=program)
    doctor = doors.cli("doctor", TESSERACT_PATH="/no/such/program").stdout

    assert "asked:eng" in read["content"]
    assert "only images" in off["error"]["detail"]
    assert "TESSERACT_PATH is /no/such/program" in " ".join(doctor.split())


@proves("SOURCEWRIGHT_OCR_LANGUAGES")
async def ocr_languages(doors):
    program, page = _tesseract(doors, "deu", "eng", "osd")
    chosen = {"TESSERACT_PATH": program, "SOURCEWRIGHT_OCR_LANGUAGES": "deu, swe"}

    read = await doors.call("scrape_page", page, **chosen)
    doctor = " ".join(doors.cli("doctor", **chosen).stdout.split())

    assert "asked:deu" in read["content"]
    assert "asked:deu+" not in read["content"]
    assert "languages: deu; not installed: swe" in doctor


@proves("MAX_SCRAPE_CONCURRENCY_BROWSER")
async def max_scrape_concurrency_browser(doors):
    urls = _shells(doors, "/first", "/second")
    doors.internet.delays(SHELLS, 0.3, "/wait")
    app = await doors.application(CHROME_PATH=_chromium(), MAX_SCRAPE_CONCURRENCY_BROWSER="1")

    await asyncio.gather(*(app.call("scrape_page", {"url": url}) for url in urls))

    starts = [seen.at for seen in doors.internet.requests_to(SHELLS) if seen.path == "/wait"]
    assert starts[1] - starts[0] >= 0.3


@proves("BROWSER_IDLE_TIMEOUT")
async def browser_idle_timeout(doors):
    (url,) = _shells(doors, "/shell")
    others = _browsers()
    app = await doors.application(CHROME_PATH=_chromium(), BROWSER_IDLE_TIMEOUT="0s")

    shown = await app.call("scrape_page", {"url": url})

    assert shown.structured["extractedBy"] == "browser"
    for pid in _browsers() - others:
        await asyncio.to_thread(_wait_for_end_of, pid)
    assert _browsers() <= others


def _browsers():
    """The browsers that this process has started and that are still there."""
    own = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    found = set()
    for pid in own:
        with suppress(OSError):  # it has ended meanwhile
            if b"--user-data-dir" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(int(pid))
    return found


def _wait_for_end_of(pid):
    try:
        ended = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([ended], [], [], 300)[0], "it is still there"
    finally:
        os.close(ended)


async def _ask(doors: Doors, sources: Iterable[str], **changes: str) -> str:
    """Call each of these sources with every subject it takes; return all requests as one text."""
    doors.internet.forget()
    app = await doors.application(**changes)
    for kind in providers.load(sources).values():
        for role, provider in _in_each_role(kind, app):
            for method in ROLES[role] & set(dir(provider)):
                with suppress(UpstreamError):
                    for thing in _things(provider, method):
                        subject = () if thing is None else (thing,)
                        await getattr(provider, method)(*subject, **FURTHER.get(method, {}))
    return doors.requests()


WITHOUT_SETTINGS: list[str] = []
"""What goes out under no setting; it is the same for all options, and asked once."""


async def _ask_everybody_without_settings(doors: Doors) -> str:
    if not WITHOUT_SETTINGS:
        WITHOUT_SETTINGS.append(await _ask(doors, providers.discover()))
    return WITHOUT_SETTINGS[0]


def _things(provider: Any, method: str) -> list[Any]:
    """The subjects of a source; of URLs, those of its own site if it has one."""
    accepts = getattr(provider, "accepts", None) if method == "read_site" else None
    return [one for one in things_for(method) if accepts is None or accepts(one)]


def _other_value(option: dict[str, Any]) -> str:
    address = f"https://{PROOF}.example"
    values = {"email": ADDRESS, "url": address, "origins": address}
    values |= {"login": f"reader:{PROOF}", "headers": f"x-proof: {PROOF[::-1]}"}
    values["flag"] = str(not option["default"])
    return values.get(option["kind"], PROOF)


def _as_sent(option: dict[str, Any]) -> str:
    value = _other_value(option)
    spellings = {"login": b64encode(value.encode()).decode(), "headers": PROOF[::-1]}
    return spellings.get(option["kind"], value.removeprefix("https://"))


def _needed(option: dict[str, Any]) -> dict[str, str]:
    """The other settings that a setting requires."""
    everything = manifest()["options"]
    own = [
        one
        for one in everything
        if one["provider"] == option["provider"] and one["name"] != option["name"]
    ]
    agreements = {one["env"][0]: "1" for one in own if one["kind"] == "agreement"}
    # One half of a pair of keys is not sent alone.
    halves = {one["env"][0]: "the-other-half" for one in own if one["kind"] == "secret"}
    required = {one["env"][0]: _other_value(one) for one in own if one["required"]}
    return agreements | halves | required


OPTIONS = [(option, name) for option in manifest()["options"] for name in option["env"]]


@pytest.mark.parametrize(("option", "name"), OPTIONS, ids=[name for _, name in OPTIONS])
async def test_an_option_of_a_source_changes_what_is_sent(doors, option, name):
    """Under each of its names, and for sources that are added later too."""
    given = "1" if option["kind"] == "agreement" else _other_value(option)
    shown = _as_sent(option)
    needed = _needed(option)
    own = [option["provider"]]

    is_flag = option["kind"] == "flag"
    before = (
        await _ask(doors, own, **needed)
        if is_flag
        else await _ask_everybody_without_settings(doors)
    )
    after = await _ask(doors, own, **needed | {name: given})

    if is_flag:
        assert after != before
    else:
        assert shown not in before
        assert shown in after
