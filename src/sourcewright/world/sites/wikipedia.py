"""Wikipedia's API, in a few language editions: articles on the topics of the invented web."""

from typing import Any

from sourcewright.world import wikis
from sourcewright.world.articles import article_at
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import Request, Response, as_json, as_page

HOSTS = ("en.wikipedia.org", "de.wikipedia.org", "fr.wikipedia.org", "ja.wikipedia.org")


_ESTUARY = (
    "<p>An estuary is where a river meets the sea, and where the salt of the one and the mud of"
    " the other are mixed twice a day. Its banks are among the richest feeding grounds of birds."
    "</p><p>Harbours were built on estuaries because ships could lie there out of the wind.</p>"
)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == "/wiki/Estuary":
        return as_page("Estuary", _ESTUARY)
    if not request.path.startswith("/w/"):
        return article_at(request)
    problem = wikis.objection(request, "sr")
    if problem is not None:
        return problem
    params = dict(request.params)
    edition = request.host.partition(".")[0]
    wide = wikis.hits("web", {**params, "srlimit": "500"}, "sr")
    articles = [item for item in wide if item.language == edition]
    listed = [_article(item, params) for item in articles[: int(params.get("srlimit", "10"))]]
    return as_json(
        {
            "batchcomplete": True,
            "query": {"searchinfo": {"totalhits": len(articles)}, "search": listed},
        }
    )


def _article(item: Item, params: dict[str, str]) -> dict[str, Any]:
    start, _, rest = item.text.partition(" ")
    fields = {
        "snippet": f'<span class="searchmatch">{start}</span> {rest} Salt &amp; water.',
        "timestamp": item.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "size": len(item.text),
        "wordcount": len(item.text.split()),
    }
    properties = params.get("srprop", "size|wordcount|timestamp|snippet").split("|")
    fields_asked_for = {name: value for name, value in fields.items() if name in properties}
    return {"ns": 0, "title": item.title, "pageid": 1000 + len(item.text)} | fields_asked_for
