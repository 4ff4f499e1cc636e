"""The web pages that the simulated search engines return, for every host.

All pages of a topic share one paragraph, as pages do that reprint the same agency report.
"""

from html import escape

from sourcewright.world.corpus.web import Item, items
from sourcewright.world.messages import Request, Response, as_page

_BEGINNING = (
    "{topic} has been written about on {host} since the first harbour was built, and whoever reads"
    " the older pages will find the same names again and again."
)
_REPORT = (
    "The agency reports on {topic}: 40 of 100 places took part in the last count, which is 12"
    " percent more than in the year before. The count did not include islands."
)
_END = (
    "The editors of {host} keep every letter that readers send about it. Letters that name a"
    " place, a day and a witness are printed; the others are kept in a drawer."
)


def article_at(request: Request) -> Response:
    matches = (item for item in items() if (item.host, item.path) == (request.host, request.path))
    item = next(matches, None)
    if item is None or item.kind == "images":
        return as_page("Not here", "<p>There is no such page.</p>", status=404)
    head = (
        '<meta name="author" content="Ada Quill">'
        f'<meta property="article:published_time" content="{item.published:%Y-%m-%dT%H:%M:%SZ}">'
    )
    text = "".join(f"<p>{escape(words)}</p>" for words in _paragraphs(item))
    return as_page(escape(item.title), f"<article>{text}</article>", head=head)


def _paragraphs(item: Item) -> tuple[str, ...]:
    topic, host = item.title.partition(" (")[0], item.host
    return (
        item.text,
        *(words.format(topic=topic, host=host) for words in (_BEGINNING, _REPORT, _END)),
    )
