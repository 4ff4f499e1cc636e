"""Every example in the help of a command or a tool, pasted into a shell."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
import warm_python
from tests.stores.catalogues.retraction_lists import csv_of, row

from sourcewright.cli.main import sourcewright
from sourcewright.domain.users.sessions import Owner
from sourcewright.settings import TABLE, Settings
from sourcewright.wiring import build

FINE = "10.5555/fine-paper"
INVENTED = {
    "10.1371/journal.pone.0033693": FINE,
    "doi_10.1371_journal.pone.0033693": f"doi_{FINE.replace('/', '_')}",
    "--output article.pdf": "--output copy.pdf",
    "2401.12345": "2401.99901",
    "1706.03762": "2401.99901",
    "~/Downloads/article.pdf": "article.pdf",
    "wiki/Tide --section History": "wiki/Estuary",
    "https://example.org/data.json": "https://pages.meridian.example/data.json",
    "| less": "| cat",
    "Ioannidis JPA. Why most published research findings are false. PLoS Med 2005;2:e124.": (
        "Okonkwo A, et al. Tidal mixing and the memory of estuaries. Journal of Tidal Research 2019;14:101."
    ),
}
"""What an example names in the world outside, and what stands for it in ours."""
KEYS = dict.fromkeys(("EXA_API_KEY", "BRAVE_API_KEY", "FRED_API_KEY"), "an-invented-key")
"""What examples need that are of tools with a paid provider."""
SWITCHES = dict.fromkeys((one.name for one in TABLE if one.lists_tools), "true")
USER = {"STDIO_USER_ID": "ann", **SWITCHES}
TRIED_ELSEWHERE = {
    "sourcewright demo",
    "sourcewright world --port 8099 &",
    "sourcewright serve --http 8080",
    "sourcewright keys revoke 3f0c1d2e4b5a6978",
    "sourcewright redis accept",
    "sourcewright library restore 10.1371/journal.pone.0033693",
    "sourcewright log acknowledge doi_10.1371_journal.pone.0033693.pdf",
}
"""They bring a world of their own, stay until they are stopped, or need a key, a Redis, a paper in
the trash or a file that is missing."""


BEGIN = "tool sequential_search --searchStep Survey --stepNumber 1 --nextStepNeeded true"
SESSION_FILE, MEMORY_FILE = "session-id", "memory-id"
MEMORY = "01KA8M7Y2E3V1ZJ0QH5T9WXCBD"
"""How an example names a memory."""
SESSIONS = ("3f0c1a52-6f0e-4a53-9d0e-5b7f6a1f2c11", "00000000-0000-4000-8000-000000000000", "3f0c")
"""How examples name a session, in full or by its beginning."""


def helps(command: click.Command, parent: click.Context | None = None) -> Iterator[str]:
    """The help of a command and of every command below it."""
    context = click.Context(command, parent, info_name=command.name, terminal_width=400)
    yield command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from helps(below, context)


def examples_in(text: str) -> list[str]:
    _, _, rest = text.partition("Example:\n")
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()]


EXAMPLES = {one: None for text in helps(sourcewright) for one in examples_in(text)}


@pytest.fixture(scope="module")
def library(one_world, tmp_path_factory):
    """A home with one paper, one session, and the files that the examples name."""
    from sourcewright.settings.process import sandbox_overrides

    home = tmp_path_factory.mktemp("home")
    given = {"PATH": os.environ["PATH"], "HOME": str(home), "SOURCEWRIGHT_SANDBOX_PACE": "0"}
    given |= USER
    warm_python.run(
        [sys.executable, "-m", "sourcewright", "fetch", FINE],
        env=given | sandbox_overrides(one_world.url, str(home)),
        cwd=home,
        check=True,
        timeout=300,
    )
    begun = warm_python.run(
        [sys.executable, "-m", "sourcewright", *BEGIN.split(), "--json"],
        env=given | sandbox_overrides(one_world.url, str(home)),
        cwd=home,
        capture_output=True,
        check=True,
        timeout=300,
    )
    (home / SESSION_FILE).write_text(json.loads(begun.stdout)["sessionId"], encoding="utf-8")
    settings = Settings.load(given | sandbox_overrides(one_world.url, str(home)), cwd=home)
    (home / MEMORY_FILE).write_text(asyncio.run(use_teams(settings)), encoding="utf-8")
    for name in ("references.bib", "refs.bib"):
        (home / name).write_text(f"@article{{a, doi={{{FINE}}}}}\n", encoding="utf-8")
    (home / "old.ris").write_text(f"TY  - JOUR\nDO  - {FINE}\nER  - \n", encoding="utf-8")
    (home / "retraction_watch.csv").write_text(csv_of(row()), encoding="utf-8")
    cited = "\\cite{a}\n\\bibliography{references}\n"
    (home / "paper.tex").write_text(cited, encoding="utf-8")
    (home / "ids.txt").write_text(f"{FINE}\n", encoding="utf-8")
    [pdf] = (home / "papers").glob("*.pdf")
    for name in ("article.pdf", "paper.pdf"):
        shutil.copy(pdf, home / name)
    return home


async def use_teams(settings: Settings) -> str:
    """Make the workspaces and the memory that examples name; returns the id of the memory."""
    ann = Owner(tenant="default", user="ann")
    async with build(settings) as app:
        teams = app.services.teams
        await teams.consents.decide(ann, "workspace", granted=True, decided_from="test")
        await teams.workspaces.create("old-project")
        await teams.workspaces.add_member("tides", ann, creating=True)
        saved = await app.call("memory_save", {"note": "A note"})
        return str(saved.structured["id"])


def test_every_command_and_every_tool_has_an_example():
    without = [text.splitlines()[0] for text in helps(sourcewright) if not examples_in(text)]

    assert without == []


@pytest.mark.parametrize("example", sorted(set(EXAMPLES) - TRIED_ELSEWHERE))
def test_an_example_runs_as_it_stands(example, library, environment, tmp_path):
    shutil.copytree(library, tmp_path, dirs_exist_ok=True)
    words = example
    for outside, ours in INVENTED.items():
        words = words.replace(outside, ours)
    session = (tmp_path / SESSION_FILE).read_text(encoding="utf-8")
    words = re.sub("|".join(SESSIONS), lambda named: session[: len(named[0])], words)
    words = words.replace(MEMORY, (tmp_path / MEMORY_FILE).read_text(encoding="utf-8"))
    if words.startswith("SOURCEWRIGHT_SANDBOX_URL="):
        words = words.partition(" ")[2]

    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {words}"],
        env=environment | KEYS | USER | {"PATH": f"{warm_python.folder()}:{environment['PATH']}"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
