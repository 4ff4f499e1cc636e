"""PPTX (PowerPoint): each slide with its tables and speaker notes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    relationship_id,
)
from sourcewright.reading.formats._office import (
    FIGURES,
    FORMULAS,
    MONOSPACED,
    TextRun,
    figure_of,
    formula_of,
    with_scripts,
)
from sourcewright.reading.html.inline import absolute_url, escape_markdown
from sourcewright.reading.markdown.sections import displayed_text
from sourcewright.reading.markdown.writer import (
    code_fence,
    escape_line_starts,
    limit_rows,
    markdown_table,
)
from sourcewright.reading.readings import Reading

KINDS = ("pptx",)
_TITLES = {"title", "ctrTitle"}
_DECORATION = {"dt", "ftr", "sldNum", "hdr", "sldImg"}
_GROUPS = {"grpSp", "AlternateContent", "Choice"}
_SHAPES = {"sp", "pic", "graphicFrame", "cxnSp"}
_TRUE_VALUES, _FALSE_VALUES = {"1", "true"}, {"0", "false"}
_NUMBERS = re.compile(r"(\d{1,9})")
_MAX_SLIDES = 2000
_MAX_CHARACTERS = 5_000_000


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Read slide by slide, in presentation order."""
    del url, content_type
    archive = Archive(body)
    properties = archive.properties()
    slides = _slides(archive)
    metadata = Reading(
        content="",
        kind="pptx",
        title=properties.get("title"),
        author=properties.get("author"),
        modified=properties.get("modified"),
        page_count=len(slides),
    )
    length = 0
    for at, name in enumerate(slides[:_MAX_SLIDES], start=1):
        text = _slide(archive, name, at)
        if at == 1:
            first = displayed_text(text.partition("\n")[0].partition(": ")[2])
            metadata = replace(metadata, title=metadata.title or first or None)
        length += len(text)
        cut = archive.cut or len(slides) > _MAX_SLIDES or length > _MAX_CHARACTERS
        yield replace(metadata, content=("\n\n" if at > 1 else "") + text, cut=cut)
        if length > _MAX_CHARACTERS:
            return


