"""Title, author, date and site of a page, from every kind of metadata."""

import json

import pytest

from sourcewright.reading.formats.html import read_html

TEXT = "<p>The survey of the northern harbours was finished in the spring, and all was sound.</p>"


def read(head="", body="", url="https://example.org/one", lang="lang=en"):
    page = f"<html {lang}><head>{head}</head><body>{body}{TEXT}</body></html>"
    return read_html(page, url=url)


def linked(*things):
    scripts = (f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in things)
    return "".join(scripts)


ADA, BO = {"@id": "#ada", "name": "Ada Pier"}, {"@id": "#bo", "name": "Bo Dock"}


@pytest.mark.parametrize(
    "head",
    [
        linked(
            {
                "@graph": [
                    {"@type": "Article", "author": [{"@id": "#ada"}, {"@id": "#bo"}]},
                    ADA,
                    BO,
                ]
            }
        ),
        linked({"@type": "Article", "author": [{"@id": "#ada"}, {"@id": "#bo"}]}, ADA, BO),
        linked({"@type": "https://schema.org/NewsArticle", "author": [[ADA], [BO]]}),
        linked({"@type": "schema:Article", "author": ["Ada Pier", "Bo Dock"]}),
        linked({"@type": "WebPage", "mainEntity": {"@type": "Article", "author": [ADA, BO]}}),
        linked({"@type": "Article", "author": [{"givenName": "Ada", "familyName": "Pier"}, BO]}),
        "<meta name=author content='Ada Pier'><meta name=author content='Bo Dock'>",
        linked(
            {"@type": "ItemList", "itemListElement": [{"@type": "Article", "author": "Other"}]},
            {"@type": "Article", "author": [ADA, BO]},
        ),
        linked(
            {"@type": "WebPage", "author": "The Page"}, {"@type": "Article", "author": [ADA, BO]}
        ),
    ],
)
def test_everybody_who_wrote_a_page_is_named(head):
    assert read(head).author == "Ada Pier, Bo Dock"


def test_authors_whose_names_have_commas_are_kept_apart():
    tags = "".join(
        f"<meta name=citation_author content='{name}'>" for name in ("Pier, A", "Dock, B")
    )

    assert read(tags).author == "Pier, A; Dock, B"


@pytest.mark.parametrize(
    "declared", ["104363", "name, email@gmail.com", "www.example.org", "07-2"]
)
def test_numbers_addresses_and_placeholders_are_no_authors(declared):
    assert read(f'<meta name="author" content="{declared}">').author is None


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        ("老码头关闭六年之后重新开放_港口频道_晨报", "老码头关闭六年之后重新开放"),
        ("老码头关闭六年之后重新开放-晨报网", "老码头关闭六年之后重新开放"),
        ("京沪-宁杭铁路下月起全线提速", "京沪-宁杭铁路下月起全线提速"),
    ],
)
def test_the_name_of_a_site_ends_a_title_without_spaces(declared, title):
    assert read(f"<title>{declared}</title>").title == title


def test_a_body_among_the_authors_stays_one():
    thing = {"@type": "Article", "author": ["Tides and Moons Society", "Ada Pier"]}

    assert read(linked(thing)).author == "Tides and Moons Society; Ada Pier"


@pytest.mark.parametrize(
    ("body", "author"),
    [
        (
            "<p>By <a rel=author href=/a>Ada Pier</a> and <a rel=author href=/b>Bo Dock</a></p>",
            "Ada Pier, Bo Dock",
        ),
        ("<p class=byline>Sun Dec 17, 2023 11:23 am</p>", None),
        ("<p class=byline>By Ada Pier (ada@harbour.example)</p>", "Ada Pier"),
        ("<a class=author href=/ada>ada_pier</a>", "ada_pier"),
        ("<span class=elementor-post-info__item--type-author>Ada Pier</span>", "Ada Pier"),
    ],
)
def test_a_byline_is_read_for_the_names_in_it(body, author):
    assert read("", body).author == author


