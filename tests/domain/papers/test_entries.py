"""How a stored paper changes when a new record describes it."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.papers.entries import merge_entries, version_of
from sourcewright.references.entries import Acquisition, Entry

HOLDING = Acquisition(fetched_at="2030-01-01T00:00:00Z", source="crossref")
EMPTY = Entry(key="doi_10.1234_x", title="", authors=(), holding=HOLDING)
OLD = replace(
    EMPTY,
    title="Tides",
    authors=("Moon, A.",),
    year=2030,
    doi="10.1234/x",
    venue="Sea",
    keywords=("water",),
)
DESCRIPTIVE = [
    field.name
    for field in fields(Entry)
    if field.name not in {"key", "holding", "schema_version", "extras", "pdf_path", "aliases"}
]


def sample(name, text):
    """A value of the kind that the field has."""
    if name == "year":
        return 1900 + len(text)
    plural = isinstance(getattr(EMPTY, name), tuple)
    return (text, "and more") if plural else text


def holding(**changes):
    return replace(HOLDING, **changes)


def with_holding(entry=OLD, **changes):
    return replace(entry, holding=holding(**changes))


def test_aliases_are_added_to_those_that_are_stored():
    old, new = (
        replace(OLD, aliases=("10.1/a", "10.1/b")),
        replace(OLD, aliases=("10.1/b", "10.1/c")),
    )

    merged, warnings = merge_entries(old, new)

    assert (merged.aliases, warnings) == (("10.1/a", "10.1/b", "10.1/c"), ())


@pytest.mark.parametrize("name", DESCRIPTIVE)
def test_what_is_stored_wins_and_the_difference_is_told(name):
    old = replace(EMPTY, **{name: sample(name, "stored")})
    new = replace(EMPTY, **{name: sample(name, "another one")})

    merged, warnings = merge_entries(old, new)

    assert getattr(merged, name) == getattr(old, name)
    [warning] = warnings
    assert warning.startswith(f"{name}: kept ")


@pytest.mark.parametrize("name", DESCRIPTIVE)
def test_what_was_unknown_is_filled_in_without_a_word(name):
    new = replace(EMPTY, **{name: sample(name, "new")})

    assert merge_entries(EMPTY, new) == (new, ())
    assert merge_entries(new, EMPTY) == (new, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The <i>Tides</i> of 10<sup>6</sup> &amp; more", "The Tides of 10⁶ & more"),
        ("Caf\ufffd cr\ufffdme", "Café crème"),
    ],
)
def test_a_text_that_is_only_mended_takes_the_place_of_the_damaged_one(old, new):
    damaged = replace(OLD, title=old, authors=(old, "Moon, A."))
    mended = replace(OLD, title=new, authors=(new, "Moon, A."))

    assert merge_entries(damaged, mended) == (mended, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The <i>Tides</i>", "Tides"),
        ("Caf\ufffd creme", "Café crème"),
        ("Caf\ufffd", "Cafés"),
        ("Caf\ufffd cr\ufffdme", "Café cr\ufffdme"),
        ("Tides", "The <i>Tides</i>"),
    ],
)
def test_a_text_that_says_something_else_does_not(old, new):
    merged, warnings = merge_entries(replace(OLD, title=old), replace(OLD, title=new))

    assert merged.title == old
    assert len(warnings) == 1


@pytest.mark.parametrize(
    "placeholder", ["10.1234/x", "10.1234/X", "doi:10.1234/x", "arxiv:2401.1"]
)
def test_a_title_that_only_repeats_the_id_gives_way(placeholder):
    merged, warnings = merge_entries(
        replace(OLD, title=placeholder, arxiv_id="2401.1"), replace(OLD, arxiv_id="2401.1")
    )

    assert (merged.title, warnings) == ("Tides", ())


def test_a_doi_in_other_letters_is_the_same_doi():
    merged, warnings = merge_entries(replace(OLD, doi="10.1234/X"), OLD)

    assert (merged.doi, warnings) == ("10.1234/x", ())


def test_how_the_paper_came_here_is_told_anew():
    new = with_holding(
        fetched_at="2031-01-01T00:00:00Z", source="hal", license="cc-by", oa_status="gold"
    )

    merged, _ = merge_entries(with_holding(license="cc0", oa_status="green"), new)

    assert merged.holding == new.holding


def test_ignorance_never_replaces_a_finding():
    known = with_holding(
        license="cc-by",
        oa_status="gold",
        short_venue="S.",
        repaired_fields={"title": "openalex"},
    )

    assert merge_entries(known, OLD)[0].holding == known.holding
    assert merge_entries(known, with_holding(repaired_fields={"venue": "s2"}))[
        0
    ].holding.repaired_fields == {
        "title": "openalex",
        "venue": "s2",
    }


def test_what_the_user_wrote_is_changed_by_the_user_alone():
    old = with_holding(tags=("mine",), collections=("thesis",), annotation="good")
    new = with_holding(tags=("theirs",), annotation="bad")

    fetched, _ = merge_entries(old, new)
    written, _ = merge_entries(old, new, user_authored=True)

    assert fetched.holding == old.holding
    assert written.holding == new.holding


PDF = replace(
    with_holding(
        source="oa-publisher",
        license="cc-by",
        size_bytes=9,
        file_check="confirmed",
        file_evidence=("the title is there",),
    ),
    pdf_path="doi_10.1234_x.pdf",
)


@pytest.mark.parametrize("origin", [None, "user-supplied"])
@pytest.mark.parametrize("licence", ["cc-by", "unknown"])
def test_without_a_new_pdf_everything_about_the_stored_one_stays(origin, licence):
    old = replace(PDF, holding=replace(PDF.holding, origin=origin, license=licence))
    later = with_holding(fetched_at="2031-01-01T00:00:00Z", source="datacite")

    merged, _ = merge_entries(old, later)

    assert merged == replace(old, holding=replace(old.holding, fetched_at="2031-01-01T00:00:00Z"))


def test_a_licence_found_later_is_that_of_the_work_and_not_of_the_users_own_file():
    found = with_holding(license="cc0")
    unknown = replace(PDF, holding=replace(PDF.holding, license="unknown"))
    own = replace(unknown, holding=replace(unknown.holding, origin="user-supplied"))

    assert merge_entries(unknown, found)[0].holding.license == "cc0"
    assert merge_entries(own, found)[0].holding.license == "unknown"
    assert merge_entries(PDF, found)[0].holding.license == "cc-by"


def test_a_new_pdf_brings_its_own_story():
    old = replace(PDF, holding=replace(PDF.holding, origin="user-supplied", size_bytes=5))

    assert merge_entries(old, PDF)[0] == PDF


def test_of_unknown_fields_the_stored_ones_win_table_by_table():
    old = replace(
        with_holding(extras={"mcp_call_id": "a"}), extras={"x": 1, "t": {"a": 1, "d": {"k": 1}}}
    )
    new = replace(
        with_holding(extras={"mcp_call_id": "b", "later": 1}),
        extras={"x": 2, "y": 3, "t": {"a": 9, "b": 2, "d": 5}},
    )

    merged, warnings = merge_entries(old, new)

    assert merged.extras == {"x": 1, "y": 3, "t": {"a": 1, "b": 2, "d": {"k": 1}}}
    assert merged.holding.extras == {"mcp_call_id": "a", "later": 1}
    assert warnings == ()


@pytest.mark.parametrize(("old", "new", "kept"), [("1.2", "1.10", "1.10"), ("2.0", "1.0", "2.0")])
def test_the_greater_version_is_kept(old, new, kept):
    merged, _ = merge_entries(replace(OLD, schema_version=old), replace(OLD, schema_version=new))

    assert merged.schema_version == kept


@pytest.mark.parametrize("text", ["1", "1.0.0", "a.b", "", "-1.0", "1." + "9" * 5000])
def test_a_version_of_another_form_is_refused(text):
    with pytest.raises(ValueError):
        version_of(text)


TEXT = st.none() | st.sampled_from(["a", "b", "<i>a</i>", "\ufffd"])
ENTRIES = st.builds(
    Entry,
    key=st.just("doi_10.1234_x"),
    title=TEXT.map(lambda text: text or ""),
    authors=st.lists(st.sampled_from(["a", "b"])).map(tuple),
    holding=st.builds(
        Acquisition,
        fetched_at=st.just("t"),
        source=st.sampled_from(["x", "y"]),
        license=st.sampled_from(["unknown", "cc0"]),
        size_bytes=st.sampled_from([0, 5]),
        annotation=TEXT,
    ),
    venue=TEXT,
)


@given(ENTRIES, ENTRIES)
def test_merging_loses_no_field_and_settles_at_once(old, new):
    merged, _ = merge_entries(old, new)

    for name in ("title", "authors", "venue"):
        assert bool(getattr(merged, name)) == bool(getattr(old, name) or getattr(new, name))
    assert merge_entries(merged, new)[0] == merged
    assert merge_entries(merged, merged) == (merged, ())
