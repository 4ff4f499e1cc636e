"""Titles with the subtitles that sources register beside them."""

import pytest

from sourcewright.domain.papers.titles import full_title


@pytest.mark.parametrize(
    ("title", "running"),
    [
        (
            "Serological Evidence of Brucella abortus Prevalence in Punjab Province, Pakistan",
            "Serological Evidence of B.\xa0abortus Prevalence in Punjab",
        ),
        ("The effects of slow tides on the growth of young kelp", "EFFECTS OF TIDES ON KELP"),
    ],
)
def test_a_running_title_is_no_part_of_the_title(title, running):
    assert full_title(title, running) == title


@pytest.mark.parametrize(
    ("title", "subtitle"),
    [
        ("Of tides and kelp", "Growth of young kelp"),
        ("Kelp and the growth of tides", "Tides and growth of kelp"),
        ("A survey of the field", "I. Selection by colour"),
    ],
)
def test_a_subtitle_that_says_more_is_kept(title, subtitle):
    assert full_title(title, subtitle) == f"{title}: {subtitle}"
