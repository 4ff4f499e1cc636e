"""Articles of journals in JATS as Markdown."""

import pytest

pytestmark = pytest.mark.anyio

XML = "application/xml"
FRONT = """<front><journal-meta><journal-title-group><journal-title>Lake Letters</journal-title>
  </journal-title-group></journal-meta><article-meta>
  <article-id pub-id-type="doi">10.5555/tides.7</article-id>
  <title-group><article-title>Tides of <italic>small</italic> lakes</article-title></title-group>
  <contrib-group><contrib contrib-type="author"><name><surname>Quill</surname>
  <given-names>Ada</given-names></name></contrib>
  <contrib contrib-type="author"><collab>The Lake Group<contrib-group><contrib><name>
  <surname>Member</surname></name></contrib></contrib-group></collab></contrib>
  <contrib contrib-type="editor"><name><surname>Editor</surname></name></contrib></contrib-group>
  <pub-date pub-type="pmc-release"><year>2021</year></pub-date>
  <pub-date pub-type="epub"><day>3</day><month>Mar</month><year>2020</year></pub-date>
  <volume>4</volume><issue>2</issue><fpage>11</fpage><lpage>19</lpage>
  <abstract><p>They are small.</p></abstract>
  <kwd-group><kwd>tides</kwd><kwd>lakes</kwd></kwd-group></article-meta></front>"""


def article(body: str, back: str = "", front: str = FRONT) -> bytes:
    return f"""<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "a.dtd">
        <article xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="en"
        xmlns:mml="http://www.w3.org/1998/Math/MathML">{front}<body>{body}</body>
        <back>{back}</back></article>""".encode()


async def content(read, body: str, back: str = "") -> str:
    reading = await read(article(body, back), XML)
    return reading.content.partition("Keywords: tides, lakes")[2].strip()


async def test_the_front_matter_is_read(read):
    reading = await read(article("<p>Text.</p>"), XML)

    assert reading.content == (
        "# Tides of *small* lakes\n\nAda Quill, The Lake Group\n\n"
        "*Lake Letters*, 4(2), 11\u201319, 2020-03-03. "
        "[10.5555/tides.7](https://doi.org/10.5555/tides.7)\n\n"
        "## Abstract\n\nThey are small.\n\nKeywords: tides, lakes\n\nText."
    )
    assert (reading.title, reading.author) == (
        "Tides of small lakes",
        "Ada Quill; The Lake Group",
    )
    assert reading.organisations == ("The Lake Group",)
    assert (reading.site, reading.published, reading.language, reading.cut) == (
        *("Lake Letters", "2020-03-03", "en", False),
    )


async def test_sections_lists_and_quotations_keep_their_structure(read):
    text = await content(
        read,
        """<sec><label>1</label><title>Method</title><p>We saw:<list list-type="order">
        <list-item><p>high</p></list-item><list-item><p>low</p></list-item></list></p>
        <sec><title>Places</title><disp-quote><p>Here.</p></disp-quote></sec></sec>""",
    )

    assert text == ("## 1 Method\n\nWe saw:\n\n1. high\n2. low\n\n### Places\n\n> Here.")


async def test_tables_and_figures_come_with_label_caption_and_notes(read):
    text = await content(
        read,
        """<table-wrap><label>Table 1.</label><caption><title>Heights.</title><p>In metres.</p>
        </caption><alternatives><graphic xlink:href="t1.jpg"/><table><thead><tr><th>Lake</th>
        <th>m</th></tr></thead><tbody><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr>
        </tbody></table></alternatives><table-wrap-foot><fn id="tf1"><label>a</label>
        <p>At noon.</p></fn></table-wrap-foot></table-wrap>
        <fig><label>Figure 2</label><caption><p>The lake.</p></caption><graphic
        xlink:href="f2.jpg"/></fig>""",
    )

    assert text == (
        "**Table 1. Heights** In metres.\n\n| Lake | m |\n| --- | --- |\n| A | 1 |\n|  | 2 |\n\n"
        "a At noon.\n\n**Figure 2** The lake."
    )


