"""Prints filings, reported figures, court cases and clinical trials as tables on the terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sourcewright.cli import render, tool_calls
from sourcewright.cli.search_results import SearchOutput, show_footer

Row = Mapping[str, Any]
Show = Callable[[Row], None]


def run(
    tool: str, options: Mapping[str, Any], show: Show, *, as_json: bool, names: Mapping[str, str]
) -> int:
    """Call a tool for records and print its answer; return the exit code.

    Options that were not given are left to the tool.
    """
    arguments = {name: value for name, value in options.items() if value not in (None, False, "")}
    result = tool_calls.call(tool, arguments)
    answer = result.structured
    if as_json:
        render.data(answer)
        return render.exit_code(answer)
    if result.is_error:
        return render.failure(answer)
    show(answer)
    show_footer(SearchOutput(answer=answer, meta=result.meta, names=names))
    return 0


def show_filings(answer: Row) -> None:
    _show_company(answer)
    filings = answer["filings"]
    if filings and "concept" in filings[0]:
        _show_figures(filings)
    elif filings:
        rows = [
            (
                one["filingDate"],
                one["formType"],
                one.get("periodOfReport", ""),
                one["company"],
                one["url"],
            )
            for one in filings
        ]
        render.table(("filed", "form", "period", "company", "document"), rows)
    if since := answer.get("searchedFrom"):
        render.item(f"filings before {since} were not searched", colour="yellow")
    if warning := answer.get("warning"):
        render.item(warning, colour="yellow")


def show_cases(answer: Row) -> None:
    rows = [
        (
            one.get("dateFiled", ""),
            one.get("bluebookCitation") or one["caseName"],
            one.get("court", ""),
            one.get("docketNumber", ""),
            str(one.get("citationCount", "")),
            one["url"],
        )
        for one in answer["cases"]
    ]
    if rows:
        render.table(("filed", "case", "court", "docket", "cited", "opinion"), rows)
    _show_total(answer, len(rows))


def show_trials(answer: Row) -> None:
    rows = [
        (
            one["nctId"],
            one.get("status", "").lower().replace("_", " "),
            _phase(one["phases"]),
            one.get("startDate", ""),
            "yes" if one.get("hasResults") else "",
            one["title"],
            one.get("sponsor", ""),
        )
        for one in answer["trials"]
    ]
    if rows:
        head = ("study", "status", "phase", "start", "results", "title", "sponsor")
        render.table(head, rows)
    _show_total(answer, len(rows))
    if token := answer.get("nextPageToken"):
        render.status(f"next page: --page {token}")


def _show_company(answer: Row) -> None:
    if company := answer.get("company"):
        former = ", ".join(company.get("formerNames", ()))
        ticker = f", {company['ticker']}" if "ticker" in company else ""
        known = f" (formerly {former})" if former else ""
        render.item(f"{company['name']}{ticker}, CIK {company['cik']}{known}", bold=True)
    if candidates := answer.get("candidates"):
        render.item("the name may refer to one of these; give the CIK", bold=True)
        rows = [
            (one["cik"], one["name"], one.get("ticker", ""), ", ".join(one.get("formerNames", ())))
            for one in candidates
        ]
        render.table(("CIK", "name", "ticker", "former names"), rows)


def _show_figures(figures: Sequence[Row]) -> None:
    rows = []
    for one in figures:
        rows.append((one["headline"], one["concept"], *_figure(one, one["unit"])))
        if annual := one.get("annual"):
            rows.append((one["headline"], one["concept"], *_figure(annual, one["unit"])))
    render.table(("figure", "concept", "value", "unit", "period", "report"), rows)
    for one in figures:
        for value in (one, one.get("annual") or {}):
            _show_restatement(one["headline"], value)


def _figure(value: Row, unit: str) -> tuple[str, ...]:
    kind = value["periodType"].replace("_", " ")
    span = " to ".join(filter(None, (value.get("periodStart"), value["periodEnd"])))
    return _grouped(value["value"]), unit, f"{kind}, {span}", _report(value)


def _report(value: Row) -> str:
    return f"{value['formType']} of {value['filingDate']}"


def _show_restatement(headline: str, value: Row) -> None:
    for earlier in value.get("restated") or ():
        was = f"{_grouped(earlier['value'])} in the {earlier['form']} of {earlier['filed']}"
        text = f"{headline} to {value['periodEnd']} was {was}"
        render.item(text, colour="yellow")


def _grouped(value: Any) -> str:
    """A number with thousands separators; every digit as filed."""
    whole, point, rest = str(value).partition(".")
    digits = whole.removeprefix("-")
    if not digits.isdecimal():
        return str(value)
    return f"{'-' if whole.startswith('-') else ''}{int(digits):,}{point}{rest}"


def _phase(phases: Sequence[str]) -> str:
    return "/".join(one.replace("EARLY_PHASE", "early ").removeprefix("PHASE") for one in phases)


def _show_total(answer: Row, count: int) -> None:
    total = answer.get("totalResults")
    if total is not None and total > count:
        render.status(f"{count} of {total}")
