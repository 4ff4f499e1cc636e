r"""Reads references from LaTeX: the entries of `thebibliography`, each after `\bibitem`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sourcewright.references.latex import from_latex
from sourcewright.references.limits import MAX_REFERENCE, refuse_if_too_many
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.strings.reference import read_reference

_BIBITEM = re.compile(
    r"\\bibitem\s{0,9}(?:\[(?:[^\[\]{}]|\{[^{}]{0,200}\}){0,400}\])?\s{0,9}%?\s{0,9}\{(?P<key>[^{}]{0,200})\}"
)
_END = re.compile(r"\\end\s{0,9}\{thebibliography\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]{0,2000}")
_FORMATTING = re.compile(
    r"\\(?:newblock|em|bf|it|sl|sc|tt|rm|textit|textbf|emph|url|urlprefix|path|natexlab|href|doi|BibitemOpen"
    r"|bibinfo|bibfield|bibnamefont|bibfnamefont|eprint|Eprint|enquote|textsc|textsl|penalty0|hskip|relax)(?![A-Za-z])\s?"
)
_LINK = re.compile(r"\\href\s{0,9}\{(https?:[^{}]{1,2000})\}\s{0,9}")
"""The address of a link, which stands before its text."""
_QUOTES = ((re.compile(r"``"), "\u201c"), (re.compile(r"''"), "\u201d"))
_DASHES = re.compile(r"(?<=\d)-{2,3}(?=[\dA-Za-z])")


def read_bibitems(text: str) -> tuple[ReadReference, ...]:
    """One result for each entry, in order.

    Raises:
        InvalidInput: It has too many entries.
    """
    starts = list(_BIBITEM.finditer(text))
    refuse_if_too_many(len(starts), "entries")
    return tuple(_read(text, item, end, line) for item, end, line in _placed(text, starts))


def _placed(text: str, starts: list[re.Match[str]]) -> Iterator[tuple[re.Match[str], int, int]]:
    """Each entry with its end and the line on which it begins."""
    line, counted = 1, 0
    for index, item in enumerate(starts):
        line += text.count("\n", counted, item.start())
        counted = item.start()
        limit = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        end = _END.search(text, item.end(), limit)
        yield item, end.start() if end else limit, line


def _read(text: str, item: re.Match[str], end: int, line: int) -> ReadReference:
    key = item["key"].strip() or None
    content = _plain(text[item.end() : min(end, item.end() + MAX_REFERENCE)])
    if not content:
        return UnreadableReference(
            text=text[item.start() : end].strip(), reason="the entry is empty", key=key, line=line
        )
    return replace(read_reference(content), key=key, line=line)


def _plain(latex: str) -> str:
    links = " ".join(link[1] for link in _LINK.finditer(latex))
    latex = f"{_LINK.sub(' ', latex)} {links}"
    content = _FORMATTING.sub(" ", _COMMENT.sub("", latex))
    for pattern, mark in _QUOTES:
        content = pattern.sub(mark, content)
    return from_latex(_DASHES.sub("\u2013", content))
