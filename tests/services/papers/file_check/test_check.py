"""Is this file the paper? One layout or one trap at a time, as the pages would read."""

from dataclasses import replace

import pytest

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import Author, Notice, Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.check import check_file

DOI = Doi("10.5555/fine-paper")
TITLE = "Tidal mixing and the memory of estuaries"
OKONKWO = Author(name="Adaeze Okonkwo", family="Okonkwo", given="Adaeze")
LINDQVIST = Author(name="Åsa Lindqvist", family="Lindqvist", given="Åsa")
WORK = Work(
    source="crossref",
    title=TITLE,
    authors=(OKONKWO, LINDQVIST),
    year=2019,
    doi=DOI.value,
    venue="Journal of Tidal Research",
)
ON_ARXIV = Work(
    source="arxiv",
    title="A lattice model of lichen growth",
    authors=(Author(name="Ximena Fernández-Blanco"),),
    year=2024,
    arxiv_id="2401.99901",
)
WHOLE = f"https://doi.org/10.5555/fine-paper\n{TITLE}\nAdaeze Okonkwo\n2019"
BODY = "\n".join(
    f"Line {number} of the body says something about water, salt and instruments."
    for number in range(40)
)


def pages(*texts: str, **about) -> Excerpt:
    full = tuple(f"{text}\n{BODY}" for text in texts)
    return Excerpt(pages=full, page_count=about.pop("page_count", 12), **about)


def short(text: str) -> Excerpt:
    """A file of one page with nothing else on it."""
    return Excerpt(pages=(text,), page_count=1, has_image=(False,))


def scanned(*texts: str, **about) -> Excerpt:
    """Pictures of nine pages, with what else can be read on the first of them."""
    return Excerpt(pages=texts, page_count=9, has_image=(True,) * len(texts), **about)


def check(excerpt: Excerpt, work: Work = WORK, reference: Doi | ArxivId = DOI):
    return check_file(work, excerpt, reference=reference)


def changed(**fields) -> Work:
    return replace(WORK, **fields)


@pytest.mark.parametrize(
    "text",
    [
        f"https://doi.org/10.5555/fine-paper\n{TITLE}\nAdaeze Okonkwo, Åsa Lindqvist",
        f"DOI: 10.5555/FINE-PAPER.\n{TITLE}\nA. Okonkwo",
        f"doi:10.5555/fine-\npaper\n{TITLE}\nA. Okonkwo",
        "Journal of Tidal Research 14 (2019)\nTIDAL MIXING AND THE MEMORY OF ESTUARIES\nOKONKWO",
        f"{TITLE}\nAdaeze Okonkwo1,2 and Åsa Lindqvist2\nReceived 3 May 2018; accepted 2019",
        "Tidal mixing and the mem-\nory of estuaries\nA. Okonkwo\n2019",
        "Tidal mixing and the mem\ufffe\nory of estuaries\nA. Okonkwo\n2019",
        "Tidal\nmixing and\nthe memory\nof estuaries\nA. Okonkwo\n2019",
        "T IDAL M IXING AND THE M EMORY OF E STUARIES\nA DAEZE O KONKWO\n2019",
        f"RETRACTED ARTICLE\n{TITLE}\nAdaeze Okonkwo\n2019",
        f"{TITLE}*\nAdaeze Okonkwo\n© 2019 The authors",
        f"REVIEW\n{TITLE}\nAdaeze Okonkwo\n2020",
        f"{TITLE}: a longer subtitle\nOkonkwo\nhttps://doi.org/10.5555/fine-paper",
        f"RESEARCH ARTICLE {TITLE}\nOkonkwo\n2019",
        f"{TITLE}\nOkonkwo\n2019\nData: https://doi.org/10.5061/dryad.12345",
    ],
    ids=[
        "doi-line",
        "doi-in-capitals",
        "broken-doi",
        "all-capitals",
        "footnote-marks",
        "hyphenated",
        "pdfium-hyphen",
        "four-lines",
        "small-capitals",
        "retracted-banner",
        "star",
        "section-label",
        "subtitle-and-doi",
        "kind-on-the-same-line",
        "data-doi",
    ],
)
def test_the_paper_itself_is_confirmed(text):
    assert check(pages(text)).status == "confirmed"


