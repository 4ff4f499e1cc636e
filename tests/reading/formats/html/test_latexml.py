"""Papers as LaTeXML writes them, which arXiv serves."""


def math(tex: str) -> str:
    return f"<math alttext='{tex}' display=inline><mi>{tex[-1]}</mi></math>"


def equation(*parts: str, number: str = "") -> str:
    cells = "".join(f"<td class=ltx_eqn_cell>{part}</td>" for part in ("", *parts, ""))
    tag = f"<td class='ltx_eqn_cell ltx_eqn_eqno'><span class=ltx_tag>{number}</span></td>"
    return f"<tbody><tr class='ltx_equation ltx_eqn_row'>{cells}{tag}</tr></tbody>"


def test_the_parts_of_an_equation_and_its_number_are_one_line(content):
    rows = [
        equation(math(r"\displaystyle a"), math(r"\displaystyle=b"), number="(2)"),
        equation(math(r"\displaystyle c"), math(r"\displaystyle=d"), number="(3)"),
    ]

    text = content(f"<table class='ltx_equationgroup ltx_eqn_table'>{''.join(rows)}</table>")

    assert text == "$$a=b$$ (2)\n\n$$c=d$$ (3)"


def test_labels_of_list_items_are_written_once(content):
    item = (
        "<li class=ltx_item><span class='ltx_tag ltx_tag_item'>{}</span> "
        "<div class=ltx_para><p>{}</p></div></li>"
    )

    bullets = content(f"<ul>{item.format('•', 'Oak')}{item.format('*', 'Pine')}</ul>")
    numbers = content(f"<ol>{item.format('1.', 'Oak')}{item.format('2.', 'Pine')}</ol>")
    letters = content(f"<ol>{item.format('(a)', 'Oak')}{item.format('(b)', 'Pine')}</ol>")

    assert bullets == "- Oak\n- Pine"
    assert numbers == "1. Oak\n2. Pine"
    assert letters == "1. (a) Oak\n2. (b) Pine"


def test_a_listing_is_code(content):
    lines = ["<span class=ltx_lst_keyword>if</span> x:", "<span>    </span>go(x)"]
    divs = "".join(
        f"<div class=ltx_listingline>\n<span class='ltx_tag ltx_tag_listingline'>{n}</span>"
        f"{line}\n</div>\n"
        for n, line in enumerate(lines, 1)
    )
    data = (
        "<div class=ltx_listing_data><a href='data:text/plain;base64,eA==' download>Save</a></div>"
    )

    text = content(
        f"<div class='ltx_listing ltx_lst_language_Python ltx_lstlisting'>\n{data}\n{divs}</div>"
    )

    assert text == "```python\nif x:\n    go(x)\n```"


def test_the_lines_of_an_algorithm_stay_together(content):
    lines = ("<b>while</b> it rains <b>do</b>", math("x"), "<b>end while</b>")
    divs = "".join(f"<div class=ltx_listingline>{line}\n</div>\n" for line in lines)

    assert content(f"<div class=ltx_listing>\n{divs}</div>") == (
        "**while** it rains **do**\n$x$\n**end while**"
    )


def test_citations_are_upright_and_fonts_are_marked(content):
    text = content(
        "<p><span class='ltx_text ltx_font_bold'>Oak.</span> It lasts <cite class=ltx_cite>[<a "
        "href=#b1>1</a>]</cite> with <span class='ltx_text ltx_font_typewriter'>a_b</span>.</p>"
    )

    assert text == "**Oak.** It lasts \\[1\\] with `a_b`."
