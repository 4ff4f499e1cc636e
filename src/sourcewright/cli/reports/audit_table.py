"""Report of an audit for people: what is wrong with an entry, what the record says, what to do."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sourcewright.base.text.phrases import shortened
from sourcewright.cli import render

Entry = Mapping[str, Any]

_MAX_CELL = 90
_HEAD = ("entry", "problem", "the record says", "what to do")
_OFFLINE_SOURCE = "indexes"
"""The failed source in the coverage of an entry that an audit without a network does not know."""
WHICH_WORK = "check which work is meant"
"""What to do about a field that differs, where the record may be that of another work."""
_FIELD_NAMES = {"arxiv_id": "arXiv id", "doi": "DOI", "pmid": "PMID", "pmcid": "PMC id"}


class Problem(NamedTuple):
    """What is wrong with an entry, and what to do."""

    text: str
    record: str
    """What the record says instead, or where a notice or a copy is; may be empty."""
    advice: str
    field: str = ""
    """The field that differs from what the record says, if that is the problem."""
    given: str = ""

    @property
    def sentence(self) -> str:
        if self.field:
            return f"{self.text}, but the record says {self.record}"
        return f"{self.text} ({self.record})" if self.record else self.text


def show_entries(entries: Sequence[Entry]) -> None:
    """Print a table of the entries that have a problem, and one line with the counts."""
    rows = [row for entry in entries for row in rows_of(entry)]
    render.table(_HEAD, rows)
    if rows:
        render.line()
    render.item(summary_line(entries))


def rows_of(entry: Entry) -> list[tuple[str, str, str, str]]:
    """One row for each problem of an entry; none if it has no problem."""
    name = entry_name(entry)
    rows = [(name, one.text, one.record, one.advice) for one in problems_of(entry)]
    # The name is shown once for several problems.
    return [rows[0], *(("", *row[1:]) for row in rows[1:])] if rows else []


def entry_name(entry: Entry) -> str:
    """The key of an entry, or its title, with its line in the file."""
    name = entry.get("key") or shortened(entry.get("title") or entry.get("doi") or "", 40)
    line = entry.get("line")
    return (
        f"{name or entry['index'] + 1} (line {line})" if line else str(name or entry["index"] + 1)
    )


def summary_line(entries: Sequence[Entry]) -> str:
    counts = {
        "confirmed": sum(one["status"] == "verified" for one in entries),
        "with wrong fields": sum(one["status"] == "mismatch" for one in entries),
        "not found": sum("not_found" in (one["status"], *one["flags"]) for one in entries),
        "retracted": sum("retracted" in one["flags"] for one in entries),
        "retracted in part": sum(map(_is_partly_retracted, entries)),
        "with dead links": sum("dead_link" in one["flags"] for one in entries),
        "that no source could confirm": sum(map(_is_unconfirmed, entries)),
        "not checked for notices": sum(map(_lacks_notice_check, entries)),
    }
    summary = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    noun = "entry" if len(entries) == 1 else "entries"
    return f"{len(entries)} {noun}: {summary or 'nothing to check'}"


def offline_line(entries: Sequence[Entry]) -> str:
    """What an audit without a network rests on."""
    dates = sorted(one["coverage"]["asOf"][:10] for one in entries if "asOf" in one["coverage"])
    if not dates:
        return "offline: no entry was looked up by an earlier audit"
    when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    return f"offline: {len(dates)} of {len(entries)} compared with what audits found on {when}"


def problems_of(entry: Entry) -> Iterable[Problem]:
    """The problems of an entry, the gravest first."""
    yield from _notice_problems(entry)
    for check in entry["fieldChecks"]:
        if check["status"] == "differs":
            yield _field_problem(check, is_clear="suggestion" in entry)
        elif check["field"] == "doi" and check.get("note"):
            text = f"the DOI {check['given']} does not exist"
            yield Problem(text, check["found"], "correct the DOI", "DOI", check["given"])
    if entry["status"] == "not_found":
        yield Problem("no such work is known", "", "check where the citation comes from")
    elif _is_unconfirmed(entry):
        yield _unconfirmed(entry)
    if problem := link_problem(entry):
        yield problem


def _notice_problems(entry: Entry) -> Iterable[Problem]:
    notice = entry.get("retractionStatus", {})
    if "retracted" in entry["flags"]:
        when = f" on {notice['date']}" if notice.get("date") else ""
        doi = notice.get("noticeDoi", "")
        yield Problem(f"retracted{when}", doi, "do not cite it as sound work")
    elif notice:
        kind = str(notice["kind"]).replace("_", " ")
        yield Problem(kind, notice.get("noticeDoi", ""), "read the notice before you rely on it")
    elif _lacks_notice_check(entry) and not _is_unconfirmed(entry):
        failed = ", ".join(entry["noticeCheck"]["failed"])
        text = f"notices could not be checked: {failed} did not answer"
        yield Problem(text, "", "try again later")


def _is_unconfirmed(entry: Entry) -> bool:
    """Whether no source could confirm the entry; a work in doubt by its notices alone was found."""
    in_doubt = (
        "retracted" in entry["flags"] or _is_partly_retracted(entry) or _lacks_notice_check(entry)
    )
    is_found = "matchedRecord" in entry
    return entry["status"] == "unconfirmed" and not (in_doubt and is_found)


def _is_partly_retracted(entry: Entry) -> bool:
    return bool(entry.get("retractionStatus", {}).get("partial"))


def _lacks_notice_check(entry: Entry) -> bool:
    return bool(entry.get("noticeCheck", {}).get("status") == "unchecked")


def field_name(name: str) -> str:
    """The name of a field as people write it."""
    return _FIELD_NAMES.get(name, name)


def link_problem(entry: Entry) -> Problem | None:
    """What is wrong with the link of an entry, where it leads, and what to do."""
    status = f" ({entry['httpStatus']})" if "httpStatus" in entry else ""
    archived, final = entry.get("archivedUrl", ""), entry.get("finalUrl", "")
    copied = "cite the archived copy" if archived else "find a new address"
    rows = {
        "dead": Problem(f"dead link{status}", archived, copied),
        "front_page": Problem("link leads to a home page", archived or final, copied),
        "moved": Problem("link has moved", final, "cite the new address"),
        "blocked": Problem(f"link refused the check{status}", "", "open it in a browser"),
        "unchecked": Problem("link could not be checked", archived, "open it in a browser"),
    }
    return rows.get(entry.get("linkState", ""))


def _field_problem(check: Mapping[str, Any], *, is_clear: bool) -> Problem:
    """What differs, what the record has, and what to do: correct it only if the work is clear."""
    field = field_name(check["field"])
    given, value, note = check["given"], check.get("found", ""), check.get("note", "")
    problem = f"{field}: {shortened(given, _MAX_CELL)}"
    if value:
        noted = f"{problem} ({note})" if note else problem
        has = f"{given} ({note})" if note else given
        record = shortened(value, _MAX_CELL)
        advice = f"correct the {field}" if is_clear else WHICH_WORK
        return Problem(noted, record, advice, field, shortened(has, _MAX_CELL))
    noted = f"{problem} ({note})" if note else problem
    return Problem(noted, "", f"remove the {field} or find the right one")


def _unconfirmed(entry: Entry) -> Problem:
    if _OFFLINE_SOURCE in entry["coverage"]["failed"]:
        return Problem("not looked up before", "", "audit it once with a network")
    if failed := ", ".join(entry["coverage"]["failed"]):
        return Problem(f"could not be checked: {failed} did not answer", "", "try again later")
    reason = shortened(entry.get("reason", "").rstrip("."), _MAX_CELL)
    because = f": {reason}" if reason else ""
    if entry["coverage"]["status"] == "incomplete":
        return Problem(f"could not be read{because}", "", "correct the entry")
    return Problem(f"no source could confirm it{because}", "", "check it by hand")