@pytest.mark.parametrize(
    "text",
    [
        (
            "Contents lists available at ScienceDirect\nJournal of Tidal Research\n"
            f"journal homepage: www.tides.example\n{TITLE}\nAdaeze Okonkwo a,*, Åsa Lindqvist b\n"
            "a Department of Tides\nhttps://doi.org/10.5555/fine-paper\nReceived 2018"
        ),
        f"Article https://doi.org/10.5555/fine-paper\n{TITLE}\nAdaeze Okonkwo1 & Åsa Lindqvist2",
        (
            f"RESEARCH ARTICLE\n{TITLE}\nAdaeze Okonkwo1*\nOPEN ACCESS\n"
            f"Citation: Okonkwo A (2019) {TITLE}. Tides 14(2): e1. https://doi.org/10.5555/fine-paper\n"
            "Data Availability: all files are in the archive at\nhttps://doi.org/10.5061/dryad.1234"
        ),
        (
            f"Journal of Tidal Research\nISSN: 2999-0001\n{TITLE}\nAdaeze Okonkwo\nTo cite this "
            f"article: Adaeze Okonkwo (2019) {TITLE}, Journal of Tidal Research, DOI: 10.5555/\n"
            "fine-paper\nTo link to this article: https://doi.org/10.5555/fine-paper\n"
            "View related articles"
        ),
        (
            f"See discussions, stats, and author profiles for this publication\n{TITLE}\n"
            "Article in Journal of Tidal Research · March 2019\nDOI: 10.5555/fine-paper\n"
            "CITATIONS\n12\nREADS\n345\n2 authors, including:\nAdaeze Okonkwo"
        ),
        (
            f"{TITLE}\nAdaeze Okonkwo\nCONTENTS\n1. Introduction ........ 2\n2. Salt ........ 3\n"
            "3. Memory ........ 9\nhttps://doi.org/10.5555/fine-paper"
        ),
        (
            "bioRxiv preprint doi: https://doi.org/10.1101/2018.01.01.123456; this version posted "
            f"January 2, 2018.\n{TITLE}\nAdaeze Okonkwo"
        ),
    ],
    ids=["elsevier", "nature", "plos", "taylor", "researchgate", "own-contents", "biorxiv"],
)
def test_the_first_pages_of_publishers_are_understood(text):
    assert check(pages(text)).status == "confirmed"


@pytest.mark.parametrize(
    "text",
    [
        (
            f"https://doi.org/10.5555/journal-version\n{TITLE}\nAdaeze Okonkwo\n2019\n"
            "An earlier version is https://doi.org/10.5555/fine-paper"
        ),
        (
            f"{TITLE}\nAdaeze Okonkwo\n2019\n1 See also https://doi.org/10.5555/fine-paper\n"
            "https://doi.org/10.5555/journal-version"
        ),
    ],
)
def test_another_edition_of_the_same_text_is_refused_and_named(text):
    found = check(pages(text))

    assert found.status == "mismatch"
    assert "another DOI, 10.5555/journal-version, is on page 1" in found.evidence


def test_a_cover_with_a_doi_of_its_own_does_not_hide_the_paper():
    cover = (
        f"Research Collection\n{TITLE}\nAdaeze Okonkwo\nPermanent link:\n"
        "https://doi.org/10.3929/ethz-b-000123456\n"
        "Originally published in: Journal of Tidal Research, https://doi.org/10.5555/fine-paper"
    )

    assert check(pages(cover, f"{TITLE}\nAdaeze Okonkwo\n2019")).status == "probable"


def test_each_sign_is_named_with_its_page():
    text = f"https://doi.org/10.5555/fine-paper\n{TITLE}\nAdaeze Okonkwo\n2019"

    found = check(pages(text))

    assert found.evidence == (
        "the DOI 10.5555/fine-paper is on page 1",
        "the title is on page 1",
        "the first author's name Okonkwo is on page 1",
        "the year 2019 is on page 1",
    )
    assert found.other_work is None


