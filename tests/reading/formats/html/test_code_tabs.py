"""Tabs with variants of code: each variant has its label above it."""

import pytest

CODE = "<pre><code class=language-sh>{} install tides</code></pre>"
SHAPES = {
    "Material for MkDocs": (
        "<div class=tabbed-set><input checked id=t1 name=t type=radio><input id=t2 name=t type=radio>"
        "<div class=tabbed-labels><label for=t1>Linux</label><label for=t2>macOS</label></div>"
        "<div class=tabbed-content><div class=tabbed-block>{0}</div><div class=tabbed-block>{1}</div>"
        "</div></div>"
    ),
    "VitePress": (
        "<div class=vp-code-group><div class=tabs><input type=radio name=g id=t1 checked><label "
        "for=t1>Linux</label><input type=radio name=g id=t2><label for=t2>macOS</label></div>"
        "<div class=blocks><div class='language-sh active'>{0}</div><div class=language-sh>{1}</div>"
        "</div></div>"
    ),
    "Docusaurus": (
        "<div class=tabs-container><ul role=tablist class=tabs><li role=tab class=tabs__item>Linux"
        "</li><li role=tab class=tabs__item>macOS</li></ul><div><div role=tabpanel>{0}</div>"
        "<div role=tabpanel hidden>{1}</div></div></div>"
    ),
    "Starlight": (
        "<starlight-tabs><div class=tablist-wrapper><ul role=tablist><li><a role=tab href=#p1>Linux"
        "</a></li><li><a role=tab href=#p2>macOS</a></li></ul></div><section id=p1 role=tabpanel>{0}"
        "</section><section id=p2 role=tabpanel hidden>{1}</section></starlight-tabs>"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_variant_of_code_has_its_label(content, shape):
    tabs = SHAPES[shape].format(CODE.format("apt"), CODE.format("brew"))

    assert content(tabs) == (
        "**Linux**\n\n```sh\napt install tides\n```\n\n**macOS**\n\n```sh\nbrew install tides\n```"
    )


def test_tabs_without_code_stay_as_they_are(content):
    tabs = SHAPES["Docusaurus"].format("<p>By the package.</p>", "<p>By the formula.</p>")

    assert "**Linux**" not in content(tabs)
