"""`sourcewright doctor`: check configuration, sources, readers, browser, Redis and logs."""

import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import click

from sourcewright.base.event_loop import run_event_loop
from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import options, render
from sourcewright.services.instance.doctor import (
    Finding,
    examine_addresses,
    examine_browser,
    examine_downloads,
    examine_duplicates,
    examine_network,
    examine_ocr,
    examine_page_reader,
    examine_pdf_reader,
    examine_records,
    examine_unused_variables,
)
from sourcewright.services.instance.redis_check import examine_redis
from sourcewright.services.instance.source_checks import (
    examine_source,
    examine_unlisted_tools,
    probe_sources,
)
from sourcewright.services.instance.system import examine_system
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path, own_unused_variables

_MARKS: Mapping[str, tuple[str, str]] = {
    "problem": ("problem", "red"),
    "note": ("note", "yellow"),
    "ok": ("ok", "green"),
}
"""How each grade is marked, the gravest first."""


@click.command("doctor")
@click.option(
    "--online",
    "--network",
    "online",
    is_flag=True,
    help="Also send a small test request to each source.",
)
@click.option(
    "--all",
    "--verbose",
    "-v",
    "everything",
    is_flag=True,
    help="List also what is in order and what is optional, with what to set.",
)
@options.as_json
def command(online: bool, everything: bool, as_json: bool) -> int:
    """Check the installation, and print how to fix each problem.

    A page and a PDF are read, the browser is started, and the library and the logs are
    written to and verified. Without --online nobody is asked anything; whether this computer
    is offline is found out by resolving names. Problems come first; with one, the exit code is 1.

    \b
    Example:
      sourcewright doctor --online
    """
    settings = Settings.from_environment()
    findings = run_event_loop(_examine(settings, online=online))
    if as_json:
        render.data({"sandbox": settings.sandbox, "findings": [_row(one) for one in findings]})
    else:
        _show(settings, findings, everything=everything)
    return 1 if any(finding.grade == "problem" for finding in findings) else 0


async def _examine(settings: Settings, *, online: bool) -> list[Finding]:
    """All findings by weight: problems first, and what every call needs before single sources."""
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
        ordered = list(reversed(by_name.values()))
        # Said once, and by no source: each of them would only repeat it.
        network = examine_network(await services.parts.client.offline_reason())
        probed = online and not network
        sources = await probe_sources(ordered) if probed else list(map(examine_source, ordered))
        tools = examine_unlisted_tools(application.not_listed())
        addresses = examine_addresses(list(map(str, settings.address_problems)))
        withheld = settings.withheld_addresses.get("unpaywall")
        downloads = examine_downloads(services.papers.downloads, address_problem=withheld)
        browser = await examine_browser(services.parts.browser)
        readers = [
            await examine_pdf_reader(services.parts.pdf_reader),
            await examine_page_reader(services.parts.documents),
            await examine_ocr(services.parts.ocr),
        ]
        records = await examine_records(services.library.catalogue.examine)
        twice = await examine_duplicates(services.library.catalogue.duplicates)
        shared = services.parts.redis
        redis = await examine_redis(shared) if shared else []
        storage = [*services.instance.examine(), *redis, *records, *twice]
        unused = examine_unused_variables(own_unused_variables())
        system = examine_system(sys.platform)
        parts = [*network, *addresses, *storage, *downloads, *readers, browser, system, *unused]
        grades = list(_MARKS)
        return sorted(
            [*parts, *sources, *tools], key=lambda one: (grades.index(one.grade), one.optional)
        )


def _show(settings: Settings, findings: list[Finding], *, everything: bool) -> None:
    config = own_config_path()
    missing = (
        "" if config.exists() else " (does not exist; create it with `sourcewright config init`)"
    )
    render.fields([("config file", f"{config}{missing}")], indent="")
    if settings.sandbox:
        render.item(
            f"sandbox: true; every response comes from {settings.sandbox_url}", colour="yellow"
        )
    grades = Counter(finding.grade for finding in findings)
    render.item(
        f"{count_phrase(grades['problem'], 'problem')}, {count_phrase(grades['note'], 'note')}, {grades['ok']} in order"
    )
    folded = [one for one in findings if one.grade == "ok" or one.optional]
    listing = findings if everything else [one for one in findings if one not in folded]
    width = max((len(finding.subject) for finding in listing), default=0)
    for finding in listing:
        mark, colour = _MARKS[finding.grade]
        advice = [f"-> {finding.advice}"] if finding.advice else []
        render.finding(mark, colour, finding.subject, [finding.detail, *advice], width=width)
    if not everything:
        _show_folded(folded)


def _show_folded(findings: list[Finding]) -> None:
    """Name what is optional and what is in order; `--all` says the rest."""
    optional = [one.subject for one in findings if one.optional]
    in_order = [one.subject for one in findings if one.grade == "ok"]
    if optional:
        mark, colour = _MARKS["note"]
        off = f"{len(optional)} optional sources and tools are off: {', '.join(optional)}"
        advice = "-> `sourcewright doctor --all` says what turns each on"
        render.finding(mark, colour, "", [off, advice], width=0)
    if in_order:
        mark, colour = _MARKS["ok"]
        render.finding(mark, colour, "", [", ".join(in_order)], width=0)


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "subject": finding.subject,
        "grade": finding.grade,
        "detail": finding.detail,
        "advice": finding.advice,
    }
