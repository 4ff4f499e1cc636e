"""Calls every tool in the simulated internet, and writes the page with its examples.

Times, ids and folders are replaced, because they differ each time; long values are shortened.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sourcewright import tools, wiring
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.users.sessions import Owner
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.world.corpus import web
from sourcewright.world.internet import World

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "examples.md"
WIDTH = 100
MAX_TEXT, MAX_SHORT, MAX_ENTRIES, MAX_FIELDS, MAX_DEPTH = 160, 60, 2, 10, 4
PAPER = "10.5555/fine-paper"
KEYS = {
    "BRAVE_API_KEY": "an-invented-key",
    "COURTLISTENER_API_TOKEN": "an-invented-token",
    "EXA_API_KEY": "an-invented-key",
    "MEMORY_ENABLED": "true",
    "SOURCEWRIGHT_CONNECTOR_TOOLS": "true",
    "SEARCHAPI_API_KEY": "an-invented-key",
    "STDIO_USER_ID": "ada",
    "USER_ANALYTICS_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
}
"""Settings without which some tools are not listed."""
REFERENCES = """\
@article{fine, title={Tidal mixing and the memory of estuaries}, doi={10.5555/fine-paper}}
@article{bells, title={Harbour bells cure insomnia: a randomised trial}, doi={10.5555/retracted-paper}}
@article{ghost, title={A paper that nobody wrote}, doi={10.5555/never-registered-2019}}
"""
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "doiget_resolve_paper": {"ref": "10.5555/retracted-paper"},
    "doiget_fetch_paper": {"ref": PAPER},
    "doiget_metadata_only": {"ref": "10.5555/retracted-paper"},
    "doiget_batch_fetch": {"refs": [PAPER, "10.5555/never-registered-2019"]},
    "doiget_expand_citation_graph": {"ref": PAPER, "depth": 1},
    "doiget_bibtex_export": {"refs": [PAPER]},
    "doiget_csl_export": {"refs": [PAPER]},
    "doiget_info": {"ref": PAPER},
    "doiget_paper_pdf_path": {"ref": PAPER},
    "read_paper": {"ref": PAPER, "max_length": 2000},
    "doiget_search_local": {"query": "estuaries"},
    "audit_bibliography": {"bibliography": REFERENCES},
    "memory_save": {"note": "Neap tides mix the estuary least.", "topic": "tides"},
    "paper_batch_download": {"identifiers": [PAPER, "10.5555/never-registered-2019"]},
    "paper_download": {"identifier": PAPER},
    "paper_metadata": {"identifier": PAPER},
    "verify_citation": {
        "citation": "Fabricant, P., & Smith, J. (2017). Harbour bells cure insomnia: a randomised trial. Journal of Tidal Research, 11(5), 420-431."
    },
    "verify_recommendation": {
        "recommendations": [
            {
                "title": "1. Lakeside kettles",
                "url": "https://blog.lakeside.example/web/kelp-forests-1.html",
            }
        ],
        "claim": "the best kettles",
    },
    "patent_search": {"query": "tidal turbine", "provider": "searchapi"},
    "fetch": {"id": f"doi:{PAPER}"},
}
"""Calls about what the simulated internet knows; other tools are called with their own example."""
FIRST = (
    *("doiget_resolve_paper", "doiget_fetch_paper", "doiget_metadata_only", "doiget_batch_fetch"),
    *("sequential_search", "memory_save", "workspace_contribute"),
)
"""Tools whose calls leave what others show, in this order."""
FROM_THE_WEB = frozenset(
    {
        "answer",
        "image_search",
        "news_search",
        "search",
        "search_and_scrape",
        "structured_search",
        "web_search",
    }
)
"""Their pages are always as old as they are, so their dates differ each day."""

FROM_MANY_INDEXES = frozenset(
    {"academic_search", "audit_bibliography", "citation_graph", "verify_citation"}
)
"""They ask several indexes at once, and the first answer that suffices is used."""
_RACED = frozenset({"coverage", "matchedRecord", "noticeCheck", "provenance", "suggestion"})
_INDEXES = frozenset({"europepmc", "openalex", "pubmed", "semanticscholar"})
_RECORD_OF = re.compile(rf"the record of (?:{'|'.join(sorted(_INDEXES))})")

_REPLACED = (
    (
        re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"),
        "2026-11-17T12:00:00Z",
    ),
    (
        re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"),
        "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    ),
    (re.compile(r"\b[0-9a-f]{64}\b"), f"{'0123456789abcdef' * 2}\u2026"),
    (re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{24}\b"), "01JD0000000000000000000000"),
    (re.compile(r"(?<=/web/)\d{14}(?=/)"), "20261117120000"),
    (re.compile(r"(?<=ime: )[\d.]+(?= seconds)"), "0.1"),
)
_DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_DURATION = re.compile(r"(?:[a-z]Ms|_ms|[a-z]Seconds|_seconds)$")


class Example(NamedTuple):
    """One call and its answer, as the page shows them."""

    tool: str
    arguments: Mapping[str, Any]
    answer: Any


async def examples(world: World, folder: str, interpreter: str = sys.executable) -> list[Example]:
    """Call every tool once, in one application; in the order of their names."""
    web.renew()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": folder,
        **sandbox_overrides(world.url, folder),
        "SOURCEWRIGHT_SANDBOX_PACE": "0",
        "CHROME_PATH": "disabled",
        **KEYS,
    }
    specs = tools.discover()
    machine = wiring.Machine(interpreter=interpreter)
    settings = Settings.load(environment, cwd=Path(folder))
    made: dict[str, Example] = {}
    session = ""
    async with wiring.build(settings, machine) as application:
        await _join(application)
        for name in (*FIRST, *sorted(specs.keys() - {*FIRST})):
            arguments = dict(ARGUMENTS.get(name, specs[name].example))
            if "sessionId" in arguments:
                arguments["sessionId"] = session
            result = await application.call(name, arguments)
            session = session or str(result.structured.get("sessionId") or "")
            shown = result.structured if result.is_json or not result.text else result.text
            asked = _steady(arguments, name, folder)
            made[name] = Example(name, asked, _steady(shown, name, folder))
    return [made[name] for name in sorted(made)]


async def _join(application: Any) -> None:
    """Let the user of the examples consent to share, and join the workspace."""
    user = Owner(tenant="default", user=KEYS["STDIO_USER_ID"])
    await application.services.teams.consents.decide(
        user, "workspace", granted=True, decided_from="command line", terms_version=None
    )
    await application.services.teams.workspaces.add_member("tides", user, creating=True)


def _today() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Today in the forms in which citations have it; nothing in the simulated internet is so new."""
    now = datetime.now(UTC)
    forms = {
        f"{now:%Y-%m-%d}": "2026-11-17",
        f"{now:%B} {now.day}, {now:%Y}": "November 17, 2026",
        f"{now.day} {now:%b}. {now:%Y}": "17 Nov. 2026",
        f"{now.day} {now:%B} {now:%Y}": "17 Nov. 2026",
    }
    return tuple((re.compile(re.escape(form)), fixed) for form, fixed in forms.items())


