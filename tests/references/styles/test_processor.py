"""The rules of APA 7 and MLA 9 and of CSL, on works of our own."""

import pytest

from sourcewright.references.styles.processor import format_reference


def work(kind="article-journal", **fields):
    """A work; `_` in a field's name stands for `-`."""
    return {"type": kind} | {name.replace("_", "-"): value for name, value in fields.items()}


def person(family, given, **parts):
    return {"family": family, "given": given} | parts


def on(*parts):
    return {"date-parts": [list(parts)]}


ADA = person("Okafor", "Ada Ngozi")
BEN = person("Lind", "Ben")
CYD = person("Moreau", "Cyd")


@pytest.mark.parametrize(
    ("authors", "apa", "mla"),
    [
        ([ADA], "Okafor, A. N.", "Okafor, Ada Ngozi."),
        ([ADA, BEN], "Okafor, A. N., & Lind, B.", "Okafor, Ada Ngozi, and Ben Lind."),
        ([ADA, BEN, CYD], "Okafor, A. N., Lind, B., & Moreau, C.", "Okafor, Ada Ngozi, et al."),
        ([person("Petit", "Anne-Marie")], "Petit, A.-M.", "Petit, Anne-Marie."),
        ([person("Petit", "A.M.")], "Petit, A. M.", "Petit, A. M."),
        ([person("Petit", "Émile Ángel")], "Petit, É. Á.", "Petit, Émile Ángel."),
        ([person("Petit", "Chr.")], "Petit, Chr.", "Petit, Chr."),
        ([person("Dijk", "Els van")], "Dijk, E. van.", "Dijk, Els van."),
        (
            [person("Dijk", "Els", **{"non-dropping-particle": "van"})],
            "van Dijk, E.",
            "van Dijk, Els.",
        ),
        ([person("Dupré", "Luc A-12")], "Dupré, L. A.-12.", "Dupré, Luc A.-12."),
        ([person("Hall", "Sam", suffix="III")], "Hall, S., III.", "Hall, Sam, III."),
        ([{"literal": "Harbour Board"}], "Harbour Board.", "Harbour Board."),
        ([person("陈", "伟")], "陈伟.", "陈伟."),
    ],
)
def test_authors_are_inverted_and_shortened_as_each_style_says(authors, apa, mla):
    item = work(title="Foam", author=authors, container_title="Sea", issued=on(2020))

    assert format_reference(item, "apa") == f"{apa} (2020). Foam. Sea."
    assert format_reference(item, "mla") == f"{mla} “Foam.” Sea, 2020."


@pytest.mark.parametrize(("comma", "mla"), [(True, "Sam Hall, Jr."), (False, "Sam Hall Jr.")])
def test_a_suffix_has_a_comma_in_reading_order_only_if_the_name_says_so(comma, mla):
    second = person("Hall", "Sam", suffix="Jr.") | {"comma-suffix": comma}
    item = work(title="Foam", author=[BEN, second], container_title="Sea", issued=on(2020))

    assert format_reference(item, "mla") == f"Lind, Ben, and {mla} \u201cFoam.\u201d Sea, 2020."


def test_apa_names_the_first_nineteen_and_the_last_of_many_authors():
    item = work(title="Foam", author=[person(f"N{n:02}", "Al") for n in range(1, 23)])

    text = format_reference(item, "apa")

    assert text.startswith("N01, A., N02, A., ")
    assert "N19, A., … N22, A. (n.d.)" in text
    assert "N20" not in text


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (
            "the rise of the tides: a history of the sea",
            "The Rise of the Tides: A History of the Sea",
        ),
        ("what the sea is made of", "What the Sea Is Made Of"),
        ("mRNA and eDNA in post-war self-help", "mRNA and eDNA in Post-War Self-Help"),
        ("waves (and foam) in/out", "Waves (and Foam) in/Out"),
        (
            "notes (the first) on foam et al.: and more",
            "Notes (the First) on Foam et al.: And More",
        ),
        ("la \u00ab mer \u00bb", "La \u00ab\u202fMer\u202f\u00bb"),
        ("études d'un marin", "Études d\u2019un Marin"),
        ("Colon; Semicolon\u2014dash\u2014and more", "Colon; Semicolon\u2014Dash\u2014and More"),
        ("cost\u2013benefit at task 6:an overview", "Cost\u2013Benefit at Task 6:An Overview"),
        ("on e-mail at sea", "On E-Mail at Sea"),
        ("the in-depth waves", "The In-Depth Waves"),
        ("waves (on and off) at sea", "Waves (on and off) at Sea"),
        ("\u03b1-synuclein and \u03b2 blockers", "\u03b1-Synuclein and \u03b2 Blockers"),
    ],
)
def test_mla_writes_titles_in_title_case(title, expected):
    item = work(title=title, container_title="Sea")

    assert format_reference(item, "mla") == f"“{expected}.” Sea."


