"""Citation strings are taken apart in every common style, and each part is found where it stands."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.references.limits import MAX_REFERENCE
from sourcewright.references.strings.reference import read_reference

TEXT_FIELDS = ("title", "venue", "publisher")

STYLES = {
    "apa": (
        "van der Berg, J., & Ek, S.-A. (2015). Mixing in lakes: A review. "
        "Journal of Water, 12(3), 340\u2013345. https://doi.org/10.5555/water.1"
    ),
    "mla 9": (
        "van der Berg, Jan, and Sven-Anders Ek. \u201cMixing in lakes: A review.\u201d "
        "Journal of Water, vol. 12, no. 3, 2015, pp. 340\u201345, https://doi.org/10.5555/water.1."
    ),
    "mla 7": (
        "van der Berg, Jan, and Sven-Anders Ek. \u201cMixing in lakes: A review.\u201d "
        "Journal of Water 12.3 (2015): 340\u2013345. doi:10.5555/water.1."
    ),
    "chicago": (
        "van der Berg, Jan, and Sven-Anders Ek. 2015. \u201cMixing in lakes: A review.\u201d "
        "Journal of Water 12 (3): 340\u201345. https://doi.org/10.5555/water.1."
    ),
    "ieee": (
        '[7] J. van der Berg and S.-A. Ek, "Mixing in lakes: A review," Journal of Water, '
        "vol. 12, no. 3, pp. 340\u2013345, Mar. 2015, doi: 10.5555/water.1."
    ),
    "vancouver": (
        "7. van der Berg J, Ek SA. Mixing in lakes: A review. Journal of Water. "
        "2015 Mar;12(3):340-5. doi: 10.5555/water.1."
    ),
    "harvard": (
        "van der Berg, J. and Ek, S.-A., 2015. Mixing in lakes: A review. "
        "Journal of Water, 12(3), pp.340-345. doi:10.5555/water.1"
    ),
    "acm": (
        "Jan van der Berg and Sven-Anders Ek. 2015. Mixing in lakes: A review. "
        "Journal of Water 12, 3 (2015), 340\u2013345. https://doi.org/10.5555/water.1"
    ),
    "nature": (
        "7. van der Berg, J. & Ek, S.-A. Mixing in lakes: A review. Journal of Water 12, "
        "340\u2013345 (2015). https://doi.org/10.5555/water.1"
    ),
    "springer lncs": (
        "7. van der Berg, J., Ek, S.A.: Mixing in lakes: A review. Journal of Water 12(3), "
        "340\u2013345 (2015). https://doi.org/10.5555/water.1"
    ),
    "springer basic": (
        "van der Berg J, Ek SA (2015) Mixing in lakes: A review. Journal of Water 12:340\u2013345. "
        "https://doi.org/10.5555/water.1"
    ),
    "elsevier": (
        "van der Berg, J., Ek, S.-A., 2015. Mixing in lakes: A review. "
        "Journal of Water 12, 340\u2013345. https://doi.org/10.5555/water.1."
    ),
    "acs": (
        "(7) van der Berg, J.; Ek, S.-A. Mixing in lakes: A review. Journal of Water "
        "2015, 12 (3), 340\u2013345. DOI: 10.5555/water.1."
    ),
    "physical review": (
        "[7] J. van der Berg and S.-A. Ek, Mixing in lakes: A review, Journal of Water 12, "
        "340 (2015). https://doi.org/10.5555/water.1"
    ),
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_yields_the_same_fields(style):
    reference = read_reference(STYLES[style])

    assert [author.family for author in reference.authors] == ["van der Berg", "Ek"]
    assert reference.title == "Mixing in lakes: A review"
    assert reference.venue == "Journal of Water"
    assert (reference.year, reference.volume) == (2015, "12")
    assert reference.pages is not None
    assert reference.pages.startswith("340")
    assert reference.doi == "10.5555/water.1"
    assert reference.kind == "article"
    assert reference.key in (None, "7")


@pytest.mark.parametrize("style", STYLES)
def test_every_span_is_where_the_field_stands(style):
    reference = read_reference(STYLES[style])

    for name in (*TEXT_FIELDS, "volume", "issue", "doi"):
        if value := getattr(reference, name):
            start, end = reference.spans[name]
            assert reference.text[start:end] == value
    start, end = reference.spans["year"]
    assert reference.text[start:end] == "2015"
    start, end = reference.spans["authors"]
    assert "Berg" in reference.text[start:end]
    assert "Mixing" not in reference.text[start:end]


@pytest.mark.parametrize(
    ("text", "venue", "numbers"),
    [
        (
            "(1) Gao, Z.; Liu, J. CrystEngComm 2012, 14, 6639.",
            "CrystEngComm",
            (2012, "14", "6639"),
        ),
        (
            "1 P. Davidsson, Journal of Business Venturing 30, 674 (2015).",
            "Journal of Business Venturing",
            (2015, "30", "674"),
        ),
        (
            "[1] I. Goodwin, Physics Today 45 (1992) 51.",
            "Physics Today",
            (1992, "45", "51"),
        ),
        (
            "A. Einstein, Ann. Phys. (Leipzig) 17, 891 (1905).",
            "Ann. Phys. (Leipzig)",
            (1905, "17", "891"),
        ),
    ],
)
def test_styles_without_titles_have_a_venue_and_no_title(text, venue, numbers):
    reference = read_reference(text)

    assert (reference.title, reference.venue) == (None, venue)
    assert (reference.year, reference.volume, reference.pages) == numbers


@pytest.mark.parametrize(
    ("text", "families", "truncated"),
    [
        ("Jonathan Ho, Tim Salimans. Guidance. NeurIPS, 2022", ["Ho", "Salimans"], False),
        (
            "Gong, S., Li, M., \u2026 Ek, B. (2014). A title. Venue, 2, 3.",
            ["Gong", "Li", "Ek"],
            True,
        ),
        (
            "Himmelstein DS, Romero AR, et al. A title. eLife. 2018;7:1.",
            ["Himmelstein", "Romero"],
            True,
        ),
        ("Ting Chen, Simon Ek, others. A title. ICML, 2020", ["Chen", "Ek"], True),
        (
            "CHEN T R, EK S, YU R, et al. Tides, currents and bells[J]. Tides, 2015, 87: 46-51.",
            ["CHEN", "EK", "YU"],
            True,
        ),
        ("CHEN T. Tides and Bells: a survey[J]. Tides, 2015, 87: 46-51.", ["CHEN"], False),
        ("Chen T, Ek S. Tides, Bells, and the Sea. Tides. 2015;87:46.", ["Chen", "Ek"], False),
        ("Chen, T. d. O., & Ek, S. (2015). A title. Tides, 2, 3.", ["Chen", "Ek"], False),
        ("Neha and P. Das, \u201cA title,\u201d Tides, vol. 3, 2023.", [None, "Das"], False),
        (
            "Bagni, U. V.; Barros, D. C. de. Revista 2012, 25, 393\u2013402.",
            ["Bagni", "Barros"],
            False,
        ),
        (
            "Cunningham, M., and A. M. Jacobson. \u201cA title.\u201d MD 6.2 (2006): 12.",
            ["Cunningham", "Jacobson"],
            False,
        ),
        (
            "Molina, D. Kimberley, Wilk, Sarah A.. A title. Venue. 2012. 33. 3. 227",
            ["Molina", "Wilk"],
            False,
        ),
        (
            "\u5f20\u4e09, \u674e\u56db. \u6df1\u5ea6\u5b66\u4e60. \u8ba1\u7b97\u673a\u5b66\u62a5, 2019, 42(3): 453-482.",
            [None, None],
            False,
        ),
    ],
)
def test_lists_of_authors_come_in_any_order(text, families, truncated):
    reference = read_reference(text)

    assert [author.family for author in reference.authors] == families
    assert reference.authors_truncated is truncated


@pytest.mark.parametrize(
    "text",
    [
        "Okonkwo, Lindqvist & de Vries 2019, Tides of small lakes. doi:10.5555/tides",
        "Okonkwo, Lindqvist, and de Vries. 2019. Tides of small lakes. Lake Letters.",
        "Okonkwo, Lindqvist, de Vries (2019). Tides of small lakes. Lake Letters 4, 11.",
    ],
    ids=["ampersand", "and", "commas"],
)
def test_surnames_alone_are_an_author_each(text):
    reference = read_reference(text)

    assert [one.name for one in reference.authors] == ["Okonkwo", "Lindqvist", "de Vries"]
    assert reference.title == "Tides of small lakes"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Brown, T. (2020). A title. arXiv preprint arXiv:2005.14165.", "preprint"),
        ("Miranda v. Arizona, 384 U.S. 436 (1966).", "case"),
        ("Donoghue v Stevenson [1932] AC 562 (HL)", "case"),
        ("Clean Air Act of 1963, 42 U.S.C. \u00a7 7401.", "law"),
        ("Tanaka, Y. (2022). TideTool (Version 3.1) [Computer software]. Zenodo.", "software"),
        ("Ribic, C. A. (2018). Fledging times [Data set]. Archive.", "dataset"),
        ("Doe, J. (2010). On bears [Doctoral dissertation, University of Oslo].", "thesis"),
        ("Smith, J. (1999). The book of bears (2nd ed.). University of Chicago Press.", "book"),
        ("W3C. HTML 5.2. https://www.w3.org/TR/html52/ (accessed 12 May 2020).", "webpage"),
    ],
)
def test_the_kind_follows_from_the_text(text, kind):
    assert read_reference(text).kind == kind


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("doi:10.1016/S0140-6736(05)66545-1.", "doi", "10.1016/S0140-6736(05)66545-1"),
        ("(https://dx.doi.org/10.5555/abc)", "doi", "10.5555/abc"),
        ("https://doi.org/10.5555%2Fabc%28d%29", "url", "https://doi.org/10.5555%2Fabc%28d%29"),
        ("arXiv:2111.03606v2 [hep-th]", "arxiv_id", "2111.03606v2"),
        ("https://arxiv.org/abs/hep-th/9901001", "arxiv_id", "hep-th/9901001"),
        ("PMID: 29424689; PMCID: PMC5832410.", "pmid", "29424689"),
        ("PMID: 29424689; PMCID: PMC5832410.", "pmcid", "PMC5832410"),
        ("ISBN 978-0-262-03561-3.", "isbn", "9780262035613"),
        ("See <https://a.example/b(c)>, 2020.", "url", "https://a.example/b(c)"),
        ("Roe v. Wade, 410 U.S. 113, 1973", "case_citation", "410 U.S. 113"),
        ("R v Ek [2019] EWCA Civ 123", "case_citation", "[2019] EWCA Civ 123"),
        ("Case C-1/2, ECLI:EU:C:2014:317", "case_citation", "ECLI:EU:C:2014:317"),
    ],
)
def test_identifiers_are_found_anywhere(text, name, value):
    assert getattr(read_reference(text), name) == value


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (
            'Comment on "The shape of things"',
            'Smith, J. (2010). Comment on "The shape of things". Water, 12(3), 45-67.',
        ),
        (
            'Comment on "The shape of things"',
            'Smith J. Comment on "The shape of things". Water. 2010;12(3):45-67.',
        ),
        (
            'Comment on "The shape of things"',
            'Smith, J., "Comment on "The shape of things"," Water, vol. 12, no. 3, pp. 45-67, 2010.',
        ),
        (
            "Reply to \"Comment on 'The shape of things'\"",
            "Smith J. Reply to \"Comment on 'The shape of things'\". Water. 2010;12(3):45-67.",
        ),
        (
            "What we mean by \u201clife.\u201d",
            "Smith, J. (2010). What we mean by \u201clife.\u201d Water, 12(3), 45-67.",
        ),
        (
            'What we mean by "life."',
            'Smith, J. (2010). What we mean by "life." Water, 12(3), 45-67.',
        ),
        (
            "A word on \u00abla vie\u00bb",
            "Smith, J. (2010). A word on \u00abla vie\u00bb. Water, 12(3), 45-67.",
        ),
        (
            "\u201eWasser\u201c und \u201eLeben\u201c",
            "Smith, J. (2010). Zu \u201eWasser\u201c und \u201eLeben\u201c. Water, 12(3), 45-67.",
        ),
        (
            "The shape of things",
            'Smith, J. "The shape of things." Water, vol. 12, no. 3, 2010, pp. 45-67.',
        ),
    ],
)
def test_a_quotation_at_the_end_of_a_title_is_whole_and_the_journal_is_not_part_of_it(title, text):
    reference = read_reference(text)

    assert reference.title.removeprefix("Zu ") == title
    assert (reference.venue, reference.year) == ("Water", 2010)
    assert reference.text[slice(*reference.spans["title"])] == reference.title


def test_an_organisation_is_an_author():
    reference = read_reference("World Health Organization. (2020). Clinical management. WHO.")

    [author] = reference.authors
    assert (author.name, author.is_organisation) == ("World Health Organization", True)


def test_a_reference_without_authors_begins_with_its_title():
    reference = read_reference("How tides work. (2021). Ocean Notes. https://example.org/tides")

    assert (reference.authors, reference.title) == ((), "How tides work")
    assert (reference.venue, reference.year) == ("Ocean Notes", 2021)


def test_a_judgment_has_a_name_and_no_authors():
    reference = read_reference("Miranda v. Arizona, 384 U.S. 436 (1966).")

    assert (reference.title, reference.authors) == ("Miranda v. Arizona", ())
    assert (reference.year, reference.volume, reference.pages) == (1966, None, None)


@given(st.text(max_size=400))
def test_any_text_is_taken_apart_and_spans_stay_inside_it(text):
    reference = read_reference(text)

    assert reference.text == unicodedata.normalize("NFC", text)
    assert all(0 <= start <= end <= len(text) for start, end in reference.spans.values())


@given(
    st.lists(
        st.sampled_from(
            [
                "Ek, S.,",
                "(2015).",
                "A title.",
                "\u201cQuoted,\u201d",
                "vol. 3,",
                "12(3),",
                "pp. 1-9.",
                "In:",
                "et al.",
                "10.5555/x",
                "[1]",
                "J. Water",
                "&",
                "and",
                "\x00",
                "\ud800",
                "https://a.b/c",
                ";",
                "eds.",
                "1999",
            ]
        ),
        max_size=30,
    )
)
def test_any_order_of_parts_is_taken_apart(parts):
    text = " ".join(parts)

    assert read_reference(text).text == text


def test_of_a_text_that_is_too_long_only_the_beginning_is_examined():
    text = (
        f"Ek, S. (2015). A title. Journal of Water, 12(3), 340. {'a' * MAX_REFERENCE} 10.5555/late"
    )

    reference = read_reference(text)

    assert (reference.year, reference.doi) == (2015, None)


@pytest.mark.parametrize(
    ("text", "title", "venue", "numbers", "families"),
    [
        pytest.param(
            "Kov\u00e1cs, L. and van der Meer, P.J., 2014. Tidal locking. J. Orbits, 27(4), pp.310-329.",
            "Tidal locking",
            "J. Orbits",
            (2014, "27", "310-329"),
            ["Kov\u00e1cs", "van der Meer"],
            id="a particle after and",
        ),
        pytest.param(
            "Y\u0131lmaz, A. ve \u00c7elik, \u015e. (2014). K\u00fc\u00e7\u00fck uydular. T\u00fcrk Dergisi, 27(4), 310-329.",
            "K\u00fc\u00e7\u00fck uydular",
            "T\u00fcrk Dergisi",
            (2014, "27", "310-329"),
            ["Y\u0131lmaz", "\u00c7elik"],
            id="and in Turkish",
        ),
        pytest.param(
            "\u041f\u0435\u0442\u0440\u043e\u0432 \u0410. \u0412., \u0421\u043c\u0438\u0440\u043d\u043e\u0432\u0430 \u0415. \u041a. \u041f\u0440\u0438\u043b\u0438\u0432\u043d\u044b\u0439 \u0437\u0430\u0445\u0432\u0430\u0442 \u043b\u0443\u043d // \u0410\u0441\u0442\u0440. \u0432\u0435\u0441\u0442\u043d\u0438\u043a. \u2014 2014. \u2014 \u0422. 27, \u2116 4. \u2014 \u0421. 310\u2013329.",
            "\u041f\u0440\u0438\u043b\u0438\u0432\u043d\u044b\u0439 \u0437\u0430\u0445\u0432\u0430\u0442 \u043b\u0443\u043d",
            "\u0410\u0441\u0442\u0440. \u0432\u0435\u0441\u0442\u043d\u0438\u043a",
            (2014, "27", "310-329"),
            [
                "\u041f\u0435\u0442\u0440\u043e\u0432",
                "\u0421\u043c\u0438\u0440\u043d\u043e\u0432\u0430",
            ],
            id="GOST",
        ),
        pytest.param(
            "\u5c71\u7530\u592a\u90ce (2014)\u300c\u5c0f\u885b\u661f\u306e\u6f6e\u6c50\u56fa\u5b9a\u300d\u300e\u5929\u6587\u6708\u5831\u300f27(4), 310-329.",
            "\u5c0f\u885b\u661f\u306e\u6f6e\u6c50\u56fa\u5b9a",
            "\u5929\u6587\u6708\u5831",
            (2014, "27", "310-329"),
            [None],
            id="Japanese quotation marks",
        ),
        pytest.param(
            "\u5c71\u7530\u592a\u90ce, \u4f50\u85e4\u82b1\u5b50: \u5c0f\u885b\u661f\u306e\u6f6e\u6c50\u56fa\u5b9a, \u5929\u6587\u6708\u5831, Vol. 27, No. 4, pp. 310-329, 2014.",
            "\u5c0f\u885b\u661f\u306e\u6f6e\u6c50\u56fa\u5b9a",
            "\u5929\u6587\u6708\u5831",
            (2014, "27", "310-329"),
            [None, None],
            id="a journal after a comma in Japanese",
        ),
        pytest.param(
            "E. M\u00fcller, Z. Phys. 3, 5 (1920).",
            None,
            "Z. Phys",
            (1920, "3", "5"),
            ["M\u00fcller"],
            id="a journal that looks like a name",
        ),
        pytest.param(
            "Tanaka Y., Mori K., 2001, A&A, 123, L45",
            None,
            "A&A",
            (2001, "123", "L45"),
            ["Tanaka", "Mori"],
            id="astronomy",
        ),
        pytest.param(
            "Y. Tanaka, \u2018Ice and fire\u2019, Nature, 2001, 410, 12\u201315.",
            "Ice and fire",
            "Nature",
            (2001, "410", "12-15"),
            ["Tanaka"],
            id="single quotation marks",
        ),
        pytest.param(
            "Ng J. Slow tides [Internet]. London: Tide Trust; 2019 [cited 2020 Mar 3]. Available from: https://tides.example/slow",
            "Slow tides",
            None,
            (2019, None, None),
            ["Ng"],
            id="the day on which it was cited",
        ),
    ],
)
def test_styles_of_other_fields_and_languages_are_read(text, title, venue, numbers, families):
    reference = read_reference(text)

    assert (reference.title, reference.venue) == (title, venue)
    assert (reference.year, reference.volume, reference.pages) == numbers
    assert [author.family for author in reference.authors] == families


@pytest.mark.parametrize(
    ("text", "publisher"),
    [
        ("World Health Organization. Global report. Geneva: WHO; 2016.", "WHO"),
        ("B. Roe, The Raven. New York, NY, USA: Wiley, 2001.", "Wiley"),
    ],
)
def test_the_place_of_a_publisher_is_no_venue(text, publisher):
    reference = read_reference(text)

    assert (reference.venue, reference.publisher) == (None, publisher)


@pytest.mark.parametrize(
    "status",
    ["Advance online publication.", "Online ahead of print.", "In press.", "Early View."],
)
@pytest.mark.parametrize("end", ["", " https://doi.org/10.5555/tides", " doi: 10.5555/tides"])
def test_how_far_an_article_is_published_is_not_its_journal(status, end):
    reference = read_reference(
        f"Moreau, P. (2015). Tides of small lakes: A survey. Lake Letters. {status}{end}"
    )

    assert reference.title == "Tides of small lakes: A survey"
    assert reference.venue == "Lake Letters"


def test_a_list_that_goes_on_with_full_names_is_read_as_one():
    text = "Mallikarjun B. R., Ayush Tewari, Hans Seidel. Faces from images. CVPR, 2021"

    assert [author.name for author in read_reference(text).authors] == [
        "Mallikarjun B. R.",
        "Ayush Tewari",
        "Hans Seidel",
    ]
