"""Markup of forums as Markdown."""

import pytest

from sourcewright.reading.html.threads.forum_posts import post_markdown


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("It&#x27;s<p>two <i>words</i>", "It's\n\ntwo *words*"),
        ("a<br>b", "a\nb"),
        (
            '<a href="https:&#x2F;&#x2F;a.example&#x2F;bc">https:&#x2F;&#x2F;a.exa...</a>',
            "<https://a.example/bc>",
        ),
        ('see <a href="https://a.example/">this</a>!', "see [this](https://a.example/)!"),
        ('<a href="javascript:alert(1)">press</a>', "press"),
        ('<a href="item?id=1">local</a>', "local"),
        ('<a href="https://a.example/">never closed', "[never closed](https://a.example/)"),
        (
            "<pre><code>  one\n\n\n    two\n</code></pre>after",
            "```\n  one\n\n\n    two\n```\n\nafter",
        ),
        ("<pre>```\n````</pre>", "`````\n```\n````\n`````"),
        ("<pre>never closed", "```\nnever closed\n```"),
        ("x<script>alert(1)</script>y<style>z</style>", "xy"),
        ("a\u200bb\u202ec\U000e0041", "abc"),
        ("1 < 2 &amp;&amp; 3 > 2", "1 < 2 && 3 > 2"),
        ("", ""),
    ],
)
def test_a_post_keeps_what_it_says(markup, markdown):
    assert post_markdown(markup) == markdown