@pytest.mark.parametrize(
    "text",
    [
        f"{TITLE}\nAdaeze Okonkwo, Åsa Lindqvist",
        f"{TITLE}\n2019",
        "Tidal mixing and the memories of an estuary\nAdaeze Okonkwo\n2018",
        f"{TITLE}: what forty tide gauges say\nAdaeze Okonkwo\n2019",
        "https://doi.org/10.5555/fine-paper\n(a title in a font that cannot be read)",
    ],
    ids=[
        "manuscript-without-year",
        "title-and-year",
        "renamed-preprint",
        "subtitle-only-in-the-file",
        "unreadable-title",
    ],
)
def test_good_but_incomplete_signs_make_a_file_probable(text):
    assert check(pages(text)).status == "probable"


@pytest.mark.parametrize(
    "heading",
    [
        f"Comment on: {TITLE}",
        f"Comment on\n{TITLE}",
        f"Comment on “{TITLE}”",
        f"Reply to “{TITLE}” by A. Okonkwo",
        f"Response to the paper entitled\n{TITLE}",
        f"Correction to: {TITLE}",
        f"Author Correction: {TITLE}",
        f"ERRATUM\n{TITLE}",
        f"Corrigendum to “{TITLE}”",
        f"Retraction Note: {TITLE}",
        f"Retraction: {TITLE}",
        f"Expression of concern: {TITLE}",
        f"Supplementary Information for\n{TITLE}",
        f"{TITLE}\nSupplementary Material",
        f"Supporting Information\n{TITLE}",
        f"Review of {TITLE}",
        f"Peer Review File\n{TITLE}",
        f"Data for: {TITLE}",
    ],
)
@pytest.mark.parametrize(
    "rest",
    [
        "Adaeze Okonkwo, Åsa Lindqvist\n2019\nhttps://doi.org/10.5555/about-it",
        "Adaeze Okonkwo\n2019\nThe original article: https://doi.org/10.5555/fine-paper",
        "Adaeze Okonkwo\n2019\nhttps://doi.org/10.5555/fine-paper",
        "Adaeze Okonkwo\n2019",
    ],
    ids=["own-doi", "doi-of-the-original", "bare-doi-of-the-original", "no-doi"],
)
def test_a_document_about_the_work_is_not_the_work(heading, rest):
    found = check(pages(f"{heading}\n{rest}"))

    assert found.status == "mismatch"
    assert found.other_work is not None


def test_the_notice_itself_is_confirmed_when_it_was_asked_for():
    notice = changed(title=f"Correction to: {TITLE}", doi="10.5555/note", notice_for=(DOI.value,))
    text = f"Correction to: {TITLE}\nAdaeze Okonkwo\n2019\nhttps://doi.org/10.5555/note"

    assert check(pages(text), notice, Doi("10.5555/note")).status == "confirmed"


@pytest.mark.parametrize("title", [f"Correction to: {TITLE}", TITLE])
def test_the_article_is_not_the_notice_that_was_asked_for(title):
    notice = changed(title=title, doi="10.5555/note", notice_for=(DOI.value,))
    text = f"https://doi.org/10.5555/fine-paper\n{TITLE}\nAdaeze Okonkwo\n2019"

    assert check(pages(text), notice, Doi("10.5555/note")).status == "mismatch"


@pytest.mark.parametrize(
    "says",
    [
        "The above article has been retracted by agreement between the editors.",
        "This corrects the article published on page 101.",
    ],
)
def test_a_notice_that_carries_the_title_alone_is_recognised_by_its_text(says):
    text = f"{TITLE}\nAdaeze Okonkwo\n2019\n{says} " + "More words of explanation follow. " * 8
    excerpt = Excerpt(pages=(text,), page_count=1)

    assert check(excerpt).status == "mismatch"


