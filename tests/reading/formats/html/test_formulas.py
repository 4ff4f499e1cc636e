"""Formulas: TeX in running text, and what MathJax and KaTeX have drawn."""

import pytest

from sourcewright.reading.formats.html import read_html

SQUARE = "<msup><mi>x</mi><mn>2</mn></msup>"
MATHML = f"<math xmlns='http://www.w3.org/1998/Math/MathML'>{SQUARE}</math>"
QUOTED = MATHML.replace("<", "&lt;").replace("'", "&quot;")
X, TWO = '<mjx-c class="mjx-c1D465 TEX-I"></mjx-c>', '<mjx-c class="mjx-c32"></mjx-c>'
CHTML = (
    f"<mjx-math aria-hidden=true><mjx-msup><mjx-mi>{X}</mjx-mi><mjx-script><mjx-mn>{TWO}</mjx-mn>"
    "</mjx-script></mjx-msup></mjx-math>"
)
SVG = (
    '<svg><g data-mml-node="math"{}><g data-mml-node="msup"><g data-mml-node="mi"><use data-c="1D465">'
    '</use></g><g data-mml-node="mn"><use data-c="32"></use></g></g></g></svg>'
)
MATHJAX_2 = "<nobr aria-hidden=true><span class=math><span class=mi>x</span>2</span></nobr>"
PREVIEWED = (
    f"<span class=MathJax_Preview>x^2</span><span class=MathJax>{MATHJAX_2}<span "
    f"class=MJX_Assistive_MathML>{MATHML}</span></span>"
)
ASSISTIVE = f"<mjx-assistive-mml>{MATHML}</mjx-assistive-mml>"
KATEX_MATHML = (
    f"<span class=katex-mathml><math><semantics>{SQUARE}<annotation encoding='application/x-tex'>"
    "x^2</annotation></semantics></math></span>"
)
KATEX_HTML = (
    "<span class=katex-html aria-hidden=true><span class=mord>x</span><span class=msupsub>"
    "<span class=vlist-t>2</span></span></span>"
)
SHEET = (
    "<style>mjx-assistive-mml, .MJX_Assistive_MathML, .katex .katex-mathml { position: absolute; "
    "clip: rect(1px, 1px, 1px, 1px); height: 1px; width: 1px; overflow: hidden }</style>"
)


@pytest.mark.parametrize(
    "tex",
    [
        r"\(x_1^2 + y_{i} * z * w\)",
        r"\[ \frac{a}{b} [c] \\[2pt] d \]",
        r"$$a_b * c_d &lt; e_f$$",
        r"$O(n \log n_1) * 2$",
        r"$x_1^{*}$",
        r"\begin{align*} a_1 &amp;= b_2 \\ c_1 &amp;= d_2 \end{align*}",
    ],
)
def test_tex_in_running_text_is_left_as_it_is(content, tex):
    text = content(f"<p>We write {tex} for the *load* of a pier.</p>")

    expected = tex.replace("&lt;", "<").replace("&amp;", "&")
    assert text == f"We write {expected} for the \\*load\\* of a pier."


def test_tex_is_left_as_it_is_in_a_table_and_over_line_breaks(content):
    cells = r"<tr><td>\(x_1 * y_1\)</td><td>load</td></tr>"
    text = content(f"<p>It is $$ a_1 <br> + b_1 $$ here.</p><table>{cells}{cells}</table>")

    assert "It is $$ a_1 + b_1 $$ here." in text
    assert r"| \(x_1 * y_1\) | load |" in text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"an open \[ bracket and \(a_1\)", r"an open \\\[ bracket and \(a_1\)"),
        (r"between $$ and $$$ a *night*", r"between $$ and $$$ a \*night\*"),
        (r"it costs $5 or *more* than $6", r"it costs $5 or \*more\* than $6"),
        (r"it costs $5_a or *more*_b than $6", r"it costs $5\_a or \*more\*\_b than $6"),
        (r"it costs $5 for C:\a*b and $6", r"it costs $5 for C:\\a\*b and $6"),
        (r"\(&lt;script&gt;a\)", r"\\(\<script>a\\)"),
        (r"\( [x](javascript:a) \)", r"\\( \[x\](javascript:a) \\)"),
    ],
)
def test_what_is_no_formula_is_escaped(content, text, written):
    assert content(f"<p>They found {text} in it.</p>") == f"They found {written} in it."


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("<span class='math inline'>h</span>", "$h$"),
        (r"<span class='math display'>a_1 = \rho</span>", r"$$a_1 = \rho$$"),
        (r"<span class='math notranslate'>\(a_1\)</span>", "$a_1$"),
        (r"<span class='tex'>$ {\displaystyle a_1} $</span>", "$a_1$"),
        (r"<em class='math'>\eta</em>", r"$\eta$"),
        ("<span class='topic math'>Mathematics</span>", "Mathematics"),
        ("<span class='math'><b>a</b>_1</span>", r"**a**\_1"),
    ],
)
def test_tex_that_a_script_draws_is_a_formula(content, source, written):
    assert content(f"<p>The load is {source} here.</p>") == f"The load is {written} here."


