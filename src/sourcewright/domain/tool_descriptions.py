"""Tool descriptions that mention other tools, which a client may not have.

A clause that mentions another tool is in double brackets, the tool's name in braces:
`To find pages[[; use {scrape_page} to read one]].` A client sees the clause only if every tool
that it mentions is listed.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

_CLAUSE: Final = re.compile(r"\[\[((?:[^\[\]\n]++|\[(?!\[)|\](?!\]))*+)\]\]")
_MENTION: Final = re.compile(r"\{(\w+)\}")


def resolve_mentions(text: str, listed: Collection[str]) -> str:
    """Return the description for a client that has these tools."""

    def resolve_clause(clause: re.Match[str]) -> str:
        all_listed = all(name in listed for name in _MENTION.findall(clause[1]))
        return _MENTION.sub(r"\1", clause[1]) if all_listed else ""

    return _CLAUSE.sub(resolve_clause, text)


def list_with_descriptions(listings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return these tools as `tools/list` returns them if there are no others."""
    tools = list(listings)
    names = {tool["name"] for tool in tools}
    return [
        {**tool, "description": resolve_mentions(tool["description"], names)} for tool in tools
    ]
