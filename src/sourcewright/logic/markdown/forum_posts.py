"""Forum markup (Hacker News, Reddit) as Markdown."""

import re

from sourcewright.logic.html.tags import Tag, tags
from sourcewright.logic.markdown.writer import fenced, joined
from sourcewright.logic.text.plain import shown

_MARKS = {
    **dict.fromkeys(("i", "/i", "em", "/em"), "*"),
    **dict.fromkeys(("b", "/b", "strong", "/strong"), "**"),
    **dict.fromkeys(("code", "/code"), "`"),
    **dict.fromkeys(("p", "div", "/div", "ul", "/ul", "blockquote", "/blockquote"), "\n\n"),
    "br": "\n",
    "li": "\n- ",
}
_UNSHOWN = ("script", "style", "title", "template", "iframe")
_SHORTENED = re.compile(r"\.\.\.$|\u2026$")
_WEB = re.compile(r"https?://\S+", re.IGNORECASE)
_BLANKS = re.compile(r"\s{2,}+")


class _Post:
    """A post while it is being read: finished blocks, and what is still open."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.pieces: list[str] = []
        self.code: list[str] | None = None
        self.href: str | None = None
        self.label: list[str] = []

    def take(self, tag: Tag) -> None:
        if self.code is not None:
            self._in_code(tag)
        elif tag.name == "pre":
            self.end()
            self.code = [tag.text]
        elif tag.name == "a":
            self.href, self.label = tag.attributes.get("href", ""), [_flowing(tag.text)]
        elif tag.name == "/a":
            self._end_link()
            self.pieces.append(_flowing(tag.text))
        elif tag.name not in _UNSHOWN:
            text = _MARKS.get(tag.name, "") + _flowing(tag.text)
            (self.pieces if self.href is None else self.label).append(text)

    def end(self) -> None:
        """Finish what is open."""
        self._end_link()
        if self.code is None:
            self.blocks.append(_BLANKS.sub(_without_surplus_breaks, "".join(self.pieces)).strip())
        else:
            self.blocks.append(fenced("".join(self.code).strip("\n")))
        self.pieces, self.code = [], None

    def _end_link(self) -> None:
        if self.href is not None:
            self.pieces.append(_link("".join(self.label).strip(), self.href))
        self.href, self.label = None, []

    def _in_code(self, tag: Tag) -> None:
        if tag.name == "/pre":
            self.end()
            self.pieces.append(_flowing(tag.text))
        elif self.code is not None:
            self.code.append(tag.text)


def post_of(markup: str) -> str:
    """The post as Markdown: paragraphs, emphasis, links and code; other markup leaves its text."""
    post = _Post()
    for tag in tags(markup.encode("utf-8", errors="replace")):
        post.take(tag)
    post.end()
    return shown(joined(*post.blocks))


def _without_surplus_breaks(blanks: re.Match[str]) -> str:
    return "\n\n" if blanks[0].count("\n") > 1 else blanks[0]


def _flowing(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _link(label: str, href: str) -> str:
    if not _WEB.fullmatch(href):
        return label
    if not label or href.startswith(_SHORTENED.sub("", label)):
        return f"<{href}>"
    return f"[{label}]({href})"
