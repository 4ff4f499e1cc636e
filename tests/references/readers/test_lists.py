"""Plain lists of references, and the lists at the end of documents, are split into entries."""

import pytest

from sourcewright.references.model import UnreadableReference
from sourcewright.references.reader import read_references

FIRST = "Ek, S. (2015). Mixing in lakes. Journal of Water, 12(3), 340-345."
SECOND = "Bear, A., & Cub, B. (2016). On bears. Journal of Fur, 1, 2-9. https://doi.org/10.5555/b"
THIRD = "Wolf, C. (2017). On wolves. Journal of Fur, 2, 1-8."
TITLES = ["Mixing in lakes", "On bears", "On wolves"]


def titles(text, **arguments):
    return [reference.title for reference in read_references(text, **arguments)]


def wrapped(reference, indent=""):
    middle = reference.index(" ", len(reference) // 2)
    return f"{reference[:middle]}\n{indent}{reference[middle + 1 :]}"


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\n{SECOND}\n{THIRD}",
        f"{FIRST}\n\n{SECOND}\n\n{THIRD}",
        "\n\n".join(map(wrapped, (FIRST, SECOND, THIRD))),
        "\n".join(map(wrapped, (FIRST, SECOND, THIRD))),
        "\n".join(wrapped(reference, "    ") for reference in (FIRST, SECOND, THIRD)),
        "\n".join(f"    {wrapped(reference)}" for reference in (FIRST, SECOND, THIRD)),
        f"[1] {FIRST}\n[2] {SECOND}\n[3] {THIRD}",
        f"[1] {wrapped(FIRST)}\n[2] {wrapped(SECOND)}\n[3] {wrapped(THIRD)}",
        f"1. {wrapped(FIRST)}\n2. {wrapped(SECOND)}\n3. {wrapped(THIRD)}",
        f"(1) {FIRST}\n(2) {SECOND}\n(3) {THIRD}",
        f"- {FIRST}\n- {SECOND}\n- {THIRD}",
        f"[Ek15] {FIRST}\n[BC16] {SECOND}\n[Wol17] {wrapped(THIRD)}",
        f"# On animals\n\nThey eat [1].\n\n## References\n\n{FIRST}\n\n{SECOND}\n\n{THIRD}\n\n# Appendix\n\nText.",
        f"Text (2001).\n\nREFERENCES\n{FIRST}\n\n<!-- page 2 -->\n\n{SECOND}\n17\n\n<!-- page 3 -->\n\n{THIRD}\n18",
        f"Text\n\n7. **References**\n\n1. {FIRST}\n2. {SECOND}\n3. {THIRD}\n\nAcknowledgements\n\nWe thank 1999.",
        f"Body [1]\n[1] {wrapped(FIRST)}\n[2] {SECOND}\n[3] {THIRD}",
        f"## References\n\n### Water\n\n1. {FIRST}\n2. {SECOND}\n\n### Fur\n\n- {THIRD}\n\n## Appendix\n\n1. Text (2001)",
        f"## References\n\n1. {FIRST}\n2. {SECOND}\n\n- {THIRD}",
        f"## References\n\n1. {FIRST}\n1. {SECOND}\n1. {THIRD}",
        f"## References\n\n{FIRST}\n\n{SECOND.replace(' On', ' <!-- page 3 --> On')}\n\n{THIRD}",
        f"## References\n\n{FIRST}\n\n*Text in the figure: 0.2 0.4*\n\n*Figure 3: Lakes.*\n\n{SECOND}\n\n{THIRD}\n\nAffiliation:\n\nA. Wolf",
        f"## References\n\n[1] {FIRST}\n\n[2] {SECOND}\n\n[^4]: Now in the old town.\n\n[3] {THIRD}",
        f"## References\n\n\\[1\\] {FIRST}\n\n\\[2\\] {SECOND}\n\n\\[3\\] {THIRD}",
        f"## References\n\n| \\[1\\] | {FIRST} |\n| --- | --- |\n| \\[2\\] | {SECOND} |\n| \\[3\\] | {THIRD} |",
        f"## References\n\n{FIRST}\n\n{SECOND}\n\n{THIRD}\n\n| Gauge | Bought |\n| --- | --- |\n| Tin | 2011 |",
    ],
)
def test_every_way_to_set_a_list_yields_its_entries(text):
    assert titles(text) == TITLES


