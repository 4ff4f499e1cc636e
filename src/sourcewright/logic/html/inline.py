"""Inline text: splits it into runs of one style and one link.

Writes the runs of a block as one line of Markdown.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urljoin, urlsplit

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.formulas import formula_of, tex_spans
from sourcewright.logic.html.visibility import is_hidden, visible
from sourcewright.logic.text.plain import raised

DROPPED_NAMES = (
    "script style template svg iframe frame frameset noembed noframes object embed applet canvas audio video source "
    "track map area select option optgroup datalist input textarea link meta base head title param "
    "progress meter dialog "
    # What inline XBRL declares for programs.
    "ix:header ix:hidden ix:references ix:resources"
)
DROPPED = frozenset(DROPPED_NAMES.split())
INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math "
    "mjx-assistive-mml mjx-container nobr output q rp rt ruby s samp small span strike strong sub "
    "sup time tt u var wbr"
)
INLINE = frozenset(INLINE_NAMES.split())
STYLES = {
    **dict.fromkeys(("b", "strong"), "b"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "i"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "c"),
    **dict.fromkeys(("del", "s", "strike"), "s"),
}
IMAGES = frozenset(("img", "amp-img"))
_BLOCK_NAMES = (
    "address article aside blockquote body caption center col colgroup dd details dir div "
    "dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header "
    "hgroup hr html legend li listing main marquee menu nav noscript ol p plaintext pre search "
    "section summary table tbody td tfoot th thead tr ul xmp"
)
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Elements that HTML displays as blocks; every other one that it does not know is inline."""
_FORMULA_NAMES = (
    "annotation annotation-xml maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover "
    "mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd "
    "mtext mtr munder munderover none semantics"
)
"""Parts of formulas, which are read as a whole."""
_KNOWN = BLOCKS | DROPPED | INLINE | IMAGES | {"br", "button", *_FORMULA_NAMES.split()}
_PHRASES = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "td", "th"))
"""Blocks whose children stand in one line of text."""
_TELLING = IMAGES | {"math", "mjx-container", "script", "span", "sup", "input"}
_BOTH = frozenset("bi")
_SPACES = re.compile(r"\s+")
_LATE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy")
_TINY = frozenset(("0", "1", "0px", "1px"))


@dataclass(slots=True)
class Run:
    """A piece of text in one style; `href` is where it leads, `style` how it looks."""

    text: str
    href: str | None = None
    style: str = ""


def spaced(text: str) -> str:
    """The text with every stretch of blanks made one, and nothing invisible in it."""
    if text.isspace():
        return " "
    is_spaced = "  " not in text and text.isprintable()
    return visible(text if is_spaced else _SPACES.sub(" ", text))


def style_in(tag: str, style: str) -> str:
    """The style of text in an element of this tag, inside text of that style."""
    own = STYLES.get(tag, style)
    if style == "c":
        return style
    return "bi" if {own, style} == _BOTH else own


def told_by(node: Node, href: str | None) -> Run | None:
    """What an element says as a whole; None where it says what is inside it."""
    if node.tag not in _TELLING:
        return None
    formula = formula_of(node)
    if formula is not None:
        return Run(formula, href, "m" if formula.startswith("$") else "")
    if node.tag in IMAGES:
        return image_run(node)
    if node.tag == "input":
        return _task(node)
    text = raised(node.text_content()) if node.tag == "sup" and not _leads_away(node) else None
    return Run(text, href) if text else None


def _task(node: Node) -> Run | None:
    """The box before a task on a list; one that can be ticked is no text but a control."""
    if node.get("type") != "checkbox" or node.get("disabled") is None:
        return None
    return Run("[ ] " if node.get("checked") is None else "[x] ", None, "m")


def _leads_away(node: Node) -> bool:
    return any(not link.get("href", "#").startswith("#") for link in node.iter("a"))


def marks_of(node: Node) -> tuple[str, str]:
    """What a browser shows before and after the text of an element."""
    if node.tag == "q":
        return "\u201c", "\u201d"
    if node.tag == "rt" and node.getparent().find("rp") is None:
        return "(", ")"
    return "", ""


def image_run(node: Node) -> Run | None:
    """What an image says in words; None where it says nothing, or is too small to be seen."""
    alt = " ".join(visible(node.get("alt") or "").split())
    if not alt or {node.get("width"), node.get("height")} & _TINY:
        return None
    return Run(alt, _source(node), "img")


def _source(image: Node) -> str:
    """Where it is; what stands there until it is loaded is not meant."""
    late = next(filter(None, map(image.get, _LATE_SOURCES)), "")
    source = late or image.get("src") or ""
    if not source or source.startswith("data:"):
        several = image.get("srcset") or image.get("data-srcset") or ""
        source = (several.split(None, 1) or [""])[0].rstrip(",")
    return source


def runs_in(node: Node, href: str | None = None, style: str = "", depth: int = 0) -> list[Run]:
    """All text inside, blocks kept apart by blanks."""
    before, after = marks_of(node)
    runs = [Run(before + spaced(node.text or ""), href, style)]
    for child in node:
        if isinstance(child.tag, str) and depth < 200:
            runs += _child_runs(child, href, style, depth + 1)
        runs.append(Run(spaced(child.tail or ""), href, style))
    return [*runs, Run(after, href, style)]


def _child_runs(child: Node, href: str | None, style: str, depth: int) -> list[Run]:
    if is_hidden(child):
        return []
    told = told_by(child, href)
    if told is not None:
        return [told]
    if child.tag in DROPPED:
        return []
    if child.tag == "a":
        href = child.get("href") or href
    inner = runs_in(child, href, style_in(child.tag, style), depth)
    return inner if child.tag in INLINE else [Run(" "), *inner, Run(" ")]


