"""Reference lists are recognised; ordinary lists are not taken for them."""

import pytest

from sourcewright.domain.claims.reference_lists import reference_spans

ENTRIES = "".join(
    f"{number}. Doe, J. and Roe, R. (20{number:02}). On beds of eelgrass, part {number}. "
    f"Journal of Tides {number}(2), {number}1-{number}9. https://doi.org/10.5555/tide.{number}\n"
    for number in range(1, 13)
)
WRAPPED = "".join(
    f"[{number}] J. K. Doe, Eelgrass and the slow\ndrift of sand, Phys. Rev. Lett. {number}4, "
    f"57 (19{60 + number}).\n"
    for number in range(1, 13)
)
PROSE = "The mole was built in 1953 and repaired twice. Ships pass it every day. " * 20
STEPS = "".join(f"{number}. Rinse the gauge and wait ten minutes.\n" for number in range(1, 13))
TABLE = "".join(f"| 20{number:02} | {number}1-{number}9 | J. Doe |\n" for number in range(1, 30))


def kept(text: str) -> str:
    for start, end in reversed(reference_spans(text)):
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize(
    "heading",
    [
        *("## References", "References", "**Bibliography**", "7. References", "# Works cited"),
        *("LITERATURE CITED", "## Literaturverzeichnis", "### Bibliographie", "Referencias"),
        *("## 参考文献", "## Список литературы", "## المراجع", "## Einzelnachweise [edit]"),
    ],
)
@pytest.mark.parametrize("entries", [ENTRIES, WRAPPED])
def test_a_list_under_its_heading_is_left_out(heading, entries):
    text = f"{PROSE}\n\n{heading}\n\n{entries}"

    assert kept(text).strip() == PROSE.strip()


@pytest.mark.parametrize("entries", [ENTRIES, WRAPPED])
def test_a_list_that_ends_a_text_without_a_heading_is_left_out(entries):
    text = f"{PROSE}\n\n{entries}"

    assert kept(text).strip() == PROSE.strip()


def test_what_follows_a_list_is_kept():
    text = f"{PROSE}\n\n## References\n\n{ENTRIES}\n## Appendix\n\n{STEPS}"

    assert kept(text) == f"{PROSE}\n\n## Appendix\n\n{STEPS}"


def test_a_new_page_of_a_file_does_not_end_a_list():
    text = f"{PROSE}\n\nREFERENCES\n{WRAPPED}\n<!-- page 9 -->\n\n{WRAPPED}"

    assert kept(text).strip() == PROSE.strip()


@pytest.mark.parametrize(
    "text",
    [
        f"{PROSE}\n\n{STEPS}",
        f"{PROSE}\n\n## Sources\n\n{STEPS}\n\n{PROSE}",
        f"Contents\nReferences\n{PROSE}\n{PROSE}",
        f"{PROSE}\n\n## Notes\n\n{PROSE}",
        f"{PROSE}\n\n{TABLE}",
        f"{PROSE}\n\n## References to the sea in songs\n\n{PROSE}",
        "1. First.\n2. Second.\n3. Third.\n\n" + PROSE,
        ENTRIES,
        "",
    ],
)
def test_what_is_no_list_of_references_is_kept(text):
    assert reference_spans(text) == []
