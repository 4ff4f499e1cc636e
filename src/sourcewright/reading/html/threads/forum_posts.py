"""Forum markup (Hacker News, Reddit) as Markdown."""

import re

from sourcewright.base.text.plain import strip_invisible
from sourcewright.reading.html.tags import Tag, tags
from sourcewright.reading.markdown.writer import code_fence, join_blocks

_MARKERS = {
    **dict.fromkeys(("i", "/i", "em", "/em"), "*"),
    **dict.fromkeys(("b", "/b", "strong", "/strong"), "**"),
    **dict.fromkeys(("code", "/code"), "`"),
    **dict.fromkeys(("p", "div", "/div", "ul", "/ul", "blockquote", "/blockquote"), "\n\n"),
    "br": "\n",
    "li": "\n- ",
}
_IGNORED_TAGS = ("script", "style", "title", "template", "iframe")
_ELLIPSIS = re.compile(r"\.\.\.$|\u2026$")
_WEB_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_WHITE_SPACE_RUN = re.compile(r"\s{2,}+")


class _PostConverter:
    """Converter state: finished blocks, and the open code block, link or paragraph."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.pieces: list[str] = []
        self.code: list[str] | None = None
        self.href: str | None = None
        self.label: list[str] = []

    def take(self, tag: Tag) -> None:
        if self.code is not None:
            self._take_in_code(tag)
        elif tag.name == "pre":
            self.end()
            self.code = [tag.text]
        elif tag.name == "a":
            self.href, self.label = (
                tag.attributes.get("href", ""),
                [_collapse_white_space(tag.text)],
            )
        elif tag.name == "/a":
            self._end_link()
            self.pieces.append(_collapse_white_space(tag.text))
        elif tag.name not in _IGNORED_TAGS:
            text = _MARKERS.get(tag.name, "") + _collapse_white_space(tag.text)
            (self.pieces if self.href is None else self.label).append(text)

    def end(self) -> None:
        """Close the open link and block."""
        self._end_link()
        if self.code is None:
            self.blocks.append(
                _WHITE_SPACE_RUN.sub(_collapse_breaks, "".join(self.pieces)).strip()
            )
        else:
            self.blocks.append(code_fence("".join(self.code).strip("\n")))
        self.pieces, self.code = [], None

    def _end_link(self) -> None:
        if self.href is not None:
            self.pieces.append(_link("".join(self.label).strip(), self.href))
        self.href, self.label = None, []

    def _take_in_code(self, tag: Tag) -> None:
        if tag.name == "/pre":
            self.end()
            self.pieces.append(_collapse_white_space(tag.text))
        elif self.code is not None:
            self.code.append(tag.text)


def post_markdown(markup: str) -> str:
    """The post as Markdown: paragraphs, emphasis, links and code; other tags are dropped."""
    converter = _PostConverter()
    for tag in tags(markup.encode("utf-8", errors="replace")):
        converter.take(tag)
    converter.end()
    return strip_invisible(join_blocks(*converter.blocks))


def _collapse_breaks(run: re.Match[str]) -> str:
    return "\n\n" if run[0].count("\n") > 1 else run[0]


def _collapse_white_space(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _link(label: str, href: str) -> str:
    if not _WEB_URL.fullmatch(href):
        return label
    if not label or href.startswith(_ELLIPSIS.sub("", label)):
        return f"<{href}>"
    return f"[{label}]({href})"
