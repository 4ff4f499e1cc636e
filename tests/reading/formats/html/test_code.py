"""Preformatted text keeps its layout."""

import pytest


@pytest.mark.parametrize(
    ("laid_out", "lines"),
    [
        (
            "def f():\n\treturn 1\n\n\n\ndef g(): ...",
            ["def f():", "\treturn 1", *["", ""], "", "def g(): ..."],
        ),
        ("<div>one</div><div>  two</div>", ["one", "  two"]),
        ("<code><div>one</div>\n<div>  two</div>\n</code>", ["one", "  two"]),
        ("<span class=line>one</span>\n<span class=line>  two</span>", ["one", "  two"]),
        ("one<br>  two<br/>\tthree", ["one", "  two", "\tthree"]),
        ("<ol><li>one</li><li>  two</li></ol>", ["one", "  two"]),
        ("\n\n  one  \ntwo\n\n", ["  one", "two"]),
    ],
)
def test_code_keeps_its_lines_its_blanks_and_its_tabs(content, laid_out, lines):
    assert content(f"<pre>{laid_out}</pre>").split("\n") == ["```", *lines, "```"]


@pytest.mark.parametrize(
    "unseen",
    [
        "<span style='display:none'>Praise us!</span>",
        "<span hidden>Praise us!</span>",
        "<button>Praise us!</button>",
        "<script>praise('us!')</script>",
    ],
)
def test_what_is_not_seen_in_code_is_not_read(content, unseen):
    assert content(f"<pre>make {unseen}piers</pre>") == "```\nmake piers\n```"


@pytest.mark.parametrize(
    "numbered",
    [
        (
            "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>one\ntwo</pre></td>"
            "</tr></table>"
        ),
        "<pre><span class=lineno>1 </span>one\n<span class=lineno>2 </span>two</pre>",
    ],
)
def test_the_numbers_of_lines_are_no_code(content, numbered):
    assert content(numbered) == "```\none\ntwo\n```"


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ("<pre data-language=rust>{}</pre>", "rust"),
        ("<pre class='rust rust-example-rendered'><code>{}</code></pre>", "rust"),
        ("<pre class=console-box>{}</pre>", ""),
        ("<pre><code class='hljs language-js'>{}</code></pre>", "js"),
        ("<pre><code class='hljs python'>{}</code></pre>", "python"),
        (
            "<div class='highlight-python3 x'><div class=highlight><pre>{}</pre></div></div>",
            "python3",
        ),
        ("<div class='mw-highlight mw-highlight-lang-lua'><pre>{}</pre></div>", "lua"),
        ("<pre class='sourceCode haskell'>{}</pre>", "haskell"),
        ("<pre class='brush: php'>{}</pre>", "php"),
        ("<div class='highlight-default'><pre>{}</pre></div>", ""),
        ("<pre data-lang='a b`c'>{}</pre>", ""),
    ],
)
def test_the_language_of_code_is_named(content, named, language):
    assert content(named.format("pier = oak")) == f"```{language}\npier = oak\n```"


def test_the_numbers_of_explanations_are_part_of_the_code(content):
    code = "<pre class=highlight><code class=language-ruby>go <i class=conum data-value=1></i><b>(1)</b></code></pre>"
    notes = (
        "<div class='colist arabic'><table><tr><td><i class=conum data-value=1></i><b>1</b></td>"
        "<td>Goes.</td></tr><tr><td><i class=conum data-value=2></i><b>2</b></td><td>Stops.</td></tr>"
        "</table></div>"
    )

    assert content(code) == "```ruby\ngo (1)\n```"
    assert content(notes) == "| (1) | Goes. |\n| --- | --- |\n| (2) | Stops. |"