def test_titles_in_other_languages_keep_their_case():
    item = work("book", title="das lied von der glocke", language="de")

    assert format_reference(item, "mla") == "das lied von der glocke."


@pytest.mark.parametrize(
    ("title", "mla"),
    [
        ("Why now?", "“Why Now?”"),
        ('The "Dark" Sea', "“The \u2018Dark\u2019 Sea.”"),
        ("On 'Foam'", "“On \u2018Foam.\u2019”"),
        ("The Sailors' Rest in '68", "“The Sailors\u2019 Rest in \u201968.”"),
        ("The <i>Argo</i> at Sea", "“The Argo at Sea.”"),
    ],
)
def test_punctuation_goes_inside_quotation_marks_and_is_not_doubled(title, mla):
    item = work(title=title, container_title="Sea")

    assert format_reference(item, "mla") == f"{mla} Sea."


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sea without the \u2018C\u2019", "Sea without the \u2018C.\u2019"),
        ("On \u2018the \u201copen\u201d sea\u2019", "On \u2018the \u201copen\u201d sea.\u2019"),
        ("On \u201cthe \u2018open\u2019 sea\u201d", "On \u201cthe \u2018open\u2019 sea.\u201d"),
    ],
)
def test_quotation_marks_of_a_title_stay_where_no_quotation_is_around_them(title, expected):
    assert format_reference(work("book", title=title), "apa").startswith(expected)


def test_a_double_volume_has_its_label():
    item = work(title="Foam", container_title="Sea", volume="3/4")

    assert format_reference(item, "mla") == "\u201cFoam.\u201d Sea, vol. 3/4."


@pytest.mark.parametrize(
    ("page", "apa", "mla"),
    [
        ("12-15", "12\u201315", "pp. 12\u201315"),
        ("123-8", "123\u2013128", "pp. 123\u201328"),
        ("1201-1299", "1201\u20131299", "pp. 1201\u201399"),
        ("98--103", "98\u2013103", "pp. 98\u2013103"),
        ("S7-S19", "S7\u2013S19", "pp. S7\u201319"),
        ("44", "44", "p. 44"),
        ("3, 9-11", "3, 9\u201311", "pp. 3, 9\u201311"),
        ("1:12-1:19", "1:12\u20131:19", "pp. 1:12\u20131:19"),
        ("pp. 12-15", "12\u201315", "pp. 12\u201315"),
        ("p. 44", "44", "p. 44"),
        ("xii-xv", "xii\u2013xv", "pp. xii\u2013xv"),
    ],
)
def test_page_ranges_are_expanded_in_apa_and_shortened_in_mla(page, apa, mla):
    item = work(title="Foam", container_title="Sea", volume="3", page=page)

    assert format_reference(item, "apa") == f"Foam. (n.d.). Sea, 3, {apa}."
    assert format_reference(item, "mla") == f"“Foam.” Sea, vol. 3, {mla}."


@pytest.mark.parametrize(
    ("issued", "apa", "mla"),
    [
        (on(2021, 9, 4), "2021, September 4", "4 Sept. 2021"),
        (on(2021, 5), "2021, May", "May 2021"),
        (on("2021"), "2021", "2021"),
        ({"raw": "2021-09-04"}, "2021, September 4", "4 Sept. 2021"),
        ({"literal": "Easter 2021"}, "Easter 2021", "Easter 2021"),
        ({"raw": "September 2021"}, "2021, September", "Sept. 2021"),
        ({"raw": "2021-09/2021-11"}, "2021, September\u2013November", "Sept.\u2013Nov. 2021"),
        (on(2021, 13), "2021, Spring", "Spring 2021"),
        (
            {"date-parts": [[2021, 9, 4], [2021, 9, 6]]},
            "2021, September 4\u20136",
            "4\u20136 Sept. 2021",
        ),
    ],
)
def test_dates_have_the_order_of_each_style(issued, apa, mla):
    item = work("webpage", title="Foam", container_title="Sea", issued=issued)

    assert format_reference(item, "mla") == f"“Foam.” Sea, {mla}."
    assert format_reference(item, "apa") == f"Foam. ({apa}). Sea."


