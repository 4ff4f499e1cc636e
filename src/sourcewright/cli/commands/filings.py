"""`sourcewright filings`: company filings at the SEC (EDGAR), and reported figures."""

from typing import Any

import click

from sourcewright.cli import options, record_lists

_NAMES = {
    "form_type": "--form",
    "ticker": "--ticker",
    "date_from": "--since",
    "date_to": "--until",
    "num_results": "--number",
    "provider": "--provider",
}


@click.command("filings")
@click.argument("words", nargs=-1, metavar="[COMPANY OR WORDS]...")
@click.option("--ticker", help="Ticker of the company; takes precedence over its name.")
@click.option("--form", "form_type", help="Form type, such as 10-K, 10-Q, 8-K or 10-K/A.")
@click.option("--since", "date_from", metavar="DATE", help="Filed on or after this date.")
@click.option("--until", "date_to", metavar="DATE", help="Filed on or before this date.")
@click.option("--facts", is_flag=True, help="Show reported figures instead of filings.")
@click.option(
    "-n", "--number", "num_results", type=int, help="Number of results, 1 to 10 (default 5)."
)
@click.option("--provider", help="Only this source.")
@options.as_json
def command(words: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Search company filings at the SEC, or show their figures.

    A company is named by its ticker, CIK number, or present or former name; if several have the
    name, they are listed. Other words are searched in the text of all filings since 2001.
    Figures are shown with the period that they belong to, as they were filed.
    The SEC requires an e-mail address: set EDGAR_CONTACT_EMAIL or CONTACT_EMAIL.

    \b
    Example:
      sourcewright filings Meridian Tidal Power --form 10-K
      sourcewright filings --ticker MTPC --facts
      sourcewright filings driftwood risk --since 2025-01-01 --json
    """
    if not (words or options["ticker"]):
        raise click.UsageError("give a company, words or --ticker")
    return record_lists.run(
        "filing_search",
        {"query": " ".join(words), **options},
        record_lists.show_filings,
        as_json=as_json,
        names=_NAMES,
    )
