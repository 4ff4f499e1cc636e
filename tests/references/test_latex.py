"""Between text and LaTeX."""

import pytest
from bibtexparser.middlewares import LatexDecodingMiddleware
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.references.latex import from_latex, identifier_from_latex, to_latex

DECODER = LatexDecodingMiddleware()


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"Zur Elektrodynamik bewegter K{\"o}rper", "Zur Elektrodynamik bewegter Körper"),
        (r"K\"{o}rper", "Körper"),
        (r"Krej{\v{c}}{\'{\i}}", "Krejčí"),
        (r"\v Cech, \AA ngstr\"om, Erd\H{o}s, {\O}re, Stra{\ss}e, \L{}ukasz", "Čech, Ångström, Erdős, Øre, Straße, Łukasz"),
        (r"The {\LaTeX} Companion", "The LaTeX Companion"),
        (r"R\&D at 5\% \emph{per year}", "R&D at 5% per year"),
        ("One~two", "One two"),
        (r"$\alpha$-Synuclein at 10$\times$ and $\leq$ 5\,\textmu m", "\u03b1-Synuclein at 10\u00d7 and ≤ 5 µm"),
        (r"\textendash\ and \textquotesingle", "\u2013 and '"),
    ],
)  # fmt: skip
def test_commands_are_read_as_what_they_show(latex, text):
    assert from_latex(latex) == text


@pytest.mark.parametrize(
    ("field", "address"),
    [
        ("10.1007/3-540-45757-7_52", "10.1007/3-540-45757-7_52"),
        (r"10.1007/3-540-45757-7\_52", "10.1007/3-540-45757-7_52"),
        (r"10.1007/3-540-45757-7{\_}52", "10.1007/3-540-45757-7_52"),
        (r"10.1002/1234{\textless}1::AID{\textgreater}3.0", "10.1002/1234<1::AID>3.0"),
        ("10.1002/1234$<$1::AID$>$3.0", "10.1002/1234<1::AID>3.0"),
        (r"\url{https://example.org/~x}", "https://example.org/~x"),
        (r"\href{https://example.org/a\_b} {here}", "https://example.org/a_b"),
    ],
)
def test_an_address_is_read_whether_or_not_it_was_escaped(field, address):
    assert identifier_from_latex(field) == address


@given(st.text(max_size=80))
def test_any_text_comes_back_from_latex(text):
    assert from_latex(to_latex(text)) == " ".join(text.split())


@given(st.text(alphabet="ab \\{}$&#%_^~<>|-'`,?!\"@é漢", max_size=40))
def test_any_text_comes_back_through_the_reader_of_another_program(text):
    decoded, problem = DECODER._transform_python_value_string(to_latex(text))

    # That reader takes the circumflex for the letter-like character of the same shape.
    assert (decoded.replace("\u02c6", "^").split(), problem) == (text.split(), "")


@given(st.text(max_size=80))
def test_braces_are_balanced_whatever_the_text(text):
    depth = 0
    for character in to_latex(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0

    assert depth == 0


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"{\noopsort{1973b}}1981", "1981"),
        (r"{\SortNoop{a}}2003", "2003"),
        (r"\(\Sigma\)\(\Delta\) modulators", "ΣΔ modulators"),
        (r"An {$O(n \log n / \! \log\log n)$} algorithm", "An O(n log n / log log n) algorithm"),
        (r"methodology\hyphen independent", "methodology-independent"),
    ],
)
def test_what_is_not_typeset_is_dropped_and_what_is_stays(latex, text):
    assert from_latex(latex) == text


def test_brackets_of_an_identifier_may_be_escaped():
    assert identifier_from_latex(r"10.1016/S0140-6736\(97\)11096-0") == (
        "10.1016/S0140-6736(97)11096-0"
    )