@pytest.mark.parametrize(
    ("written", "date"),
    [
        *[(one, "2020-03-09") for one in ("2020-3-9", "20200309", "09.03.2020", "9. März 2020")],
        *[(one, "2020-03-09") for one in ("9 mars 2020", "9 de marzo de 2020", "2020年3月9日")],
        *[
            (one, "2020-03-09")
            for one in ("1583748000", "1583748000000", "Mon, 09 Mar 2020 10:00")
        ],
        *[(one, "2020-03-25") for one in ("25/03/2020", "03/25/2020", "2020/03/25")],
        *[(one, "2020-03") for one in ("March 2020", "2020-03-32")],
        *[(one, None) for one in ("1970-01-01T00:00:00Z", "03/09/2020", "0000-00-00", "soon")],
        ("2020-02-31", "2020-02"),
    ],
)
def test_a_date_is_read_however_it_is_written(written, date):
    assert read(f"<meta property='article:published_time' content='{written}'>").published == date


@pytest.mark.parametrize(
    ("head", "body", "published", "modified"),
    [
        ("", "<i itemprop=dateModified content=2021-05-06></i>", None, "2021-05-06"),
        ("", "<b property='schema:datePublished' content=2020-03-09></b>", "2020-03-09", None),
        (
            "",
            "<time datetime=2001-01-01>x</time><time pubdate datetime=2020-03-09>",
            "2020-03-09",
            None,
        ),
        ("<meta http-equiv=last-modified content='9 Mar 2020'>", "", None, "2020-03-09"),
        (
            linked(
                {"@type": "WebPage", "datePublished": "2010-01-01"},
                {"@type": "Article", "datePublished": "2020-03-09"},
            ),
            "",
            "2020-03-09",
            None,
        ),
    ],
)
def test_dates_are_those_of_the_work(head, body, published, modified):
    reading = read(head, body)

    assert (reading.published, reading.modified) == (published, modified)


@pytest.mark.parametrize(
    ("head", "title", "site"),
    [
        ("<meta property=og:title content='Oak &amp;amp; pine'>", "Oak & pine", None),
        (linked({"@type": "Article", "headline": "Oak &amp; pine"}), "Oak & pine", None),
        (
            "<title>Piers of oak - The Tide</title>"
            + linked({"@type": "WebSite", "name": "The Tide"}),
            "Piers of oak",
            "The Tide",
        ),
        ("<meta name=application-name content=Tide>", None, "Tide"),
        (
            linked(
                {"@type": "Article", "publisher": {"@id": "#t"}}, {"@id": "#t", "name": "Tide"}
            ),
            None,
            "Tide",
        ),
    ],
)
def test_title_and_site_are_told_apart(head, title, site):
    reading = read(head, "<svg><title>Icon</title></svg>")

    assert (reading.title, reading.site) == (title, site)


@pytest.mark.parametrize(
    ("head", "canonical"),
    [
        ("<link rel='alternate Canonical' href=/c>", "https://example.org/c"),
        ("<base href=https://b.example/x/><link rel=canonical href=c>", "https://b.example/x/c"),
        (
            "<link rel=canonical href='#top'><meta property=og:url content=/o>",
            "https://example.org/o",
        ),
        ("<link rel=canonical href=mailto:a@b.example>", None),
        ("<link rel=canonical href=javascript:alert(1)>", None),
    ],
)
def test_the_canonical_address_is_one_of_a_page(head, canonical):
    assert read(head).canonical == canonical


@pytest.mark.parametrize(
    "head",
    [
        "<meta http-equiv=content-language content=de>",
        linked({"@type": "Article", "inLanguage": "de"}),
    ],
)
def test_the_language_is_found_where_the_page_itself_has_none(head):
    assert read(head, lang="").language == "de"


@pytest.mark.parametrize(
    "wrapped", ["<!--{}-->", "//<![CDATA[\n{}\n//]]>", "/*<![CDATA[*/{}/*]]>*/"]
)
def test_linked_data_is_unwrapped_from_what_hid_scripts_once(wrapped):
    script = wrapped.replace("{}", '{"@type": "Article", "headline": "Piers"}')

    reading = read(f'<script type="application/ld+json">{script}</script>')

    assert reading.title == "Piers"
    assert [json.loads(block) for block in reading.embedded.json_ld] == [
        {"@type": "Article", "headline": "Piers"}
    ]


