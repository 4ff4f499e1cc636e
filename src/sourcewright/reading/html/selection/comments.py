"""Comments of readers below an article, by the names of their elements.

Those with a date are found by their shape as well (`runs`), but comments may be several times as
long as the text, and then no share of the text tells them from it.
"""

from sourcewright.reading.html.blocks import Container
from sourcewright.reading.html.features import PageHints
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import Selection, is_signed, may_be_article

_NAME_LIST = (
    "comment comments commentlist commentary disqus kommentar kommentare commentaire commentaires "
    "comentario comentarios commenti reactie reacties"
)
_NAMES = frozenset(_NAME_LIST.split())
_MIN_TEXT, _MIN_PROSE_SHARE = 400, 0.7
"""Characters of long paragraphs outside the comments; with fewer, comments are the text. And their
share of the text outside, on a page that may be the first message of a thread."""


def comments_below(page: Selection, hints: PageHints) -> set[int]:
    """Positions of kept blocks in elements with the names of comments, below the text."""
    if hints.declares_other or not page.paragraphs:
        return set()
    # A page with comments may say so in the class of its body.
    first = page.blocks[page.paragraphs[0]].place
    is_comment = dict.fromkeys(self_and_ancestors(first), False)
    inside = {
        at
        for at, keep in enumerate(page.kept)
        if keep and _is_in_comments(page.blocks[at].place, is_comment)
    }
    if not inside:
        return inside
    text = [at for at in page.paragraphs if at not in inside]
    size = page.size(text)
    outside = (
        0 if may_be_article(hints) or is_signed(hints) else page.characters - page.size(inside)
    )
    if size < max(_MIN_TEXT, _MIN_PROSE_SHARE * outside):
        return set()
    return {at for at in inside if at > text[-1]}


def _is_in_comments(place: Container, is_comment: dict[Container, bool]) -> bool:
    if place not in is_comment:
        is_comment[place] = not _NAMES.isdisjoint(place.tokens) or (
            place.parent is not None and _is_in_comments(place.parent, is_comment)
        )
    return is_comment[place]
