"""`format_bibliography`: seasons, ranges and doubtful dates; works of one author and year."""

import pytest

PAGE = "https://a.example/1"


@pytest.mark.parametrize(
    ("date", "apa", "mla", "year"),
    [
        ("Spring 2014", "(2014, Spring)", "Spring 2014", "2014"),
        ("2014 Fall", "(2014, Autumn)", "Autumn 2014", "2014"),
        ("2014-2015", "(2014\u20132015)", "2014\u20132015", "2014"),
        ("2014-03-12/2014-03-15", "(2014, March 12\u201315)", "12\u201315 Mar. 2014", "2014"),
        ("c. 1850", "(ca. 1850)", "Circa 1850", "1850"),
        ("reprinted in 1987", "(1987)", "1987", "1987"),
        ("2014 Mar 5", "(2014, March 5)", "5 Mar. 2014", "2014"),
        ("2014 Mar", "(2014, March)", "Mar. 2014", "2014"),
        ("Jan/Feb 2014", "(2014, January\u2013February)", "Jan.\u2013Feb. 2014", "2014"),
        ("Dec-Jan 2014", "(2014)", "2014", "2014"),
        ("5-7 May 2014", "(2014, May 5\u20137)", "5\u20137 May 2014", "2014"),
        ("May 5-7, 2014", "(2014, May 5\u20137)", "5\u20137 May 2014", "2014"),
        ("30 Dec 2014 - 2 Jan 2015", "(2014\u20132015", "30 Dec. 2014\u20132 Jan. 2015", "2014"),
        ("2014\u201315", "(2014\u20132015)", "2014\u20132015", "2014"),
        ("2014-09", "(2014, September)", "Sept. 2014", "2014"),
        ("1850s", "(ca. 1850)", "Circa 1850", "1850"),
        ("12 March 2019", "(2019, March 12)", "12 Mar. 2019", "2019"),
    ],
)
async def test_a_date_is_printed_as_far_as_it_is_known(call, date, apa, mla, year):
    source = {"url": PAGE, "title": "Tides", "author": "Lee, Ann", "date": date}

    printed = {
        style: (await call("format_bibliography", {"style": style, "sources": [source]}))[
            "bibliography"
        ]
        for style in ("apa", "mla", "bibtex", "ris")
    }

    assert apa in printed["apa"]
    assert mla in printed["mla"]
    assert f"{{{year}}}" in printed["bibtex"]
    assert f"PY  - {year}" in printed["ris"]


@pytest.mark.parametrize("words", ["in press", "Forthcoming"])
async def test_a_work_that_is_not_yet_published_is_not_without_a_date(call, words):
    source = {"url": PAGE, "title": "Tides", "author": "Lee, Ann", "date": words}

    answer = await call("format_bibliography", {"sources": [source]})

    assert f"Lee, A. ({words.lower()}). Tides." in answer["bibliography"]


async def test_no_year_is_invented_from_several(call):
    source = {"url": PAGE, "title": "Tides", "author": "Lee, Ann", "date": "1987, revised 1999"}

    answer = await call("format_bibliography", {"sources": [source]})

    assert "(n.d.)" in answer["bibliography"]


async def test_works_of_one_author_and_year_have_letters_in_apa(call):
    sources = [
        {"url": f"https://a.example/{title}", "title": title, "author": author, "date": date}
        for title, author, date in (
            ("Waves", "Lee, Ann", "2019"),
            ("Bells", "A. Lee", "2019"),
            ("Tides", "Lee, Ann; Berg, Bo", "2019"),
            ("Sands", "Lee, Ann", "2018"),
            ("Rocks", "Lee, Ann", ""),
            ("Ropes", "Lee, Ann", ""),
        )
    ]

    apa = (await call("format_bibliography", {"sources": sources}))["bibliography"]
    mla = (await call("format_bibliography", {"style": "mla", "sources": sources}))["bibliography"]

    assert "Lee, A. (2019a). Bells." in apa
    assert "Lee, A. (2019b). Waves." in apa
    assert "(2019). Tides." in apa
    assert "(2018). Sands." in apa
    assert "(n.d.-a). Rocks." in apa
    assert "(n.d.-b). Ropes." in apa
    assert "2019," in mla
    assert "2019a" not in mla