def test_half_a_character_in_linked_data_spoils_no_answer():
    half = '{"@type": "Article", "a": "x\\ud800y", "b": "\\ud83d\\ude00", "c": "\\\\ud800"}'

    [block] = read(f'<script type="application/ld+json">{half}</script>').embedded.json_ld

    answer = json.loads(block.encode())
    assert (answer["a"], answer["b"], answer["c"]) == ("x\ufffdy", "\U0001f600", "\\ud800")


HEADLINE = "<h1>Piers of oak</h1>"
TITLE = "<title>Piers of oak</title>"


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        ("<p>By Ada Pier</p>", "Ada Pier"),
        (
            "<div><span>By</span> <a href=/x>Ada Pier</a> <span>Senior editor</span></div>",
            "Ada Pier",
        ),
        (
            "<p>Written by <b>Ada Pier</b> and <b>Bo Dock</b> | March 9, 2020</p>",
            "Ada Pier, Bo Dock",
        ),
        ("<p>Von Ada Pier</p>", "Ada Pier"),
        ("<p>Par Ada Pier, Bo Dock</p>", "Ada Pier, Bo Dock"),
        ("<p>Escrito por: Ada Pier</p>", "Ada Pier"),
        ("<p>Door Ada van der Pier</p>", "Ada van der Pier"),
        ("<p>Автор: Ада Причалова</p>", "Ада Причалова"),
        ("<p>作者:李明</p>", "李明"),
        ("<p>记者通过电子邮件联系了公司。</p>", None),
        ("<p>김민서 기자 ada@harbour.example</p>", "김민서"),
        ("<p class=byline>이도윤 특파원</p>", "이도윤"),
        ("<p>오늘의 추천 기자</p>", None),
        ("<p><a href=/authors/ada>Ada Pier</a></p>", "Ada Pier"),
        (
            "<p class=byline>Ada Pier <i>Verified</i> <b>Staff writer</b> March 9, 2020</p>",
            "Ada Pier",
        ),
        (
            "<p class=post-author><a href=/u/7>ada_pier</a> Senior Member Joined 2019</p>",
            "ada_pier",
        ),
        ("<p>By the old harbour stands a shed</p>", None),
        ("<p>Photo by Ada Pier</p>", None),
        ("<p>Reviewed by Ada Pier</p>", None),
        ("<p>Share this article</p>", None),
    ],
)
def test_a_byline_near_the_headline_is_read_by_its_shape(lines, author):
    assert read(TITLE, HEADLINE + lines).author == author


NEWS = {"@type": "NewsMediaOrganization", "name": "Harbour News"}


@pytest.mark.parametrize(
    ("head", "body", "author", "organisations"),
    [
        (linked({"@type": "Article", "author": NEWS}), "", "Harbour News", ("Harbour News",)),
        (
            linked({"@type": "Article", "author": NEWS}),
            "<p>By Ada Pier</p>",
            "Ada Pier",
            (),
        ),
        (
            linked(
                {"@type": "Article", "author": [NEWS, {"@type": "Person", "name": "Ada Pier"}]}
            ),
            "",
            "Harbour News; Ada Pier",
            ("Harbour News",),
        ),
        (
            linked(
                {"@type": "Article", "author": {"@id": "#o"}},
                {"@type": "Organization", "@id": "#o", "name": "Contributors to the Pilot"},
            ),
            "",
            "Contributors to the Pilot",
            ("Contributors to the Pilot",),
        ),
        (
            "<meta property=og:site_name content='Ada Pier'>"
            + linked({"@type": "Article", "author": {"@type": "Person", "name": "Ada Pier"}}),
            "",
            "Ada Pier",
            (),
        ),
        (
            "<meta name=author content='Harbour News Staff'>",
            "",
            "Harbour News Staff",
            ("Harbour News Staff",),
        ),
    ],
)
def test_organisations_are_told_from_people(head, body, author, organisations):
    reading = read(TITLE + head, HEADLINE + body)

    assert (reading.author, reading.organisations) == (author, organisations)


