"""Each scenario of the contract of the download tools, through a client and a real pipe."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import anyio
import jsonschema
import pytest
import warm_python
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from sourcewright.settings.process import sandbox_overrides

pytestmark = pytest.mark.anyio

SERVE = [sys.executable, "-m", "sourcewright", "serve"]
CROSSREF, UNPAYWALL = "api.crossref.org", "api.unpaywall.org"
DATACITE, DOI_ORG = "api.datacite.org", "doi.org"
MIRROR, VAULT = "mirror.shadow.example", "vault.shadow.example"
MIRRORED = {"SCIHUB_MIRRORS": f"https://{MIRROR}", "SCIHUB_ACCEPT_RESPONSIBILITY": "1"}
MISSING = "SCIHUB_CLI_EMAIL environment variable is required. See README for setup instructions."
SETUP = "Add to Claude Desktop config: env.SCIHUB_CLI_EMAIL=your-email@domain.edu"
INVALID = "Invalid email format. Please provide a valid email address."
LONG = "On the slow, the very slow and the all but imperceptible movement of shingle along the "
LONG_TITLE = f"{LONG}northern shores of the Meridian archipelago between the two great storms"


def surroundings(world, folder, **changes):
    """The environment of one server, with its own folders."""
    own = {"HOME": str(folder), **sandbox_overrides(world.url, str(folder))}
    return {**own, "SOURCEWRIGHT_SANDBOX_PACE": "0", **changes}


@asynccontextmanager
async def connected(env, folder, *words, errlog=sys.stderr):
    """The SDK's client, and a server of its own at the other end of a pipe."""
    server = StdioServerParameters(
        command=warm_python.python(), args=[*SERVE[1:], *words], env=env, cwd=folder
    )
    async with Client(stdio_client(server, errlog), mode="legacy", cache=None) as client:
        yield client


@pytest.fixture(scope="module")
async def client(one_world, tmp_path_factory) -> AsyncIterator[Client]:
    """One server for all that need nothing of their own: the operator has named a mirror."""
    folder = tmp_path_factory.mktemp("downloads")
    async with connected(surroundings(one_world, folder, **MIRRORED), folder) as connection:
        yield connection


@pytest.fixture(scope="module")
async def schemas(client):
    return {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}


@pytest.fixture
def ask(client, schemas, internet):
    """Calls a tool; the structured answer is validated against the published schema."""

    async def run(tool, *, through=client, **arguments):
        reports = []

        async def progress(done, total, message):
            reports.append((done, total, message))

        with anyio.fail_after(300):
            result = await through.call_tool(tool, arguments, progress_callback=progress)
        jsonschema.validate(result.structured_content, schemas[tool])
        return SimpleNamespace(
            text=result.content[0].text,
            is_error=result.is_error,
            progress=reports,
            hosts=[seen.host for seen in internet.seen],
            structured=result.structured_content,
        )

    return run


def in_order(text, *parts):
    """Whether the text holds all of the parts, each after the one before."""
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def is_whole_pdf(path):
    body = path.read_bytes()
    return body.startswith(b"%PDF") and len(body) > 10 * 1024


def kilobytes(path):
    return path.stat().st_size / 1024


def files_below(folder):
    return sorted(path.name for path in Path(folder).rglob("*.pdf"))


# PDT-001


async def test_download_paper_by_doi(ask):
    got = await ask("paper_download", identifier="10.5555/of-2013")

    path = Path(got.structured["path"])
    assert not got.is_error
    assert path.is_absolute()
    assert path.name == "[2013] - Kettle-scale thermometry in a moving train.pdf"
    assert path.parent.name == "downloads"
    assert is_whole_pdf(path)
    assert got.hosts == [CROSSREF, MIRROR, VAULT]
    assert in_order(
        got.text,
        "# Paper downloaded",
        "- DOI: 10.5555/of-2013\n",
        "- Title: Kettle-scale thermometry in a moving train\n",
        "- Year: 2013\n",
        "- Journal: Journal of Tidal Research\n",
        f"- File: {path}\n",
        f"- Size: {kilobytes(path):.1f} KB\n",
        "- Source: Sci-Hub\n",
        f"- Time: {got.structured['seconds']:.2f} seconds\n",
    )


