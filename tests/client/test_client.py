"""The public API of Python: every job, its failures, and what a notebook shows."""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sourcewright
from sourcewright import aio
from sourcewright.base import InvalidInput, NotConfigured
from sourcewright.settings import SettingsError

RETRACTED = "10.5555/retracted-paper"
ENTRY = f"@article{{bells, title={{Harbour bells cure insomnia: a randomised trial}}, doi={{{RETRACTED}}}}}"


@pytest.fixture
def client(environment: dict[str, str]) -> Iterator[sourcewright.Client]:
    changes = {name: value for name, value in environment.items() if name not in ("PATH", "HOME")}
    with sourcewright.Client(settings=changes) as one:
        yield one


def test_a_paper_is_resolved_with_its_notices(client: sourcewright.Client) -> None:
    paper = client.resolve(RETRACTED)

    assert (paper.title, paper.year, paper.status) == (
        "Harbour bells cure insomnia: a randomised trial",
        2016,
        "retracted",
    )
    assert json.loads(json.dumps(paper.to_dict()))["id"] == paper["id"] == RETRACTED


def test_only_absence_is_said_to_be_absence(client: sourcewright.Client, internet: Any) -> None:
    with pytest.raises(sourcewright.DoesNotExist) as absent:
        client.resolve("10.5555/never-registered-2019")
    internet.breaks("doi.org", status=503)
    with pytest.raises(sourcewright.CallFailed) as unknown:
        client.resolve("10.5555/never-registered-2020")

    assert absent.value.kind == "NOT_FOUND"
    assert not isinstance(unknown.value, sourcewright.DoesNotExist)
    assert unknown.value.to_dict()["code"] == unknown.value.kind != "NOT_FOUND"


def test_a_citation_is_verified(client: sourcewright.Client) -> None:
    check = client.verify("Harbour bells cure insomnia: a randomised trial. 1999.")

    assert check.status == "mismatch"
    assert [one["field"] for one in check.differing] == ["year"]
    assert check.is_retracted


@pytest.mark.parametrize("given", ["text", "path", "name", "bytes"])
def test_a_bibliography_is_audited_however_it_is_given(
    client: sourcewright.Client, tmp_path: Path, given: str
) -> None:
    path = tmp_path / "works.bib"
    path.write_text(ENTRY, encoding="utf-8")
    sources = {"text": ENTRY, "path": path, "name": str(path), "bytes": ENTRY.encode()}

    audit = client.audit(sources[given])

    assert [(row["key"], row["flags"]) for row in audit.flagged("retracted")] == [
        ("bells", ["retracted"])
    ]


def test_a_mistyped_file_is_no_bibliography(client: sourcewright.Client) -> None:
    with pytest.raises(InvalidInput, match="neither a file nor"):
        client.audit("refernces.bib")


def test_a_paper_is_fetched_into_the_library(client: sourcewright.Client) -> None:
    paper = client.fetch(RETRACTED)

    assert paper.path is not None
    assert Path(paper.path).read_bytes().startswith(b"%PDF-")


def test_searches_list_what_they_found(client: sourcewright.Client) -> None:
    assert [row["doi"] for row in client.papers("harbour bells insomnia").rows if row.get("doi")]


def test_a_page_and_a_document_are_read(client: sourcewright.Client, tmp_path: Path) -> None:
    (tmp_path / "ports.csv").write_text("port,metres\nBrest,7.1\n", encoding="utf-8")

    table = client.read(tmp_path / "ports.csv")
    words = client.read(b"<title>Tides</title><p>They come and go, twice a day.</p>")

    assert "Brest" in str(table)
    assert "twice a day" in words.content
    with pytest.raises(InvalidInput, match="cannot be read"):
        client.read(tmp_path / "nothing.pdf")


def test_any_tool_can_be_called_by_its_name(client: sourcewright.Client) -> None:
    assert client.call("doiget_health")["ok"]
    with pytest.raises(NotConfigured, match="is not available"):
        client.call("doiget_helth")


def test_a_closed_client_says_so(client: sourcewright.Client) -> None:
    client.close()
    client.close()

    with pytest.raises(RuntimeError, match="closed"):
        client.resolve(RETRACTED)


def test_the_same_jobs_can_be_awaited(environment: dict[str, str]) -> None:
    changes = {name: value for name, value in environment.items() if name not in ("PATH", "HOME")}

    async def statuses() -> list[str | None]:
        async with aio.Client(settings=changes) as client:
            papers = await asyncio.gather(*(client.resolve(RETRACTED) for _ in range(3)))
        return [paper.status for paper in papers]

    assert asyncio.run(statuses()) == ["retracted"] * 3


def test_a_sandbox_needs_nothing_and_leaves_nothing() -> None:
    with sourcewright.Client(sandbox=True) as client:
        path = client.fetch(RETRACTED).path

    assert path is not None
    assert not Path(path).exists()


def test_a_function_closes_what_it_opened(environment: dict[str, str], tmp_path: Path) -> None:
    program = f"import sourcewright\nprint(sourcewright.resolve({RETRACTED!r}).status)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.stdout, done.stderr, done.returncode) == ("retracted\n", "", 0)


def test_references_are_parsed_and_written_without_asking_anybody(internet: Any) -> None:
    text = "Lee, A. (2019). On tides. Journal of Tides, 4(2), 11-29."

    reference = sourcewright.parse_references(text)

    assert sourcewright.format_references(reference, "mla") == [
        "Lee, A. \u201cOn Tides.\u201d Journal of Tides, vol. 4, no. 2, 2019, pp. 11\u201329."
    ]
    for style in ("apa", "bibtex", "ris", "csl-json"):
        [written] = sourcewright.format_references(reference, style)
        assert sourcewright.parse_references(written)[0].title == "On tides"
    assert internet.seen == []


@pytest.mark.parametrize(
    "kind", [sourcewright.Papers, sourcewright.Audit, sourcewright.SearchResults]
)
def test_a_notebook_shows_strangers_words_as_words(
    kind: Callable[..., sourcewright.Result],
) -> None:
    row = {"title": "<script>alert(1)</script>", "url": "javascript:alert(1)", "flags": []}
    fields = ("entries", "papers", "results")

    shown = kind(dict.fromkeys(fields, [row] * 60))._repr_html_()

    assert "<script" not in shown
    assert "href" not in shown
    assert "and 10 more" in shown


def test_a_wrong_setting_leaves_no_sandbox_behind() -> None:
    before = set(Path(tempfile.gettempdir()).glob("sourcewright-sandbox-*"))

    with pytest.raises(SettingsError, match="SOURCEWRIGHT_NO_SUCH"):
        sourcewright.Client(sandbox=True, settings={"SOURCEWRIGHT_NO_SUCH": "1"})

    assert set(Path(tempfile.gettempdir()).glob("sourcewright-sandbox-*")) <= before
