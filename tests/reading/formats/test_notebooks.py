"""Jupyter notebooks as Markdown."""

import json

import pytest

pytestmark = pytest.mark.anyio

JSON = "application/json"


def notebook(*cells: object, **metadata: object) -> bytes:
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    ).encode()


def code(source: str, *outputs: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


async def test_text_code_and_what_it_printed_are_read_in_order(read):
    body = notebook(
        {"cell_type": "markdown", "source": ["# Tides\n", "Of *two* lakes."]},
        code(
            "print(7)\n2 + 2",
            {"output_type": "stream", "text": ["7\n"]},
            {"output_type": "execute_result", "data": {"text/plain": ["4"]}},
        ),
        {"cell_type": "raw", "source": "as it is"},
        language_info={"name": "julia"},
    )

    reading = await read(body, JSON)

    assert reading.content == (
        "# Tides\nOf *two* lakes.\n\n```julia\nprint(7)\n2 + 2\n```\n\n"
        "Output:\n\n```\n7\n```\n\nOutput:\n\n```\n4\n```\n\n```\nas it is\n```"
    )
    assert (reading.kind, reading.title, reading.cut) == ("json", "Tides", False)


async def test_pictures_are_named_and_errors_are_without_colours(read):
    picture = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}
    failure = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "\x1b[31mno tide\x1b[0m",
        "traceback": ["long"],
    }

    reading = await read(
        notebook(code("plot()", {"output_type": "display_data", "data": picture}, failure)), JSON
    )

    assert "iVBOR" not in reading.content
    assert reading.content.endswith("[picture]\n\nOutput:\n\n```\nValueError: no tide\n```")


async def test_a_long_output_says_how_much_is_left_out(read):
    reading = await read(
        notebook(code("loop()", {"output_type": "stream", "text": "tide " * 10_000})), JSON
    )

    assert "\n… 30000 more characters\n" in reading.content
    assert len(reading.content) < 21_000


async def test_cells_of_the_third_version_are_in_worksheets(read):
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Tides"]},
        {"cell_type": "code", "input": ["a = 1", "b = 2"], "outputs": []},
    ]
    body = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}

    reading = await read(json.dumps(body).encode(), JSON)

    assert reading.content == "## Tides\n\n```python\na = 1\nb = 2\n```"


@pytest.mark.parametrize(
    "cell",
    [None, 7, {"cell_type": 3, "source": {"a": 1}}, {"cell_type": "code", "outputs": 5}],
    ids=["null", "number", "odd-types", "odd-outputs"],
)
async def test_a_cell_of_another_shape_hides_no_other(read, cell):
    reading = await read(notebook(cell, {"cell_type": "markdown", "source": "Tides."}), JSON)

    assert reading.content == "Tides."


@pytest.mark.parametrize(
    "value",
    [{"nbformat": "4", "cells": []}, {"nbformat": 4}, {"nbformat": 4, "cells": {}}],
    ids=["no-version", "no-cells", "cells-are-no-list"],
)
async def test_other_json_with_the_word_stays_json(read, value):
    reading = await read(json.dumps(value).encode(), JSON)

    assert reading.content == f"```json\n{json.dumps(value)}\n```"
