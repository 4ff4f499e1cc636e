"""Callouts of documentation: quotations that begin with their title in bold."""

import pytest

from sourcewright.reading.formats.html import read_html

BEFORE = "The library reads pages and writes them as text, which takes a while on a slow machine."
AFTER = "The tool does the same for a whole folder, and says at the end how many there were."
WARNING = "> **Warning:** Never dive alone."


def content(callout):
    page = (
        f"<html><body><main><h1>Reading</h1><p>{BEFORE}</p>{callout}<p>{AFTER}</p></main></body>"
    )
    text = read_html(page, url="https://example.org/docs/reading").content
    return text.removeprefix(f"# Reading\n\n{BEFORE}\n\n").removesuffix(f"\n\n{AFTER}")


@pytest.mark.parametrize(
    "callout",
    [
        (
            "<div class='admonition warning'><p class=admonition-title>Warning</p>"
            "<p>Never dive alone.</p></div>"
        ),
        (
            "<div class='markdown-alert markdown-alert-warning'><p class=markdown-alert-title>"
            "<svg></svg>Warning</p><p>Never dive alone.</p></div>"
        ),
        (
            "<div class='theme-admonition admonition_xJq3 alert'><div class=admonitionHeading_Gvgb>"
            "<span class=admonitionIcon_Rf37><svg></svg></span>Warning</div>"
            "<div class=admonitionContent_BuS1><p>Never dive alone.</p></div></div>"
        ),
        (
            "<div class='warning custom-block'><p class=custom-block-title>Warning</p>"
            "<p>Never dive alone.</p></div>"
        ),
        (
            "<div class='callout callout-warning callout-titled'><div class='callout-header d-flex'>"
            "<div class=callout-icon-container><i></i></div><div class=callout-title-container>Warning"
            "</div></div><div class=callout-body-container><p>Never dive alone.</p></div></div>"
        ),
        (
            "<div class='admonitionblock warning'><table><tr><td class=icon><i class=fa "
            "title=Warning></i></td><td class=content>Never dive alone.</td></tr></table></div>"
        ),
        "<div class=warning><h3 class=title>Warning</h3><p>Never dive alone.</p></div>",
        (
            "<div class=warning><table><tr><td rowspan=2><img alt='[Warning]' src=w.png></td>"
            "<th>Warning</th></tr><tr><td><p>Never dive alone.</p></td></tr></table></div>"
        ),
    ],
    ids=[
        "sphinx",
        "github",
        "docusaurus",
        "vitepress",
        "quarto",
        "asciidoctor",
        "docbook",
        "docbook-icons",
    ],
)
def test_a_callout_is_a_quotation_with_its_title(callout):
    assert content(callout) == WARNING


def test_all_of_a_callout_is_in_the_quotation():
    callout = (
        "<div class='admonition tip'><p class=admonition-title>Before you start!</p><p>Set it:</p>"
        "<pre>x = 1</pre><ul><li>one</li><li>two</li></ul></div>"
    )
    quoted = "> **Before you start!** Set it:\n>\n> ```\n> x = 1\n> ```\n> - one\n> - two"
    assert content(callout) == quoted


def test_a_title_above_a_list_stays_a_line():
    callout = (
        "<div class='admonition seealso'><p class=admonition-title>See also</p><ul>"
        "<li>The other function of the library.</li></ul></div>"
    )
    assert content(callout) == "See also\n\n- The other function of the library."