_MARKS = {"b": "**", "i": "*", "bi": "***", "s": "~~"}
# A bracket and an ampersand are special where a tag or an entity begins with them.
_SPECIAL = re.compile(r"([\\`*_\[\]]|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]{1,31};))")
_WHOLE = ("img", "n", "m")
"""Styles of runs that stand for themselves."""
_ADDRESS_SPECIAL = re.compile(r"[\s()<>\x00-\x1f\x7f-\x9f\u200b-\u206f]")
_MAX_ADDRESS = 2000


def line_of(runs: Sequence[Run], base: str) -> str:
    """The runs as Markdown; neighbours that lead to one place become one link."""
    parts = [
        _linked(list(group), href, base)
        for href, group in groupby(
            _joined(_with_whole_tex(runs)), key=lambda run: run.href if run.style != "img" else ""
        )
    ]
    lines = "".join(parts).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _with_whole_tex(runs: Sequence[Run]) -> Iterator[Run]:
    """The same with spaces for line breaks inside TeX, which what renders it ignores."""
    has_breaks = any(run.style == "n" for run in runs)
    spans = deque(tex_spans("".join(run.text for run in runs)) if has_breaks else ())
    place = 0
    for run in runs:
        while spans and spans[0][1] <= place:
            spans.popleft()
        is_inside = bool(spans) and spans[0][0] < place
        yield Run(" ", None, "") if is_inside and run.style == "n" else run
        place += len(run.text)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """The same with neighbours of one style and one address as one, which marks go around."""
    for (href, style), group in groupby(runs, key=lambda run: (run.href, run.style)):
        same = list(group)
        if style in _WHOLE or len(same) == 1:
            yield from same
        else:
            yield Run("".join(run.text for run in same), href, style)


def address_of(href: str | None, base: str) -> str | None:
    """The absolute web address that a link leads to; None where it leads to no page."""
    if not href or href.startswith("#") or len(href) > _MAX_ADDRESS:
        return None
    try:
        address = urljoin(base, href.strip())
        scheme = urlsplit(address).scheme
    except ValueError:
        return None
    if scheme not in {"http", "https", "mailto"}:
        return None
    return _ADDRESS_SPECIAL.sub(
        lambda found: "".join(f"%{b:02X}" for b in found[0].encode()), address
    )


def _linked(runs: list[Run], href: str | None, base: str) -> str:
    text = "".join(_styled(run, base) for run in runs)
    address = address_of(href, base)
    inner = " ".join(text.split())
    if not address or not inner:
        return text
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' * before}[{inner}]({address}){' ' * after}"


def _styled(run: Run, base: str) -> str:
    if run.style == "img":
        address = address_of(run.href, base)
        return f" ![{escaped(run.text)}]({address}) " if address else f" {escaped(run.text)} "
    text = run.text
    inner = text.strip()
    if not inner or run.style in _WHOLE:
        return text
    if run.style == "c":
        return text.replace(inner, _code(inner), 1)
    mark = _MARKS.get(run.style, "")
    return text.replace(inner, f"{mark}{escaped(inner)}{mark}", 1)


def _code(text: str) -> str:
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def escaped(text: str) -> str:
    """The text with characters that Markdown would interpret escaped, but for TeX in it."""
    pieces, last = list[str](), 0
    for start, end in tex_spans(text):
        pieces += [_SPECIAL.sub(r"\\\1", text[last:start]), text[start:end]]
        last = end
    return "".join([*pieces, _SPECIAL.sub(r"\\\1", text[last:])])


def inline_elements(root: Node) -> frozenset[Node]:
    """Elements without blocks inside that stand in a line of text though their names do not say so.

    These are elements that HTML does not know (custom ones, those of inline XBRL), and buttons in
    the middle of a sentence.
    """
    unknown = [node for node in root.iter("*") if _is_unknown(node.tag)]
    buttons = [node for node in root.iter("button") if _continues_sentence(node)]
    if not unknown and not buttons:
        return frozenset()
    holders: set[Node] = set()
    for block in root.iter(*BLOCKS):
        for above in block.iterancestors():
            # All that stands above this one was found before.
            if above in holders:
                break
            holders.add(above)
    found = (node for node in unknown if not _is_stacked(node))
    return frozenset(node for node in (*found, *buttons) if node not in holders)


def _is_unknown(tag: str) -> bool:
    return tag not in _KNOWN and not tag.startswith("mjx-")


def _is_stacked(node: Node) -> bool:
    """Whether it is one of several of its kind with nothing between them: a row of components."""
    above = node.getparent()
    if ":" in node.tag or above is None or above.tag not in BLOCKS - _PHRASES:
        return False
    before, after = node.getprevious(), node.getnext()
    return (before is not None and before.tag == node.tag and not before.tail) or (
        after is not None and after.tag == node.tag and not node.tail
    )


def _continues_sentence(node: Node) -> bool:
    """Whether text goes on behind it, or stops right before it in the middle of a sentence."""
    if next(node.iterancestors("pre"), None) is not None:
        return False  # a control of the code that it stands in
    if (node.tail or "").strip() or _is_phrase(node.getnext()):
        return True
    before = node.getprevious()
    if before is None:
        above = node.getparent()
        text = above.text if above is not None else ""
    else:
        text = before.tail
    said = (text or "").rstrip()
    return bool(said) and said[-1] not in ".!?:\u3002|\u00b7"


def _is_phrase(node: Node) -> bool:
    """Whether it is an inline element with text in it, in a line of text, and no other control."""
    if node is None or node.getparent().tag not in _PHRASES:
        return False
    return node.tag in INLINE - {"a", "label"} and bool((node.text or "").strip())
