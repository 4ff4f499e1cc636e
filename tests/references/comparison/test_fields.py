"""The matcher's parts: titles, people, venues, pages and publishers, each on its own."""

import pytest

from sourcewright.base.works import Author
from sourcewright.references.comparison.details import same_pages, same_publisher, same_volume
from sourcewright.references.comparison.fields import arxiv_year
from sourcewright.references.comparison.people import compare_authors, likeness, person_of
from sourcewright.references.comparison.titles import title_agreement
from sourcewright.references.comparison.venues import same_venue


def people(*names):
    return tuple(Author(name=name) for name in names)


@pytest.mark.parametrize(
    ("given", "found", "agreement"),
    [
        ("On the Origin of Tides", "ON THE ORIGIN OF TIDES", "same"),
        ("Modelling harbour behaviour", "Modeling harbor behavior", "same"),
        ("$V_{k}D$: better tides", "VkD: Better Tides", "same"),
        ("<i>Salmo</i> in cold lakes", "Salmo in cold lakes", "same"),
        ("Chain of thought in harbours", "Chain-of-Thought in Harbours", "same"),
        ("The memory of estuaries and rivers", "The memory of estuaries and rivers: a review", "shortened"),
        ("A very long title about the mixing of ...", "A very long title about the mixing of tides", "cut"),
        ("Recogniton of harbour bells", "Recognition of harbour bells", "typo"),
        ("Recognition of harbour bell", "Recognition of harbour bells", "altered"),
        ("Estimation of harbour bells", "Recognition of harbour bells", "altered"),
        ("Tides for domain adaptation", "Tides towards domain adaptation", "altered"),
        ("Tide tables, part I", "Tide tables, part II", "altered"),
        ("Harbour++: a network", "Harbour: a network", "altered"),
        ("Correction to: The memory of estuaries", "The memory of estuaries", "different"),
        ("Clocks", "Tides", "different"),
    ],
)  # fmt: skip
def test_titles_agree_as_far_as_their_words_do(given, found, agreement):
    assert title_agreement(given, found) == agreement


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Adaeze Okonkwo", "A. Okonkwo", "same"),
        ("Okonkwo A", "Adaeze Okonkwo", "same"),
        ("J.-Q. Yang", "Jia-Qi Yang", "same"),
        ("Jürgen Müller", "Juergen Mueller", "same"),
        ("Bram van der Meer", "Bram Meer", "same"),
        ("Ramon Matas Navarro", "R. Navarro", "same"),
        ("Wei Li", "Li Wei", "same"),
        ("V. A. Nguyen", "Nguyen Van An", "same"),
        ("J. Kim", "Kim Jones", "different"),
        ("Shin-Fang Ch&apos;ng", "Shin-Fang Ch'ng", "same"),
        ("William Smith", "Bill Smith", "variant"),
        ("Sergey Levine", "Sergei Levine", "variant"),
        ("Yujing Zhao", "Yue Zhao", "conflict"),
        ("Weiwei Starmer", "William T. Starmer", "conflict"),
        ("J.-Q. Wang", "Jiaqi Wang", "same"),
        ("Adaeze Okonkwo", "Percival Fabricant", "different"),
    ],
)
def test_names_are_compared_as_those_of_people(one, other, expected):
    assert likeness(*(person_of(Author(name=name)) for name in (one, other))) == expected


@pytest.mark.parametrize(
    ("cited", "et_al", "expected"),
    [
        (("Ann Lee", "Bo Berg", "Cy Dahl"), False, "match"),
        (("A. Lee", "B. Berg", "C. Dahl"), False, "match"),
        (("Ann Lee",), True, "match"),
        (("Ann Lee", "Bo Berg"), False, "incomplete"),
        (("Bo Berg", "Ann Lee", "Cy Dahl"), False, "reordered"),
        (("Ann Lee", "Bo Berg", "Cy Dahl", "Di Eng"), False, "differs"),
        (("Ann Lee", "Bo Berg", "Nobody Known"), False, "differs"),
    ],
)
def test_lists_of_authors_are_compared_in_order(cited, et_al, expected):
    known = people("Ann Lee", "Bo Berg", "Cy Dahl")

    assert compare_authors(people(*cited), known, et_al=et_al, known_truncated=False) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NeurIPS", "Advances in Neural Information Processing Systems 34"),
        ("NIPS", "Neural Information Processing Systems"),
        ("CVPR", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)"),
        ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
        ("Phys. Rev. Lett.", "Physical Review Letters"),
        ("Proc. Natl. Acad. Sci.", "Proceedings of the National Academy of Sciences"),
        ("EMNLP", "Findings of the Association for Computational Linguistics: EMNLP 2021"),
        ("arXiv preprint arXiv:2401.00001", "CoRR"),
        ("The Web Conference", "WWW"),
        ("ACM Trans. Graph.", "ACM Transactions on Graphics"),
        (
            "IEEE Trans. Pattern Anal. Mach. Intell.",
            "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        ),
        ("Z. Phys.", "Zeitschrift f\u00fcr Physik"),
        ("Ann. Phys. (Leipzig)", "Annalen der Physik"),
        ("Lancet", "The Lancet (London, England)"),
        ("J. Phys. A", "Journal of Physics A: Mathematical and Theoretical"),
        ("Lect. Notes Comput. Sci.", "Lecture Notes in Computer Science"),
        ("Adv. Neural Inf. Process. Syst.", "Advances in Neural Information Processing Systems"),
    ],
)
def test_one_venue_has_many_names(one, other):
    assert same_venue(one, other)
    assert same_venue(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nature", "Nature Communications"),
        ("Science", "Computer Science Review"),
        ("Science", "Science Advances"),
        ("Mathematics", "Advances in Mathematics"),
        ("J. Phys. B", "Journal of Physics A: Mathematical and Theoretical"),
        ("J. Phys. A", "Journal of Physics: Condensed Matter"),
        ("ACL", "Transactions of the Association for Computational Linguistics"),
        ("ACL", "North American Chapter of the Association for Computational Linguistics"),
        ("ICCV", "European Conference on Computer Vision"),
        ("ICML", "International Conference on Machine Learning and Applications"),
        ("arXiv", "Journal of Machine Learning Research"),
        ("Machine Learning", "International Conference on Machine Learning"),
    ],
)
def test_similar_names_are_those_of_different_venues(one, other):
    assert not same_venue(one, other)
    assert not same_venue(other, one)


def test_numbers_are_the_same_in_other_numerals_and_short_forms():
    assert same_volume("VII", "7")
    assert same_volume("vol. 12", "12")
    assert not same_volume("12", "21")
    assert same_pages("101--19", "101-119")
    assert same_pages("e1004", "e1004")
    assert not same_pages("101", "433-440")
    assert same_pages("S29-S36", "S29-36")
    assert same_pages("461", "461-470")
    assert same_pages("461-470", "461-461")
    assert not same_pages("461-473", "461-470")
    assert not same_pages("101--19", "101-129")


def test_publishers_are_the_same_by_acronym_and_without_company_forms():
    assert same_publisher("IEEE", "Institute of Electrical and Electronics Engineers (IEEE)")
    assert same_publisher("ACM", "Association for Computing Machinery")
    assert same_publisher("Springer", "Springer International Publishing")
    assert not same_publisher("IEEE", "Association for Computational Linguistics")


def test_an_arxiv_id_tells_its_year():
    assert (arxiv_year("2104.08821"), arxiv_year("hep-th/9901001"), arxiv_year(None)) == (
        2021,
        1999,
        None,
    )
