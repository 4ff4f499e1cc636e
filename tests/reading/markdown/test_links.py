"""Relative links in Markdown documents."""

import pytest

from sourcewright.reading.markdown.links import (
    absolute_links,
    base_of_repository_file,
    base_of_url,
)

README = base_of_repository_file("ada/boats")
BLOB, RAW = (
    "https://github.com/ada/boats/blob/HEAD",
    "https://raw.githubusercontent.com/ada/boats/HEAD",
)


@pytest.mark.parametrize(
    ("text", "absolute"),
    [
        ("[guide](docs/a.md)", f"[guide]({BLOB}/docs/a.md)"),
        ("[guide](./docs/a.md#start 'Title')", f"[guide]({BLOB}/docs/a.md#start 'Title')"),
        ("[root](/docs/a.md)", f"[root]({BLOB}/docs/a.md)"),
        ("![plan](img/p.png)", f"![plan]({RAW}/img/p.png)"),
        (
            "[![plan](img/p.png)](docs/a.md)",
            f"[![plan]({RAW}/img/p.png)]({BLOB}/docs/a.md)",
        ),
        ("[ref]: docs/a.md", f"[ref]: {BLOB}/docs/a.md"),
        ('<img width="9" src="p.png">', f'<img width="9" src="{RAW}/p.png">'),
        ('<a href="docs/">d</a>', f'<a href="{BLOB}/docs/">d</a>'),
        ("[here](#start)", "[here](#start)"),
        (
            "[out](https://x.example/a) [m](mailto:a@x.example)",
            "[out](https://x.example/a) [m](mailto:a@x.example)",
        ),
        ("`[a](b)` and a[0](x)", f"`[a](b)` and a[0]({BLOB}/x)"),
        ("```\n[a](b)\n```\n[a](b)", f"```\n[a](b)\n```\n[a]({BLOB}/b)"),
        ("[bad](http://[x)", "[bad](http://[x)"),
        ("no links = none", "no links = none"),
    ],
)
def test_relative_links_of_a_readme_are_absolute(text, absolute):
    assert absolute_links(text, README) == absolute


def test_links_of_a_page_refer_to_its_address():
    base = base_of_url("https://docs.example/guide/start.md")

    assert absolute_links("[a](../b.md) [c](/d)", base) == (
        "[a](https://docs.example/b.md) [c](https://docs.example/d)"
    )


def test_links_of_a_file_refer_to_its_folder():
    base = base_of_repository_file("ada/boats", "main/docs/a.md")

    assert absolute_links("[b](b.md) [c](/c.md)", base) == (
        "[b](https://github.com/ada/boats/blob/main/docs/b.md) "
        "[c](https://github.com/ada/boats/blob/main/c.md)"
    )
