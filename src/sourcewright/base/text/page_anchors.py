"""Page anchors: the comments in Markdown that say where a page of a PDF begins."""

import re

PAGE_ANCHOR = re.compile(r"<!-- page \d{1,9} -->")


def page_anchor(number: int) -> str:
    """The comment that stands where a page begins."""
    return f"<!-- page {number} -->"
