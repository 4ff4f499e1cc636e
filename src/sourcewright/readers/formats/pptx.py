"""PPTX (PowerPoint): each slide with its tables and speaker's notes."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.markdown.sections import unmarked
from sourcewright.logic.markdown.writer import bounded, table_of
from sourcewright.readers.formats._archive import (
    Archive,
    attribute,
    child,
    local,
    related,
)
from sourcewright.readers.formats._office import FIGURES, FORMULAS, figure_of, formula_of

KINDS = ("pptx",)
_TITLES = {"title", "ctrTitle"}
_NO_CONTENT = {"dt", "ftr", "sldNum", "hdr", "sldImg"}
_GROUPS = {"grpSp", "AlternateContent", "Choice"}
_SHAPES = {"sp", "pic", "graphicFrame", "cxnSp"}
_ON, _OFF = {"1", "true"}, {"0", "false"}
_NUMBERS = re.compile(r"(\d+)")
_MAX_SLIDES = 2000
_MAX_CHARACTERS = 5_000_000


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Slide by slide, in the order in which they are shown."""
    del url, content_type
    archive = Archive(body)
    said = archive.about()
    slides = _slides(archive)
    about = Reading(
        content="",
        kind="pptx",
        title=said.get("title"),
        author=said.get("author"),
        modified=said.get("modified"),
        page_count=len(slides),
    )
    length = 0
    for at, name in enumerate(slides[:_MAX_SLIDES], start=1):
        text = _slide(archive, name, at)
        if at == 1:
            first = text.partition("\n")[0].partition(": ")[2]
            about = replace(about, title=about.title or first or None)
        length += len(text)
        cut = archive.cut or len(slides) > _MAX_SLIDES or length > _MAX_CHARACTERS
        yield replace(about, content=("\n\n" if at > 1 else "") + text, cut=cut)
        if length > _MAX_CHARACTERS:
            return


def _slides(archive: Archive) -> list[str]:
    """The parts of the slides: as the presentation lists them, else by their numbers."""
    main = archive.part("officeDocument", usual="ppt/presentation.xml")
    listed = child(archive.required(main), "sldIdLst")
    links = archive.links(main)
    found = [links.get(related(one), "") for one in ([] if listed is None else listed)]
    known = [name for name in found if archive.place(name)]
    if known or listed is not None:
        return known
    slides = (name for name in archive.names if name.startswith("ppt/slides/slide"))
    return sorted(slides, key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts slide10 after slide2."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _NUMBERS.split(name)]


def _slide(archive: Archive, name: str, at: int) -> str:
    root = archive.tree(name)
    if root is None:
        return f"## Slide {at}\n\n*(damaged)*"
    slide = _Slide(archive, archive.links(name))
    shapes = list(_shapes(child(root, "cSld", "spTree")))
    titles = [slide.line(shape) for shape in shapes if _role(shape) in _TITLES]
    heading = f"## Slide {at}" + (f": {titles[0]}" if titles and titles[0] else "")
    hidden = ["*(hidden when shown)*"] if root.get("show") in _OFF else []
    blocks = [slide.block(one) for one in shapes if _role(one) not in _TITLES | _NO_CONTENT]
    notes = _notes(archive, name)
    return "\n\n".join(filter(None, [heading, *hidden, *titles[1:], *blocks, notes]))


def _notes(archive: Archive, name: str) -> str:
    part = archive.part("notesSlide", of=name)
    root = archive.tree(part)
    bodies = [] if root is None else list(_shapes(child(root, "cSld", "spTree")))
    notes = _Slide(archive, archive.links(part))
    paragraphs = (words for one in bodies if _role(one) == "body" for words in notes.words(one))
    said = "\n\n".join(paragraphs)
    return f"**Notes:** {said}" if said else ""


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Every shape that is shown, those in groups as well."""
    for one in [] if tree is None else tree:
        is_hidden = any(attribute(child(part, "cNvPr"), "hidden") in _ON for part in one[:1])
        if local(one.tag) in _GROUPS and not is_hidden:
            yield from _shapes(one)
        elif local(one.tag) in _SHAPES and not is_hidden:
            yield one


def _role(shape: Element) -> str | None:
    """What the shape is on its slide: a title, a body, a number; None for something else."""
    place = child(shape, "nvSpPr", "nvPr", "ph")
    return None if place is None else attribute(place, "type") or "body"


class _Slide:
    """Writes the shapes of a slide as Markdown."""

    def __init__(self, archive: Archive, links: dict[str, str]) -> None:
        self._archive, self._links = archive, links

    def block(self, shape: Element) -> str:
        if local(shape.tag) == "pic":
            alt = " ".join((attribute(child(shape, "nvPicPr", "cNvPr"), "descr") or "").split())
            return f"![{alt}]()" if alt else ""
        for one in shape.iter() if local(shape.tag) == "graphicFrame" else ():
            if local(one.tag) == "tbl":
                return self._table(one)
            if local(one.tag) in FIGURES:
                return figure_of(self._archive, self._links, one)
        return unmarked(self._text(shape))

    def line(self, shape: Element) -> str:
        """Everything that a shape says on one line."""
        return " ".join(self.words(shape))

    def words(self, shape: Element) -> list[str]:
        """The paragraphs of a shape that say something."""
        return [words for one in _paragraphs(shape) if (words := self._words(one))]

    def _table(self, table: Element) -> str:
        rows = [
            [self.line(cell) for cell in row if local(cell.tag) == "tc"]
            for row in table
            if local(row.tag) == "tr"
        ]
        kept, note = bounded(rows)
        return "\n\n".join(filter(None, [table_of(kept), note]))

    def _text(self, shape: Element) -> str:
        """The paragraphs of a shape; several of them are items of a list."""
        counts: Counter[int] = Counter()
        lines: list[str] = []
        for one in _paragraphs(shape):
            words, level = self._words(one), _level(one)
            if words:
                numbered = child(one, "pPr", "buAutoNum") is not None
                counts[level] = counts[level] + 1 if numbered else 0
                counts.update({deeper: -counts[deeper] for deeper in range(level + 1, 9)})
                mark = f"{counts[level]}." if numbered else "-"
                lines.append(f"{'  ' * level}{mark} {words}")
        return "\n".join(lines) if len(lines) > 1 else "".join(self.words(shape))

    def _words(self, paragraph: Element) -> str:
        return " ".join("".join(self._run(one) for one in paragraph).split())

    def _run(self, one: Element) -> str:
        name = local(one.tag)
        if name in FORMULAS:
            return formula_of(one)
        if name == "br":
            return " "
        if name == "t":
            return one.text or ""
        text = "".join(self._run(inner) for inner in one)
        link = child(one, "rPr", "hlinkClick") if name == "r" else None
        target = "" if link is None else self._links.get(related(link), "")
        is_web = target.startswith(("http://", "https://", "mailto:"))
        return f"[{text}]({target})" if is_web and text.strip() else text


def _paragraphs(shape: Element) -> list[Element]:
    found = child(shape, "txBody")
    return [] if found is None else [one for one in found if local(one.tag) == "p"]


def _level(paragraph: Element) -> int:
    level = attribute(child(paragraph, "pPr"), "lvl") or "0"
    return int(level) if level in set("12345678") else 0