def _steady(value: Any, tool: str, folder: str, key: str = "") -> Any:
    """The value without what differs each time: times, ids, folders, the quickest index."""
    if key in _RACED and tool in FROM_MANY_INDEXES:
        return "\u2026 from the indexes that answered first"
    if key == "source" and tool in FROM_MANY_INDEXES and value in _INDEXES:
        return "crossref"
    if isinstance(value, Mapping):
        return {name: _steady(one, tool, folder, str(name)) for name, one in value.items()}
    if isinstance(value, list):
        return [_steady(one, tool, folder, key) for one in value]
    if isinstance(value, str):
        value = value.replace(folder, "~")
        if tool in FROM_MANY_INDEXES:
            value = _RECORD_OF.sub("the record of crossref", value)
        for pattern, replacement in (*_REPLACED, *_today()):
            value = pattern.sub(replacement, value)
        return _DATE.sub("2026-11-17", value) if tool in FROM_THE_WEB else value
    is_duration = isinstance(value, int | float) and _DURATION.search(key) is not None
    return 100 if is_duration and not isinstance(value, bool) else value


def shortened(value: Any, depth: int = 0) -> Any:
    """The value with long texts, lists and objects cut, each with what is missing."""
    if isinstance(value, str):
        more = len(value) - MAX_TEXT
        return (
            value if more <= 30 else f"{value[:MAX_TEXT].rstrip()} \u2026 {more:,} more characters"
        )
    if not isinstance(value, Mapping | list) or len(json.dumps(value)) <= MAX_SHORT:
        return value
    if isinstance(value, Mapping):
        if depth == MAX_DEPTH:
            return f"\u2026 {count_phrase(len(value), 'field')}"
        kept = list(value.items())[: MAX_FIELDS if depth else None]
        more = len(value) - len(kept)
        short = {name: shortened(one, depth + 1) for name, one in kept}
        return short | (
            {"\u2026": count_phrase(f"{more} more", "field") if more > 1 else "1 more field"}
            if more
            else {}
        )
    if depth == MAX_DEPTH:
        return f"\u2026 {count_phrase(len(value), 'item')}"
    more = len(value) - MAX_ENTRIES
    entries = [shortened(one, depth + 1) for one in value[:MAX_ENTRIES]]
    return [*entries, f"\u2026 {more} more"] if more > 0 else entries