def _slides(archive: Archive) -> list[str]:
    """Part names of the slides, as listed by the presentation, else by number."""
    main = archive.part("officeDocument", usual="ppt/presentation.xml")
    id_list = child(archive.required(main), "sldIdLst")
    links = archive.links(main)
    targets = [links.get(relationship_id(one), "") for one in ([] if id_list is None else id_list)]
    existing = [name for name in targets if archive.place(name)]
    if existing or id_list is not None:
        return existing
    slides = (name for name in archive.names if name.startswith("ppt/slides/slide"))
    return sorted(slides, key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    """Sort key that puts slide10 after slide2."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(name)]


def _slide(archive: Archive, name: str, at: int) -> str:
    root = archive.tree(name)
    if root is None:
        return f"## Slide {at}\n\n*(damaged)*"
    slide = _Slide(archive, archive.links(name))
    shapes = list(_shapes(child(root, "cSld", "spTree")))
    titles = [slide.line(shape) for shape in shapes if _role(shape) in _TITLES]
    heading = f"## Slide {at}" + (f": {titles[0]}" if titles and titles[0] else "")
    hidden = ["*(hidden slide)*"] if root.get("show") in _FALSE_VALUES else []
    blocks = [slide.block(one) for one in shapes if _role(one) not in _TITLES | _DECORATION]
    notes = _notes(archive, name)
    return "\n\n".join(filter(None, [heading, *hidden, *titles[1:], *blocks, notes]))


def _notes(archive: Archive, name: str) -> str:
    part = archive.part("notesSlide", of=name)
    root = archive.tree(part)
    bodies = [] if root is None else list(_shapes(child(root, "cSld", "spTree")))
    notes = _Slide(archive, archive.links(part))
    paragraphs = (words for one in bodies if _role(one) == "body" for words in notes.words(one))
    text = "\n\n".join(paragraphs)
    return f"**Notes:** {text}" if text else ""


def _shapes(tree: Element | None) -> Iterator[Element]:
    """All visible shapes, including those in groups."""
    for one in [] if tree is None else tree:
        is_hidden = any(
            attribute(child(part, "cNvPr"), "hidden") in _TRUE_VALUES for part in one[:1]
        )
        if local_name(one.tag) in _GROUPS and not is_hidden:
            yield from _shapes(one)
        elif local_name(one.tag) in _SHAPES and not is_hidden:
            yield one


def _role(shape: Element) -> str | None:
    """The placeholder type of a shape, such as title or body; None if it is no placeholder."""
    placeholder = child(shape, "nvSpPr", "nvPr", "ph")
    return None if placeholder is None else attribute(placeholder, "type") or "body"


class _Slide:
    """Converts the shapes of a slide to Markdown."""

    def __init__(self, archive: Archive, links: dict[str, str]) -> None:
        self._archive, self._links = archive, links

    def block(self, shape: Element) -> str:
        if local_name(shape.tag) == "pic":
            alt = " ".join((attribute(child(shape, "nvPicPr", "cNvPr"), "descr") or "").split())
            return f"![{escape_markdown(alt)}]()" if alt else ""
        for one in shape.iter() if local_name(shape.tag) == "graphicFrame" else ():
            if local_name(one.tag) == "tbl":
                return self._table(one)
            if local_name(one.tag) in FIGURES:
                return figure_of(self._archive, self._links, one)
        return self._text(shape)

    def line(self, shape: Element) -> str:
        """The text of a shape on one line."""
        return " ".join(self.words(shape))

    def words(self, shape: Element) -> list[str]:
        """The non-empty paragraphs of a shape."""
        return [words for one in _paragraphs(shape) if (words := self._words(one))]

    def _table(self, table: Element) -> str:
        rows = [
            [self.line(cell) for cell in row if local_name(cell.tag) == "tc"]
            for row in table
            if local_name(row.tag) == "tr"
        ]
        first, note = limit_rows(rows)
        return "\n\n".join(filter(None, [markdown_table(first), note]))

    def _text(self, shape: Element) -> str:
        """The paragraphs of a shape, and those of code as code blocks."""
        counts: Counter[int] = Counter()
        parts = groupby(_paragraphs(shape), key=_is_code)
        texts = (
            self._code(group) if is_code else self._list([*group], counts)
            for is_code, group in parts
        )
        return "\n\n".join(filter(None, texts))

    def _code(self, paragraphs: Iterable[Element]) -> str:
        lines = ("".join(map(_code_text, one)).rstrip() for one in paragraphs)
        return code_fence("\n".join(lines).strip("\n"))

    def _list(self, paragraphs: Sequence[Element], counts: Counter[int]) -> str:
        """Several paragraphs as list items, numbered on from the counts of each level."""
        lines: list[str] = []
        for one in paragraphs:
            words, level = self._words(one), _level(one)
            if words:
                numbered = child(one, "pPr", "buAutoNum") is not None
                counts[level] = counts[level] + 1 if numbered else 0
                counts.update({deeper: -counts[deeper] for deeper in range(level + 1, 9)})
                mark = f"{counts[level]}." if numbered else "-"
                lines.append(f"{'   ' * level}{mark} {escape_line_starts(words)}")
        # A number goes on after code; one paragraph alone is no list.
        is_list = len(lines) > 1 or max(counts.values(), default=0) > 1
        single = "".join(map(self._words, paragraphs))
        return "\n".join(lines) if is_list else escape_line_starts(single)

    def _words(self, paragraph: Element) -> str:
        runs = [
            TextRun(self._run(one), _emphasis(one), one, _script_tag(one)) for one in paragraph
        ]
        return " ".join("".join(text for _, text in with_scripts(runs)).split())

    def _run(self, one: Element) -> str:
        name = local_name(one.tag)
        if name in FORMULAS:
            return formula_of(one)
        if name == "br":
            return " "
        if name == "t":
            return escape_markdown(one.text or "")
        text = "".join(self._run(inner) for inner in one)
        link = child(one, "rPr", "hlinkClick") if name == "r" else None
        reference = "" if link is None else self._links.get(relationship_id(link), "")
        target = absolute_url(reference, "")
        return f"[{text}]({target})" if target and text.strip() else text


def _paragraphs(shape: Element) -> list[Element]:
    body = child(shape, "txBody")
    return [] if body is None else [one for one in body if local_name(one.tag) == "p"]


def _level(paragraph: Element) -> int:
    level = attribute(child(paragraph, "pPr"), "lvl") or "0"
    return int(level) if level in set("12345678") else 0


def _script_tag(run: Element) -> str:
    """`sup` or `sub` for a run above or below the line, else nothing."""
    baseline = attribute(child(run, "rPr"), "baseline") or "0"
    is_shifted = baseline.removeprefix("-").isdecimal() and baseline.strip("-0") != ""
    return ("sub" if baseline.startswith("-") else "sup") if is_shifted else ""


def _emphasis(run: Element) -> str:
    return "i" if attribute(child(run, "rPr"), "i") in _TRUE_VALUES else ""


def _is_code(paragraph: Element) -> bool:
    """Whether all text of a paragraph is in a monospaced font."""
    runs = [one for one in paragraph if local_name(one.tag) == "r" and _code_text(one).strip()]
    fonts = [attribute(child(one, "rPr", "latin"), "typeface") or "" for one in runs]
    return bool(fonts) and all(map(MONOSPACED.search, fonts))


def _code_text(one: Element) -> str:
    """The text of a run, or the line break between two."""
    if local_name(one.tag) == "br":
        return "\n"
    return "".join(part.text or "" for part in one if local_name(part.tag) == "t")
