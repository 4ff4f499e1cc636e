"""The list of tools stays short: every conversation with a model pays for it."""

import json
from collections.abc import Sequence
from typing import Any

from sourcewright import manifest
from sourcewright.settings import TOOLSETS

TOOLS = 45
CONNECTORS = ["SOURCEWRIGHT_CONNECTOR_TOOLS"]
"""Lists two tools more for clients that know no others; nobody else has them."""
BYTES_PER_TOKEN = 4
MAX_TOKENS = 19_500
"""Of the whole list, with the schemas of answers."""
MAX_TOKENS_OF_MODEL = 11_000
"""Of what a model is given: names, descriptions and arguments."""


def tokens(listings: Sequence[dict[str, Any]]) -> float:
    text = json.dumps(listings, separators=(",", ":"), ensure_ascii=False)
    return len(text.encode()) / BYTES_PER_TOKEN


def test_the_list_of_all_tools_is_short() -> None:
    listings = manifest.offered(TOOLSETS, CONNECTORS)

    assert len(listings) >= TOOLS
    assert tokens(listings) <= MAX_TOKENS


def test_the_part_of_the_list_that_a_model_is_given_is_shorter_still() -> None:
    given = ("name", "description", "inputSchema")
    listings = [
        {key: tool[key] for key in given} for tool in manifest.offered(TOOLSETS, CONNECTORS)
    ]

    assert tokens(listings) <= MAX_TOKENS_OF_MODEL
