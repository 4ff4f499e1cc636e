"""Builds the reference page of the tools from their schemas."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sourcewright.cli.reference.markdown import code, codes, page, sentences, table
from sourcewright.domain.tool_descriptions import resolve_mentions
from sourcewright.tools._base import ToolSpec

Schema = Mapping[str, Any]

_LEAD = """\
Every tool is available over MCP under this name, and as `sourcewright tool NAME` on the command line. [The examples](examples.md) show a real call of each, with its answer.

Some arguments mean the same in several tools. `sessionId` of a search or a page is the session of `sequential_search` in which the results are recorded. `provider` is the only source that is queried. `num_results` is adjusted to its range. With `dry_run` a tool returns its plan and does nothing. `ref` is a DOI, an arXiv, PubMed or PMC id in any common form, or its URL.

What a call can do is announced in its annotations, and observed in the tests for every tool in every mode. A tool is read-only (`readOnlyHint`) if it keeps nothing but records of the call: rows of the provenance and audit logs, counters, cached answers, and steps and sources of the research session that the call names. A tool that is announced as using no network (`openWorldHint: false`) is refused the network while it runs. Nothing is deleted by any tool (`destructiveHint: false`)."""


def tools_page(specs: Sequence[ToolSpec]) -> str:
    rows = [(f"[`{spec.name}`](#{spec.name})", spec.title, code(spec.toolset)) for spec in specs]
    names = {spec.name for spec in specs}
    overview = table(("Tool", "What it does", "Toolset"), rows)
    return page("Tools", _LEAD, overview, *(_section(spec, names) for spec in specs))


def _section(spec: ToolSpec, names: Collection[str]) -> str:
    listing = spec.listing()
    blocks = [
        f"## {spec.name}",
        _description(resolve_mentions(spec.description, names)),
        _behaviour(spec),
    ]
    if arguments := _arguments(listing["inputSchema"]):
        blocks += ["Arguments:", arguments]
    else:
        blocks.append("It takes no arguments.")
    example = json.dumps(dict(spec.example), ensure_ascii=False)
    blocks += ["Example arguments:", f"```json\n{example}\n```"]
    blocks += ["Answer:", _answer(spec.answer_schema())]
    return "\n\n".join(blocks)


def _description(text: str) -> str:
    """A tool's description as Markdown: a summary, then sections that begin with a title."""
    lines = []
    for line in text.splitlines():
        title, colon, rest = line.partition(": ")
        if colon and title.isupper():
            lines.append(f"- **{title.capitalize()}**: {rest}")
        else:
            lines.append(sentences(line))
    return "\n".join(lines)


def _behaviour(spec: ToolSpec) -> str:
    changes = "keeps nothing for you" if spec.read_only else "keeps what it makes"
    repeats = (
        "can be repeated without further effect"
        if spec.idempotent
        else "has an effect on every call"
    )
    reaches = "can query external sources" if spec.open_world else "does not use the network"
    return f"It {changes}, {repeats}, and {reaches}."


def _arguments(schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        (
            code(name),
            type_name(facts, schema),
            "required" if name in required else code(json.dumps(facts.get("default"))),
            facts.get("description", ""),
        )
        for name, facts in schema.get("properties", {}).items()
    ]
    return table(("Name", "Type", "Default", "Meaning"), rows) if rows else ""


def _answer(schema: Schema) -> str:
    success = schema.get("anyOf", [schema])[0]
    rows = [
        (code(name), type_name(facts, schema), facts.get("description", ""))
        for name, facts in success.get("properties", {}).items()
    ]
    return table(("Field", "Type", "Meaning"), rows)


def type_name(facts: Schema, root: Schema) -> str:
    """A short name for the type of a JSON Schema."""
    if "$ref" in facts:
        target = root.get("$defs", {}).get(str(facts["$ref"]).rpartition("/")[2], {})
        return type_name(target, root)
    if forms := _forms(facts):
        return " or ".join(dict.fromkeys(type_name(each, root) for each in forms))
    if "const" in facts:
        return code(json.dumps(facts["const"]))
    if "enum" in facts:
        return codes(json.dumps(value) for value in facts["enum"])
    if facts.get("type") == "array":
        return f"list of {type_name(facts.get('items', {}), root)}"
    return str(facts.get("type", "any"))


def _forms(facts: Schema) -> list[Schema]:
    """The schemas of which any may hold: several types of one value are several schemas."""
    if "enum" not in facts and isinstance(facts.get("type"), list):
        return [{**facts, "type": each} for each in facts["type"]]
    forms: list[Schema] = facts.get("anyOf", [])
    return forms
