"""Lists as Markdown nests and numbers them."""

import pytest

from sourcewright.reading.formats.html import read_html

INTRODUCED = "<p>The steps of the survey are told here, in the order in which they were done.</p>"
INTRODUCTION = "The steps of the survey are told here, in the order in which they were done.\n\n"


@pytest.mark.parametrize(
    ("listed", "numbers"),
    [
        ("<ol start=5><li>{}</li><li>{}</li></ol>", (5, 6)),
        ("<ol><li value=3>{}</li><li>{}</li></ol>", (3, 4)),
        ("<ol reversed><li>{}</li><li>{}</li></ol>", (2, 1)),
        ("<ol start=x><li>{}</li><li value=9999999999999>{}</li></ol>", (1, 2)),
    ],
)
def test_items_have_the_numbers_that_the_page_gives_them(content, listed, numbers):
    text = content(INTRODUCED + listed.format("Measure the old piers.", "Write it all down."))

    first, second = numbers
    assert text == f"{INTRODUCTION}{first}. Measure the old piers.\n{second}. Write it all down."


@pytest.mark.parametrize(
    ("terms", "written"),
    [
        (("•", "•"), "- {}\n- {}"),
        (("*", "*"), "- {}\n- {}"),
        (("3.", "4."), "3. {}\n4. {}"),
        (("*", "+"), "\\*\n\n{}\n\n\\+\n\n{}"),
        (("1.", "last"), "1\\.\n\n{}\n\nlast\n\n{}"),
    ],
)
def test_definitions_of_bullets_or_numbers_as_manual_pages_have_are_a_list(
    content, terms, written
):
    steps = ("Measure the old piers.", "Write it all down.")
    entries = (f"<dt>{term}</dt><dd>{step}</dd>" for term, step in zip(terms, steps, strict=True))

    text = content(f"{INTRODUCED}<dl>{''.join(entries)}</dl>")

    assert text == INTRODUCTION + written.format(*steps)


def test_a_list_in_a_list_stands_under_the_text_of_its_item(content):
    tenth = "<ul><li>its length in feet</li><li>its age<ol><li>by the wood</li></ol></li></ul>"

    text = content(
        f"{INTRODUCED}<ol start=9><li>Find the pier.</li><li>Measure it:{tenth}</li></ol>"
    )

    assert text.removeprefix(INTRODUCTION).split("\n") == [
        "9. Find the pier.",
        "10. Measure it:",
        "    - its length in feet",
        "    - its age",
        "      1. by the wood",
    ]


def test_a_list_right_inside_a_list_moves_in_as_well(content):
    text = content(
        f"{INTRODUCED}<ul><li>Find it.</li><ul><li>Look north.</li></ul><li>Write.</li></ul>"
    )

    assert text == f"{INTRODUCTION}- Find it.\n  - Look north.\n- Write."


def test_an_item_keeps_its_mark_however_many_items_are_in_it(content):
    many = "".join(f"<li>pier number {number}</li>" for number in range(20))

    text = content(f"{INTRODUCED}<ul><li>All the piers:<ul>{many}</ul></li></ul>")

    assert text.startswith(
        f"{INTRODUCTION}- All the piers:\n  - pier number 0\n  - pier number 1\n"
    )


def test_code_and_tables_in_an_item_belong_to_it(content):
    text = content(
        f"{INTRODUCED}<ol><li><p>Run this:</p><pre>make piers\n\n  --oak</pre><p>Wait.</p></li>"
        "<li>Compare:<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></li>"
        "</ol>"
    )

    assert text.removeprefix(INTRODUCTION).split("\n") == [
        "1. Run this:",
        "",
        "   ```",
        "   make piers",
        "",
        "     --oak",
        "   ```",
        "",
        "   Wait.",
        "2. Compare:",
        "",
        "   | a | b |",
        "   | --- | --- |",
        "   | 1 | 2 |",
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1986. A year of storms.", "1986\\. A year of storms."),
        ("12) The last of them.", "12\\) The last of them."),
        ("# 5 on the list of piers", "\\# 5 on the list of piers"),
        ("- and so it ended", "\\- and so it ended"),
        ("&gt; 5 metres were seen", "\\> 5 metres were seen"),
        ("1986.5 feet of oak", "1986.5 feet of oak"),
        ("Seen so far<br>===", "Seen so far\n\\==="),
    ],
)
def test_text_that_looks_like_a_mark_stays_text(content, text, written):
    assert content(f"<p>{text}</p>") == written


