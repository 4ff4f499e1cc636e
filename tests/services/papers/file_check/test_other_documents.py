"""Documents that name a paper, its authors and its DOI and are not the paper; papers that look so."""

from dataclasses import replace

import pytest

from sourcewright.base.identifiers import Doi
from sourcewright.base.works import Author, Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.check import check_file

DOI = Doi("10.5555/fine-paper")
TITLE = "Tidal mixing and the memory of estuaries"
PEOPLE = "Adaeze Okonkwo and Åsa Lindqvist"
WORK = Work(
    source="crossref",
    title=TITLE,
    authors=(
        Author(name="Adaeze Okonkwo", family="Okonkwo", given="Adaeze"),
        Author(name="Åsa Lindqvist", family="Lindqvist", given="Åsa"),
    ),
    year=2019,
    doi=DOI.value,
    venue="Journal of Tidal Research",
    type="journal-article",
)
CITATION = f"A. Okonkwo, Å. Lindqvist, {TITLE}. Journal of Tidal Research (2019)"
BODY = "\n".join(
    f"Line {number} of the body says something about water, salt and instruments."
    for number in range(40)
)
A4, WIDE, SHEET = (595.0, 842.0), (960.0, 540.0), (2384.0, 3370.0)


def status(*texts: str, work: Work = WORK, page_count: int = 12, **about) -> str:
    excerpt = Excerpt(pages=texts, page_count=page_count, **about)
    return check_file(work, excerpt, reference=DOI).status


@pytest.mark.parametrize(
    "text",
    [
        f"ERRATUM\nOpen Access\n{TITLE}\n{PEOPLE}\n2019\nhttps://doi.org/10.5555/fine-paper",
        (
            "Electronic Supplementary Material (ESI) for Journal of Tidal Research.\n"
            f"This journal is © The Society 2019\n{TITLE}\n{PEOPLE}"
        ),
        f"Electronic Supplementary Information\n{TITLE}\n{PEOPLE}\n2019",
        f"{TITLE}\n{PEOPLE}\nSupporting Information\nTable S1. Parameters",
        f"Response to Reviewers\nManuscript: {TITLE}\nAuthors: {PEOPLE}\n2019",
        f"Re: {TITLE}\nTo the Editor: we read the article by Okonkwo and Lindqvist of 2019.",
        f"Plain language summary\nof: {TITLE}\n{PEOPLE}\n2019",
        f"Editorial\nA. Guest\nIn “{TITLE}”, Adaeze Okonkwo and Åsa Lindqvist show much. 2019",
        f"Book Reviews\n{TITLE}. By Adaeze Okonkwo.\nA reviewer, 2019".replace(
            "Okonkwo.\nA", "Okonkwo. Example Press, 2019. 312 pp. A"
        ),
        f"{TITLE}\nrevisited: a replication\nAdaeze Okonkwo\n2019",
    ],
    ids=[
        "erratum-with-a-line-between",
        "header-of-a-supplement",
        "electronic-supplement",
        "supplement-below-the-authors",
        "answer-to-reviewers",
        "letter-about-it",
        "summary-of-it",
        "sentence-about-it",
        "book-review",
        "sequel-on-the-next-line",
    ],
)
def test_a_document_about_the_paper_is_not_the_paper(text):
    assert status(f"{text}\n{BODY}", BODY) == "mismatch"


@pytest.mark.parametrize("end", [f" https://doi.org/{DOI}", f"\nDOI: {DOI}"], ids=["same", "next"])
def test_a_text_that_ends_with_a_citation_of_the_paper_is_not_the_paper(end):
    news = "NEWS & VIEWS\nA quiet surprise from an old question\nCommentator Name"

    assert status(f"{news}\n{BODY}\n{CITATION}{end}") == "mismatch"


def test_a_paper_that_says_how_to_cite_it_is_the_paper():
    # Its heading is a picture.
    text = f"{PEOPLE}\nHow to cite:\n{CITATION}. DOI: {DOI}\n{BODY}"

    assert status(text) in {"confirmed", "probable"}


def test_the_cover_of_a_scan_may_be_nothing_but_a_citation():
    scan = {"has_image": (False, True, True)}

    assert status(f"{CITATION}. doi:{DOI}", "", "", **scan) in {"confirmed", "probable"}


@pytest.mark.parametrize(
    "text",
    [
        f"{TITLE}",
        f"This is a repository copy of\n{TITLE}.\n{CITATION} https://doi.org/{DOI}\nEmbargoed.",
        f"Graphical abstract\n{TITLE}\n{PEOPLE}\n2019\nhttps://doi.org/{DOI}",
    ],
    ids=["title", "cover", "graphical-abstract"],
)
def test_a_page_with_hardly_more_than_the_title_is_not_the_paper(text):
    assert status(text, page_count=1) == "mismatch"


