"""`sourcewright doctor`: check configuration, sources, readers, browser, Redis and logs."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import render
from sourcewright.services.instance.doctor import (
    Finding,
    examine_browser,
    examine_downloads,
    examine_duplicates,
    examine_page_reader,
    examine_pdf_reader,
    examine_records,
    examine_source,
    examine_unlisted_tools,
    probe_source,
)
from sourcewright.services.instance.redis_check import examine_redis
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path

_MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "note": ("note", "yellow"),
    "problem": ("problem", "red"),
}


@click.command("doctor")
@click.option("--network", is_flag=True, help="Also send a small test request to each source.")
@click.option("--json", "as_json", is_flag=True, help="Print the structured result.")
def command(network: bool, as_json: bool) -> int:
    """Check the configuration, and print how to fix each problem.

    \b
    Example:
      sourcewright doctor --network
    """
    settings = Settings.from_environment()
    findings = asyncio.run(_examine(settings, network=network))
    if as_json:
        render.data({"sandbox": settings.sandbox, "findings": [_row(one) for one in findings]})
    else:
        _show(settings, findings)
    return 1 if any(finding.grade == "problem" for finding in findings) else 0


async def _examine(settings: Settings, *, network: bool) -> list[Finding]:
    from sourcewright.wiring import build

    async with build(settings) as application:
        services = application.services
        every = (
            *services.papers.sources,
            *services.search.engines.sources(),
            *services.pages.site_readers,
            *services.pages.archives,
            *services.records.sources.all,
        )
        # A source with several roles is listed once; the first one counts.
        by_name = {source.name: source for source in reversed(every)}
        sources = [
            await probe_source(s) if network else examine_source(s)
            for s in reversed(by_name.values())
        ]
        tools = examine_unlisted_tools(application.not_listed())
        downloads = examine_downloads(services.papers.downloads)
        browser = await examine_browser(services.parts.browser)
        readers = [
            await examine_pdf_reader(services.parts.pdf_reader),
            await examine_page_reader(services.parts.documents),
        ]
        records = await examine_records(services.library.catalogue.examine)
        twice = await examine_duplicates(services.library.catalogue.duplicates)
        shared = services.parts.redis
        redis = await examine_redis(shared) if shared else []
        parts = [*tools, *downloads, *readers, browser, *records, *twice, *redis]
        return [*sources, *parts, *services.instance.examine()]


def _show(settings: Settings, findings: list[Finding]) -> None:
    config = own_config_path()
    missing = (
        "" if config.exists() else " (does not exist; create it with `sourcewright config init`)"
    )
    render.fields([("config file", f"{config}{missing}")], indent="")
    if settings.sandbox:
        render.item(
            f"sandbox: true; every response comes from {settings.sandbox_url}", colour="yellow"
        )
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        mark, colour = _MARKS[finding.grade]
        advice = [f"-> {finding.advice}"] if finding.advice else []
        render.finding(mark, colour, finding.subject, [finding.detail, *advice], width=width)


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "subject": finding.subject,
        "grade": finding.grade,
        "detail": finding.detail,
        "advice": finding.advice,
    }
