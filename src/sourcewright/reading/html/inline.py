"""Inline text: splits it into runs of one style and link, and writes these as Markdown."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urljoin, urlsplit

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.notation.exponents import SCRIPT_TAGS, script_text
from sourcewright.reading.html.notation.formulas import formula_of, tex_spans
from sourcewright.reading.html.visibility import is_hidden, strip_invisible
from sourcewright.reading.markdown.emphasis import emphasis_span
from sourcewright.reading.markdown.writer import code_span

IGNORED_TAG_LIST = (
    "script style template svg iframe frame frameset noembed noframes object embed applet canvas audio video source "
    "track map area select option optgroup datalist input textarea link meta base head title param "
    "progress meter dialog "
    # Machine-readable parts of inline XBRL.
    "ix:header ix:hidden ix:references ix:resources"
)
IGNORED_TAGS = frozenset(IGNORED_TAG_LIST.split())
INLINE_TAG_LIST = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math "
    "mjx-assistive-mml mjx-container nobr output q rp rt ruby s samp small span strike strong sub "
    "sup time tt u var wbr"
)
INLINE_TAGS = frozenset(INLINE_TAG_LIST.split())
STYLE_BY_TAG = {
    **dict.fromkeys(("b", "strong"), "b"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "i"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "c"),
    **dict.fromkeys(("del", "s", "strike"), "s"),
}
IMAGE_TAGS = frozenset(("img", "amp-img"))
_BLOCK_NAMES = (
    "address article aside blockquote body caption center col colgroup dd details dir div "
    "dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header "
    "hgroup hr html legend li listing main marquee menu nav noscript ol p plaintext pre search "
    "section summary table tbody td tfoot th thead tr ul xmp"
)
BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
"""Elements that HTML displays as blocks; unknown elements are inline."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_FORMULA_NAMES = (
    "annotation annotation-xml maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover "
    "mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd "
    "mtext mtr munder munderover none semantics"
)
"""Parts of MathML formulas, which are read as a whole."""
_KNOWN_TAGS = (
    BLOCK_TAGS
    | IGNORED_TAGS
    | INLINE_TAGS
    | IMAGE_TAGS
    | {"br", "button", *_FORMULA_NAMES.split()}
)
_LINE_TAGS = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "td", "th"))
"""Blocks whose children flow in one line of text."""
_REPLACEABLE = (
    IMAGE_TAGS | SCRIPT_TAGS | {"math", "mjx-container", "script", "span", "em", "input"}
)
_BOLD_AND_ITALIC = frozenset("bi")
_ROW_TAGS = frozenset(("a", "span", "label"))
_SPACES = re.compile(r"\s+")
_LAZY_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy")
_PIXEL_SIZES = frozenset(("0", "1", "0px", "1px"))


@dataclass(slots=True)
class Run:
    """A piece of text in one style: `href` is its link target.

    Values of `style`: b bold, i italic, bi both, c code, s struck through, img image, n line
    break, m Markdown that must not be escaped, empty for plain text.
    """

    text: str
    href: str | None = None
    style: str = ""


def collapse_white_space(text: str) -> str:
    """The text with white space collapsed and invisible characters removed."""
    if text.isspace():
        return " "
    is_spaced = "  " not in text and text.isprintable()
    return strip_invisible(text if is_spaced else _SPACES.sub(" ", text))


def nested_style(tag: str, style: str) -> str:
    """The style of text in an element with this tag, inside text of the given style."""
    own = STYLE_BY_TAG.get(tag, style)
    if style == "c":
        return style
    return "bi" if {own, style} == _BOLD_AND_ITALIC else own


