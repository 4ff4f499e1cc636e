"""Finds the label of another kind of document anywhere on the first pages of a PDF.

Near a title, at the top of a page, in running heads, in the PDF metadata, in the captions of a
supplement and in the sentences of a title page.
"""

import re
from collections.abc import Iterator
from itertools import chain

from sourcewright.base.text.unicode import fold_heading
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.kinds import DocumentKind, connected_kind, label_kind
from sourcewright.services.papers.file_check.pages import PageText
from sourcewright.services.papers.file_check.record_titles import PreparedTitle
from sourcewright.services.papers.file_check.titles import TitleMatch

Label = tuple[DocumentKind, str]
"""A kind of document, and the words that name it."""

_TOP_LINES = 4
_LINES_BELOW = 9
_LINES_ABOVE = 15
_EDGE_LINES = 2
_FEWEST_CAPTIONS = 2
_COVER_LETTERS = 2_000
"""Letters and digits on a title page; a page of an article has more."""
_LONGEST_TITLE_LINE = 90
_COVER_LINES = 25
_ARTICLE_MARK = re.compile(
    r"(?:a b s t r a c t|abstract\b|key ?words?|a r t i c l e i n f o|article info|article history|"
    r"received\b|resumen\b|palabras clave|zusammenfassung|schlusselworter|resume\b|mots cles|resumo\b|"
    r"palavras chave|riassunto|аннотация|резюме|ключевые слова|摘要|关键词|關鍵詞|要旨|概要|초록)"
)
"""Lines that an article has on its first pages, and its supplement or a document about it lacks."""
_BELOW: frozenset[DocumentKind] = frozenset(
    {
        *("supplement", "checklist", "peer review", "reply to reviewers", "protocol", "notice"),
        *("presentation", "companion", "thesis", "collection", "summary"),
    }
)
"""The kinds that a line below the title and the authors names, if there is no abstract."""
_RUNNING: frozenset[DocumentKind] = _BELOW - {"notice", "collection", "summary"}
_CAPTION = re.compile(
    r"((?:supplement(?:ary|al) )?(?:e ?)?(?:table|figure|fig|text|data|methods?|note|appendix|movie|"
    r"video|dataset|section) ?(?:s|e)[0-9]{1,3}|(?:e(?:table|figure|appendix) [0-9]{1,2})|emethods|"
    r"supplement(?:ary|al) (?:table|figure|fig|note|methods?|text|discussion|data|movie)(?: [0-9]{1,2})?)"
    r"\b"
)
_OF_SUPPLEMENT = re.compile(
    r"\b(?:(?:supplementary|supplemental|online) (?:material|content|appendix|information)|appendix|"
    r"supplement) (?:has been|was|is|formed) (?:provided by|part of|supplied by) the "
    r"(?:authors?|original submission)"
    r"|\bsupplement to (?:this|the) (?:article|paper)|\bcontents of this file\b"
)
_OF_THESIS = re.compile(
    r"\b(?:in partial (?:fulfil\w*|satisfaction|completion) of (?:the )?(?:degree )?requirements?"
    r"|(?:thesis|dissertation|treatise|document|memoir) (?:\w+ ){0,3}(?:submitted|presented|prepared|"
    r"defended|written|offered|for the)"
    r"|(?:submitted|presented) (?:\w+ ){0,12}?(?:for|towards?) the (?:award of the )?degree of"
    r"|zur erlangung|vorgelegt von|eingereicht von|pour (?:obtenir|lobtention)|en vue de lobtention"
    r"|(?:soutenue|presentee) (?:publiquement|par|le)|para (?:optar|obtener|la obtencion)"
    r"|para (?:a )?obtencao|na соискание|на соискание|per il conseguimento|ter verkrijging"
    r"|candidate for the degree|academic dissertation|akademisk avhandling|akademische proefschrift"
    r"|doctor of philosophy (?:in|at)|specialist thesis)\b"
)
_ABOUT_THESIS = re.compile(
    r"\b(?:based on|part of|adapted from|derived from|drawn from|extends|taken from|conducted)\b"
)
_FILE_NAME = re.compile(r"^microsoft (?:word|powerpoint) | (?:docx?|pdf|tex|pptx?|dvi|indd)$")
_SEPARATORS = re.compile(r"[,;|\u2013\u2014\u00b7()]|\s-\s")


