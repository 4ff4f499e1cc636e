"""Pages of Doxygen: code, signatures, members and parameters, all of which it lays out as tables."""

import pytest

from sourcewright.reading.formats.html import read_html


def test_code_made_of_lines_is_code_without_its_pop_ups(content):
    fragment = (
        "<div class=fragment><div class=line><a class=code href=g.html>Gauge</a> g;</div>\n"
        "<div class=line>if (g.read() > 1)</div>\n<div class=line>    g.close();</div>\n"
        "<div class=ttc id=a><div class=ttname>Gauge</div><div class=ttdef>gauge.h:23</div></div></div>"
    )

    assert content(fragment) == "```\nGauge g;\nif (g.read() > 1)\n    g.close();\n```"


def test_a_signature_is_one_line_of_code(content):
    signature = (
        "<div class=memproto><table class=memname><tr><td class=memname>Gauge::Gauge </td><td>(</td>"
        "<td class=paramtype>std::string&#160;</td><td class=paramname><em>name</em>, </td></tr>"
        "<tr><td class=paramkey></td><td></td><td class=paramtype>double&#160;</td>"
        "<td class=paramname><em>depth</em> = <code>3.0</code>&#160;</td></tr>"
        "<tr><td></td><td>)</td><td></td><td></td></tr></table></div>"
    )

    assert content(signature) == "```\nGauge::Gauge(std::string name, double depth = 3.0)\n```"


@pytest.mark.parametrize("count", [1, 2])
def test_parameters_are_a_list(content, count):
    rows = [
        "<tr><td class=paramdir>[in]</td><td class=paramname>timeout</td><td>seconds to <b>wait</b></td></tr>",
        "<tr><td class=paramdir>[out]</td><td class=paramname>level</td><td>in metres</td></tr>",
    ]
    items = ["- `[in] timeout` \u2013 seconds to **wait**", "- `[out] level` \u2013 in metres"]

    table = f"<table class=params>{''.join(rows[:count])}</table>"

    assert content(table) == "\n".join(items[:count])


def test_members_are_lists_under_their_headings():
    members = "".join(
        f"<tr class=memitem:{n}><td class=memItemLeft>double&#160;</td><td class=memItemRight><a "
        f"class=el href=g.html#{n}>read_{n}</a> (int timeout)</td></tr><tr class=memdesc:{n}><td "
        f"class=mdescLeft>&#160;</td><td class=mdescRight>Reads level {n}. <a href=g.html#{n}>More..."
        "</a><br></td></tr><tr class=separator><td class=memSeparator colspan=2>&#160;</td></tr>"
        for n in (1, 2)
    )
    page = (
        "<title>tides: Gauge Class Reference</title><body><div class=header><div class=headertitle>"
        "<div class=title>Gauge Class Reference</div></div></div><div class=contents><p>"
        f"{'A gauge is read twice a day by the keeper of the harbour. ' * 5}</p><table class="
        "memberdecls><tr class=heading><td colspan=2><h2 class=groupheader>Public Member Functions"
        f"</h2></td></tr>{members}</table></div></body>"
    )

    text = read_html(page, url="https://docs.example/g.html").content

    assert text.startswith("# Gauge Class Reference\n\n")
    assert text.endswith(
        "## Public Member Functions\n\n"
        "- double [read\\_1](https://docs.example/g.html#1) (int timeout) \u2013 Reads level 1.\n"
        "- double [read\\_2](https://docs.example/g.html#2) (int timeout) \u2013 Reads level 2."
    )


def test_a_table_that_others_call_params_stays_a_table(content):
    table = "<table class=params><tr><th>Name<th>Type<tr><td>a<td>int<tr><td>b<td>int</table>"

    assert content(table).startswith("| Name | Type |")


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "<div class=fragment>" + "<div class=line>a</div>" * n,
        lambda n: "<table class=memberdecls>" + "<tr><td class=memItemRight>a" * n,
        lambda n: "<table class=memname>" * min(n, 2000),
        lambda n: "<table class=params>" + "<tr><td class=paramname>a<td>b" * n,
    ],
    ids=["lines", "members", "nested", "parameters"],
)
def test_tables_of_any_size_take_linear_time(growth, shape):
    assert growth(lambda text: read_html(text, url="https://x.example/"), shape, 8000) < 20
