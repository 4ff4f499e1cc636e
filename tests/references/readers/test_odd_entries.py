"""Entries as programs and people write them: commands in names, links, marks and odd tags."""

import pytest

from sourcewright.references.reader import read_references


def names_of(text):
    [reference] = read_references(f"@article{{x, author={{{text}}}, title={{T}}, year={{2014}}}}")
    return [author.name for author in reference.authors]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"Gon\c{c}alves, Jo\~ao", "João Gonçalves"),
        (r"\'{E}mile Zola", "Émile Zola"),
        (r"\textsc{Smith}, J.", "J. Smith"),
        (r"{\DJ}or{\dj}evi{\'c}, A.", "A. Đorđević"),
        (r"\AA{}ke Bj\"ork", "Åke Björk"),
        (r"\vZ\'idek, A.", "A. Žídek"),
        ("Smith, JR", "JR Smith"),
    ],
)
def test_commands_in_a_name_produce_their_character(written, name):
    assert names_of(f"Lee, Ann and {written}") == ["Ann Lee", name]
    assert names_of(f"{written} and Lee, Ann") == [name, "Ann Lee"]


def test_a_list_of_names_may_end_in_and():
    assert names_of("Lee, Ann and ") == ["Ann Lee"]


def test_the_address_of_a_link_is_not_joined_to_its_text():
    [reference] = read_references(
        r"""\begin{thebibliography}{9}
\bibitem{lee} A.~B. Lee, {\it Waves in harbours}, \href{https://doi.org/10.5555/abc}{\emph{J.
Water} {\bf 79} (2014) 12--25}, \href{https://doi.org/10.5555/abc}{doi:10.5555/abc}.
\end{thebibliography}"""
    )

    assert reference.doi == "10.5555/abc"
    assert (reference.title, reference.venue) == ("Waves in harbours", "J. Water")
    assert (reference.volume, reference.pages) == ("79", "12-25")


def test_the_primary_authors_of_ris_come_first():
    [reference] = read_references(
        "TY  - CHAP\nAU  - Berg, Bo\nA1  - Lee, Ann\nTI  - A chapter\nT2  - A book\nPY  - 2014\nER  - "
    )

    assert [author.family for author in reference.authors] == ["Lee", "Berg"]
    assert reference.kind == "chapter"