@pytest.mark.parametrize(
    ("lines", "lang", "published"),
    [
        ("<p>March 9, 2020</p>", "en", "2020-03-09"),
        ("<p>By Ada Pier on 9 March 2020 · 5 min read</p>", "en", "2020-03-09"),
        ("<p>Updated: March 9, 2020</p>", "en", None),
        ("<p>Published 9 March 2020</p><p>Last updated 10 May 2021</p>", "en", "2020-03-09"),
        ("<p>Last updated: <b>10 May 2021</b></p><p>9 March 2020</p>", "en", "2020-03-09"),
        ("<dl><dt>Joined</dt><dd>March 9, 2020</dd></dl>", "en", None),
        ("<p><span title='9 March 2020, 10:00'>six years ago</span></p>", "en", "2020-03-09"),
        ("<p>03/04/2020</p>", "en", None),
        ("<p>03/04/2020</p>", "en-GB", "2020-04-03"),
        ("<p>03/04/2020</p>", "en-US", "2020-03-04"),
        ("<p>03/04/2020</p>", "fr", "2020-04-03"),
        ("<p>03/04/2020</p>", "ja", None),
        (
            "<table class=infobox><tr><th>Opened<td><i class='bday published'>1999-01-02</i></table>",
            "en",
            None,
        ),
        ("<div class=related><time datetime=2001-01-01>1 January</time></div>", "en", None),
        (
            "<p>In 2020 the piers were repaired, and on March 9, 2020 they opened again</p>",
            "en",
            None,
        ),
    ],
)
def test_the_date_of_publication_is_that_near_the_headline(lines, lang, published):
    assert read(TITLE, HEADLINE + lines, lang=f"lang={lang}").published == published


@pytest.mark.parametrize(
    ("written", "lang"),
    [
        ("9. maaliskuuta 2020", "fi"),
        ("9 Μαρτίου 2020", "el"),
        ("9 marca 2020", "pl"),
        ("2020. gada 9. marts", "lv"),
        ("2020 m. kovo 9 d.", "lt"),
        ("2020. március 9.", "hu"),
        ("9 d\u2019abril de 2020", "ca"),
        ("ngày 9 tháng 3 năm 2020", "vi"),
        ("9 มีนาคม 2563", "th"),
        ("9 มี.ค. 2563", "th"),
        ("९ मार्च २०२०", "hi"),
        ("٩ مارس ٢٠٢٠", "ar"),
        ("9 آذار 2020", "ar"),
        ("۱۹ اسفند ۱۳۹۸", "fa"),
        ("۱۳۹۸/۱۲/۱۹", "fa"),
        ("令和2年3月9日", "ja"),
        ("民國109年3月9日", "zh-TW"),
        ("2020년 3월 9일", "ko"),
        ("9-Mar-2020", "en"),
        ("09.03.20", "de"),
        ("09/03/20", "fr"),
    ],
)
def test_a_date_is_read_in_the_language_and_the_calendar_of_its_page(written, lang):
    date = "2020-04-09" if lang == "ca" else "2020-03-09"

    assert read(TITLE, HEADLINE + f"<p>{written}</p>", lang=f"lang={lang}").published == date


@pytest.mark.parametrize(
    ("lang", "published"), [("hr", "2020-10-09"), ("pl", "2020-11-09"), ("en", None)]
)
def test_the_language_decides_between_months_of_the_same_name(lang, published):
    lines = HEADLINE + "<p>9 listopada 2020</p>"

    assert read(TITLE, lines, lang=f"lang={lang}").published == published


@pytest.mark.parametrize(
    ("others", "published"),
    [
        ("<div class=related><time>25-11-2019</time></div>", "2020-04-03"),
        ("<div class=related><time>11-25-2019</time></div>", "2020-03-04"),
        ("<div class=related><time datetime=2020-04-03>April</time></div>", "2020-04-03"),
        ("<div class=related><time datetime=2020-03-04>March</time></div>", "2020-03-04"),
        ("<div class=related><time>25-11-2019</time><time>11-25-2019</time></div>", None),
        ("", None),
    ],
)
def test_other_dates_of_a_page_show_in_which_order_it_writes_them(others, published):
    reading = read(TITLE, HEADLINE + "<time>03-04-2020</time>" + others, lang="lang=en")

    assert reading.published == published


