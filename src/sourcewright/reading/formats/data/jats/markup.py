"""Elements of JATS as HTML: sections, paragraphs, lists, figures, tables, formulas, notes."""

import re
from collections.abc import Callable, Mapping
from html import escape
from xml.etree.ElementTree import Element, tostring

from sourcewright.reading.formats._archive import attribute, child, local_name
from sourcewright.reading.formats.data.jats.elements import element, words
from sourcewright.reading.formats.data.jats.references import reference_html

_RENAMED = {
    "italic": "em",
    "bold": "strong",
    "monospace": "code",
    "sup": "sup",
    "sub": "sub",
    "strike": "s",
    "p": "p",
    "disp-quote": "blockquote",
    "verse-line": "p",
    "speech": "blockquote",
    "attrib": "p",
    "list-item": "li",
    "def-list": "dl",
    "term": "dt",
    "def": "dd",
    "preformat": "pre",
    "code": "pre",
    "named-content": "span",
    **{name: name for name in ("table", "thead", "tbody", "tfoot", "tr", "th", "td", "a")},
}
_DROPPED = frozenset(
    ("object-id", "permissions", "alt-text", "long-desc", "processing-meta", "label", "col")
)
_BLOCKS = frozenset(
    (
        *("list", "disp-formula", "fig", "table-wrap", "disp-quote", "def-list", "preformat"),
        *("code", "boxed-text", "fig-group", "verse-group", "disp-formula-group"),
        "supplementary-material",
    )
)
_SPANS = ("rowspan", "colspan")
_CITED = re.compile(r"[\s\d,;\u2013\u2014\u2212-]*")
_MARGIN = re.compile(r"\A(?:\$\$?|\\[\[(])|(?:\$\$?|\\[\])])\Z")
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_SPACE = re.compile(r"\s+")
_DEEPEST_HEADING = 6
_UNORDERED = frozenset(("bullet", "simple", "none", ""))


