"""Images with their captions, always in the same form."""

import pytest

IMAGE = "![Pier](https://example.org/a.jpg)"


@pytest.mark.parametrize(
    ("figure", "written"),
    [
        ("<img src=/a.jpg alt=Pier><figcaption>Dawn</figcaption>", f"{IMAGE}\n*Dawn*"),
        ("<figcaption>Dawn</figcaption><img src=/a.jpg alt=Pier>", f"{IMAGE}\n*Dawn*"),
        (
            "<img src=/a.jpg><figcaption>Dawn</figcaption>",
            "![](https://example.org/a.jpg)\n*Dawn*",
        ),
        (
            (
                "<a href=/big><img src=/a.jpg alt=Pier></a><figcaption><p><b>Dawn</b> at sea.</p>"
                "<p>Photo: <i><a href=/doe>A. Doe</a></i></p></figcaption>"
            ),
            f"{IMAGE}\n*Dawn at sea. Photo: [A. Doe](https://example.org/doe)*",
        ),
        (
            (
                "<img src=/a.jpg alt=Pier><noscript><img src=/a.jpg></noscript>"
                "<img src=/p.gif width=1><figcaption>2 * 3</figcaption>"
            ),
            f"{IMAGE}\n*2 \\* 3*",
        ),
        (
            (
                "<figure><img src=/a.jpg alt=Pier><figcaption>Dawn</figcaption></figure>"
                "<figure><img src=/b.jpg><figcaption>Dusk</figcaption></figure>"
                "<figcaption>Both</figcaption>"
            ),
            f"{IMAGE}\n*Dawn*\n\n![](https://example.org/b.jpg)\n*Dusk*\n\n*Both*",
        ),
        ("<img src=/a.jpg alt=Pier>", IMAGE),
        ("<video src=/v></video><figcaption>Film</figcaption>", "*Film*"),
        ("<blockquote>Sound!</blockquote><figcaption>Ada</figcaption>", "> Sound!\n\nAda"),
    ],
)
def test_a_figure_is_its_images_and_its_caption_in_italics(content, figure, written):
    assert content(f"<figure>{figure}</figure>") == written


def test_a_figure_of_a_list_item_stays_in_it(content):
    figure = "<figure><img src=/a.jpg alt=Pier><figcaption>Dawn</figcaption></figure>"

    text = content(f"<ul><li>One{figure}</li><li>Two</li></ul>")

    assert text == f"- One\n\n  {IMAGE}\n  *Dawn*\n- Two"


def test_many_figures_take_linear_time(growth):
    from sourcewright.reading.formats.html import read_html

    def shape(times):
        part = "<img src=a.jpg alt=b><figcaption>One caption.</figcaption><p>Some more words.</p>"
        return f"<article><h1>T</h1><figure>{part * times}</figure></article>"

    assert growth(lambda page: read_html(page, url="https://example.org/"), shape, 2000) < 16


@pytest.mark.parametrize(
    "shape",
    [
        "<div class=imageblock><div class=content>{0}</div><div class=title>Figure 1. {1}</div></div>",
        (
            "<div class=figure><p class=title><b>Figure 1. {1}</b></p><div class=figure-contents>"
            "<div class=mediaobject>{0}</div></div></div>"
        ),
    ],
    ids=["Asciidoctor", "DocBook"],
)
def test_a_figure_made_of_other_elements_has_the_same_form(content, shape):
    figure = shape.format("<img src=/pier.png alt=Pier width=300>", "The old pier")

    assert content(figure) == "![Pier](https://example.org/pier.png)\n*Figure 1. The old pier*"
