"""Rows as tables of GitHub's Markdown."""

from sourcewright.logic.markdown.writer import MAX_COLUMNS, MAX_ROWS, bounded, table_of


def test_cells_stay_apart_whatever_they_hold():
    table = table_of([["Tide", "a|b"], ["two\nlines"], ["1", "2", "3"]])

    assert table.split("\n") == [
        "| Tide | a\\|b |  |",
        "| --- | --- | --- |",
        "| two lines |  |  |",
        "| 1 | 2 | 3 |",
    ]


def test_no_rows_make_no_table():
    assert table_of([]) == ""
    assert table_of([[], []]) == ""


def test_what_is_too_much_is_counted():
    rows = [["x"] * (MAX_COLUMNS + 1)] * (MAX_ROWS + 7)

    kept, note = bounded(rows)

    assert (len(kept), len(kept[0])) == (MAX_ROWS, MAX_COLUMNS)
    assert note == "*7 more rows and 1 more column left out*"


def test_a_table_that_fits_says_nothing_more():
    assert bounded([["a", "b"]]) == ([["a", "b"]], None)
