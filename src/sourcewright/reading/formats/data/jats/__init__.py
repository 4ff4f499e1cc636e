"""JATS, the XML of journal articles (PubMed Central, preprint servers, publishers), as Markdown.

The article is rewritten as HTML and then read as a page is, so that tables, lists, formulas and
footnotes have the same form in both.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import attribute, child, local_name
from sourcewright.reading.formats.data.jats import front
from sourcewright.reading.formats.data.jats.elements import element
from sourcewright.reading.formats.data.jats.markup import Markup
from sourcewright.reading.html.blocks import blocks_of
from sourcewright.reading.html.document import MAX_CHARACTERS, AttributeIndex, body_of, parse_html
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.html.structure.footnotes import mark_footnotes, write_references
from sourcewright.reading.readings import Reading

_PARTS = {
    "ack": "Acknowledgements",
    "ref-list": "References",
    "glossary": "Glossary",
    "fn-group": "Notes",
    "app": "Appendix",
    "bio": "Biography",
}
"""Parts after the body that often have no title, and the usual one."""
_GROUPS = frozenset(("app-group", "back"))
_MOST_ARTICLES = 50
_SUB_ARTICLES = frozenset(("sub-article", "response"))


def articles_in(root: Element) -> list[Element]:
    """The articles of a document: one, or several in an envelope; none if it is something else."""
    articles = (
        one
        for one in root.iter()
        if local_name(one.tag) == "article" and child(one, "front", "article-meta") is not None
    )
    return list(islice(articles, _MOST_ARTICLES))


def read_articles(articles: Sequence[Element], url: str) -> Reading:
    """The articles as Markdown, with the metadata that the first has about itself."""
    html = "".join(piece for one in articles for piece in _article(one))
    root = parse_html(html)
    mark_footnotes(body_of(root), AttributeIndex(root))
    blocks, _, _ = blocks_of(body_of(root))
    meta = child(articles[0], "front", "article-meta")
    authors = front.authors_of(meta)
    return Reading(
        content=write_references(markdown_of(blocks, url)),
        kind="xml",
        title=front.title_of(meta) or None,
        author="; ".join(one.name for one in authors) or None,
        organisations=tuple(one.name for one in authors if one.is_organisation),
        site=front.journal_of(articles[0]) or None,
        published=front.published(meta),
        language=attribute(articles[0], "lang"),
        cut=len(html) > MAX_CHARACTERS or len(articles) == _MOST_ARTICLES,
    )


def _article(article: Element) -> Iterator[str]:
    meta = child(article, "front", "article-meta")
    markup = Markup()
    yield element("h1", markup.inline(child(meta, "title-group", "article-title")))
    yield front.lines_below_title(article, markup)
    for one in () if meta is None else meta:
        if local_name(one.tag) in {"abstract", "trans-abstract"}:
            yield markup.section(one, 2, title=front.abstract_title(one))
    yield front.keywords(meta, markup)
    yield from _parts(article, markup, 2)


def _parts(article: Element, markup: Markup, level: int) -> Iterator[str]:
    """The body of an article, and what follows it: notes, references, letters of reviewers."""
    for one in article:
        name = local_name(one.tag)
        if name == "body":
            yield markup.children(one, level)
        elif name == "floats-group":
            yield markup.section(one, level, title="Figures and tables")
        elif name == "back":
            yield from _back(one, markup, level)
        elif name in _SUB_ARTICLES:
            meta = child(one, "front-stub")
            meta = child(one, "front", "article-meta") if meta is None else meta
            title = markup.inline(child(meta, "title-group", "article-title"))
            yield element(f"h{level}", title or "Sub-article")
            yield from _parts(one, markup, level + 1)


def _back(parent: Element, markup: Markup, level: int) -> Iterator[str]:
    for one in parent:
        name = local_name(one.tag)
        if name in _GROUPS:
            yield from _back(one, markup, level)
        elif name in _PARTS:
            yield markup.section(one, level, title=_PARTS[name])
        else:
            yield markup.element(one, level)
