"""Citation checks in a closed world of true records: detection, false alarms, requests and time.

The world, its labelled citations and their scores are those of `shared/trust` beside the
checkout; without them nothing is measured. A figure from a closed world compares versions of
this program; it says nothing about live indexes. Run alone: `python bench/trust.py`.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

TRUST = Path(__file__).parents[2] / "shared" / "trust"
SERVER = (sys.executable, "-m", "sourcewright", "serve")
RUNS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("HALLMARK", "hallmark", (), "found 0.98, false alarms 0.02, at 2% 0.95"),
    (
        "HALLMARK, 30 % answered 429",
        "hallmark",
        ("--fault", "all=429:0.3"),
        "found 0.93, unknown 0.05, false alarms no higher",
    ),
    ("CiteTracer", "citetracer", (), "at 1% 0.97, at 2% 0.99, field 0.99"),
    (
        "HALLMARK, as text",
        "hallmark",
        ("--tool", "verify_citation", "-n", "250"),
        "found 0.95, false alarms 0.02",
    ),
    (
        "CiteTracer, as text",
        "citetracer",
        ("--tool", "verify_citation", "-n", "250"),
        "found 0.90, false alarms 0.02",
    ),
    (
        "reference strings",
        "crossref_styles",
        ("-n", "600"),
        "F1 0.97, wrongly linked 0.01",
    ),
)
"""Name, set, options and goals; of what is checked as text, a fixed sample."""


def rows() -> Iterator[str]:
    """One row for each run, under a head."""
    if not (TRUST / "drive.py").is_file():
        yield "citation checks: not measured, because shared/trust is not beside the checkout"
        return
    yield (
        f"{'citation checks, style hard':<30} {'found':>6} {'false':>6} {'found':>6} {'found':>6}"
        f" {'field':>6} {'absent':>6} {'unknown':>7} {'requests':>8} {'ms':>6}"
    )
    yield f"{'':<30} {'':>6} {'alarms':>6} {'at 1%':>6} {'at 2%':>6} {'named':>6} {'falsely':>6}"
    with tempfile.TemporaryDirectory() as folder:
        for name, of, options, goals in RUNS:
            yield _row(name, of, options, Path(folder) / "answers.jsonl")
            yield f"{'':<30} goals: {goals}; absent falsely 0"


def _row(name: str, of: str, options: Sequence[str], answers: Path) -> str:
    driver = (sys.executable, "drive.py", of, "--style", "hard", *options)
    driven = _run((*driver, "-o", str(answers), "--", *SERVER)).stderr
    scored = json.loads(
        _run((sys.executable, "score.py", of, str(answers), "--json")).stdout.splitlines()[-1]
    )
    requests, milliseconds = (
        _number(driven, "requests (", " an item"),
        _number(driven, " s (", " ms"),
    )
    if of == "crossref_styles":
        found = scored["all"]
        return (
            f"{name:<30} F1 {found['f1']:.3f}, precision {found['precision']:.3f}, recall"
            f" {found['recall']:.3f}, wrongly linked {scored['wrongly_linked']:.3f};"
            f" {requests} requests, {milliseconds} ms each"
        )
    every, at = scored["all"], scored["at_fpr"]
    return (
        f"{name:<30} {every['dr']:>6.3f} {every['fpr']:>6.3f} {at['0.01']:>6.3f} {at['0.02']:>6.3f}"
        f" {scored.get('field', 0):>6.3f} {scored['false_absence']:>6} {every['unknown']:>7.3f}"
        f" {requests:>8} {milliseconds:>6}"
    )


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=TRUST, capture_output=True, text=True, check=True)


def _number(text: str, before: str, after: str) -> Any:
    return text.partition(before)[2].partition(after)[0] or "?"


if __name__ == "__main__":
    for line in rows():
        print(line, flush=True)
