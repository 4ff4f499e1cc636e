"""Presentations: each slide under its number, with its tables and the speaker's notes."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.tabulating import bounded, table_of
from sourcewright.readers._archive import (
    Archive,
    attribute,
    child,
    local,
    natural,
    related,
)

KINDS = ("pptx",)
_MAIN = "ppt/presentation.xml"
_TITLES = {"title", "ctrTitle"}
_NO_CONTENT = {"dt", "ftr", "sldNum", "hdr", "sldImg"}
_MAX_SLIDES = 2000


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """Slides in the order in which they are shown."""
    del url, content_type
    archive = Archive(body)
    said = archive.about()
    slides = _slides(archive)
    texts = [_slide(archive, name, at) for at, name in enumerate(slides[:_MAX_SLIDES], start=1)]
    first = texts[0].partition("\n")[0].partition(": ")[2] if texts else ""
    return Reading(
        content="\n\n".join(texts),
        kind="pptx",
        title=said.get("title") or first or None,
        author=said.get("author"),
        modified=said.get("modified"),
        page_count=len(slides),
        cut=archive.cut or len(slides) > _MAX_SLIDES,
    )


def _slides(archive: Archive) -> list[str]:
    """The parts of the slides: as the presentation lists them, else by their numbers."""
    listed = child(archive.required(_MAIN), "sldIdLst")
    links = archive.links(_MAIN)
    found = [links.get(related(one), "") for one in ([] if listed is None else listed)]
    known = [name for name in found if name in archive.names]
    if known or listed is not None:
        return known
    slides = (name for name in archive.names if name.startswith("ppt/slides/slide"))
    return sorted(slides, key=natural)


def _slide(archive: Archive, name: str, at: int) -> str:
    root = archive.tree(name)
    if root is None:
        return f"## Slide {at}\n\n*(damaged)*"
    shapes = list(_shapes(child(root, "cSld", "spTree")))
    titles = [" ".join(_text(shape).split()) for shape in shapes if _role(shape) in _TITLES]
    heading = f"## Slide {at}" + (f": {titles[0]}" if titles and titles[0] else "")
    hidden = ["*(hidden when shown)*"] if root.get("show") == "0" else []
    blocks = [_block(shape) for shape in shapes if _role(shape) not in _TITLES | _NO_CONTENT]
    notes = _notes(archive, name)
    return "\n\n".join(filter(None, [heading, *hidden, *titles[1:], *blocks, notes]))


def _notes(archive: Archive, name: str) -> str:
    parts = (link for link in archive.links(name).values() if "/notesSlide" in link)
    root = archive.tree(next(parts, ""))
    bodies = [] if root is None else list(_shapes(child(root, "cSld", "spTree")))
    said = "\n\n".join(_text(one) for one in bodies if _role(one) == "body").strip()
    return f"**Notes:** {said}" if said else ""


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Every shape, those in groups as well."""
    for one in [] if tree is None else tree:
        if local(one.tag) in {"grpSp", "AlternateContent", "Choice"}:
            yield from _shapes(one)
        elif local(one.tag) in {"sp", "pic", "graphicFrame", "cxnSp"}:
            yield one


def _role(shape: Element) -> str | None:
    """What the shape is on its slide: a title, a body, a number; None for something else."""
    place = child(shape, "nvSpPr", "nvPr", "ph")
    return None if place is None else attribute(place, "type") or "body"


def _block(shape: Element) -> str:
    if local(shape.tag) == "pic":
        alt = " ".join((attribute(child(shape, "nvPicPr", "cNvPr"), "descr") or "").split())
        return f"![{alt}]()" if alt else ""
    table = next((one for one in shape.iter() if local(one.tag) == "tbl"), None)
    if table is None:
        return _text(shape)
    rows = [
        [_text(cell) for cell in row if local(cell.tag) == "tc"]
        for row in table
        if local(row.tag) == "tr"
    ]
    kept, note = bounded(rows)
    return "\n\n".join(filter(None, [table_of(kept), note]))


def _text(shape: Element) -> str:
    """The paragraphs of a shape; those below others become items of a list."""
    found = child(shape, "txBody")
    paragraphs = [] if found is None else [one for one in found if local(one.tag) == "p"]
    lines = [(_level(one), _words(one)) for one in paragraphs]
    lines = [(level, words) for level, words in lines if words]
    if len(lines) < 2:
        return "\n".join(words for _, words in lines)
    return "\n".join(f"{'  ' * level}- {words}" for level, words in lines)


def _level(paragraph: Element) -> int:
    level = attribute(child(paragraph, "pPr"), "lvl") or "0"
    return int(level) if level in set("12345678") else 0


def _words(paragraph: Element) -> str:
    texts = (
        " " if local(one.tag) == "br" else one.text or ""
        for one in paragraph.iter()
        if local(one.tag) in {"t", "br"}
    )
    return " ".join("".join(texts).split())