DEFINITIONS = {
    "survey": "A record of every pier of the harbour, with its length, its age and its wood.",
    "age": "The years since a pier was built, counted by the rings of its oldest timber.",
    "oak": "The wood of most piers, which came from the north by ship before the war.",
    "measure": "Writes down the length of a pier in feet, from the quay wall to its last pile.",
}


def test_terms_of_definitions_are_read_though_they_are_short_links():
    entries = "".join(
        f"<dt><a class=fn href={term}.html>{term}</a></dt><dd>{text}</dd>"
        for term, text in DEFINITIONS.items()
    )
    prose = "<p>" + "The module has all that a survey of the piers of a harbour needs. " * 4
    page = (
        "<!doctype html><title>harbour</title><body><main><section class=content>"
        f"<h1>Module harbour</h1>{prose * 6}<h2>Functions</h2><dl class=item-table>{entries}</dl>"
    )

    text = read_html(page, url="https://example.org/harbour/index.html").content

    assert [term for term in DEFINITIONS if f"[{term}](" not in text] == []
    assert [one for one in DEFINITIONS.values() if one not in text] == []


def javadoc(methods: str) -> str:
    page = (
        "<!doctype html><title>Harbour</title><body><main><h1>Class Harbour</h1>"
        f"<p>{'A harbour has berths for ships, and is opened by its name. ' * 8}</p>"
        f"<h2>Method Details</h2><ul class=member-list>{methods}</ul></main>"
    )
    return read_html(page, url="https://example.org/Harbour.html").content


def method(name: str, signature: str, notes: str) -> str:
    return (
        f"<li><section class=detail><h3>{name}</h3><div class=member-signature>{signature}</div>"
        f"<div class=block>It does what its name says, as in {signature} above.</div>"
        f"<dl class=notes>{notes}</dl></section></li>"
    )


def test_definitions_that_several_functions_have_are_read_under_each():
    notes = "<dt>Parameters:</dt><dd><code>name</code> - the name on the charts</dd>"

    text = javadoc(
        method("open", "open(String name)", notes)
        + method("close", "close(String name, int berth)", notes)
        + method("close", "close(String name)", notes)
    )

    assert text.count("the name on the charts") == 3


def test_a_text_that_recurs_below_each_new_heading_is_read_there():
    entry = "<h4>{0}(Pred, List)</h4><h3>Types</h3><div>Pred = fun((Elem) -> boolean())</div><p>It {0}s.</p>"

    text = javadoc("".join(f"<li>{entry.format(name)}</li>" for name in ("all", "any", "drop")))

    assert text.count("Pred = fun((Elem)") == 3


def test_a_definition_of_links_stays_with_its_term():
    links = "".join(f"<a href={name}.html><code>{name}</code></a> " for name in ("Ship", "Berth"))

    text = javadoc(method("open", "open(String name)", f"<dt>See Also:</dt><dd>{links}</dd>"))

    assert "See Also:\n\n[`Ship`](https://example.org/Ship.html)" in text


TASKS = "".join(
    f"<li class=task-list-item><label class=task-list-control><input type=checkbox disabled{done}>"
    f"<span class=task-list-indicator></span></label> Oak {number}</li>"
    for number, done in enumerate([" checked", "", ""], 1)
)


def test_a_list_of_tasks_with_drawn_boxes_is_no_filter(content):
    assert content(f"<ul class=task-list>{TASKS}</ul>") == (
        "- [x] Oak 1\n- [ ] Oak 2\n- [ ] Oak 3"
    )
