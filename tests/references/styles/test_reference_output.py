"""APA 7 and MLA 9 are what citeproc-js prints with the official styles, but for a list."""

import json

import pytest
from tests.material import SHARED

from sourcewright.references.styles.processor import format_reference

REFERENCE = SHARED / "csl" / "works.jsonl"

pytestmark = pytest.mark.skipif(
    not REFERENCE.exists(), reason="the reference output of the styles is not here"
)

TAGS = "HTML tags in the title, which both print and of which neither makes a title"
DIFFERENCES = {
    ("apa", "10.1007/978-1-4302-0197-7_9"): "a trade mark sign stays one: ™, not TM",
    ("mla", "10.1007/978-1-4302-0197-7_9"): "a trade mark sign stays one: ™, not TM",
    ("mla", "10.2139/ssrn.6518178"): TAGS,
    ("mla", "10.20944/preprints202601.1190.v1"): TAGS,
}
"""Every difference, with its reason. A work that is not in it must be equal."""


@pytest.mark.parametrize("style", ["apa", "mla"])
@pytest.mark.parametrize("markdown", [False, True], ids=["plain", "markdown"])
def test_every_work_is_formatted_as_by_the_reference_processor(style, markdown):
    works = [json.loads(line) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]
    field = f"{style}_markdown" if markdown else style

    different = [
        work["item"]["id"]
        for work in works
        if format_reference(work["item"], style, markdown=markdown) != work[field]
    ]

    assert len(works) > 200
    assert sorted(different) == sorted(doi for kind, doi in DIFFERENCES if kind == style)
