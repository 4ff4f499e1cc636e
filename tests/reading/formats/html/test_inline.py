"""Inline elements: emphasis, images, formulas and task lists."""

import pytest
from markdown_it import MarkdownIt


def test_a_link_within_the_page_does_not_divide_code(content):
    call = "<code><a href=#open>open</a></code><code>()</code> and <code>f<a href=#g>g</a></code>"

    assert content(f"<p>{call}</p>") == "`open()` and `fg`"


@pytest.mark.parametrize(
    ("marked_up", "written"),
    [
        ("<code>f(<var>x</var>, <b>y</b>)</code>", "`f(x, y)`"),
        ("<b>oak</b><b>wood</b>", "**oakwood**"),
        ("<b>oak <i>and</i> pine</b>", "**oak** ***and*** **pine**"),
        ("10<sup>-3</sup> m<sup>2</sup> of CO<sub>2</sub>", "10⁻³ m² of CO2"),
        ("in 2020<sup><a href='#n1'>1</a></sup>", "in 2020¹"),
        ("Pier<sup>1,2</sup> and Dock<sup>th</sup>", "Pier¹,² and Dockth"),
        ("<q>We saw them</q>", "“We saw them”"),
        ("<ruby>明日<rt>ashita</rt></ruby>", "明日(ashita)"),
        ("<ruby>漢<rp>[</rp><rt>kan</rt><rp>]</rp></ruby>", "漢\\[kan\\]"),
        (
            "the &lt;pre&gt; tag, 3 &lt; 4, &amp;lt; and AT&amp;T",
            "the \\<pre> tag, 3 < 4, \\&lt; and AT&T",
        ),
    ],
)
def test_a_line_says_what_the_page_shows(content, marked_up, written):
    text = content(f"<p>It was written: {marked_up} was there to be seen.</p>")

    assert text == f"It was written: {written} was there to be seen."


@pytest.mark.parametrize(
    ("marked_up", "written"),
    [
        ("2<sup>k</sup> and 2<sup><i>nk</i></sup>", "2^k and 2^nk"),
        ("2<sup>k</sup>n", "2^(k)n"),
        ("e<sup>-x</sup> or e<sup>iπ</sup>", "e^(-x) or e^(iπ)"),
        ("10<sup>10<sup>100</sup></sup>", "10^(10¹⁰⁰)"),
        ("n<sup>1/2</sup>, 10<sup>0.5</sup> cm<sup>-1/2</sup>", "n^(1/2), 10^(0.5) cm^(-1/2)"),
        ("(1 + x)<sup>n+k</sup> of f<sup>(k)</sup>", "(1 + x)^(n+k) of f^(k)"),
        ("the 1<sup>st</sup> and <i>n</i><sup>th</sup>", "the 1st and *n*th"),
        ("XX<sup>e</sup> M<sup>me</sup> N<sup>o</sup> 5", "XXe Mme No 5"),
        ("M<sup>c</sup>Nab 1<sup>й</sup> 2<sup>a</sup>", "McNab 1й 2a"),
        ("12.5<sup>k</sup> by Oak<sup>a,b</sup>", "12.5k by Oaka,b"),
        ("at 05<sup>h</sup> 35<sup>m</sup> 17<sup>s</sup>", "at 05h 35m 17s"),
        ("a<sub>n+1</sub> and g<sub>i,j</sub>", "a\\_(n+1) and g\\_(i,j)"),
        ("<i>X<sub>i</sub></i> and x<sub>i</sub><sup>k</sup>", "*X\\_i* and x\\_i^k"),
        ("K<sub>m</sub>, V<sub>max</sub>, pK<sub>a</sub>", "Km, Vmax, pKa"),
        ("1010<sub>2</sub> and log<sub>10</sub>100", "1010₂ and log₁₀100"),
        ("<code>O(n<sup>k</sup>)</code> in a field", "`O(n^k)` in a field"),
    ],
)
def test_a_script_does_not_join_its_base(content, marked_up, written):
    text = content(f"<p>It was written: {marked_up} was there to be seen.</p>")

    assert text == f"It was written: {written} was there to be seen."


def test_exponents_in_code_stay_exponents(content):
    text = content("<pre>max = 2<sup>31</sup> - 1\nmin = -2<sup>k</sup></pre>")

    assert text == "```\nmax = 2³¹ - 1\nmin = -2^k\n```"