class Markup:
    """Rewrites elements of JATS as HTML, each by its name; an unknown one is its content."""

    def __init__(self) -> None:
        self._by_name: Mapping[str, Callable[[Element, int], str]] = {
            "sec": self.section,
            "ref-list": self.section,
            "boxed-text": self.section,
            "app": self.section,
            "list": self._list,
            "fig": self._captioned,
            "table-wrap": self._captioned,
            "supplementary-material": self._captioned,
            "media": self._captioned,
            "disp-formula": self._formula,
            "inline-formula": self._formula,
            "tex-math": self._formula,
            "math": self._formula,
            "xref": self._cross_reference,
            "fn": self._note,
            "ref": self._reference,
            "ext-link": self._link,
            "uri": self._link,
            "email": lambda node, _: escape(words(node)),
            "graphic": self._image,
            "inline-graphic": self._image,
            "alternatives": self._alternative,
            "break": lambda _node, _level: "<br>",
            "p": self._paragraph,
            "sup": self._superscript,
            "title": lambda node, level: element(f"h{_heading(level)}", self.inline(node)),
        }

    def section(self, node: Element, level: int, title: str = "") -> str:
        """A part with its heading, and its content under it."""
        label, own = words(child(node, "label")), self.inline(child(node, "title"))
        heading = " ".join(filter(None, (escape(label), own or title)))
        content = "".join(
            self.element(one, level + 1) for one in node if local_name(one.tag) != "title"
        )
        if all(local_name(one.tag) in {"title", "label", "ref"} for one in node):
            content = element(self._list_of_references(node), content)
        text = escape((node.text or "").strip()) + content
        return element(f"h{_heading(level)}", heading) + text if text.strip() else ""

    @staticmethod
    def _list_of_references(node: Element) -> str:
        """A numbered list where the labels are its numbers, or are left to who displays it."""
        references = [one for one in node if local_name(one.tag) == "ref"]
        labels = [words(child(one, "label")).strip("[]().") for one in references]
        is_numbered = labels == [str(at) for at in range(1, len(labels) + 1)]
        return "ol" if is_numbered or not any(labels) else "ul"

    def children(self, node: Element, level: int) -> str:
        """The text and the elements within an element."""
        pieces = [escape(node.text or "")]
        for one in node:
            pieces += [self.element(one, level), escape(one.tail or "")]
        return "".join(pieces)

    def inline(self, node: Element | None) -> str:
        """The content of an element within a line."""
        text = "" if node is None else self.children(node, _DEEPEST_HEADING)
        return _SPACE.sub(" ", text).strip()

    def element(self, node: Element, level: int) -> str:
        """One element as HTML."""
        name = local_name(node.tag)
        if name in _DROPPED:
            return ""
        if name in self._by_name:
            return self._by_name[name](node, level)
        content = self.children(node, level)
        tag = _RENAMED.get(name)
        return content if tag is None else element(tag, content, _spans(node)) or _empty(tag)

    def _paragraph(self, node: Element, level: int) -> str:
        # HTML ends a paragraph where a list or a table begins.
        has_blocks = any(local_name(one.tag) in _BLOCKS for one in node)
        return element("div" if has_blocks else "p", self.children(node, level))

    def _list(self, node: Element, level: int) -> str:
        kind = node.get("list-type") or ""
        title = element("p", self.inline(child(node, "title")))
        items = (one for one in node if local_name(one.tag) == "list-item")
        content = "".join(self.element(one, level) for one in items)
        return title + element("ul" if kind in _UNORDERED else "ol", content)

    def _captioned(self, node: Element, level: int) -> str:
        """A figure or a table with its label and caption, and what is said below it."""
        caption = child(node, "caption")
        title = self.inline(child(caption, "title"))
        label = words(child(node, "label")).rstrip(".:")
        head = element("strong", ". ".join(filter(None, (escape(label), title.rstrip(".")))))
        texts = [] if caption is None else [one for one in caption if local_name(one.tag) == "p"]
        first = " ".join(filter(None, (head, self.inline(texts[0]) if texts else "")))
        more = "".join(element("p", self.inline(one)) for one in texts[1:])
        content = "".join(
            self.element(one, level) for one in node if local_name(one.tag) != "caption"
        )
        return element("p", first) + more + content

    def _formula(self, node: Element, _level: int) -> str:
        display = local_name(node.tag) == "disp-formula"
        source = next((one for one in node.iter() if local_name(one.tag) == "tex-math"), None)
        math = next((one for one in node.iter() if local_name(one.tag) == "math"), None)
        if source is not None:
            formula = _tex(source.text or "", display=display)
        elif math is not None:
            formula = _mathml(math, display=display)
        else:
            images = node.iter()
            is_image = any(local_name(one.tag).endswith("graphic") for one in images)
            formula = "[formula]" if is_image else self.inline(node)
        label = escape(words(child(node, "label")))
        return element("p", f"{formula} {label}".strip()) if display else formula

    def _superscript(self, node: Element, level: int) -> str:
        """Raised text; raised numbers of references are in brackets, as others write them."""
        is_citation = any(one.get("ref-type") == "bibr" for one in node) and _CITED.fullmatch(
            words(node)
        )
        content = self.children(node, level)
        return f"[{content.strip()}]" if is_citation else element("sup", content)

    def _cross_reference(self, node: Element, level: int) -> str:
        content, target = self.children(node, level), escape(node.get("rid") or "")
        if node.get("ref-type") not in {"fn", "table-fn"} or not target:
            return content
        label = content.replace("<sup>", "").replace("</sup>", "")
        return f'<sup><a role="doc-noteref" href="#{target}">{label}</a></sup>'

    def _note(self, node: Element, level: int) -> str:
        label = element("sup", escape(words(child(node, "label"))))
        content = self.children(node, level).strip()
        opening = "<p>" if content.startswith("<p>") else ""
        key = escape(node.get("id") or "")
        text = f"{opening}{label} {content.removeprefix(opening)}"
        return f'<div role="doc-footnote" id="{key}">{text}</div>'

    def _reference(self, node: Element, _level: int) -> str:
        return element("li", reference_html(node, self.inline))

    def _link(self, node: Element, level: int) -> str:
        target = attribute(node, "href") or words(node)
        content = self.children(node, level) or escape(target)
        is_web = target.startswith(("http://", "https://"))
        kind = node.get("ext-link-type") or ""
        target = f"https://doi.org/{target}" if kind == "doi" and not is_web else target
        return f'<a href="{escape(target)}">{content}</a>' if "://" in target else content

    def _image(self, node: Element, _level: int) -> str:
        target = attribute(node, "href") or ""
        if not target.startswith(("http://", "https://")):
            return ""
        return f'<img src="{escape(target)}" alt="{escape(words(child(node, "alt-text")))}">'

    def _alternative(self, node: Element, level: int) -> str:
        """One form of the same thing: a formula or a table rather than its image."""
        forms = sorted(node, key=lambda one: local_name(one.tag).endswith("graphic"))
        return self.element(forms[0], level) if forms else ""


def _heading(level: int) -> int:
    return min(level, _DEEPEST_HEADING)


def _spans(node: Element) -> str:
    values = ((name, node.get(name) or "") for name in _SPANS)
    return "".join(f' {name}="{value}"' for name, value in values if value.isdecimal())


def _empty(tag: str) -> str:
    """An empty cell counts in its row."""
    return f"<{tag}></{tag}>" if tag in {"td", "th"} else ""


def _tex(source: str, *, display: bool) -> str:
    """TeX as the element for scripts that holds it; publishers give a whole document for each."""
    body = _TEX_BODY.search(source)
    tex = (body[1] if body else source).strip()
    while (inner := _MARGIN.sub("", tex).strip()) != tex:
        tex = inner
    mode = "; mode=display" if display else ""
    # A script ends at its closing tag, whatever TeX may say.
    return f'<script type="math/tex{mode}">{tex.replace("</", "< /")}</script>'


def _mathml(math: Element, *, display: bool) -> str:
    for one in math.iter():
        one.tag = local_name(one.tag)
    math.tail = None
    if display:
        math.set("display", "block")
    return tostring(math, encoding="unicode")
