"""Rows as tables of GitHub's Markdown."""

from sourcewright.reading.markdown.writer import MAX_COLUMNS, MAX_ROWS, limit_rows, markdown_table


def test_cells_stay_apart_whatever_they_hold():
    table = markdown_table([["Tide", "a|b"], ["two\nlines"], ["1", "2", "3"]])

    assert table.split("\n") == [
        "| Tide | a\\|b |  |",
        "| --- | --- | --- |",
        "| two lines |  |  |",
        "| 1 | 2 | 3 |",
    ]


def test_no_rows_make_no_table():
    assert markdown_table([]) == ""
    assert markdown_table([[], []]) == ""


def test_what_is_too_much_is_counted():
    rows = [["x"] * (MAX_COLUMNS + 1)] * (MAX_ROWS + 7)

    kept, note = limit_rows(rows)

    assert (len(kept), len(kept[0])) == (MAX_ROWS, MAX_COLUMNS)
    assert note == "*7 more rows and 1 more column omitted*"


def test_a_table_that_fits_says_nothing_more():
    assert limit_rows([["a", "b"]]) == ([["a", "b"]], None)
