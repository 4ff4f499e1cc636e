"""Footer text: paragraphs far below an article, such as notices about copyright or cookies."""

from itertools import pairwise

from sourcewright.reading.html.selection.body import MIN_GAP, NEARLY_ALL, Selection, branch_beside

_MAX_PARAGRAPHS = 3
_MIN_SHARE = 0.6
"""Share of the characters of long paragraphs that the article has at least."""


def footer_text(page: Selection) -> set[int]:
    """Positions of kept blocks after a long gap, outside the element with the text before it."""
    starts = [after for before, after in pairwise(page.paragraphs) if _is_gap(page, before, after)]
    for start in starts:
        text = page.without(range(start, len(page.blocks)))
        if text.paragraph_characters < _MIN_SHARE * page.paragraph_characters:
            continue
        after = [at for at in page.paragraphs if at >= start]
        if len(after) > _MAX_PARAGRAPHS:
            continue
        body = text.body(NEARLY_ALL)
        rest = [at for at in range(body.last + 1, len(page.blocks)) if page.kept[at]]
        below = [at for at in rest if branch_beside(page.blocks[at], body) is not None]
        if below and set(after) <= set(below):
            return {at for at in below if at >= start}
    return set()


def _is_gap(page: Selection, before: int, after: int) -> bool:
    return (
        after - before > MIN_GAP
        and sum(1 for at in range(before + 1, after) if page.blocks[at].text and not page.kept[at])
        >= MIN_GAP
    )
