"""Opens what a reader of the page would see: parts that arrive late, answers that unfold."""

import re
from itertools import islice

from sourcewright.logic.extracting.parsing import Node

_LATE = re.compile(r"S:[0-9a-f]{1,8}")
_PARTS, _DEEP = 500, 300
_FOLDS = frozenset({"accordion", "answer", "collapse", "expander", "faq", "pane", "tab"})
_NAME = re.compile(r"[a-z]+")


def settle(body: Node) -> None:
    """Moves what the server sent late to the place kept for it, as the page's own script does.

    React sends the parts of a page as they are ready: hidden, at the end, each with the number
    of a template that stands where it belongs.
    """
    for shadow in [*body.iter("template")]:
        # What a component shows stands in a template that the browser takes for its inside.
        if shadow.get("shadowrootmode") == "open":
            shadow.tag = "div"
    late = (node for node in body.iter("div") if _is_late(node))
    parts = list(islice(late, _PARTS))
    gaps = {gap.get("id"): gap for gap in body.iter("template")} if parts else {}
    for part in parts:
        del part.attrib["hidden"]
        gap = gaps.get(f"B:{part.get('id')[2:]}")
        if gap is not None and _is_apart(gap, part):
            gap.addnext(part)


def _is_late(node: Node) -> bool:
    return node.get("hidden") is not None and bool(_LATE.fullmatch(node.get("id") or ""))


def _is_apart(gap: Node, part: Node) -> bool:
    """Whether the one does not stand inside the other, as far as we look."""
    above = list(islice(gap.iterancestors(), _DEEP))
    return len(above) < _DEEP and part not in above


def folded(body: Node) -> list[Node]:
    """Hidden elements whose names say that a reader opens them."""
    hidden = body.xpath(".//*[@class and (@hidden or @style)]")
    return [one for one in hidden if not _FOLDS.isdisjoint(_names(one))]


def _names(node: Node) -> list[str]:
    return _NAME.findall(node.get("class")[:400].lower())
