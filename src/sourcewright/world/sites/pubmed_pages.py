"""PubMed's abstract pages have no host of their own: the site of NCBI answers for them."""

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_text

HOSTS: tuple[str, ...] = ()


def answer(request: Request, corpus: Corpus) -> Response:
    """What nobody is led to."""
    del request, corpus
    return as_text("not here", status=404)
