"""`sourcewright demo`: look up and fetch papers through the real server, in the sandbox."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import render
from sourcewright.cli.commands import fetch, resolve
from sourcewright.cli.stdio_client import PipeClient
from sourcewright.settings.process import environment_with, sandbox_overrides
from sourcewright.stores.logs import provenance
from sourcewright.world.internet import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One tool call of the demo, and the outcome it must have."""

    heading: str
    ref: str
    ends: str
    tool: str = "doiget_resolve_paper"
    down: str | None = None
    """A host that does not answer during this scene."""


SCENES = (
    Scene(heading="A paper without notices", ref="10.5555/fine-paper", ends="exists"),
    Scene(heading="A paper that was retracted", ref="10.5555/retracted-paper", ends="retracted"),
    Scene(
        heading="A DOI that no source knows, with every source answering",
        ref="10.5555/never-registered-2019",
        ends="does not exist",
    ),
    Scene(
        heading="The same DOI while Crossref is down",
        ref="10.5555/never-registered-2019",
        ends="could not be checked",
        down="api.crossref.org",
    ),
    Scene(
        heading="Fetching the paper without notices",
        ref="10.5555/fine-paper",
        ends="was fetched, and the file is this paper",
        tool="doiget_fetch_paper",
    ),
    Scene(
        heading="Fetching a paper whose open access link leads to another paper",
        ref="10.5555/wrong-file",
        ends="was not kept, because the file is another paper",
        tool="doiget_fetch_paper",
    ),
)


_FIXED_SETTINGS = {"SOURCEWRIGHT_SANDBOX_PACE": "0", "TOOLSETS": "papers"}
"""Override the user's own settings, so that the demo always runs the same."""


@click.command("demo")
def command() -> int:
    """Look up and fetch papers in a simulated internet.

    It needs no network and no keys, and takes about a minute.

    \b
    Example:
      sourcewright demo
    """
    with tempfile.TemporaryDirectory(prefix="sourcewright-demo-") as folder, World() as world:
        environment = environment_with(
            {**sandbox_overrides(world.url, folder), **_FIXED_SETTINGS, "XDG_CONFIG_HOME": folder}
        )
        with PipeClient(environment) as client:
            render.line(
                f"A simulated internet is running at {world.url}; nothing leaves this machine."
            )
            render.line(f"The server offers {', '.join(client.tools())}.")
            missed = [scene for scene in SCENES if not _play(scene, client, world)]
        holds = _show_log(Path(environment["DOIGET_LOG_PATH"]))
    for scene in missed:
        render.problem("DEMO", f"{scene.heading}: expected the outcome {scene.ends!r}")
    return 1 if missed or not holds else 0


def _play(scene: Scene, client: PipeClient, world: World) -> bool:
    """Run one scene and print its result; returns whether the outcome is the expected one."""
    render.line()
    render.line(f"== {scene.heading}", bold=True)
    if scene.down:
        world.breaks(scene.down, status=503)
    render.line(f"-> {scene.tool}(ref={scene.ref!r})")
    result = client.call(scene.tool, {"ref": scene.ref})
    world.mends()
    ending, colour = _ending(result)
    if not result["ok"]:
        _show_failure(result["error"])
    else:
        (fetch.show if "pdf" in result else resolve.show)(result)
    render.line(f"=> {scene.ref} {ending}", bold=True, colour=colour)
    return ending == scene.ends


def _ending(result: Mapping[str, Any]) -> tuple[str, str]:
    """The outcome as text, and its colour."""
    if not result["ok"]:
        absent = result["error"]["code"] == "NOT_FOUND"
        return ("does not exist", "red") if absent else ("could not be checked", "yellow")
    if "pdf" in result:
        return _fetch_ending(result)
    status = result["integrity"]["status"]
    return ("exists", "green") if status == "no_notice_found" else (status, "red")


def _fetch_ending(result: Mapping[str, Any]) -> tuple[str, str]:
    pdf = result["pdf"]
    if pdf["file_check"] == "confirmed":
        return "was fetched, and the file is this paper", "green"
    if "not this paper" in pdf["reason"]:
        return "was not kept, because the file is another paper", "yellow"
    return f"ended with {pdf['status']}", "red"


def _show_log(path: Path) -> bool:
    """Verify the provenance log of the demo; returns whether its hash chain is intact."""
    report = provenance.verify(path)
    ending = "is intact" if report.ok else "is broken"
    render.line()
    render.line("== The provenance log of this demo", bold=True)
    render.line(
        f"=> {count_phrase(report.rows, 'row')}; the hash chain {ending}",
        bold=True,
        colour="green",
    )
    return report.ok


def _show_failure(error: Mapping[str, Any]) -> None:
    render.line(f"  {error['code']}: {error['message']}")
    render.line(f"  what to do: {render.ADVICE[error['disposition']]}")
    render.source_remarks(error)