def test_an_article_of_one_short_page_is_the_paper():
    caption = BODY[:1000]

    assert status(f"{TITLE}\n{PEOPLE}\n2019\n{caption}", page_count=1) == "confirmed"


SLIDES = (f"{TITLE}\n{PEOPLE}\nConference on Tides, 2019", "Motivation\n• salt", "Model\n• water")


def test_slides_are_not_the_article_and_may_be_what_a_repository_registered():
    about = {"page_sizes": (WIDE,) * 3}
    slides = replace(WORK, type="Presentation")

    assert status(*SLIDES, **about) == "mismatch"
    assert status(*SLIDES, work=slides, **about) == "confirmed"


def test_a_poster_is_not_the_article():
    text = f"{TITLE}\n{PEOPLE}\n2019\n{BODY}"

    assert status(text, page_count=1, page_sizes=(SHEET,)) == "mismatch"
    assert status(text, page_count=1, page_sizes=(A4,)) == "confirmed"


def test_an_article_in_landscape_format_is_not_slides():
    text = f"{TITLE}\n{PEOPLE}\n2019\n{BODY}"

    assert status(text, BODY, BODY, page_sizes=(WIDE,) * 3) == "confirmed"


ISSUE = "\n".join(
    f"{title}\n{author}\n{page}"
    for title, author, page in (
        ("On harbours", "B. Else", 101),
        ("On fogs", "C. Other", 109),
        (TITLE, PEOPLE, 123),
        ("On dunes", "D. Else", 131),
        ("On reefs", "E. Other", 148),
        ("On weirs", "F. Else", 150),
    )
)


def test_a_list_of_articles_with_their_pages_is_not_one_of_them():
    front = f"Journal of Tidal Research\nVolume 12, 2019\nIn this issue\n{ISSUE}"

    assert status(front, f"Editorial\n{BODY}") == "mismatch"


def test_a_paper_that_lists_its_own_sections_is_the_paper():
    sections = "1 Introduction 2\n2 Methods 4\n3 Results 9\n4 Discussion 11\n5 Outlook 17"

    assert status(f"{TITLE}\n{PEOPLE}\n2019\n{sections}\n{BODY}") == "confirmed"


@pytest.mark.parametrize("numbered", ["{number} {line}", "{number}\n{line}"], ids=["led", "apart"])
def test_the_numbers_of_a_manuscripts_lines_are_not_part_of_its_title(numbered):
    long = "Tidal mixing and the memory of estuaries with slow rivers and of bays without any"
    lines = [long[:41].strip(), long[41:], PEOPLE, "2019", *BODY.splitlines()[:20]]
    text = "\n".join(
        numbered.format(number=number, line=line) for number, line in enumerate(lines, 1)
    )

    assert status(text, work=replace(WORK, title=long)) == "confirmed"


def test_a_long_article_about_signing_in_is_no_page_in_front_of_one():
    users = "They were asked to log in to the portal and to create an account; access denied."
    text = f"{TITLE}\n{PEOPLE}\n2019\n{users}\n{BODY}"

    assert status(text, BODY, BODY, page_count=3) == "confirmed"


def test_a_preview_that_sells_the_article_is_not_the_article():
    offer = "This is a preview of subscription content\nBuy article PDF 39,95 €"
    text = f"{TITLE}\n{PEOPLE}\n2019\nhttps://doi.org/{DOI}\n{BODY}\n{offer}"

    assert status(text, page_count=2) == "mismatch"


def test_a_web_page_with_the_abstract_is_not_the_article():
    text = f"{TITLE}\n{PEOPLE}\n2019\nhttps://doi.org/{DOI}\nAbstract\n{BODY[:1500]}\nReferences"
    long, short = (replace(WORK, pages=pages) for pages in ("123-139", "123-125"))

    assert status(text, BODY, page_count=2, work=long) == "mismatch"
    assert status(text, BODY, page_count=2, work=short) == "confirmed"
    assert status(text, BODY, page_count=12, work=long) == "confirmed"


def test_authors_on_the_line_of_the_title_and_a_date_below_are_a_heading():
    text = f"{TITLE}. By Adaeze Okonkwo.\nReceived March 5; read June 11, 2019.\n{BODY}"

    assert status(text) in {"confirmed", "probable"}


def test_a_link_to_the_supplement_is_not_the_label_of_one():
    links = "Cite This: Journal of Tidal Research 2019\nRead Online\nSupporting Information"

    assert status(f"{TITLE}\n{PEOPLE}\n{links}\nABSTRACT\n{BODY}") == "confirmed"
