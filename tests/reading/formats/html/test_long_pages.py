"""No text is lost on long and deeply nested pages."""

import random
from itertools import count

from sourcewright.reading.formats.html import read_html

NAMES = (
    "pier harbour water oak survey measured value because under which the of and in numbers show "
    "that when tide rate large small between northern ground flow a is with divers wood"
)
WORDS = NAMES.split()
SIZES = (10, 20, 50, 100, 300, 20, 10, 50, 1000, 10, 30, 100, 20, 10, 3000, 50, 200)
CONTAINERS = ("article", "main", "div", "div class=content", "")
SURROUNDINGS = ("header", "nav", "footer", "sidebar", "comments")
KINDS = ("p", "p", "p", "li", "dl", "quote", "div", "heading", "pre", "table")
WRAPPERS = ("div", "section", "div class=text", "section id={}")


def sentences(dice: random.Random, most: int) -> str:
    lines = (" ".join(dice.choices(WORDS, k=dice.randint(6, 24))) for _ in range(most))
    return " ".join(f"{line.capitalize()}." for line in lines)


def block(dice: random.Random, kind: str, mark: str) -> str:
    """Markup of one block, or of a term with its definition, that holds the mark."""
    text = f"{mark} {sentences(dice, dice.randint(1, 5))}"
    return {
        "p": f"<p>{text}</p>",
        "li": f"<ul><li>{text}</li></ul>",
        "dl": f"<dl><dt>{mark}t pier</dt><dd>{mark} {sentences(dice, 1)}</dd></dl>",
        "quote": f"<blockquote><p>{text}</p></blockquote>",
        "div": f"<div>{text}</div>",
        "heading": f"<h2>{mark}t pier</h2><p>{text}</p>",
        "pre": f"<pre>{text}</pre>",
        "table": f"<table><tr><th>Pier</th><th>Wood</th></tr><tr><td>{mark}</td><td>oak</td></tr></table>",
    }[kind]


def nested(dice: random.Random, blocks: list[str], depth: int, ids: "count[int]") -> str:
    """The blocks, some stretches of them inside further elements."""
    if depth == 0 or len(blocks) < 2:
        return "".join(blocks)
    pieces, rest = [], blocks
    while rest:
        size = dice.randint(1, len(blocks))
        inner = nested(dice, rest[:size], depth - 1, ids)
        wrapper = dice.choice(WRAPPERS).format(f"part{next(ids)}")
        wraps = dice.random() < 0.5
        pieces.append(f"<{wrapper}>{inner}</{wrapper.partition(' ')[0]}>" if wraps else inner)
        rest = rest[size:]
    return "".join(pieces)


def page(dice: random.Random, content: str, wrapper: str, around: set[str]) -> str:
    links = "".join(f"<li><a href=/{word}>{word} {word}</a></li>" for word in WORDS[:12])
    remarks = "".join(
        f"<div class=comment><b>Reader {at}</b><p>I think {sentences(dice, 1)}</p></div>"
        for at in range(5)
    )
    markup = {
        "header": "<header><a href=/>The harbours</a></header>",
        "nav": f"<nav><ul>{links}</ul></nav>",
        "sidebar": f"<aside class=sidebar><h3>Related</h3><ul>{links}</ul></aside>",
        "comments": f"<section id=comments><h2>Comments</h2>{remarks}</section>",
        "footer": "<footer><p>Copyright 2020. All rights reserved.</p></footer>",
    }
    before, after = (
        "".join(markup[name] for name in names if name in around)
        for names in (("header", "nav"), ("sidebar", "comments", "footer"))
    )
    text = f"<h1>The piers</h1>{content}"
    inner = f"<{wrapper}>{text}</{wrapper.partition(' ')[0]}>" if wrapper else text
    return f"<head><title>The piers</title></head><body>{before}{inner}{after}</body>"


def made_up(seed: int) -> tuple[str, list[str]]:
    """A page of this number, and the words that its content must hold."""
    dice = random.Random(seed)
    size = SIZES[seed % len(SIZES)]
    # Text first, as everywhere: a page of nothing but terms or tables is another kind of page.
    kinds = ["p", "p", *dice.sample(KINDS, dice.randint(0, len(KINDS)))]
    marks = [f"Mark{at}x" for at in range(size)]
    blocks = [block(dice, dice.choice(kinds), mark) for mark in marks]
    content = nested(dice, blocks, dice.randint(0, 4), count())
    around = set(dice.sample(SURROUNDINGS, dice.randint(0, len(SURROUNDINGS))))
    terms = [f"{mark}t" for mark in marks if f"{mark}t" in content]
    return page(dice, content, dice.choice(CONTAINERS), around), marks + terms


UNWRAPPED = (506, 791)
"""Short texts without an element of their own, between a menu and comments."""


def test_no_block_of_a_text_is_lost(often):
    lost = {}
    for seed in (*range(often(len(SIZES), 20 * len(SIZES))), *UNWRAPPED):
        markup, marks = made_up(seed)
        content = read_html(markup, url="https://example.org/piers").content
        lost[seed] = [mark for mark in marks if mark not in content]

    assert {seed: marks for seed, marks in lost.items() if marks} == {}
