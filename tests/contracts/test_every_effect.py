"""What every tool does in every mode is what its annotations announce, over a pipe."""

import hashlib
import sqlite3
from contextlib import closing

import pytest
from jsonschema import Draft202012Validator
from killable_server import serving
from release_scripts import release_script

from sourcewright import tools
from sourcewright.domain.users.sessions import Owner

SPECS = tools.discover()
PAPER = "10.5555/fine-paper"
PAGE = "https://signposts.example/article/1"
ARCHIVE = "web.archive.org"
MAX_CHOICES = 12
MORE = {
    "format_bibliography": {"sources": [{"doi": PAPER}]},
    "paper_download": {"output_dir": "alone"},
    "sequential_search": {"knowledgeGap": "how high tides are", "depth": "thorough"},
}
"""What a call needs besides its example, so that each of its modes has something to do."""
RECORDS_OF_CALLS = ("audit.jsonl", "provenance.jsonl", "/answers.sqlite3", "/sessions.sqlite3")
"""Files that every call may change: logs, the cache, research sessions; and what is derived."""
DERIVED = (".lock", "-shm", "-wal", ".pack")


def modes(spec, arguments):
    """The arguments with every switch on, and with every choice."""
    yield arguments
    for name, schema in spec.listing()["inputSchema"].get("properties", {}).items():
        forms = schema.get("anyOf", [schema])
        for form in forms:
            if "boolean" in form.get("type", ""):
                yield {**arguments, name: True}
            for choice in form.get("enum", [])[:MAX_CHOICES]:
                if choice is not None:
                    yield {**arguments, name: choice}


def rows(path):
    """The records of a database, also those in its journal, but for counters of calls."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT owner, name, checksum FROM records WHERE name != 'usage'"
        return set(database.execute(query))


@pytest.fixture
def kept(tmp_path):
    """What is kept beyond records of calls: files, and the records of users."""

    def look():
        files = {
            str(path.relative_to(tmp_path)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in tmp_path.rglob("*")
            if path.is_file()
            and not str(path).endswith((*RECORDS_OF_CALLS, *DERIVED))
            and "/library/" not in str(path)
            and path.suffix != ".sqlite3"
        }
        [state] = [one.parent for one in tmp_path.rglob("teams.sqlite3")] or [tmp_path]
        return {*files.items(), *rows(state / "teams.sqlite3")}

    return look


@pytest.fixture
def sessions(tmp_path):
    def look():
        return {row for path in tmp_path.rglob("sessions.sqlite3") for row in rows(path)}

    return look


@pytest.fixture
async def examples(application):
    """The examples of the reference; their user has consented and is in a workspace."""
    with release_script("tool_examples") as script:
        app = await application(**script.KEYS)
        await script._join(app)
        # Otherwise the first call records that the consent is presumed.
        user = Owner(tenant="default", user=script.KEYS["STDIO_USER_ID"])
        await app.services.teams.consents.decide(
            user, "memory", granted=True, decided_from="command line", terms_version=None
        )
        await app.aclose()
        yield script


def made_public(internet):
    """Whether something was published: a copy in the web archive."""
    return any(one.path.startswith("/save") for one in internet.requests_to(ARCHIVE))


@pytest.mark.anyio
async def test_annotations_announce_what_tools_do(
    environment, examples, internet, kept, sessions, tmp_path
):
    wrong = {}
    with serving({**environment, **examples.KEYS}, tmp_path) as server:
        listed = {tool["name"]: tool for tool in server.ask("tools/list", {})["tools"]}
        assert listed.keys() == SPECS.keys()
        begun = server.call("sequential_search", **SPECS["sequential_search"].example)
        session = begun["structuredContent"]["sessionId"]
        server.call("scrape_page", url=PAGE, sessionId=session)
        for name, spec in SPECS.items():
            arguments = {**spec.example, **examples.ARGUMENTS.get(name, {}), **MORE.get(name, {})}
            if name in ("get_research_session", "research_export"):
                arguments["sessionId"] = session
            typed = spec.listing(typed=True)["outputSchema"]
            seen = {"open": False, "keeps": False, "repeats": True}
            for mode in modes(spec, arguments):
                internet.forget()
                before = kept()
                answer = server.call(name, **mode)
                Draft202012Validator(typed).validate(answer["structuredContent"])
                seen["open"] |= internet.seen != []
                seen["keeps"] |= kept() != before or made_public(internet)
                before = kept(), sessions()
                server.call(name, **mode)
                seen["repeats"] &= (kept(), sessions()) == before
            hints = listed[name]["annotations"]
            announced = {
                "open": hints["openWorldHint"],
                "keeps": not hints["readOnlyHint"],
                "repeats": hints["idempotentHint"],
            }
            if seen != announced:
                wrong[name] = seen, announced

    assert wrong == {}
