"""Pages are true: links lead somewhere, invariants name tests, fragments are well formed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")
FRAGMENT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.(?:added|changed|fixed|removed|security)\.md")


def prose_of(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors_of(page: Path) -> set[str]:
    """The anchors that a page's headings get on the usual hosts."""
    headings = (re.sub(r"[^\w\s-]", "", text.lower()) for text in HEADING.findall(prose_of(page)))
    return {re.sub(r"\s", "-", text.strip()) for text in headings}


def dead_links(page: Path) -> Iterator[str]:
    for link in LINK.findall(prose_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        missing = not target.exists() or not target.is_relative_to(ROOT)
        if missing or (anchor and target.suffix == ".md" and anchor not in anchors_of(target)):
            yield link


def functions_of(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def is_a_test(path: str, name: str) -> bool:
    return (ROOT / path).is_file() and name in functions_of(ROOT / path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_resolves(page: Path) -> None:
    assert list(dead_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    named = set(TEST.findall(page.read_text(encoding="utf-8")))

    assert {f"{path}::{name}" for path, name in named if not is_a_test(path, name)} == set()


def test_the_architecture_page_is_short_and_its_invariants_name_their_tests() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = re.search(r"^## Invariants\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None

    invariants = re.split(r"^(?:[-*]|\d+\.)\s", section[1], flags=re.MULTILINE)[1:]

    assert len(text.splitlines()) < 200
    assert len(invariants) >= 7
    assert [invariant for invariant in invariants if not TEST.search(invariant)] == []


def test_the_architecture_page_leads_to_modules_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = re.search(
        r"^## Where do I look for .*?\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL
    )
    assert section is not None

    rows = [row for row in section[1].splitlines() if row.startswith("| ")][1:]
    modules = re.findall(r"`([a-z]\w*(?:/\w+)+)`", section[1])
    source = ROOT / "src" / "sourcewright"
    missing = {
        name
        for name in modules
        if not ((source / name).is_dir() or (source / f"{name}.py").is_file())
    }

    assert len(rows) >= 25
    assert missing == set()


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [page.name[:5] for page in sorted((ROOT / "docs" / "decisions").glob("*.md"))]

    assert numbers == [f"{number:04}-" for number in range(1, len(numbers) + 1)]


@pytest.mark.parametrize(
    ("page", "heading"),
    [("SECURITY.md", "How each is met"), ("README.md", "What you can rely on")],
)
def test_every_claim_names_what_holds_it(page: str, heading: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None

    claims = re.split(r"^- ", section[1], flags=re.MULTILINE)[1:]

    assert len(claims) >= 7
    held = [claim for claim in claims if TEST.search(claim) or "reference/promises.md#" in claim]
    assert held == claims


def test_every_changelog_fragment_is_well_named_and_says_something() -> None:
    fragments = [path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]

    assert {path.name for path in fragments if not FRAGMENT.fullmatch(path.name)} == set()
    assert {
        path.name
        for path in fragments
        if not path.read_text(encoding="utf-8").strip().endswith(".")
    } == set()


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE"]
)
def test_the_pages_that_a_stranger_looks_for_are_there(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8").strip()