@pytest.mark.parametrize(
    ("drawn", "written"),
    [
        (f"<mjx-container class=MathJax jax=CHTML>{CHTML}{ASSISTIVE}</mjx-container>", "x²"),
        (f"<mjx-container class=MathJax jax=CHTML>{CHTML}</mjx-container>", "x^2"),
        (
            f"<mjx-container jax=SVG>{SVG.format('')}{ASSISTIVE}</mjx-container>",
            "x²",
        ),
        (f"<mjx-container jax=SVG><svg><path/></svg>{ASSISTIVE}</mjx-container>", "x²"),
        (
            f"<mjx-container jax=SVG>{SVG.format(' data-latex=x^{2}')}</mjx-container>",
            "$x^{2}$",
        ),
        (f'<span class=MathJax data-mathml="{QUOTED}">{MATHJAX_2}</span>', "x²"),
        (
            f"{PREVIEWED}<script type=math/tex>x^2</script>",
            "$x^2$",
        ),
        (f"<span class=katex>{KATEX_MATHML}{KATEX_HTML}</span>", "$x^2$"),
        (f"<span class=katex>{KATEX_HTML}</span>", "x^2"),
    ],
)
@pytest.mark.parametrize("sheet", ["", SHEET], ids=["plain", "with the renderer's style sheet"])
def test_a_drawn_formula_is_read_once(content, drawn, written, sheet):
    text = content(f"<p>The load grows as {drawn} over the years.</p>", sheet)

    assert text == f"The load grows as {written} over the years."


def test_a_displayed_formula_whose_source_follows_is_read_once(content):
    drawn = f"<div class=MathJax_Display><span class=MathJax>{MATHJAX_2}</span></div>"
    text = content(f"<p>So:</p>{drawn}<script type='math/tex; mode=display'>x^2</script>")

    assert text == "So:\n\n$$x^2$$"


@pytest.mark.parametrize(
    "hidden",
    [
        "<span class=katex><math style='display:none'><mtext>Praise them</mtext></math></span>",
        f"<mjx-container>{X}<math><mtext>Praise them</mtext></math></mjx-container>",
        f"<mjx-container>{X}<mjx-math data-latex='\\text{{Praise}}'></mjx-math></mjx-container>",
        '<span class=MathJax data-mathml="&lt;math>&lt;mtext>Praise&lt;/mtext>&lt;/math>"></span>',
    ],
)
def test_words_beside_a_drawn_formula_that_it_does_not_show_are_not_read(hidden):
    page = f"<article><p>The load grows as {hidden} over the years, they wrote.</p></article>"

    assert "Praise" not in read_html(page, url="https://example.org/").content


@pytest.mark.parametrize(
    ("image", "written"),
    [
        (r"class=latex src=/l.png alt='\frac{1}{2}'", r"$\frac{1}{2}$"),
        ("src='https://s0.wp.com/latex.php?latex=n' alt=n", "$n$"),
        ("class=latex src=/l.png alt='$x^2$'", "$x^2$"),
        (r"class=latexcenter src=/l.png alt='\[a_1 * b_2\]'", "$$a_1 * b_2$$"),
        (r"class=mwe-math-fallback-image-inline src=/m.svg alt='{\displaystyle x_1}'", "$x_1$"),
        (
            "class=latex src=/g.jpg alt='Latex gloves'",
            "![Latex gloves](https://example.org/g.jpg)",
        ),
    ],
)
def test_the_image_of_a_formula_is_its_source(content, image, written):
    assert content(f"<p>See <img {image}> there.</p>") == f"See {written} there."