def test_a_known_notice_is_refused_by_its_doi():
    noticed = changed(
        notices=(Notice(kind="retraction", source="crossref", doi="10.5555/retraction"),)
    )
    text = f"https://doi.org/10.5555/retraction\n{TITLE}\nAdaeze Okonkwo\n2019"

    assert check(pages(text), noticed).status == "mismatch"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Tides of the north. Part I: salt", "Tides of the north. Part II: salt"),
        ("Tides of the north: part I", "Tides of the north: part II"),
        ("Sleep and the moon in women of the coast", "Sleep and the moon in men of the coast"),
        ("Sediment memory in shallow estuaries", "Sediment memory in glacial valleys"),
        ("Lichen growth in a walled city", "Lichen growth in a walled city: a replication"),
        ("Lichen growth in a walled city: a replication", "Lichen growth in a walled city"),
        ("Lichen growth in a walled city", "Lichen growth in a walled city and its limits"),
        ("Lichen growth in a walled city", "Lichen growth in a walled city\nof the far north"),
        ("Comment on the memory of estuaries", "The memory of estuaries"),
    ],
)
def test_a_sibling_by_the_same_author_is_not_the_work(title, shown):
    work = changed(title=title)

    assert check(pages(f"{shown}\nAdaeze Okonkwo\n2019"), work).status == "mismatch"


@pytest.mark.parametrize(
    "text",
    [
        "The acoustics of frozen lakes\nB. Ødegård\nhttps://doi.org/10.5555/closed-paper",
        "The acoustics of frozen lakes\nAdaeze Okonkwo\n2019",
        "The acoustics of frozen lakes\nAdaeze Okonkwo\n2019\n1 See doi:10.5555/fine-paper",
        f"Frozen lakes\nA. Okonkwo\nEarlier work (A. Okonkwo, {TITLE}, 2019) is extended here.",
        f"Contents\n{TITLE}\nAdaeze Okonkwo\nOther things\n2019",
        f"{TITLE} ........ 101\nA. Okonkwo\nFrozen lakes ........ 120\nFog ........ 131\n2019",
        "https://doi.org/10.5555/fine-paper.s001\nTables S1 to S9\nAdaeze Okonkwo",
        "https://doi.org/10.5555/fine-paper2\nFrozen lakes\nAdaeze Okonkwo",
        "Instructions for authors\nManuscripts are sent to the editor.",
    ],
    ids=[
        "another-paper",
        "another-paper-of-the-author",
        "paper-that-cites-it",
        "title-in-the-text",
        "contents",
        "contents-with-leaders",
        "supplement-doi",
        "longer-doi",
        "instructions",
    ],
)
def test_another_document_is_a_mismatch(text):
    assert check(pages(text)).status == "mismatch"


def test_what_the_file_seems_to_be_instead_is_said():
    text = "https://doi.org/10.5555/closed-paper\nThe acoustics of frozen lakes\nBjørn Ødegård"

    found = check(pages(text))

    assert found.other_work == "The acoustics of frozen lakes (10.5555/closed-paper)"


@pytest.mark.parametrize("name", ["Microsoft Word - draft.doc", "paper_final2.tex", "untitled"])
def test_a_meaningless_stated_title_is_not_passed_on(name):
    found = check(pages("The acoustics of frozen lakes\nBjørn Ødegård", title=name))

    assert found.other_work == "The acoustics of frozen lakes"


def test_a_title_in_the_list_of_references_is_no_title():
    text = f"Frozen lakes\nB. Ødegård\n{BODY}\nReferences\n{TITLE}\nA. Okonkwo, 2019"

    assert check(Excerpt(pages=(text,), page_count=1)).status == "mismatch"


def test_a_cover_page_of_a_repository_does_not_hide_the_paper():
    cover = (
        "Repository of the University of Meridian\nTo cite this version:\n"
        f"Adaeze Okonkwo, Åsa Lindqvist. {TITLE}. Journal of Tidal Research, 2019.\n"
        "Link to the published version: https://doi.org/10.5555/fine-paper"
    )

    found = check(pages(cover, f"{TITLE}\nAdaeze Okonkwo\n"))

    assert found.status == "confirmed"
    assert "the title is on page 2" in found.evidence


