"""Names of authors in other orders, scripts and spellings: the same person, or another."""

import pytest

from sourcewright.base.works import WorkRecord
from sourcewright.references.checks import Evidence
from sourcewright.references.comparison.check import check_citation
from sourcewright.references.comparison.people import compare_authors, is_like, person_of
from sourcewright.references.field_values import author_from_text
from sourcewright.references.model import Reference


def are_alike(one, other):
    return is_like(*(person_of(author_from_text(name)) for name in (one, other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Serre JP", "Jean-Pierre Serre"),
        ("Wang XM", "Wang, Xiao-Ming"),
        ("Xiaoming LI", "Li, Xiaoming"),
        ("Tsai, RT-H", "Richard Tzong-Han Tsai"),
        ("Von Neumann J", "von Neumann, John"),
        ("王小明", "小明 王"),
        ("王 小明", "王小明"),
        ("山田太郎", "太郎 山田"),
        ("Иванов, Иван", "Ivanov, Ivan"),
        ("Чебышёв, Пафнутий", "Chebyshev, Pafnuty"),
        ("Щербаков, Ю.", "Shcherbakov, Yuri"),
        ("Παπαδόπουλος, Γιώργος", "Papadopoulos, Giorgos"),
        ("Đorđević, Ana", "Djordjevic, A."),
        ("Åström, Karl", "Aastroem, Karl"),
        ("Groß, Anna", "Gross, A."),
        ("YU R", "Rosie Yu"),
        ("GEARY R S", "Richard S. Geary"),
        ("SHI YUE", "Yue Shi"),
        ("Starobinskii, A. A.", "Alexei Starobinsky"),
        ("Ladyženskaja, O. A.", "Ladyzhenskaya, Olga A."),
        ("Serëgin, Grigory", "Seregin, Gregory"),
        ("World Health Organization", "WHO"),
        ("U.S. Department of Agriculture", "United States Department of Agriculture"),
        ("ATLAS Collaboration", "The ATLAS Collaboration"),
    ],
)
def test_one_person_is_written_in_many_ways(one, other):
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Serre JP", "Serre, Marie"),
        ("Wang XM", "Wang, Lei"),
        ("王小明", "王小红"),
        ("山田太郎", "山本太郎"),
        ("Иванов, Иван", "Petrov, Ivan"),
        ("Иванов, Иван", "Ivanov, Boris"),
        ("World Health Organization", "World Trade Organization"),
        ("World Health Organization", "WTO"),
        ("ATLAS Collaboration", "CMS Collaboration"),
        ("National Institutes of Health", "National Institute of Standards and Technology"),
    ],
)
def test_similar_names_are_those_of_different_people(one, other):
    assert not are_alike(one, other)
    assert not are_alike(other, one)


def chinese(**changes):
    fields = {
        "title": "潮汐混合与河口的记忆",
        "authors": (author_from_text("王小明"), author_from_text("李四")),
        "venue": "海洋学报",
        "year": 2020,
        "doi": "10.5555/tides",
    }
    return Reference(text="", **{**fields, **changes})


def english(*names):
    return WorkRecord(
        source="crossref",
        title="Tidal mixing and the memory of estuaries",
        authors=tuple(map(author_from_text, names)),
        venue="Acta Oceanologica Sinica",
        year=2020,
        doi="10.5555/tides",
    )


def test_a_record_in_another_script_neither_confirms_nor_contradicts():
    evidence = Evidence(records=(english("Xiaoming Wang", "Si Li"),))

    check = check_citation(chinese(), evidence)

    assert check.status == "unconfirmed"
    assert check.exists is True
    assert {one.status for one in check.fields if one.field in ("title", "authors", "venue")} == {
        "not_checked"
    }
    assert "another script" in check.reason


def test_what_does_not_depend_on_the_script_is_compared():
    evidence = Evidence(records=(english("Xiaoming Wang", "Si Li"),))

    wrong_year = check_citation(chinese(year=2017), evidence)
    russian = chinese(authors=(author_from_text("Иванов, И."),), title="Приливы", venue=None)
    same_people = check_citation(russian, Evidence(records=(english("Ivan Ivanov"),)))

    assert [one.field for one in wrong_year.differing] == ["year"]
    assert same_people.status == "verified"


MEMBERS = ("Georges Aad", "Brad Abbott", "Dale Abbott", "Ovsat Abdinov")


@pytest.mark.parametrize(
    ("cited", "et_al", "known", "expected"),
    [
        (("ATLAS Collaboration",), False, MEMBERS, "group"),
        (("G. Aad", "ATLAS Collaboration"), True, MEMBERS, "match"),
        (("ATLAS Collaboration", "Georges Aad"), True, MEMBERS, "match"),
        (("ATLAS Collaboration",), False, ("The ATLAS Collaboration",), "match"),
        (("ATLAS Collaboration",), False, ("CMS Collaboration",), "differs"),
        (("ATLAS Collaboration",), False, ("Georges Aad",), "differs"),
        (("N. Body", "ATLAS Collaboration"), True, MEMBERS, "differs"),
        (("World Health Organization",), False, MEMBERS, "differs"),
        (MEMBERS, False, ("ATLAS Collaboration",), "group"),
    ],
)
def test_a_collaboration_is_not_compared_with_its_members(cited, et_al, known, expected):
    cited, known = (tuple(map(author_from_text, names)) for names in (cited, known))

    assert compare_authors(cited, known, et_al=et_al, known_truncated=False) == expected


PEOPLE = ("Ann Lee", "Bo Fry", "Cy Dow", "Di Orr", "Ed Poe", "Flo Ray", "Gus Tan")


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (("A. Lee", "B. Fry", "C. Dow", "G. Tan"), "match"),
        (("A. Lee", "B. Fry", "C. Dow", "H. Doe"), "differs"),
        (("A. Lee", "H. Doe", "C. Dow", "G. Tan"), "differs"),
        (("A. Lee", "G. Tan"), "reordered"),
    ],
)
def test_the_last_author_after_an_ellipsis_is_compared_with_the_last(cited, expected):
    given, known = (tuple(map(author_from_text, names)) for names in (cited, PEOPLE))

    assert compare_authors(given, known, et_al=True, known_truncated=False) == expected