def pretty(value: Any, indent: int = 0) -> str:
    """JSON in which what fits into a line stays in one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, Mapping | list):
        return line
    pad = " " * (indent + 2)
    if isinstance(value, list):
        inner = [f"{pad}{pretty(one, indent + 2)}" for one in value]
        return "[\n" + ",\n".join(inner) + f"\n{' ' * indent}]"
    inner = [
        f"{pad}{json.dumps(name, ensure_ascii=False)}: {pretty(one, indent + 2)}"
        for name, one in value.items()
    ]
    return "{\n" + ",\n".join(inner) + f"\n{' ' * indent}}}"


def page(made: Sequence[Example]) -> str:
    """The page in Markdown."""
    lead = (
        "<!-- Written by `make examples` from real calls; edit release/tool_examples.py, not this file. -->\n\n"
        "# Every tool with an example\n\n"
        "Each is a real call in [the simulated internet](../guides/sandbox.md), and its real answer: the structured content, or the text where a tool writes Markdown for people.\n"
        "Long values are shortened, and say by how much (`\u2026`); times, ids and folders are replaced by fixed ones.\n"
        "[The tools](tools.md) have the meaning of every argument and field.\n"
        "To try one: `sourcewright world` in one terminal, and `sourcewright tool NAME --help` says how to call it in another."
    )
    return "\n\n".join([lead, *map(_section, made)]) + "\n"


def _section(example: Example) -> str:
    asked = pretty(shortened(dict(example.arguments)))
    if isinstance(example.answer, str):
        lines = example.answer.strip().splitlines()
        block = f"````markdown\n{chr(10).join(lines)}\n````"
    else:
        block = f"```json\n{pretty(shortened(example.answer))}\n```"
    return f"## {example.tool}\n\n```json\n{asked}\n```\n\nanswers\n\n{block}"


async def _made() -> str:
    with tempfile.TemporaryDirectory(prefix="sourcewright-") as folder, World() as world:
        return page(await examples(world, folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    PAGE.write_text(asyncio.run(_made()), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(PAGE.parents[2])}")


if __name__ == "__main__":
    main()