@pytest.mark.parametrize(
    ("reference", "stamp", "status"),
    [
        (ArxivId("2401.99901", 2), "arXiv:2401.99901v2 [physics.bio-ph] 3 Feb 2024", "confirmed"),
        (ArxivId("2401.99901"), "arXiv:2401.99901v3 [physics.bio-ph] 3 Feb 2024", "confirmed"),
        (ArxivId("2401.99901", 2), "arXiv:2401.99901v1 [physics.bio-ph] 3 Jan 2024", "mismatch"),
        (ArxivId("2401.99901"), "arXiv:2401.88801v1 [physics.bio-ph] 3 Jan 2024", "mismatch"),
        (Doi("10.48550/arxiv.2401.99901"), "arXiv:2401.99901v1 [q-bio.PE]", "confirmed"),
    ],
)
def test_the_stamp_of_arxiv_decides(reference, stamp, status):
    text = f"A lattice model of lichen growth\nXimena Fernández-Blanco\n2024\n{BODY}\n{stamp}"

    found = check(Excerpt(pages=(text,), page_count=9), ON_ARXIV, reference)

    assert found.status == status
    assert any("arXiv stamp is 2401." in sentence for sentence in found.evidence)


def test_a_known_preprint_is_a_copy_of_the_published_work():
    work = changed(preprints=("10.48550/arxiv.2401.99901",))
    text = "Mixing by tides, and what estuaries remember\nAdaeze Okonkwo\narXiv:2401.99901v1 [x.y]"

    assert check(pages(text), work).status == "confirmed"


@pytest.mark.parametrize(
    ("title", "family", "shown"),
    [
        ("架空の潮汐に関する研究", "山田", "架空の潮汐に\n関する研究\n山田太郎"),
        ("Приливы и память моря", "Иванова", "ПРИЛИВЫ И ПАМЯТЬ МОРЯ\n(Иванова)"),
        ("Efficient flow in the fjord", "Ødegård", "Eﬃcient ﬂow in the ﬁjord\nB. Odegard"),
        ("Über die Größe der Brücken", "Müller", "Uber die Grosse der Brucken\nJ. Mueller"),
        (r"$\alpha$-decay of $^{12}$C in fog", "Li", "\u03b1-decay of 12C in fog\nWei Li"),
        (
            "CO<sub>2</sub> uptake by <i>Lichen</i> &amp; fog",
            "Li",
            "CO₂ uptake by Lichen & fog\nLi1",
        ),
    ],
)
def test_scripts_ligatures_accents_and_markup_do_not_hide_a_title(title, family, shown):
    work = changed(title=title, authors=(Author(name=family, family=family),))

    assert check(pages(f"{shown}\n2019"), work).status in {"confirmed", "probable"}


@pytest.mark.parametrize("title", ["Editorial", "Introduction to the special issue", "Fog"])
def test_a_title_that_many_works_have_confirms_nothing(title):
    work = changed(title=title)

    assert check(pages(f"{title}\nAdaeze Okonkwo\n2019"), work).status == "probable"
    assert check(pages(f"{title}\nJane Smith\n2019"), work).status == "mismatch"


def test_a_record_without_a_title_is_matched_by_its_doi():
    work = changed(title=None)
    text = "https://doi.org/10.5555/fine-paper\nSomething\nAdaeze Okonkwo"

    assert check(pages(text), work).status == "confirmed"
    assert check(pages("Something\nAdaeze Okonkwo\n2019"), work).status == "mismatch"


@pytest.mark.parametrize(
    ("excerpt", "reason"),
    [
        (scanned("", ""), "no letters"),
        (scanned("Downloaded by a guest"), "18 letters"),
        (
            scanned("12\nDownloaded from https://fog.example/11 on 3 May 2020\n12 May 2020"),
            "letters",
        ),
        (scanned("", title=TITLE, subject="doi:10.5555/fine-paper"), "no letters"),
        (scanned("", title="Scanned Document 2019 04 01 from Xerox"), "no letters"),
    ],
    ids=["images", "delivered", "stamped", "with-a-description", "named-by-a-scanner"],
)
def test_a_scan_that_nothing_contradicts_is_unconfirmed_and_says_why(excerpt, reason):
    found = check(excerpt)

    assert found.status == "unconfirmed"
    assert reason in found.evidence[0]


