"""Markup of a page taken apart for brand facts: lines of visible text, links, images, head tags."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from sourcewright.base.text.charsets import decode
from sourcewright.base.text.plain import strip_invisible
from sourcewright.reading.html.tags import Tag, tags

MAX_LINES = 5000
MAX_LINE_LENGTH = 1000
_MAX_URL = 2048
_MAX_LINKS = 1000
_JOINED_LIST = "a abbr b bdi big cite code em font i ins kbd mark q s small strong sub sup u"
_JOINED = frozenset(_JOINED_LIST.split())
"""Elements inside a line; any other one ends it."""
_SPACED = frozenset(("span", "label", "time", "wbr"))
"""Elements inside a line that are set apart by style sheets rather than by white space."""
_UNSEEN_LIST = "head iframe noscript script select style svg template textarea title video"
_UNSEEN = frozenset(_UNSEEN_LIST.split())
_HEADING = re.compile(r"h([1-6])")
_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_MARKDOWN_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(\S.*)")
_MARKDOWN_MARKS = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)|[*`]{1,3}|\\(?=\W)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of text; a cell of a table is one too."""

    text: str
    heading: int = 0
    """Level of the heading; 0 for other text."""
    item: bool = False
    """Whether it is an item of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link with its text."""

    url: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image with what the page calls it."""

    url: str
    label: str
    width: str
    height: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """A page taken apart."""

    url: str
    title: str = ""
    lines: tuple[Line, ...] = ()
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    metas: tuple[tuple[str, str], ...] = ()
    """Names, in lower case, and contents of the meta tags."""
    head_links: tuple[dict[str, str], ...] = ()
    """Attributes of the link elements."""
    json_ld: tuple[str, ...] = ()

    def meta(self, *names: str) -> str | None:
        """The first content of the first of these meta tags that the page has."""
        for name in names:
            for known, content in self.metas:
                if known == name and content:
                    return content
        return None

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


def markup_of(body: bytes, *, url: str, content_type: str = "") -> Markup:
    """Take a page apart; what is beyond the limits of `tags` is left out."""
    page = _Page(url)
    for tag in tags(decode(body, content_type=content_type).encode()):
        page.add(tag)
    return page.markup()


def markdown_markup(content: str, *, url: str, title: str | None) -> Markup:
    """The lines of a document that was read as Markdown."""
    return Markup(url=url, title=title or "", lines=tuple(_markdown_lines(content)))


def http_url(href: str, base: str) -> str | None:
    """The absolute URL of a reference in a page; None if it is no web page or file."""
    try:
        url = urljoin(base, href.strip()[:_MAX_URL])
        return url if urlsplit(url).scheme in ("http", "https") and urlsplit(url).netloc else None
    except ValueError:
        return None


def clean(text: str, limit: int = MAX_LINE_LENGTH) -> str:
    """The text on one line, without invisible characters."""
    return " ".join(strip_invisible(text[: 4 * limit]).split())[:limit]


def _markdown_lines(content: str) -> Iterator[Line]:
    for raw in content.splitlines()[:MAX_LINES]:
        text = raw[:MAX_LINE_LENGTH].strip()
        heading, item = _MARKDOWN_HEADING.match(text), _MARKDOWN_ITEM.match(text)
        if heading:
            yield Line(text=_plain(heading[2]), heading=len(heading[1]))
        elif text.startswith("|"):
            yield from (Line(text=cell) for cell in map(_plain, text.split("|")) if cell)
        elif plain := _plain(item[1] if item else text):
            yield Line(text=plain, item=item is not None)


def _plain(text: str) -> str:
    plain = clean(_MARKDOWN_MARKS.sub(lambda match: match[1] or "", text))
    return plain if plain.strip("-: ") else ""


@dataclass(slots=True)
class _Page:
    """Collects the parts of a page while its tags are read."""

    url: str
    base: str = ""
    title: str = ""
    lines: list[Line] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    metas: list[tuple[str, str]] = field(default_factory=list)
    head_links: list[dict[str, str]] = field(default_factory=list)
    json_ld: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _unseen: str = ""
    """The element whose content is not shown; empty outside of one."""
    _heading: int = 0
    _item: bool = False
    _link: str | None = None
    _link_text: list[str] = field(default_factory=list)

    def add(self, tag: Tag) -> None:
        name = tag.name.removeprefix("/")
        if not tag.name.startswith("/"):
            self._note(tag)
        if self._unseen:
            if tag.name == f"/{self._unseen}" or (self._unseen == "head" and tag.name == "body"):
                self._unseen = ""
            else:
                return
        elif tag.name in _UNSEEN:
            self._end_line()
            self._unseen = tag.name
            return
        self._enter(tag, name)
        self._write(tag.text)

    def markup(self) -> Markup:
        self._end_line()
        return Markup(
            url=self.url,
            title=self.title,
            lines=tuple(self.lines),
            links=tuple(self.links),
            images=tuple(self.images),
            metas=tuple(self.metas),
            head_links=tuple(self.head_links),
            json_ld=tuple(self.json_ld),
        )

    def _note(self, tag: Tag) -> None:
        """Keep what a tag says apart from the visible text."""
        has = tag.attributes
        if tag.name == "title" and not self.title and self._unseen != "svg":
            self.title = clean(tag.text, 300)
        elif tag.name == "base" and not self.base and has.get("href"):
            self.base = http_url(has["href"], self.url) or ""
        elif tag.name == "meta" and len(self.metas) < _MAX_LINKS:
            name = has.get("property") or has.get("name") or has.get("itemprop") or ""
            self.metas.append((name.lower(), clean(has.get("content", ""), 2000)))
        elif tag.name == "link" and len(self.head_links) < _MAX_LINKS:
            self.head_links.append(dict(has))
        elif tag.name == "script" and has.get("type", "").lower().startswith(
            "application/ld+json"
        ):
            self.json_ld.append(tag.text.strip())
        elif tag.name == "img":
            self._note_image(has)

    def _note_image(self, has: Mapping[str, str]) -> None:
        url = http_url(has["src"], self.base or self.url) if has.get("src") else None
        if url and len(self.images) < _MAX_LINKS:
            label = clean(f"{has.get('alt', '')} {has.get('title', '')}", 200)
            self.images.append(
                Image(
                    url=url,
                    label=label,
                    width=has.get("width", ""),
                    height=has.get("height", ""),
                )
            )

    def _enter(self, tag: Tag, name: str) -> None:
        """Begin or end a line or a link, as the tag demands."""
        if name == "a":
            self._end_link()
            href = tag.attributes.get("href", "") if tag.name == "a" else ""
            self._link = http_url(href, self.base or self.url) if href else None
        elif name in _SPACED:
            self._write(" ")
        elif name and name not in _JOINED:
            self._end_line()
            if heading := _HEADING.fullmatch(name):
                self._heading = int(heading[1]) if tag.name == name else 0
            if name == "li":
                self._item = tag.name == "li"

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        if self._link is not None:
            self._link_text.append(text)

    def _end_link(self) -> None:
        if self._link is not None and len(self.links) < _MAX_LINKS:
            text = clean("".join(self._link_text), 200)
            self.links.append(Link(url=self._link, text=text))
        self._link = None
        self._link_text = []

    def _end_line(self) -> None:
        text = clean("".join(self._pieces))
        self._pieces = []
        if text and len(self.lines) < MAX_LINES:
            self.lines.append(Line(text=text, heading=self._heading, item=self._item))