def other_label(
    title: PreparedTitle, match: TitleMatch, pages: tuple[PageText, ...], excerpt: Excerpt
) -> Label | None:
    """Return the label that shows a file to be another kind of document than the work."""
    has_abstract = is_article(pages)
    labels = chain(
        _near_title(match, pages, has_abstract=has_abstract),
        _in_running_heads(pages),
        () if "thesis" in title.kinds else _on_title_page(pages),
        _in_supplement(pages, has_abstract=has_abstract),
    )
    return next(
        (
            label
            for label in (*_in_metadata(title, excerpt), *labels)
            if label[0] not in title.kinds
        ),
        None,
    )


def is_article(pages: tuple[PageText, ...]) -> bool:
    """Whether the first pages have the headings of an article, such as its abstract."""
    return any(_ARTICLE_MARK.match(line) for page in pages[:2] for line in page.plain)


def _near_title(
    match: TitleMatch, pages: tuple[PageText, ...], *, has_abstract: bool
) -> Iterator[Label]:
    """Labels at the top of the first page, above the title, and below it.

    An article has links to its supplement beside its title, and an abstract that the supplement
    lacks.
    """
    is_heading = match.grade not in {"none", "inside"} and match.page
    first_page = pages[0].plain[:_TOP_LINES] if pages else ()
    above, below = [*first_page], []
    if is_heading:
        lines = pages[match.page - 1].plain
        top = first_page if match.page > 1 else ()
        above = [*top, *lines[: min(_TOP_LINES, match.line)]]
        if not has_abstract:
            above += lines[max(0, match.line - _LINES_ABOVE) : match.line]
            below = list(lines[match.last + 1 : match.last + 1 + _LINES_BELOW])
    yield from _labels_in(above, _BELOW | {"book review"})
    yield from _labels_in(below, _BELOW)


def _labels_in(lines: list[str], kinds: frozenset[DocumentKind]) -> Iterator[Label]:
    for line in lines:
        kind = label_kind(line) or connected_kind(line)
        if kind in kinds:
            yield kind, line


def _in_running_heads(pages: tuple[PageText, ...]) -> Iterator[Label]:
    """Labels at the edge of at least two pages."""
    edges = [{*page.plain[:_EDGE_LINES], *page.plain[-_EDGE_LINES:]} for page in pages]
    kinds = [{label for line in edge for label in _labels_in([line], _RUNNING)} for edge in edges]
    for at, labels in enumerate(kinds):
        elsewhere = {kind for other in kinds[at + 1 :] for kind, _ in other}
        yield from (label for label in sorted(labels) if label[0] in elsewhere)


def _on_title_page(pages: tuple[PageText, ...]) -> Iterator[Label]:
    """The wording of the title page of a thesis; an article may be based on one and say so."""
    for page in pages:
        is_cover = len(page.letters.text) <= _COVER_LETTERS
        words = page.words if is_cover else " ".join(page.plain[:_COVER_LINES])
        for match in _OF_THESIS.finditer(words):
            if not _ABOUT_THESIS.search(words[max(0, match.start() - 80) : match.start()]):
                yield "thesis", match[0]
        lines = page.lines if is_cover else page.lines[:_TOP_LINES]
        short = (line for line in lines if len(line) <= _LONGEST_TITLE_LINE)
        parts = (fold_heading(part) for line in short for part in _SEPARATORS.split(line))
        yield from _labels_in([*parts], frozenset({"thesis"}))


def _in_supplement(pages: tuple[PageText, ...], *, has_abstract: bool) -> Iterator[Label]:
    """What only a supplement says: that it is one, or captions of tables with such numbers."""
    for page in pages[:2]:
        match = _OF_SUPPLEMENT.search(page.words)
        if match:
            yield "supplement", match[0]
    if has_abstract:
        return
    lines = [line for page in pages for line in page.plain]
    captions = {match[1] for line in lines if (match := _CAPTION.match(line))}
    if len(captions) >= _FEWEST_CAPTIONS:
        yield "supplement", min(captions)


def _in_metadata(title: PreparedTitle, excerpt: Excerpt) -> Iterator[Label]:
    declared = _FILE_NAME.sub("", _FILE_NAME.sub("", fold_heading((excerpt.title or "")[:600])))
    ahead, match, after = declared.partition(title.words) if title.words else (declared, "", "")
    for words in (ahead.strip(), after.strip()):
        kind = label_kind(words) or (connected_kind(words) if match else None)
        if kind is not None and kind in _BELOW:
            yield kind, words