@pytest.mark.parametrize(
    "excerpt",
    [
        Excerpt(pages=("", ""), page_count=2, has_image=(False, False)),
        Excerpt(pages=("18 letters on it",), page_count=1, has_image=(False,)),
        scanned("Quarterly Report"),
        scanned("https://doi.org/10.5555/quite-another"),
        scanned("", subject="doi:10.5555/quite-another"),
        scanned("", title="The acoustics of frozen lakes in winter"),
    ],
    ids=["blank", "little-text", "headed", "another-doi", "described-as-another", "another-title"],
)
def test_what_little_a_file_says_against_a_work_is_enough(excerpt):
    assert check(excerpt).status == "mismatch"


@pytest.mark.parametrize(
    ("has", "stated", "status"),
    [
        (9, "11-19", "unconfirmed"),
        (5, "11-19", "unconfirmed"),
        (14, "111-9", "unconfirmed"),
        (2, "11-19", "mismatch"),
        (90, "11-19", "mismatch"),
        (1, "e1004", "unconfirmed"),
        (1, None, "unconfirmed"),
    ],
)
def test_a_scan_has_about_as_many_pages_as_its_record(has, stated, status):
    excerpt = replace(scanned(""), page_count=has)

    assert check(excerpt, changed(pages=stated)).status == status


def test_one_page_of_several_is_not_the_paper():
    page = replace(pages(WHOLE), page_count=1)

    assert check(page, changed(pages="11-19")).status == "mismatch"
    assert check(page, changed(pages="11-12")).status == "confirmed"
    assert check(replace(page, page_count=9), changed(pages="11-19")).status == "confirmed"


@pytest.mark.parametrize(
    "words",
    [
        "Access denied, please sign in",
        "You do not have access to this article. Sign in with your institution or buy this article.",
        "Access to this document is restricted",
        "403 Forbidden",
        "Session has expired",
        "Zugriff verweigert",
        "Verify you are human",
    ],
)
def test_a_page_in_front_of_a_paper_is_not_the_paper_whatever_it_names(words):
    found = check(short(f"{WHOLE}\n{words}"))

    assert found.status == "mismatch"
    assert "interstitial page" in (found.other_work or "")


def test_a_longer_page_in_front_of_a_paper_says_so_twice():
    terms = "The terms of use of this site apply to whatever is read here.\n" * 60
    once, twice = "Log in to read on.", "Log in to read on. Purchase access."

    assert check(short(f"{WHOLE}\n{terms}\n{twice}")).status == "mismatch"
    assert check(short(f"{WHOLE}\n{terms}\n{once}")).status == "confirmed"


def test_a_paper_about_denied_access_is_no_page_in_front_of_one():
    work = changed(title="Access denied: locked gates and how they are read")
    text = "Access denied: locked gates and how they are read\nAdaeze Okonkwo\n2019"

    assert check(pages(text, page_count=1), work).status == "confirmed"


@pytest.mark.parametrize(
    "excerpt",
    [
        Excerpt(problem="the PDF is damaged", damaged=True),
        Excerpt(problem="the PDF is password-protected"),
        Excerpt(problem="reading the PDF took longer than 10 seconds", pages=("",), page_count=9),
    ],
    ids=["damaged", "locked", "slow"],
)
def test_a_file_that_cannot_be_read_is_unusable(excerpt):
    found = check(excerpt)

    assert found.status == "unusable"
    assert found.evidence[0] == excerpt.problem


def test_a_damaged_file_is_unusable_also_when_its_first_pages_are_the_paper_s():
    cut = replace(pages(WHOLE), damaged=True, problem="the PDF is truncated")

    assert check(cut).status == "unusable"


def test_what_comes_from_a_file_is_cut_and_cleaned_before_it_is_shown():
    heading = "\x1b[31mThe acoustics of\u202e frozen lakes " + "and ponds " * 100

    found = check(pages(heading)).other_work or ""

    assert len(found) <= 200
    assert found.isprintable()


@pytest.mark.parametrize(
    "page",
    [
        "10." * 7000,
        "(" * 20_000,
        "arXiv:" * 4000,
        "a " * 10_000,
        "\n" * 20_000,
        "Comment on " * 2000,
    ],
)
def test_hostile_pages_are_judged_and_not_chewed_on(page):
    excerpt = Excerpt(pages=(page, page, page), page_count=3)

    assert check(excerpt).status == "mismatch"