def replacement_run(node: Node, href: str | None, style: str = "") -> Run | None:
    """The run that replaces a whole element; None if its content is to be read instead."""
    tag = node.tag
    if tag not in _REPLACEABLE:
        return None
    formula = formula_of(node)
    if formula is not None:
        return Run(formula, href, "m" if formula.startswith("$") else "")
    if tag in IMAGE_TAGS:
        return image_run(node)
    if tag == "input":
        return _task_box(node)
    text = script_text(node) if tag in SCRIPT_TAGS and not _links_elsewhere(node) else None
    # A number above the line may be the mark of a note, which is no part of what is emphasised.
    own = style if style == "c" or tag == "sub" else ""
    return Run(text, href, own) if text else None


def _task_box(node: Node) -> Run | None:
    """The check box of a task list item; one that is not disabled is a form control."""
    if node.get("type") != "checkbox" or node.get("disabled") is None:
        return None
    return Run("[ ] " if node.get("checked") is None else "[x] ", None, "m")


def _links_elsewhere(node: Node) -> bool:
    return any(not link.get("href", "#").startswith("#") for link in node.iter("a"))


def shown_delimiters(node: Node) -> tuple[str, str]:
    """The characters that a browser shows before and after the text of an element."""
    if node.tag == "q":
        return "\u201c", "\u201d"
    if node.tag == "rt" and node.getparent().find("rp") is None:
        return "(", ")"
    return "", ""


def image_run(node: Node) -> Run | None:
    """The alternative text of an image; None without one, or if the image is a pixel wide."""
    alt = image_text(node)
    return Run(alt, _image_url(node), "img") if alt and not is_pixel(node) else None


def image_text(node: Node) -> str:
    return " ".join(strip_invisible(node.get("alt") or "").split())


def is_pixel(node: Node) -> bool:
    """Whether an image is too small to be seen: a tracking pixel."""
    return not _PIXEL_SIZES.isdisjoint((node.get("width"), node.get("height")))


def image_address(node: Node, base: str) -> str | None:
    """The absolute URL of an image; None without one, or if its scheme is not that of a page."""
    return absolute_url(_image_url(node), base)


def _image_url(image: Node) -> str:
    """The URL of an image; attributes of lazy loading come before a placeholder in `src`."""
    lazy = next(filter(None, map(image.get, _LAZY_SOURCES)), "")
    source = lazy or image.get("src") or ""
    if not source or source.startswith("data:"):
        candidates = image.get("srcset") or image.get("data-srcset") or ""
        source = (candidates.split(None, 1) or [""])[0].rstrip(",")
    return source


def runs_in(node: Node, href: str | None = None, style: str = "", depth: int = 0) -> list[Run]:
    """All text of an element, blocks separated by spaces."""
    before, after = shown_delimiters(node)
    runs = [Run(before + collapse_white_space(node.text or ""), href, style)]
    for child in node:
        if isinstance(child.tag, str) and depth < 200:
            if style != "c" and is_apart(child):
                runs.append(Run(" ", href, style))
            runs += _child_runs(child, href, style, depth + 1)
        runs.append(Run(collapse_white_space(child.tail or ""), href, style))
    return [*runs, Run(after, href, style)]


def _child_runs(child: Node, href: str | None, style: str, depth: int) -> list[Run]:
    if is_hidden(child):
        return []
    run = replacement_run(child, href, style)
    if run is not None:
        return [run]
    if child.tag in IGNORED_TAGS:
        return []
    if child.tag == "a":
        href = child.get("href") or href
    inner = runs_in(child, href, nested_style(child.tag, style), depth)
    return inner if child.tag in INLINE_TAGS else [Run(" "), *inner, Run(" ")]


_MARKERS = {"b": "**", "i": "*", "bi": "***", "s": "~~"}
# `<` and `&` are special only where a tag or an entity begins, and `~` only before another.
_SPECIAL = re.compile(r"([\\`*_\[\]]|~(?=~)|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]{1,31};))")
_UNMERGED = ("img", "n", "m")
"""Styles of runs that are not merged with their neighbours."""
_URL_SPECIAL = re.compile(r"[\s()<>\x00-\x1f\x7f-\x9f\u200b-\u206f]")
_MAX_URL = 2000