async def test_download_recent_paper_by_url(ask, internet):
    got = await ask(
        "paper_download", identifier="https://doi.org/10.5555/of-2021", output_dir="recent"
    )

    path = Path(got.structured["path"])
    assert not got.is_error
    assert "- DOI: 10.5555/of-2021\n" in got.text
    assert "- Year: 2021\n" in got.text
    assert "- Source: Unpaywall\n" in got.text
    assert MIRROR not in got.hosts
    assert [seen.query for seen in internet.requests_to(UNPAYWALL)] == [
        "email=reader%40sandbox.sourcewright"
    ]
    assert (path.parent.name, path.name) == (
        "recent",
        "[2021] - A slack-water clock without moving parts.pdf",
    )
    assert is_whole_pdf(path)


async def test_handle_invalid_doi(ask):
    got = await ask("paper_download", identifier="10.1234/nonexistent", output_dir="invalid")

    assert got.is_error
    assert got.text.startswith("# Paper not found in any source\n")
    assert {MIRROR, UNPAYWALL} <= set(got.hosts)
    checked, _, advice = got.text.partition("Sources checked:")[2].partition("What to do next:")
    assert "- Sci-Hub: " in checked
    assert "- Unpaywall: " in checked
    assert "Verify that the DOI is correct" in advice
    assert "`paper_metadata`" in advice
    assert not got.structured["retryable"]


# PDT-002

OLD = ("10.5555/of-2015", "10.5555/mirrored-iframe", "10.5555/mirrored-button")
NEW = ("10.5555/of-2023", "10.5555/published-pair")


async def test_batch_download_mixed_papers(ask, internet):
    identifiers = [OLD[0], NEW[0], OLD[1], NEW[1], OLD[2]]

    got = await ask("paper_batch_download", identifiers=identifiers, output_dir="mixed")

    assert not got.is_error
    assert in_order(
        got.text,
        "Total: 5 papers",
        "Successful: 5 (100%)",
        "Failed: 0 (0%)",
        "Total time: ",
        "Successful downloads:",
    )
    sources = {one["doi"]: one["source"] for one in got.structured["downloads"]}
    assert sources == dict.fromkeys(OLD, "Sci-Hub") | dict.fromkeys(NEW, "Unpaywall")
    for one in got.structured["downloads"]:
        assert f"- {one['filename']} ({one['size_kb']:.1f} KB, {one['source']})" in got.text
        assert is_whole_pdf(Path(one["path"]))
    mirrored = [seen.path for seen in internet.requests_to(MIRROR)]
    assert mirrored == [f"/{doi}" for doi in OLD]
    wholes = [one for one in got.progress if one[0] == int(one[0])]
    assert [(done, total) for done, total, _ in wholes] == [(n, 5) for n in range(6)]
    assert [message.split(":")[0] for _, _, message in wholes] == [f"{n}/5" for n in range(6)]
    numbers = [done for done, _, _ in got.progress]
    assert numbers == sorted(set(numbers))


async def test_papers_of_a_batch_are_downloaded_one_after_the_other(ask, internet):
    identifiers = ["10.5555/mirrored-link", "10.5555/mirrored-object", "10.5555/mirrored-only"]

    got = await ask("paper_batch_download", identifiers=identifiers, output_dir="sequence")

    assert [one["doi"] for one in got.structured["downloads"]] == identifiers
    assert got.hosts == [CROSSREF, MIRROR, VAULT] * 3
    names = [seen.path.rpartition("@")[2] for seen in internet.requests_to(VAULT)]
    assert names == ["mirrored-link.pdf", "mirrored-object.pdf", "mirrored-only.pdf"]


