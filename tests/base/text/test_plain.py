"""HTML and entities in the fields of sources become plain text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.text.plain import plain_abstract, plain_text


@pytest.mark.parametrize(
    ("sent", "plain"),
    [
        ("Plain words", "Plain words"),
        ("<i>Lichen imaginarium</i> at night", "Lichen imaginarium at night"),
        ("Loops in\n            <i>E. coli</i>\n            strains", "Loops in E. coli strains"),
        ("<i>Sixty years</i>\n            . A book", "Sixty years. A book"),
        ("&lt;p&gt;Deep&amp;nbsp;&lt;span&gt;Nets&lt;/span&gt;&lt;/p&gt;", "Deep Nets"),
        ("x &amp;lt;i&amp;gt;y&amp;lt;/i&amp;gt; z", "x y z"),
        ('Disease (&lt;a id="t"&gt;&lt;/a&gt;MASLD)', "Disease (MASLD)"),
        ("Methuen &amp; Company", "Methuen & Company"),
        ("Caf&eacute; &#233; &#xe9;", "Café é é"),
        ("AT&T and R&D &copy=2", "AT&T and R&D &copy=2"),
        ("H<sub>2</sub>O and CO<jats:sub>2</jats:sub>", "H2O and CO2"),
        ("10<sup>6</sup> m<sup>-2</sup>, x<sup>n+1</sup>", "10⁶ m⁻², xⁿ⁺¹"),
        ("<sup>13</sup>C, the 1<sup>st</sup>", "¹³C, the 1st"),
        ("c<sub><i>p</i></sub> \u2013 C<sub><i>v</i></sub>", "cp \u2013 Cv"),
        ("one<br/>two<p>three</p>", "one two three"),
        ("<ns3:p>Background <ns3:bold>facts</ns3:bold></ns3:p>", "Background facts"),
        ("a<!-- note -->b", "ab"),
        ("soft\u00adhyphen zero\u200bwidth \ufeffbom", "softhyphen zerowidth bom"),
        ("\u202egnitirw\u202c", "gnitirw"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("cafe\u0301", "café"),
        (" \t\u00a0 spaces \r\n", "spaces"),
        ("", ""),
    ],
)
def test_markup_goes_and_words_stay(sent, plain):
    assert plain_text(sent) == plain


@pytest.mark.parametrize(
    "text",
    [
        "p < 0.05 and q > 3",
        "if a<b and c>d",
        "(<75 K) and (<5%)",
        "P<0.001, ICC = 0.53",
        "<p_T> and <k>",
        "a << b",
        "x <- y",
    ],
)
def test_a_comparison_is_not_markup(text):
    assert plain_text(text) == text


def test_a_formula_becomes_its_symbols():
    formula = (
        '<mml:math xmlns:mml="m"><mml:semantics><mml:mrow>\n'
        "<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup> <mml:mo>=</mml:mo>\n"
        "<mml:mn>3</mml:mn></mml:mrow>"
        '<mml:annotation encoding="TeX">x^2=3</mml:annotation></mml:semantics></mml:math>'
    )

    assert plain_text(f"Where {formula} holds") == "Where x²=3 holds"


def test_a_formula_in_two_notations_is_read_once():
    both = "<tex-math>$$x$$</tex-math><mml:math><mml:mi>x</mml:mi></mml:math>"

    assert plain_text(f"for <inline-formula>{both}</inline-formula>") == "for x"


@pytest.mark.parametrize(
    ("sent", "plain"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>We show.</jats:p>", "We show."),
        ("<title>ABSTRACT</title>\n<p>We show.</p>", "We show."),
        ("<jats:title>Methods</jats:title><jats:p>We did.</jats:p>", "Methods We did."),
        ("<jats:p>Abstract</jats:p>", "Abstract"),
        ("Abstract art moves us.", "Abstract art moves us."),
    ],
)
def test_an_abstract_loses_only_the_heading_that_says_so(sent, plain):
    assert plain_abstract(sent) == plain


PIECES = st.sampled_from(
    ["<", ">", "&", ";", "amp;", "lt;", "gt;", "<i>", "</i>", "<sup>2</sup>", "<mml:math>",
     "</mml:math>", "<!--", "-->", "<p a='", "\n", " ", "\u0301", "\x00", "é", "word", "#38;"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join))
def test_whatever_is_sent_plain_text_is_one_line_of_nfc(sent):
    plain = plain_text(sent)

    assert plain == " ".join(plain.split())
    assert unicodedata.is_normalized("NFC", plain)
    assert plain.encode().decode() == plain


@settings(deadline=None)
@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs"])))
def test_text_without_markup_keeps_every_word(text):
    assert plain_text(text) == unicodedata.normalize("NFC", " ".join(text.split()))


@pytest.mark.parametrize(
    "piece", ["<", "<i a='", "<!--", "&amp;", "<math>", "<tex-math>", "<math><annotation>", "<?x"]
)
def test_hostile_markup_is_read_in_bounded_time(piece):
    plain = plain_abstract(piece * 50_000)

    assert len(plain) <= len(piece) * 50_000
