"""SARIF 2.1.0 report of an audit, for code hosts that show findings beside the lines of a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sourcewright._about import __version__
from sourcewright.cli.reports.audit_table import entry_name, problems_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES: Mapping[str, tuple[str, str]] = {
    "retracted": ("error", "The cited work was retracted."),
    "not_found": ("error", "The identifier is not registered."),
    "mismatch": ("warning", "A field differs from the record of the work."),
    "dead_link": ("warning", "The link is dead."),
    "front_page_link": ("warning", "The link leads to a home page, as those of removed pages do."),
    "moved_link": ("note", "The link leads to another page."),
    "blocked_link": ("note", "The server refused to show the page to the check."),
    "mischaracterized": ("warning", "The source does not address the claim."),
    "unchecked": ("note", "No source could confirm the entry, or check it for notices."),
}


def sarif_log(audits: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> dict[str, Any]:
    """One run over all files; `audits` are the name of each file and its entries."""
    rules = [
        {"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for name, (level, text) in RULES.items()
    ]
    driver = {
        "name": "sourcewright",
        "version": __version__,
        "rules": rules,
    }
    results = [one for name, entries in audits for one in _results(name, entries)]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _link_rule(entry: Mapping[str, Any]) -> Iterator[str]:
    """The rule for what no flag says about a link."""
    if f"{entry.get('linkState')}_link" in RULES and "dead_link" not in entry["flags"]:
        yield f"{entry['linkState']}_link"


def _results(name: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        problems = "; ".join(problem.sentence for problem in problems_of(entry))
        for flag in (*entry["flags"], *_link_rule(entry)):
            message = f"{entry_name(entry)}: {problems or entry.get('reason', flag)}"
            yield {
                "ruleId": flag,
                "level": RULES[flag][0],
                "message": {"text": message},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": name},
                            "region": {"startLine": entry.get("line") or 1},
                        }
                    }
                ],
            }