async def test_formulas_are_tex_or_symbols_and_their_pictures_are_named(read):
    whole = r"\documentclass{minimal}\begin{document}$$h = \frac{a}{b}$$\end{document}"
    text = await content(
        read,
        f"""<p>With <inline-formula><tex-math>$k^2$</tex-math></inline-formula> and</p>
        <disp-formula><label>(1)</label><alternatives><graphic xlink:href="e.gif"/>
        <tex-math>{whole}</tex-math></alternatives></disp-formula>
        <p>or <inline-formula><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup>
        </mml:math></inline-formula>, <inline-formula><inline-graphic xlink:href="x.gif"/>
        </inline-formula>.</p>""",
    )

    assert text == ("With $k^2$ and\n\n$$h = \\frac{a}{b}$$ (1)\n\nor x\u00b2, \\[formula\\].")


async def test_raised_numbers_of_references_are_in_brackets(read):
    cited = "".join(
        f'<xref ref-type="bibr" rid="r{number}">{number}</xref>{mark}'
        for number, mark in ((1, ","), (2, ""))
    )

    assert await content(read, f"<p>Known.<sup>{cited}</sup></p>") == "Known.\\[1,2\\]"


async def test_footnotes_are_those_of_markdown(read):
    text = await content(
        read,
        '<p>Known<xref ref-type="fn" rid="n1"><sup>1</sup></xref>.</p>',
        '<fn-group><fn id="n1"><label>1</label><p>By some.</p></fn></fn-group>',
    )

    assert text == "Known[^1].\n\n## Notes\n\n[^1]: By some."


REFERENCES = """<ref-list><ref id="r1"><label>1.</label><element-citation><person-group
    person-group-type="author"><name><surname>Roe</surname><given-names>J</given-names></name>
    <etal/></person-group><year>2001</year><article-title>Do lakes have tides?</article-title>
    <source>Lakes</source><volume>3</volume><fpage>5</fpage><lpage>9</lpage>
    <pub-id pub-id-type="doi">10.5555/roe</pub-id></element-citation></ref>
    <ref id="r2"><label>2.</label><mixed-citation><name><surname>Fen</surname><given-names>M
    </given-names></name> (2002) <source>Fens</source><volume>8</volume>: 1.<pub-id
    pub-id-type="pmid">77</pub-id><pub-id pub-id-type="other">x9</pub-id></mixed-citation></ref>
    </ref-list>"""


async def test_references_are_composed_from_fields_or_read_as_written(read):
    assert await content(read, "<p>Text.</p>", REFERENCES) == (
        "Text.\n\n## References\n\n"
        "1. Roe J, et al (2001). Do lakes have tides? *Lakes*, 3, 5\u20139. "
        "[10.5555/roe](https://doi.org/10.5555/roe)\n"
        "2. Fen M (2002) Fens 8: 1. PMID 77"
    )


async def test_articles_in_an_envelope_are_read_one_after_the_other(read):
    inner = article("<p>One.</p>").partition(b"<article")
    one = inner[1] + inner[2]
    body = b"<pmc-articleset>" + one + one.replace(b"One.", b"Two.") + b"</pmc-articleset>"

    reading = await read(body, XML)

    assert reading.content.count("# Tides of *small* lakes") == 2
    assert reading.content.index("One.") < reading.content.index("Two.")


async def test_letters_of_reviewers_follow_under_their_own_titles(read):
    letter = """<sub-article><front-stub><title-group><article-title>Decision letter
        </article-title></title-group></front-stub><body><p>Good.</p></body></sub-article>"""
    body = article("<p>Text.</p>").replace(b"</article>", letter.encode() + b"</article>")

    reading = await read(body, XML)

    assert reading.content.endswith("Text.\n\n## Decision letter\n\nGood.")


async def test_a_cut_article_says_so_and_keeps_what_came(read):
    reading = await read(article("<p>First.</p><p>Second.</p>").partition(b"Second")[0], XML)

    assert reading.content.endswith("First.")
    assert reading.cut


async def test_markup_in_texts_stays_text(read):
    assert (
        await content(
            read,
            """<p>Let a &lt;b&gt; c, <ext-link xlink:href="javascript:x">this</ext-link> and
        <inline-formula><tex-math>x &lt;/script&gt;&lt;p&gt;y</tex-math></inline-formula></p>""",
        )
        == "Let a \\<b> c, this and $x < /script><p>y$"
    )