def markdown_line(runs: Sequence[Run], base: str) -> str:
    """The runs as Markdown; adjacent runs with the same target become one link."""
    is_plain = len(runs) == 1 and not runs[0].href and not runs[0].style
    text = escape_markdown(runs[0].text.strip()) if is_plain else _marked_up(runs, base)
    lines = text.split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _marked_up(runs: Sequence[Run], base: str) -> str:
    groups = groupby(
        _merged(map(_without_link_within, _without_breaks_in_tex(runs))),
        key=lambda run: run.href if run.style != "img" else "",
    )
    return "".join(_link(list(group), href, base) for href, group in groups)


def _without_link_within(run: Run) -> Run:
    """The run without a link to a part of its own page, which would divide the text around it."""
    is_within = (run.href or "").startswith("#") and run.style != "img"
    return Run(run.text, None, run.style) if is_within else run


def _without_breaks_in_tex(runs: Sequence[Run]) -> Iterator[Run]:
    """Replace line breaks inside TeX, which its renderers ignore, by spaces."""
    has_breaks = any(run.style == "n" for run in runs)
    spans = deque(tex_spans("".join(run.text for run in runs)) if has_breaks else ())
    position = 0
    for run in runs:
        while spans and spans[0][1] <= position:
            spans.popleft()
        is_inside = bool(spans) and spans[0][0] < position
        yield Run(" ", None, "") if is_inside and run.style == "n" else run
        position += len(run.text)


def _with_flanked_markers(runs: list[Run]) -> Iterator[Run]:
    """Move punctuation out of emphasis where Markdown would not read the marker beside it."""
    texts = [run.text if run.style != "n" else " " for run in runs]
    for at, run in enumerate(runs):
        if run.style not in _MARKERS or not run.text.strip():
            yield run
            continue
        before = texts[at - 1][-1:] if at else ""
        after = texts[at + 1][:1] if at + 1 < len(runs) else ""
        text = run.text
        start, end = emphasis_span(text, before, after)
        parts = ((text[:start], ""), (text[start:end], run.style), (text[end:], ""))
        yield from (Run(part, run.href, style) for part, style in parts if part)


def _merged(runs: Iterable[Run]) -> Iterator[Run]:
    """Merge adjacent runs of the same style and link, so that they share their markers."""
    for (href, style), group in groupby(runs, key=lambda run: (run.href, run.style)):
        same = list(group)
        if style in _UNMERGED or len(same) == 1:
            yield from same
        else:
            yield Run("".join(run.text for run in same), href, style)


def absolute_url(href: str | None, base: str) -> str | None:
    """The absolute URL of a link; None if it is not http, https or mailto, or within the page."""
    if not href or href.startswith("#") or len(href) > _MAX_URL:
        return None
    try:
        target = urljoin(base, href.strip())
        scheme = urlsplit(target).scheme
    except ValueError:
        return None
    if scheme not in {"http", "https", "mailto"}:
        return None
    return _URL_SPECIAL.sub(lambda match: "".join(f"%{b:02X}" for b in match[0].encode()), target)


def _link(runs: list[Run], href: str | None, base: str) -> str:
    text = "".join(_styled(run, base) for run in _with_flanked_markers(runs))
    target = absolute_url(href, base)
    inner = " ".join(text.split())
    if not target or not inner:
        return text
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' * before}[{inner}]({target}){' ' * after}"


def _styled(run: Run, base: str) -> str:
    if run.style == "img":
        target = absolute_url(run.href, base)
        return (
            f" ![{escape_markdown(run.text)}]({target}) "
            if target
            else f" {escape_markdown(run.text)} "
        )
    text = run.text
    inner = text.strip()
    if not inner or run.style in _UNMERGED:
        return text
    if run.style == "c":
        return text.replace(inner, code_span(inner), 1)
    marker = _MARKERS.get(run.style, "")
    return text.replace(inner, f"{marker}{escape_markdown(inner)}{marker}", 1)