def test_numbers_and_lines_are_kept():
    references = read_references(f"Intro\n\nReferences\n\n[1] {wrapped(FIRST)}\n[2] {SECOND}")

    assert [(reference.key, reference.line) for reference in references] == [("1", 5), ("2", 7)]


def test_a_wrapped_line_that_begins_with_a_number_is_no_entry():
    text = f"1. Ek, S. (2015). Mixing in\n12. lakes. Journal of Water, 1, 2.\n2. {SECOND}"

    assert len(read_references(text)) == 2


def test_words_and_links_that_a_line_break_divided_are_joined():
    [reference] = read_references(
        "[1] Ek, S. (2015). Thermo-\ndynamics of lakes. Journal of Water, 12, 3. https://doi.org/10.5555/\nwater.1"
    )

    assert (reference.title, reference.doi) == ("Thermodynamics of lakes", "10.5555/water.1")


def test_an_entry_that_says_nothing_has_a_reason():
    readable, unreadable = read_references(f"[1] {FIRST}\n[2] ibid.")

    assert readable.title == TITLES[0]
    assert isinstance(unreadable, UnreadableReference)
    assert (unreadable.key, unreadable.line) == ("2", 2)
    assert unreadable.reason == "it has no year, identifier, or authors with a title"


def test_running_heads_are_no_part_of_an_entry():
    pages = "".join(
        f"\n\n<!-- page {page} -->\n\nAnimals Today {page}\ntext" for page in range(2, 5)
    )
    text = (
        f"text{pages}\nReferences\n[1] {FIRST}\n\n<!-- page 5 -->\n\nAnimals Today 5\n[2] {SECOND}"
    )

    assert [reference.text for reference in read_references(text)] == [
        f"[1] {FIRST}",
        f"[2] {SECOND}",
    ]


def test_addresses_of_the_authors_after_the_list_are_no_entries():
    text = f"# References\n\n{FIRST}\n\n{SECOND}\n\nSigne Ek\n\nDepartment of Lakes\n\nek@lakes.example"

    assert titles(text) == TITLES[:2]


def test_one_short_entry_at_the_end_is_not_dropped():
    *_, last = read_references(f"# References\n\n{FIRST}\n\n{SECOND}\n\nWolf, C. On wolves.")

    assert last.text == "Wolf, C. On wolves."


def test_emphasis_of_a_document_is_no_part_of_a_field():
    [reference] = read_references(
        "# References\n\nEk, S. (2015). Mixing of *E. coli* in a_b_c. ***Journal of Water***, *12*(3), 340-345."
    )

    assert (reference.title, reference.venue) == ("Mixing of E. coli in a_b_c", "Journal of Water")
    assert (reference.volume, reference.pages) == ("12", "340-345")


def test_authors_are_read_after_a_label_in_escaped_brackets():
    references = read_references(f"# References\n\n\\[1\\] {FIRST}\n\n\\[2\\] {SECOND}")

    assert [one.authors[0].family for one in references] == ["Ek", "Bear"]


def test_bibitems_are_read_from_latex():
    first, second, empty = read_references(
        "\\documentclass{article}\n\\begin{thebibliography}{9}\n"
        "\\bibitem{ek} S.~Ek, ``Mixing in lakes,'' {\\em Journal of Water}, vol.~12, pp.~340--345, 2015.\n"
        "\\bibitem[Bear and Cub(2016)]{bear} % a comment\n"
        "A.~Bear and B.~Cub.\n\\newblock On b\\'ears.\n\\newblock {\\it Journal of Fur}, 1:2--9, 2016.\n"
        "\\newblock \\url{https://doi.org/10.5555/b_1}.\n"
        "\\bibitem{none}\n\\end{thebibliography} text"
    )

    assert (first.key, first.title, first.venue) == ("ek", "Mixing in lakes", "Journal of Water")
    assert (first.volume, first.pages, first.year) == ("12", "340-345", 2015)
    assert (second.key, second.line, second.title) == ("bear", 4, "On b\u00e9ars")
    assert (second.venue, second.year, second.doi) == ("Journal of Fur", 2016, "10.5555/b_1")
    assert (empty.key, empty.reason) == ("none", "the entry is empty")


