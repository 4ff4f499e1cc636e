"""`sourcewright tool NAME`: call any tool, with options generated from its schema."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

import click

from sourcewright import manifest
from sourcewright.base.text.similar_names import similar_names
from sourcewright.cli import render, tool_calls
from sourcewright.cli.shell.help_pages import use_help_pages
from sourcewright.cli.shell.lazy_groups import LazyGroup
from sourcewright.settings import TOOLSETS

_TYPES: Mapping[str, click.ParamType[Any]] = {
    "boolean": click.BOOL,
    "integer": click.INT,
    "number": click.FLOAT,
}


class ToolGroup(LazyGroup):
    """One command per tool, built from the manifest, so that help imports no tool."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_listings())

    def candidates(self, ctx: click.Context, name: str) -> list[str]:
        return similar_names(name, self.list_commands(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        listing = _listings().get(cmd_name)
        return use_help_pages(command_for(listing)) if listing else None


@click.command("tool", cls=ToolGroup)
def command() -> None:
    """Call a tool by its MCP name, with its arguments as options.

    \b
    Example:
      sourcewright tool doiget_resolve_paper --ref 10.1371/journal.pone.0033693 --json
    """


def command_for(listing: Mapping[str, Any]) -> click.Command:
    """The command for one tool, as `tools/list` describes it."""
    schema = listing["inputSchema"]
    required = schema.get("required", ())
    options = [
        _option(name, rules, required=name in required)
        for name, rules in schema.get("properties", {}).items()
    ]

    def run(*, as_json: bool, **values: Any) -> int:
        arguments = {
            name: _list_of(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value not in (None, ())
        }
        result = tool_calls.call(listing["name"], arguments)
        if as_json and arguments.get("dry_run"):
            render.json_text(result.structured_json)
            return render.exit_code(result.structured)
        return _show(result.structured, as_json=as_json)

    return click.Command(
        listing["name"],
        callback=run,
        params=[
            *options,
            click.Option(["--json", "as_json"], is_flag=True, help="Print the structured result."),
        ],
        help=_help(listing),
        short_help=listing["title"],
    )


def _option(name: str, rules: Mapping[str, Any], *, required: bool) -> click.Option:
    kinds = [kind for form in rules.get("anyOf", [rules]) for kind in _types_of(form)]
    known = [_TYPES[kind] for kind in kinds if kind in _TYPES]
    return click.Option(
        ["--" + name.replace("_", "-"), name],
        required=required,
        multiple="array" in kinds,
        # A value that may be of several types stays text; the tool converts it.
        type=known[0] if len(known) == 1 and not {"string", "array"} & {*kinds} else click.STRING,
        help=rules.get("description"),
    )


def _list_of(values: tuple[str, ...]) -> list[Any]:
    """The values of an option that may be repeated, or given once as a JSON array."""
    try:
        items = json.loads(values[0]) if len(values) == 1 else None
    except (ValueError, RecursionError):
        items = None
    return items if isinstance(items, list) else list(values)


def _types_of(schema: Mapping[str, Any]) -> list[str]:
    types: str | list[str] = schema.get("type", [])
    return [types] if isinstance(types, str) else types


def _help(listing: Mapping[str, Any]) -> str:
    arguments = " ".join(
        f"--{name.replace('_', '-')} {shlex.quote(_argument_text(one))}"
        for name, value in listing.get("example", {}).items()
        for one in (value if isinstance(value, list) else [value])
    )
    # \b keeps click from rewrapping the lines of the description.
    paragraphs = "\n\n".join("\b\n" + part for part in listing["description"].split("\n\n"))
    return (
        f"{paragraphs}\n\n\b\nExample:\n  sourcewright tool {listing['name']} {arguments}".rstrip()
    )


def _argument_text(value: object) -> str:
    """The value of an example as text for a command line."""
    return value if isinstance(value, str) else json.dumps(value)


def _listings() -> dict[str, dict[str, Any]]:
    examples = {entry["name"]: entry["example"] for entry in manifest.load()["tools"]}
    return {
        listing["name"]: {**listing, "example": examples[listing["name"]]}
        for listing in manifest.offered(TOOLSETS)
    }


def _show(result: Mapping[str, Any], *, as_json: bool) -> int:
    if as_json:
        render.data(result)
    elif render.is_failure(result):
        return render.failure(result)
    else:
        _show_fields(result)
    return render.exit_code(result)


def _show_fields(result: Mapping[str, Any]) -> None:
    """Print plain values in two columns, then each list of records as a table."""
    lists = {n: v for n, v in result.items() if v and isinstance(v, list) and _are_records(v)}
    render.fields((n, _cell(v)) for n, v in result.items() if n not in lists)
    for name, records in lists.items():
        render.line(f"  {name}")
        # A field that does not apply is omitted, so a record may have fewer than the others.
        head = list(dict.fromkeys(field for one in records for field in one))
        render.table(head, [[_cell(one.get(field)) for field in head] for one in records])


def _are_records(values: list[Any]) -> bool:
    return all(isinstance(value, dict) for value in values)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
