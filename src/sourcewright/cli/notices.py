"""Prints retractions and other notices about a paper."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sourcewright.cli import render

_STATUS_TEXTS: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        "retracted": ("RETRACTED", "red"),
        "removed": ("REMOVED", "red"),
        "withdrawn": ("WITHDRAWN", "red"),
        "partially_retracted": ("PARTIALLY RETRACTED", "red"),
        "expression_of_concern": ("EXPRESSION OF CONCERN", "yellow"),
        "corrected": ("corrected", "yellow"),
        "no_notice_found": ("no retraction or correction found", None),
        "unchecked": ("could not be checked for retractions", "yellow"),
    }
)
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "retracted": "retraction",
        "removed": "removal",
        "withdrawn": "withdrawal",
        "partially_retracted": "partial_retraction",
        "expression_of_concern": "expression_of_concern",
        "corrected": "correction",
    }
)
"""The kind of notice behind each status."""
_CLEAN = "no_notice_found"


def show(integrity: Mapping[str, Any]) -> None:
    """Print a paper's status, when it was checked, and each notice."""
    text, colour = _STATUS_TEXTS[integrity["status"]]
    checked_at = integrity["checked_at"]
    since = f" (checked {checked_at[:10]})" if checked_at else ""
    render.item(f"{text}{since}", indent="  ", bold=colour is not None, colour=colour)
    for notice in integrity["notices"]:
        render.item(_notice(notice), indent="    ")
    if note := integrity.get("note"):
        render.item(note, indent="    ", colour="yellow")


def status_label(integrity: Mapping[str, Any]) -> str:
    """A paper's status in a few words, for a list; empty if no notice was found."""
    return "" if integrity["status"] == _CLEAN else _short(integrity)


def _short(integrity: Mapping[str, Any]) -> str:
    if integrity["status"] == "unchecked":
        return "not checked for retractions"
    text, _ = _STATUS_TEXTS[integrity["status"]]
    kind = _KINDS[integrity["status"]]
    dates = (one["date"] for one in integrity["notices"] if one["kind"] == kind)
    return " ".join(filter(None, (text, next(dates, None))))


def _notice(notice: Mapping[str, Any]) -> str:
    parts = (notice["label"] or notice["kind"].replace("_", " "), notice["doi"], notice["date"])
    by = (
        f"{notice['asserted_by']}, in {notice['source']}"
        if notice["asserted_by"]
        else notice["source"]
    )
    return f"{', '.join(part for part in parts if part)} (according to {by})"
