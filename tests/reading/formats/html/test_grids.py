"""Tables that are made of other elements than those of tables."""

TABLE = (
    "| Field | Meaning |\n| --- | --- |\n| `DEPTH` | How deep it is. |\n| `name` | On charts. |"
)


def test_the_summary_of_javadoc_is_a_table(content):
    grid = (
        "<div class='summary-table two-column-summary'>"
        "<div class='table-header col-first'>Field</div><div class='table-header col-last'>Meaning</div>"
        "<div class='col-first even-row-color'><code>DEPTH</code></div>"
        "<div class='col-last even-row-color'><div class=block>How deep it is.</div></div>"
        "<div class='col-first odd-row-color'><code>name</code></div>"
        "<div class='col-last odd-row-color'><div class=block>On charts.</div></div></div>"
    )

    assert content(grid) == TABLE


def test_elements_with_the_roles_of_a_table_are_one(content):
    rows = (
        ("columnheader", "Field", "Meaning"),
        ("cell", "<code>DEPTH</code>", "How deep it is."),
        ("cell", "<code>name</code>", "On charts."),
    )
    written = "".join(
        f"<div role=row><span role={role}>{one}</span><span role={role}>{two}</span></div>"
        for role, one, two in rows
    )

    assert content(f"<div role=table>{written}</div>") == TABLE


def test_columns_of_a_layout_are_no_table(content):
    columns = (
        "<div class=row><div class='col-first'>One.</div><div class='col-last'>Two.</div></div>"
    )

    assert content(columns) == "One.\n\nTwo."