def test_a_work_without_a_title_is_described_by_its_kind():
    item = work("dataset", author=[BEN], issued=on(2020), container_title="Sea")

    assert format_reference(item, "apa") == "Lind, B. (2020). [Dataset]. In Sea."


def test_a_version_with_a_hyphen_is_one_version():
    item = work("software", title="Foam", author=[BEN], issued=on(2020), version="2020-04")

    assert "Foam (Version 2020-04)" in format_reference(item, "apa")


def test_a_comma_within_a_number_makes_it_no_list_of_numbers():
    item = work("patent", title="Foam trap", number="US 7,654,321 B2", authority="United States")

    assert "(United States Patent No. US 7,654,321 B2)" in format_reference(item, "apa")


def test_a_name_with_a_capital_inside_keeps_its_first_letter():
    item = work("article", title="Foam", author=[ADA], issued=on(2020), number="arXiv:2001.00001")

    assert "(arXiv:2001.00001)" in format_reference(item, "apa")


def test_a_page_without_a_date_says_when_it_was_seen():
    item = work("webpage", title="Foam", URL="https://example.org/f", accessed=on(2024, 5, 6))

    assert format_reference(item, "apa") == (
        "Foam. (n.d.). Retrieved May 6, 2024, from https://example.org/f"
    )
    assert format_reference(item, "mla") == "Foam. https://example.org/f. Accessed 6 May 2024."


def test_a_chapter_names_its_editors_and_its_book():
    item = work(
        "chapter",
        title="Foam and spray",
        author=[ADA],
        editor=[BEN, CYD],
        container_title="The open sea",
        publisher="North Press",
        page="3-9",
        edition="2",
        issued=on(2011),
    )

    assert format_reference(item, "apa", markdown=True) == (
        "Okafor, A. N. (2011). Foam and spray. In B. Lind & C. Moreau (Eds.), "
        "*The open sea* (2nd ed., pp. 3\u20139). North Press."
    )
    assert format_reference(item, "mla", markdown=True) == (
        "Okafor, Ada Ngozi. “Foam and Spray.” *The Open Sea*, edited by Ben Lind and Cyd Moreau, "
        "2nd ed., North Press, 2011, pp. 3\u20139."
    )


def test_the_title_stands_in_for_missing_authors_once():
    item = work("book", title="The open sea", publisher="North Press", issued=on(2011))

    assert format_reference(item, "apa") == "The open sea. (2011). North Press."
    assert format_reference(item, "mla") == "The Open Sea. North Press, 2011."


def test_an_article_number_stands_for_the_pages():
    item = work(title="Foam", container_title="Sea", volume="3", issue="2", number="41")

    assert format_reference(item, "apa") == "Foam. (n.d.). Sea, 3(2), Article 41."


@pytest.mark.parametrize("style", ["apa", "mla"])
@pytest.mark.parametrize(
    "item",
    [
        {},
        {"type": 7, "title": ["x"], "author": "Ada", "issued": [2020]},
        {
            "type": "book",
            "author": [None, 3, {}, {"given": 4}],
            "issued": {"date-parts": [[None]]},
        },
        {"type": "webpage", "title": "x" * 100_000, "issued": {"date-parts": [["x"], 3]}},
        {"type": "article-journal", "title": "'\"" * 5_000 + "<i>" * 5_000, "page": "1-" * 5_000},
        {"type": "article-journal", "title": "\ue000\ue003a\ue002"},
    ],
)
def test_a_malformed_item_is_formatted_as_far_as_it_can_be_read(style, item):
    text = format_reference(item, style)

    assert len(text) < 50_000
    assert not any("\ue000" <= character <= "\ue0ff" for character in text)
