"""`sourcewright retractions`: manage a local list of retractions, and check works against it."""

from dataclasses import asdict
from typing import Any

import click

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import parse_reference
from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.domain.papers.retractions import ListStatus


@click.group("retractions")
def command() -> None:
    """Check works for retractions, also offline with a local list.

    \b
    Example:
      sourcewright retractions update retraction_watch.csv
      sourcewright retractions check 10.1371/journal.pone.0033693
    """


@command.command("update")
@click.argument("place", metavar="[FILE|URL]", required=False)
@options.as_json
def update(place: str | None, as_json: bool) -> int:
    """Read Retraction Watch's CSV file into the local list.

    Without an argument it is downloaded from Crossref. The new list replaces the old one at once
    and as a whole; a damaged file changes nothing. Rows that cannot be read are listed.

    \b
    Example:
      sourcewright retractions update retraction_watch.csv
    """
    done = tool_calls.run_with_application(lambda app: _update(app, place))
    if as_json:
        render.data(asdict(done))
        return 0
    _show(done.status)
    if done.unnamed:
        render.line(f"{count_phrase(done.unnamed, 'row')} without DOI and PMID left out")
    if done.unreadable:
        render.line(f"{count_phrase(done.unreadable, 'row')} could not be read:")
        for row in done.examples:
            render.item(f"line {row.line}: {row.reason}", indent="  ")
    return 0


async def _update(application: Any, place: str | None) -> Any:
    from sourcewright.services.trust.retraction_list import OFFICIAL_URL

    return await application.services.trust.retraction_lists.update(place or OFFICIAL_URL)


@command.command("status")
@options.as_json
def status(as_json: bool) -> int:
    """Show how many retractions the local list has, and how old it is.

    \b
    Example:
      sourcewright retractions status
    """
    stored = tool_calls.run_with_application(
        lambda application: application.services.trust.retraction_lists.stored.status()
    )
    if as_json:
        render.data({"list": asdict(stored) if stored else None})
    elif stored is None:
        render.line("no list; read one with `sourcewright retractions update`")
    else:
        _show(stored)
    return 0


@command.command("check")
@click.argument("refs", nargs=-1, required=True)
@click.option("--offline", is_flag=True, help="Use only the local list.")
@options.as_json
def check(refs: tuple[str, ...], offline: bool, as_json: bool) -> int:
    """Check works for retractions and other notices, by DOI, arXiv id or PMID.

    Crossref, OpenAlex, PubMed, Europe PMC, DataCite, arXiv and the local list are queried, each
    once per 50 works.

    The exit code is 0 if every work was checked and none is retracted, withdrawn or removed, 5 if
    one is, and otherwise 1 if one could not be checked.

    \b
    Example:
      sourcewright retractions check 10.1371/journal.pone.0033693 arXiv:1706.03762
    """
    from sourcewright.domain.scholar.work_ids import work_ids

    works = [work_ids(parse_reference(ref)) for ref in refs]
    for ref, ids in zip(refs, works, strict=True):
        if not (ids.doi or ids.pmid):
            raise InvalidInput(f"{ref}: use the DOI or the PMID of the article")
    report = tool_calls.run_with_application(
        lambda application: application.services.trust.integrity.check(works, offline=offline)
    )
    if as_json:
        render.data(_structured(refs, report))
    else:
        _show_report(refs, report)
    statuses = {one.integrity.status for one in report.works}
    if statuses & {"retracted", "withdrawn", "removed", "partially_retracted"}:
        return exit_codes.RETRACTED
    return exit_codes.FAILED if "unchecked" in statuses else 0


def _structured(refs: tuple[str, ...], report: Any) -> dict[str, Any]:
    works = []
    for ref, one in zip(refs, report.works, strict=True):
        integrity = asdict(one.integrity)
        work = {
            "ref": ref,
            "doi": one.work.doi,
            "arxivId": one.work.arxiv_id,
            "pmid": one.work.pmid,
            "reinstatedOn": integrity.pop("reinstated_on"),
            "failed": one.failed,
            "noticeFor": list(one.notice_for),
        }
        works.append(work | integrity)
    return {
        "works": works,
        "answered": list(report.answered),
        "failed": dict(report.failed),
        "list": asdict(report.list_status) if report.list_status else None,
    }


def _show_report(refs: tuple[str, ...], report: Any) -> None:
    for ref, one in zip(refs, report.works, strict=True):
        status = one.integrity.status
        render.labelled_line(status.replace("_", " "), _colour(status), ref)
        for notice in one.integrity.notices:
            details = [notice.kind.replace("_", " "), notice.date, notice.doi, notice.label]
            by = (
                f"{notice.asserted_by} in {notice.source}" if notice.asserted_by else notice.source
            )
            render.item(f"{', '.join(filter(None, details))} ({by})", indent="  ")
        if one.notice_for:
            render.item(f"is itself a notice about {', '.join(one.notice_for)}", indent="  ")
        if one.integrity.note:
            render.item(one.integrity.note, indent="  ")
    for name, reason in report.failed.items():
        render.status(f"{name} did not answer: {reason}")


def _colour(status: str) -> str:
    if status == "no_notice_found":
        return "green"
    return "yellow" if status in ("unchecked", "corrected", "expression_of_concern") else "red"


def _show(stored: ListStatus) -> None:
    rows = [
        ("notices", f"{stored.rows}"),
        ("works", f"{stored.works}"),
        ("latest notice", stored.newest or "unknown"),
        ("read on", stored.updated_at),
        ("from", stored.origin),
    ]
    render.fields(rows)
