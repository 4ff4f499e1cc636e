"""Descriptions of tools that mention other tools, which a client may not have.

A clause that mentions another tool stands in double brackets, the tool's name in braces:
`To find pages[[; use {scrape_page} to read one]].` A client sees the clause only where every tool
that it mentions is listed.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

_CLAUSE: Final = re.compile(r"\[\[((?:[^\[\]\n]++|\[(?!\[)|\](?!\]))*+)\]\]")
_MENTION: Final = re.compile(r"\{(\w+)\}")


def described(text: str, listed: Collection[str]) -> str:
    """The description as a client reads it that has these tools."""

    def kept(clause: re.Match[str]) -> str:
        known = all(name in listed for name in _MENTION.findall(clause[1]))
        return _MENTION.sub(r"\1", clause[1]) if known else ""

    return _CLAUSE.sub(kept, text)


def listed_together(listings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """These tools as `tools/list` carries them when there are no others."""
    tools = list(listings)
    names = {tool["name"] for tool in tools}
    return [{**tool, "description": described(tool["description"], names)} for tool in tools]