def escape_markdown(text: str) -> str:
    """The text with Markdown's special characters escaped, except within TeX."""
    pieces, last = list[str](), 0
    for start, end in tex_spans(text):
        pieces += [_SPECIAL.sub(r"\\\1", text[last:start]), text[start:end]]
        last = end
    return "".join([*pieces, _SPECIAL.sub(r"\\\1", text[last:])])


def inline_elements(root: Node) -> frozenset[Node]:
    """Elements without blocks inside that are inline although their tags are not.

    These are elements that HTML does not define (custom elements, inline XBRL), and buttons in
    the middle of a sentence or in a heading.
    """
    unknown = [node for node in root.iter("*") if _is_unknown(node.tag)]
    buttons = [node for node in root.iter("button") if _continues_sentence(node)]
    if not unknown and not buttons:
        return frozenset()
    holders: set[Node] = set()
    for block in root.iter(*BLOCK_TAGS):
        for ancestor in block.iterancestors():
            # Its ancestors have been added before.
            if ancestor in holders:
                break
            holders.add(ancestor)
    inline = (node for node in unknown if not _is_in_row(node) and not _is_empty_frame(node))
    return frozenset(node for node in (*inline, *buttons) if node not in holders)


def _is_unknown(tag: str) -> bool:
    return tag not in _KNOWN_TAGS and not tag.startswith("mjx-")


_FRAME_TAGS = frozenset(("turbo-frame", "include-fragment"))


def _is_empty_frame(node: Node) -> bool:
    """Whether it is a place that Turbo or GitHub's elements fill with a part of the page.

    Other custom elements with an address load images, or comments.
    """
    return node.tag in _FRAME_TAGS and not len(node) and not node.text


def _is_in_row(node: Node) -> bool:
    """Whether it is adjacent to an element of the same tag: a row of components."""
    parent = node.getparent()
    if ":" in node.tag or parent is None or parent.tag not in BLOCK_TAGS - _LINE_TAGS:
        return False
    previous, following = node.getprevious(), node.getnext()
    return (previous is not None and previous.tag == node.tag and not previous.tail) or (
        following is not None and following.tag == node.tag and not node.tail
    )


def _continues_sentence(node: Node) -> bool:
    """Whether text continues after it, or the text before it ends in mid-sentence."""
    if next(node.iterancestors("pre"), None) is not None:
        return False  # a control of the code block, such as "copy"
    if node.getparent().tag in _HEADINGS:
        return True  # it opens what is below the heading, and has its text
    if (node.tail or "").strip() or _is_inline_text(node.getnext()):
        return True
    previous = node.getprevious()
    if previous is None:
        parent = node.getparent()
        text = parent.text if parent is not None else ""
    else:
        text = previous.tail
    preceding = (text or "").rstrip()
    return bool(preceding) and preceding[-1] not in ".!?:\u3002|\u00b7"


def _is_inline_text(node: Node) -> bool:
    """Whether it is an inline element with text, in a line of text, and not a link or label."""
    if node is None or node.getparent().tag not in _LINE_TAGS:
        return False
    return node.tag in INLINE_TAGS - {"a", "label"} and bool((node.text or "").strip())


def is_apart(node: Node) -> bool:
    """Whether it is one in a row of links or labels that only their style sets apart."""
    tag, previous = node.tag, node.getprevious()
    if tag not in _ROW_TAGS or previous is None or previous.tail or previous.tag != tag:
        return False
    name = "href" if tag == "a" else "class"
    if (node.get(name) == previous.get(name)) == (tag == "a"):
        return False
    before, after = previous.text_content().rstrip(), node.text_content().lstrip()
    # A span that goes on in lower case may be the rest of a word, as editors write it.
    is_new = after[:1].isupper() or after[:1].isdigit() or (tag == "a" and after[:1].isalnum())
    return is_new and before[-1:].isalnum() and min(len(before), len(after)) > 1