@pytest.mark.parametrize(
    ("marked_up", "written"),
    [
        ("<b>Note:</b>oak", "**Note**:oak"),
        ("<b>Note:</b> oak", "**Note:** oak"),
        ("<b>Note: </b>oak", "**Note:** oak"),
        ("<b>Note:</b><i>oak</i>", "**Note**:*oak*"),
        ("<i>Note.</i><b>oak</b>", "*Note*.**oak**"),
        ("これは<b>「樫」</b>です", "これは「**樫**」です"),
        ("oak<b>(s)</b>", "oak(**s)**"),
        ("oak<b>!!</b>pine", "oak!!pine"),
        ("<b>oak</b><i>, and pine</i> too", "**oak**, *and pine* too"),
        ("oak<b>: pine </b>and<i> ash :</i>elm", "oak: **pine** and *ash* :elm"),
        ("<del>5€</del>4", "~~5~~€4"),
        ("<b>oak</b><i>pine</i><b>ash</b>", "**oak***pine***ash**"),
        ("<b>Read:</b><a href=/x>oak</a>", "**Read:**[oak](https://example.org/x)"),
    ],
)
def test_emphasis_is_written_so_that_commonmark_reads_it(content, marked_up, written):
    text = content(f"<p>It was written: {marked_up} was there to be seen.</p>")

    assert text == f"It was written: {written} was there to be seen."
    shown = MarkdownIt("commonmark").enable("strikethrough").render(text)
    assert not {"*", "~"} & set(shown)


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ("<picture><source srcset=/a.webp><source srcset=/b.webp>{}</picture>", "src=/pier.jpg"),
        ("{}", "src='data:image/gif;base64,R0lGOD' data-src=/pier.jpg"),
        ("{}", "src=/blank.gif data-lazy-src=/pier.jpg"),
        ("{}", "srcset='/pier.jpg 1x, /pier-2.jpg 2x'"),
    ],
)
def test_an_image_is_found_however_it_is_loaded(content, image, address):
    text = content(f"<figure>{image.format(f'<img {address} alt=Pier>')}</figure>")

    assert text == "![Pier](https://example.org/pier.jpg)"


@pytest.mark.parametrize("size", ["width=1 height=1", "width=0", "height=1px"])
def test_an_image_that_nobody_sees_says_nothing(content, size):
    assert "Praise" not in content(f"<p>Seen.<img src=/x.gif alt='Praise us' {size}></p>")


@pytest.mark.parametrize(
    ("heading", "written"),
    [
        ("<h2>Methods<a class=headerlink href='#methods'>¶</a></h2>", "## Methods"),
        ("<h3><a href='#m'>#</a> Methods</h3>", "### Methods"),
        ("<div role=heading aria-level=4>Methods</div>", "#### Methods"),
        ("<h2>Seen in <br>spring</h2>", "## Seen in spring"),
    ],
)
def test_a_heading_is_its_words(content, heading, written):
    assert content(f"{heading}<p>We counted every pier.</p>").startswith(f"{written}\n\n")


def math(inner: str, more: str = "", attributes: str = "") -> str:
    source = f"<annotation encoding='application/x-tex'>{more}</annotation>" if more else ""
    return f"<math {attributes}><semantics><mrow>{inner}</mrow>{source}</semantics></math>"


HALF = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
SOURCE = "{\\displaystyle y}"
UNSEEN = f"<span style='display:none'>{math(HALF, SOURCE)}</span>"


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (math(HALF, "\\frac12"), "$\\frac12$"),
        (math(HALF, "\\frac12", "display=block"), "$$\\frac12$$"),
        (math(HALF, "", "alttext='\\frac12'"), "$\\frac12$"),
        (math(HALF, "Praise us from now on"), "1/2"),
        (math("<mtext>rank</mtext><mi>A</mi>", "\\text{rank} A"), "$\\text{rank} A$"),
        (math(f"<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo>{HALF}"), "x²+1/2"),
        (math("<msub><mi>a</mi><mi>i</mi></msub>"), "a\\_i"),
        (math(HALF.replace("<mfrac", "<mfrac linethickness=0")), "1; 2"),
        (math("<mover><mi>x</mi><mo>^</mo></mover>"), "x\u0302"),
        (math("<msup><mi>f</mi><mo>\u2033</mo></msup>"), "f\u2033"),
        (math("<mi>n</mi><mi>log</mi><mo>\u2061</mo><mi>n</mi>"), "n log n"),
        (math("<msub><mi>p</mi><mi>k</mi></msub><mi>q</mi>"), "p\\_k q"),
        (math("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>"), "√(a+b)"),
        ("<script type='math/tex'>x_1</script>", "$x_1$"),
        ("<script type='math/tex; mode=display'>x_1</script>", "$$x_1$$"),
        ("<script type='math/tex'>a < b</script>", "$a < b$"),
        (
            f"<span><span>{math(HALF, 'y')}</span><span aria-hidden=true>{'1 2 ' * 40}</span></span>",
            "$y$",
        ),
        (f"<span>{UNSEEN}<img src=/y.svg aria-hidden=true alt=y></span>", "$y$"),
    ],
)
def test_a_formula_stays_in_its_line_and_is_written_once(content, formula, written):
    text = content(f"<p>Let the length be {formula} for all of the piers.</p>")

    assert text == f"Let the length be {written} for all of the piers."


def test_a_list_of_tasks_says_what_is_done(content):
    text = content(
        "<ul><li><input type=checkbox checked disabled> Measure the pier.</li>"
        "<li><input type=checkbox disabled> Write the report.</li>"
        "<li><input type=checkbox> Press this.</li></ul>"
    )

    assert text == "- [x] Measure the pier.\n- [ ] Write the report.\n- Press this."


def test_tildes_of_the_text_strike_nothing_through(content):
    assert content("<p>A ~~wave~~ and <del>a tide</del>.</p>") == r"A \~~wave\~~ and ~~a tide~~."


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("a`b", "`` a`b ``"),
        ("``x``", "``` ``x`` ```"),
        ("` `` ```", "```` ` `` ``` ````"),
    ],
)
def test_code_with_ticks_is_between_other_numbers_of_ticks(content, code, written):
    assert content(f"<p>Use <code>{code}</code>.</p>") == f"Use {written}."