@pytest.mark.parametrize(
    ("lines", "published"),
    [
        ("<p>Published 9 March 2020 | Updated 10 May 2021</p>", "2020-03-09"),
        ("<p>Updated 10 May 2021 | Published 9 March 2020</p>", "2020-03-09"),
        ("<p>9 March 2020, last updated 10 May 2021</p>", "2020-03-09"),
        ("<p>10 May 2021 (updated)</p>", None),
        ("<p>Press release</p><p>9 March 2020</p>", "2020-03-09"),
        ("<p>Prevention</p><p>9 March 2020</p>", "2020-03-09"),
        ("<p>Event</p><p>9 March 2020</p>", None),
        ("<p>March 2020</p><p class=date>9 March 2020</p>", "2020-03-09"),
        ("<time class='entry-date published updated' datetime=2020-03-09>x</time>", "2020-03-09"),
        ("<time class=updated datetime=2020-03-09>x</time>", None),
    ],
)
def test_labels_tell_which_date_is_that_of_publication(lines, published):
    assert read(TITLE, HEADLINE + lines).published == published


@pytest.mark.parametrize(
    ("modified", "lines", "published"),
    [
        ("2021-05-10T10:00:00Z", "<p>9 March 2020</p>", "2020-03-09"),
        ("2021-05-10T10:00:00Z", "<time pubdate datetime=2020-03-09>spring</time>", "2020-03-09"),
        ("2021-05-10T10:00:00Z", "<p>9 March 2022</p>", "2021-05-10T10:00:00+00:00"),
        ("2021-06-01T10:00:00Z", "<p>9 March 2020</p>", "2021-05-10T10:00:00+00:00"),
    ],
)
def test_a_date_that_is_declared_for_every_change_gives_way_to_one_that_is_shown(
    modified, lines, published
):
    head = linked(
        {"@type": "Article", "datePublished": "2021-05-10T10:00:00Z", "dateModified": modified}
    )

    assert read(TITLE + head, HEADLINE + lines).published == published


def test_the_date_in_the_footer_of_the_article_is_its_own():
    posted = "<footer class=entry-footer>Posted on <time datetime=2020-03-09>x</time></footer>"
    text = "<p>" + "The piers were repaired in spring. " * 20 + "</p>"
    around = "<footer><time datetime=2001-01-01>now</time></footer>"

    assert (
        read(TITLE, f"<article>{HEADLINE}{text}{text}{posted}</article>").published == "2020-03-09"
    )
    assert read(TITLE, f"<article>{HEADLINE}{text}{text}</article>{around}").published is None


def test_the_date_by_the_only_main_heading_is_read_though_a_later_heading_has_the_title():
    text = "<p>" + "The piers were repaired in spring. " * 20 + "</p>"
    lines = "<div><h1>What became of the oak</h1><p>9 March 2020</p></div>"

    assert read(TITLE, f"{lines}{text}{text}{HEADLINE}{text}").published == "2020-03-09"


PROSE = "The piers were repaired in spring, and the oak came from the north by ship. " * 4


@pytest.mark.parametrize(
    ("body", "published"),
    [
        (f"{HEADLINE}<p>(9.3.2020) {PROSE}</p>", "2020-03-09"),
        (f"{HEADLINE}<p>OSLO, March 9, 2020 \u2014 {PROSE}</p>", "2020-03-09"),
        (
            f"{HEADLINE}<p>On March 9, 2020 \u2014 a Monday \u2014 they met. {PROSE}</p>",
            None,
        ),
        (f"{HEADLINE}<p>They were there on March 9, 2020 \u2014 {PROSE}</p>", None),
        (
            f"{HEADLINE}<p>{PROSE}</p><p>{PROSE}</p><p>First published 9 March 2020.</p>",
            "2020-03-09",
        ),
        (f"{HEADLINE}<p>{PROSE}<p>{PROSE}<blockquote><time datetime=2020-03-09>x</time>", None),
        (
            f"{HEADLINE}<time datetime=2020-04-01T10:00:00Z>Published 9 March 2020</time>",
            "2020-03-09",
        ),
        (
            "<h1>Harbour</h1><div><h2>Of oak: piers of Norway</h2><p>9 March 2020</p></div>",
            "2020-03-09",
        ),
    ],
)
def test_a_date_is_that_of_the_text_where_it_stands(body, published):
    assert read(TITLE, body).published == published