async def test_handle_partial_batch_failure(ask):
    good = ["10.5555/corrected-paper", "10.5555/about-retractions"]
    bad = ["10.1234/no-such-paper", "10.1234/nor-this-one"]

    got = await ask(
        "paper_batch_download", identifiers=[bad[0], good[0], bad[1], good[1]], output_dir="part"
    )

    assert not got.is_error
    assert in_order(got.text, "Total: 4 papers", "Successful: 2 (50%)", "Failed: 2 (50%)")
    assert in_order(got.text, "Successful downloads:", "Failed downloads:")
    assert [one["doi"] for one in got.structured["downloads"]] == good
    assert [one["identifier"] for one in got.structured["failures"]] == bad
    for one in got.structured["failures"]:
        assert one["error"].startswith("Paper not found in any source: ")
        assert f"- {one['identifier']}: {one['error']}" in got.text
    assert len(files_below(Path(got.structured["downloads"][0]["path"]).parent)) == 2
    assert got.progress[-1][:2] == (4, 4)


async def test_reject_oversized_batch(ask):
    identifiers = [f"10.5555/of-{number}" for number in range(51)]

    got = await ask("paper_batch_download", identifiers=identifiers, output_dir="oversized")

    assert got.is_error
    assert "Maximum 50 papers per batch" in got.text
    advice = got.text.partition("What to do next:")[2]
    assert "split" in advice.lower()
    assert "smaller batches" in advice
    assert (got.hosts, got.progress) == ([], [])


# PDT-003


async def test_get_metadata_for_known_paper(ask):
    got = await ask("paper_metadata", identifier="https://doi.org/10.5555/MIRRORED-only")

    record = json.loads(got.text)
    assert record == got.structured
    assert not got.is_error
    assert {name: record[name] for name in ("doi", "title", "year", "authors", "journal")} == {
        "doi": "10.5555/mirrored-only",
        "title": "The echo of a dropped anchor",
        "year": 2010,
        "authors": ["Ødegård, Bjørn"],
        "journal": "Annals of Imaginary Limnology",
    }
    assert (record["is_oa"], record["available_sources"]) == (False, ["Sci-Hub"])
    assert sorted(got.hosts) == [CROSSREF, CROSSREF, UNPAYWALL]  # the record, and notices


async def test_fallback_to_crossref_for_year(ask, internet):
    partial = {"doi": "10.5555/fine-paper", "title": "As Unpaywall has it", "is_oa": False}
    internet.says(UNPAYWALL, {**partial, "year": None, "oa_locations": []})

    got = await ask("paper_metadata", identifier="10.5555/fine-paper")

    record = got.structured
    assert (record["title"], record["year"]) == ("As Unpaywall has it", 2019)
    assert record["journal"] == "Journal of Tidal Research"
    assert record["authors"]
    assert record["pages"]
    assert record["field_sources"]["title"] == "unpaywall"
    assert record["field_sources"]["year"] == "crossref"
    assert sorted(got.hosts) == [CROSSREF, CROSSREF, UNPAYWALL]  # the record, and notices


async def test_handle_completely_unknown_doi(ask):
    got = await ask("paper_metadata", identifier="doi:10.1234/Not-Known-Anywhere")

    record = json.loads(got.text)
    assert got.is_error
    assert record["doi"] == "10.1234/not-known-anywhere"
    assert record["error"] == "Metadata not available"
    assert record["available_sources"] == []
    assert any("Verify that the DOI is correct" in advice for advice in record["suggestions"])
    assert {CROSSREF, UNPAYWALL, DATACITE, DOI_ORG} == set(got.hosts)


# PDT-004


async def test_route_old_paper_to_sci_hub(ask, internet):
    got = await ask("paper_download", identifier="10.5555/retracted-paper", output_dir="old")

    [request] = internet.requests_to(CROSSREF)
    assert request.path == "/works/10.5555%2Fretracted-paper"
    assert got.structured["year"] == 2016
    assert got.hosts == [CROSSREF, MIRROR, VAULT]
    assert "- Source: Sci-Hub\n" in got.text
    assert "this paper is retracted" in got.text


async def test_route_new_paper_to_unpaywall(ask, internet):
    got = await ask("paper_download", identifier="10.5555/long-author-list", output_dir="new")

    assert got.structured["year"] == 2023
    assert got.hosts[:2] == [CROSSREF, UNPAYWALL]
    assert {MIRROR, VAULT}.isdisjoint(got.hosts)
    assert "email=reader%40sandbox.sourcewright" in internet.requests_to(UNPAYWALL)[0].query
    assert "- Source: Unpaywall\n" in got.text


