"""Whether a page shows that some of its text is missing."""

import pytest

from sourcewright.reading.formats.html import read_html

TEXT = "The keeper of the northern harbour wrote down the height of the tide every morning. "
STORY = "".join(f"<p>Day {day}: {TEXT}{TEXT}</p>" for day in range(6))


def quality(body, head=""):
    page = f"<html><head><title>Tides</title>{head}</head><body>{body}"
    return read_html(page, url="https://example.org/tides").quality


def article(inner):
    return f"<main><article><h1>Tides</h1>{inner}</article></main></body></html>"


NOT_FREE = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}'
    "</script>"
)


@pytest.mark.parametrize(
    "wall",
    [
        "<div><h2>Subscribe to continue reading</h2><p>Already a subscriber? Sign in.</p></div>",
        "<div><p>This article is for subscribers only.</p></div>",
        "<div><p>You have reached your limit of free articles.</p></div>",
        "<div><p>Dieser Artikel ist nur für Abonnenten.</p></div>",
        "<div><p>Il vous reste 78 % de cet article à lire.</p></div>",
        "<div><p>Suscríbete para seguir leyendo.</p></div>",
        "<div><p>この記事は有料会員限定です。</p></div>",
        "<div class='skeleton skeleton-line'></div>",
        "<div aria-busy=true></div>",
    ],
)
def test_a_text_that_ends_at_a_wall_or_a_placeholder_is_partial(wall):
    assert quality(article(STORY + wall)) == "partial"


@pytest.mark.parametrize(
    "offer",
    [
        "<div><h2>Subscribe to continue reading</h2><p>Already a subscriber? Sign in.</p></div>",
        (
            "<div><h2>Weiterlesen mit Plus</h2><ul><li>Alle Artikel der Zeitung lesen und hören, auch "
            "die aus dem Archiv.</li><li>Monatlich kündbar</li></ul><button>Jetzt testen</button></div>"
        ),
    ],
)
def test_an_offer_to_subscribe_is_no_part_of_the_text(offer):
    page = f"<html><head><title>Tides</title>{NOT_FREE}</head><body>{article(STORY + offer)}"

    reading = read_html(page, url="https://example.org/tides")

    assert reading.quality == "partial"
    assert reading.content.endswith(TEXT.strip())


LATE_PARTS = [
    "<include-fragment src=/rest><div></div></include-fragment>",
    "<turbo-frame id=rest src=/rest loading=lazy></turbo-frame>",
    "<section><div ng-bind-html=article.body></div></section>",
    "<div><div><p>Loading\u2026</p></div></div>",
    "<p>Wird geladen ...</p>",
    "<p>読み込み中</p>",
    "<p>{{ article.rest }}</p>",
    "<div><div hx-get=/rest></div></div>",
]


@pytest.mark.parametrize("part", LATE_PARTS)
def test_a_text_that_goes_on_in_a_part_that_is_loaded_late_is_partial(part):
    assert quality(article(STORY + part)) == "partial"


@pytest.mark.parametrize("part", LATE_PARTS)
@pytest.mark.parametrize(
    "around",
    [
        "<aside>{}</aside>",
        "<div class=related-articles>{}</div>",
        "<div id=comments>{}</div>",
        "<form>{}</form>",
    ],
)
def test_what_is_loaded_late_around_the_text_is_no_loss(part, around):
    assert quality(article(STORY + around.replace("{}", part))) == "complete"


EVENTS = "".join(
    f"<div><h2>Regatta {day}</h2><p>{day} May, Northport</p></div>" for day in range(30)
)
PRODUCT = '<script type="application/ld+json">{"@type": "Product", "name": "Tide gauge"}</script>'


@pytest.mark.parametrize("part", LATE_PARTS)
@pytest.mark.parametrize(
    ("text", "head"), [(EVENTS, ""), (STORY, PRODUCT)], ids=["list", "product"]
)
def test_what_a_list_or_a_product_loads_late_is_no_loss(part, text, head):
    assert quality(article(text + part + text), head) == "complete"


@pytest.mark.parametrize(
    "part",
    [
        "<p>Write {{ article.rest }} where the text goes on.</p>",
        "<p><code>{{ article.rest }}</code></p>",
        "<pre>{{ article.rest }}</pre>",
        "<pre><code class=language-jinja>{{ article.rest }}</code></pre>",
    ],
)
def test_a_text_about_templates_is_complete(part):
    assert quality(article(STORY + part + STORY)) == "complete"


@pytest.mark.parametrize("part", LATE_PARTS)
def test_what_is_loaded_late_above_the_text_is_no_loss(part):
    assert quality(article(part + STORY)) == "complete"


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (f"<div><article><h1>Tides</h1>{STORY}<p>Day 7: The keeper of the nor", ""),
        (article("<p>The keeper wrote down the height of the tide.</p>"), NOT_FREE),
        ("<header><p>Harbour News, since 1901</p></header><div id=root></div></body></html>", ""),
    ],
    ids=["broken off", "teaser", "shell"],
)
def test_a_page_that_breaks_off_or_waits_for_scripts_or_payment_is_partial(body, head):
    assert quality(body, head) == "partial"


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (article(STORY), ""),
        (article(STORY * 3), NOT_FREE),
        (f"<div class=skeleton></div>{article(STORY)}", ""),
        (f"<p>Already a subscriber? Sign in</p>{article(STORY)}", ""),
        (article(f"{STORY}<p>Subscribe to our newsletter and get the tides by mail.</p>"), ""),
        (article(f"<p>Advertisement. Scroll to continue reading.</p>{STORY}"), ""),
        (article(f"{STORY}<button>Load more comments</button>"), ""),
        (f"<p>{TEXT}<p>{TEXT}", ""),
        (article("<p>Short, but all there is to say about the tide of today.</p>"), ""),
        (f"<div id=root>{article(STORY)}</div>", ""),
        (article(f"{STORY}<amp-img src=/t.jpg></amp-img><amp-iframe src=/map></amp-iframe>"), ""),
        (
            article("<p>港の水位は毎朝八時に記録され、その日の夕方に発表されます。</p>" * 40),
            NOT_FREE,
        ),
    ],
    ids=[
        *("plain", "metered", "placeholder elsewhere", "account menu", "newsletter"),
        *("advertisement", "more comments", "end tags omitted", "short", "filled by the server"),
        *("media of AMP", "metered, without spaces"),
    ],
)
def test_a_whole_page_is_complete_whatever_stands_around_it(body, head):
    assert quality(body, head) == "complete"
