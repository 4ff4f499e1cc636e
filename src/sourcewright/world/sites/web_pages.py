"""Hosts that serve only the pages that the search engines return."""

from sourcewright.world.articles import article_at
from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response

HOSTS = (
    "blog.lakeside.example",
    "docs.python.org",
    "museum.faro.example",
    "stackoverflow.com",
    "www.bbc.co.uk",
    "www.harbour-times.example",
    "www.reuters.com",
)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    return article_at(request)
