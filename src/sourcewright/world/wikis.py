"""Shared by the simulated wikis: search operators and error format of MediaWiki."""

import math
import re
from typing import Any

from sourcewright.world import operators
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json

_KEYWORD = re.compile(r"(?<!\S)(filetype|filemime|fileres):(\S+)")
_LONGEST = 300
_MIMES = {"jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}


def error_response(code: str, info: str) -> Response:
    """An error response, which has status 200."""
    error = {"code": code, "info": info, "docref": "See the help page for API usage."}
    return as_json({"error": error, "servedby": "mw-invented"})


def objection(request: Request, prefix: str) -> Response | None:
    """The error for an invalid search; None if it is valid."""
    params = request.params
    text, limit = params.get(f"{prefix}search", ""), params.get(f"{prefix}limit", "10")
    if request.path != "/w/api.php" or params.get("action") != "query":
        return error_response("unknown_action", "Unrecognized value for parameter “action”.")
    if not text.strip():
        return error_response("missingparam", f"The “{prefix}search” parameter must be set.")
    if len(text) > _LONGEST:
        info = f"Search request is longer than the maximum allowed length. ({len(text)} > 300)"
        return error_response("cirrussearch-query-too-long", info)
    if not limit.isdecimal() or not 1 <= int(limit) <= 500:
        return error_response("badinteger", f"Invalid value for “{prefix}limit”.")
    return None


def hits(kind: Kind, params: dict[str, str], prefix: str) -> list[Item]:
    """The results of a search; newest-first order is by date of creation."""
    text = params[f"{prefix}search"]
    items = operators.search(kind, _KEYWORD.sub(" ", text))
    for name, value in _KEYWORD.findall(text):
        items = [item for item in items if _passes(item, name, value)]
    if params.get(f"{prefix}sort") == "create_timestamp_desc":
        items = sorted(items, key=lambda item: item.age)
    return items[: int(params.get(f"{prefix}limit", "10"))]


def _passes(item: Item, name: str, value: str) -> bool:
    if name == "filetype":
        return ("drawing" if item.file_type == "svg" else "bitmap") in value.split("|")
    if name == "filemime":
        return _MIMES.get(item.file_type) == value
    side = math.sqrt(item.width * item.height)
    if "," in value:
        least, most = map(int, value.split(","))
        return least <= side <= most
    return side >= int(value[1:]) if value[0] == ">" else side <= int(value[1:])


def shown(info: dict[str, str]) -> dict[str, Any]:
    """Facts about a file in the format of `extmetadata`."""
    return {name: {"value": value, "source": "commons-desc-page"} for name, value in info.items()}
