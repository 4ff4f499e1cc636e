"""`sourcewright memory`: keep findings for later, and find them again."""

from typing import Any

import click

from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.cli.users import refused, show_finding


@click.group("memory")
def command() -> None:
    """Keep findings for later, find them again, and remove them.

    Needs MEMORY_ENABLED=true and your name in STDIO_USER_ID.

    \b
    Example:
      sourcewright memory save "Neap tides are lowest at the quarter moons" --topic tides
      sourcewright memory recall neap
    """


@command.command("save")
@click.argument("note")
@click.option("--topic", help="A label to group by.")
@click.option("--url", help="The source.")
@click.option("--tag", "tags", multiple=True, help="A label of your own; may be repeated.")
@options.as_json
def save(note: str, tags: tuple[str, ...], as_json: bool, **fields: str | None) -> int:
    """Keep a finding.

    \b
    Example:
      sourcewright memory save "Silt fills the harbour" --tag silt --url https://example.org/
    """
    filled = {name: value for name, value in fields.items() if value is not None}
    arguments: dict[str, Any] = {"note": note, "tags": list(tags), **filled}
    structured = tool_calls.call("memory_save", arguments).structured
    code = refused(structured, as_json=as_json)
    if code is None:
        render.item(f"saved {structured['id']}")
        if "reason" in structured:
            render.item(structured["reason"], colour="yellow")
    return code or exit_codes.DONE


@command.command("recall")
@click.argument("words", nargs=-1)
@click.option("--topic", help="Only this topic.")
@click.option("--limit", type=int, default=20, show_default=True, help="At most so many.")
@options.as_json
def recall(words: tuple[str, ...], topic: str | None, limit: int, as_json: bool) -> int:
    """Find findings by words or topic; the latest ones without either.

    \b
    Example:
      sourcewright memory recall --topic tides
    """
    arguments: dict[str, Any] = {"limit": limit, "query": " ".join(words) or None, "topic": topic}
    structured = tool_calls.call("memory_recall", arguments).structured
    code = refused(structured, as_json=as_json)
    if code is not None:
        return code
    for one in structured["memories"]:
        about = "  ".join(filter(None, (one["createdAt"][:10], one.get("topic"), one["id"])))
        show_finding(one, about)
    left = structured["total"] - structured["count"]
    if left:
        render.status(f"{left} more; see them with --limit")
    elif not structured["memories"]:
        render.item("nothing was found")
    if "reason" in structured:
        render.item(structured["reason"], colour="yellow")
    return exit_codes.DONE


@command.command("forget")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@options.as_json
def forget(ids: tuple[str, ...], as_json: bool) -> int:
    """Remove findings by their ids, as `recall` shows them.

    \b
    Example:
      sourcewright memory forget 01KA8M7Y2E3V1ZJ0QH5T9WXCBD
    """
    removed = tool_calls.run_with_application(
        lambda application: application.services.teams.memory.forget(ids)
    )
    if as_json:
        render.data({"removed": removed})
    else:
        render.item(f"removed {removed} of {len(set(ids))}")
    return exit_codes.DONE if removed == len(set(ids)) else exit_codes.FAILED
