"""Tagged PDFs: the structure tree tells lists without bullets, headings, and what figures show."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.anyio
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
LONG = "The tide in the bay rises by fourteen metres and ships wait outside until it is high"


class Piece(NamedTuple):
    """Text with the types of the elements it is in, from the outermost."""

    text: str
    tags: tuple[str, ...] = ("P",)


def tagged(make: dict[str, Any], pieces: Sequence[Piece], alternative: str = "") -> bytes:
    """A page with a line for each piece, and a grey square that is a figure if it is described."""
    content = b""
    elements: list[bytes] = []
    first = 8

    def element(kind: str, parent: int, kids: bytes, more: str = "") -> int:
        elements.append(
            f"<< /Type /StructElem /S /{kind} /P {parent} 0 R /Pg 3 0 R ".encode()
            + f"{more} /K ".encode()
            + kids
            + b" >>"
        )
        return first + len(elements) - 1

    roots: list[int] = []
    parents: list[int] = []
    for number, piece in enumerate(pieces):
        y = 740 - 14 * number
        text = f"BT /F1 10 Tf 60 {y} Td ({piece.text}) Tj ET"
        if not piece.tags:
            content += f"{text}\n".encode()
            continue
        content += f"/{piece.tags[-1]} << /MCID {len(parents)} >> BDC {text} EMC\n".encode()
        parent = 5
        for kind in piece.tags[:-1]:
            at = element(kind, parent, b"[%d 0 R]" % (first + len(elements) + 1))
            roots += [at] if parent == 5 else []
            parent = at
        leaf = element(piece.tags[-1], parent, b"[%d]" % len(parents))
        roots += [leaf] if parent == 5 else []
        parents.append(leaf)
    if alternative:
        content += b"/Figure << /MCID %d >> BDC 60 300 200 100 re f EMC\n" % len(parents)
        at = element("Figure", 5, b"[%d]" % len(parents), f"/Alt ({alternative})")
        roots.append(at)
        parents.append(at)
    numbers = b" ".join(b"%d 0 R" % one for one in parents)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 5 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /StructParents 0 %b >>"
        % b"/Resources << /Font << /F1 7 0 R >> >>",
        make["stream"](content),
        b"<< /Type /StructTreeRoot /ParentTree 6 0 R /K [%b] >>"
        % b" ".join(b"%d 0 R" % one for one in roots),
        b"<< /Nums [0 [%b]] >>" % numbers,
        FONT,
        *elements,
    ]
    return bytes(make["written"](objects))


async def test_items_without_bullets_are_a_list(read: Callable[..., Any], make: Any) -> None:
    names = ["a lamp", "a rope", "two oars"]
    pieces = [Piece(LONG), *(Piece(name, ("L", "LI", "LBody")) for name in names), Piece(LONG)]

    content = (await read(tagged(make, pieces))).content

    assert content.split("\n\n") == [
        "<!-- page 1 -->",
        LONG,
        "- a lamp\n- a rope\n- two oars",
        LONG,
    ]


async def test_a_heading_in_the_type_of_the_text_is_one_by_its_tag(
    read: Callable[..., Any], make: Any
) -> None:
    pieces = [Piece("On tides", ("H1",)), Piece(LONG), Piece("Methods", ("H2",)), Piece(LONG)]

    content = (await read(tagged(make, pieces))).content

    assert content.split("\n\n")[1:] == ["# On tides", LONG, "## Methods", LONG]


async def test_tags_that_call_everything_a_heading_are_not_believed(
    read: Callable[..., Any], make: Any
) -> None:
    content = (await read(tagged(make, [Piece(LONG, ("H1",))] * 6))).content

    assert "#" not in content


async def test_tags_of_a_small_part_of_the_text_are_not_believed(
    read: Callable[..., Any], make: Any
) -> None:
    pieces = [Piece(LONG, ())] * 4 + [Piece("of the harbour", ("L", "LI", "LBody"))]

    content = (await read(tagged(make, pieces))).content

    assert "- of the" not in content


async def test_a_figure_is_described_where_it_stands(read: Callable[..., Any], make: Any) -> None:
    body = tagged(make, [Piece(LONG), Piece(LONG)], "A map of the bay")

    content = (await read(body)).content

    assert content.endswith("\n\n*Figure: A map of the bay*")


async def test_the_name_of_a_file_describes_nothing(read: Callable[..., Any], make: Any) -> None:
    content = (await read(tagged(make, [Piece(LONG)], "image1.png"))).content

    assert "image1" not in content


async def test_a_tree_that_contains_itself_is_read_in_bounded_time(
    read: Callable[..., Any], make: Any
) -> None:
    body = tagged(make, [Piece(LONG), Piece("a lamp", ("L", "LI", "LBody"))])
    # The list is its own child.
    looped = body.replace(b"/K [10 0 R]", b"/K [ 9 0 R]")
    assert looped != body

    content = (await read(looped)).content

    assert LONG in content
    assert "a lamp" in content
