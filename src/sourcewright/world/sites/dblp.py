"""dblp's search API for publications in computer science, as XML or JSON."""

from html import escape
from typing import Any

from sourcewright.world.corpus import Corpus, Work, words
from sourcewright.world.messages import Request, Response, as_json, as_page, as_text

HOSTS = ("dblp.org",)

Record = dict[str, Any]

_JOURNALS = frozenset({"clocks", "numbers", "conference", "arxiv"})
"""What counts as computer science here."""
_MOST = 1000
_KINDS = {
    "journal-article": ("journals", "Journal Articles"),
    "proceedings-article": ("conf", "Conference and Workshop Papers"),
    "Preprint": ("journals/corr", "Informal and Other Publications"),
}


def answer(request: Request, corpus: Corpus) -> Response:
    if request.path != "/search/publ/api":
        return as_page("404 Not Found", "<p>Not here.</p>", status=404)
    params = request.params
    most, first = min(_number(params.get("h"), 30), _MOST), _number(params.get("f"), 0)
    hits = [work for work in corpus.works if is_listed(work) and _fits(work, params.get("q", ""))]
    page = hits[first : first + most]
    if params.get("format") == "json":
        return as_json({"result": {"status": {"@code": "200", "text": "OK"}, "hits": {}}})
    records = "".join(_hit(work) for work in page)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<result>\n'
        f'<query id="1">{escape(params.get("q", ""))}</query>\n<status code="200">OK</status>\n'
        '<time unit="msecs">6.79</time>\n'
        '<completions total="0" computed="0" sent="0">\n</completions>\n'
        f'<hits total="{len(hits)}" computed="{len(hits)}" sent="{len(page)}" first="{first}">\n'
        f"{records}</hits>\n</result>\n"
    )
    return as_text(text, content_type="application/xml; charset=utf-8")


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() else default


def is_listed(work: Work) -> bool:
    return work.journal.key in _JOURNALS and bool(work.title) and not work.update_to


def _fits(work: Work, query: str) -> bool:
    """Whether every word of the query is the start of a word of the publication."""
    names = " ".join(author.full_name for author in work.authors)
    text_words = words(f"{work.plain_title} {names} {work.year} {work.journal.name}")
    return all(any(word.startswith(prefix) for word in text_words) for prefix in words(query))


def _hit(work: Work) -> str:
    folder, kind = _KINDS.get(work.type, ("journals", "Journal Articles"))
    key = f"{folder}/x/{work.slug}"
    number = sum(work.key.encode())
    # One author in several has a number, to tell people of the same name apart.
    authors = "".join(
        f'<author pid="{at}/{number % 999}">{escape(author.full_name)}'
        f"{' 0001' if at % 3 == 2 else ''}</author>"
        for at, author in enumerate(work.authors)
    )
    fields = {
        "title": f"{work.plain_title}.",
        "venue": "CoRR" if work.manuscript else work.journal.short or work.journal.name,
        "volume": f"abs/{work.manuscript.id}" if work.manuscript else work.volume,
        "number": work.issue,
        "pages": work.pages,
        "year": str(work.year or ""),
        "type": kind,
        "access": "open" if work.manuscript or work.oa == "gold" else "closed",
        "key": key,
        "doi": work.doi.upper(),
        "ee": f"https://doi.org/{work.key}",
        "url": f"https://dblp.org/rec/{key}",
    }
    elements = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in fields.items() if text)
    people = f"<authors>{authors}</authors>" if authors else ""
    return (
        f'<hit score="4" id="{number}">\n<info>{people}{elements}</info>\n'
        f"<url>URL#{number}</url>\n</hit>\n"
    )