def test_dates_are_read_from_linked_data_that_is_not_valid_json():
    head = """<script type="application/ld+json">{"@type": "Article", "datePublished": "2020-03-09",
        "dateModified": "2021-05-10", "comment": {"datePublished": "2022-01-01"},}</script>"""

    reading = read(TITLE + head, HEADLINE)

    assert (reading.published, reading.modified) == ("2020-03-09", "2021-05-10")


def test_a_tracking_parameter_does_not_make_another_page_of_a_home_page():
    lines = HEADLINE + "<p>9 March 2020</p>"

    assert read(TITLE, lines, url="https://example.org/?utm_source=x").published is None
    assert read(TITLE, lines, url="https://example.org/?page=7").published == "2020-03-09"


def test_every_element_of_a_page_builder_is_a_widget():
    date = "<div class='elementor-widget-container'><time datetime=2020-03-09>x</time></div>"

    assert read(TITLE, HEADLINE + date).published == "2020-03-09"


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("https://example.org/2020/03/09/piers", "2020-03-09"),
        ("https://example.org/blog/2020-03-09-piers", "2020-03-09"),
        ("https://example.org/news/20200309/piers", "2020-03-09"),
        ("https://example.org/2020/03/piers", "2020-03"),
        ("https://example.org/items/120200309123", None),
    ],
)
def test_a_date_in_the_url_is_read_if_there_is_no_other(url, published):
    assert read(TITLE, HEADLINE, url=url).published == published


def test_what_the_first_page_of_a_site_shows_is_of_other_pages():
    cards = "<p class=byline>By Ada Pier</p><time datetime=2020-03-09>9 March</time>"

    reading = read(TITLE, HEADLINE + cards, url="https://example.org/")

    assert (reading.author, reading.published) == (None, None)


def test_linked_data_with_line_breaks_in_its_texts_or_of_great_size_is_read():
    article = {"@type": "Article", "author": "Ada Pier", "articleBody": "word " * 10_000}
    broken = '{"@type": "Article", "datePublished": "2020-03-09", "description": "one\ntwo"}'

    large, lenient = (
        read(linked(article)),
        read(f"<script type=application/ld+json>{broken}</script>"),
    )

    assert (large.author, lenient.published) == ("Ada Pier", "2020-03-09")


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Piers of oak - Harbour News</title>", "Piers of oak"),
        (
            "<title>Harbour News</title><meta property=og:title content='Harbour News'>",
            "Harbour News",
        ),
    ],
)
def test_a_heading_with_the_name_of_the_site_is_not_the_title(head, title):
    head += "<meta property=og:site_name content='Harbour News'>"

    assert read(head, "<h1>Harbour News</h1>").title == title


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("The 9 Oldest Piers of the North, Measured", "The 9 Oldest Piers of the North, Measured"),
        ("The Harbour Handbook", "Oldest Piers of the North"),
        ("What divers do all day long", "Oldest Piers of the North"),
    ],
    ids=["the same in other words", "the name of a book", "something else"],
)
def test_the_title_is_the_only_headline_if_it_says_the_same(heading, title):
    head = (
        "<title>Oldest Piers of the North - The Harbour Handbook</title>"
        "<meta property=og:site_name content='The Harbour Handbook'>"
    )

    assert read(head, f"<h1>{heading}</h1>").title == title


def test_a_headline_does_not_replace_the_title_that_a_paper_is_cited_by():
    head = "<meta name=citation_title content='Piers of the North'>"

    assert read(head, "<h1>Old piers of the north</h1>").title == "Piers of the North"


def test_the_date_of_a_version_is_not_that_of_the_page():
    lines = "<p class=version>(59807616e 2026-04-14)</p>"

    assert read(TITLE, lines + HEADLINE).published is None


@pytest.mark.parametrize(
    "menu",
    [
        "<div class=header-user-dropdown><span>Open Account</span></div>",
        "<button><span>By Ann Miller</span></button>",
    ],
)
def test_a_menu_of_the_user_names_no_author(menu):
    assert read(TITLE, menu + HEADLINE).author is None