async def test_fallback_from_failed_primary_source(ask):
    got = await ask("paper_download", identifier="10.5555/of-2020", output_dir="fallback")

    assert got.structured["year"] == 2020
    assert in_order(" ".join(got.hosts), CROSSREF, MIRROR, UNPAYWALL)
    assert "- Source: Unpaywall\n" in got.text
    sources = got.text.partition("Sources queried, in order:")[2]
    assert in_order(sources, "Crossref: ", "Sci-Hub: ", "Unpaywall: ", "Open copy: ")


# PDT-005


async def test_server_starts_with_valid_email(ask, internet, tmp_path):
    env = surroundings(internet, tmp_path, SCIHUB_CLI_EMAIL="researcher@university.edu")
    del env["CONTACT_EMAIL"]
    errors = tmp_path / "errors"

    with errors.open("w+") as log:
        async with connected(env, tmp_path, "--toolset", "downloads", errlog=log) as client:
            for tool in ("paper_download", "paper_metadata"):
                got = await ask(tool, through=client, identifier="10.5555/of-2021")
                assert not got.is_error

    queries = [seen.query for seen in internet.requests_to(UNPAYWALL)]
    assert queries == ["email=researcher%40university.edu"] * 2
    assert errors.read_text() == ""


@pytest.mark.parametrize(
    ("words", "changes", "messages"),
    [
        (("--toolset", "downloads"), {}, [MISSING, SETUP]),
        (("--toolset=downloads",), {"SCIHUB_CLI_EMAIL": ""}, [MISSING, SETUP]),
        ((), {"TOOLSETS": "downloads"}, [MISSING, SETUP]),
        ((), {"SCIHUB_CLI_EMAIL": "a professor"}, [INVALID]),
    ],
)
def test_server_fails_without_email(internet, tmp_path, words, changes, messages):
    env = surroundings(internet, tmp_path, **changes)
    del env["CONTACT_EMAIL"]

    done = warm_python.run(
        [*SERVE, *words],
        env=env,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 2
    assert done.stdout == ""
    for message in messages:
        assert message in done.stderr


async def test_a_server_with_other_tools_starts_without_email_and_says_what_is_missing(
    ask, internet, tmp_path
):
    env = surroundings(internet, tmp_path)
    del env["CONTACT_EMAIL"]

    async with connected(env, tmp_path) as client:
        paper = {"through": client, "identifier": "10.5555/of-2021"}
        one = await ask("paper_download", **paper)
        many = await ask("paper_batch_download", through=client, identifiers=["10.5555/of-2021"])
        about = await ask("paper_metadata", **paper)

    for got in (one, many, about):
        assert got.is_error
        assert MISSING in got.text
        assert got.hosts == []
    assert files_below(tmp_path) == []


# PDT-006


async def test_generate_filename_from_metadata(ask):
    got = await ask(
        "paper_download", identifier="10.5555/mirrored-directly", output_dir="reading/of the week"
    )

    path = Path(got.structured["path"])
    assert path.is_absolute()
    assert path.parts[-3:] == (
        "reading",
        "of the week",
        "[2003] - A jetty counted plank by plank.pdf",
    )
    assert is_whole_pdf(path)
    assert str(path) in got.text


async def test_sanitize_special_characters(ask):
    got = await ask("paper_download", identifier="10.5555/punctuated-title", output_dir="signs")

    path = Path(got.structured["path"])
    assert got.structured["title"] == "Harbours: structure/function & weather"
    assert path.name == "[2020] - Harbours structure function weather.pdf"
    assert is_whole_pdf(path)


async def test_handle_long_titles(ask):
    got = await ask("paper_download", identifier="10.5555/long-title", output_dir="long")

    path = Path(got.structured["path"])
    assert got.structured["title"] == LONG_TITLE
    assert path.name == f"[2018] - {LONG_TITLE[:100]}.pdf"
    assert len(path.name.encode()) < 255
    assert is_whole_pdf(path)
