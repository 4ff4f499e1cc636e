"""Code as highlighters and editors write it: tokens, lines and numbers as elements."""

import pytest

LINES = ["const a = 1", "", "  go(a)"]


def wrapped(name: str, lines: list[str]) -> str:
    return "".join(f"<span class={name}>{line}</span>" for line in lines)


TOKENS = ["<span><span>const</span></span><span> a</span> = 1", "", "  <b>go</b>(<i>a</i>)"]
EDITOR_LINES = ["<i>const</i> a = 1", "<br>", "&nbsp;&nbsp;go(<i>a</i>)"]
SHAPES = {
    "Shiki": f"<pre class='shiki dark' data-language=js><code>{wrapped('line', TOKENS)}</code></pre>",
    "Shiki with line breaks": (
        "<pre class=shiki data-language=js><code>"
        + "\n".join(f"<span class=line>{line}</span>" for line in TOKENS)
        + "</code></pre>"
    ),
    "VitePress": (
        "<div class='language-js line-numbers-mode'><button class=copy>Copy</button>"
        f"<span class=lang>js</span><pre class=shiki><code>{wrapped('line', TOKENS)}</code></pre>"
        "<div class=line-numbers-wrapper><span>1</span><br><span>2</span></div></div>"
    ),
    "Twoslash": (
        "<pre class='shiki twoslash'><code class=language-js><span class=line>const "
        "<span class=twoslash-hover>a<span class=twoslash-popup-container><code "
        "class=twoslash-popup-code>const a: number</code></span></span> = 1</span>\n"
        "<span class=line></span>\n<div class='twoslash-meta-line twoslash-error-line'>No.</div>"
        "<span class=line>  go(a)</span></code></pre>"
    ),
    "Twoslash with divs": (
        "<pre class='shiki twoslash lsp'><div class=language-id>js</div><div class=code-container>"
        "<code><div class=line><span>const </span><span><data-lsp lsp='a: 1'>a</data-lsp></span> = 1"
        "</div><div class=line>&nbsp;</div><span class=error>No such name.<span>2339</span></span>"
        "<span class=error-behind>No such name.</span><div class=line>  go(a)</div></code>"
        "<a class=playground-link href=/p>Try</a></div></pre>"
    ),
    "CodeMirror 6": (
        "<div class=cm-editor><div class=cm-gutters><div class=cm-gutterElement>1</div></div>"
        "<div class=cm-content data-language=js>"
        + "".join(f"<div class=cm-line>{line}</div>" for line in EDITOR_LINES)
        + "</div><div class=cm-panels>Find</div></div>"
    ),
    "Expressive Code": (
        "<figure class=frame><pre data-language=js><code>"
        + "".join(
            f"<div class=ec-line><div class=gutter><div class=ln>{n}</div></div><div class=code>{line}\n</div></div>"
            for n, line in enumerate(TOKENS, 1)
        )
        + "</code></pre><div class=copy><button>Copy</button></div></figure>"
    ),
    "Chroma with a table": (
        "<div class=highlight><div class=chroma><table class=lntable><tr><td class=lntd><pre><code>"
        + "".join(f"<span class=lnt>{n}\n</span>" for n in (1, 2, 3))
        + "</code></pre></td><td class=lntd><pre><code class=language-js>"
        + "".join(f"<span class=line><span class=cl>{line}\n</span></span>" for line in TOKENS)
        + "</code></pre></td></tr></table></div></div>"
    ),
    "numbers before the element around it": (
        "<div class=file><div class=rows><a href=#L1>1</a><a href=#L2>2</a><a href=#L3>3</a></div>"
        "<div class=blob><pre><code data-lang=js>"
        + "\n".join(f"<span class=line>{line}</span>" for line in TOKENS)
        + "</code></pre></div></div>"
    ),
    "its language as a label": (
        "<div class=block><div class=head><span class=name>JS</span></div><pre><code class=lang-js>"
        + "\n".join(TOKENS)
        + "</code></pre></div>"
    ),
    "Docusaurus": (
        "<div class='language-js theme-code-block'><pre class='prism-code language-js'><code>"
        + "".join(f"<span class=token-line>{line}<br></span>" for line in TOKENS)
        + "</code></pre><div><button>Copy</button></div></div>"
    ),
    "Prism": (
        "<pre class='line-numbers language-js'><code class=language-js>"
        + "\n".join(TOKENS)
        + "<span class=line-numbers-rows><span></span></span></code></pre>"
    ),
    "highlight.js": (
        "<pre><code class='hljs language-js'><table class=hljs-ln>"
        + "".join(
            f"<tr><td class='hljs-ln-numbers' data-line-number={n}></td><td class=hljs-ln-code>{line}\n</td></tr>"
            for n, line in enumerate(TOKENS, 1)
        )
        + "</table></code></pre>"
    ),
    "SyntaxHighlighter": (
        "<div class='syntaxhighlighter js'><table><tr><td class=gutter><div>1</div><div>2</div>"
        "<div>3</div></td><td class=code><div class=container><div class=line>const a = 1</div>"
        "<div class=line>&nbsp;</div><div class=line>&nbsp;&nbsp;<code>go(a)</code></div></div></td>"
        "</tr></table></div>"
    ),
}
NUMBERED = (
    "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre><span>1</span>\n"
    "<span>2</span>\n<span>3</span></pre></div></td><td class=code><div><pre><span></span><code>"
    + "\n".join(TOKENS)
    + "\n</code></pre></div></td></tr></table>"
)
SHAPES |= {
    "Pygments by Markdown": f"<div class='language-js highlight'>{NUMBERED}</div>",
    "Pygments by Sphinx": f"<div class='highlight-js notranslate'><div class=highlight>{NUMBERED}</div></div>",
}
UNNAMED = {
    "CodeMirror 5": (
        "<div class=CodeMirror><div class=CodeMirror-code>"
        + "".join(
            f"<div><div class=CodeMirror-gutter-wrapper><div class=CodeMirror-linenumber>{n}</div>"
            f"</div><pre class=CodeMirror-line><span>{line}</span></pre></div>"
            for n, line in enumerate(["const a = 1", "&#8203;", "  go(a)"], 1)
        )
        + "</div></div>"
    ),
    "Monaco": (
        "<div class=monaco-editor><div class=margin><div class=line-numbers>1</div></div>"
        "<div class=view-lines>"
        + "".join(f"<div class=view-line><span>{line}</span></div>" for line in EDITOR_LINES)
        + "</div></div>"
    ),
    "numbers that no name marks": (
        "<table><tr><td class=crayon-nums><div>1</div><div>2</div><div>3</div></td><td "
        "class=crayon-code>"
        + "".join(f"<div class=line>{line or '&nbsp;'}</div>" for line in TOKENS)
        + "</td></tr></table>"
    ),
    "a table of lines": (
        "<table class=highlight>"
        + "".join(
            f"<tr><td class=blob-num data-line-number={n}></td><td class='blob-code x'>{line}\n</td></tr>"
            for n, line in enumerate(TOKENS, 1)
        )
        + "</table>"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_highlighted_code_is_whole_and_names_its_language(content, shape):
    assert content(SHAPES[shape]).split("\n") == ["```js", *LINES, "```"]


@pytest.mark.parametrize("shape", UNNAMED)
def test_code_of_editors_is_whole(content, shape):
    assert content(UNNAMED[shape]).split("\n") == ["```", *LINES, "```"]


def test_a_button_beside_several_code_blocks_stays_out_of_them(content):
    text = content("<pre class=shiki>one</pre><div class=shiki><pre>two</pre></div>")

    assert text == "```\none\n```\n\n```\ntwo\n```"


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "<pre class='shiki twoslash'>" + "<span class=line><i>a</i></span>" * n,
        lambda n: "<pre>" * n,
        lambda n: "<div class=cm-content>" * min(n, 4000),
        lambda n: "<table>" + "<tr><td class=gutter>1<td class=code>a" * n,
        lambda n: "<div class=code><pre>a</pre><button>Copy</button></div>" * n,
    ],
    ids=["lines", "nested", "editors", "rows", "buttons"],
)
def test_code_of_any_shape_takes_linear_time(growth, shape):
    from sourcewright.reading.formats.html import read_html

    assert growth(lambda text: read_html(text, url="https://x.example/"), shape, 8000) < 20