def test_a_second_numbered_list_begins_with_one_again():
    text = f"References\n\n1. {FIRST}\n2. {SECOND}\n\n1. {THIRD}\n2. {FIRST}"

    assert titles(text) == [*TITLES, TITLES[0]]


@pytest.mark.parametrize("label", ["[{}]", "({})", "{}.", "{})", "{}"])
@pytest.mark.parametrize(
    "numbers", ["012345", "123123", "12234", "54321", "13245", "111222"], ids=str
)
def test_a_list_with_an_entry_on_each_line_may_be_numbered_in_any_way(label, numbers):
    lines = [
        f"{label.format(number)} Ek, S. ({2001 + at}). Study {at} of lakes. Journal of Water, 1, 2."
        for at, number in enumerate(numbers)
    ]

    titles = [one.title for one in read_references("\n".join(lines))]

    assert titles == [f"Study {at} of lakes" for at in range(len(numbers))]


def test_the_first_of_two_wrapped_lists_is_read_too():
    lines = [
        f"[{number}] Ek, S. ({2001 + number}). Study {number} of\n    lakes. Water, 1, 2."
        for number in (1, 2, 3, 1, 2, 3)
    ]

    assert len(read_references("\n".join(lines))) == 6


@pytest.mark.parametrize("text", ['[{"title": "Lakes"}]', "@book{a, title = {Lakes}}"])
def test_a_byte_order_mark_hides_no_format(text):
    [reference] = read_references(f"\ufeff{text}")

    assert reference.title == "Lakes"


def test_footnotes_that_cite_are_references_and_remarks_are_none():
    text = (
        f"# Essay\n\nText.[^1]\n\n[^1]: See {wrapped(FIRST, '    ')}\n[^2]: We wrote this in 2001.\n"
        f"[^3]: Compare doi:10.5555/other for a longer account.\n\n## References\n\n{SECOND}\n"
    )

    first, third, listed = read_references(text)

    assert (first.title, first.line) == (TITLES[0], 5)
    assert (third.doi, third.title, third.authors) == ("10.5555/other", None, ())
    assert listed.title == TITLES[1]


def test_what_follows_the_last_numbered_entry_is_no_part_of_it():
    text = f"## References\n\n[1] {FIRST}\n\n[2] {SECOND}\n\nReceived in May 2016.\n\nMore."

    assert [reference.text for reference in read_references(text)] == [
        f"[1] {FIRST}",
        f"[2] {SECOND}",
    ]


def test_the_last_entry_goes_on_after_a_page_that_divides_it():
    text = f"References\n\n[1] {FIRST}\n\n[2] {wrapped(SECOND, chr(10))}"

    assert read_references(text)[-1].text == f"[2] {SECOND}"


def test_entries_at_the_edges_of_pages_that_differ_by_a_year_are_kept():
    years = [f"Harbour Board. Report on the harbour. Quay Press, {year}" for year in (2001, 2003)]
    pages = [
        f"{year}\n\n{FIRST.replace('lakes', name)}\n\nAnnals of Water {number}"
        for year, name, number in zip(years, ("bays", "fjords"), (12, 13), strict=True)
    ]
    text = f"Text (1999).\n\n## References\n\n<!-- page 2 -->\n\n{pages[0]}\n\n<!-- page 3 -->\n\n{pages[1]}"

    found = read_references(text)

    assert [one.year for one in found] == [2001, 2015, 2003, 2015]
    assert not any("Annals" in str(one) for one in found)
