"""Nothing in the repository tells of the machine it was written on, or of a tracker."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Written with a bracket in each, so that this file does not hold what it looks for.
TRACES = {
    "a path of one machine": r"(?<![\w.])/(?:wor[k]|roo[t]|hom[e]/(?!you\b|user\b)\w+|User[s]/\w+)/",
    "a package registry's host": r"pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.(?:org|com)|pyp[i]\.",
    "a shadow library's address": r"(?i)//[\w.-]*(?:sci-?hu[b]|libge[n]|annas-archiv[e])|\bsci-hu[b]\.(?!py\b)[a-z]{2,}\b",
    "a tracker's number": r"(?i)\b(?:issue|ticket|bug|pull request|pr|gh)[ -]?[#]\d+|\([#]\d+\)",
}
TEXT = {".py", ".md", ".toml", ".txt", ".json", ".yml", ".yaml", ".cfg", ".example", ""}


def tracked_files() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so nothing is tracked")
    listed = subprocess.run(
        [git, "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("kind", TRACES)
def test_no_tracked_file_carries_a_trace(kind: str) -> None:
    trace = re.compile(TRACES[kind])

    found = {
        f"{path.relative_to(ROOT).as_posix()}: {match[0]}"
        for path in tracked_files()
        if path.suffix in TEXT
        for match in trace.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }

    assert found == set()


def test_nothing_generated_or_private_is_tracked() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in tracked_files()}

    assert {
        name for name in names if re.search(r"\.pyc$|(^|/)\.env$|__pycache__|\.venv", name)
    } == set()
