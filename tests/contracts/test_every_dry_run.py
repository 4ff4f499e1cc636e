"""A dry run of any tool sends no request and changes no file, over MCP and at the terminal."""

import pytest

from sourcewright import tools
from sourcewright.cli.stdio_client import PipeClient

PAPER = "10.5555/fine-paper"
SPECS = {
    name: spec for name, spec in tools.discover().items() if "dry_run" in spec.ask.model_fields
}
ARGUMENTS = {name: spec.example | {"dry_run": True} for name, spec in SPECS.items()}
COMMANDS = [("fetch", PAPER), ("fetch", "nonsense"), ("batch", "list.txt")]


@pytest.fixture(params=["a new home", "a used home"])
def home(request, cli, tmp_path):
    """Everything that a user has: settings, papers, index, logs, ledger, caches."""
    (tmp_path / "list.txt").write_text(f"{PAPER}\n2401.99901\n", encoding="utf-8")
    if request.param == "a used home":
        cli("fetch", PAPER)
    return tmp_path


def contents(folder):
    """Every file with its bytes, every folder, and when each was changed."""
    return {
        path.relative_to(folder): (
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() else None,
        )
        for path in (folder, *folder.rglob("*"))
    }


def test_the_tools_that_write_papers_have_a_dry_run():
    assert {"doiget_fetch_paper", "doiget_batch_fetch", "doiget_metadata_only"} <= SPECS.keys()


def test_a_dry_run_through_the_protocol_changes_nothing(environment, internet, home):
    internet.forget()
    before = contents(home)

    with PipeClient({**environment, "DOIGET_STORE_ROOT": str(home / "papers")}) as client:
        answer = [client.call(name, item) for name, item in ARGUMENTS.items()]
        refused = client.call("doiget_fetch_paper", {"ref": "nonsense", "dry_run": True})

    assert all(one["ok"] and one["dry_run"] for one in answer)
    assert refused["error"]["code"] == "INVALID_REF"
    assert internet.seen == []
    assert contents(home) == before


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_dry_run_from_the_command_line_changes_nothing(cli, internet, home, words):
    internet.forget()
    before = contents(home)

    done = cli(*words, "--dry-run")

    assert ("nonsense" in words) == bool(done.returncode)
    assert internet.seen == []
    assert contents(home) == before


@pytest.mark.anyio
async def test_only_a_dry_run_goes_without_an_audit_event(application, tmp_path):
    app = await application()

    await app.call("doiget_fetch_paper", {"ref": PAPER, "dry_run": True})
    await app.call("doiget_fetch_paper", {"ref": PAPER, "dry_run": False})
    await app.call("doiget_fetch_paper", {"ref": PAPER, "dry_run": "yes"})
    await app.aclose()

    events = (tmp_path / "state" / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(events) == 2
