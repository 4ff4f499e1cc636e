"""`sourcewright demo`: four papers, through the real server, in the built-in world."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from sourcewright.cli import render
from sourcewright.cli.commands.resolve import show
from sourcewright.cli.piping import PipeClient
from sourcewright.settings.process import environment_with, sandbox_overrides
from sourcewright.world.internet import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One paper to ask for, and the words in which it has to end."""

    heading: str
    ref: str
    ends: str
    down: str | None = None
    """A host that does not answer during this scene."""


SCENES = (
    Scene(heading="A paper that is fine", ref="10.5555/fine-paper", ends="exists"),
    Scene(heading="A paper that was retracted", ref="10.5555/retracted-paper", ends="retracted"),
    Scene(
        heading="A paper that nobody knows, every source answering",
        ref="10.5555/never-registered-2019",
        ends="does not exist",
    ),
    Scene(
        heading="The same paper, while Crossref is down",
        ref="10.5555/never-registered-2019",
        ends="could not be checked",
        down="api.crossref.org",
    ),
)


_UNDISTURBED = {"SOURCEWRIGHT_SANDBOX_PACE": "0", "TOOLSETS": "papers"}
"""Whatever the person at the keyboard has set, the scenes play the same."""


@click.command("demo")
def command() -> int:
    """Resolve four papers against the built-in world: no network, no keys.

    \b
    Example:
      sourcewright demo
    """
    with tempfile.TemporaryDirectory(prefix="sourcewright-demo-") as folder, World() as world:
        environment = environment_with(
            {**sandbox_overrides(world.url, folder), **_UNDISTURBED, "XDG_CONFIG_HOME": folder}
        )
        with PipeClient(environment) as client:
            render.line(
                f"An invented internet answers at {world.url}; nothing leaves this machine."
            )
            render.line(f"The server offers {', '.join(client.tools())}.")
            missed = [scene for scene in SCENES if not _play(scene, client, world)]
    for scene in missed:
        render.problem("DEMO", f"{scene.heading}: should have ended with {scene.ends!r}")
    return 1 if missed else 0


def _play(scene: Scene, client: PipeClient, world: World) -> bool:
    """Ask for one paper and show what came of it; says whether it ended as it should."""
    render.line()
    render.line(f"== {scene.heading}", bold=True)
    if scene.down:
        world.breaks(scene.down, status=503)
    render.line(f"-> doiget_resolve_paper(ref={scene.ref!r})")
    result = client.call("doiget_resolve_paper", {"ref": scene.ref})
    ending, colour = _ending(result)
    if result["ok"]:
        show(result)
    else:
        _show_failure(result["error"])
    render.line(f"=> {scene.ref} {ending}", bold=True, colour=colour)
    return ending == scene.ends


def _ending(result: Mapping[str, Any]) -> tuple[str, str]:
    """How it ended, in the words of the promise."""
    if not result["ok"]:
        absent = result["error"]["code"] == "NOT_FOUND"
        return ("does not exist", "red") if absent else ("could not be checked", "yellow")
    standing = result["integrity"]["status"]
    return ("exists", "green") if standing == "no_notice_found" else (standing, "red")


def _show_failure(error: Mapping[str, Any]) -> None:
    render.line(f"  {error['code']}: {error['message']}")
    render.line(f"  what to do: {render.ADVICE[error['disposition']]}")
    render.fields(
        [(attempt["source"], render.said(attempt)) for attempt in error.get("attempts", ())],
        indent="  asked  ",
    )
