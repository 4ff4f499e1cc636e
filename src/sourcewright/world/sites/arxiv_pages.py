"""arXiv's other door, which leads to the pages of its main host."""

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_redirect

HOSTS = ("www.arxiv.org",)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    query = f"?{request.query}" if request.query else ""
    return as_redirect(f"https://arxiv.org{request.path}{query}", status=301)
