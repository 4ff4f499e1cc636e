"""Extraction of main content never falls below the recorded floors."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from sourcewright.reading.formats.html import read_html

PAGES = Path(__file__).with_name("pages")
DIGEST = "c2710548284611e46c8a402e340b383e430bf9a0f3d71fad108268b7da17dd19"
"""Of all pages and texts: floors hold for these, and change only together with them."""
FLOORS = {"article": 0.9, "forum": 0.9, "service": 0.9}


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def test_the_floors_are_those_of_these_pages():
    data = b"".join(path.read_bytes() for path in sorted(PAGES.iterdir()))

    assert hashlib.sha256(data).hexdigest() == DIGEST
    assert {path.stem for path in PAGES.iterdir()} == set(FLOORS)


@pytest.mark.parametrize("kind", FLOORS)
def test_no_kind_of_page_falls_below_its_floor(kind):
    page = (PAGES / f"{kind}.html").read_text(encoding="utf-8")
    truth = words((PAGES / f"{kind}.txt").read_text(encoding="utf-8"))

    content = read_html(page, url="https://example.org/").content
    found = words(re.sub(r"\]\([^)]*\)", " ", content))

    f1 = 2 * (found & truth).total() / (found.total() + truth.total())
    assert f1 >= FLOORS[kind]
